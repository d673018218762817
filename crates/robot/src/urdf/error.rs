//! Why a robot description could not be read or written.

use std::fmt;

use crate::ModelError;
use crate::mesh::MeshError;
use smooth_scene_geometry::ShapeError;

/// A place in a file, counted from one, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as the caller named it.
    pub file: String,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A robot description that cannot be used: where, which element, what is wrong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum UrdfError {
    /// The file cannot be read at all: it is not there, too large, or not text.
    #[error("{file}: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A template, not a robot description.
    #[error(
        "{file}: is a xacro file, not a URDF: expand it first, as in `xacro robot.urdf.xacro > robot.urdf`"
    )]
    Xacro {
        /// The file.
        file: String,
    },
    /// The text is not XML, or uses a part of XML that is refused (document type definitions).
    #[error("{place}: not usable as XML: {reason}")]
    Xml {
        /// Where the reader gave up.
        place: Box<Place>,
        /// What it met there.
        reason: String,
    },
    /// An element that is missing, superfluous or unknown.
    #[error("{place}: {element}: {reason}")]
    Element {
        /// Where the element begins.
        place: Box<Place>,
        /// The element, with the name it or its parent has.
        element: String,
        /// What is wrong.
        reason: String,
    },
    /// An attribute whose value cannot be used.
    #[error("{place}: {element}: {attribute} is \"{value}\", must be {range}")]
    Attribute {
        /// Where the attribute stands.
        place: Box<Place>,
        /// The element.
        element: String,
        /// The attribute.
        attribute: String,
        /// Its value.
        value: String,
        /// What it may be.
        range: String,
    },
    /// Numbers that describe no shape.
    #[error("{place}: {element}: {source}")]
    Shape {
        /// Where the element begins.
        place: Box<Place>,
        /// The element.
        element: String,
        /// What is wrong with the numbers.
        source: ShapeError,
    },
    /// A mesh that cannot be used.
    #[error("{place}: {element}: mesh {source}")]
    Mesh {
        /// Where the element begins.
        place: Box<Place>,
        /// The element.
        element: String,
        /// What is wrong with the mesh.
        source: Box<MeshError>,
    },
    /// Links and joints that form no robot.
    #[error("{place}: {source}")]
    Model {
        /// The element at fault.
        place: Box<Place>,
        /// What is wrong.
        source: ModelError,
    },
    /// The sidecar file does not fit its format or the robot.
    #[error("{file}: {path}: {reason}")]
    Sidecar {
        /// The sidecar file.
        file: String,
        /// Link, surface and field.
        path: String,
        /// What is wrong.
        reason: String,
    },
}

/// Something in a file that was not used, or was given a meaning the file does not state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Where; `None` for what has no place in the file.
    pub place: Option<Place>,
    /// What.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// A change to a document that cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// No link of this name.
    #[error("link `{link}` is not in the document")]
    UnknownLink {
        /// The name.
        link: String,
    },
    /// A link has fewer collisions.
    #[error("link `{link}` has {count} collisions, there is none with index {index}")]
    UnknownCollision {
        /// The link.
        link: String,
        /// The index asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The same part of the document is changed twice.
    #[error("link `{link}` is changed twice")]
    ChangedTwice {
        /// The link.
        link: String,
    },
    /// The kind of shape has no form in a URDF.
    #[error("link `{link}`: a {kind} cannot be written to a URDF")]
    NoForm {
        /// The link.
        link: String,
        /// The kind of shape.
        kind: &'static str,
    },
}
