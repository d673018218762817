//! Every message and service on our wire is encoded byte for byte as PyPI `rosbags` encodes it, has the fields `rosbags`
//! knows by name, order and type, and is read in either byte order. Behind the feature `external-tests`; needs what
//! `tests/robots/install.sh` installs.

use smooth_scene_test_support::hex;
use smooth_scene_test_support::robots_venv;
use std::fmt::Debug;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use smooth_scene::cdr;
use smooth_scene::interfaces::{
    builtin_interfaces, diagnostic_msgs, geometry_msgs, moveit_msgs, msg, rcl_interfaces,
    rosgraph_msgs, sensor_msgs, shape_msgs, srv, std_msgs, tf2_msgs, trajectory_msgs,
    visualization_msgs,
};

mod random_message;
mod schema;

use random_message::random_message;
use schema::schema;

/// Random messages of each type.
const CASES: u64 = 60;

/// The program that knows `rosbags`.
struct Rosbags {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Rosbags {
    fn start() -> Self {
        let mut process = robots_venv::start_python("tests/smooth_scene/wire/compare.py", &[]);
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self { process, input, output }
    }

    fn check<T>(&mut self, name: &str)
    where
        T: Serialize + DeserializeOwned + Default + PartialEq + Debug,
    {
        let mut messages = vec![T::default()];
        messages.extend((0..CASES).map(random_message::<T>));
        let mut cases = Vec::new();
        for message in &messages {
            let bytes = cdr::encode(message);
            assert_eq!(&cdr::decode::<T>(&bytes).unwrap(), message, "{name}");
            cases.push(json!({"value": message, "bytes": hex::encode(&bytes)}));
        }
        let question = json!({"type": name, "schema": schema::<T>(), "cases": cases});
        writeln!(self.input, "{question}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("{name}: {line}"));
        assert_eq!(answer.get("error"), None, "{}", answer["error"].as_str().unwrap_or_default());
        let swapped = answer["big_endian"].as_array().unwrap();
        assert_eq!(swapped.len(), messages.len());
        for (bytes, message) in swapped.iter().zip(&messages) {
            let bytes = hex::decode(bytes.as_str().unwrap());
            assert_eq!(&cdr::decode::<T>(&bytes).unwrap(), message, "{name}, big endian");
        }
    }
}

impl Drop for Rosbags {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

macro_rules! check {
    ($rosbags:ident; $($package:ident: $($message:ident)*;)*) => {
        $($($rosbags.check::<$package::msg::$message>(
            concat!(stringify!($package), "/msg/", stringify!($message)),
        );)*)*
    };
}

macro_rules! check_services {
    ($rosbags:ident; $package:literal: $($service:ident $request:ty, $response:ty;)*) => {
        $($rosbags.check::<$request>(
            concat!($package, "/srv/", stringify!($service), "_Request"),
        );
        $rosbags.check::<$response>(
            concat!($package, "/srv/", stringify!($service), "_Response"),
        );)*
    };
}

#[test]
fn our_messages_have_the_bytes_of_rosbags() {
    let mut rosbags = Rosbags::start();
    rosbags.check::<msg::Surface>("smooth_scene/msg/Surface");
    rosbags.check::<msg::SceneObject>("smooth_scene/msg/SceneObject");
    rosbags.check::<msg::SceneChange>("smooth_scene/msg/SceneChange");
    rosbags.check::<msg::AllowedPair>("smooth_scene/msg/AllowedPair");
    rosbags.check::<msg::LinkSize>("smooth_scene/msg/LinkSize");
    rosbags.check::<msg::PairMargin>("smooth_scene/msg/PairMargin");
    rosbags.check::<msg::Proximity>("smooth_scene/msg/Proximity");
    rosbags.check::<msg::ProximityArray>("smooth_scene/msg/ProximityArray");
}

#[test]
fn our_services_have_the_bytes_of_rosbags() {
    let mut rosbags = Rosbags::start();
    check_services! { rosbags; "smooth_scene":
        GetDistance srv::GetDistanceRequest, srv::GetDistanceResponse;
        CheckStates srv::CheckStatesRequest, srv::CheckStatesResponse;
        CheckMotion srv::CheckMotionRequest, srv::CheckMotionResponse;
        ApplyScene srv::ApplySceneRequest, srv::ApplySceneResponse;
        GetScene srv::GetSceneRequest, srv::GetSceneResponse;
    }
}

#[test]
fn standard_messages_have_the_bytes_of_rosbags() {
    let mut rosbags = Rosbags::start();
    check! { rosbags;
        std_msgs: Header String ColorRGBA;
        builtin_interfaces: Time Duration;
        geometry_msgs: Point Vector3 Quaternion Pose PoseStamped Transform TransformStamped;
        sensor_msgs: JointState MultiDOFJointState;
        shape_msgs: SolidPrimitive Mesh Plane;
        trajectory_msgs: JointTrajectory;
        tf2_msgs: TFMessage;
        visualization_msgs: Marker MarkerArray;
        diagnostic_msgs: DiagnosticStatus DiagnosticArray;
        rosgraph_msgs: Clock;
        rcl_interfaces: Log ParameterValue ParameterDescriptor ParameterEvent;
    }
}

#[test]
fn services_of_parameters_have_the_bytes_of_rosbags() {
    use rcl_interfaces::srv::*;
    let mut rosbags = Rosbags::start();
    check_services! { rosbags; "rcl_interfaces":
        DescribeParameters DescribeParametersRequest, DescribeParametersResponse;
        GetParameterTypes GetParameterTypesRequest, GetParameterTypesResponse;
        GetParameters GetParametersRequest, GetParametersResponse;
        ListParameters ListParametersRequest, ListParametersResponse;
        SetParameters SetParametersRequest, SetParametersResponse;
        SetParametersAtomically SetParametersAtomicallyRequest, SetParametersAtomicallyResponse;
    }
}

#[test]
fn moveit_messages_have_the_bytes_of_rosbags() {
    use moveit_msgs::srv::*;
    let mut rosbags = Rosbags::start();
    check! { rosbags;
        moveit_msgs: CollisionObject AttachedCollisionObject PlanningScene RobotState
            AllowedCollisionMatrix ContactInformation Constraints;
    }
    check_services! { rosbags; "moveit_msgs":
        GetStateValidity GetStateValidityRequest, GetStateValidityResponse;
        GetMultiStateValidity srv::GetMultiStateValidityRequest, srv::GetMultiStateValidityResponse;
        ApplyPlanningScene ApplyPlanningSceneRequest, ApplyPlanningSceneResponse;
        GetPlanningScene GetPlanningSceneRequest, GetPlanningSceneResponse;
    }
}
