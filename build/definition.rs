//! Interface definitions, read from their text.

use std::fs;
use std::path::Path;

/// A message: a type of its own, or the request or response of a service.
pub struct Message {
    pub package: String,
    /// `msg` or `srv`.
    pub folder: &'static str,
    /// ROS name without package: `JointState`, `GetDistance_Request`.
    pub name: String,
    /// First comment of the file.
    pub comment: String,
    pub constants: Vec<Constant>,
    pub fields: Vec<Field>,
}

/// A service: its name. Request and response are messages.
pub struct Service {
    pub package: String,
    pub name: String,
}

pub struct Constant {
    /// As in the definition: `uint8`.
    pub primitive: String,
    pub name: String,
    pub value: String,
    pub comment: String,
}

pub struct Field {
    pub name: String,
    pub element: Element,
    pub shape: Shape,
    pub default: Option<String>,
    pub comment: String,
}

/// What a field, or an element of a list, is.
pub enum Element {
    /// `bool`, `float64`, `string`, …
    Primitive(String),
    /// A message of the folder `msg` of a package.
    Message { package: String, name: String },
}

pub enum Shape {
    Single,
    Array(usize),
    Sequence,
    BoundedSequence(usize),
}

const PRIMITIVES: [&str; 13] = [
    "bool", "byte", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float32", "float64", "string",
];

/// Everything on the wire, sorted by name: the standard types of the list, and the files in `msg/` and `srv/`.
pub fn read_all(root: &Path) -> (Vec<Message>, Vec<Service>) {
    let mut all = (Vec::new(), Vec::new());
    let list = root.join("src/interfaces/standard.txt");
    let text = read(&list);
    let sections = text.split("\n== ").skip(1);
    for section in sections {
        let (name, text) = section.split_once('\n').expect("a type has fields");
        add(name.trim(), text, &mut all);
    }
    for folder in ["msg", "srv"] {
        let path = root.join(folder);
        println!("cargo::rerun-if-changed={}", path.display());
        for entry in fs::read_dir(&path).expect("the folders msg/ and srv/ exist") {
            let file = entry.expect("a readable folder").path();
            if file.extension().is_some_and(|extension| extension == folder) {
                let stem = file.file_stem().and_then(|stem| stem.to_str()).expect("a plain name");
                add(&format!("smooth_scene/{folder}/{stem}"), &read(&file), &mut all);
            }
        }
    }
    all.0.sort_by_key(Message::type_name);
    all.1.sort_by_key(|service| (service.package.clone(), service.name.clone()));
    all
}

fn read(path: &Path) -> String {
    println!("cargo::rerun-if-changed={}", path.display());
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn add(type_name: &str, text: &str, (messages, services): &mut (Vec<Message>, Vec<Service>)) {
    let parts: Vec<&str> = type_name.split('/').collect();
    match parts[..] {
        [package, "msg", name] => messages.push(message(package, "msg", name.into(), text)),
        [package, "srv", name] => {
            let (request, response) = text.split_once("---").expect("a service has two parts");
            for (suffix, part) in [("Request", request), ("Response", response)] {
                messages.push(message(package, "srv", format!("{name}_{suffix}"), part));
            }
            services.push(Service { package: package.into(), name: name.into() });
        }
        _ => panic!("`{type_name}` is not the name of an interface"),
    }
}

fn message(package: &str, folder: &'static str, name: String, text: &str) -> Message {
    let (package, comment) = (package.to_owned(), String::new());
    let mut message =
        Message { package, folder, name, comment, constants: Vec::new(), fields: Vec::new() };
    for line in text.lines() {
        let (code, comment) = line.split_once('#').unwrap_or((line, ""));
        let (code, comment) = (code.trim(), comment.trim().to_owned());
        if code.is_empty() {
            if message.fields.is_empty() && message.constants.is_empty() && !comment.is_empty() {
                message.comment = comment;
            }
            continue;
        }
        let bad = || panic!("{}: cannot read `{line}`", message.type_name());
        let (ros_type, rest) = code.split_once(char::is_whitespace).unwrap_or_else(bad);
        let rest = rest.trim();
        if let Some((name, value)) = rest.split_once('=') {
            let (primitive, name, value) =
                (ros_type.into(), name.trim().into(), value.trim().into());
            message.constants.push(Constant { primitive, name, value, comment });
        } else {
            let mut words = rest.split_whitespace();
            let name = words.next().expect("the text after a type is not blank").to_owned();
            let default = words.next().map(str::to_owned);
            let (element, shape) = field_type(ros_type, &message.package);
            message.fields.push(Field { name, element, shape, default, comment });
        }
    }
    message
}

fn field_type(ros_type: &str, package: &str) -> (Element, Shape) {
    let (element, shape) = match ros_type.strip_suffix(']').and_then(|t| t.split_once('[')) {
        None => (ros_type, Shape::Single),
        Some((element, "")) => (element, Shape::Sequence),
        Some((element, length)) => match length.strip_prefix("<=") {
            Some(bound) => (element, Shape::BoundedSequence(number(bound))),
            None => (element, Shape::Array(number(length))),
        },
    };
    let element = if PRIMITIVES.contains(&element) {
        Element::Primitive(element.into())
    } else {
        let (package, name) = element.split_once('/').unwrap_or((package, element));
        Element::Message { package: package.into(), name: name.into() }
    };
    (element, shape)
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is not a length"))
}

impl Message {
    /// `sensor_msgs/msg/JointState`, `smooth_scene/srv/GetDistance_Request`.
    pub fn type_name(&self) -> String {
        format!("{}/{}/{}", self.package, self.folder, self.name)
    }
}
