//! Point clouds: reading them, finding superquadrics in them, and making objects of a scene of them.

mod area;
mod closest;
mod error;
mod grid;
mod lzf;
mod mixture;
mod model;
mod object;
mod pcd;
mod plane;
mod read;
mod scene;
mod self_filter;
mod tuning;
mod xyz;

pub use closest::{ClosestFit, ClosestOptions, MIN_POINTS, NoFit, fit_closest};
pub use error::CloudError;
pub use object::FoundObject;
pub use plane::FoundPlane;
pub use read::{CloudLimits, PointCloud};
pub use scene::{FoundScene, FoundTable, SceneOptions, find_objects};
