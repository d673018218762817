//! The bundled hands: the files are what `crates/scene/examples/icub_urdf` writes, and what they say about the hands holds.
//!
//! `UPDATE_GOLDEN=1` rewrites the files.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::generate::fallback::{Fallback, shape};
use crate::generate::model::robot_model;
use crate::generate::sampled_pairs::stretched;
use crate::generate::source::{Source, SurfaceRow};
use crate::generate::srdf::GRASP;
use crate::generate::{Carrier, Fingers, Representation, Variant};
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::{Collision, PairQuery};
use smooth_scene_robot::{
    JointKind, LinkId, LoadOptions, RobotModel, RobotState, StateSampler, load_urdf,
};

fn root() -> &'static Path {
    smooth_scene_test_support::repository_root()
}

fn source() -> Source {
    Source::read(&root().join("urdf/source")).unwrap()
}

#[test]
fn committed_files_are_what_the_example_writes() {
    for file in crate::generate::all_files(root()).unwrap() {
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
fn every_hand_has_21_finger_surfaces_and_a_palm() {
    let source = source();
    assert_eq!(source.surfaces.len(), 44);
    for representation in Representation::ALL {
        for side in ["r_", "l_"] {
            let names: Vec<&String> =
                source.surfaces.keys().filter(|name| name.starts_with(side)).collect();
            assert_eq!(names.len(), 22);
            for name in names {
                let surface = shape(source.surface(name, representation).unwrap()).unwrap();
                let is_tip = source.surfaces[name].tip_superovoid.is_some();
                let expected = match representation {
                    Representation::Mixed if is_tip || name.ends_with("_palm") => "superovoid",
                    Representation::Mixed => "superellipsoid",
                    other => other.name(),
                };
                assert_eq!(surface.kind(), expected, "{name}");
            }
        }
    }
}

/// Fitted superovoids have two different tapers, and with exponent_z below one such a body is never quite convex: queries
/// answer for its hull. How far the hull may be from the surface: h(n) − n·x at surface points x with normal n, an upper
/// bound of the depth of x below the hull.
#[test]
fn dents_of_the_superovoids_are_shallow() {
    let source = source();
    let mut worst = (0f64, "");
    let mut dented_in_mixed = Vec::new();
    for name in source.surfaces.keys() {
        let mixed = shape(source.surface(name, Representation::Mixed).unwrap()).unwrap();
        if !mixed.is_convex() {
            dented_in_mixed.push(name.as_str());
        }
        let row = source.surface(name, Representation::Superovoid).unwrap();
        let surface = shape(row).unwrap();
        if surface.is_convex() {
            continue;
        }
        for dir in directions(4000) {
            let point = dir / level(row, &dir);
            let normal = gradient(row, &point).normalize();
            let dent = surface.support(&normal).value - normal.dot(&point);
            if dent > worst.0 {
                worst = (dent, name);
            }
        }
    }
    assert!(worst.0 < 1e-7, "{worst:?}");
    assert_eq!(dented_in_mixed, ["l_palm", "r_palm"]);
}

/// The factor by which the ray has to be shrunk to end on the surface.
fn level(row: &SurfaceRow, dir: &Vec3) -> f64 {
    let (mut low, mut high) = (1e-6, 1.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if implicit(row, &(dir * middle)) < 1.0 { low = middle } else { high = middle }
    }
    1.0 / low
}

/// The left side of the surface's equation, as in the header of the table.
fn implicit(row: &SurfaceRow, p: &Vec3) -> f64 {
    let ([a, b, c], [tx, ty]) = (row.radii, row.taper.unwrap_or_default());
    let (wide, high) = (2.0 / row.exponent_xy, 2.0 / row.exponent_z);
    let (x, y) = (p.x / (a * (1.0 + tx * p.z / c)), p.y / (b * (1.0 + ty * p.z / c)));
    (x.abs().powf(wide) + y.abs().powf(wide)).powf(row.exponent_xy / row.exponent_z)
        + (p.z / c).abs().powf(high)
}

fn gradient(row: &SurfaceRow, p: &Vec3) -> Vec3 {
    let step = 1e-5 * row.radii[1].min(row.radii[0]);
    let along = |axis: Vec3| implicit(row, &(p + axis * step)) - implicit(row, &(p - axis * step));
    Vec3::new(along(Vec3::x()), along(Vec3::y()), along(Vec3::z()))
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
        let state = smooth_scene_robot::RobotState::new(std::sync::Arc::new(model.clone()));
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

/// The reader of URDFs finds in the files what the tables say.
#[test]
fn loaded_files_equal_the_model_straight_from_the_tables() {
    for variant in Variant::all() {
        let path = root().join(variant.path());
        let loaded = load_urdf(&path, &LoadOptions::default()).unwrap();
        assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
        let expected = robot_model(&source(), variant).unwrap();
        assert_eq!(loaded.model.variable_names(), expected.variable_names());
        let same_pose =
            |a: &Pose, b: &Pose| (a.to_homogeneous() - b.to_homogeneous()).amax() < 1e-15;
        for (a, b) in loaded.model.links().iter().zip(expected.links()) {
            assert_eq!((&a.name, a.collisions.len()), (&b.name, b.collisions.len()));
            for (a, b) in a.collisions.iter().zip(&b.collisions) {
                assert_eq!((&a.name, &a.shape), (&b.name, &b.shape));
                assert!(same_pose(&a.pose_in_link, &b.pose_in_link), "{:?}", a.name);
            }
        }
        for (a, b) in loaded.model.joints().iter().zip(expected.joints()) {
            assert_eq!((&a.name, a.kind, a.coupling), (&b.name, b.kind, b.coupling));
            assert_eq!((a.parent, a.child), (b.parent, b.child));
            assert!(a.kind == JointKind::Fixed || (a.axis, a.limits) == (b.axis, b.limits));
            assert!(same_pose(&a.origin, &b.origin), "{}", a.name);
        }
    }
}

/// The pairs that the SRDF leaves out, with the reason.
fn disabled_pairs() -> BTreeMap<(String, String), String> {
    let text = std::fs::read_to_string(root().join("urdf/icub_hands.srdf")).unwrap();
    let lines = text.lines().filter(|line| line.contains("<disable_collisions"));
    let fields = |line: &str| -> Vec<String> { line.split('"').map(str::to_string).collect() };
    lines.map(fields).map(|f| ((f[1].clone(), f[3].clone()), f[5].clone())).collect()
}

/// Pairs of one hand that overlap in a state.
fn overlapping(model: &RobotModel, state: &RobotState) -> Vec<(String, String)> {
    let poses = state.link_poses().unwrap();
    let links: Vec<LinkId> =
        model.link_ids().filter(|&id| !model.link(id).collisions.is_empty()).collect();
    let mut found = Vec::new();
    for (place, &a) in links.iter().enumerate() {
        for &b in &links[place + 1..] {
            let names = [a, b].map(|id| model.link(id).name.clone());
            let [(first, pose_a), (second, pose_b)] = [a, b].map(|id| {
                let collision = &model.link(id).collisions[0];
                (&collision.shape, poses[id] * collision.pose_in_link)
            });
            let is_one_hand = names[0][..2] == names[1][..2];
            if !is_one_hand || !first.aabb(&pose_a).overlaps(&second.aabb(&pose_b)) {
                continue;
            }
            let answer = PairQuery::new(first, &pose_a, second, &pose_b).collides();
            if !matches!(answer, Collision::Apart { .. }) {
                found.push(names.into());
            }
        }
    }
    found
}

#[test]
fn open_and_grasping_hands_do_not_touch_themselves() {
    let disabled = disabled_pairs();
    for representation in Representation::ALL {
        let fingers = Fingers::Independent;
        let variant = Variant { carrier: Carrier::SixJoints, representation, fingers };
        let model = Arc::new(robot_model(&source(), variant).unwrap());
        let mut state = RobotState::new(model.clone());
        for grasping in [false, true] {
            for side in ["r", "l"].iter().filter(|_| grasping) {
                for (joint, angle) in GRASP {
                    state.set_joint(&format!("{side}_{joint}"), &[angle]).unwrap();
                }
            }
            let touching: Vec<_> = overlapping(&model, &state)
                .into_iter()
                .filter(|pair| !disabled.contains_key(pair))
                .collect();
            assert_eq!(touching, [], "{representation:?} {grasping}");
        }
    }
}

/// In other states than those the pairs were found from.
#[test]
fn pairs_that_never_touch_do_not() {
    let disabled = disabled_pairs();
    let (carrier, representation) = (Carrier::SixJoints, Representation::Superellipsoid);
    let variant = Variant { carrier, representation, fingers: Fingers::Independent };
    let model = Arc::new(robot_model(&source(), variant).unwrap());
    let mut sampler = StateSampler::new(&model, 99);
    for k in 0..2000 {
        let mut positions = sampler.draw();
        if k % 2 == 1 {
            positions = stretched(&model, &positions);
        }
        let state = RobotState::at(model.clone(), positions).unwrap();
        for pair in overlapping(&model, &state) {
            let reason = disabled.get(&pair).map(String::as_str);
            assert_ne!(reason, Some("Never"), "{pair:?} {:?}", state.positions());
        }
    }
}
