//! How far apart are these two, and when do they meet? Two posed shapes in, numbers with proven bounds out.

mod options;
mod result;

pub use options::{DepthMode, QueryOptions};
pub use result::{SignedDistance, SolveStatus, WarmStart};
