//! Numbers that JSON can write.

use super::input_error::InputError;

/// Refuses an answer with a number in it that JSON cannot write: a `null` would hide that there is none.
pub(crate) fn finite<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> Result<(), InputError> {
    if numbers.into_iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(InputError("the solver found no finite answer".to_owned()))
}
