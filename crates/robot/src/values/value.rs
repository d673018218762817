//! Trees of YAML or JSON values, read in bounded memory.

use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::refusal::Refusal;
use crate::text_file::{self, quote};

/// Most values of a YAML file after its aliases are followed: ten times a robot of thousands of surfaces.
const MAX_VALUES: usize = 1_000_000;
/// The path of the value that is the whole file.
pub const WHOLE_FILE: &str = "whole file";

/// Reads a YAML file of one document and at most so many bytes.
pub fn load_yaml(path: &Path, max_bytes: u64) -> Result<Value, Refusal> {
    let text = text_file::read(path, max_bytes).map_err(|reason| Refusal::new("", reason))?;
    read_yaml(&text)
}

/// Reads a YAML text of one document.
pub fn read_yaml(text: &str) -> Result<Value, Refusal> {
    ValueSeed(&Cell::new(MAX_VALUES))
        .deserialize(serde_yaml::Deserializer::from_str(text))
        .map_err(|error| Refusal::new(WHOLE_FILE, error.to_string()))
}

/// Reads a YAML text of several documents, at most `max`.
pub fn read_yaml_documents(text: &str, max: usize) -> Result<Vec<Value>, Refusal> {
    let budget = Cell::new(MAX_VALUES);
    let mut documents = Vec::new();
    for document in serde_yaml::Deserializer::from_str(text) {
        if documents.len() == max {
            return Err(Refusal::new(WHOLE_FILE, format!("more than {max} documents")));
        }
        let value = ValueSeed(&budget).deserialize(document);
        documents.push(value.map_err(|error| Refusal::new(WHOLE_FILE, error.to_string()))?);
    }
    Ok(documents)
}

/// A value of YAML or JSON. Maps keep every entry in order, also those given twice: [`Fields`](super::Fields) and
/// [`entries`](Value::entries) refuse them.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without a fraction.
    Whole(i128),
    /// Any other number.
    Number(f64),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Names and values.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// What kind of value it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "empty",
            Value::Bool(_) => "a boolean",
            Value::Whole(_) | Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }

    fn expected(&self, path: &str, what: &str) -> Refusal {
        Refusal::new(path, format!("is {}, must be {what}", self.kind()))
    }

    /// The number at `path`.
    pub fn number(&self, path: &str) -> Result<f64, Refusal> {
        match self {
            Value::Number(number) => Ok(*number),
            Value::Whole(number) => Ok(*number as f64),
            other => Err(other.expected(path, "a number")),
        }
    }

    /// The string at `path`.
    pub fn text(&self, path: &str) -> Result<&str, Refusal> {
        match self {
            Value::Text(text) => Ok(text),
            other => Err(other.expected(path, "a string")),
        }
    }

    /// The boolean at `path`.
    pub fn boolean(&self, path: &str) -> Result<bool, Refusal> {
        match self {
            Value::Bool(value) => Ok(*value),
            other => Err(other.expected(path, "true or false")),
        }
    }

    /// The items of the list at `path`.
    pub fn items(&self, path: &str) -> Result<&[Value], Refusal> {
        match self {
            Value::List(items) => Ok(items),
            other => Err(other.expected(path, "a list")),
        }
    }

    /// Each item of the list at `path` with its own path.
    pub fn each_item<'v>(
        &'v self,
        path: &str,
    ) -> Result<impl ExactSizeIterator<Item = (String, &'v Value)> + use<'v>, Refusal> {
        let (items, path) = (self.items(path)?.iter().enumerate(), path.to_owned());
        Ok(items.map(move |(index, item)| (format!("{path}[{index}]"), item)))
    }

    /// The entries of the map at `path`, whose names are the user's own.
    pub fn entries(&self, path: &str) -> Result<&[(String, Value)], Refusal> {
        let Value::Map(entries) = self else { return Err(self.expected(path, "a map")) };
        let mut names = HashSet::with_capacity(entries.len());
        match entries.iter().find(|(name, _)| !names.insert(name)) {
            None => Ok(entries),
            Some((twice, _)) => {
                Err(Refusal::new(path, format!("`{}` appears twice", quote(twice))))
            }
        }
    }

    /// The list of `count` numbers at `path`.
    pub fn number_list(&self, path: &str, count: usize) -> Result<Vec<f64>, Refusal> {
        let Value::List(items) = self else {
            return Err(self.expected(path, &format!("a list of {count} numbers")));
        };
        if items.len() != count {
            let reason = format!("has {} entries, must have {count}", items.len());
            return Err(Refusal::new(path, reason));
        }
        let number = |(index, item): (usize, &Value)| match item {
            Value::Whole(_) | Value::Number(_) => item.number(path),
            other => Err(other.expected(&format!("{path}[{index}]"), "a number")),
        };
        items.iter().enumerate().map(number).collect()
    }

    /// The list of N numbers at `path`.
    pub fn numbers<const N: usize>(&self, path: &str) -> Result<[f64; N], Refusal> {
        let numbers = self.number_list(path, N)?;
        Ok(numbers.try_into().expect("a list of N numbers"))
    }
}

/// Without a bound: for formats without aliases, whose values are bounded by the length of the text.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        ValueSeed(&Cell::new(usize::MAX)).deserialize(deserializer)
    }
}

/// Reads a value while counting: aliases of aliases would otherwise grow without bound.
#[derive(Clone, Copy)]
struct ValueSeed<'b>(&'b Cell<usize>);

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.0.get();
        if left == 0 {
            let message = format!("more than {MAX_VALUES} values");
            return Err(serde::de::Error::custom(message));
        }
        self.0.set(left - 1);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map, a list, a number or a string")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    /// A file without any value.
    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Whole(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Whole(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some(name) = access.next_key::<String>()? {
            map.push((name, access.next_value_seed(self)?));
        }
        Ok(Value::Map(map))
    }
}
