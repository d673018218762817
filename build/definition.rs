//! Interface definitions, read from their text.

use std::fs;
use std::path::Path;

/// A message: a type of its own, or the request, response or event of a service. A service counts as one, too: ROS 2
/// describes it as a message of those three.
pub struct Message {
    pub package: String,
    /// `msg` or `srv`.
    pub folder: &'static str,
    /// ROS name without package: `JointState`, `GetDistance_Request`.
    pub name: String,
    /// First comment of the file.
    pub comment: String,
    pub source: Source,
    pub constants: Vec<Constant>,
    pub fields: Vec<Field>,
}

/// Where a type is written down.
pub enum Source {
    /// In a file of its own, with this text. The folder is also the name of the format.
    File(String),
    /// Nowhere: it follows from a service.
    Implicit,
}

/// A service. Request and response are messages of their own.
pub struct Service {
    pub package: String,
    pub name: String,
    /// What observers of calls receive.
    pub event: Message,
    /// The service itself.
    pub whole: Message,
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
    /// Text with at most this many bytes.
    BoundedString(usize),
    /// Another message. The folder is `msg`, or `srv` in what follows from a service.
    Message { package: String, folder: &'static str, name: String },
}

pub enum Shape {
    Single,
    Array(usize),
    Sequence,
    BoundedSequence(usize),
}

/// The field of a message that has none.
pub const FILLER: &str = "structure_needs_at_least_one_member";

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
        [package, "msg", name] => {
            let mut message = message(package, "msg", name.into(), text);
            message.source = Source::File(text.trim().to_owned() + "\n");
            messages.push(message);
        }
        [package, "srv", name] => {
            let (request, response) = text.split_once("---").expect("a service has two parts");
            for (suffix, part) in [("Request", request), ("Response", response)] {
                messages.push(message(package, "srv", format!("{name}_{suffix}"), part));
            }
            services.push(service(package, name, text));
        }
        _ => panic!("`{type_name}` is not the name of an interface"),
    }
}

/// What ROS 2 makes of a service beside its request and response.
fn service(package: &str, name: &str, text: &str) -> Service {
    let member = |name: String| Element::Message { package: package.into(), folder: "srv", name };
    let field = |name: &str, element, shape| Field {
        name: name.into(),
        element,
        shape,
        default: None,
        comment: String::new(),
    };
    let part = |suffix: &str| member(format!("{name}_{suffix}"));
    let info = Element::Message {
        package: "service_msgs".into(),
        folder: "msg",
        name: "ServiceEventInfo".into(),
    };
    let mut event = empty(package, "srv", format!("{name}_Event"));
    event.fields = vec![
        field("info", info, Shape::Single),
        field("request", part("Request"), Shape::BoundedSequence(1)),
        field("response", part("Response"), Shape::BoundedSequence(1)),
    ];
    let mut whole = empty(package, "srv", name.to_owned());
    whole.source = Source::File(text.trim().to_owned() + "\n");
    whole.fields = vec![
        field("request_message", part("Request"), Shape::Single),
        field("response_message", part("Response"), Shape::Single),
        field("event_message", part("Event"), Shape::Single),
    ];
    Service { package: package.into(), name: name.into(), event, whole }
}

fn empty(package: &str, folder: &'static str, name: String) -> Message {
    let (package, comment, source) = (package.to_owned(), String::new(), Source::Implicit);
    let (constants, fields) = (Vec::new(), Vec::new());
    Message { package, folder, name, comment, source, constants, fields }
}

fn message(package: &str, folder: &'static str, name: String, text: &str) -> Message {
    let mut message = empty(package, folder, name);
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
    if message.fields.is_empty() {
        // As rosidl does it: no message is without bytes.
        let (element, shape) = field_type("uint8", &message.package);
        let (name, default, comment) = (FILLER.to_owned(), None, String::new());
        message.fields.push(Field { name, element, shape, default, comment });
    }
    message
}

fn field_type(ros_type: &str, package: &str) -> (Element, Shape) {
    if let Some(bound) = ros_type.strip_prefix("string<=") {
        return (Element::BoundedString(number(bound)), Shape::Single);
    }
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
        Element::Message { package: package.into(), folder: "msg", name: name.into() }
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
