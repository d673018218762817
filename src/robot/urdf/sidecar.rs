//! The sidecar file: surfaces for a robot whose URDF may not be edited.
//!
//! YAML, a map from link names to lists of surfaces. The surfaces of a link replace all collisions the URDF gives it;
//! an empty list leaves the link without any. Types and fields are those of the command line's JSON; lengths of boxes
//! and cylinders are full lengths.
//!
//! ```yaml
//! r_index_3:
//!   - type: superovoid
//!     name: r_index_3_c0          # optional
//!     radii: [0.0071, 0.0069, 0.0128]
//!     exponent_xy: 1.0
//!     exponent_z: 0.8
//!     taper: [-0.1, -0.1]
//!     origin: {xyz: [0.009, 0, 0], rpy: [0, 1.5708, 0]}   # optional
//! ```

use std::cell::Cell;
use std::fmt;

use nalgebra::UnitQuaternion;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::error::UrdfError;
use super::xml::quote;
use super::{LoadOptions, Sidecar, read_text, too_large};
use crate::geometry::{LENGTH_RANGE, Shape, ShapeError};
use crate::math::{Pose, Vec3};
use crate::robot::{Collision, LinkSpec};

/// Most values in a sidecar after its aliases are followed: ten times a robot of thousands of surfaces.
const MAX_VALUES: usize = 1_000_000;
const KINDS: &str =
    "superovoid, superellipsoid, ellipsoid, poly_ellipsoid, sphere, box, cylinder, capsule, cone";

/// Replaces the collisions of the links that the sidecar names.
pub(super) fn apply(
    sidecar: &Sidecar,
    links: &mut [LinkSpec],
    options: &LoadOptions,
) -> Result<(), UrdfError> {
    let (label, text) = match sidecar {
        Sidecar::Text { label, text } if text.len() as u64 > options.max_file_bytes => {
            return Err(too_large(label, options.max_file_bytes));
        }
        Sidecar::Text { label, text } => (label.clone(), text.clone()),
        Sidecar::File(path) => {
            let label = path.display().to_string();
            let text = read_text(path, &label, options.max_file_bytes)?;
            (label, text)
        }
    };
    let refused = |refusal: Refusal| UrdfError::Sidecar {
        file: label.clone(),
        path: refusal.path,
        reason: refusal.reason,
    };
    for (name, surfaces) in read(&text).map_err(refused)? {
        let collisions = collisions(&name, &surfaces, options).map_err(refused)?;
        let Some(link) = links.iter_mut().find(|link| link.name == name) else {
            return Err(refused(Refusal::new(&quote(&name), "the robot has no such link")));
        };
        link.collisions = collisions;
    }
    Ok(())
}

/// What is wrong, and with which part of the file.
struct Refusal {
    path: String,
    reason: String,
}

impl Refusal {
    fn new(path: &str, reason: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into() }
    }
}

fn read(text: &str) -> Result<Vec<(String, Value)>, Refusal> {
    let budget = Cell::new(MAX_VALUES);
    let whole = "whole file";
    let value = ValueSeed(&budget)
        .deserialize(serde_yaml::Deserializer::from_str(text))
        .map_err(|error| Refusal::new(whole, error.to_string()))?;
    match value {
        Value::Map(links) => Ok(links),
        Value::Null => Ok(Vec::new()),
        other => Err(Refusal::new(whole, format!("is {}, must be a map of links", other.kind()))),
    }
}

fn collisions(
    link: &str,
    surfaces: &Value,
    options: &LoadOptions,
) -> Result<Vec<Collision>, Refusal> {
    let link = quote(link);
    let Value::List(surfaces) = surfaces else {
        return Err(Refusal::new(&link, format!("is {}, must be a list", surfaces.kind())));
    };
    let each = surfaces.iter().enumerate();
    each.map(|(index, surface)| collision(&format!("{link}[{index}]"), surface, options)).collect()
}

fn collision(path: &str, surface: &Value, options: &LoadOptions) -> Result<Collision, Refusal> {
    let mut fields = Fields::of(path, surface)?;
    let name = fields.optional("name").map(|name| name.text(&fields.path("name"))).transpose()?;
    let pose_in_link = match fields.optional("origin") {
        Some(origin) => pose(&fields.path("origin"), origin)?,
        None => Pose::identity(),
    };
    let mut shape = shape(&mut fields)?;
    if options.strict_convexity {
        shape = shape.strict().map_err(|error| Refusal::new(path, error.to_string()))?;
    }
    fields.finish()?;
    Ok(Collision { name: name.map(Into::into), pose_in_link, shape })
}

fn shape(fields: &mut Fields<'_>) -> Result<Shape, Refusal> {
    let kind = fields.required("type")?.text(&fields.path("type"))?;
    let made: Result<Shape, ShapeError> = match kind {
        "superovoid" => {
            let (radii, xy, z) = exponents(fields)?;
            Shape::superovoid(radii, xy, z, fields.numbers("taper")?)
        }
        "superellipsoid" => {
            let (radii, xy, z) = exponents(fields)?;
            Shape::superellipsoid(radii, xy, z)
        }
        "ellipsoid" => Shape::ellipsoid(fields.numbers("radii")?),
        "poly_ellipsoid" => Shape::poly_ellipsoid(fields.numbers("radii")?),
        "sphere" => Shape::sphere(fields.number("radius")?),
        "box" => Shape::cuboid(half(fields, "size")?),
        "cylinder" => Shape::cylinder(fields.number("radius")?, half::<1>(fields, "length")?[0]),
        "capsule" => Shape::capsule(fields.number("radius")?, half::<1>(fields, "length")?[0]),
        "cone" => Shape::cone(fields.number("radius")?, half::<1>(fields, "length")?[0]),
        other => {
            let reason = format!("is `{}`, must be one of: {KINDS}", quote(other));
            return Err(Refusal::new(&fields.path("type"), reason));
        }
    };
    made.map_err(|error| Refusal::new(fields.own_path, error.to_string()))
}

fn exponents(fields: &mut Fields<'_>) -> Result<([f64; 3], f64, f64), Refusal> {
    Ok((fields.numbers("radii")?, fields.number("exponent_xy")?, fields.number("exponent_z")?))
}

/// Halves of full lengths, checked here because the shape would complain about the half.
fn half<const N: usize>(fields: &mut Fields<'_>, name: &'static str) -> Result<[f64; N], Refusal> {
    let lengths: [f64; N] = fields.numbers(name)?;
    let [least, most] = [2.0 * LENGTH_RANGE.start(), 2.0 * LENGTH_RANGE.end()];
    match lengths.iter().find(|length| !(least..=most).contains(*length)) {
        None => Ok(lengths.map(|length| 0.5 * length)),
        Some(bad) => {
            let reason = format!("has {bad}, must be in [{least:e}, {most:e}] m");
            Err(Refusal::new(&fields.path(name), reason))
        }
    }
}

fn pose(path: &str, origin: &Value) -> Result<Pose, Refusal> {
    let mut fields = Fields::of(path, origin)?;
    let mut bounded = |name: &'static str| {
        let Some(value) = fields.optional(name) else { return Ok([0.0; 3]) };
        let numbers: [f64; 3] = value.numbers(&fields.path(name))?;
        if numbers.iter().all(|x| x.abs() <= 1e6) {
            return Ok(numbers);
        }
        Err(Refusal::new(&fields.path(name), "has a number farther than 1e6 from zero"))
    };
    let (xyz, [roll, pitch, yaw]) = (bounded("xyz")?, bounded("rpy")?);
    fields.finish()?;
    let rotation = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    Ok(Pose::from_parts(Vec3::from(xyz).into(), rotation))
}

/// The fields of a map; those never asked for are refused at the end.
struct Fields<'v> {
    own_path: &'v str,
    map: &'v [(String, Value)],
    asked: Vec<&'static str>,
}

impl<'v> Fields<'v> {
    fn of(path: &'v str, value: &'v Value) -> Result<Self, Refusal> {
        match value {
            Value::Map(map) => Ok(Self { own_path: path, map, asked: Vec::new() }),
            other => Err(Refusal::new(path, format!("is {}, must be a map", other.kind()))),
        }
    }

    fn path(&self, name: &str) -> String {
        format!("{}.{name}", self.own_path)
    }

    fn optional(&mut self, name: &'static str) -> Option<&'v Value> {
        self.asked.push(name);
        self.map.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    fn required(&mut self, name: &'static str) -> Result<&'v Value, Refusal> {
        self.optional(name)
            .ok_or_else(|| Refusal::new(self.own_path, format!("field `{name}` is missing")))
    }

    fn number(&mut self, name: &'static str) -> Result<f64, Refusal> {
        self.required(name)?.number(&self.path(name))
    }

    fn numbers<const N: usize>(&mut self, name: &'static str) -> Result<[f64; N], Refusal> {
        let value = self.required(name)?;
        let path = self.path(name);
        match value {
            // A single length is written without brackets.
            Value::Number(_) if N == 1 => Ok([value.number(&path)?; N]),
            other => other.numbers(&path),
        }
    }

    fn finish(self) -> Result<(), Refusal> {
        match self.map.iter().find(|(key, _)| !self.asked.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, _)) => {
                let known = self.asked.join(", ");
                let reason = format!("unknown field `{}`, must be one of: {known}", quote(key));
                Err(Refusal::new(self.own_path, reason))
            }
        }
    }
}

/// A YAML value.
enum Value {
    Null,
    Bool,
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Value::Null => "empty",
            Value::Bool => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }

    fn number(&self, path: &str) -> Result<f64, Refusal> {
        match self {
            Value::Number(number) => Ok(*number),
            other => Err(Refusal::new(path, format!("is {}, must be a number", other.kind()))),
        }
    }

    fn text(&self, path: &str) -> Result<&str, Refusal> {
        match self {
            Value::Text(text) => Ok(text),
            other => Err(Refusal::new(path, format!("is {}, must be text", other.kind()))),
        }
    }

    fn numbers<const N: usize>(&self, path: &str) -> Result<[f64; N], Refusal> {
        let Value::List(items) = self else {
            let reason = format!("is {}, must be a list of {N} numbers", self.kind());
            return Err(Refusal::new(path, reason));
        };
        if items.len() != N {
            let reason = format!("has {} entries, must have {N}", items.len());
            return Err(Refusal::new(path, reason));
        }
        let mut numbers = [0.0; N];
        for (index, (number, item)) in numbers.iter_mut().zip(items).enumerate() {
            *number = item.number(&format!("{path}[{index}]"))?;
        }
        Ok(numbers)
    }
}

/// Reads a value while counting: aliases of aliases would otherwise grow without bound.
#[derive(Clone, Copy)]
struct ValueSeed<'b>(&'b Cell<usize>);

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.0.get();
        if left == 0 {
            let message = format!("more than {MAX_VALUES} values");
            return Err(serde::de::Error::custom(message));
        }
        self.0.set(left - 1);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map, a list, a number or text")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Value, E> {
        Ok(Value::Bool)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(self)? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        let mut names = std::collections::HashSet::new();
        while let Some(name) = access.next_key::<String>()? {
            if !names.insert(name.clone()) {
                let message = format!("`{}` appears twice", quote(&name));
                return Err(serde::de::Error::custom(message));
            }
            map.push((name, access.next_value_seed(self)?));
        }
        Ok(Value::Map(map))
    }
}
