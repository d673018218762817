//! `smooth_scene call`: asks a running node over ROS 2, without a ROS installation; once, or line by line.

pub(crate) mod args;
mod enumerations;
mod refusal;
mod ros_yaml;
mod session;
mod verdict;

use crate::cdr;
use crate::command_line::print::print;
use crate::interfaces::{Definition, Message, ServiceType};
use crate::node::services::{ServiceVisitor, for_each_service};
use crate::node::{Endpoint, Request, Response, Service};
use crate::transport::ros_args::RosArgs;
use crate::transport::{Client, ConnectError, TransportError, connect};
use args::CallArguments;
use enumerations::Types;
use refusal::Refusal;
use session::{Exchange, Session, SessionFailure};
use std::convert::Infallible;
use std::io::{self, IsTerminal};
use std::time::Instant;

pub(crate) use verdict::Verdict;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    #[error("which service? `smooth_scene call --list` names them")]
    NoService,
    #[error("unknown service `{name}`; there are {known}")]
    UnknownService { name: String, known: String },
    #[error("{0}")]
    Request(#[from] Refusal),
    #[error(transparent)]
    Connect(#[from] ConnectError),
    #[error(transparent)]
    Transport(#[from] TransportError),
    #[error(
        "nobody offers the service `{service}` within {seconds} s: is the node running, in this domain and namespace?"
    )]
    NoServer { service: String, seconds: f64 },
    #[error(transparent)]
    Session(#[from] SessionFailure),
    #[error("cannot write the answer: {0}")]
    Output(io::Error),
    #[error("the answer cannot be read: {0}")]
    Answer(#[from] cdr::DecodeError),
    #[error("the answer cannot be shown: {0}")]
    Show(String),
}

/// A service of the node, and how to call it.
struct Known {
    endpoint: &'static Endpoint,
    type_name: &'static str,
    /// The bytes of a request in YAML.
    encode: fn(&str) -> Result<Vec<u8>, Refusal>,
    /// What the bytes of an answer say.
    decode: fn(&[u8]) -> Result<Answer, CallError>,
}

/// What came back, to be printed.
struct Answer {
    /// The fields, numbers of enumerations by name.
    fields: serde_yaml::Value,
    verdict: Verdict,
}

impl Answer {
    fn yaml(&self) -> Result<String, CallError> {
        serde_yaml::to_string(&self.fields).map_err(|error| CallError::Show(error.to_string()))
    }

    /// One line.
    fn json(&self) -> Result<String, CallError> {
        match serde_json::to_string(&self.fields) {
            Ok(text) => Ok(text + "\n"),
            Err(error) => Err(CallError::Show(error.to_string())),
        }
    }
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
            self.0.push(Known {
                endpoint,
                type_name: S::Type::TYPE_NAME,
                encode: encode::<S>,
                decode: decode::<S>,
            });
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
        let line = |known: &Known| {
            let (name, help) = (known.full_name(&arguments.node), known.endpoint.help);
            format!("{name:<32} {:<40} {help}\n", known.type_name)
        };
        let list: String = services().iter().map(line).collect();
        print(&list).map_err(CallError::Output)?;
        return Ok(Verdict::Done);
    }
    let asked = arguments.service.as_deref().ok_or(CallError::NoService)?;
    let (known, name) = find(asked, &arguments.node)?;
    let transport = connect(&format!("smooth_scene_call_{}", std::process::id()), ros)?;
    let client = transport.client(&name, known.type_name)?;
    let caller = Caller { known, name, client: &*client, arguments };
    // In a terminal nobody waits at the other end of standard input.
    let request = arguments.request.as_deref();
    let verdict = match request.or_else(|| io::stdin().is_terminal().then_some("{}")) {
        Some(request) => caller.once(request),
        None => caller.session(),
    };
    transport.shutdown();
    verdict
}

/// Calls one service.
struct Caller<'a> {
    known: Known,
    name: String,
    client: &'a dyn Client,
    arguments: &'a CallArguments,
}

impl Caller<'_> {
    fn once(&self, request: &str) -> Result<Verdict, CallError> {
        let request = (self.known.encode)(request)?;
        let until = Instant::now() + self.arguments.timeout;
        self.wait_for_server()?;
        let bytes = self.client.call(&request, until.saturating_duration_since(Instant::now()))?;
        let answer = (self.known.decode)(&bytes)?;
        let text = if self.arguments.json { answer.json()? } else { answer.yaml()? };
        print(&text).map_err(CallError::Output)?;
        Ok(answer.verdict)
    }

    fn session(&self) -> Result<Verdict, CallError> {
        let session = Session::start(io::stdin(), io::stdout())?;
        let mut found = false;
        session.run(|text| {
            // Not before the first request: without one there is nothing to wait for.
            if !std::mem::replace(&mut found, true) {
                self.wait_for_server()?;
            }
            self.answer_line(text)
        })
    }

    /// Answers one line of a session. What is wrong with the line, or with its answer, does not end the session.
    fn answer_line(&self, text: &str) -> Result<Exchange, CallError> {
        let asked = (self.known.encode)(text).map_err(CallError::from).and_then(|request| {
            let bytes = self.client.call(&request, self.arguments.timeout)?;
            let answer = (self.known.decode)(&bytes)?;
            Ok(Exchange { line: answer.json()?, verdict: answer.verdict })
        });
        Ok(asked.unwrap_or_else(|error| Exchange::failed(&error)))
    }

    fn wait_for_server(&self) -> Result<(), CallError> {
        if self.client.wait_for_server(self.arguments.timeout) {
            return Ok(());
        }
        let (service, seconds) = (self.name.clone(), self.arguments.timeout.as_secs_f64());
        Err(CallError::NoServer { service, seconds })
    }
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

fn encode<S: Service>(request: &str) -> Result<Vec<u8>, Refusal> {
    let request: Request<S> = ros_yaml::read(request)?;
    Ok(cdr::encode(&request))
}

fn decode<S: Service>(bytes: &[u8]) -> Result<Answer, CallError> {
    let answer: Response<S> = cdr::decode(bytes)?;
    let mut fields =
        serde_yaml::to_value(&answer).map_err(|error| CallError::Show(error.to_string()))?;
    let Definition { type_name, text, .. } = <Response<S> as Message>::DEFINITION;
    Types::new(type_name, text).to_names(type_name, &mut fields);
    let verdict = if S::refusal(&answer).is_none() { Verdict::Done } else { Verdict::Refused };
    Ok(Answer { fields, verdict })
}
