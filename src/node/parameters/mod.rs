//! Parameters: declared once in a table, typed, ranged and described; bad values are refused with the reason.

mod services;
mod settings;
mod store;
mod table;
mod value;

pub use services::ParameterServer;
pub(super) use services::for_each_parameter_service;
pub use settings::Settings;
pub use store::Parameters;
pub use table::{Change, Declaration, Field, PARAMETERS};
pub use value::ParameterError;
