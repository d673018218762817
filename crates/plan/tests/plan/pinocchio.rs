//! States for the pose of a link beside those that Pinocchio finds, for the Panda with fitted surfaces. Behind the feature
//! `external-tests`; needs what `tests/robots/install.sh` installs.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};
use smooth_scene_geometry::math::Pose;
use smooth_scene_plan::{JointSpace, PlanError, PoseGoal, SceneChecker, state_for_pose};
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{
    LoadOptions, MeshPolicy, Sidecar, StateSampler, forward_kinematics, load_urdf,
};
use smooth_scene_scene::{CheckRequest, PlanningScene, ProposalOptions, Workspace, propose};
use smooth_scene_test_support::random::seed;
use smooth_scene_test_support::robots_venv::{fitted_robots, start_script};

/// Poses of the hand, each of a random state, which may be in collision itself.
const POSES: u32 = 60;
/// Random starts of both for a pose.
const STARTS: u32 = 30;
const LINK: &str = "panda_hand";

/// The Panda before a box. Neighbours, and links that nearly always touch, may touch.
fn panda() -> (PlanningScene, String) {
    let robot = fitted_robots().into_iter().find(|robot| robot.name == "panda").unwrap();
    let options = LoadOptions {
        meshes: MeshPolicy::Skip,
        sidecar: Some(Sidecar::File(robot.sidecar)),
        ..LoadOptions::default()
    };
    let model = Arc::new(load_urdf(&robot.urdf, &options).unwrap().model);
    let sampled = ProposalOptions { samples: 1000, ..ProposalOptions::default() };
    let proposal = propose(&model, &sampled, |_| {}, &AtomicBool::new(false)).unwrap();
    let text = format!(r#"<robot name="{}"/>"#, model.name());
    let mut srdf = Srdf::parse(&text, "test.srdf").unwrap();
    proposal.write_into(&model, &mut srdf);
    let semantics = srdf.resolve(&model).unwrap().0;
    let mut scene = PlanningScene::new(model, Some(semantics)).unwrap();
    crate::scenes::add_box(&mut scene, "box", [0.5, 0.0, 0.25], [0.3, 0.8, 0.5]);
    (scene, robot.urdf.display().to_string())
}

#[test]
fn poses_for_which_pinocchio_finds_a_free_state_are_reached() {
    let (scene, urdf) = panda();
    let model = scene.model();
    let base = vec![0.0; model.position_count()];
    let space = JointSpace::new(&scene, None, &base).unwrap();
    let link = model.link_id(LINK).unwrap();
    let mut sampler = StateSampler::new(model, seed(9));
    let mut checker = SceneChecker::new(&scene).unwrap();
    let mut ours = Vec::new();
    let mut poses = Vec::new();
    for _ in 0..POSES {
        let pose = forward_kinematics(model, &sampler.draw()).unwrap()[link];
        let goal = PoseGoal { link: LINK.into(), pose, starts: STARTS, seed: 3 };
        let found = state_for_pose(&scene, None, &base, &goal, &mut checker, &|| false);
        let numbers = found.as_ref().ok().map(|state| space.point(state));
        poses.push(request(&pose, numbers));
        ours.push(found);
    }
    let joints: Vec<&str> = space.names().collect();
    let request = json!({"urdf": urdf, "link": LINK, "joints": joints, "starts": STARTS, "seed": 5, "poses": poses});
    let mut child = start_script("pinocchio_ik.py", &[]);
    write!(child.stdin.take().unwrap(), "{request}").unwrap();
    let output = child.wait_with_output().unwrap();
    let answers: Vec<Value> = serde_json::from_slice(&output.stdout).expect("Pinocchio answers");

    let (mut workspace, mut worst) = (Workspace::cold(), 0f64);
    let (mut we, mut they, mut reached) = (0, 0, 0);
    for (found, answer) in ours.iter().zip(&answers) {
        let solutions: Vec<Vec<f64>> = serde_json::from_value(answer["solutions"].clone()).unwrap();
        let mut is_free = |numbers: &Vec<f64>| {
            let state = space.positions(numbers);
            !scene.in_collision(&state, &CheckRequest::default(), &mut workspace).unwrap()
        };
        let free = solutions.iter().filter(|numbers| is_free(numbers)).count();
        reached += u32::from(!solutions.is_empty());
        they += u32::from(free > 0);
        match found {
            Ok(_) => {
                we += 1;
                worst = worst.max(answer["error"].as_f64().unwrap());
            }
            Err(error) => {
                assert!(free == 0, "{error}; Pinocchio has {free} free states");
                // Every pose is that of a state.
                assert!(matches!(error, PlanError::PoseInCollision { .. }), "{error}");
            }
        }
    }
    println!(
        "{POSES} poses: free states found for {we}, by Pinocchio for {they} ({reached} reached)"
    );
    assert!(worst < 1e-7, "{worst}");
    assert!(we >= they && they > 0 && we < POSES);
}

/// A pose for the script.
fn request(pose: &Pose, ours: Option<Vec<f64>>) -> Value {
    let rotation = pose.rotation.to_rotation_matrix().into_inner().transpose();
    let rotation: Vec<f64> = rotation.iter().copied().collect();
    let at = pose.translation.vector;
    json!({"rotation": rotation, "translation": [at.x, at.y, at.z], "ours": ours})
}
