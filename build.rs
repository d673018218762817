//! Says which interfaces a build with the feature `r2r` finds: r2r makes types of what is installed, and no others.

use std::path::Path;

/// A cfg for each of our own packages, and the interface file that shows it is there.
const INTERFACES: [(&str, &str); 3] = [
    ("has_smooth_scene_srvs", "share/smooth_scene/srv/GetDistance.srv"),
    ("has_moveit_srvs", "share/moveit_msgs/srv/ApplyPlanningScene.srv"),
    ("has_multi_state_validity_srv", "share/moveit_msgs/srv/GetMultiStateValidity.srv"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=AMENT_PREFIX_PATH");
    let prefixes = std::env::var("AMENT_PREFIX_PATH").unwrap_or_default();
    for (cfg, file) in INTERFACES {
        println!("cargo::rustc-check-cfg=cfg({cfg})");
        let installed = |prefix: &str| !prefix.is_empty() && Path::new(prefix).join(file).exists();
        if std::env::var_os("CARGO_FEATURE_R2R").is_some() && prefixes.split(':').any(installed) {
            println!("cargo::rustc-cfg={cfg}");
        }
    }
}
