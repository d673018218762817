//! The robots of the experiments: a snake of superellipsoids, and Franka's Panda with the surfaces of `config/fitted`.

use crate::robot::srdf::Srdf;
use crate::robot::{LoadOptions, Sidecar, parse_urdf};
use crate::scene::PlanningScene;
use std::sync::Arc;

/// Surfaces that contain the meshes of the Panda.
const PANDA_SURFACES: &str = include_str!("../../../../config/fitted/panda.yaml");

/// Joints of the snake, as in seed 002.
const SNAKE_JOINTS: usize = 15;

/// Origin (rpy, xyz) and limits of the Panda's joints, from the data sheet of Franka Emika: modified Denavit–Hartenberg
/// parameters d₁ = 0.333, d₃ = 0.316, a₄ = 0.0825, a₅ = −0.0825, d₅ = 0.384, a₇ = 0.088 m.
const PANDA_JOINTS: [(f64, [f64; 3], [f64; 2]); 7] = [
    (0.0, [0.0, 0.0, 0.333], [-2.8973, 2.8973]),
    (-1.0, [0.0, 0.0, 0.0], [-1.7628, 1.7628]),
    (1.0, [0.0, -0.316, 0.0], [-2.8973, 2.8973]),
    (1.0, [0.0825, 0.0, 0.0], [-3.0718, -0.0698]),
    (-1.0, [-0.0825, 0.384, 0.0], [-2.8973, 2.8973]),
    (1.0, [0.0, 0.0, 0.0], [-0.0175, 3.7525]),
    (1.0, [0.088, 0.0, 0.0], [-2.8973, 2.8973]),
];

/// Links of the Panda that cannot touch, or touch always, beside neighbours: from SRDF files of the robot.
const PANDA_FREE_PAIRS: [(&str, &str); 14] = [
    ("link0", "link2"),
    ("link0", "link3"),
    ("link0", "link4"),
    ("link1", "link3"),
    ("link1", "link4"),
    ("link2", "link4"),
    ("link2", "link6"),
    ("link3", "link5"),
    ("link3", "link6"),
    ("link3", "link7"),
    ("link4", "link6"),
    ("link4", "link7"),
    ("link6", "hand"),
    ("link7", "hand"),
];

/// A scene of one robot, described by files that are part of the program.
fn scene(urdf: &str, srdf: &str, sidecar: Option<String>) -> PlanningScene {
    let sidecar = sidecar.map(|text| Sidecar::Text { label: "surfaces".into(), text });
    let options = LoadOptions { sidecar, ..LoadOptions::default() };
    let model = parse_urdf(urdf, "experiment", &options).expect("a valid description").model;
    let parsed = Srdf::parse(srdf, "experiment").expect("valid semantics");
    let (semantics, _) = parsed.resolve(&model).expect("semantics of this robot");
    PlanningScene::new(Arc::new(model), Some(semantics)).expect("a valid scene")
}

/// Fifteen links of 12 cm, joints about z and y in turn.
pub(super) fn snake() -> PlanningScene {
    let mut urdf =
        r#"<robot name="snake" xmlns:scs="urn:smooth-scene:scs:1"><link name="base"/>"#.to_owned();
    let mut srdf = r#"<robot name="snake">"#.to_owned();
    for k in 0..SNAKE_JOINTS {
        let parent = if k == 0 { "base".to_owned() } else { format!("link{}", k - 1) };
        let (axis, x) =
            (if k % 2 == 0 { "0 0 1" } else { "0 1 0" }, if k == 0 { 0.0 } else { 0.12 });
        urdf += &format!(
            r#"<link name="link{k}"><collision><origin xyz="0.06 0 0"/><geometry><box size="0.12 0.06 0.06"/></geometry>
            <scs:superellipsoid radii="0.058 0.028 0.028" exponent_xy="0.6" exponent_z="0.8"/></collision></link>
            <joint name="joint{k}" type="revolute"><parent link="{parent}"/><child link="link{k}"/>
            <origin xyz="{x} 0 0"/><axis xyz="{axis}"/>
            <limit lower="-1.3" upper="1.3" effort="1" velocity="2"/></joint>"#
        );
        if k > 0 {
            srdf += &format!(
                r#"<disable_collisions link1="{parent}" link2="link{k}" reason="Adjacent"/>"#
            );
        }
    }
    scene(&(urdf + "</robot>"), &(srdf + "</robot>"), None)
}

/// The links and joints of a Panda whose names begin with `prefix`, mounted at this place of `world`.
fn panda_parts(prefix: &str, at: [f64; 3], turn: f64) -> [String; 3] {
    let [x, y, z] = at;
    let mut urdf = format!(
        r#"<link name="{prefix}link0"/><joint name="{prefix}mount" type="fixed"><parent link="world"/>
        <child link="{prefix}link0"/><origin xyz="{x} {y} {z}" rpy="0 0 {turn}"/></joint>"#
    );
    let mut srdf = String::new();
    let mut may_touch = |a: &str, b: &str| {
        srdf += &format!(
            r#"<disable_collisions link1="{prefix}{a}" link2="{prefix}{b}" reason="Never"/>"#
        );
    };
    for (k, (quarter, [x, y, z], [lower, upper])) in PANDA_JOINTS.into_iter().enumerate() {
        let roll = quarter * std::f64::consts::FRAC_PI_2;
        let (parent, child) = (format!("link{k}"), format!("link{}", k + 1));
        urdf += &format!(
            r#"<link name="{prefix}{child}"/><joint name="{prefix}joint{}" type="revolute">
            <parent link="{prefix}{parent}"/><child link="{prefix}{child}"/>
            <origin xyz="{x} {y} {z}" rpy="{roll} 0 0"/><axis xyz="0 0 1"/>
            <limit lower="{lower}" upper="{upper}" effort="12" velocity="2.3925"/></joint>"#,
            k + 1
        );
        may_touch(&parent, &child);
    }
    PANDA_FREE_PAIRS.iter().for_each(|(a, b)| may_touch(a, b));
    urdf += &format!(
        r#"<link name="{prefix}hand"/><joint name="{prefix}hand_joint" type="fixed">
        <parent link="{prefix}link7"/><child link="{prefix}hand"/>
        <origin xyz="0 0 0.107" rpy="0 0 -0.785398163397"/></joint>"#
    );
    [urdf, srdf, PANDA_SURFACES.replace("\"panda_", &format!("\"{prefix}"))]
}

/// Pandas side by side, each with a prefix of its own, a place and an angle about the vertical.
pub(super) fn pandas(mounts: &[(&str, [f64; 3], f64)]) -> PlanningScene {
    let mut files = [
        r#"<robot name="pandas"><link name="world"/>"#.to_owned(),
        r#"<robot name="pandas">"#.to_owned(),
        String::new(),
    ];
    for &(prefix, at, turn) in mounts {
        for (file, part) in files.iter_mut().zip(panda_parts(prefix, at, turn)) {
            *file += &part;
        }
    }
    let [urdf, srdf, surfaces] = files;
    scene(&(urdf + "</robot>"), &(srdf + "</robot>"), Some(surfaces))
}
