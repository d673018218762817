//! Why an SRDF was refused.

/// An SRDF that cannot be used: file, line, element, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SrdfError {
    /// The file cannot be read at all: it is not there, too large, or not text.
    #[error("{file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Longer than any SRDF.
    #[error("{file}: {bytes} bytes, must be at most {limit}")]
    TooLarge {
        /// The file.
        file: String,
        /// Its length.
        bytes: usize,
        /// The longest that is read.
        limit: usize,
    },
    /// Not well-formed XML, or XML with a document type, which is refused because entities can grow without bound.
    #[error("{file}:{line}: {reason}")]
    Xml {
        /// The file.
        file: String,
        /// Line of the fault.
        line: u32,
        /// What is wrong.
        reason: String,
    },
    /// The root element is another one.
    #[error("{file}:{line}: the root element is <{found}>, must be <robot>")]
    NotARobot {
        /// The file.
        file: String,
        /// Line of the element.
        line: u32,
        /// Name of the element.
        found: String,
    },
    /// An attribute is missing.
    #[error("{file}:{line}: <{element}> has no attribute `{attribute}`")]
    MissingAttribute {
        /// The file.
        file: String,
        /// Line of the element.
        line: u32,
        /// Name of the element.
        element: String,
        /// Name of the attribute.
        attribute: &'static str,
    },
    /// An attribute has a value that makes no sense.
    #[error("{file}:{line}: <{element}> {attribute} is \"{value}\", must be {expected}")]
    BadValue {
        /// The file.
        file: String,
        /// Line of the element.
        line: u32,
        /// Name of the element.
        element: String,
        /// Name of the attribute.
        attribute: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// Two groups, states or virtual joints of the same name.
    #[error("{file}:{line}: {kind} `{name}` is defined twice")]
    Duplicate {
        /// The file.
        file: String,
        /// Line of the second.
        line: u32,
        /// What it is.
        kind: &'static str,
        /// Its name.
        name: String,
    },
    /// A group contains itself.
    #[error("line {line}: group `{name}` contains itself: {}", ring.join(" → "))]
    GroupCycle {
        /// Line of the group.
        line: u32,
        /// The group.
        name: String,
        /// The groups on the way back to it.
        ring: Vec<String>,
    },
    /// The virtual joint does not fit the robot.
    #[error("line {line}: virtual_joint `{name}`: {reason}")]
    VirtualJoint {
        /// Line of the element.
        line: u32,
        /// Name of the joint.
        name: String,
        /// What is wrong.
        reason: String,
    },
}
