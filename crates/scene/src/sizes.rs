//! Padding, scale and margins.
//!
//! - *Scale* multiplies the size of each shape of a link about the shape's own origin.
//! - *Padding* grows a link by a distance, towards objects of the world. *Self padding* does so towards the rest of the
//!   robot. An attached object has the paddings of its link.
//! - *Margins* grow a pair of bodies, half on each side.
//!
//! Padding and margin add a ball to a convex body, and a ball of radius r adds r to its support function in every
//! direction: signed distances, apart or overlapping, get smaller by exactly the sum of what was added. So the shapes
//! stay as they are and the sum is subtracted.

use std::collections::BTreeMap;

use crate::error::SceneError;

/// Largest padding or margin, m.
const MAX_PADDING: f64 = 1e3;
/// Smallest and largest scale.
const SCALE_RANGE: std::ops::RangeInclusive<f64> = 1e-3..=1e3;

/// What is added to one link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinkSize {
    /// Distance added towards objects of the world, m.
    pub padding: f64,
    /// Distance added towards other links and attached objects, m.
    pub self_padding: f64,
    /// Factor on the size of the shapes.
    pub scale: f64,
}

impl Default for LinkSize {
    fn default() -> Self {
        Self { padding: 0.0, self_padding: 0.0, scale: 1.0 }
    }
}

impl LinkSize {
    fn check(&self, link: &str) -> Result<(), SceneError> {
        check_padding("padding", link, self.padding)?;
        check_padding("self padding", link, self.self_padding)?;
        if SCALE_RANGE.contains(&self.scale) {
            return Ok(());
        }
        let (field, range) = ("scale", "in [0.001, 1000]");
        Err(SceneError::BadValue { field, name: link.into(), value: self.scale, range })
    }
}

fn check_padding(field: &'static str, name: &str, value: f64) -> Result<(), SceneError> {
    if (0.0..=MAX_PADDING).contains(&value) {
        return Ok(());
    }
    Err(SceneError::BadValue { field, name: name.into(), value, range: "in [0, 1000] m" })
}

/// Sizes of links and margins of pairs; what is not mentioned is not changed in size.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sizes {
    links: BTreeMap<String, LinkSize>,
    /// By the smaller name, then the larger.
    margins: BTreeMap<(String, String), f64>,
}

fn key(a: &str, b: &str) -> (String, String) {
    if a <= b { (a.into(), b.into()) } else { (b.into(), a.into()) }
}

impl Sizes {
    /// What is added to a link.
    pub fn link(&self, name: &str) -> LinkSize {
        self.links.get(name).copied().unwrap_or_default()
    }

    /// What is added between two bodies, m.
    pub fn margin(&self, a: &str, b: &str) -> f64 {
        if self.margins.is_empty() {
            return 0.0;
        }
        self.margins.get(&key(a, b)).copied().unwrap_or(0.0)
    }

    /// Every margin that is not zero.
    pub fn margins(&self) -> impl Iterator<Item = (&str, &str, f64)> {
        self.margins.iter().map(|((a, b), &margin)| (a.as_str(), b.as_str(), margin))
    }

    /// The largest margin of any pair.
    pub fn largest_margin(&self) -> f64 {
        self.margins.values().copied().fold(0.0, f64::max)
    }

    /// The largest margin of a pair with this body, m.
    pub(crate) fn largest_margin_of(&self, name: &str) -> f64 {
        let with_name = self.margins().filter(|(a, b, _)| *a == name || *b == name);
        with_name.map(|(.., margin)| margin).fold(0.0, f64::max)
    }

    pub(crate) fn set_link(&mut self, name: &str, size: LinkSize) -> Result<LinkSize, SceneError> {
        size.check(name)?;
        let before = if size == LinkSize::default() {
            self.links.remove(name)
        } else {
            self.links.insert(name.into(), size)
        };
        Ok(before.unwrap_or_default())
    }

    pub(crate) fn set_margin(&mut self, a: &str, b: &str, margin: f64) -> Result<f64, SceneError> {
        check_padding("margin", &format!("{a}, {b}"), margin)?;
        let before = if margin == 0.0 {
            self.margins.remove(&key(a, b))
        } else {
            self.margins.insert(key(a, b), margin)
        };
        Ok(before.unwrap_or(0.0))
    }
}
