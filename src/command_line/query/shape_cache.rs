//! Shapes that were read before: a run asks about few shapes in many poses, and reading a shape checks it, builds the hull of
//! its vertices, or looks for dents in its surface.

use crate::geometry::Shape;
use crate::robot::values::{Refusal, ShapeSet, Value, read_shape};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

/// Values of the descriptions that are kept, all shapes together: a bound on memory, some tens of megabytes.
const MAX_VALUES: usize = 1 << 20;

/// Descriptions and the shapes they describe, shared by the threads of a run.
#[derive(Debug, Default)]
pub(crate) struct ShapeCache(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// By the hash of the description.
    shapes: HashMap<u64, Vec<(Value, Shape)>>,
    values: usize,
}

impl ShapeCache {
    /// The shape at `path`. Bad ones are read again each time, for the path in the message.
    pub fn read(&self, path: &str, value: &Value) -> Result<Shape, Refusal> {
        let mut hasher = DefaultHasher::new();
        let values = hash(value, &mut hasher);
        let key = hasher.finish();
        if let Some(shape) = self.known().find(key, value) {
            return Ok(shape);
        }
        let (shape, _) = read_shape(path, value, ShapeSet::All, &[])?;
        self.known().keep(key, value, values, &shape);
        Ok(shape)
    }

    /// Whatever a thread that panicked was at: entries are added in one step.
    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.known().shapes.values().map(Vec::len).sum()
    }
}

impl Known {
    fn find(&self, key: u64, value: &Value) -> Option<Shape> {
        let alike = self.shapes.get(&key)?;
        alike.iter().find(|(known, _)| same(known, value)).map(|(_, shape)| shape.clone())
    }

    fn keep(&mut self, key: u64, value: &Value, values: usize, shape: &Shape) {
        if values > MAX_VALUES {
            return;
        }
        if self.values + values > MAX_VALUES {
            self.shapes.clear();
            self.values = 0;
        }
        self.values += values;
        self.shapes.entry(key).or_default().push((value.clone(), shape.clone()));
    }
}

/// Whether two descriptions are the same to the last bit: `==` takes −0 for 0.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.to_bits() == b.to_bits(),
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Map(a), Value::Map(b)) => {
            let entries = a.iter().zip(b);
            a.len() == b.len()
                && entries.fold(true, |all, (a, b)| all && a.0 == b.0 && same(&a.1, &b.1))
        }
        (a, b) => a == b,
    }
}

/// Hashes a description and counts its values.
fn hash(value: &Value, hasher: &mut impl Hasher) -> usize {
    std::mem::discriminant(value).hash(hasher);
    match value {
        Value::Null => {}
        Value::Bool(value) => value.hash(hasher),
        Value::Whole(number) => number.hash(hasher),
        Value::Number(number) => number.to_bits().hash(hasher),
        Value::Text(text) => text.hash(hasher),
        Value::List(items) => {
            items.len().hash(hasher);
            return 1 + items.iter().map(|item| hash(item, hasher)).sum::<usize>();
        }
        Value::Map(entries) => {
            entries.len().hash(hasher);
            let entry = |(name, value): &(String, Value)| {
                name.hash(hasher);
                hash(value, hasher)
            };
            return 1 + entries.iter().map(entry).sum::<usize>();
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_shape_is_read_once_and_bad_ones_are_refused_each_time() {
        let cache = ShapeCache::default();
        let ball = value(r#"{"type":"sphere","radius":0.5}"#);
        for _ in 0..3 {
            assert_eq!(cache.read("a", &ball), Ok(Shape::sphere(0.5).unwrap()));
        }
        assert_eq!(cache.len(), 1);
        let bad = value(r#"{"type":"sphere","radius":-1}"#);
        for path in ["a.shape", "b.shape"] {
            assert_eq!(cache.read(path, &bad).unwrap_err().path, path);
        }
        assert_eq!(cache.len(), 1);
    }

    #[test]
    fn shapes_that_differ_in_one_bit_are_not_mixed_up() {
        let cache = ShapeCache::default();
        let plane = |offset: &str| {
            value(&format!(r#"{{"type":"half_space","normal":[0,0,1],"offset":{offset}}}"#))
        };
        let offset = |text: &str| match cache.read("a", &plane(text)).unwrap() {
            Shape::HalfSpace(plane) => plane.offset().to_bits(),
            other => panic!("{other:?}"),
        };
        assert_eq!(offset("0.0"), 0.0_f64.to_bits());
        assert_eq!(offset("-0.0"), (-0.0_f64).to_bits());
        assert_eq!(offset("0.1"), 0.1_f64.to_bits());
        assert_eq!(offset("0.10000000000000002"), 0.10000000000000002_f64.to_bits());
    }

    #[test]
    fn memory_is_bounded() {
        let cache = ShapeCache::default();
        for k in 1..300_000_u32 {
            let radius = f64::from(k) * 1e-3;
            cache.read("a", &value(&format!(r#"{{"type":"sphere","radius":{radius}}}"#))).unwrap();
        }
        assert!(cache.known().values <= MAX_VALUES);
        assert!(cache.len() < 300_000);
    }
}
