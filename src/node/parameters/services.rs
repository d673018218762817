//! The six services every ROS 2 node offers for its parameters, with the semantics of rclcpp and rclpy: where they
//! differ, about names the node does not have, those of the interface files.

use std::sync::Arc;

use super::settings::Settings;
use super::store::Parameters;
use super::table::{PARAMETERS, find};
use super::value::ParameterError;
use crate::convert::Refusal;
use crate::interfaces::rcl_interfaces::msg::{
    ListParametersResult, Parameter, ParameterDescriptor, ParameterEvent, ParameterType,
    ParameterValue, SetParametersResult,
};
use crate::interfaces::rcl_interfaces::srv;
use crate::node::clock::{Clock, to_message};
use crate::node::service::{Availability, Context, Effort, Endpoint, Request, Response, Service};
use crate::node::services::ServiceVisitor;
use crate::node::topics::TopicPublisher;

/// Looks at the settings before and after a change, makes it happen, or refuses it with the reason.
pub type Accept = Box<dyn Fn(&Settings, &Settings) -> Result<(), String> + Send + Sync>;

/// Sets parameters and publishes what changed.
pub struct ParameterServer {
    parameters: Arc<Parameters>,
    accept: Accept,
    clock: Arc<Clock>,
    node_name: String,
    events: TopicPublisher<ParameterEvent>,
}

impl ParameterServer {
    /// A server that has just declared all parameters, and said so on `events`.
    pub(in crate::node) fn new(
        parameters: Arc<Parameters>,
        accept: Accept,
        clock: Arc<Clock>,
        node_name: String,
        events: TopicPublisher<ParameterEvent>,
    ) -> Self {
        let server = Self { parameters, accept, clock, node_name, events };
        let mut scratch = Settings::clone(&server.parameters.settings());
        let declared = PARAMETERS.iter().map(|declaration| Parameter {
            name: declaration.name.into(),
            value: declaration.value(&mut scratch),
        });
        server.publish(ParameterEvent {
            new_parameters: declared.collect(),
            ..ParameterEvent::default()
        });
        server
    }

    /// Sets all of these or none.
    pub fn set(&self, changes: &[Parameter]) -> Result<(), ParameterError> {
        self.parameters.set(changes, &self.accept)?;
        let changed_parameters = changes.to_vec();
        if !changed_parameters.is_empty() {
            self.publish(ParameterEvent { changed_parameters, ..ParameterEvent::default() });
        }
        Ok(())
    }

    fn publish(&self, event: ParameterEvent) {
        let stamp = to_message(self.clock.now());
        let event = ParameterEvent { stamp, node: self.node_name.clone(), ..event };
        if let Err(error) = self.events.publish(&event) {
            tracing::warn!("parameter event not published: {error}");
        }
    }

    fn scratch(&self) -> Settings {
        Settings::clone(&self.parameters.settings())
    }
}

fn result(of: Result<(), ParameterError>) -> SetParametersResult {
    match of {
        Ok(()) => SetParametersResult { successful: true, reason: String::new() },
        Err(error) => SetParametersResult { successful: false, reason: error.to_string() },
    }
}

fn refusal_of(result: &SetParametersResult) -> Option<Refusal> {
    (!result.successful).then(|| Refusal::bad_request(&result.reason))
}

fn failed(refusal: Refusal) -> SetParametersResult {
    SetParametersResult { successful: false, reason: refusal.message }
}

/// Shows the services of a server to a visitor. Setting takes long: a new robot description is read before the answer.
pub(in crate::node) fn for_each_parameter_service<V: ServiceVisitor>(
    server: &Arc<ParameterServer>,
    visitor: &mut V,
) -> Result<(), V::Error> {
    const fn row(name: &'static str, effort: Effort, help: &'static str) -> Endpoint {
        Endpoint { name, effort, help }
    }
    use Effort::{Long, Short};
    const DESCRIBE: Endpoint = row("~/describe_parameters", Short, "types, ranges, descriptions");
    const GET: Endpoint = row("~/get_parameters", Short, "values");
    const TYPES: Endpoint = row("~/get_parameter_types", Short, "types");
    const LIST: Endpoint = row("~/list_parameters", Short, "names");
    const SET: Endpoint = row("~/set_parameters", Long, "each on its own");
    const ATOMICALLY: Endpoint = row("~/set_parameters_atomically", Long, "all or none");
    visitor.visit(&DESCRIBE, DescribeParameters)?;
    visitor.visit(&GET, GetParameters(Arc::clone(server)))?;
    visitor.visit(&TYPES, GetParameterTypes)?;
    visitor.visit(&LIST, ListParameters)?;
    visitor.visit(&SET, SetParameters(Arc::clone(server)))?;
    visitor.visit(&ATOMICALLY, SetParametersAtomically(Arc::clone(server)))
}

/// `~/describe_parameters`.
struct DescribeParameters;

impl Service for DescribeParameters {
    type Type = srv::DescribeParameters;
    const AVAILABILITY: Availability = Availability::Always;

    fn handle(
        &self,
        _: &mut Context<'_>,
        request: Request<Self>,
    ) -> Result<Response<Self>, Refusal> {
        let describe = |name: String| match find(&name) {
            Some(declaration) => declaration.descriptor(),
            None => ParameterDescriptor { name, ..ParameterDescriptor::default() },
        };
        Ok(Response::<Self> { descriptors: request.names.into_iter().map(describe).collect() })
    }

    fn refuse(&self, _: Refusal) -> Response<Self> {
        Response::<Self>::default()
    }

    fn refusal(_: &Response<Self>) -> Option<Refusal> {
        None
    }
}

/// `~/get_parameters`.
struct GetParameters(Arc<ParameterServer>);

impl Service for GetParameters {
    type Type = srv::GetParameters;
    const AVAILABILITY: Availability = Availability::Always;

    fn handle(
        &self,
        _: &mut Context<'_>,
        request: Request<Self>,
    ) -> Result<Response<Self>, Refusal> {
        let mut scratch = self.0.scratch();
        let value = |name: &String| match find(name) {
            Some(declaration) => declaration.value(&mut scratch),
            None => ParameterValue::default(),
        };
        Ok(Response::<Self> { values: request.names.iter().map(value).collect() })
    }

    fn refuse(&self, _: Refusal) -> Response<Self> {
        Response::<Self>::default()
    }

    fn refusal(_: &Response<Self>) -> Option<Refusal> {
        None
    }
}

/// `~/get_parameter_types`.
struct GetParameterTypes;

impl Service for GetParameterTypes {
    type Type = srv::GetParameterTypes;
    const AVAILABILITY: Availability = Availability::Always;

    fn handle(
        &self,
        _: &mut Context<'_>,
        request: Request<Self>,
    ) -> Result<Response<Self>, Refusal> {
        let number = |name: &String| match find(name) {
            Some(declaration) => declaration.type_number(),
            None => ParameterType::PARAMETER_NOT_SET,
        };
        Ok(Response::<Self> { types: request.names.iter().map(number).collect() })
    }

    fn refuse(&self, _: Refusal) -> Response<Self> {
        Response::<Self>::default()
    }

    fn refusal(_: &Response<Self>) -> Option<Refusal> {
        None
    }
}

/// `~/list_parameters`.
struct ListParameters;

impl Service for ListParameters {
    type Type = srv::ListParameters;
    const AVAILABILITY: Availability = Availability::Always;

    fn handle(
        &self,
        _: &mut Context<'_>,
        request: Request<Self>,
    ) -> Result<Response<Self>, Refusal> {
        let mut result = ListParametersResult::default();
        for declaration in PARAMETERS {
            if !is_listed(declaration.name, &request.prefixes, request.depth) {
                continue;
            }
            result.names.push(declaration.name.into());
            if let Some((prefix, _)) = declaration.name.rsplit_once('.')
                && result.prefixes.iter().all(|known| known != prefix)
            {
                result.prefixes.push(prefix.into());
            }
        }
        Ok(Response::<Self> { result })
    }

    fn refuse(&self, _: Refusal) -> Response<Self> {
        Response::<Self>::default()
    }

    fn refusal(_: &Response<Self>) -> Option<Refusal> {
        None
    }
}

/// Whether a name is at or below one of the prefixes, and not more than `depth` levels below; depth 0 is any.
fn is_listed(name: &str, prefixes: &[String], depth: u64) -> bool {
    let within = |rest: &str| {
        depth == srv::ListParametersRequest::DEPTH_RECURSIVE
            || (rest.matches('.').count() as u64) < depth
    };
    if prefixes.is_empty() {
        return within(name);
    }
    prefixes.iter().any(|prefix| match name.strip_prefix(prefix.as_str()) {
        Some("") => true,
        Some(rest) => rest.strip_prefix('.').is_some_and(within),
        None => false,
    })
}

/// `~/set_parameters`: each on its own.
struct SetParameters(Arc<ParameterServer>);

impl Service for SetParameters {
    type Type = srv::SetParameters;
    const AVAILABILITY: Availability = Availability::Always;

    fn handle(
        &self,
        _: &mut Context<'_>,
        request: Request<Self>,
    ) -> Result<Response<Self>, Refusal> {
        let set = |parameter: &Parameter| result(self.0.set(std::slice::from_ref(parameter)));
        Ok(Response::<Self> { results: request.parameters.iter().map(set).collect() })
    }

    fn refuse(&self, refusal: Refusal) -> Response<Self> {
        Response::<Self> { results: vec![failed(refusal)] }
    }

    fn refusal(response: &Response<Self>) -> Option<Refusal> {
        response.results.iter().find_map(refusal_of)
    }
}

/// `~/set_parameters_atomically`: all or none.
struct SetParametersAtomically(Arc<ParameterServer>);

impl Service for SetParametersAtomically {
    type Type = srv::SetParametersAtomically;
    const AVAILABILITY: Availability = Availability::Always;

    fn handle(
        &self,
        _: &mut Context<'_>,
        request: Request<Self>,
    ) -> Result<Response<Self>, Refusal> {
        Ok(Response::<Self> { result: result(self.0.set(&request.parameters)) })
    }

    fn refuse(&self, refusal: Refusal) -> Response<Self> {
        Response::<Self> { result: failed(refusal) }
    }

    fn refusal(response: &Response<Self>) -> Option<Refusal> {
        refusal_of(&response.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(prefixes: &[&str], depth: u64) -> Vec<&'static str> {
        let prefixes: Vec<String> = prefixes.iter().map(|p| p.to_string()).collect();
        let names = PARAMETERS.iter().map(|declaration| declaration.name);
        names.filter(|name| is_listed(name, &prefixes, depth)).collect()
    }

    #[test]
    fn prefixes_end_at_dots_and_depth_counts_levels_below_them() {
        assert_eq!(listed(&[], 0).len(), PARAMETERS.len());
        assert!(listed(&[], 1).iter().all(|name| !name.contains('.')));
        assert_eq!(listed(&[], 2).len(), PARAMETERS.len());
        assert_eq!(listed(&["limits"], 0).len(), 8);
        assert_eq!(listed(&["limits"], 1).len(), 8);
        assert_eq!(listed(&["limit"], 0), [""; 0]);
        assert_eq!(listed(&["use_sim_time"], 1), ["use_sim_time"]);
        assert_eq!(listed(&["limits", "query"], 0).len(), 12);
    }
}
