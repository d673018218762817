//! PLY files: vertices and faces, as text or binary of either byte order.
//!
//! The format is described in G. Turk, *The PLY polygon file format*, 1994: a header of lines lists elements, their number
//! and their properties; then the values of all elements follow in that order. Only `x`, `y` and `z` of `vertex` and the
//! corners of `face` are used; everything else is read past.

mod header;
mod values;

use header::{Element, Header, Property, ScalarType};
use smooth_scene_geometry::math::Vec3;
use values::Values;

/// What a PLY file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Ply {
    /// The vertices, in the units of the file. Coordinates may be NaN or infinite.
    pub vertices: Vec<Vec3>,
    /// The corners of triangles as numbers of vertices, each below the number of vertices. Faces with more corners are cut
    /// into fans. Empty for a point cloud.
    pub triangles: Vec<[u32; 3]>,
}

impl Ply {
    /// Reads a whole file. The reason for a refusal names the line or the element, and the value. Memory is taken for what
    /// the bytes can hold at most, whatever the header says.
    pub fn parse(bytes: &[u8], max_vertices: usize) -> Result<Self, String> {
        let (header, body) = Header::parse(bytes)?;
        let mut values = Values::new(&header, body);
        let mut ply = Ply { vertices: Vec::new(), triangles: Vec::new() };
        let mut has_vertices = false;
        for element in &header.elements {
            check_room(element, &values)?;
            match element.name.as_str() {
                "vertex" if has_vertices => return Err("element vertex appears twice".into()),
                "vertex" => {
                    has_vertices = true;
                    ply.vertices = vertices(element, &mut values, max_vertices)?;
                }
                "face" => faces(element, &mut values, max_vertices, &mut ply.triangles)?,
                _ => skip(element, &mut values)?,
            }
        }
        if !has_vertices {
            return Err("no element vertex".into());
        }
        let count = ply.vertices.len();
        let is_beyond = |triangle: &&[u32; 3]| triangle.iter().any(|&k| k as usize >= count);
        match ply.triangles.iter().find(is_beyond) {
            Some([a, b, c]) => Err(format!("face {a} {b} {c} of {count} vertices")),
            None => Ok(ply),
        }
    }
}

/// Refuses an element with more items than the rest of the file has room for.
fn check_room(element: &Element, values: &Values<'_>) -> Result<(), String> {
    let least = element.least_bytes(values.is_text());
    let room = values.bytes_left() as u64;
    // The last value of a text need not be followed by a space.
    let room = if values.is_text() { room + 1 } else { room };
    match (element.count as u64).checked_mul(least as u64) {
        Some(needed) if needed <= room => Ok(()),
        _ => Err(format!(
            "{} of element {} need at least {least} bytes each, but {} are left",
            element.count,
            element.name,
            values.bytes_left()
        )),
    }
}

fn vertices(
    element: &Element,
    values: &mut Values<'_>,
    max_vertices: usize,
) -> Result<Vec<Vec3>, String> {
    if element.count > max_vertices {
        return Err(format!("{} vertices, must be at most {max_vertices}", element.count));
    }
    let mut columns = [None; 3];
    for (column, name) in columns.iter_mut().zip(["x", "y", "z"]) {
        let is_named = |property: &Property| property.name == name && property.list.is_none();
        let found = element.properties.iter().position(is_named);
        *column = Some(found.ok_or_else(|| format!("element vertex has no property {name}"))?);
    }
    let mut points = Vec::with_capacity(element.count);
    for number in 0..element.count {
        let mut point = Vec3::zeros();
        for (index, property) in element.properties.iter().enumerate() {
            let place = || format!("vertex {number}, property {}", property.name);
            match columns.iter().position(|column| *column == Some(index)) {
                Some(axis) => point[axis] = values.scalar(property.value, &place)?,
                None => skip_property(property, values, &place)?,
            }
        }
        points.push(point);
    }
    Ok(points)
}

fn faces(
    element: &Element,
    values: &mut Values<'_>,
    max_vertices: usize,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), String> {
    let is_corners = |property: &Property| {
        property.list.is_some()
            && matches!(property.name.as_str(), "vertex_indices" | "vertex_index")
    };
    if !element.properties.iter().any(is_corners) && element.count > 0 {
        return Err("element face has no list vertex_indices".into());
    }
    let mut corners = Vec::new();
    for number in 0..element.count {
        for property in &element.properties {
            let place = || format!("face {number}, property {}", property.name);
            let Some(length) = property.list.filter(|_| is_corners(property)) else {
                skip_property(property, values, &place)?;
                continue;
            };
            corners.clear();
            for _ in 0..list_length(length, values, &place)? {
                corners.push(index(values.scalar(property.value, &place)?, &place)?);
            }
            if corners.len() < 3 {
                return Err(format!("{}: {} corners, must be 3 or more", place(), corners.len()));
            }
            if triangles.len() + corners.len() - 2 > max_vertices {
                return Err(format!("more than {max_vertices} triangles"));
            }
            triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
        }
    }
    Ok(())
}

/// The number of a vertex.
fn index(value: f64, place: &dyn Fn() -> String) -> Result<u32, String> {
    if value.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&value) {
        return Err(format!("{}: {value} is not the number of a vertex", place()));
    }
    Ok(value as u32)
}

fn list_length(
    length: ScalarType,
    values: &mut Values<'_>,
    place: &dyn Fn() -> String,
) -> Result<u32, String> {
    let count = values.scalar(length, place)?;
    if count.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&count) {
        return Err(format!("{}: {count} is not the length of a list", place()));
    }
    Ok(count as u32)
}

fn skip(element: &Element, values: &mut Values<'_>) -> Result<(), String> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for number in 0..element.count {
        for property in &element.properties {
            let place = || format!("{} {number}, property {}", element.name, property.name);
            skip_property(property, values, &place)?;
        }
    }
    Ok(())
}

fn skip_property(
    property: &Property,
    values: &mut Values<'_>,
    place: &dyn Fn() -> String,
) -> Result<(), String> {
    let count = match property.list {
        Some(length) => list_length(length, values, place)?,
        None => 1,
    };
    for _ in 0..count {
        values.scalar(property.value, place)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 4\nproperty uchar red\n\
        property float x\nproperty double y\nproperty float32 z\nelement face 1\n\
        property list uchar int vertex_indices\nproperty float area\nend_header\n\
        255 0 0 0\n7 1 0 0\n7 1 1 nan\n7 0 1 0.5\n4 0 1 2 3 9.5\n";

    fn parse(text: &str) -> Result<Ply, String> {
        Ply::parse(text.as_bytes(), 1000)
    }

    #[test]
    fn text_is_read_and_faces_become_fans() {
        let ply = parse(TEXT).unwrap();
        assert_eq!(ply.vertices[3], Vec3::new(0.0, 1.0, 0.5));
        assert!(ply.vertices[2].z.is_nan());
        assert_eq!(ply.triangles, [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn both_byte_orders_are_read() {
        for (format, little) in [("binary_little_endian", true), ("binary_big_endian", false)] {
            let mut bytes = format!(
                "ply\r\nformat {format} 1.0\r\nelement vertex 3\r\nproperty float x\r\nproperty double y\r\n\
                 property int16 z\r\nelement face 1\r\nproperty list uint8 uint32 vertex_index\r\nend_header\r\n"
            )
            .into_bytes();
            for (x, y, z) in [(1.5f32, -2.25f64, 7i16), (0.0, 1e-3, -8), (3.0, 0.0, 0)] {
                if little {
                    bytes.extend(x.to_le_bytes());
                    bytes.extend(y.to_le_bytes());
                    bytes.extend(z.to_le_bytes());
                } else {
                    bytes.extend(x.to_be_bytes());
                    bytes.extend(y.to_be_bytes());
                    bytes.extend(z.to_be_bytes());
                }
            }
            bytes.push(3);
            for k in [2u32, 0, 1] {
                bytes.extend(if little { k.to_le_bytes() } else { k.to_be_bytes() });
            }
            let ply = Ply::parse(&bytes, 10).unwrap();
            assert_eq!(ply.vertices[0], Vec3::new(1.5, -2.25, 7.0));
            assert_eq!(ply.vertices[1], Vec3::new(0.0, 1e-3, -8.0));
            assert_eq!(ply.triangles, [[2, 0, 1]]);
            let cut = Ply::parse(&bytes[..bytes.len() - 1], 10).unwrap_err();
            assert_eq!(cut, "face 0, property vertex_index: the file ends");
        }
    }

    #[test]
    fn refusals_name_place_and_value() {
        let change = |from: &str, to: &str| parse(&TEXT.replacen(from, to, 1)).unwrap_err();
        let cases = [
            (change("ply\n", "pl\n"), "line 1 is `pl`, must be `ply`"),
            (change("ascii", "utf8"), "line 2: format `utf8` is not known"),
            (change("vertex 4", "vertex -4"), "line 4: `-4` is not a number of elements"),
            (
                change("vertex 4", "vertex 400000000000"),
                "400000000000 of element vertex need at least 8 bytes each, but 52 are left",
            ),
            (change("float x", "float w"), "element vertex has no property x"),
            (change("uchar red", "byte red"), "line 5: type `byte` is not known"),
            (
                change("255 0", "255 zero"),
                "line 13: vertex 0, property x is `zero`, must be a number",
            ),
            (change("4 0 1 2 3", "4 0 1 2 4"), "face 0 2 4 of 4 vertices"),
            (
                change("4 0 1 2 3", "2 0 1"),
                "face 0, property vertex_indices: 2 corners, must be 3 or more",
            ),
            (
                change("4 0 1 2 3", "-4 0 1 2"),
                "face 0, property vertex_indices: -4 is not the length of a list",
            ),
            (change("0 1 2 3 9.5", "0 1 2"), "face 0, property vertex_indices: the file ends"),
            (change("end_header\n", ""), "line 12: `255` is not known"),
        ];
        for (found, expected) in cases {
            assert_eq!(found, expected);
        }
        assert_eq!(Ply::parse(TEXT.as_bytes(), 3).unwrap_err(), "4 vertices, must be at most 3");
    }

    #[test]
    fn every_cut_of_a_file_is_refused_or_whole() {
        let whole = parse(TEXT.trim_end()).unwrap();
        for end in 0..TEXT.trim_end().len() - 3 {
            assert!(parse(&TEXT[..end]).is_err(), "{}", &TEXT[..end]);
        }
        assert_eq!(whole.triangles.len(), 2);
    }
}
