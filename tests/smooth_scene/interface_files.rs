//! The structs that the build script makes have the fields (by name, order and type) and constants (by value) of the
//! files in `msg/` and `srv/`. Both texts are read with a reader of the test's own.

use std::collections::BTreeMap;
use std::path::Path;

/// Fields in order, as `name: type`, and constants.
#[derive(Debug, Default, PartialEq)]
struct Layout {
    fields: Vec<String>,
    constants: BTreeMap<String, String>,
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// A ROS type as our structs spell it.
fn rust_type(ros: &str) -> String {
    if let Some((element, length)) = ros.strip_suffix(']').and_then(|rest| rest.split_once('[')) {
        return match length {
            "" => format!("Vec<{}>", rust_type(element)),
            _ => format!("[{}; {length}]", rust_type(element)),
        };
    }
    let primitive = match ros {
        "bool" => "bool",
        "uint8" => "u8",
        "int32" => "i32",
        "uint32" => "u32",
        "uint64" => "u64",
        "float64" => "f64",
        "string" => "String",
        _ => return ros.rsplit('/').next().unwrap().to_string(),
    };
    primitive.to_string()
}

fn of_interface(text: &str) -> Layout {
    let mut layout = Layout::default();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let Some((ros, rest)) = line.split_once(' ') else { continue };
        match rest.split_once('=') {
            Some((name, value)) => {
                layout.constants.insert(name.trim().into(), value.trim().into());
            }
            None => {
                // A default may follow the name.
                let name = rest.split_whitespace().next().expect("a field has a name");
                layout.fields.push(format!("{name}: {}", rust_type(ros)));
            }
        }
    }
    layout
}

/// The source that the build script made.
const GENERATED: &str = include_str!(concat!(env!("OUT_DIR"), "/interfaces.rs"));

/// All structs of our own package in a folder, `msg` or `srv`.
fn structs(folder: &str) -> BTreeMap<String, Layout> {
    let start = GENERATED.find("pub mod smooth_scene {").expect("our package");
    let text = &GENERATED[start..];
    let end = text.find("\n/// Interfaces of ").unwrap_or(text.len());
    let (_, text) = text[..end].split_once(&format!("pub mod {folder} {{")).expect("the folder");
    let text = text.split("pub mod ").next().unwrap();
    let mut layouts = BTreeMap::<String, Layout>::new();
    let mut current = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix("pub struct ") {
            current = name.trim_end_matches(" {").to_string();
            layouts.insert(current.clone(), Layout::default());
        } else if let Some(constant) = line.strip_prefix("pub const ") {
            let (name, value) = constant.split_once(": u8 = ").unwrap();
            let constants = &mut layouts.get_mut(&current).unwrap().constants;
            constants.insert(name.into(), value.trim_end_matches(';').into());
        } else if let Some(field) = line.strip_prefix("pub ")
            && let Some((name, path)) = field.trim_end_matches(',').split_once(": ")
        {
            let field = format!("{name}: {}", without_path(path));
            layouts.get_mut(&current).unwrap().fields.push(field);
        }
    }
    layouts
}

/// `Vec<a::b::C>` as `Vec<C>`.
fn without_path(path: &str) -> String {
    let start = path.find(['<', '[']).map_or(0, |at| at + 1);
    let (head, rest) = path.split_at(start);
    let end = rest.find(['>', ';']).unwrap_or(rest.len());
    let (element, tail) = rest.split_at(end);
    format!("{head}{}{tail}", element.rsplit("::").next().unwrap())
}

/// Name and text of the interface files of a folder.
fn files(folder: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_string();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect()
}

#[test]
fn structs_mirror_the_messages() {
    let mut structs = structs("msg");
    for (name, text) in files("msg") {
        assert_eq!(structs.remove(&name), Some(of_interface(&text)), "{name}");
    }
    assert!(structs.is_empty(), "no file in msg/ for {structs:?}");
}

#[test]
fn structs_mirror_the_services() {
    let mut structs = structs("srv");
    // Events follow from the services; their layout is checked by their hash.
    structs.retain(|name, _| !name.ends_with("Event"));
    for (name, text) in files("srv") {
        let (request, response) = text.split_once("---").unwrap();
        let [request, response] = [("Request", request), ("Response", response)]
            .map(|(suffix, part)| (structs.remove(&format!("{name}{suffix}")), of_interface(part)));
        assert_eq!(request.0, Some(request.1), "{name}");
        assert_eq!(response.0, Some(response.1), "{name}");
    }
    assert!(structs.is_empty(), "no file in srv/ for {structs:?}");
}

#[test]
fn the_build_lists_every_interface_file() {
    let cmake = read("CMakeLists.txt");
    for (folder, ending) in [("msg", "msg"), ("srv", "srv")] {
        for (name, _) in files(folder) {
            let file = format!("\"{folder}/{name}.{ending}\"");
            assert!(cmake.contains(&file), "CMakeLists.txt does not list {file}");
        }
    }
}
