//! The layout of a message struct, read off its `Deserialize`: names, order and types of all fields.

use serde::de::{self, DeserializeOwned, DeserializeSeed, SeqAccess, Visitor};
use serde_json::{Value, json};

/// The layout of `T` as JSON: `"float64"`, `["sequence", S]`, `["array", S, 3]` or `{"fields": [["name", S], …]}`.
pub fn schema<T: DeserializeOwned>() -> Value {
    let mut layout = Value::Null;
    T::deserialize(Reader(&mut layout)).expect("a struct of plain fields");
    layout
}

/// Gives every field a small value and writes down what was asked for.
struct Reader<'a>(&'a mut Value);

type Error = de::value::Error;

macro_rules! primitives {
    ($($method:ident $visit:ident $value:expr, $name:literal;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            *self.0 = json!($name);
            visitor.$visit($value)
        })*
    };
}

impl<'de> de::Deserializer<'de> for Reader<'_> {
    type Error = Error;

    primitives! {
        deserialize_bool visit_bool false, "bool";
        deserialize_i8 visit_i8 0, "int8";
        deserialize_i16 visit_i16 0, "int16";
        deserialize_i32 visit_i32 0, "int32";
        deserialize_i64 visit_i64 0, "int64";
        deserialize_u8 visit_u8 0, "uint8";
        deserialize_u16 visit_u16 0, "uint16";
        deserialize_u32 visit_u32 0, "uint32";
        deserialize_u64 visit_u64 0, "uint64";
        deserialize_f32 visit_f32 0.0, "float32";
        deserialize_f64 visit_f64 0.0, "float64";
        deserialize_str visit_str "", "string";
        deserialize_string visit_str "", "string";
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut element = Value::Null;
        let value = visitor.visit_seq(Elements { layout: &mut element, left: 1 })?;
        *self.0 = json!(["sequence", element]);
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, n: usize, visitor: V) -> Result<V::Value, Error> {
        let mut element = Value::Null;
        let value = visitor.visit_seq(Elements { layout: &mut element, left: n })?;
        *self.0 = json!(["array", element, n]);
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let mut fields = Vec::new();
        let value = visitor.visit_seq(Fields { names, fields: &mut fields })?;
        *self.0 = json!({ "fields": fields });
        Ok(value)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(de::Error::custom("a type that no message has"))
    }

    serde::forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf option unit unit_struct newtype_struct tuple_struct map enum identifier ignored_any
    }
}

struct Elements<'a> {
    layout: &'a mut Value,
    left: usize,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(Reader(self.layout)).map(Some)
    }
}

struct Fields<'a> {
    names: &'static [&'static str],
    fields: &'a mut Vec<Value>,
}

impl<'de> SeqAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        let Some(name) = self.names.get(self.fields.len()) else { return Ok(None) };
        let mut layout = Value::Null;
        let value = seed.deserialize(Reader(&mut layout))?;
        self.fields.push(json!([name, layout]));
        Ok(Some(value))
    }
}
