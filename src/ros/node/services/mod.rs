//! One file per service: request in, response out.

mod get_distance;
mod question;

pub use get_distance::GetDistance;
