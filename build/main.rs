//! Makes Rust of the interface definitions: structs with their encoding (`interfaces.rs`), and, for builds through rcl,
//! the list of service types that r2r has made (`r2r_services.rs`).

mod definition;
mod description;
mod rust;
mod sha256;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use definition::Service;

fn main() {
    println!("cargo::rerun-if-changed=build");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("set by cargo"));
    let (messages, services) = definition::read_all(&root);
    write(&out.join("interfaces.rs"), &rust::modules(&messages, &services));
    if env::var_os("CARGO_FEATURE_R2R").is_some() {
        write(&out.join("r2r_services.rs"), &r2r_services(&services));
    }
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// A function that does something with a service type by its name. r2r makes types of what is installed, and no others.
fn r2r_services(services: &[Service]) -> String {
    println!("cargo::rerun-if-env-changed=AMENT_PREFIX_PATH");
    println!("cargo::rerun-if-env-changed=IDL_PACKAGE_FILTER");
    let prefixes = env::var("AMENT_PREFIX_PATH").unwrap_or_default();
    // Without a filter r2r makes types of all packages.
    let filter = env::var("IDL_PACKAGE_FILTER").unwrap_or_default();
    let passes = |package: &str| filter.is_empty() || filter.split(';').any(|one| one == package);
    let installed = |service: &Service| {
        let file = format!("share/{}/srv/{}.srv", service.package, service.name);
        let in_prefix = |prefix: &str| !prefix.is_empty() && Path::new(prefix).join(&file).exists();
        // r2r depends on them itself.
        service.package == "rcl_interfaces"
            || (passes(&service.package) && prefixes.split(':').any(in_prefix))
    };
    let mut arms = String::new();
    for Service { package, name, .. } in services.iter().filter(|service| installed(service)) {
        let r2r_type = format!("::r2r::{package}::srv::{name}::Service");
        writeln!(arms, "\"{package}/srv/{name}\" => act.with::<{r2r_type}>(),").expect("memory");
    }
    format!(
        "pub(super) fn with_installed_service<F: ForService>(type_name: &str, act: F) -> Result<F::Made, TransportError> {{\n\
         match type_name {{\n{arms}_ => Err(not_installed(type_name)),\n}}\n}}\n"
    )
}
