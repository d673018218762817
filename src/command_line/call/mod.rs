//! `smooth_scene call`: asks a running node over ROS 2, without a ROS installation.

pub(crate) mod args;
mod ros_yaml;

use crate::cdr;
use crate::interfaces::Message;
use crate::interfaces::moveit_msgs::srv as moveit;
use crate::interfaces::srv;
use crate::transport::ros_args::RosArgs;
use crate::transport::{Client, ConnectError, TransportError, connect};
use args::CallArguments;
use std::time::{Duration, Instant};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    #[error("which service? `smooth_scene call --list` names them")]
    NoService,
    #[error("unknown service `{name}`; there are {known}")]
    UnknownService { name: String, known: String },
    #[error("{0}")]
    Request(#[from] ros_yaml::Refusal),
    #[error(transparent)]
    Connect(#[from] ConnectError),
    #[error(transparent)]
    Transport(#[from] TransportError),
    #[error(
        "nobody offers the service `{service}` within {seconds} s: is the node running, in this domain and namespace?"
    )]
    NoServer { service: String, seconds: f64 },
    #[error("the answer cannot be read: {0}")]
    Answer(#[from] cdr::DecodeError),
    #[error("the answer cannot be shown: {0}")]
    Show(String),
}

/// A service of the node.
struct Known {
    name: &'static str,
    type_name: &'static str,
    scope: Scope,
    ask: fn(&Question) -> Result<Answer, CallError>,
}

/// Where the name of a service belongs.
enum Scope {
    /// To the node: `scene_node/get_distance`.
    Node,
    /// To the namespace: `check_state_validity`.
    Namespace,
}

/// What is asked, of whom.
struct Question<'a> {
    client: &'a dyn Client,
    service: &'a str,
    request: &'a str,
    at_most: Duration,
}

/// What came back, to be printed.
struct Answer {
    yaml: String,
    json: String,
    verdict: Verdict,
}

/// Whether the node did what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Done,
    Refused,
}

macro_rules! known {
    ($name:literal, $type_name:literal, $scope:ident, $request:ty, $response:ty, $done:expr) => {
        Known {
            name: $name,
            type_name: $type_name,
            scope: Scope::$scope,
            ask: |question| ask::<$request, $response>(question, $done),
        }
    };
}

const SERVICES: [Known; 9] = [
    known!(
        "get_distance",
        "smooth_scene/srv/GetDistance",
        Node,
        srv::GetDistanceRequest,
        srv::GetDistanceResponse,
        |a| { a.status == srv::GetDistanceResponse::OK }
    ),
    known!(
        "check_states",
        "smooth_scene/srv/CheckStates",
        Node,
        srv::CheckStatesRequest,
        srv::CheckStatesResponse,
        |a| { a.status == srv::CheckStatesResponse::OK }
    ),
    known!(
        "check_motion",
        "smooth_scene/srv/CheckMotion",
        Node,
        srv::CheckMotionRequest,
        srv::CheckMotionResponse,
        |a| { a.status == srv::CheckMotionResponse::OK }
    ),
    known!(
        "apply_scene",
        "smooth_scene/srv/ApplyScene",
        Node,
        srv::ApplySceneRequest,
        srv::ApplySceneResponse,
        |a| { a.status == srv::ApplySceneResponse::OK }
    ),
    known!(
        "get_scene",
        "smooth_scene/srv/GetScene",
        Node,
        srv::GetSceneRequest,
        srv::GetSceneResponse,
        |a| { a.status == srv::GetSceneResponse::OK }
    ),
    known!(
        "check_state_validity",
        "moveit_msgs/srv/GetStateValidity",
        Namespace,
        moveit::GetStateValidityRequest,
        moveit::GetStateValidityResponse,
        |_| true
    ),
    known!(
        "check_multi_state_validity",
        "moveit_msgs/srv/GetMultiStateValidity",
        Namespace,
        moveit::GetMultiStateValidityRequest,
        moveit::GetMultiStateValidityResponse,
        |_| true
    ),
    known!(
        "apply_planning_scene",
        "moveit_msgs/srv/ApplyPlanningScene",
        Namespace,
        moveit::ApplyPlanningSceneRequest,
        moveit::ApplyPlanningSceneResponse,
        |a| a.success
    ),
    known!(
        "get_planning_scene",
        "moveit_msgs/srv/GetPlanningScene",
        Namespace,
        moveit::GetPlanningSceneRequest,
        moveit::GetPlanningSceneResponse,
        |_| true
    ),
];

/// Runs the command.
pub(crate) fn run(arguments: &CallArguments, ros: &RosArgs) -> Result<Verdict, CallError> {
    if arguments.list {
        for known in &SERVICES {
            println!("{:<32} {}", known.full_name(&arguments.node), known.type_name);
        }
        return Ok(Verdict::Done);
    }
    let asked = arguments.service.as_deref().ok_or(CallError::NoService)?;
    let (known, name) = find(asked, &arguments.node)?;
    let until = Instant::now() + arguments.timeout;
    let transport = connect(&format!("smooth_scene_call_{}", std::process::id()), ros)?;
    let client = transport.client(&name, known.type_name)?;
    let question = Question {
        client: &*client,
        service: &name,
        request: &arguments.request,
        at_most: arguments.timeout,
    };
    let answer = (known.ask)(&Question {
        at_most: until.saturating_duration_since(Instant::now()),
        ..question
    });
    transport.shutdown();
    let answer = answer?;
    print!("{}", if arguments.json { &answer.json } else { &answer.yaml });
    Ok(answer.verdict)
}

/// The service of this name, short or whole, and its whole name.
fn find<'a>(asked: &str, node: &str) -> Result<(&'a Known, String), CallError> {
    let last = asked.rsplit('/').next().unwrap_or(asked);
    let Some(known) = SERVICES.iter().find(|known| known.name == last) else {
        let known = SERVICES.map(|known| known.name).join(", ");
        return Err(CallError::UnknownService { name: asked.to_owned(), known });
    };
    let name = if last == asked { known.full_name(node) } else { asked.to_owned() };
    Ok((known, name))
}

impl Known {
    fn full_name(&self, node: &str) -> String {
        match self.scope {
            Scope::Node => format!("{node}/{}", self.name),
            Scope::Namespace => self.name.to_owned(),
        }
    }
}

fn ask<Q: Message, A: Message>(
    question: &Question,
    done: fn(&A) -> bool,
) -> Result<Answer, CallError> {
    let request: Q = ros_yaml::read(question.request)?;
    let until = Instant::now() + question.at_most;
    if !question.client.wait_for_server(question.at_most) {
        let (service, seconds) = (question.service.to_owned(), question.at_most.as_secs_f64());
        return Err(CallError::NoServer { service, seconds });
    }
    let left = until.saturating_duration_since(Instant::now());
    let bytes = question.client.call(&cdr::encode(&request), left)?;
    let answer: A = cdr::decode(&bytes)?;
    Ok(Answer {
        yaml: serde_yaml::to_string(&answer).map_err(|error| CallError::Show(error.to_string()))?,
        json: serde_json::to_string(&answer).map_err(|error| CallError::Show(error.to_string()))?
            + "\n",
        verdict: if done(&answer) { Verdict::Done } else { Verdict::Refused },
    })
}
