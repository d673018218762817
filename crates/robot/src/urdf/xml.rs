//! Text → elements that know where they stand; nothing interpreted.

use std::ops::Range;

use roxmltree::{Document, Node};

use super::error::{Place, UrdfError};
use crate::text_file::quote;
use crate::xml_text::{self, XmlFault};

/// The namespace of the surface elements.
pub const SURFACE_NAMESPACE: &str = "urn:smooth-scene:scs:1";

/// Reads the text; see [`xml_text::open`].
pub(super) fn parse<'a>(
    text: &'a str,
    file: &str,
    max_nodes: u32,
) -> Result<Document<'a>, UrdfError> {
    xml_text::open(text, max_nodes).map_err(|fault| {
        let XmlFault { line, column, reason } = fault;
        UrdfError::Xml { place: Place { file: file.into(), line, column }.into(), reason }
    })
}

/// Whether the file has elements of xacro, which a URDF does not have after it was expanded. A namespace that is declared
/// and not used is left over from xacro itself.
pub(super) fn has_xacro(document: &Document<'_>) -> bool {
    let spaces = document.descendants().filter_map(|node| node.tag_name().namespace());
    spaces.into_iter().any(|space| space.ends_with("wiki/xacro"))
}

/// An element of a file.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    node: Node<'a, 'a>,
    file: &'a str,
}

impl<'a> Element<'a> {
    pub(super) fn root(document: &'a Document<'a>, file: &'a str) -> Self {
        Self { node: document.root_element(), file }
    }

    /// The name without prefix.
    pub(super) fn name(&self) -> &'a str {
        self.node.tag_name().name()
    }

    /// Whether it is an element of the URDF format, which has no namespaces: the name has no prefix.
    pub(super) fn is_plain(&self) -> bool {
        let text = self.node.document().input_text();
        let after = &text[self.range().start + 1..];
        after.starts_with(self.name()) && !after[self.name().len()..].starts_with(':')
    }

    /// Whether it is one of our surface elements, under whatever prefix.
    pub(super) fn is_in_surface_namespace(&self) -> bool {
        self.node.tag_name().namespace() == Some(SURFACE_NAMESPACE)
    }

    /// The elements directly below.
    pub(super) fn children(&self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let file = self.file;
        self.node.children().filter(Node::is_element).map(move |node| Element { node, file })
    }

    /// The elements of this name directly below.
    pub(super) fn children_named(
        &self,
        name: &'a str,
    ) -> impl Iterator<Item = Element<'a>> + use<'a> {
        self.children().filter(move |child| child.is_plain() && child.name() == name)
    }

    /// The bytes it occupies in the file.
    pub(super) fn range(&self) -> Range<usize> {
        self.node.range()
    }

    /// The prefixes bound to namespaces here.
    pub(super) fn prefixes(&self) -> Vec<(&'a str, &'a str)> {
        let bound = self.node.namespaces();
        bound.filter_map(|space| Some((space.name()?, space.uri()))).collect()
    }

    /// Where it begins. Costs a pass over the file: for messages only.
    pub(super) fn place(&self) -> Place {
        self.place_of(self.range().start)
    }

    fn place_of(&self, offset: usize) -> Place {
        let position = self.node.document().text_pos_at(offset);
        Place { file: self.file.into(), line: position.row, column: position.col }
    }

    /// The element as it is called in messages: with its name, or that of the link or joint it belongs to.
    pub(super) fn label(&self) -> String {
        let named = |node: &Node| {
            let name = quote(node.attribute("name")?);
            Some(format!("<{} name=\"{name}\">", node.tag_name().name()))
        };
        if let Some(label) = named(&self.node) {
            return label;
        }
        let own = format!("<{}>", self.name());
        match self.node.ancestors().skip(1).find_map(|ancestor| named(&ancestor)) {
            Some(owner) => format!("{own} in {owner}"),
            None => own,
        }
    }

    /// The attribute without namespace of this name.
    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    /// The names of all attributes without namespace.
    pub(super) fn attribute_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.node.attributes().filter(|a| a.namespace().is_none()).map(|a| a.name())
    }

    pub(super) fn required(&self, name: &str) -> Result<&'a str, UrdfError> {
        self.attribute(name).ok_or_else(|| self.missing(name))
    }

    fn missing(&self, name: &str) -> UrdfError {
        self.error(format!("attribute `{name}` is missing"))
    }

    /// The numbers of an attribute, if it is there.
    pub(super) fn numbers<const N: usize>(
        &self,
        name: &str,
    ) -> Result<Option<[f64; N]>, UrdfError> {
        let Some(text) = self.attribute(name) else { return Ok(None) };
        let mut numbers = [0.0; N];
        let mut words = text.split_ascii_whitespace();
        for number in &mut numbers {
            let parsed = words.next().and_then(|word| word.parse::<f64>().ok());
            *number = parsed.ok_or_else(|| self.bad_attribute(name, count_of_numbers(N)))?;
        }
        match words.next() {
            Some(_) => Err(self.bad_attribute(name, count_of_numbers(N))),
            None => Ok(Some(numbers)),
        }
    }

    /// As many numbers as asked for, of an attribute that must be there.
    pub(super) fn required_list(&self, name: &str, count: usize) -> Result<Vec<f64>, UrdfError> {
        let words = self.required(name)?.split_ascii_whitespace();
        let numbers: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
        let numbers = numbers.filter(|numbers| numbers.len() == count);
        numbers.ok_or_else(|| self.bad_attribute(name, count_of_numbers(count)))
    }

    /// The numbers of an attribute that must be there.
    pub(super) fn required_numbers<const N: usize>(
        &self,
        name: &str,
    ) -> Result<[f64; N], UrdfError> {
        self.numbers(name)?.ok_or_else(|| self.missing(name))
    }

    /// The numbers of an attribute, if it is there, each finite and no farther from zero than `limit`.
    pub(super) fn bounded_numbers<const N: usize>(
        &self,
        name: &str,
        limit: f64,
    ) -> Result<Option<[f64; N]>, UrdfError> {
        let numbers: Option<[f64; N]> = self.numbers(name)?;
        match numbers {
            Some(numbers) if !numbers.iter().all(|x| x.abs() <= limit) => {
                let each = if N == 1 { "" } else { ", each" };
                let range = format!("{}{each} within {limit:e} of zero", count_of_numbers(N));
                Err(self.bad_attribute(name, range))
            }
            other => Ok(other),
        }
    }

    pub(super) fn bad_attribute(&self, name: &str, range: impl Into<String>) -> UrdfError {
        let attribute = self.node.attribute_node(name);
        UrdfError::Attribute {
            place: self.place_of(attribute.map_or(self.range().start, |a| a.range().start)).into(),
            element: self.label(),
            attribute: name.into(),
            value: quote(attribute.map_or("", |a| a.value())),
            range: range.into(),
        }
    }

    pub(super) fn error(&self, reason: impl Into<String>) -> UrdfError {
        UrdfError::Element {
            place: self.place().into(),
            element: self.label(),
            reason: reason.into(),
        }
    }
}

fn count_of_numbers(count: usize) -> String {
    match count {
        1 => "a number".to_owned(),
        2 => "two numbers".to_owned(),
        3 => "three numbers".to_owned(),
        4 => "four numbers".to_owned(),
        6 => "six numbers".to_owned(),
        more => format!("{more} numbers"),
    }
}
