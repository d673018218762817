//! Requests of random content: nothing panics, and nothing that cannot be answered looks free.

use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use smooth_scene::cdr;
use smooth_scene::convert::Refusal;
use smooth_scene::interfaces::srv::{
    CheckMotionResponse, CheckStatesResponse, GetDistanceRequest, GetDistanceResponse,
};
use smooth_scene::node::services::{
    ApplyPlanningScene, ApplyScene, CheckMotion, CheckMultiStateValidity, CheckStateValidity,
    CheckStates, GetDistance, GetPlanningScene, GetScene, ServiceVisitor, for_each_service,
};
use smooth_scene::node::topics::{on_attached_collision_object, on_collision_object};
use smooth_scene::node::{Endpoint, Request, Service};
use smooth_scene::scene::{PlanningScene, Snapshot};
use smooth_scene_test_support::random::properties;

use super::bench::{Bench, open_arm};

/// Values a request may hold: names that exist and names that do not, numbers of all kinds.
fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "",
        "base",
        "hand",
        "left",
        "grip",
        "elbow",
        "shoulder",
        "grip_right",
        "wrist",
        "arm",
        "gripper",
        "box",
        "tool",
        "box/top",
        "world",
        "<octomap>",
        "nowhere",
        "ü\n",
    ])
    .prop_map(str::to_string)
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -2.0..2.0f64,
        2 => prop::sample::select(vec![0.0, -0.0, 1.0, 0.03, 0.004, 1e-300, 1e300, f64::MAX, f64::MIN, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
    ]
}

fn count() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 0usize..4, 1 => 4usize..40]
}

/// Bytes of a request as a tape: each field takes what it needs.
fn tape() -> impl Strategy<Value = (Vec<String>, Vec<f64>, Vec<usize>, Vec<u8>)> {
    (
        prop::collection::vec(name(), 40),
        prop::collection::vec(number(), 200),
        prop::collection::vec(count(), 40),
        prop::collection::vec(any::<u8>(), 400),
    )
}

struct Tape {
    names: Vec<String>,
    numbers: Vec<f64>,
    counts: Vec<usize>,
    bytes: Vec<u8>,
    at: [usize; 4],
}

impl Tape {
    fn new((names, numbers, counts, bytes): (Vec<String>, Vec<f64>, Vec<usize>, Vec<u8>)) -> Self {
        Self { names, numbers, counts, bytes, at: [0; 4] }
    }
    fn name(&mut self) -> String {
        self.at[0] += 1;
        self.names[self.at[0] % self.names.len()].clone()
    }
    fn number(&mut self) -> f64 {
        self.at[1] += 1;
        self.numbers[self.at[1] % self.numbers.len()]
    }
    fn count(&mut self) -> usize {
        self.at[2] += 1;
        self.counts[self.at[2] % self.counts.len()]
    }
    fn byte(&mut self) -> u8 {
        self.at[3] += 1;
        self.bytes[self.at[3] % self.bytes.len()]
    }
    fn coin(&mut self) -> bool {
        self.byte() > 127
    }
    fn names(&mut self) -> Vec<String> {
        (0..self.count()).map(|_| self.name()).collect()
    }
    fn numbers(&mut self) -> Vec<f64> {
        (0..self.count()).map(|_| self.number()).collect()
    }
}

mod make {
    use super::Tape;
    use crate::random_message::random_message;
    use smooth_scene::cdr::encode;
    use smooth_scene::interfaces::Message;
    use smooth_scene::interfaces::geometry_msgs::msg::{Point, Pose, Quaternion};
    use smooth_scene::interfaces::moveit_msgs::msg as moveit;
    use smooth_scene::interfaces::moveit_msgs::srv::{
        ApplyPlanningSceneRequest, GetMultiStateValidityRequest, GetStateValidityRequest,
    };
    use smooth_scene::interfaces::msg::{SceneChange, SceneObject, Surface};
    use smooth_scene::interfaces::sensor_msgs::msg::JointState;
    use smooth_scene::interfaces::shape_msgs::msg::{Mesh, Plane, SolidPrimitive};
    use smooth_scene::interfaces::srv::*;
    use smooth_scene::interfaces::trajectory_msgs::msg::JointTrajectoryPoint;

    pub fn joint_state(t: &mut Tape) -> JointState {
        JointState { name: t.names(), position: t.numbers(), ..JointState::default() }
    }
    pub fn pose(t: &mut Tape) -> Pose {
        let plain = t.byte() > 63;
        let position = Point { x: t.number(), y: t.number(), z: t.number() };
        let orientation = if plain {
            Quaternion::default()
        } else {
            Quaternion { x: t.number(), y: t.number(), z: t.number(), w: t.number() }
        };
        Pose { position, orientation }
    }
    pub fn get_distance(t: &mut Tape) -> GetDistanceRequest {
        GetDistanceRequest {
            joint_state: joint_state(t),
            bodies_a: t.names(),
            bodies_b: t.names(),
            max_distance: t.number(),
            max_results: u32::from(t.byte()),
            gradient: t.coin(),
            certify: false,
        }
    }
    pub fn query_points(t: &mut Tape) -> QueryPointsRequest {
        QueryPointsRequest {
            points: (0..t.count()).map(|_| pose(t).position).collect(),
            joint_state: joint_state(t),
            bodies: t.names(),
            max_distance: t.number(),
            ..QueryPointsRequest::default()
        }
    }
    pub fn check_states(t: &mut Tape) -> CheckStatesRequest {
        CheckStatesRequest {
            joint_names: t.names(),
            positions: t.numbers(),
            bodies_a: t.names(),
            bodies_b: t.names(),
            max_contacts: u32::from(t.byte()),
        }
    }
    pub fn grasp_quality(t: &mut Tape) -> GraspQualityRequest {
        GraspQualityRequest {
            hand: t.names(),
            object: t.name(),
            joint_names: t.names(),
            positions: t.numbers(),
            object_poses: (0..t.count() % 3).map(|_| pose(t)).collect(),
            margin: t.number(),
            friction: t.number(),
            edges: 8 + u32::from(t.byte() % 60),
            contacts: t.coin(),
            gradient: t.coin(),
            ..GraspQualityRequest::default()
        }
    }
    pub fn check_motion(t: &mut Tape) -> CheckMotionRequest {
        let mut request = CheckMotionRequest {
            bodies_a: t.names(),
            bodies_b: t.names(),
            start_at_current_state: t.coin(),
            ..CheckMotionRequest::default()
        };
        request.trajectory.joint_names = t.names();
        for _ in 0..t.count() {
            let mut point =
                JointTrajectoryPoint { positions: t.numbers(), ..JointTrajectoryPoint::default() };
            point.time_from_start.sec = i32::from(t.byte()) - 100;
            request.trajectory.points.push(point);
        }
        request
    }
    pub fn plan_motion(t: &mut Tape) -> PlanMotionRequest {
        let mut request = PlanMotionRequest {
            group: t.name(),
            start: joint_state(t),
            goal: joint_state(t),
            margin: t.number(),
            clearance: t.number(),
            max_states: u64::from(t.byte()),
            allowed_time: 1.0,
            max_velocity_scaling: t.number(),
            max_acceleration: t.number(),
            blend: t.number(),
            ..PlanMotionRequest::default()
        };
        if t.coin() {
            request.goal = JointState::default();
            (request.goal_link, request.goal_pose.pose) = (t.name(), pose(t));
        }
        request
    }
    pub fn apply_scene(t: &mut Tape) -> ApplySceneRequest {
        let surface = |t: &mut Tape| Surface {
            kind: t.byte() % 13,
            dimensions: t.numbers(),
            exponent_xy: t.number(),
            exponent_z: t.number(),
            taper: [t.number(), t.number()],
            vertices: (0..t.count()).map(|_| pose(t).position).collect(),
            padding: t.number().abs() * 0.1,
            pose: pose(t),
        };
        let object = |t: &mut Tape| SceneObject {
            id: t.name(),
            pose: pose(t),
            surfaces: (0..t.count()).map(|_| surface(t)).collect(),
            link: t.name(),
            touch_links: t.names(),
            subframe_names: t.names(),
            ..SceneObject::default()
        };
        let change = |t: &mut Tape| SceneChange {
            operation: t.byte() % 16,
            object: object(t),
            name_a: t.name(),
            name_b: t.name(),
            padding: t.number(),
            self_padding: t.number(),
            scale: t.number(),
            margin: t.number(),
        };
        ApplySceneRequest { changes: (0..t.count()).map(|_| change(t)).collect() }
    }
    pub fn collision_object(t: &mut Tape) -> moveit::CollisionObject {
        let mut object = moveit::CollisionObject {
            id: t.name(),
            pose: pose(t),
            operation: t.byte() % 5,
            ..moveit::CollisionObject::default()
        };
        object.header.frame_id = t.name();
        object.primitives = (0..t.count())
            .map(|_| SolidPrimitive {
                type_: t.byte() % 7,
                dimensions: t.numbers(),
                ..SolidPrimitive::default()
            })
            .collect();
        object.primitive_poses = (0..t.count()).map(|_| pose(t)).collect();
        object.meshes = (0..t.count() % 3)
            .map(|_| Mesh {
                vertices: (0..t.count()).map(|_| pose(t).position).collect(),
                ..Mesh::default()
            })
            .collect();
        object.planes = (0..t.count() % 3)
            .map(|_| Plane { coef: [t.number(), t.number(), t.number(), t.number()] })
            .collect();
        (object.subframe_names, object.subframe_poses) =
            (t.names(), (0..t.count()).map(|_| pose(t)).collect());
        object
    }
    pub fn attached(t: &mut Tape) -> moveit::AttachedCollisionObject {
        moveit::AttachedCollisionObject {
            link_name: t.name(),
            object: collision_object(t),
            touch_links: t.names(),
            ..moveit::AttachedCollisionObject::default()
        }
    }
    pub fn robot_state(t: &mut Tape) -> moveit::RobotState {
        let mut state = moveit::RobotState {
            joint_state: joint_state(t),
            is_diff: t.coin(),
            ..moveit::RobotState::default()
        };
        if t.coin() {
            state.multi_dof_joint_state.joint_names = t.names();
        }
        state.attached_collision_objects = (0..t.count() % 3).map(|_| attached(t)).collect();
        state
    }
    pub fn scene(t: &mut Tape) -> moveit::PlanningScene {
        let mut scene = moveit::PlanningScene {
            robot_state: robot_state(t),
            is_diff: t.coin(),
            ..moveit::PlanningScene::default()
        };
        scene.allowed_collision_matrix.entry_names = t.names();
        scene.allowed_collision_matrix.entry_values = (0..t.count())
            .map(|_| moveit::AllowedCollisionEntry {
                enabled: (0..t.count()).map(|_| t.coin()).collect(),
            })
            .collect();
        scene.link_padding = (0..t.count())
            .map(|_| moveit::LinkPadding { link_name: t.name(), padding: t.number() })
            .collect();
        scene.world.collision_objects = (0..t.count()).map(|_| collision_object(t)).collect();
        scene
    }
    pub fn validity(t: &mut Tape) -> GetStateValidityRequest {
        let mut request = GetStateValidityRequest {
            robot_state: robot_state(t),
            group_name: t.name(),
            ..GetStateValidityRequest::default()
        };
        for _ in 0..t.count() % 3 {
            request.constraints.joint_constraints.push(moveit::JointConstraint {
                joint_name: t.name(),
                position: t.number(),
                tolerance_above: t.number(),
                tolerance_below: t.number(),
                weight: t.number(),
            });
            let mut position = moveit::PositionConstraint {
                link_name: t.name(),
                weight: t.number(),
                ..moveit::PositionConstraint::default()
            };
            position.constraint_region.primitives = vec![SolidPrimitive {
                type_: t.byte() % 7,
                dimensions: t.numbers(),
                ..SolidPrimitive::default()
            }];
            request.constraints.position_constraints.push(position);
            request.constraints.orientation_constraints.push(moveit::OrientationConstraint {
                link_name: t.name(),
                absolute_x_axis_tolerance: t.number(),
                absolute_y_axis_tolerance: t.number(),
                absolute_z_axis_tolerance: t.number(),
                parameterization: t.byte() % 3,
                weight: t.number(),
                ..moveit::OrientationConstraint::default()
            });
        }
        request
    }
    /// The bytes of a random request of a service type: of names and numbers that mean something where that is said here.
    pub fn request<M: Message>(t: &mut Tape) -> Vec<u8> {
        match M::TYPE_NAME.trim_end_matches("_Request") {
            "smooth_scene/srv/GetDistance" => encode(&get_distance(t)),
            "smooth_scene/srv/GraspQuality" => encode(&grasp_quality(t)),
            "smooth_scene/srv/QueryPoints" => encode(&query_points(t)),
            "smooth_scene/srv/CheckStates" => encode(&check_states(t)),
            "smooth_scene/srv/CheckMotion" => encode(&check_motion(t)),
            "smooth_scene/srv/PlanMotion" => encode(&plan_motion(t)),
            "smooth_scene/srv/ApplyScene" => encode(&apply_scene(t)),
            "moveit_msgs/srv/GetStateValidity" => encode(&validity(t)),
            "moveit_msgs/srv/GetMultiStateValidity" => encode(&multi(t)),
            "moveit_msgs/srv/ApplyPlanningScene" => {
                encode(&ApplyPlanningSceneRequest { scene: scene(t) })
            }
            _ => encode(&random_message::<M>(u64::from(t.byte()))),
        }
    }
    pub fn multi(t: &mut Tape) -> GetMultiStateValidityRequest {
        let mut request = GetMultiStateValidityRequest {
            robot_state: robot_state(t),
            ..GetMultiStateValidityRequest::default()
        };
        request.joint_states = (0..t.count()).map(|_| joint_state(t)).collect();
        request
    }
}

/// The robot and the joints are known, or one of them is not.
fn benches() -> [Bench; 3] {
    [Bench::arm(), Bench::with(super::bench::arm()), Bench::empty()]
}

/// A joint state in which a value is no number, so that no answer can be right.
fn is_nonsense(positions: &[f64]) -> bool {
    positions.iter().any(|x| !x.is_finite())
}

proptest! {
    #![proptest_config(properties(400, 1))]

    #[test]
    fn random_requests_are_answered_or_refused(tape in tape()) {
        for mut bench in benches() {
            let known = bench.store.snapshot().is_ok();
            let mut t = Tape::new(tape.clone());
            let asked = make::get_distance(&mut t);
            let nonsense = is_nonsense(&asked.joint_state.position) || asked.joint_state.name.len() != asked.joint_state.position.len();
            let answer = bench.ask(&GetDistance, asked);
            prop_assert_eq!(answer.status == GetDistanceResponse::OK, answer.message.is_empty());
            prop_assert!((!nonsense && known) || (answer.status != GetDistanceResponse::OK && answer.proximities.is_empty()));

            let asked = make::check_states(&mut t);
            let nonsense = is_nonsense(&asked.positions);
            let answer = bench.ask(&CheckStates, asked);
            prop_assert!(answer.status == CheckStatesResponse::OK || answer.states.is_empty());
            prop_assert!((!nonsense && known) || answer.states.is_empty());

            let asked = make::check_motion(&mut t);
            let nonsense = asked.trajectory.points.iter().any(|p| is_nonsense(&p.positions));
            let answer = bench.ask(&CheckMotion, asked);
            prop_assert_eq!(answer.result == 0, answer.status != CheckMotionResponse::OK);
            prop_assert!((!nonsense && known) || answer.result == 0);

            let asked = make::validity(&mut t);
            let nonsense = is_nonsense(&asked.robot_state.joint_state.position);
            let answer = bench.ask(&CheckStateValidity, asked);
            prop_assert!((!nonsense && known) || !answer.valid);
            let asked = make::multi(&mut t);
            let nonsense = asked.joint_states.iter().any(|s| is_nonsense(&s.position)) || asked.joint_states.is_empty();
            let answer = bench.ask(&CheckMultiStateValidity, asked);
            prop_assert!((!nonsense && known) || !answer.valid);
        }
    }

    #[test]
    fn random_changes_are_made_whole_or_not_at_all(tape in tape()) {
        for mut bench in benches() {
            let mut t = Tape::new(tape.clone());
            for _ in 0..3 {
                let before = scene_of(&bench);
                let answer = bench.ask(&ApplyScene, make::apply_scene(&mut t));
                let after = scene_of(&bench);
                if answer.status != 1 {
                    prop_assert!(before == after && !answer.message.is_empty());
                }
                let scene = make::scene(&mut t);
                let done = bench.ask(&ApplyPlanningScene, smooth_scene::interfaces::moveit_msgs::srv::ApplyPlanningSceneRequest { scene }).success;
                let last = scene_of(&bench);
                prop_assert!(done || after == last);
                let objects = [
                    on_collision_object(&bench.context(), &make::collision_object(&mut t)),
                    on_attached_collision_object(&bench.context(), &make::attached(&mut t)),
                ];
                prop_assert!(check_changes(&bench, last, objects), "a refused object changed the scene");
            }
            // Whatever the scene has become, it can be described and asked about.
            if bench.store.snapshot().is_ok() {
                bench.joints.update(&open_arm(), bench.now).unwrap();
                prop_assert_eq!(bench.ask(&GetScene, Default::default()).status, 1);
                prop_assert!(!bench.ask(&GetPlanningScene, Default::default()).scene.robot_model_name.is_empty());
                let asked = GetDistanceRequest { max_distance: 0.1, ..GetDistanceRequest::default() };
                prop_assert_eq!(bench.ask(&GetDistance, asked).status, 1);
            }
        }
    }

    #[test]
    fn damaged_requests_are_refused_or_answered_alike_twice(
        tape in tape(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        noise in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let mut t = Tape::new(tape);
        for_each_service(&mut Damaged { tape: &mut t, damage: &damage, noise: &noise })?;
    }
}

type State = Option<(PlanningScene, u64)>;

fn scene_of(bench: &Bench) -> State {
    bench.store.snapshot().ok().map(|s| (s.scene.clone(), s.revision))
}

/// Whether the scene is the one before if all changes were refused, and a later one if not. Every refusal has a reason.
fn check_changes(
    bench: &Bench,
    before: State,
    changes: [Result<Arc<Snapshot>, Refusal>; 2],
) -> bool {
    let refused = |change: &Result<_, Refusal>| match change {
        Ok(_) => false,
        Err(refusal) => {
            assert!(!refusal.message.is_empty());
            true
        }
    };
    let (all_refused, after) = (changes.iter().all(refused), scene_of(bench));
    let revision = |state: &State| state.as_ref().map(|(_, revision)| *revision);
    if all_refused { before == after } else { revision(&after) > revision(&before) }
}

/// Sends every service a good request with some bytes changed, and bytes of no meaning.
struct Damaged<'a> {
    tape: &'a mut Tape,
    damage: &'a [(prop::sample::Index, u8)],
    noise: &'a [u8],
}

impl ServiceVisitor for Damaged<'_> {
    type Error = TestCaseError;

    fn visit<S: Service>(
        &mut self,
        endpoint: &'static Endpoint,
        service: S,
    ) -> Result<(), TestCaseError> {
        let mut bytes = make::request::<Request<S>>(self.tape);
        let undamaged = cdr::decode::<Request<S>>(&bytes).map(|request| cdr::encode(&request));
        prop_assert_eq!(
            undamaged,
            Ok(bytes.clone()),
            "{}: what is encoded is decoded",
            endpoint.name
        );
        for (place, byte) in self.damage {
            let place = 4 + place.index(bytes.len() - 4);
            bytes[place] = *byte;
        }
        for bytes in [bytes, [&[0, 1, 0, 0], self.noise].concat()] {
            match (cdr::decode::<Request<S>>(&bytes), cdr::decode::<Request<S>>(&bytes)) {
                (Ok(once), Ok(twice)) => {
                    let (mut bench, mut other) = (Bench::arm(), Bench::arm());
                    let before = scene_of(&bench);
                    let answer = bench.ask(&service, once);
                    // The same request gets the same bits.
                    prop_assert_eq!(cdr::encode(&answer), cdr::encode(&other.ask(&service, twice)));
                    prop_assert!(
                        S::refusal(&answer).is_none() || scene_of(&bench) == before,
                        "{}",
                        endpoint.name
                    );
                    // Whatever was asked, the node still answers.
                    bench.joints.update(&open_arm(), bench.now).unwrap();
                    prop_assert_eq!(bench.ask(&GetScene, Default::default()).status, 1);
                }
                (Err(error), _) => prop_assert!(error.to_string().contains("CDR")),
                (Ok(_), Err(error)) => prop_assert!(false, "decoded once, then {error}"),
            }
        }
        Ok(())
    }
}
