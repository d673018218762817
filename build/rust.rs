//! Messages as Rust: a struct, its constants, its encoding, its description.

use std::fmt::Write;

use crate::definition::{Constant, Element, FILLER, Field, Message, Service, Shape};
use crate::description::{self, Index};

const IMPORTS: &str = "use crate::cdr::{Decode, Encode, Fault, Reader, Writer};\n\
                       #[allow(unused_imports, reason = \"not every package has services\")]\n\
                       use crate::interfaces::{Definition, FieldDescription, Message, ServiceType};\n";

/// The source of all modules `package::msg` and `package::srv`.
pub fn modules(messages: &[Message], services: &[Service]) -> String {
    let of_services = services.iter().flat_map(|service| [&service.event, &service.whole]);
    let all = messages.iter().chain(of_services);
    let index: Index = all.map(|message| (message.type_name(), message)).collect();
    let mut source = String::new();
    let packages = messages.iter().map(|message| message.package.as_str());
    let mut packages: Vec<&str> = packages.collect();
    packages.dedup();
    for package in packages {
        let of = |folder: &'static str| {
            messages.iter().filter(move |m| m.package == package && m.folder == folder)
        };
        write!(source, "/// Interfaces of `{package}`.\npub mod {package} {{\n").expect("memory");
        for (folder, what) in [("msg", "Messages"), ("srv", "Services")] {
            let mut content: String = of(folder).map(|message| item(message, &index)).collect();
            if folder == "srv" {
                let own = services.iter().filter(|service| service.package == package);
                content.extend(
                    own.map(|service| {
                        item(&service.event, &index) + &service_item(service, &index)
                    }),
                );
            }
            if !content.is_empty() {
                write!(
                    source,
                    "/// {what} of `{package}`.\npub mod {folder} {{\n{IMPORTS}{content}}}\n"
                )
                .expect("memory");
            }
        }
        source.push_str("}\n");
    }
    source + &visitor(messages) + &definitions(messages, services)
}

/// Calls a visitor with every message type.
fn visitor(messages: &[Message]) -> String {
    let mut source = String::from(
        "/// Shows every message type to a visitor, sorted by name.\n\
         pub fn for_each_message(visitor: &mut impl MessageVisitor) {\n",
    );
    for message in messages {
        writeln!(source, "visitor.visit::<{}>();", path(message)).expect("memory");
    }
    source + "}\n"
}

/// The definitions of all types.
fn definitions(messages: &[Message], services: &[Service]) -> String {
    let mut source = String::from(
        "/// All types, in no particular order.\n\
         static DEFINITIONS: &[&Definition] = &[\n",
    );
    for message in messages {
        writeln!(source, "&<{} as Message>::DEFINITION,", path(message)).expect("memory");
    }
    for Service { package, name, .. } in services {
        let service = format!("{package}::srv::{name}");
        writeln!(source, "&<{service} as ServiceType>::DEFINITION,").expect("memory");
        writeln!(source, "&<{service}Event as Message>::DEFINITION,").expect("memory");
    }
    source + "];\n"
}

/// Where the struct of a message is, from the module of all interfaces.
fn path(message: &Message) -> String {
    format!("{}::{}::{}", message.package, message.folder, struct_name(message))
}

/// Rust names have no underscore: `GetDistanceRequest`.
fn struct_name(message: &Message) -> String {
    message.name.replace('_', "")
}

fn service_item(service: &Service, index: &Index) -> String {
    let Service { package, name, whole, .. } = service;
    format!(
        "/// The service type `{package}/srv/{name}`.\n\
         #[derive(Debug, Clone, Copy)]\n\
         pub enum {name} {{}}\n\
         impl ServiceType for {name} {{\n\
         type Request = {name}Request;\n\
         type Response = {name}Response;\n\
         type Event = {name}Event;\n\
         const DEFINITION: Definition = {};\n\
         fn event(info: crate::interfaces::service_msgs::msg::ServiceEventInfo, \
         request: Option<Self::Request>, response: Option<Self::Response>) -> Self::Event {{\n\
         {name}Event {{\n\
         info,\n\
         request: request.into_iter().collect(),\n\
         response: response.into_iter().collect(),\n}}\n}}\n}}\n",
        description::definition(whole, index),
    )
}

fn item(message: &Message, index: &Index) -> String {
    let (name, type_name) = (struct_name(message), message.type_name());
    let comment = doc(&message.comment);
    let constants: String = message.constants.iter().map(constant).collect();
    let constants = match constants.is_empty() {
        true => String::new(),
        false => format!("#[allow(missing_docs)]\nimpl {name} {{\n{constants}}}\n"),
    };
    let fields: String = message.fields.iter().map(field).collect();
    let has_defaults = message.fields.iter().any(|field| field.default.is_some());
    let derived = if has_defaults { "" } else { "Default, " };
    let default = if has_defaults { default_impl(message) } else { String::new() };
    format!(
        "/// `{type_name}`.\n{comment}\
         #[derive(Debug, Clone, PartialEq, {derived}serde::Serialize, serde::Deserialize)]\n\
         #[allow(missing_docs)]\n\
         pub struct {name} {{\n{fields}}}\n{constants}{default}{}{}",
        encoding(message),
        message_impl(message, index)
    )
}

fn doc(comment: &str) -> String {
    match comment {
        "" => String::new(),
        // Brackets are intervals, not links.
        comment => format!("///\n/// {}\n", comment.replace('[', "\\[").replace('<', "\\<")),
    }
}

fn constant(constant: &Constant) -> String {
    let Constant { primitive, name, value, comment } = constant;
    let comment = doc(comment).replacen("///\n", "", 1);
    format!("{comment}pub const {name}: {} = {value};\n", rust_primitive(primitive))
}

fn field(field: &Field) -> String {
    let comment = doc(&field.comment).replacen("///\n", "", 1);
    let rename = match field.name.as_str() {
        "type" => "#[serde(rename = \"type\")]\n",
        // It says nothing, so it is not in JSON.
        FILLER => "#[serde(skip)]\n",
        _ => "",
    };
    format!("{comment}{rename}pub {}: {},\n", field_name(field), rust_type(field))
}

/// `type` is a keyword.
fn field_name(field: &Field) -> &str {
    if field.name == "type" { "type_" } else { &field.name }
}

fn rust_type(field: &Field) -> String {
    let element = match &field.element {
        Element::Primitive(name) => rust_primitive(name).to_owned(),
        // As `std_msgs` has a message of that name.
        Element::BoundedString(_) => "::std::string::String".to_owned(),
        Element::Message { package, folder, name } => {
            format!("crate::interfaces::{package}::{folder}::{}", name.replace('_', ""))
        }
    };
    match field.shape {
        Shape::Single => element,
        Shape::Array(length) => format!("[{element}; {length}]"),
        Shape::Sequence | Shape::BoundedSequence(_) => format!("Vec<{element}>"),
    }
}

fn rust_primitive(name: &str) -> &'static str {
    match name {
        "bool" => "bool",
        "byte" | "uint8" => "u8",
        "int8" => "i8",
        "int16" => "i16",
        "uint16" => "u16",
        "int32" => "i32",
        "uint32" => "u32",
        "int64" => "i64",
        "uint64" => "u64",
        "float32" => "f32",
        "float64" => "f64",
        // `std_msgs` has a message of that name.
        "string" => "::std::string::String",
        other => panic!("`{other}` is not a primitive type"),
    }
}

fn default_impl(message: &Message) -> String {
    let value = |field: &Field| match &field.default {
        None => format!("{}: Default::default(),\n", field_name(field)),
        Some(value) if rust_type(field).starts_with('f') => {
            format!("{}: {value} as {},\n", field_name(field), rust_type(field))
        }
        Some(value) => format!("{}: {value},\n", field_name(field)),
    };
    let values: String = message.fields.iter().map(value).collect();
    let name = struct_name(message);
    format!("impl Default for {name} {{\nfn default() -> Self {{\nSelf {{\n{values}}}\n}}\n}}\n")
}

fn encoding(message: &Message) -> String {
    let (mut least, mut write, mut read) = (Vec::new(), String::new(), String::new());
    for field in &message.fields {
        let name = field_name(field);
        least.push(format!("<{} as Decode>::MIN_BYTES", rust_type(field)));
        writeln!(write, "Encode::write(&self.{name}, writer);").expect("memory");
        writeln!(read, "{name}: Decode::read(reader)?,").expect("memory");
    }
    let (name, least) = (struct_name(message), least.join(" + "));
    format!(
        "impl Encode for {name} {{\n\
         fn write(&self, writer: &mut Writer) {{\n{write}}}\n}}\n\
         impl Decode for {name} {{\n\
         const MIN_BYTES: usize = {least};\n\
         fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {{\n\
         Ok(Self {{\n{read}}})\n}}\n}}\n"
    )
}

fn message_impl(message: &Message, index: &Index) -> String {
    format!(
        "impl Message for {} {{\nconst DEFINITION: Definition = {};\n}}\n",
        struct_name(message),
        description::definition(message, index)
    )
}
