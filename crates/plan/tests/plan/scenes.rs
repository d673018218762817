//! Robots and worlds to plan in.

use std::sync::Arc;

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{LoadOptions, parse_urdf};
use smooth_scene_scene::{MatrixChange, PlanningScene, SceneChange, SceneObject, WorldChange};

/// A scene of a robot alone.
pub fn robot(urdf: &str, srdf: Option<&str>) -> PlanningScene {
    let model = parse_urdf(urdf, "test.urdf", &LoadOptions::default()).unwrap().model;
    let semantics = srdf.map(|text| {
        let (semantics, warnings) =
            Srdf::parse(text, "test.srdf").unwrap().resolve(&model).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        semantics
    });
    PlanningScene::new(Arc::new(model), semantics).unwrap()
}

/// Adds a box given by its middle and its full edges.
pub fn add_box(scene: &mut PlanningScene, name: &str, at: [f64; 3], size: [f64; 3]) {
    add(scene, name, at, Shape::cuboid(size.map(|edge| 0.5 * edge)).unwrap());
}

pub fn add(scene: &mut PlanningScene, name: &str, at: [f64; 3], shape: Shape) {
    let pose = Pose::translation(at[0], at[1], at[2]);
    let object = SceneObject::simple(name, pose, shape).unwrap();
    scene.apply(SceneChange::World(WorldChange::Add(object))).unwrap();
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, xyz: &str, axis: &str) -> String {
    let limit = match kind {
        "continuous" => r#"<limit effort="1" velocity="2"/>"#,
        _ => r#"<limit lower="-2.9" upper="2.9" effort="1" velocity="2"/>"#,
    };
    format!(
        r#"<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
        <origin xyz="{xyz}"/><axis xyz="{axis}"/>{limit}</joint>"#
    )
}

fn link(name: &str, xyz: &str, surface: &str) -> String {
    format!(
        r#"<link name="{name}"><collision><origin xyz="{xyz}"/>
        <geometry><box size="1 1 1"/></geometry>{surface}</collision></link>"#
    )
}

/// Links along x that turn about z: a plane arm of `count` links, 0.3 m each. The first joint is of the given kind.
pub fn plane_arm(count: usize, first: &str) -> PlanningScene {
    plane_arm_of(count, first, "0.13 0.02 0.03")
}

/// The same with other radii of its links.
pub fn plane_arm_of(count: usize, first: &str, radii: &str) -> PlanningScene {
    let mut urdf =
        r#"<robot name="plane_arm" xmlns:scs="urn:smooth-scene:scs:1"><link name="base"/>"#
            .to_owned();
    for k in 0..count {
        let surface =
            format!(r#"<scs:superellipsoid radii="{radii}" exponent_xy="0.5" exponent_z="1"/>"#);
        urdf += &link(&format!("link{k}"), "0.15 0 0", &surface);
        let parent = if k == 0 { "base".to_owned() } else { format!("link{}", k - 1) };
        let (kind, xyz) = if k == 0 { (first, "0 0 0") } else { ("revolute", "0.3 0 0") };
        urdf += &joint(&format!("joint{k}"), kind, &parent, &format!("link{k}"), xyz, "0 0 1");
    }
    robot(&(urdf + "</robot>"), None)
}

/// Seven joints with axes in turn, about 1.2 m long, and a hand of two fingers of which one follows the other.
pub fn seven_joints() -> PlanningScene {
    let mut urdf = r#"<robot name="arm" xmlns:scs="urn:smooth-scene:scs:1">"#.to_owned();
    urdf += &link("base", "0 0 0.05", r#"<scs:capsule radius="0.07" length="0.02"/>"#);
    for k in 0..7 {
        let parent = if k == 0 { "base".to_owned() } else { format!("link{}", k - 1) };
        let axis = if k % 2 == 0 { "0 0 1" } else { "0 1 0" };
        let xyz = if k == 0 { "0 0 0.15" } else { "0 0 0.16" };
        let surface = match k % 3 {
            0 => {
                r#"<scs:superovoid radii="0.05 0.05 0.09" exponent_xy="1" exponent_z="0.8" taper="0.1 0.1"/>"#
            }
            1 => {
                r#"<scs:superellipsoid radii="0.045 0.05 0.08" exponent_xy="0.5" exponent_z="0.5"/>"#
            }
            _ => r#"<scs:capsule radius="0.045" length="0.08"/>"#,
        };
        urdf += &link(&format!("link{k}"), "0 0 0.08", surface);
        urdf += &joint(&format!("joint{k}"), "revolute", &parent, &format!("link{k}"), xyz, axis);
    }
    for (finger, sign) in [("left", 1), ("right", -1)] {
        urdf += &link(finger, "0 0 0.03", r#"<scs:ellipsoid radii="0.01 0.01 0.04"/>"#);
        let mimic = if sign < 0 { r#"<mimic joint="slide_left"/>"# } else { "" };
        urdf += &format!(
            r#"<joint name="slide_{finger}" type="prismatic"><parent link="link6"/><child link="{finger}"/>
            <origin xyz="0 {} 0.19"/><axis xyz="0 {sign} 0"/>
            <limit lower="0" upper="0.03" effort="1" velocity="0.1"/>{mimic}</joint>"#,
            f64::from(sign) * 0.015,
        );
    }
    let srdf = r#"<robot name="arm"><group name="arm"><chain base_link="base" tip_link="link6"/></group>
        <group name="hand"><joint name="slide_left"/></group></robot>"#;
    let mut scene = robot(&(urdf + "</robot>"), Some(srdf));
    scene.apply(SceneChange::Matrix(MatrixChange::Replace(adjacent_and_fingers(&scene)))).unwrap();
    scene
}

fn adjacent_and_fingers(scene: &PlanningScene) -> smooth_scene_scene::AllowedCollisionMatrix {
    use smooth_scene_scene::{Allowance, AllowedCollisionMatrix, Reason};
    let mut matrix = AllowedCollisionMatrix::adjacent(scene.model());
    matrix.set("left", "right", Some(Allowance::allow(Reason::from_srdf(Some("fingers")))));
    matrix
}

/// The arm of seven joints beside a shelf of three boards, with a post in front of it.
pub fn shelf() -> PlanningScene {
    let mut scene = seven_joints();
    add_box(&mut scene, "floor", [0.0, 0.0, -0.3], [3.0, 3.0, 0.1]);
    for (name, z) in [("low", 0.25), ("middle", 0.75), ("high", 1.25)] {
        add_box(&mut scene, name, [0.85, 0.0, z], [0.3, 1.2, 0.02]);
    }
    add_box(&mut scene, "back", [1.0, 0.0, 0.75], [0.02, 1.2, 1.0]);
    add(&mut scene, "post", [0.55, 0.45, 0.6], Shape::cylinder(0.04, 0.6).unwrap());
    scene
}

/// Whether all states along a path, this far apart, are free.
pub fn is_densely_free(scene: &PlanningScene, waypoints: &[Vec<f64>], step: f64) -> bool {
    use smooth_scene_scene::{CheckRequest, Workspace};
    let mut ws = Workspace::cold();
    let mut free = true;
    for_each_state(scene, waypoints, step, |state| {
        free &= !scene.in_collision(state, &CheckRequest::default(), &mut ws).unwrap();
    });
    free
}

/// Visits states along a path, at most this far apart in every number.
pub fn for_each_state(
    scene: &PlanningScene,
    waypoints: &[Vec<f64>],
    step: f64,
    mut visit: impl FnMut(&[f64]),
) {
    for ends in waypoints.windows(2) {
        let changes = ends[0].iter().zip(&ends[1]).map(|(a, b)| (b - a).abs());
        let count = (changes.fold(0.0, f64::max) / step).ceil().max(1.0) as usize;
        for k in 0..=count {
            let t = k as f64 / count as f64;
            visit(&smooth_scene_robot::interpolate(scene.model(), &ends[0], &ends[1], t).unwrap());
        }
    }
}

/// A free state of the arm with seven joints among those of a random sequence; the fingers stay where they are.
pub fn free_state(
    scene: &PlanningScene,
    sampler: &mut smooth_scene_robot::StateSampler,
) -> Vec<f64> {
    use smooth_scene_scene::{CheckRequest, Workspace};
    let mut ws = Workspace::cold();
    loop {
        let mut state = sampler.draw();
        *state.last_mut().unwrap() = 0.01;
        if !scene.in_collision(&state, &CheckRequest::default(), &mut ws).unwrap() {
            return state;
        }
    }
}
