//! Many clients at once on the two hands while joint states stream: nothing is lost, and every answer has the bits that
//! the library gives.

use super::rig::{PATIENCE, Rig, joint_state};
use smooth_scene::cdr;
use smooth_scene::interfaces::srv::{GetDistanceRequest, GetDistanceResponse};
use smooth_scene::robot::{LoadOptions, StateSampler, load_urdf, srdf::Srdf};
use smooth_scene::scene::{NearestRequest, PlanningScene, Workspace};
use smooth_scene::transport::Transport;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const CLIENTS: u64 = 8;
const CALLS: usize = 150;

fn text(file: &str) -> String {
    let path = format!("{}/urdf/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// The hands, without the node.
fn hands() -> PlanningScene {
    let path = format!("{}/urdf/icub_hands_mixed.urdf", env!("CARGO_MANIFEST_DIR"));
    let model = load_urdf(path, &LoadOptions::default()).unwrap().model;
    let srdf = Srdf::parse(&text("icub_hands.srdf"), "icub_hands.srdf").unwrap();
    let model = srdf.with_virtual_joint(&model).unwrap();
    let (semantics, _) = srdf.resolve(&model).unwrap();
    PlanningScene::new(Arc::new(model), Some(semantics)).unwrap()
}

#[test]
fn eight_clients_get_every_answer_and_each_is_right_while_joint_states_stream() {
    let parameter =
        |name: &str, file: &str| format!("{name}:={}", serde_json::to_string(&text(file)).unwrap());
    let rig = Rig::bare(&[
        &parameter("robot_description", "icub_hands_mixed.urdf"),
        &parameter("robot_description_semantic", "icub_hands.srdf"),
    ]);
    let scene = hands();
    let names: Vec<&str> = scene.model().variable_names().iter().map(String::as_str).collect();
    let (done, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let positions = vec![0.0; names.len()];
            while !done.load(Ordering::Relaxed) {
                rig.publish_joints(&names, &positions);
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let clients: Vec<_> = (0..CLIENTS)
            .map(|seed| {
                let (scene, names, rig, answered) = (&scene, &names, &rig, &answered);
                scope.spawn(move || {
                    let client =
                        rig.peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance");
                    let client = client.unwrap();
                    let mut states = StateSampler::new(scene.model(), seed);
                    let mut workspace = Workspace::cold();
                    for _ in 0..CALLS {
                        let positions = states.draw();
                        let request = GetDistanceRequest {
                            joint_state: joint_state(names, &positions),
                            max_distance: 0.05,
                            ..GetDistanceRequest::default()
                        };
                        let answer = client.call(&cdr::encode(&request), PATIENCE).unwrap();
                        let answer: GetDistanceResponse = cdr::decode(&answer).unwrap();
                        assert_eq!(answer.status, GetDistanceResponse::OK, "{}", answer.message);
                        let wanted = NearestRequest { max_distance: 0.05, ..Default::default() };
                        let mut expected = Vec::new();
                        scene.nearest(&positions, &wanted, &mut workspace, &mut expected).unwrap();
                        assert_eq!(answer.proximities.len(), expected.len());
                        for (got, expected) in answer.proximities.iter().zip(&expected) {
                            assert_eq!(
                                got.distance.to_bits(),
                                expected.distance.distance.to_bits()
                            );
                            assert_eq!(got.body_a, scene.body_name(expected.body_a));
                            assert_eq!(got.body_b, scene.body_name(expected.body_b));
                        }
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        // Also after a wrong answer: the scope waits for the stream.
        let ended: Vec<_> = clients.into_iter().map(|client| client.join()).collect();
        done.store(true, Ordering::Relaxed);
        for client in ended {
            client.unwrap();
        }
    });
    assert_eq!(answered.into_inner(), CLIENTS as usize * CALLS);
}
