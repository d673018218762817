//! What others are told about a type: its definition as recordings carry it, its hash, and its description.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::definition::{Element, FILLER, Field, Message, Shape, Source};
use crate::sha256;

/// Messages by type name.
pub type Index<'a> = BTreeMap<String, &'a Message>;

/// The definition with those of all types in it, in the form that MCAP calls `ros2msg`.
pub fn text(message: &Message, index: &Index) -> String {
    let mut text = own_text(message);
    for nested in nested_types(message, index) {
        let separator = "=".repeat(80);
        let short = format!("{}/{}", nested.package, nested.name);
        write!(text, "{separator}\nMSG: {short}\n{}", own_text(nested)).expect("memory");
    }
    text
}

fn own_text(message: &Message) -> String {
    let mut text = String::new();
    for constant in &message.constants {
        let (primitive, name, value) = (&constant.primitive, &constant.name, &constant.value);
        writeln!(text, "{primitive} {name}={value}").expect("memory");
    }
    for field in message.fields.iter().filter(|field| field.name != FILLER) {
        let element = match &field.element {
            Element::Primitive(name) => name.clone(),
            Element::BoundedString(bound) => format!("string<={bound}"),
            Element::Message { package, name, .. } => format!("{package}/{name}"),
        };
        let list = match field.shape {
            Shape::Single => String::new(),
            Shape::Array(length) => format!("[{length}]"),
            Shape::Sequence => "[]".into(),
            Shape::BoundedSequence(bound) => format!("[<={bound}]"),
        };
        writeln!(text, "{element}{list} {}", field.name).expect("memory");
    }
    text
}

/// All types in a message, each once, in the order in which fields name them.
fn nested_types<'a>(message: &Message, index: &Index<'a>) -> Vec<&'a Message> {
    fn visit<'a>(message: &Message, index: &Index<'a>, found: &mut Vec<&'a Message>) {
        for field in &message.fields {
            let Some(name) = nested_name(field) else { continue };
            let nested: &'a Message = index
                .get(&name)
                .unwrap_or_else(|| panic!("{}: nothing defines {name}", message.type_name()));
            if !found.iter().any(|known| std::ptr::eq(*known, nested)) {
                found.push(nested);
                visit(nested, index, found);
            }
        }
    }
    let mut found = Vec::new();
    visit(message, index, &mut found);
    found
}

fn nested_name(field: &Field) -> Option<String> {
    match &field.element {
        Element::Primitive(_) | Element::BoundedString(_) => None,
        Element::Message { package, folder, name } => Some(format!("{package}/{folder}/{name}")),
    }
}

/// The hash of REP 2016, by which ROS 2 tells versions of a type apart: SHA-256 of its description in JSON.
pub fn hash(message: &Message, index: &Index) -> String {
    let nested: Vec<String> =
        referenced(message, index).iter().map(|name| type_json(index[name])).collect();
    let description = format!(
        r#"{{"type_description": {}, "referenced_type_descriptions": [{}]}}"#,
        type_json(message),
        nested.join(", ")
    );
    format!("RIHS01_{}", sha256::hex_digest(description.as_bytes()))
}

/// The names of all types in a message, sorted.
fn referenced(message: &Message, index: &Index) -> BTreeSet<String> {
    nested_types(message, index).iter().map(|nested| nested.type_name()).collect()
}

fn type_json(message: &Message) -> String {
    let fields: Vec<String> = message.fields.iter().map(field_json).collect();
    format!(r#"{{"type_name": "{}", "fields": [{}]}}"#, message.type_name(), fields.join(", "))
}

fn field_json(field: &Field) -> String {
    let FieldType { id, capacity, string_capacity, nested } = field_type(field);
    format!(
        r#"{{"name": "{}", "type": {{"type_id": {id}, "capacity": {capacity}, "string_capacity": {string_capacity}, "nested_type_name": "{nested}"}}}}"#,
        field.name,
    )
}

/// `type_description_interfaces/msg/FieldType`.
struct FieldType {
    id: u8,
    capacity: usize,
    string_capacity: usize,
    nested: String,
}

fn field_type(field: &Field) -> FieldType {
    let (element, string_capacity) = match &field.element {
        Element::Message { .. } => (1, 0),
        Element::BoundedString(bound) => (21, *bound),
        Element::Primitive(name) => (primitive_id(name), 0),
    };
    let (list, capacity) = match field.shape {
        Shape::Single => (0, 0),
        Shape::Array(length) => (48, length),
        Shape::BoundedSequence(bound) => (96, bound),
        Shape::Sequence => (144, 0),
    };
    let nested = nested_name(field).unwrap_or_default();
    FieldType { id: element + list, capacity, string_capacity, nested }
}

/// The constant `Definition` of a type.
pub fn definition(message: &Message, index: &Index) -> String {
    let mut fields = String::new();
    for field in &message.fields {
        let FieldType { id, capacity, string_capacity, nested } = field_type(field);
        let (name, default) = (&field.name, default_text(field));
        writeln!(
            fields,
            "FieldDescription {{ name: {name:?}, type_id: {id}, capacity: {capacity}, \
             string_capacity: {string_capacity}, nested_type_name: {nested:?}, default_value: {default:?} }},"
        )
        .expect("memory");
    }
    let (encoding, raw) = match &message.source {
        Source::File(text) => (message.folder, text.as_str()),
        Source::Implicit => ("implicit", ""),
    };
    format!(
        "Definition {{\ntype_name: {:?},\ntext: {:?},\nhash: {:?},\nfields: &[{fields}],\n\
         referenced: &{:?},\nencoding: {encoding:?},\nsource: {raw:?},\n}}",
        message.type_name(),
        text(message, index),
        hash(message, index),
        referenced(message, index).iter().collect::<Vec<_>>(),
    )
}

/// The default value in the words of rosidl, which are those of Python.
fn default_text(field: &Field) -> String {
    let Some(value) = &field.default else { return String::new() };
    let bad = || -> ! { panic!("`{value}` is no value for `{}`", field.name) };
    match &field.element {
        Element::Primitive(name) if name.starts_with("float") => match value.parse::<f64>() {
            Ok(number) => format!("{number:?}"),
            Err(_) => bad(),
        },
        Element::Primitive(name) if name == "bool" => match value.as_str() {
            "true" => "True".into(),
            "false" => "False".into(),
            _ => bad(),
        },
        Element::Primitive(name) if name != "string" => value.clone(),
        _ => bad(),
    }
}

/// The number of a primitive type in `type_description_interfaces/msg/FieldType`.
fn primitive_id(name: &str) -> u8 {
    match name {
        "int8" => 2,
        "uint8" => 3,
        "int16" => 4,
        "uint16" => 5,
        "int32" => 6,
        "uint32" => 7,
        "int64" => 8,
        "uint64" => 9,
        "float32" => 10,
        "float64" => 11,
        "bool" => 15,
        "byte" => 16,
        "string" => 17,
        other => panic!("`{other}` is not a primitive type"),
    }
}
