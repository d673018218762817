//! A robot that is drawn: bones as strokes, joints between them, surfaces around them, and its URDF and SRDF.
//!
//! After the Multibody Sketcher of the thesis this project follows (sections 4.1 and 4.2). Everything that decides what is
//! written is here and knows nothing of the page, which sends strokes as points and draws what comes back.
//!
//! - `model`: nodes, bones, joints, surfaces. `edit` lists what can be done to them, one undoable step each.
//! - `stroke` makes a chain of bones of a stroke, `place` joins it to what there is, `ellipse` makes a surface of a closed stroke.
//! - `mirror` copies the left side to the right, `preset` has a finger, an arm and a humanoid.
//! - `tree` is the sketch as links and joints, `urdf` and `srdf` write it, `written` reads it back with our own reader.
//! - `pad` is a sketch with its history, `desk` shares it between the threads of a view, `message` is what the page is told.

mod desk;
mod edit;
mod ellipse;
mod message;
mod mirror;
mod model;
mod pad;
mod place;
mod preset;
mod srdf;
mod stroke;
mod surfaces;
mod tree;
mod urdf;
mod written;

pub(super) use desk::SketchDesk;
pub(super) use pad::SketchCommand;
