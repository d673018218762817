//! PCD files of the Point Cloud Library, version .7 and before: text, binary and compressed.
//!
//! A header of lines gives the fields of a point (name, size in bytes, type I, U or F, number of values), the number of
//! points and the kind of data. Binary data are the points one after the other, little endian; compressed data the same
//! numbers field by field, behind two lengths of 32 bits. `VIEWPOINT` is not applied, as in the library.

use std::collections::HashMap;

use super::lzf;
use smooth_scene_geometry::math::Vec3;

/// Longest header line, in bytes.
const MAX_LINE: usize = 10_000;
/// Most lines of a header.
const MAX_LINES: usize = 100;
/// Largest size of a point, in bytes.
const MAX_POINT: usize = 1 << 16;

/// A field of a point.
struct Field {
    name: String,
    size: usize,
    kind: u8,
    count: usize,
    /// Bytes before it in a point, and values before it.
    offset: usize,
    values_before: usize,
}

struct Header<'a> {
    fields: Vec<Field>,
    points: usize,
    data: &'a str,
    lines: usize,
}

/// The points of a file; coordinates may be NaN.
pub(super) fn parse(bytes: &[u8], max_points: usize) -> Result<Vec<Vec3>, String> {
    let (header, body) = Header::parse(bytes)?;
    if header.points > max_points {
        return Err(format!("{} points, must be at most {max_points}", header.points));
    }
    let axes = [header.axis("x")?, header.axis("y")?, header.axis("z")?];
    match header.data {
        "ascii" => header.text(axes, body),
        "binary" => {
            let size = header.point_size();
            let needed = header.points * size;
            if body.len() < needed {
                let (points, left) = (header.points, body.len());
                return Err(format!("{points} points of {size} bytes, but {left} bytes are left"));
            }
            let point =
                |bytes: &[u8]| Vec3::from(axes.map(|field| field.read(&bytes[field.offset..])));
            Ok(body[..needed].chunks_exact(size).map(point).collect())
        }
        "binary_compressed" => header.compressed(axes, body),
        other => {
            Err(format!("DATA `{other}` is not known, must be ascii, binary or binary_compressed"))
        }
    }
}

impl<'a> Header<'a> {
    fn parse(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), String> {
        let mut rest = bytes;
        let mut entries: HashMap<&str, (usize, Vec<&str>)> = HashMap::new();
        for number in 1..=MAX_LINES {
            let window = &rest[..rest.len().min(MAX_LINE)];
            let Some(end) = window.iter().position(|byte| *byte == b'\n') else {
                return Err(format!("line {number}: the header has no end"));
            };
            let line = std::str::from_utf8(&window[..end]);
            let line = line.map_err(|_| format!("line {number}: is not text"))?.trim();
            rest = &rest[end + 1..];
            let mut words = line.split_ascii_whitespace();
            let Some(keyword) = words.next().filter(|word| !word.starts_with('#')) else {
                continue;
            };
            let words: Vec<&str> = words.collect();
            if entries.insert(keyword, (number, words)).is_some() {
                return Err(format!("line {number}: {keyword} appears twice"));
            }
            if keyword == "DATA" {
                return Ok((Self::of(&entries, number)?, rest));
            }
        }
        Err(format!("no DATA in the first {MAX_LINES} lines"))
    }

    fn of(entries: &HashMap<&'a str, (usize, Vec<&'a str>)>, lines: usize) -> Result<Self, String> {
        let words = |name: &str| {
            let found = entries.get(name).ok_or_else(|| format!("the header has no {name}"));
            found.map(|(line, words)| (*line, words.as_slice()))
        };
        let number = |line: usize, word: &str| {
            word.parse::<usize>()
                .map_err(|_| format!("line {line}: `{word}`, must be a whole number"))
        };
        let (_, names) = words("FIELDS")?;
        let column = |name: &str| {
            let (line, words) = words(name)?;
            match words.len() == names.len() {
                true => Ok((line, words)),
                false => Err(format!(
                    "line {line}: {name} has {} entries for {} fields",
                    words.len(),
                    names.len()
                )),
            }
        };
        let (size_line, sizes) = column("SIZE")?;
        let (type_line, kinds) = column("TYPE")?;
        let counts = entries.contains_key("COUNT").then(|| column("COUNT")).transpose()?;
        let mut fields = Vec::new();
        let (mut offset, mut values_before) = (0, 0);
        for (index, name) in names.iter().enumerate() {
            let size = number(size_line, sizes[index])?;
            let kind = match (kinds[index], size) {
                ("I" | "U", 1 | 2 | 4 | 8) | ("F", 4 | 8) => kinds[index].as_bytes()[0],
                (kind, size) => {
                    return Err(format!(
                        "line {type_line}: field {name} is {kind} of {size} bytes"
                    ));
                }
            };
            let count = match counts {
                Some((line, counts)) => number(line, counts[index])?,
                None => 1,
            };
            fields.push(Field { name: (*name).into(), size, kind, count, offset, values_before });
            let end = size.checked_mul(count).and_then(|bytes| bytes.checked_add(offset));
            offset = end
                .filter(|end| *end <= MAX_POINT)
                .ok_or_else(|| format!("field {name}: a point has more than {MAX_POINT} bytes"))?;
            values_before += count;
        }
        let points = match entries.get("POINTS") {
            Some((line, words)) => number(*line, one(*line, "POINTS", words)?)?,
            None => {
                let dimension = |name| {
                    let (line, words) = words(name)?;
                    number(line, one(line, name, words)?)
                };
                let (width, height) = (dimension("WIDTH")?, dimension("HEIGHT")?);
                width.checked_mul(height).ok_or_else(|| format!("{width} × {height} points"))?
            }
        };
        let (data_line, data) = words("DATA")?;
        Ok(Self { fields, points, data: one(data_line, "DATA", data)?, lines })
    }

    fn axis(&self, name: &str) -> Result<&Field, String> {
        let found = self.fields.iter().find(|field| field.name == name && field.count == 1);
        found.ok_or_else(|| format!("no field {name} of one value"))
    }

    fn point_size(&self) -> usize {
        self.fields.iter().map(|field| field.size * field.count).sum()
    }

    fn text(&self, axes: [&Field; 3], body: &[u8]) -> Result<Vec<Vec3>, String> {
        // A digit and the end of the line for each point at least.
        if self.points > body.len().div_ceil(2) {
            return Err(format!("{} points, but {} bytes are left", self.points, body.len()));
        }
        let text = std::str::from_utf8(body).map_err(|_| "the points are not text".to_owned())?;
        let values: usize = self.fields.iter().map(|field| field.count).sum();
        let mut points = Vec::with_capacity(self.points);
        for (index, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            if words.is_empty() {
                continue;
            }
            let refused = |reason: String| format!("line {}: {reason}", self.lines + 1 + index);
            if words.len() != values {
                return Err(refused(format!("{} values, must be {values}", words.len())));
            }
            let mut point = Vec3::zeros();
            for (axis, field) in axes.iter().enumerate() {
                let word = words[field.values_before];
                point[axis] = word.parse().map_err(|_| {
                    refused(format!("{} is `{word}`, must be a number", field.name))
                })?;
            }
            points.push(point);
        }
        match points.len() == self.points {
            true => Ok(points),
            false => Err(format!("{} points, but the header says {}", points.len(), self.points)),
        }
    }

    fn compressed(&self, axes: [&Field; 3], body: &[u8]) -> Result<Vec<Vec3>, String> {
        let (Some(packed), Some(unpacked)) = (length(body, 0), length(body, 4)) else {
            return Err("ends before the lengths of the compressed data".into());
        };
        let needed = self.points * self.point_size();
        if unpacked != needed {
            return Err(format!(
                "{unpacked} bytes of compressed points, must be {needed} for {} points",
                self.points
            ));
        }
        let data = body.get(8..8 + packed);
        let data = data
            .ok_or_else(|| format!("{packed} compressed bytes, but {} are left", body.len() - 8))?;
        // A byte of input makes 88 bytes of output at most: 264 for three.
        if unpacked > 88 * packed {
            return Err(format!("{packed} compressed bytes cannot hold {unpacked}"));
        }
        let bytes = lzf::decompress(data, unpacked)?;
        let coordinate = |field: &Field, index: usize| {
            field.read(&bytes[field.offset * self.points + index * field.size..])
        };
        Ok((0..self.points).map(|k| Vec3::from(axes.map(|field| coordinate(field, k)))).collect())
    }
}

/// The only word of an entry.
fn one<'a>(line: usize, name: &str, words: &[&'a str]) -> Result<&'a str, String> {
    match words {
        [word] => Ok(*word),
        _ => Err(format!("line {line}: {name} has {} entries, must have one", words.len())),
    }
}

fn length(body: &[u8], at: usize) -> Option<usize> {
    let bytes: [u8; 4] = body.get(at..at + 4)?.try_into().expect("four bytes were taken");
    Some(u32::from_le_bytes(bytes) as usize)
}

impl Field {
    /// Its first value in bytes that begin with it.
    fn read(&self, bytes: &[u8]) -> f64 {
        let mut eight = [0u8; 8];
        eight[..self.size].copy_from_slice(&bytes[..self.size]);
        let [a, b, c, d, ..] = eight;
        match (self.kind, self.size) {
            (b'F', 4) => f64::from(f32::from_le_bytes([a, b, c, d])),
            (b'F', 8) => f64::from_le_bytes(eight),
            (b'I', 1) => f64::from(i8::from_le_bytes([a])),
            (b'I', 2) => f64::from(i16::from_le_bytes([a, b])),
            (b'I', 4) => f64::from(i32::from_le_bytes([a, b, c, d])),
            (b'I', 8) => i64::from_le_bytes(eight) as f64,
            (b'U', _) => u64::from_le_bytes(eight) as f64,
            (kind, size) => unreachable!("the header refuses {} of {size} bytes", char::from(kind)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# .PCD v0.7\nVERSION 0.7\nFIELDS rgb normal x y z\nSIZE 4 4 4 8 2\nTYPE U F F F I\n\
        COUNT 1 3 1 1 1\nWIDTH 2\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\nDATA ascii\n\
        77 0 0 1 1.5 -2 3\n77 0 1 0 nan 0 0\n";

    #[test]
    fn text_with_other_fields_is_read() {
        let points = parse(TEXT.as_bytes(), 2).unwrap();
        assert_eq!(points[0], Vec3::new(1.5, -2.0, 3.0));
        assert!(points[1].x.is_nan());
    }

    #[test]
    fn refusals_name_line_field_and_value() {
        let change =
            |from: &str, to: &str| parse(TEXT.replacen(from, to, 1).as_bytes(), 9).unwrap_err();
        let cases = [
            (change("FIELDS", "COLUMNS"), "the header has no FIELDS"),
            (change("SIZE 4 4 4 8 2", "SIZE 4 4"), "line 4: SIZE has 2 entries for 5 fields"),
            (change("SIZE 4 4 4", "SIZE 4 4 four"), "line 4: `four`, must be a whole number"),
            (change("TYPE U F F", "TYPE U F C"), "line 5: field x is C of 4 bytes"),
            (change("TYPE U F F F I", "TYPE U F F F F"), "line 5: field z is F of 2 bytes"),
            (
                change("COUNT 1 3", "COUNT 1 99999999999"),
                "field normal: a point has more than 65536 bytes",
            ),
            (change("x y z", "x y w"), "no field z of one value"),
            (change("POINTS 2", "POINTS 9999"), "9999 points, must be at most 9"),
            (change("POINTS 2", "POINTS 3"), "2 points, but the header says 3"),
            (
                change("ascii", "zip"),
                "DATA `zip` is not known, must be ascii, binary or binary_compressed",
            ),
            (change("1.5 -2", "1.5 two"), "line 12: y is `two`, must be a number"),
            (change("1.5 -2", "1.5"), "line 12: 6 values, must be 7"),
            (change("HEIGHT 1", "WIDTH 1"), "line 8: WIDTH appears twice"),
            (change("DATA ascii\n", ""), "line 12: 77 appears twice"),
            (change("ascii", "binary"), "2 points of 30 bytes, but 35 bytes are left"),
        ];
        for (found, expected) in cases {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn compressed_lengths_are_checked_before_memory_is_taken() {
        let header =
            TEXT.replace("ascii", "binary_compressed").replace("POINTS 2", "POINTS 20000000");
        let header = header.split("77").next().unwrap();
        let with = |packed: u32, unpacked: u32| {
            let mut bytes = header.as_bytes().to_vec();
            bytes.extend(packed.to_le_bytes());
            bytes.extend(unpacked.to_le_bytes());
            bytes.extend([0; 4]);
            parse(&bytes, 20_000_000).unwrap_err()
        };
        assert_eq!(
            with(4, 60),
            "60 bytes of compressed points, must be 600000000 for 20000000 points"
        );
        assert_eq!(with(5, 600_000_000), "5 compressed bytes, but 4 are left");
        assert_eq!(with(4, 600_000_000), "4 compressed bytes cannot hold 600000000");
    }
}
