//! Point clouds: reading them, finding superquadrics in them, and making objects of a scene of them.

mod error;
mod lzf;
mod pcd;
mod read;
mod xyz;

pub use error::CloudError;
pub use read::{CloudLimits, PointCloud};
