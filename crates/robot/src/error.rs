//! Why a robot could not be made.

/// A set of links and joints that is no robot: the names and values that are wrong, without file or line, which the
/// reader of the file adds.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A robot without links.
    #[error("the robot has no links")]
    NoLinks,
    /// Two links or two joints of the same name.
    #[error("{kind} `{name}` is defined twice")]
    DuplicateName {
        /// "link" or "joint".
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A joint refers to a link or joint that does not exist.
    #[error("joint `{joint}`: {role} `{name}` does not exist")]
    UnknownName {
        /// The joint that refers to it.
        joint: String,
        /// "parent link", "child link" or "mimicked joint".
        role: &'static str,
        /// The name that is not there.
        name: String,
    },
    /// A link is the child of two joints.
    #[error("link `{link}` is the child of both joint `{first}` and joint `{second}`")]
    TwoParents {
        /// The link.
        link: String,
        /// The joint that came first.
        first: String,
        /// The joint that came second.
        second: String,
    },
    /// Links that form a ring.
    #[error("the links {} form a ring", list(links))]
    Cycle {
        /// The links on the ring, each the parent of the next.
        links: Vec<String>,
    },
    /// More than one link has no parent.
    #[error("the robot falls apart: links {} have no parent, only one may", list(roots))]
    Disconnected {
        /// The links without parent.
        roots: Vec<String>,
    },
    /// A number of a joint that makes no sense.
    #[error("joint `{joint}`: {field} is {value}, must be {range}")]
    BadValue {
        /// The joint.
        joint: String,
        /// Which number.
        field: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        range: &'static str,
    },
    /// A coupling that cannot be followed to a joint that moves by itself.
    #[error("joint `{joint}`: {reason}")]
    BadMimic {
        /// The joint that mimics.
        joint: String,
        /// What is wrong.
        reason: String,
    },
}

/// Up to six names, quoted, and how many more there are.
fn list(names: &[String]) -> String {
    let mut text: Vec<String> = names.iter().take(6).map(|name| format!("`{name}`")).collect();
    if names.len() > 6 {
        text.push(format!("and {} more", names.len() - 6));
    }
    text.join(", ")
}

/// Numbers that are no state of the robot.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// Too many or too few numbers.
    #[error("{given} {what} given, must be {expected}")]
    WrongLength {
        /// "positions", "velocities", …
        what: &'static str,
        /// How many there have to be.
        expected: usize,
        /// How many there were.
        given: usize,
    },
    /// NaN or infinite.
    #[error("{what}[{index}] {}is {value}, must be finite", named(name))]
    NotFinite {
        /// "positions" or "velocities".
        what: &'static str,
        /// Place in the vector.
        index: usize,
        /// Name of the variable; empty where it has none.
        name: String,
        /// The number.
        value: f64,
    },
    /// A position so large that sums of such positions could overflow.
    #[error("joint `{joint}`: its position is {value:e}, must be between -{limit:e} and {limit:e}")]
    TooLarge {
        /// Name of the joint.
        joint: String,
        /// Its position, m or rad.
        value: f64,
        /// The largest one.
        limit: f64,
    },
    /// The rotation of a floating joint is not a unit quaternion.
    #[error("joint `{joint}`: the norm of its quaternion is {norm}, must be 1 ± 0.001")]
    BadQuaternion {
        /// The joint.
        joint: String,
        /// The norm.
        norm: f64,
    },
    /// A name that is no joint or variable of the robot, or not one that can be set.
    #[error("`{name}`: {reason}")]
    BadName {
        /// The name.
        name: String,
        /// Why it does not fit.
        reason: &'static str,
    },
    /// A joint that follows another was given a position of its own.
    #[error("joint `{joint}` follows `{leader}` and would be at {expected}, not at {given}")]
    MimicConflict {
        /// The joint that follows.
        joint: String,
        /// The joint it follows.
        leader: String,
        /// Where it is.
        expected: f64,
        /// Where it was said to be.
        given: f64,
    },
}

/// A name in brackets with a space behind it, or nothing.
fn named(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("(`{name}`) ") }
}
