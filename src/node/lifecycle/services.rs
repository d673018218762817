//! The five services of a managed node, and `~/transition_event`.

use std::sync::Arc;

use super::machine::{Outcome, State, Transition, all_states, all_transitions};
use super::node_state::Lifecycle;
use crate::convert::Refusal;
use crate::interfaces::lifecycle_msgs::msg::{self, TransitionDescription, TransitionEvent};
use crate::interfaces::lifecycle_msgs::srv;
use crate::interfaces::moveit_msgs::msg::PlanningScene;
use crate::node::clock::Clock;
use crate::node::service::{Availability, Context, Effort, Endpoint, Request, Response, Service};
use crate::node::services::ServiceVisitor;
use crate::node::topics::{TopicPublisher, on_planning_scene};
use crate::scene::NoRobot;

/// What the server needs of the node.
pub struct LifecycleHooks {
    /// Why the last robot description was refused, if it was.
    pub refused_description: Box<dyn Fn() -> Option<String> + Send + Sync>,
    /// Says that the scene has to be shown again.
    pub changed: Box<dyn Fn() + Send + Sync>,
}

/// Carries out transitions and publishes them.
pub struct LifecycleServer {
    lifecycle: Arc<Lifecycle>,
    clock: Arc<Clock>,
    events: TopicPublisher<TransitionEvent>,
    hooks: LifecycleHooks,
}

impl LifecycleServer {
    /// A server that publishes on `events`.
    pub(in crate::node) fn new(
        lifecycle: Arc<Lifecycle>,
        clock: Arc<Clock>,
        events: TopicPublisher<TransitionEvent>,
        hooks: LifecycleHooks,
    ) -> Self {
        Self { lifecycle, clock, events, hooks }
    }

    fn change(&self, context: &Context<'_>, named: &msg::Transition) -> Result<(), Refusal> {
        // Held until the transition is over: one at a time.
        let mut state = self.lifecycle.lock();
        let start = *state;
        let Some(transition) = start.requested(named) else {
            let (label, id) = (&named.label, named.id);
            let reason = format!("transition `{label}` ({id}) does not start at {}", start.label());
            return Err(Refusal::bad_request(reason));
        };
        let done = self.carry_out(context, transition);
        let outcome = if done.is_ok() { Outcome::Success } else { Outcome::Failure };
        if outcome == Outcome::Success {
            *state = start.after(transition).expect("it starts here");
        }
        // Fits take seconds: none goes on in a node that is not active.
        match *state {
            State::Active => context.fitting.open(),
            _ => {
                context.fitting.close("the node is not active");
                context.simulator.stop();
            }
        }
        tracing::info!("{}: {}", transition.label(), state.label());
        for step in start.steps(transition, outcome) {
            self.publish(step);
        }
        (self.hooks.changed)();
        done
    }

    fn carry_out(&self, context: &Context<'_>, transition: Transition) -> Result<(), Refusal> {
        match transition {
            Transition::Configure => match (self.hooks.refused_description)() {
                Some(reason) => Err(Refusal::bad_request(reason)),
                None => Ok(()),
            },
            // A full scene with nothing in it: objects, sizes and the matrix are those of the description again.
            Transition::Cleanup => match context.store.snapshot() {
                Ok(_) => on_planning_scene(context, &PlanningScene::default()).map(drop),
                Err(NoRobot) => Ok(()),
            },
            // Questions are answered by an active node only; plans take long enough for the node to change meanwhile.
            Transition::Deactivate | Transition::Shutdown => {
                context.planning.cancel("the node is no longer active");
                Ok(())
            }
            Transition::Activate => Ok(()),
        }
    }

    fn publish(&self, step: TransitionDescription) {
        let TransitionDescription { transition, start_state, goal_state } = step;
        // Before 1970 there was no ROS.
        let timestamp = self.clock.now().max(0).unsigned_abs();
        let event = TransitionEvent { timestamp, transition, start_state, goal_state };
        if let Err(error) = self.events.publish(&event) {
            tracing::warn!("transition event not published: {error}");
        }
    }
}

/// Shows the services of a managed node to a visitor.
pub(in crate::node) fn for_each_lifecycle_service<V: ServiceVisitor>(
    server: &Arc<LifecycleServer>,
    visitor: &mut V,
) -> Result<(), V::Error> {
    const fn row(name: &'static str, help: &'static str) -> Endpoint {
        Endpoint { name, effort: Effort::Short, help }
    }
    const CHANGE: Endpoint = row("~/change_state", "carries out a transition");
    const STATE: Endpoint = row("~/get_state", "the state");
    const STATES: Endpoint = row("~/get_available_states", "all states");
    const TRANSITIONS: Endpoint = row("~/get_available_transitions", "those of the state");
    const GRAPH: Endpoint = row("~/get_transition_graph", "all transitions");
    visitor.visit(&CHANGE, ChangeState(Arc::clone(server)))?;
    visitor.visit(&STATE, GetState(Arc::clone(server)))?;
    visitor.visit(&STATES, GetAvailableStates)?;
    visitor.visit(&TRANSITIONS, GetTransitions::OfState(Arc::clone(server)))?;
    visitor.visit(&GRAPH, GetTransitions::All)
}

/// `~/change_state`.
struct ChangeState(Arc<LifecycleServer>);

impl Service for ChangeState {
    type Type = srv::ChangeState;
    const AVAILABILITY: Availability = Availability::Always;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: Request<Self>,
    ) -> Result<Response<Self>, Refusal> {
        self.0.change(context, &request.transition)?;
        Ok(Response::<Self> { success: true })
    }

    fn refuse(&self, _: Refusal) -> Response<Self> {
        Response::<Self> { success: false }
    }

    fn refusal(response: &Response<Self>) -> Option<Refusal> {
        let reason = "the state was not changed: see the log of the node";
        (!response.success).then(|| Refusal::bad_request(reason))
    }
}

/// `~/get_state`.
struct GetState(Arc<LifecycleServer>);

impl Service for GetState {
    type Type = srv::GetState;
    const AVAILABILITY: Availability = Availability::Always;

    fn handle(&self, _: &mut Context<'_>, _: Request<Self>) -> Result<Response<Self>, Refusal> {
        let state: State = self.0.lifecycle.state();
        Ok(Response::<Self> { current_state: state.message() })
    }

    fn refuse(&self, _: Refusal) -> Response<Self> {
        Response::<Self>::default()
    }

    fn refusal(_: &Response<Self>) -> Option<Refusal> {
        None
    }
}

/// `~/get_available_states`.
struct GetAvailableStates;

impl Service for GetAvailableStates {
    type Type = srv::GetAvailableStates;
    const AVAILABILITY: Availability = Availability::Always;

    fn handle(&self, _: &mut Context<'_>, _: Request<Self>) -> Result<Response<Self>, Refusal> {
        Ok(Response::<Self> { available_states: all_states() })
    }

    fn refuse(&self, _: Refusal) -> Response<Self> {
        Response::<Self>::default()
    }

    fn refusal(_: &Response<Self>) -> Option<Refusal> {
        None
    }
}

/// `~/get_available_transitions` and `~/get_transition_graph`.
enum GetTransitions {
    OfState(Arc<LifecycleServer>),
    All,
}

impl Service for GetTransitions {
    type Type = srv::GetAvailableTransitions;
    const AVAILABILITY: Availability = Availability::Always;

    fn handle(&self, _: &mut Context<'_>, _: Request<Self>) -> Result<Response<Self>, Refusal> {
        let available_transitions = match self {
            Self::OfState(server) => server.lifecycle.state().transitions(),
            Self::All => all_transitions(),
        };
        Ok(Response::<Self> { available_transitions })
    }

    fn refuse(&self, _: Refusal) -> Response<Self> {
        Response::<Self>::default()
    }

    fn refusal(_: &Response<Self>) -> Option<Refusal> {
        None
    }
}
