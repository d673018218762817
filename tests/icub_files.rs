//! The bundled hands: the files are what `examples/icub_urdf` writes, and what they say about the hands holds.
//!
//! `UPDATE_GOLDEN=1` rewrites the files.

#[path = "../examples/icub_urdf/generate/mod.rs"]
#[allow(dead_code)]
mod generate;

use std::path::Path;

use generate::fallback::{Fallback, shape};
use generate::model::robot_model;
use generate::source::Source;
use generate::{Carrier, Representation, Variant};
use smooth_scene::geometry::ConvexSurface;
use smooth_scene::math::Vec3;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn source() -> Source {
    Source::read(&root().join("urdf/source")).unwrap()
}

#[test]
fn committed_files_are_what_the_example_writes() {
    for file in generate::all_files(root()).unwrap() {
        let path = root().join(&file.path);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &file.text).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap();
        assert!(committed == file.text, "{} differs: run the example icub_urdf", file.path);
    }
}

/// Unit vectors spread evenly over the sphere.
fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |k| {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / count as f64;
        let (s, c) = (2.399963229728653 * k as f64).sin_cos();
        Vec3::new(c * (1.0 - z * z).sqrt(), s * (1.0 - z * z).sqrt(), z)
    })
}

#[test]
fn every_hand_has_21_finger_surfaces_and_a_palm_all_convex() {
    let source = source();
    assert_eq!(source.surfaces.len(), 44);
    for representation in Representation::ALL {
        for side in ["r_", "l_"] {
            let names: Vec<&String> =
                source.surfaces.keys().filter(|name| name.starts_with(side)).collect();
            assert_eq!(names.len(), 22);
            for name in names {
                let surface = shape(source.surface(name, representation).unwrap()).unwrap();
                let is_tip_or_palm =
                    source.surfaces[name].tip_superovoid.is_some() || name.ends_with("_palm");
                let expected = match representation {
                    Representation::Mixed if is_tip_or_palm => "superovoid",
                    Representation::Mixed => "superellipsoid",
                    other => other.name(),
                };
                assert_eq!(surface.kind(), expected, "{name}");
                assert!(surface.is_convex(), "{name} {representation:?}");
            }
        }
    }
}

/// A convex body lies in a box or cylinder when its support function nowhere exceeds theirs.
#[test]
fn fallback_geometry_contains_the_surface_and_is_not_much_larger() {
    let source = source();
    for representation in Representation::ALL {
        for name in source.surfaces.keys() {
            let row = source.surface(name, representation).unwrap();
            let surface = shape(row).unwrap();
            let fallback = Fallback::around(row).unwrap();
            let reach = |d: &Vec3| match fallback {
                Fallback::Box([x, y, z]) => 0.5 * (x * d.x.abs() + y * d.y.abs() + z * d.z.abs()),
                Fallback::Cylinder { radius, length } => {
                    radius * d.x.hypot(d.y) + 0.5 * length * d.z.abs()
                }
            };
            let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
            for dir in directions(5000).chain(axes) {
                let (inside, outside) = (surface.support(&dir).value, reach(&dir));
                assert!(inside <= outside, "{name} {representation:?} {dir:?}");
            }
            // Tight where it can be: along z. Two micrometres are the rounding of the file.
            let z = Vec3::z();
            assert!(reach(&z) - surface.support(&z).value < 2e-6, "{name}");
        }
    }
}

/// Points 23.8 mm along the last links, the ends of the fingertip spheres, with all finger joints at zero: from a program
/// that is not ours, in the frame of the palm, to five digits.
#[test]
fn fingertips_of_the_open_hand_are_where_they_should_be() {
    let right = [
        ("thumb_4", [-0.08327, 0.09369, 0.02658]),
        ("index_3", [-0.15079, 0.02549, 0.01225]),
        ("middle_3", [-0.1566, 0.01, 0.011]),
        ("ring_3", [-0.15065, -0.00665, 0.01175]),
        ("little_3", [-0.14164, -0.02614, 0.0135]),
    ];
    for variant in Variant::all() {
        let model = robot_model(&source(), variant).unwrap();
        let state = smooth_scene::robot::RobotState::new(std::sync::Arc::new(model.clone()));
        let poses = state.link_poses().unwrap();
        for (side, mirror) in [("r", 1.0), ("l", -1.0)] {
            let palm = poses[model.link_id(&format!("{side}_palm")).unwrap()];
            for (name, [x, y, z]) in right {
                let tip = poses[model.link_id(&format!("{side}_{name}")).unwrap()];
                let found = palm.inverse() * tip * nalgebra::Point3::new(0.0238, 0.0, 0.0);
                let expected = Vec3::new(x, mirror * y, z);
                assert!(
                    (found.coords - expected).amax() < 6e-6,
                    "{variant:?} {side}_{name} {found}"
                );
            }
        }
    }
}

#[test]
fn pairs_of_a_right_and_a_left_link_are_always_checked() {
    for carrier in [Carrier::SixJoints, Carrier::Arms] {
        let path = root().join(format!("urdf/{}.srdf", carrier.stem()));
        let text = std::fs::read_to_string(path).unwrap();
        let disabled = text.lines().filter(|line| line.contains("<disable_collisions"));
        let mut count = 0;
        for line in disabled {
            let sides: Vec<&str> = line.split("link").skip(1).map(|rest| &rest[3..5]).collect();
            assert!(sides.len() == 2 && sides[0] == sides[1], "{line}");
            count += 1;
        }
        assert!(count > 100);
    }
}
