//! The fitted upper body of the iCub: crossing forearms touch, and a body at rest does not.
//!
//! By Coal on the meshes to which the surfaces were fitted, the forearms touch in both crossing states, and at rest only links
//! touch that are neighbours.

use smooth_scene::robot::srdf::Srdf;
use smooth_scene::robot::{LoadOptions, RobotState, load_urdf};
use smooth_scene::scene::{BodyId, CheckRequest, PairLevel, PlanningScene, Workspace};
use smooth_scene_test_support::repository_file;
use std::collections::BTreeSet;
use std::sync::Arc;

fn scene() -> PlanningScene {
    let path = repository_file("urdf/icub_upper_body.urdf");
    let model = Arc::new(load_urdf(path, &LoadOptions::default()).unwrap().model);
    let srdf = Srdf::load(repository_file("urdf/icub_upper_body.srdf")).unwrap();
    let (semantics, warnings) = srdf.resolve(&model).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    PlanningScene::new(model, Some(semantics)).unwrap()
}

/// Pairs of links that touch with these joints, the others at zero.
fn contacts(scene: &PlanningScene, joints: &[(&str, f64)]) -> BTreeSet<[String; 2]> {
    let mut state = RobotState::new(scene.model().clone());
    let (names, values): (Vec<_>, Vec<_>) = joints.iter().copied().unzip();
    state.merge(&names, &values).unwrap();
    assert!(state.limit_breaches().is_empty(), "{:?}", state.limit_breaches());
    let (mut ws, mut found) = (Workspace::cold(), Vec::new());
    let request = CheckRequest::default();
    scene.contacts(state.positions(), &request, PairLevel::Bodies, &mut ws, &mut found).unwrap();
    let name = |body: BodyId| match body {
        BodyId::Link(link) => scene.model().link(link).name.clone(),
        other => panic!("{other:?} is no link"),
    };
    found.iter().map(|pair| [name(pair.body_a), name(pair.body_b)]).collect()
}

/// Pitch, roll and yaw of both shoulders, and the elbows: right, then left.
fn arms(values: [f64; 8]) -> Vec<(&'static str, f64)> {
    let names = [
        "r_shoulder_pitch",
        "r_shoulder_roll",
        "r_shoulder_yaw",
        "r_elbow",
        "l_shoulder_pitch",
        "l_shoulder_roll",
        "l_shoulder_yaw",
        "l_elbow",
    ];
    names.into_iter().zip(values).collect()
}

#[test]
fn the_body_at_rest_is_free() {
    let rest = arms([0.0, 0.4, 0.0, 0.3, 0.0, 0.4, 0.0, 0.3]);
    assert_eq!(contacts(&scene(), &rest), BTreeSet::new());
}

#[test]
fn crossing_forearms_are_reported() {
    let scene = scene();
    for values in [
        [-0.92, 0.28, 1.3, 1.19, -0.85, 0.22, 1.3, 1.49],
        [-1.19, 0.17, 1.06, 1.45, -1.3, 0.03, 1.39, 0.68],
    ] {
        let found = contacts(&scene, &arms(values));
        let forearms = ["r_arm_5", "l_arm_5"].map(String::from);
        assert!(found.contains(&forearms), "{values:?}: {found:?}");
    }
}

#[test]
fn arms_torso_neck_head_and_hands_have_surfaces() {
    let scene = scene();
    let bare: Vec<&str> = scene
        .model()
        .links()
        .iter()
        .filter(|link| link.collisions.is_empty())
        .map(|link| link.name.as_str())
        .collect();
    // Frames without a mesh.
    let frames = ["torso_0", "shoulders", "r_arm_0", "r_thumb_base", "l_arm_0", "l_thumb_base"];
    assert_eq!(bare, frames);
}
