//! States and transitions of a managed node, as in the design of ROS 2 (design.ros2.org/articles/node_lifecycle.html) and
//! with the numbers and labels of lifecycle_msgs.

use crate::interfaces::lifecycle_msgs::msg::{self, TransitionDescription};

/// A state that lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing is set up.
    Unconfigured,
    /// Ready, but silent.
    Inactive,
    /// At work.
    Active,
    /// Ended.
    Finalized,
}

/// What a node can be told to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transition {
    /// From unconfigured to inactive.
    Configure,
    /// From inactive to unconfigured.
    Cleanup,
    /// From inactive to active.
    Activate,
    /// From active to inactive.
    Deactivate,
    /// From any state to finalized.
    Shutdown,
}

/// Whether a transition was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was: the node is in the state it leads to.
    Success,
    /// It was not: the node is in the state before it.
    Failure,
}

/// One row: where a transition starts, its number, and the state in between.
struct Row {
    transition: Transition,
    start: State,
    id: u8,
    between: (u8, &'static str),
    goal: State,
    /// Number of its success; those of failure and error follow.
    success: u8,
}

const CONFIGURING: (u8, &str) = (msg::State::TRANSITION_STATE_CONFIGURING, "configuring");
const CLEANING_UP: (u8, &str) = (msg::State::TRANSITION_STATE_CLEANINGUP, "cleaningup");
const SHUTTING_DOWN: (u8, &str) = (msg::State::TRANSITION_STATE_SHUTTINGDOWN, "shuttingdown");
const ACTIVATING: (u8, &str) = (msg::State::TRANSITION_STATE_ACTIVATING, "activating");
const DEACTIVATING: (u8, &str) = (msg::State::TRANSITION_STATE_DEACTIVATING, "deactivating");
const ERROR: (u8, &str) = (msg::State::TRANSITION_STATE_ERRORPROCESSING, "errorprocessing");

const fn row(
    transition: Transition,
    start: State,
    id: u8,
    between: (u8, &'static str),
    goal: State,
    success: u8,
) -> Row {
    Row { transition, start, id, between, goal, success }
}

use State::{Active, Finalized, Inactive, Unconfigured};
use msg::Transition as T;

const ROWS: [Row; 7] = [
    row(
        Transition::Configure,
        Unconfigured,
        T::TRANSITION_CONFIGURE,
        CONFIGURING,
        Inactive,
        T::TRANSITION_ON_CONFIGURE_SUCCESS,
    ),
    row(
        Transition::Cleanup,
        Inactive,
        T::TRANSITION_CLEANUP,
        CLEANING_UP,
        Unconfigured,
        T::TRANSITION_ON_CLEANUP_SUCCESS,
    ),
    row(
        Transition::Activate,
        Inactive,
        T::TRANSITION_ACTIVATE,
        ACTIVATING,
        Active,
        T::TRANSITION_ON_ACTIVATE_SUCCESS,
    ),
    row(
        Transition::Deactivate,
        Active,
        T::TRANSITION_DEACTIVATE,
        DEACTIVATING,
        Inactive,
        T::TRANSITION_ON_DEACTIVATE_SUCCESS,
    ),
    row(
        Transition::Shutdown,
        Unconfigured,
        T::TRANSITION_UNCONFIGURED_SHUTDOWN,
        SHUTTING_DOWN,
        Finalized,
        T::TRANSITION_ON_SHUTDOWN_SUCCESS,
    ),
    row(
        Transition::Shutdown,
        Inactive,
        T::TRANSITION_INACTIVE_SHUTDOWN,
        SHUTTING_DOWN,
        Finalized,
        T::TRANSITION_ON_SHUTDOWN_SUCCESS,
    ),
    row(
        Transition::Shutdown,
        Active,
        T::TRANSITION_ACTIVE_SHUTDOWN,
        SHUTTING_DOWN,
        Finalized,
        T::TRANSITION_ON_SHUTDOWN_SUCCESS,
    ),
];

impl State {
    const ALL: [State; 4] = [Unconfigured, Inactive, Active, Finalized];

    /// The label of the state.
    pub fn label(self) -> &'static str {
        match self {
            Unconfigured => "unconfigured",
            Inactive => "inactive",
            Active => "active",
            Finalized => "finalized",
        }
    }

    /// The state as a message.
    pub fn message(self) -> msg::State {
        let id = match self {
            Unconfigured => msg::State::PRIMARY_STATE_UNCONFIGURED,
            Inactive => msg::State::PRIMARY_STATE_INACTIVE,
            Active => msg::State::PRIMARY_STATE_ACTIVE,
            Finalized => msg::State::PRIMARY_STATE_FINALIZED,
        };
        msg::State { id, label: self.label().into() }
    }

    /// Where a transition leads from this state; none if it does not start here.
    pub fn after(self, transition: Transition) -> Option<State> {
        rows_from(self).find(|row| row.transition == transition).map(|row| row.goal)
    }

    /// The transition that a request names from this state: by its label, or, without one, by its number.
    pub fn requested(self, named: &msg::Transition) -> Option<Transition> {
        let is_named = |row: &&Row| match named.label.as_str() {
            "" => row.id == named.id,
            label => row.transition.label() == label,
        };
        rows_from(self).find(is_named).map(|row| row.transition)
    }

    /// The transitions that start here.
    pub fn transitions(self) -> Vec<TransitionDescription> {
        rows_from(self).map(Row::begin).collect()
    }

    /// The two steps of a transition, into the state in between and out of it.
    pub fn steps(self, transition: Transition, outcome: Outcome) -> Vec<TransitionDescription> {
        let row = rows_from(self).find(|row| row.transition == transition);
        row.into_iter().flat_map(|row| [row.begin(), row.end(outcome)]).collect()
    }
}

impl Transition {
    /// The label of the transition.
    pub fn label(self) -> &'static str {
        match self {
            Transition::Configure => "configure",
            Transition::Cleanup => "cleanup",
            Transition::Activate => "activate",
            Transition::Deactivate => "deactivate",
            Transition::Shutdown => "shutdown",
        }
    }
}

fn rows_from(state: State) -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(move |row| row.start == state)
}

impl Row {
    fn begin(&self) -> TransitionDescription {
        let label = self.transition.label();
        describe(self.id, label, self.start.message(), state(self.between))
    }

    fn end(&self, outcome: Outcome) -> TransitionDescription {
        match outcome {
            Outcome::Success => {
                describe(self.success, SUCCESS, state(self.between), self.goal.message())
            }
            Outcome::Failure => {
                // A node that cannot shut down properly has ended all the same.
                let back = match self.transition {
                    Transition::Shutdown => Finalized,
                    _ => self.start,
                };
                describe(self.success + 1, FAILURE, state(self.between), back.message())
            }
        }
    }

    fn error(&self) -> TransitionDescription {
        describe(self.success + 2, FAULT, state(self.between), state(ERROR))
    }
}

const SUCCESS: &str = "transition_success";
const FAILURE: &str = "transition_failure";
const FAULT: &str = "transition_error";

fn state((id, label): (u8, &str)) -> msg::State {
    msg::State { id, label: label.into() }
}

fn describe(
    id: u8,
    label: &str,
    start_state: msg::State,
    goal_state: msg::State,
) -> TransitionDescription {
    let transition = msg::Transition { id, label: label.into() };
    TransitionDescription { transition, start_state, goal_state }
}

/// All states, with those in between.
pub fn all_states() -> Vec<msg::State> {
    let unknown = state((msg::State::PRIMARY_STATE_UNKNOWN, "unknown"));
    let primary = State::ALL.map(State::message);
    let between = [CONFIGURING, CLEANING_UP, SHUTTING_DOWN, ACTIVATING, DEACTIVATING, ERROR];
    [unknown].into_iter().chain(primary).chain(between.map(state)).collect()
}

/// All transitions, with those that a node makes by itself.
pub fn all_transitions() -> Vec<TransitionDescription> {
    let ends = |row: &Row| [row.end(Outcome::Success), row.end(Outcome::Failure), row.error()];
    let of_one = |row: &Row| [row.begin()].into_iter().chain(ends(row)).collect::<Vec<_>>();
    let (changes, shutdowns) = ROWS.split_at(4);
    let mut all: Vec<_> = changes.iter().flat_map(of_one).collect();
    all.extend(shutdowns.iter().map(Row::begin));
    all.extend(ends(&shutdowns[0]));
    let error = |id, label, goal: State| describe(id, label, state(ERROR), goal.message());
    all.push(error(T::TRANSITION_ON_ERROR_SUCCESS, SUCCESS, Unconfigured));
    all.push(error(T::TRANSITION_ON_ERROR_FAILURE, FAILURE, Finalized));
    all.push(error(T::TRANSITION_ON_ERROR_ERROR, FAULT, Finalized));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_id(id: u8) -> msg::Transition {
        msg::Transition { id, label: String::new() }
    }

    #[test]
    fn every_transition_starts_where_the_design_says_and_nowhere_else() {
        use Transition::{Activate, Cleanup, Configure, Deactivate, Shutdown};
        let table = [
            (Unconfigured, vec![(Configure, Inactive), (Shutdown, Finalized)]),
            (Inactive, vec![(Cleanup, Unconfigured), (Activate, Active), (Shutdown, Finalized)]),
            (Active, vec![(Deactivate, Inactive), (Shutdown, Finalized)]),
            (Finalized, vec![]),
        ];
        for (start, permitted) in table {
            for transition in [Configure, Cleanup, Activate, Deactivate, Shutdown] {
                let goal = permitted.iter().find(|(t, _)| *t == transition).map(|(_, goal)| *goal);
                assert_eq!(start.after(transition), goal, "{start:?} {transition:?}");
            }
            assert_eq!(start.transitions().len(), permitted.len());
        }
    }

    #[test]
    fn a_request_names_a_transition_by_label_or_number() {
        let labelled = |label: &str| msg::Transition { id: 0, label: label.into() };
        assert_eq!(Unconfigured.requested(&by_id(1)), Some(Transition::Configure));
        assert_eq!(Unconfigured.requested(&labelled("shutdown")), Some(Transition::Shutdown));
        assert_eq!(Inactive.requested(&by_id(6)), Some(Transition::Shutdown));
        assert_eq!(Inactive.requested(&by_id(5)), None, "that is the one of another state");
        assert_eq!(Active.requested(&labelled("activate")), None);
        // The number counts only without a label.
        let both = msg::Transition { id: 1, label: "shutdown".into() };
        assert_eq!(Unconfigured.requested(&both), Some(Transition::Shutdown));
        assert_eq!(Unconfigured.requested(&labelled("fly")), None);
    }

    /// The table of rcl_lifecycle 9.2.0 (ROS 2 Jazzy), as a program that links it printed it: number, label, start and goal.
    const RCL: [&str; 25] = [
        "1 configure 1>10",
        "10 transition_success 10>2",
        "11 transition_failure 10>1",
        "12 transition_error 10>15",
        "2 cleanup 2>11",
        "20 transition_success 11>1",
        "21 transition_failure 11>2",
        "22 transition_error 11>15",
        "3 activate 2>13",
        "30 transition_success 13>3",
        "31 transition_failure 13>2",
        "32 transition_error 13>15",
        "4 deactivate 3>14",
        "40 transition_success 14>2",
        "41 transition_failure 14>3",
        "42 transition_error 14>15",
        "5 shutdown 1>12",
        "6 shutdown 2>12",
        "7 shutdown 3>12",
        "50 transition_success 12>4",
        "51 transition_failure 12>4",
        "52 transition_error 12>15",
        "60 transition_success 15>1",
        "61 transition_failure 15>4",
        "62 transition_error 15>4",
    ];
    const RCL_STATES: [&str; 11] = [
        "0 unknown",
        "1 unconfigured",
        "2 inactive",
        "3 active",
        "4 finalized",
        "10 configuring",
        "11 cleaningup",
        "12 shuttingdown",
        "13 activating",
        "14 deactivating",
        "15 errorprocessing",
    ];

    #[test]
    fn the_graph_is_that_of_rcl() {
        let (states, transitions) = (all_states(), all_transitions());
        let in_words = |t: &TransitionDescription| {
            let msg::Transition { id, label } = &t.transition;
            format!("{id} {label} {}>{}", t.start_state.id, t.goal_state.id)
        };
        assert_eq!(transitions.iter().map(in_words).collect::<Vec<_>>(), RCL);
        let in_words = |s: &msg::State| format!("{} {}", s.id, s.label);
        assert_eq!(states.iter().map(in_words).collect::<Vec<_>>(), RCL_STATES);
        let known = |state: &msg::State| states.contains(state);
        assert!(transitions.iter().all(|t| known(&t.start_state) && known(&t.goal_state)));
        let steps = Inactive.steps(Transition::Activate, Outcome::Failure);
        let labels: Vec<_> = steps.iter().map(|s| s.goal_state.label.as_str()).collect();
        assert_eq!(labels, ["activating", "inactive"]);
        assert!(steps.iter().all(|step| transitions.contains(step)));
    }
}
