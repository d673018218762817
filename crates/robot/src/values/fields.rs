//! The fields of a map, asked for by name.

use super::refusal::Refusal;
use super::value::Value;
use crate::text_file::quote;

/// Most fields of a map whose fields are known. No format has more than thirty, and looking for duplicates is quadratic.
const MAX_FIELDS: usize = 64;

/// The fields of a map, all of them known and none given twice.
#[derive(Debug)]
pub struct Fields<'v> {
    own_path: String,
    map: &'v [(String, Value)],
    known: Vec<&'static str>,
}

impl<'v> Fields<'v> {
    /// The fields of the map at `path`, which may have those in `known` and no others: a misspelt name must not pass for
    /// a default, and is named even when a required field is missing. The empty path is that of a line or document.
    pub fn of(path: &str, value: &'v Value, known: &[&'static str]) -> Result<Self, Refusal> {
        let fields =
            Self { own_path: path.into(), map: entries(path, value)?, known: known.into() };
        match fields.map.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            None => Ok(fields),
            Some((unknown, _)) => {
                let (unknown, known) = (quote(unknown), known.join(", "));
                let reason = format!("unknown field `{unknown}`, must be one of: {known}");
                Err(Refusal::new(path, reason))
            }
        }
    }

    /// The path of the map itself.
    pub fn own_path(&self) -> &str {
        &self.own_path
    }

    /// The path of a field.
    pub fn path(&self, name: &str) -> String {
        match self.own_path.as_str() {
            "" => name.into(),
            own_path => format!("{own_path}.{name}"),
        }
    }

    /// A field that may be missing.
    pub fn optional(&self, name: &str) -> Option<&'v Value> {
        assert!(self.known.contains(&name), "`{name}` is asked for and not among the known fields");
        self.map.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// A field that must be there.
    pub fn required(&self, name: &str) -> Result<&'v Value, Refusal> {
        self.optional(name)
            .ok_or_else(|| Refusal::new(&self.own_path, format!("field `{name}` is missing")))
    }

    /// A number that must be there.
    pub fn number(&self, name: &str) -> Result<f64, Refusal> {
        self.required(name)?.number(&self.path(name))
    }

    /// A string that must be there.
    pub fn text(&self, name: &str) -> Result<&'v str, Refusal> {
        self.required(name)?.text(&self.path(name))
    }

    /// A list of `count` numbers that must be there.
    pub fn number_list(&self, name: &str, count: usize) -> Result<Vec<f64>, Refusal> {
        self.required(name)?.number_list(&self.path(name), count)
    }
}

/// The entries of a map of fields, none of them given twice.
fn entries<'v>(path: &str, value: &'v Value) -> Result<&'v [(String, Value)], Refusal> {
    let Value::Map(entries) = value else {
        return Err(Refusal::new(path, format!("is {}, must be a map", value.kind())));
    };
    if entries.len() > MAX_FIELDS {
        let reason = format!("has {} fields, at most {MAX_FIELDS}", entries.len());
        return Err(Refusal::new(path, reason));
    }
    for (index, (name, _)) in entries.iter().enumerate() {
        if entries[..index].iter().any(|(earlier, _)| earlier == name) {
            return Err(Refusal::new(path, format!("`{}` appears twice", quote(name))));
        }
    }
    Ok(entries)
}
