//! The header: format and elements.

/// Most elements and properties of a header.
const MAX_ENTRIES: usize = 1000;
/// Longest line of a header, in bytes.
const MAX_LINE: usize = 10_000;

/// How values are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    LittleEndian,
    BigEndian,
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScalarType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl ScalarType {
    /// By the names of 1994 and by those that give the size.
    fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    pub fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// A number or a list of numbers of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Property {
    pub name: String,
    /// The type of the length of a list.
    pub list: Option<ScalarType>,
    pub value: ScalarType,
}

/// A kind of thing, and how many the file has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    pub name: String,
    pub count: usize,
    pub properties: Vec<Property>,
}

impl Element {
    /// Bytes that one of them takes at least: in a text a digit and a space for each value.
    pub fn least_bytes(&self, is_text: bool) -> usize {
        let bytes = |property: &Property| match is_text {
            true => 2,
            false => property.list.unwrap_or(property.value).bytes(),
        };
        self.properties.iter().map(bytes).sum()
    }
}

/// The header of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub format: Format,
    pub elements: Vec<Element>,
    /// Lines, with the last.
    pub lines: usize,
}

impl Header {
    /// The header, and what follows it.
    pub fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), String> {
        let mut rest = bytes;
        let mut format = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut entries = 0;
        for number in 1.. {
            let refused = |reason: String| format!("line {number}{reason}");
            let window = &rest[..rest.len().min(MAX_LINE)];
            let Some(end) = window.iter().position(|byte| *byte == b'\n') else {
                return Err(refused(": the header has no end".into()));
            };
            let line = std::str::from_utf8(&window[..end]);
            let line = line.map_err(|_| refused(": is not text".into()))?.trim_end();
            rest = &rest[end + 1..];
            let mut words = line.split_ascii_whitespace();
            let keyword = words.next().unwrap_or("");
            let words: Vec<&str> = words.collect();
            if number == 1 {
                match line {
                    "ply" => continue,
                    _ => return Err(refused(format!(" is `{line}`, must be `ply`"))),
                }
            }
            let refused = |reason: String| format!("line {number}: {reason}");
            match (keyword, words.as_slice()) {
                ("comment" | "obj_info" | "", _) => {}
                ("format", [name, _version]) => {
                    format = Some(match *name {
                        "ascii" => Format::Text,
                        "binary_little_endian" => Format::LittleEndian,
                        "binary_big_endian" => Format::BigEndian,
                        other => {
                            return Err(refused(format!("format `{other}` is not known")));
                        }
                    });
                }
                ("element", [name, count]) => {
                    let count = count
                        .parse()
                        .map_err(|_| refused(format!("`{count}` is not a number of elements")))?;
                    elements.push(Element { name: (*name).into(), count, properties: Vec::new() });
                }
                ("property", words) => {
                    let property = property(words).map_err(refused)?;
                    let element = elements
                        .last_mut()
                        .ok_or_else(|| refused("a property before any element".into()))?;
                    element.properties.push(property);
                }
                ("end_header", []) => {
                    let format =
                        format.ok_or_else(|| refused("no format before the end".into()))?;
                    return Ok((Self { format, elements, lines: number }, rest));
                }
                ("format" | "element" | "end_header", words) => {
                    let count = words.len();
                    return Err(refused(format!("{count} words after `{keyword}`")));
                }
                (other, _) => return Err(refused(format!("`{other}` is not known"))),
            }
            entries += 1;
            if entries > MAX_ENTRIES {
                return Err(refused(format!("more than {MAX_ENTRIES} entries")));
            }
        }
        unreachable!("lines are counted without end")
    }
}

fn property(words: &[&str]) -> Result<Property, String> {
    let scalar =
        |name: &str| ScalarType::by_name(name).ok_or_else(|| format!("type `{name}` is not known"));
    match words {
        ["list", length, value, name] => Ok(Property {
            name: (*name).into(),
            list: Some(scalar(length)?),
            value: scalar(value)?,
        }),
        [value, name] => Ok(Property { name: (*name).into(), list: None, value: scalar(value)? }),
        _ => Err(format!("property with {} words", words.len())),
    }
}
