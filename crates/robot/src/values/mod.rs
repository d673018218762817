//! Files of YAML or JSON, read strictly: what is missing, unknown, given twice or of the wrong kind is refused with its
//! path.
//!
//! A text becomes a tree of [`Value`]s first and typed values second. [`Fields`] are asked for by name, [`read_shape`] and
//! [`read_pose`] read what all formats of this project share: surfaces of a robot, objects of a world, queries.

mod fields;
mod pose;
mod refusal;
mod shape;
mod shape_text;
mod value;

pub use fields::Fields;
pub use pose::{read_pose, read_position, read_rotation};
pub use refusal::Refusal;
pub use shape::{ShapeSet, read_matrix, read_shape, shapes_help};
pub use shape_text::{pose_text, quoted_text, shape_text};
pub use value::{Value, WHOLE_FILE, load_yaml, read_yaml, read_yaml_documents};
