//! Messages as text.

use serde::Serialize;

/// A message as text. Our messages have text keys only, so that writing them cannot fail; numbers that are not finite
/// become `null`.
pub(super) fn json(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("our messages have text keys only")
}
