//! A robot as texts.

/// The texts that describe a robot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Description {
    pub urdf: String,
    /// `None` when it is not known whether there is one; empty when there is none.
    pub srdf: Option<String>,
    /// Surfaces beside the URDF; empty when there are none.
    pub surfaces: String,
}
