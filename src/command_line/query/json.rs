//! JSON with the strictness a measurement needs: nothing unknown, nothing twice, and every complaint with its path.
//!
//! A line becomes a small tree first and typed values second, so that an error can name the place
//! (`a.shape.radii[1]`) and the `id` of a line with a bad field is still known.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Fields in one object before it is refused. No request has more than ten, and looking for duplicates is quadratic.
const MAX_FIELDS: usize = 64;

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct InputError(pub String);

/// A JSON value. Objects keep every field in order, duplicates included.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(serde_json::Number),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Parses one line. Nesting deeper than 128 is refused by `serde_json`, so no input exhausts the stack.
    pub fn parse(line: &[u8]) -> Result<Json, InputError> {
        serde_json::from_slice(line).map_err(|error| {
            let text = error.to_string();
            // A request is a single line: its own number says more than the "line 1" of the parser.
            let reason = text.split(" at line ").next().unwrap_or(&text);
            InputError(format!("not valid JSON: {reason} at column {}", error.column()))
        })
    }

    /// What kind of value this is, for messages.
    fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Number(_) => "a number",
            Json::Text(_) => "a string",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }

    fn expected(&self, path: &str, what: &str) -> InputError {
        InputError(format!("{path} is {}, must be {what}", self.kind()))
    }

    /// The number at `path`.
    pub fn number(&self, path: &str) -> Result<f64, InputError> {
        match self {
            Json::Number(number) => {
                Ok(number.as_f64().expect("without arbitrary precision a number is an f64"))
            }
            other => Err(other.expected(path, "a number")),
        }
    }

    /// The list of exactly `count` numbers at `path`.
    pub fn number_list(&self, path: &str, count: usize) -> Result<Vec<f64>, InputError> {
        let list = self.list(path)?;
        if list.len() != count {
            let found = list.len();
            return Err(InputError(format!("{path} has {found} numbers, must have {count}")));
        }
        let items = list.iter().enumerate();
        let number = |(index, item): (usize, &Json)| match item {
            Json::Number(_) => item.number(path),
            _ => Err(item.expected(&format!("{path}[{index}]"), "a number")),
        };
        items.map(number).collect()
    }

    /// The list of exactly N numbers at `path`.
    pub fn numbers<const N: usize>(&self, path: &str) -> Result<[f64; N], InputError> {
        let numbers = self.number_list(path, N)?;
        Ok(numbers.try_into().expect("a list of N numbers"))
    }

    /// The list at `path`.
    pub fn list(&self, path: &str) -> Result<&[Json], InputError> {
        match self {
            Json::List(list) => Ok(list),
            other => Err(other.expected(path, "a list")),
        }
    }

    /// The string at `path`.
    pub fn text(&self, path: &str) -> Result<&str, InputError> {
        match self {
            Json::Text(text) => Ok(text),
            other => Err(other.expected(path, "a string")),
        }
    }

    /// The boolean at `path`.
    pub fn boolean(&self, path: &str) -> Result<bool, InputError> {
        match self {
            Json::Bool(value) => Ok(*value),
            other => Err(other.expected(path, "true or false")),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json, E> {
        let number = serde_json::Number::from_f64(value);
        number.map(Json::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = access.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = access.next_entry()? {
            fields.push(field);
        }
        Ok(Json::Object(fields))
    }
}

/// The fields of one object. Reading a field marks it as known; [`finish`](Self::finish) complains about the rest.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    path: String,
    entries: &'a [(String, Json)],
    known: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// The fields of the object at `path`; the empty path is the line itself.
    pub fn of(value: &'a Json, path: &str) -> Result<Self, InputError> {
        let shown = if path.is_empty() { "the line" } else { path };
        let Json::Object(entries) = value else {
            return Err(value.expected(shown, "an object"));
        };
        if entries.len() > MAX_FIELDS {
            let count = entries.len();
            return Err(InputError(format!("{shown} has {count} fields, at most {MAX_FIELDS}")));
        }
        for (index, (name, _)) in entries.iter().enumerate() {
            if entries[..index].iter().any(|(earlier, _)| earlier == name) {
                return Err(InputError(format!("{} is given twice", join(path, name))));
            }
        }
        Ok(Self { path: path.to_owned(), entries, known: Vec::new() })
    }

    /// Path of this object.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Path of a field of this object.
    pub fn path_of(&self, name: &str) -> String {
        join(&self.path, name)
    }

    /// A field that may be missing.
    pub fn optional(&mut self, name: &'static str) -> Option<&'a Json> {
        self.known.push(name);
        self.entries.iter().find(|(entry, _)| entry == name).map(|(_, value)| value)
    }

    /// A field that must be there.
    pub fn required(&mut self, name: &'static str) -> Result<&'a Json, InputError> {
        let missing = InputError(format!("{} is missing", self.path_of(name)));
        self.optional(name).ok_or(missing)
    }

    /// A number that must be there.
    pub fn number(&mut self, name: &'static str) -> Result<f64, InputError> {
        self.required(name)?.number(&self.path_of(name))
    }

    /// A list of `count` numbers that must be there.
    pub fn number_list(
        &mut self,
        name: &'static str,
        count: usize,
    ) -> Result<Vec<f64>, InputError> {
        self.required(name)?.number_list(&self.path_of(name), count)
    }

    /// Refuses fields that nobody asked for: a misspelt name must not pass for a default.
    pub fn finish(self) -> Result<(), InputError> {
        for (name, _) in self.entries {
            if !self.known.contains(&name.as_str()) {
                let (path, known) = (join(&self.path, name), self.known.join(", "));
                return Err(InputError(format!("{path} is not a known field, known are: {known}")));
            }
        }
        Ok(())
    }
}

/// `name` below `path`. A name is the user's text: a long one is cut, so that an error line stays short.
fn join(path: &str, name: &str) -> String {
    let mut short: String = name.chars().take(40).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    if path.is_empty() { short } else { format!("{path}.{short}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_path_and_the_kind() {
        let tree = Json::parse(br#"{"a":{"radii":[1,"x",3]}}"#).unwrap();
        let mut line = Fields::of(&tree, "").unwrap();
        let mut a = Fields::of(line.required("a").unwrap(), "a").unwrap();
        let error = a.number_list("radii", 3).unwrap_err();
        assert_eq!(error.to_string(), "a.radii[1] is a string, must be a number");
    }

    #[test]
    fn deep_nesting_is_refused_and_does_not_exhaust_the_stack() {
        let error = Json::parse("[".repeat(1_000_000).as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "not valid JSON: recursion limit exceeded at column 128");
    }
}
