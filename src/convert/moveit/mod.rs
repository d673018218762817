//! Messages of MoveIt: objects, matrices, whole scenes.

pub mod contact;
pub mod matrix;
pub mod object;
pub mod scene;
pub mod shapes;
