//! Writing surfaces as a sidecar file (`robot_description_scs`).

use std::fmt::Write;

use crate::surface::FittedSurface;

/// The text of a sidecar: the surfaces of each link, which replace its collisions. `comment` becomes its first lines.
pub fn sidecar_text<'a>(
    comment: &str,
    links: impl IntoIterator<Item = (&'a str, &'a [FittedSurface])>,
) -> String {
    let mut text = String::new();
    for line in comment.lines() {
        line_of(&mut text, format_args!("# {line}"));
    }
    for (link, surfaces) in links {
        line_of(&mut text, format_args!("{}:", quoted(link)));
        for surface in surfaces {
            let numbers = surface.shape.named_numbers();
            let numbers = numbers.expect("every surface of a link is described by numbers");
            line_of(&mut text, format_args!("  - type: {}", numbers.kind.name));
            for (field, values) in numbers.iter() {
                let values =
                    if field.is_scalar() { format!("{:?}", values[0]) } else { list(values) };
                line_of(&mut text, format_args!("    {}: {values}", field.name));
            }
            let (xyz, rpy) = (list(&surface.xyz), list(&surface.rpy));
            line_of(&mut text, format_args!("    origin: {{xyz: {xyz}, rpy: {rpy}}}"));
        }
    }
    text
}

fn line_of(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string does not fail");
}

fn list(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    format!("[{}]", values.join(", "))
}

/// A name as a YAML string in double quotes.
fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => text += &format!("\\U{:08X}", c as u32),
            c => text.push(c),
        }
    }
    text + "\""
}
