//! Robots nobody here wrote: the URDFs and meshes of PyPI `example-robot-data`, installed by `tests/robots/install.sh`.
//! Counted by `xml.etree` and measured by Coal's mesh loader; behind the feature `external-tests`.

use serde_json::Value;
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_robot::{LoadOptions, MeshLimits, MeshLoader, PackageResolver, load_urdf};

use crate::urdf_rs_oracle::assert_same;
use smooth_scene_test_support::robots_venv::{share, start_script};

/// The files that are no robots, and why.
const BROKEN: &[(&str, &str)] = &[
    // Its hands came from another file whose joints have no side in their names.
    (
        "alex_description/urdf/alex_psyonic_hands.urdf",
        "alex_psyonic_hands.urdf:1030:2: joint `Left_index_q2`: mimicked joint `index_q1` does not exist",
    ),
    // An xacro that was expanded without calling its macro: an empty robot.
    ("ur_description/urdf/ur3.urdf", "ur3.urdf:6:1: <robot>: attribute `name` is missing"),
];

/// The lines of `inventory.py`.
fn inventory() -> Vec<Value> {
    // What goes wrong is printed by the script itself, on the standard error it shares.
    let output = start_script("inventory.py", &[&share()]).wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Every URDF loads with all its links, joints and collisions, or fails with the error that is right about it.
#[test]
fn every_robot_loads_or_is_rightly_refused() {
    let options =
        LoadOptions { package_paths: vec![share()], use_environment: false, ..Default::default() };
    let (mut loaded, mut refused, mut collisions, mut compared) = (0, 0, 0, 0);
    for line in inventory().iter().filter(|line| line["urdf"].is_string()) {
        let urdf = line["urdf"].as_str().unwrap();
        let broken = BROKEN.iter().find(|(name, _)| urdf.ends_with(name));
        match (load_urdf(share().join(urdf), &options), broken) {
            (Ok(robot), None) => {
                let model = robot.model;
                assert_eq!(model.links().len() as u64, line["links"], "{urdf}");
                assert_eq!(model.joints().len() as u64, line["joints"], "{urdf}");
                let count: usize = model.links().iter().map(|link| link.collisions.len()).sum();
                assert_eq!(count as u64, line["collisions"], "{urdf}");
                assert_eq!(robot.document.write(&[]).unwrap(), robot.document.text(), "{urdf}");
                // It refuses some files for visuals and inertias, which are none of our business.
                if let Ok(theirs) = urdf_rs::read_file(share().join(urdf)) {
                    assert_same(&model, &theirs);
                    compared += 1;
                }
                loaded += 1;
                collisions += count;
            }
            (Err(error), Some((_, expected))) => {
                assert!(error.to_string().ends_with(expected), "{error}");
                refused += 1;
            }
            (Ok(_), Some(_)) => panic!("{urdf} loads"),
            (Err(error), None) => panic!("{error}"),
        }
    }
    assert_eq!((loaded, refused), (67, BROKEN.len()));
    println!(
        "{loaded} robots, {collisions} collisions; {refused} refused; {compared} as in urdf-rs"
    );
    assert_eq!(compared, 64);
}

/// Hulls have the extents of the mesh as Coal loads it, node transforms and scale included: 1e-6 of the size, since
/// both read coordinates as `f32` and Coal multiplies them in `f32` too.
#[test]
fn meshes_have_the_extents_that_coal_finds() {
    let packages = PackageResolver::new(&[share()], false, None);
    let mut loader = MeshLoader::new(packages, MeshLimits::default());
    let mut count = 0;
    let mut worst: f64 = 0.0;
    for line in inventory().iter().filter(|line| line["mesh"].is_string()) {
        let three = |name: &str| [0, 1, 2].map(|k| line[name][k].as_f64().unwrap());
        let uri = format!("package://{}", line["mesh"].as_str().unwrap());
        let hull = loader.hull(&uri, three("scale")).unwrap_or_else(|error| panic!("{error}"));
        let aabb = hull.local_aabb();
        let size = (aabb.max - aabb.min).amax().max(aabb.max.amax());
        for (ours, coal) in [(aabb.min, three("min")), (aabb.max, three("max"))] {
            let error = (ours - nalgebra::Vector3::from(coal)).amax() / size;
            assert!(error < 1e-6, "{uri}: {ours:?} {coal:?}");
            worst = worst.max(error);
        }
        count += 1;
    }
    assert_eq!(count, 391);
    println!("{count} meshes, largest difference {worst:.1e} of the size");
}
