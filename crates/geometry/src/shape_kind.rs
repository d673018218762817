//! The table of shapes: what files, messages and menus call each kind, and the numbers that describe it.
//!
//! Every reader and writer of shapes (URDF, YAML, JSON, messages, the browser) follows this table. A shape that is not
//! in it can be used from Rust only; compounds, padded and mapped shapes are built from others and are not in it.

use std::ops::RangeInclusive;

use super::error::{LENGTH_RANGE, ShapeError};
use super::shape::Shape;

/// One row of the table.
#[derive(Debug)]
pub struct ShapeKind {
    /// Name in files, as of [`Shape::kind`].
    pub name: &'static str,
    /// Number in formats that number their kinds, from 1. It never changes.
    pub code: u8,
    /// What describes a shape of this kind.
    pub content: Content,
    /// What a user should know about the fields, in a few words.
    pub note: &'static str,
}

/// What describes a shape.
#[derive(Debug)]
pub enum Content {
    /// A fixed list of numbers with names.
    Numbers(NumberFields),
    /// Any number of points, whose convex hull is the shape.
    Vertices,
}

/// The named numbers of a kind of shape.
#[derive(Debug)]
pub struct NumberFields {
    /// The fields, in the order of their numbers.
    pub fields: &'static [Field],
    /// From as many numbers as the fields have together.
    build: fn(&[f64]) -> Result<Shape, ShapeError>,
    /// The numbers of a shape of this kind; `None` for other kinds.
    numbers: fn(&Shape) -> Option<Vec<f64>>,
}

/// A field: one number, or a list of a fixed length.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in files.
    pub name: &'static str,
    /// What its numbers are.
    pub quantity: Quantity,
    /// A label for each number of a list; empty for a field that is one number.
    pub labels: &'static [&'static str],
}

/// What a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A length in metres, within [`LENGTH_RANGE`].
    Length,
    /// A length in metres of which the shape stores the half: within twice [`LENGTH_RANGE`].
    FullLength,
    /// A squareness, in (0, 2); 1 is round.
    Exponent,
    /// A relative change of width along z, in (-1, 1).
    Taper,
    /// A component of a vector of any length but zero.
    Direction,
    /// A coordinate in metres, of any sign.
    Coordinate,
}

impl Field {
    const fn one(name: &'static str, quantity: Quantity) -> Self {
        Self { name, quantity, labels: &[] }
    }

    const fn list(name: &'static str, quantity: Quantity, labels: &'static [&'static str]) -> Self {
        Self { name, quantity, labels }
    }

    /// How many numbers it has.
    pub fn count(&self) -> usize {
        self.labels.len().max(1)
    }

    /// Whether it is one number and not a list.
    pub fn is_scalar(&self) -> bool {
        self.labels.is_empty()
    }

    /// Index of the first number outside the range of full lengths, and that range. The constructors of the shapes check
    /// all other quantities themselves; of a full length they only see the half, which the user never wrote.
    pub fn bad_full_length(&self, numbers: &[f64]) -> Option<(usize, RangeInclusive<f64>)> {
        if self.quantity != Quantity::FullLength {
            return None;
        }
        let range = full_length_range();
        let index = numbers.iter().position(|number| !range.contains(number))?;
        Some((index, range))
    }
}

/// The range of [`Quantity::FullLength`], in metres.
pub fn full_length_range() -> RangeInclusive<f64> {
    2.0 * LENGTH_RANGE.start()..=2.0 * LENGTH_RANGE.end()
}

/// The numbers of a shape, field by field.
#[derive(Debug, Clone)]
pub struct NamedNumbers {
    /// The kind of the shape.
    pub kind: &'static ShapeKind,
    fields: &'static [Field],
    numbers: Vec<f64>,
}

impl NamedNumbers {
    /// Each field with its numbers.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Field, &[f64])> {
        let mut rest = self.numbers.as_slice();
        self.fields.iter().map(move |field| {
            let (numbers, others) = rest.split_at(field.count());
            rest = others;
            (field, numbers)
        })
    }
}

impl ShapeKind {
    /// Every kind, in the order of their codes.
    pub const ALL: &'static [ShapeKind] = &TABLE;

    /// The kind of this name.
    pub fn by_name(name: &str) -> Option<&'static ShapeKind> {
        Self::ALL.iter().find(|kind| kind.name == name)
    }

    /// The kind of this code.
    pub fn by_code(code: u8) -> Option<&'static ShapeKind> {
        Self::ALL.iter().find(|kind| kind.code == code)
    }

    /// The fields, of kinds that consist of numbers.
    pub fn fields(&self) -> &'static [Field] {
        match &self.content {
            Content::Numbers(numbers) => numbers.fields,
            Content::Vertices => &[],
        }
    }

    /// Whether a shape of this kind fits into a box.
    pub fn is_bounded(&self) -> bool {
        // The only unbounded kind is described by a plane.
        !self.fields().iter().any(|field| field.quantity == Quantity::Direction)
    }
}

impl NumberFields {
    /// Reads every field in turn and builds the shape. The outer error is that of the reader, the inner one that of the
    /// shape.
    pub fn read<E>(
        &self,
        mut numbers_of: impl FnMut(&'static Field) -> Result<Vec<f64>, E>,
    ) -> Result<Result<Shape, ShapeError>, E> {
        let mut numbers = Vec::new();
        for field in self.fields {
            let read = numbers_of(field)?;
            assert_eq!(
                read.len(),
                field.count(),
                "a reader returns as many numbers as the field has"
            );
            numbers.extend(read);
        }
        Ok((self.build)(&numbers))
    }
}

impl Shape {
    /// The numbers that describe the shape. `None` for shapes that are not described by named numbers: meshes, compounds,
    /// padded and mapped shapes.
    pub fn named_numbers(&self) -> Option<NamedNumbers> {
        ShapeKind::ALL.iter().find_map(|kind| match &kind.content {
            Content::Numbers(content) => {
                let numbers = (content.numbers)(self)?;
                Some(NamedNumbers { kind, fields: content.fields, numbers })
            }
            Content::Vertices => None,
        })
    }
}

const XYZ: &[&str] = &["x", "y", "z"];
const RADIUS: Field = Field::one("radius", Quantity::Length);
const RADII: Field = Field::list("radii", Quantity::Length, XYZ);
const LENGTH: Field = Field::one("length", Quantity::FullLength);
const EXPONENT_XY: Field = Field::one("exponent_xy", Quantity::Exponent);
const EXPONENT_Z: Field = Field::one("exponent_z", Quantity::Exponent);

/// A row: name, code, fields, note; then the constructor from the numbers, and the numbers of a surface.
macro_rules! row {
    (
        $name:literal, $code:literal, [$($field:expr),*], $note:literal,
        |[$($number:ident),*]| $build:expr,
        $variant:ident($surface:ident) => $numbers:expr
    ) => {
        ShapeKind {
            name: $name,
            code: $code,
            note: $note,
            content: Content::Numbers(NumberFields {
                fields: &[$($field),*],
                build: |numbers| {
                    let &[$($number),*] = numbers else {
                        panic!("{} does not have {} numbers", $name, numbers.len())
                    };
                    $build
                },
                numbers: |shape| match shape {
                    Shape::$variant($surface) => Some($numbers.to_vec()),
                    _ => None,
                },
            }),
        }
    };
}

static TABLE: [ShapeKind; 11] = [
    row!("sphere", 1, [RADIUS], "", |[r]| Shape::sphere(r), Sphere(s) => [s.radius()]),
    row!("ellipsoid", 2, [RADII], "", |[x, y, z]| Shape::ellipsoid([x, y, z]), Ellipsoid(s) => s.radii()),
    row!(
        "superellipsoid", 3, [RADII, EXPONENT_XY, EXPONENT_Z], "exponents in (0, 2), 1 is round",
        |[x, y, z, exponent_xy, exponent_z]| Shape::superellipsoid([x, y, z], exponent_xy, exponent_z),
        Superellipsoid(s) => [&s.radii()[..], &[s.exponent_xy(), s.exponent_z()]].concat()
    ),
    row!(
        "superovoid", 4,
        [RADII, EXPONENT_XY, EXPONENT_Z, Field::list("taper", Quantity::Taper, &["x", "y"])],
        "taper in (-1, 1)",
        |[x, y, z, exponent_xy, exponent_z, taper_x, taper_y]| {
            Shape::superovoid([x, y, z], exponent_xy, exponent_z, [taper_x, taper_y])
        },
        Superovoid(s) => [&s.radii()[..], &[s.exponent_xy(), s.exponent_z()], &s.taper()].concat()
    ),
    row!(
        "poly_ellipsoid", 5,
        [Field::list("radii", Quantity::Length, &["+x", "-x", "+y", "-y", "+z", "-z"])],
        "eight octants of ellipsoids",
        |[a, b, c, d, e, f]| Shape::poly_ellipsoid([a, b, c, d, e, f]),
        PolyEllipsoid(s) => s.radii()
    ),
    row!(
        "box", 6, [Field::list("size", Quantity::FullLength, XYZ)], "full edge lengths, as in URDF",
        |[x, y, z]| Shape::cuboid([0.5 * x, 0.5 * y, 0.5 * z]),
        Cuboid(s) => s.half_extents().map(|half| 2.0 * half)
    ),
    row!(
        "cylinder", 7, [RADIUS, LENGTH], "full length along z, as in URDF",
        |[radius, length]| Shape::cylinder(radius, 0.5 * length),
        Cylinder(s) => [s.radius(), 2.0 * s.half_length()]
    ),
    row!(
        "capsule", 8, [RADIUS, LENGTH], "length of the cylindrical part",
        |[radius, length]| Shape::capsule(radius, 0.5 * length),
        Capsule(s) => [s.radius(), 2.0 * s.half_length()]
    ),
    row!(
        "cone", 9, [RADIUS, LENGTH], "full length along z, tip at +z",
        |[radius, length]| Shape::cone(radius, 0.5 * length),
        Cone(s) => [s.radius(), 2.0 * s.half_length()]
    ),
    row!(
        "half_space", 10,
        [Field::list("normal", Quantity::Direction, XYZ), Field::one("offset", Quantity::Coordinate)],
        "the points p with normal·p <= offset",
        |[x, y, z, offset]| Shape::half_space([x, y, z], offset),
        HalfSpace(s) => [s.normal().x, s.normal().y, s.normal().z, s.offset()]
    ),
    ShapeKind {
        name: "convex_mesh",
        code: 11,
        content: Content::Vertices,
        note: "convex hull of the vertices",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A shape of each kind that consists of numbers.
    fn examples() -> impl Iterator<Item = (&'static ShapeKind, &'static NumberFields, Shape)> {
        ShapeKind::ALL.iter().filter_map(|kind| {
            let Content::Numbers(content) = &kind.content else { return None };
            let mut next = 0.1;
            let shape = content.read(|field| {
                let numbers = (0..field.count()).map(|_| {
                    next += 0.03125;
                    next
                });
                Ok::<_, ()>(numbers.collect())
            });
            Some((kind, content, shape.unwrap().unwrap()))
        })
    }

    #[test]
    fn codes_count_from_one_and_names_are_unique() {
        for (index, kind) in ShapeKind::ALL.iter().enumerate() {
            assert_eq!(usize::from(kind.code), index + 1, "{}", kind.name);
            assert_eq!(ShapeKind::by_name(kind.name).unwrap().code, kind.code);
            assert_eq!(ShapeKind::by_code(kind.code).unwrap().name, kind.name);
        }
        assert!(ShapeKind::by_code(0).is_none() && ShapeKind::by_name("torus").is_none());
    }

    #[test]
    fn a_shape_has_the_name_of_its_row_and_is_rebuilt_from_its_numbers() {
        for (kind, content, shape) in examples() {
            assert_eq!(shape.kind(), kind.name);
            let named = shape.named_numbers().unwrap();
            assert_eq!(named.kind.code, kind.code);
            let mut fields = named.iter();
            let again = content.read(|field| {
                let (same, numbers) = fields.next().unwrap();
                assert_eq!(field, same);
                Ok::<_, ()>(numbers.to_vec())
            });
            assert_eq!(again.unwrap().unwrap(), shape);
        }
    }

    #[test]
    fn only_the_half_space_is_unbounded() {
        for (kind, _, shape) in examples() {
            let aabb = super::super::surface::ConvexSurface::local_aabb(&shape);
            let bounded = aabb.min.iter().chain(&aabb.max).all(|x| x.is_finite());
            assert_eq!(kind.is_bounded(), bounded, "{}", kind.name);
        }
    }

    #[test]
    fn full_lengths_are_twice_the_permitted_lengths() {
        let size = &ShapeKind::by_name("box").unwrap().fields()[0];
        assert_eq!(size.bad_full_length(&[2e-9, 1.0, 2e6]), None);
        assert_eq!(size.bad_full_length(&[1.0, 0.0, 2.0]), Some((1, 2e-9..=2e6)));
        assert_eq!(size.bad_full_length(&[1.0, 1.0, f64::NAN]), Some((2, 2e-9..=2e6)));
        assert_eq!(RADII.bad_full_length(&[0.0; 3]), None, "the constructor checks radii");
    }
}
