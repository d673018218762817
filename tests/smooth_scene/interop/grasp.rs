//! The two hands in their movement: questions about it, and what the answers have to be.

use std::sync::Arc;

use smooth_scene::convert::Limits;
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::interfaces::srv::{
    CheckStatesRequest, CheckStatesResponse, GetDistanceRequest, GetDistanceResponse,
};
use smooth_scene::node::services::{CheckStates, GetDistance};
use smooth_scene::node::{
    Cancellation, Context, JointMonitor, Request, Response, SecondModel, Service, Simulator,
};
use smooth_scene::query::QueryOptions;
use smooth_scene::robot::srdf::Srdf;
use smooth_scene::robot::{Coupling, RobotState};
use smooth_scene::scene::{PlanningScene, SceneStore, Workspace};
use smooth_scene::transforms::Transforms;

use super::node::file;
use smooth_scene_test_support::movement;

/// The hands and every state of the grasp.
pub struct Grasp {
    store: SceneStore,
    pub states: Vec<JointState>,
}

/// Two answers to the same question may differ by this, m: they come from different warm starts, and each is within
/// the tolerance of a query on bodies of a few centimetres.
const SAME: f64 = 1e-7;

impl Grasp {
    pub fn load() -> Self {
        let model = movement::bundled("icub_hands_mixed.urdf");
        let srdf = std::fs::read_to_string(file("urdf/icub_hands.srdf")).unwrap();
        let (semantics, _) =
            Srdf::parse(&srdf, "icub_hands.srdf").unwrap().resolve(&model).unwrap();
        let scene = PlanningScene::new(Arc::clone(&model), Some(semantics)).unwrap();
        let states = movement::two_hand_grasp(&model).iter().map(message).collect();
        let store = SceneStore::default();
        store.replace_robot(scene);
        Self { store, states }
    }

    /// The nearest pairs of one state; all joints are given, so that the answer is determined.
    pub fn question(&self, state: usize) -> GetDistanceRequest {
        GetDistanceRequest {
            joint_state: self.states[state % self.states.len()].clone(),
            max_distance: 0.05,
            max_results: 10,
            ..GetDistanceRequest::default()
        }
    }

    /// A service asked in this process.
    fn answer<S: Service>(&self, service: &S, request: Request<S>) -> Response<S> {
        let mut context = Context {
            store: &self.store,
            second_model: &SecondModel::default(),
            joints: &JointMonitor::default(),
            transforms: &Transforms::default(),
            now: 0,
            max_state_age: i64::MAX,
            limits: &Limits::default(),
            query: &QueryOptions::default(),
            planning: &Cancellation::default(),
            fitting: &Cancellation::default(),
            simulator: &Simulator::default(),
            workspace: &mut Workspace::default(),
        };
        service.handle(&mut context, request).unwrap()
    }

    /// Many states checked in this process.
    #[allow(dead_code, reason = "the benchmark asks for it")]
    pub fn check_states(&self, request: CheckStatesRequest) -> CheckStatesResponse {
        self.answer(&CheckStates, request)
    }

    /// What is wrong about an answer, compared with the same question asked here.
    pub fn fault(&self, state: usize, answer: &GetDistanceResponse) -> Option<String> {
        let expected = self.answer(&GetDistance, self.question(state));
        if answer.status != GetDistanceResponse::OK {
            return Some(format!("status {}: {}", answer.status, answer.message));
        }
        if answer.proximities.len() != expected.proximities.len() {
            let counts = (answer.proximities.len(), expected.proximities.len());
            return Some(format!("{} pairs, not {}", counts.0, counts.1));
        }
        for (a, b) in answer.proximities.iter().zip(&expected.proximities) {
            let bounds = a.lower <= b.upper + SAME && b.lower <= a.upper + SAME;
            if (a.distance - b.distance).abs() > SAME || !bounds {
                return Some(format!("state {state}: {a:?}\nexpected {b:?}"));
            }
        }
        None
    }
}

/// A state as it is published.
fn message(state: &RobotState) -> JointState {
    let mut message = JointState::default();
    for joint in state.model().joints() {
        let Coupling::Independent { position, .. } = joint.coupling else { continue };
        if joint.kind.position_count() == 1 {
            message.name.push(joint.name.clone());
            message.position.push(state.positions()[position]);
        }
    }
    message
}
