//! One input line → one question.

use super::input_error::InputError;
use super::shape_cache::ShapeCache;
use crate::geometry::Shape;
use crate::math::{Mat3, Pose};
use crate::robot::values::{Fields, Refusal, Value, read_matrix, read_pose};

/// A shape and where it is, or where it moves.
#[derive(Debug)]
pub(crate) struct Body {
    pub shape: Shape,
    /// Pose in the world, at t = 0 when the body moves.
    pub pose: Pose,
    /// Pose at t = 1 of a body that moves.
    pub to: Option<Pose>,
    /// The linear map of the shape at t = 1 of a body that is deformed; at t = 0 it is the identity.
    pub map_to: Option<Mat3>,
}

impl Body {
    /// Whether the body is another one at t = 1.
    pub fn changes(&self) -> bool {
        self.to.is_some() || self.map_to.is_some()
    }
}

/// The question of one line.
#[derive(Debug)]
pub(crate) struct Request {
    pub a: Body,
    pub b: Body,
}

/// How an answer refers to its question: what the user wrote, or the line number.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub(crate) enum RequestId {
    Text(String),
    Whole(i128),
    Number(f64),
}

impl From<u64> for RequestId {
    fn from(line_number: u64) -> Self {
        RequestId::Whole(line_number.into())
    }
}

/// Parses a line. The id is found even when the rest is wrong, as long as the line is a JSON object.
pub(crate) fn parse(
    line: &[u8],
    line_number: u64,
    shapes: &ShapeCache,
) -> (RequestId, Result<Request, InputError>) {
    let tree = match tree(line) {
        Ok(tree) => tree,
        Err(error) => return (line_number.into(), Err(error)),
    };
    let id = match &tree {
        Value::Map(entries) => entries.iter().find(|(name, _)| name == "id").map(|(_, id)| id),
        _ => None,
    };
    let id = match id {
        None => line_number.into(),
        Some(Value::Text(text)) => RequestId::Text(text.clone()),
        Some(Value::Whole(number)) => RequestId::Whole(*number),
        Some(Value::Number(number)) => RequestId::Number(*number),
        Some(other) => {
            let reason = format!("id: is {}, must be a string or a number", other.kind());
            return (line_number.into(), Err(InputError(reason)));
        }
    };
    (id, request(&tree, shapes).map_err(InputError::from))
}

/// The JSON value of a line. Nesting deeper than 128 is refused by `serde_json`, so no input exhausts the stack.
fn tree(line: &[u8]) -> Result<Value, InputError> {
    serde_json::from_slice(line).map_err(|error| {
        let text = error.to_string();
        // A request is a single line: its own number says more than the "line 1" of the parser.
        let reason = text.split(" at line ").next().expect("a split text has a first part");
        InputError(format!("not valid JSON: {reason} at column {}", error.column()))
    })
}

fn request(tree: &Value, shapes: &ShapeCache) -> Result<Request, Refusal> {
    if !matches!(tree, Value::Map(_)) {
        return Err(Refusal::new("", format!("the line is {}, must be an object", tree.kind())));
    }
    let fields = Fields::of("", tree, &["id", "a", "b"])?;
    let [a, b] = ["a", "b"].map(|name| body(name, fields.required(name)?, shapes));
    Ok(Request { a: a?, b: b? })
}

fn body(path: &str, value: &Value, shapes: &ShapeCache) -> Result<Body, Refusal> {
    let fields = Fields::of(path, value, &["shape", "pose", "to", "map_to"])?;
    let shape = shapes.read(&fields.path("shape"), fields.required("shape")?)?;
    let pose = |name: &str| {
        fields.optional(name).map(|pose| read_pose(&fields.path(name), pose)).transpose()
    };
    let map_to = fields.optional("map_to");
    Ok(Body {
        shape,
        pose: pose("pose")?.unwrap_or_else(Pose::identity),
        to: pose("to")?,
        map_to: map_to.map(|map| read_matrix(&fields.path("map_to"), map)).transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(line: &str) -> String {
        parse(line.as_bytes(), 1, &ShapeCache::default()).1.unwrap_err().to_string()
    }

    #[test]
    fn errors_name_the_path_and_the_kind() {
        let line = r#"{"a":{"shape":{"type":"ellipsoid","radii":[1,"x",3]}},"b":{}}"#;
        assert_eq!(error(line), "a.shape.radii[1]: is a string, must be a number");
    }

    #[test]
    fn deep_nesting_is_refused_and_does_not_exhaust_the_stack() {
        let nested = "[".repeat(1_000_000);
        assert_eq!(error(&nested), "not valid JSON: recursion limit exceeded at column 128");
    }

    #[test]
    fn an_id_comes_back_as_it_was_written() {
        for id in ["18446744073709551615", "-9223372036854775808", "0.1", "\"x\"", "7"] {
            let (found, _) =
                parse(format!("{{\"id\":{id}}}").as_bytes(), 1, &ShapeCache::default());
            assert_eq!(serde_json::to_string(&found).unwrap(), id);
        }
    }
}
