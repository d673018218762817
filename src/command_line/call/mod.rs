//! `smooth_scene call`: asks a running node over ROS 2, without a ROS installation.

pub(crate) mod args;
mod ros_yaml;

use crate::cdr;
use crate::interfaces::ServiceType;
use crate::node::services::{ServiceVisitor, for_each_service};
use crate::node::{Endpoint, Request, Response, Service};
use crate::transport::ros_args::RosArgs;
use crate::transport::{Client, ConnectError, TransportError, connect};
use args::CallArguments;
use std::convert::Infallible;
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

/// A service of the node, and how to call it.
struct Known {
    endpoint: &'static Endpoint,
    type_name: &'static str,
    ask: fn(&Question) -> Result<Answer, CallError>,
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

/// The services of the node.
fn services() -> Vec<Known> {
    struct Collect(Vec<Known>);
    impl ServiceVisitor for Collect {
        type Error = Infallible;

        fn visit<S: Service>(
            &mut self,
            endpoint: &'static Endpoint,
            _: S,
        ) -> Result<(), Infallible> {
            self.0.push(Known { endpoint, type_name: S::Type::TYPE_NAME, ask: ask::<S> });
            Ok(())
        }
    }
    let mut all = Collect(Vec::new());
    let Ok(()) = for_each_service(&mut all);
    all.0
}

/// Runs the command.
pub(crate) fn run(arguments: &CallArguments, ros: &RosArgs) -> Result<Verdict, CallError> {
    if arguments.list {
        for known in services() {
            let (name, help) = (known.full_name(&arguments.node), known.endpoint.help);
            println!("{name:<32} {:<40} {help}", known.type_name);
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
fn find(asked: &str, node: &str) -> Result<(Known, String), CallError> {
    let last = asked.rsplit_once('/').map_or(asked, |(_, last)| last);
    let mut services = services();
    let Some(place) = services.iter().position(|known| known.short_name() == last) else {
        let names: Vec<&str> = services.iter().map(Known::short_name).collect();
        let (name, known) = (asked.to_owned(), names.join(", "));
        return Err(CallError::UnknownService { name, known });
    };
    let known = services.swap_remove(place);
    let name = if last == asked { known.full_name(node) } else { asked.to_owned() };
    Ok((known, name))
}

impl Known {
    fn short_name(&self) -> &'static str {
        self.endpoint.name.trim_start_matches("~/")
    }

    /// Private names belong to the node, others to its namespace.
    fn full_name(&self, node: &str) -> String {
        match self.endpoint.name.strip_prefix("~/") {
            Some(private) => format!("{node}/{private}"),
            None => self.endpoint.name.to_owned(),
        }
    }
}

fn ask<S: Service>(question: &Question) -> Result<Answer, CallError> {
    let request: Request<S> = ros_yaml::read(question.request)?;
    let until = Instant::now() + question.at_most;
    if !question.client.wait_for_server(question.at_most) {
        let (service, seconds) = (question.service.to_owned(), question.at_most.as_secs_f64());
        return Err(CallError::NoServer { service, seconds });
    }
    let left = until.saturating_duration_since(Instant::now());
    let bytes = question.client.call(&cdr::encode(&request), left)?;
    let answer: Response<S> = cdr::decode(&bytes)?;
    Ok(Answer {
        yaml: serde_yaml::to_string(&answer).map_err(|error| CallError::Show(error.to_string()))?,
        json: serde_json::to_string(&answer).map_err(|error| CallError::Show(error.to_string()))?
            + "\n",
        verdict: if S::is_done(&answer) { Verdict::Done } else { Verdict::Refused },
    })
}
