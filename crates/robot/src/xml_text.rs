//! What URDF and SRDF share as XML: opening text that comes from anywhere, and writing attribute values.

use roxmltree::{Document, Error, ParsingOptions};

/// Where the reader gave up, counted from one, and what it met there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct XmlFault {
    pub line: u32,
    pub column: u32,
    pub reason: String,
}

/// Reads the text. Document type definitions are refused, and with them every entity that could grow; the reader
/// works without recursion, so nesting costs memory only, which `max_nodes` bounds.
pub(super) fn open(text: &str, max_nodes: u32) -> Result<Document<'_>, XmlFault> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: max_nodes, ..Default::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let reason = match &error {
            Error::DtdDetected => "document type definitions are not accepted".into(),
            Error::NodesLimitReached => format!("more than {max_nodes} nodes"),
            other => without_position(&other.to_string()),
        };
        // Some errors come without their position.
        let (line, column) = match error {
            Error::DtdDetected => {
                position_in(text, text.find("<!DOCTYPE").expect("the reader has just met it"))
            }
            Error::UnclosedRootNode => position_in(text, text.len()),
            _ => (error.pos().row, error.pos().col),
        };
        XmlFault { line, column, reason }
    })
}

fn position_in(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset];
    let line = before.matches('\n').count() as u32 + 1;
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (line, before[line_start..].chars().count() as u32 + 1)
}

/// The message without the " at 3:14" at its end, which the place already says.
fn without_position(message: &str) -> String {
    match message.rsplit_once(" at ") {
        Some((reason, position)) if position.chars().all(|c| c.is_ascii_digit() || c == ':') => {
            reason.into()
        }
        _ => message.into(),
    }
}

/// A value as it stands between double quotes. Line breaks and tabs would be read back as spaces.
pub(super) fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '&' => text += "&amp;",
            '<' => text += "&lt;",
            '>' => text += "&gt;",
            '"' => text += "&quot;",
            '\n' | '\r' | '\t' => text += &format!("&#{};", c as u32),
            other => text.push(other),
        }
    }
    text
}
