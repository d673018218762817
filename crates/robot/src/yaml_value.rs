//! YAML values read in bounded memory, and their fields asked for by name: what is missing, unknown or of the wrong kind
//! is refused with its path.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::text_file::quote;

/// Most values of a file after its aliases are followed: ten times a robot of thousands of surfaces.
const MAX_VALUES: usize = 1_000_000;
/// The path of the value that is the whole file.
pub(super) const WHOLE_FILE: &str = "whole file";

/// Reads a file of one document.
pub(super) fn read(text: &str) -> Result<Value, Refusal> {
    ValueSeed(&Cell::new(MAX_VALUES))
        .deserialize(serde_yaml::Deserializer::from_str(text))
        .map_err(|error| Refusal::new(WHOLE_FILE, error.to_string()))
}

/// Reads a file of several documents, at most `max`.
pub(super) fn read_documents(text: &str, max: usize) -> Result<Vec<Value>, Refusal> {
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

/// What is wrong, and with which part of the file.
pub(super) struct Refusal {
    pub(super) path: String,
    pub(super) reason: String,
}

impl Refusal {
    pub(super) fn new(path: &str, reason: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into() }
    }
}

/// The fields of a map; those never asked for are refused at the end.
pub(super) struct Fields<'v> {
    own_path: &'v str,
    map: &'v [(String, Value)],
    asked: Vec<&'static str>,
}

impl<'v> Fields<'v> {
    pub(super) fn of(path: &'v str, value: &'v Value) -> Result<Self, Refusal> {
        match value {
            Value::Map(map) => Ok(Self { own_path: path, map, asked: Vec::new() }),
            other => Err(Refusal::new(path, format!("is {}, must be a map", other.kind()))),
        }
    }

    /// The path of the map itself.
    pub(super) fn own_path(&self) -> &'v str {
        self.own_path
    }

    pub(super) fn path(&self, name: &str) -> String {
        format!("{}.{name}", self.own_path)
    }

    pub(super) fn optional(&mut self, name: &'static str) -> Option<&'v Value> {
        self.asked.push(name);
        self.map.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub(super) fn required(&mut self, name: &'static str) -> Result<&'v Value, Refusal> {
        self.optional(name)
            .ok_or_else(|| Refusal::new(self.own_path, format!("field `{name}` is missing")))
    }

    pub(super) fn number(&mut self, name: &'static str) -> Result<f64, Refusal> {
        self.required(name)?.number(&self.path(name))
    }

    /// A list of as many numbers as asked for.
    pub(super) fn list(&mut self, name: &'static str, count: usize) -> Result<Vec<f64>, Refusal> {
        self.required(name)?.list(&self.path(name), count)
    }

    pub(super) fn finish(self) -> Result<(), Refusal> {
        match self.map.iter().find(|(key, _)| !self.asked.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, _)) => {
                let known = self.asked.join(", ");
                let reason = format!("unknown field `{}`, must be one of: {known}", quote(key));
                Err(Refusal::new(self.own_path, reason))
            }
        }
    }
}

/// A YAML value.
pub(super) enum Value {
    Null,
    Bool,
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl Value {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Null => "empty",
            Value::Bool => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }

    pub(super) fn number(&self, path: &str) -> Result<f64, Refusal> {
        match self {
            Value::Number(number) => Ok(*number),
            other => Err(Refusal::new(path, format!("is {}, must be a number", other.kind()))),
        }
    }

    pub(super) fn text(&self, path: &str) -> Result<&str, Refusal> {
        match self {
            Value::Text(text) => Ok(text),
            other => Err(Refusal::new(path, format!("is {}, must be text", other.kind()))),
        }
    }

    /// A list of as many numbers as asked for.
    pub(super) fn list(&self, path: &str, count: usize) -> Result<Vec<f64>, Refusal> {
        let Value::List(items) = self else {
            let reason = format!("is {}, must be a list of {count} numbers", self.kind());
            return Err(Refusal::new(path, reason));
        };
        if items.len() != count {
            let reason = format!("has {} entries, must have {count}", items.len());
            return Err(Refusal::new(path, reason));
        }
        let items = items.iter().enumerate();
        items.map(|(index, item)| item.number(&format!("{path}[{index}]"))).collect()
    }

    pub(super) fn numbers<const N: usize>(&self, path: &str) -> Result<[f64; N], Refusal> {
        let numbers = self.list(path, N)?;
        Ok(numbers.try_into().expect("a list of N numbers"))
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
        f.write_str("a map, a list, a number or text")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    /// A file without any value.
    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Value, E> {
        Ok(Value::Bool)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
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
        let mut names = std::collections::HashSet::new();
        while let Some(name) = access.next_key::<String>()? {
            if !names.insert(name.clone()) {
                let message = format!("`{}` appears twice", quote(&name));
                return Err(serde::de::Error::custom(message));
            }
            map.push((name, access.next_value_seed(self)?));
        }
        Ok(Value::Map(map))
    }
}
