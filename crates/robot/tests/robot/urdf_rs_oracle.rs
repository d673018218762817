//! The same files read by `urdf-rs`: what the standard elements say, and what the format means where they say nothing.

use std::path::Path;

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::{Coupling, JointKind, LoadOptions, RobotModel, load_urdf, parse_urdf};
use smooth_scene_test_support::repository_file;

/// Both compute a rotation from the same three angles with sines and cosines that are right to an ulp or two, and a
/// quaternion of products of three of them: a dozen roundings of numbers of at most one.
const ROTATION_ROUNDING: f64 = 24.0 * f64::EPSILON;

/// Asserts that joints and standard shapes are those that `urdf-rs` reads, and returns how many shapes were compared.
pub fn assert_same(model: &RobotModel, robot: &urdf_rs::Robot) -> usize {
    assert_eq!(model.joints().len(), robot.joints.len());
    for joint in &robot.joints {
        assert_same_joint(model, joint);
    }
    let mut shapes = 0;
    for link in &robot.links {
        let id = model.link_id(&link.name).unwrap_or_else(|| panic!("{} is missing", link.name));
        let collisions = &model.link(id).collisions;
        assert_eq!(collisions.len(), link.collision.len(), "{}", link.name);
        for (ours, theirs) in collisions.iter().zip(&link.collision) {
            assert_same_pose(&ours.pose_in_link, &theirs.origin, &link.name);
            shapes += usize::from(is_same_shape(&ours.shape, &theirs.geometry, &link.name));
        }
    }
    shapes
}

fn assert_same_pose(ours: &Pose, theirs: &urdf_rs::Pose, name: &str) {
    let [x, y, z] = theirs.xyz.0;
    let [roll, pitch, yaw] = theirs.rpy.0;
    let rotation = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    let theirs = Isometry3::from_parts(Translation3::new(x, y, z), rotation);
    assert_eq!(ours.translation, theirs.translation, "{name}");
    let turn = ours.rotation.coords - theirs.rotation.coords;
    assert!(turn.norm() <= ROTATION_ROUNDING, "{name}: {ours} {theirs}");
}

fn assert_same_joint(model: &RobotModel, theirs: &urdf_rs::Joint) {
    let name = &theirs.name;
    let id = model.joint_id(name).unwrap_or_else(|| panic!("joint {name} is missing"));
    let ours = model.joint(id);
    let kind = match theirs.joint_type {
        urdf_rs::JointType::Revolute => JointKind::Revolute,
        urdf_rs::JointType::Continuous => JointKind::Continuous,
        urdf_rs::JointType::Prismatic => JointKind::Prismatic,
        urdf_rs::JointType::Fixed => JointKind::Fixed,
        urdf_rs::JointType::Floating => JointKind::Floating,
        urdf_rs::JointType::Planar => JointKind::Planar,
        urdf_rs::JointType::Spherical => panic!("{name} is spherical"),
    };
    assert_eq!(ours.kind, kind, "{name}");
    assert_same_pose(&ours.origin, &theirs.origin, name);
    if !matches!(kind, JointKind::Fixed | JointKind::Floating) {
        let axis = Vector3::from(theirs.axis.xyz.0).normalize();
        assert!((ours.axis - axis).norm() <= 4.0 * f64::EPSILON, "{name}: {}", ours.axis);
    }
    if matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
        let limit = &theirs.limit;
        assert_eq!([ours.limits.lower, ours.limits.upper], [limit.lower, limit.upper], "{name}");
        assert_eq!(ours.limits.velocity, limit.velocity, "{name}");
    }
    match (&ours.coupling, &theirs.mimic) {
        (Coupling::Independent { .. }, None) => {}
        // A fixed joint follows nothing, whatever the file says.
        (Coupling::Independent { .. }, Some(_)) if kind == JointKind::Fixed => {}
        (Coupling::Mimic { leader, multiplier, offset }, Some(mimic)) => {
            // Chains are multiplied out; of one that is no chain the numbers are those of the file.
            if model.joint(*leader).name == mimic.joint {
                let theirs = (mimic.multiplier.unwrap_or(1.0), mimic.offset.unwrap_or(0.0));
                assert_eq!((*multiplier, *offset), theirs, "{name}");
            }
        }
        (ours, theirs) => panic!("{name}: {ours:?} {theirs:?}"),
    }
}

/// Whether both have the same shape; `false` for one of our own elements beside a fallback, and for meshes.
fn is_same_shape(ours: &Shape, theirs: &urdf_rs::Geometry, name: &str) -> bool {
    let lengths = match (ours, theirs) {
        (Shape::Cuboid(ours), urdf_rs::Geometry::Box { size }) => {
            let half = ours.half_extents();
            [0, 1, 2].map(|k| (2.0 * half[k], size.0[k])).to_vec()
        }
        (Shape::Sphere(ours), urdf_rs::Geometry::Sphere { radius }) => {
            vec![(ours.radius(), *radius)]
        }
        (Shape::Cylinder(ours), urdf_rs::Geometry::Cylinder { radius, length }) => {
            vec![(ours.radius(), *radius), (2.0 * ours.half_length(), *length)]
        }
        (Shape::Capsule(ours), urdf_rs::Geometry::Capsule { radius, length }) => {
            vec![(ours.radius(), *radius), (2.0 * ours.half_length(), *length)]
        }
        _ => return false,
    };
    // Half of a number and twice the half are exact.
    lengths.iter().for_each(|(ours, theirs)| assert_eq!(ours, theirs, "{name}"));
    true
}

fn read_both(path: &Path) -> usize {
    let options = LoadOptions { use_environment: false, ..Default::default() };
    let model = load_urdf(path, &options).unwrap().model;
    assert_same(&model, &urdf_rs::read_file(path).unwrap())
}

#[test]
fn bundled_robots_are_the_robots_that_urdf_rs_reads() {
    let mut files = 0;
    for entry in std::fs::read_dir(repository_file("urdf")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "urdf") {
            read_both(&path);
            files += 1;
        }
    }
    assert_eq!(files, 9);
}

/// Handed over as `urdf_rs::Robot`, a robot is the one that its file describes.
#[cfg(feature = "urdf-rs")]
#[test]
fn robots_of_urdf_rs_are_taken_over_whole() {
    let options = LoadOptions { use_environment: false, ..Default::default() };
    let path = repository_file("urdf").join("icub_hands_mixed.urdf");
    let robot = urdf_rs::read_file(&path).unwrap();
    let model = smooth_scene_robot::from_urdf_rs(&robot, "hands", &options).unwrap().model;
    let shapes: usize = robot.links.iter().map(|link| link.collision.len()).sum();
    assert!(shapes > 40, "{shapes}");
    assert_eq!(assert_same(&model, &robot), shapes);

    let mut broken = robot;
    broken.joints[0].child.link = "nowhere".into();
    let error = smooth_scene_robot::from_urdf_rs(&broken, "hands", &options).unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
}

/// Everything that may be left out, left out, in the versions that give it different meanings.
#[test]
fn what_is_left_out_means_what_it_means_in_urdf_rs() {
    let joint = |name: &str, kind: &str, parts: &str| {
        format!(
            "<link name=\"{name}_l\"/><joint name=\"{name}\" type=\"{kind}\">\
             <parent link=\"root\"/><child link=\"{name}_l\"/>{parts}</joint>"
        )
    };
    let limit = "<limit effort=\"3\" velocity=\"2\"";
    let joints = [
        joint("bare", "continuous", ""),
        joint("fixed", "fixed", "<origin rpy=\"0.1 -0.2 3.1\"/>"),
        joint("no_bounds", "revolute", &format!("{limit}/>")),
        joint("upper_only", "prismatic", &format!("<axis xyz=\"0 3 4\"/>{limit} upper=\"2\"/>")),
        joint("lower_only", "revolute", &format!("<origin xyz=\"1 2 3\"/>{limit} lower=\"-2\"/>")),
        joint("follows", "continuous", "<mimic joint=\"bare\"/>"),
        joint("follows_half", "continuous", "<mimic joint=\"bare\" multiplier=\"0.5\"/>"),
        joint("free", "floating", ""),
        joint("plane", "planar", ""),
    ]
    .concat();
    let shapes = "<collision><geometry><box size=\"1 2 3\"/></geometry></collision>\
                  <collision><geometry><sphere radius=\"0.3\"/></geometry></collision>\
                  <collision><geometry><cylinder radius=\"0.3\" length=\"0.7\"/></geometry></collision>\
                  <collision><geometry><capsule radius=\"0.3\" length=\"0.7\"/></geometry></collision>";
    for version in ["", "version=\"1.0\"", "version=\"1.1\"", "version=\"1.2\"", "version=\"x\""] {
        let text = format!(
            "<robot name=\"r\" {version}><link name=\"root\">{shapes}</link>{joints}</robot>"
        );
        let model = parse_urdf(&text, "r.urdf", &LoadOptions::default()).unwrap().model;
        let compared = assert_same(&model, &urdf_rs::read_from_string(&text).unwrap());
        assert_eq!(compared, 4, "{version}");
    }
}

#[test]
fn a_quaternion_turns_as_in_urdf_rs() {
    for version in ["1.0", "1.1", "1.2"] {
        let text = format!(
            "<robot name=\"r\" version=\"{version}\"><link name=\"a\"/><link name=\"b\"/>\
             <joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>\
             <origin quat_xyzw=\"0.5 -0.5 0.1 0.7\"/></joint></robot>"
        );
        let model = parse_urdf(&text, "r.urdf", &LoadOptions::default()).unwrap().model;
        // It goes through three angles there: four inverse functions more, each right to an ulp.
        let theirs = urdf_rs::read_from_string(&text).unwrap().joints[0].origin.rpy.0;
        let theirs = UnitQuaternion::from_euler_angles(theirs[0], theirs[1], theirs[2]);
        let ours = model.joints()[0].origin.rotation.coords;
        let (same, opposite) = ((ours - theirs.coords).norm(), (ours + theirs.coords).norm());
        assert!(same.min(opposite) <= 2.0 * ROTATION_ROUNDING, "{version}: {same} {opposite}");
    }
}
