//! Which pairs may touch, and why.
//!
//! Three places say whether a pair may touch; the first that says anything decides, as in MoveIt:
//!
//! 1. an entry for the pair;
//! 2. the defaults of the two names: one that forbids wins over one that allows, one alone decides;
//! 3. nothing: the pair may not touch.
//!
//! An SRDF becomes defaults (`disable_default_collisions`), then entries that forbid (`enable_collisions`), then
//! entries that allow (`disable_collisions`), each replacing what came before it. Names need not exist: an entry may
//! wait for an object that is added later.

use std::collections::{BTreeMap, BTreeSet};

use smooth_scene_robot::srdf::Semantics;
use smooth_scene_robot::{LinkId, RobotModel};

/// Why a pair may or may not touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The links are connected by a joint.
    Adjacent,
    /// They were never seen to touch.
    Never,
    /// They touch in every state.
    Always,
    /// They touch in the default state.
    Default,
    /// Someone said so.
    User,
    /// One is attached and lists the other as a link it touches, or both hang on the same link.
    TouchLink,
    /// A default for one of the names.
    DefaultEntry,
    /// Nothing says that they may.
    NoEntry,
    /// In the words of an SRDF.
    Other(Box<str>),
}

impl Reason {
    /// The reason an SRDF gives, in its words.
    pub fn from_srdf(text: Option<&str>) -> Reason {
        match text.unwrap_or("User") {
            "Adjacent" => Reason::Adjacent,
            "Never" => Reason::Never,
            "Always" => Reason::Always,
            "Default" => Reason::Default,
            "User" => Reason::User,
            other => Reason::Other(other.into()),
        }
    }

    /// The word for it, as the setup assistant of MoveIt writes it where it has one.
    pub fn name(&self) -> &str {
        match self {
            Reason::Adjacent => "Adjacent",
            Reason::Never => "Never",
            Reason::Always => "Always",
            Reason::Default => "Default",
            Reason::User => "User",
            Reason::TouchLink => "TouchLink",
            Reason::DefaultEntry => "DefaultEntry",
            Reason::NoEntry => "NoEntry",
            Reason::Other(text) => text,
        }
    }
}

/// Whether a pair may touch, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// `true`: contact is allowed and not looked for.
    pub allowed: bool,
    /// Why.
    pub reason: Reason,
}

impl Allowance {
    /// The pair may touch.
    pub fn allow(reason: Reason) -> Self {
        Self { allowed: true, reason }
    }

    /// The pair may not touch.
    pub fn forbid(reason: Reason) -> Self {
        Self { allowed: false, reason }
    }
}

/// The table of pairs that may touch.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AllowedCollisionMatrix {
    /// By the smaller name, then the larger.
    pairs: BTreeMap<Box<str>, BTreeMap<Box<str>, Allowance>>,
    defaults: BTreeMap<Box<str>, Allowance>,
}

fn ordered<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    if a <= b { (a, b) } else { (b, a) }
}

impl AllowedCollisionMatrix {
    /// Nothing may touch.
    pub fn new() -> Self {
        Self::default()
    }

    /// What an SRDF says.
    pub fn from_semantics(model: &RobotModel, semantics: &Semantics) -> Self {
        let mut matrix = Self::default();
        for &link in &semantics.allowed_by_default {
            let allowance = Allowance::allow(Reason::DefaultEntry);
            matrix.set_default(&model.link(link).name, Some(allowance));
        }
        for rule in &semantics.pair_rules {
            let reason = Reason::from_srdf(rule.reason.as_deref());
            let [a, b] = rule.links.map(|link| model.link(link).name.as_str());
            matrix.set(a, b, Some(Allowance { allowed: rule.allowed, reason }));
        }
        matrix
    }

    /// What holds with no SRDF: [adjacent links](adjacent_links) may touch.
    pub fn adjacent(model: &RobotModel) -> Self {
        let mut matrix = Self::default();
        for [a, b] in adjacent_links(model) {
            let (a, b) = (&model.link(a).name, &model.link(b).name);
            matrix.set(a, b, Some(Allowance::allow(Reason::Adjacent)));
        }
        matrix
    }

    /// Sets or removes the entry of a pair, and returns the one it had.
    pub fn set(&mut self, a: &str, b: &str, entry: Option<Allowance>) -> Option<Allowance> {
        let (small, large) = ordered(a, b);
        match entry {
            Some(entry) => self.pairs.entry(small.into()).or_default().insert(large.into(), entry),
            None => {
                let row = self.pairs.get_mut(small)?;
                let before = row.remove(large);
                if row.is_empty() {
                    self.pairs.remove(small);
                }
                before
            }
        }
    }

    /// Sets or removes the default of a name, and returns the one it had.
    pub fn set_default(&mut self, name: &str, entry: Option<Allowance>) -> Option<Allowance> {
        match entry {
            Some(entry) => self.defaults.insert(name.into(), entry),
            None => self.defaults.remove(name),
        }
    }

    /// The entry of a pair.
    pub fn entry(&self, a: &str, b: &str) -> Option<&Allowance> {
        let (small, large) = ordered(a, b);
        self.pairs.get(small)?.get(large)
    }

    /// The default of a name.
    pub fn default_entry(&self, name: &str) -> Option<&Allowance> {
        self.defaults.get(name)
    }

    /// Whether two names may touch, and why.
    pub fn decide(&self, a: &str, b: &str) -> Allowance {
        if let Some(entry) = self.entry(a, b) {
            return entry.clone();
        }
        match (self.defaults.get(a), self.defaults.get(b)) {
            (None, None) => Allowance::forbid(Reason::NoEntry),
            (Some(one), None) | (None, Some(one)) => one.clone(),
            (Some(one), Some(other)) => if one.allowed { other } else { one }.clone(),
        }
    }

    /// Every entry, by names.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str, &Allowance)> {
        self.pairs
            .iter()
            .flat_map(|(a, row)| row.iter().map(move |(b, entry)| (a.as_ref(), b.as_ref(), entry)))
    }

    /// Every default, by name.
    pub fn defaults(&self) -> impl Iterator<Item = (&str, &Allowance)> {
        self.defaults.iter().map(|(name, entry)| (name.as_ref(), entry))
    }

    /// Every name that an entry or a default mentions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries().flat_map(|(a, b, _)| [a, b]).chain(self.defaults.keys().map(AsRef::as_ref))
    }
}

/// The pairs of links that a joint connects. Links without shapes are looked through from a link up to the nearest
/// ancestor with shapes: a shoulder of three joints with empty links in between makes its two ends adjacent.
///
/// The setup assistant of MoveIt also makes all neighbours of an empty link adjacent to each other. That would let the
/// two hands touch that stand on one empty root, so it is not done here.
pub fn adjacent_links(model: &RobotModel) -> BTreeSet<[LinkId; 2]> {
    let mut pairs = BTreeSet::new();
    for link in model.link_ids() {
        let mut above = model.parent_link(link);
        while let Some(parent) = above {
            pairs.insert([parent, link]);
            let empty = model.link(parent).collisions.is_empty();
            above = if empty { model.parent_link(parent) } else { None };
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_before_defaults_and_forbidding_defaults_before_allowing_ones() {
        let mut acm = AllowedCollisionMatrix::new();
        let (yes, no) = (Allowance::allow(Reason::User), Allowance::forbid(Reason::User));
        assert_eq!(acm.decide("a", "b"), Allowance::forbid(Reason::NoEntry));
        acm.set_default("a", Some(yes.clone()));
        assert!(acm.decide("a", "b").allowed && acm.decide("b", "a").allowed);
        acm.set_default("b", Some(no.clone()));
        assert!(!acm.decide("a", "b").allowed && !acm.decide("b", "a").allowed);
        assert_eq!(acm.set("b", "a", Some(yes)), None);
        assert!(acm.decide("a", "b").allowed);
        assert!(acm.set("a", "b", None).is_some());
        assert!(!acm.decide("a", "b").allowed);
        assert_eq!(acm.names().collect::<Vec<_>>(), ["a", "b"]);
    }
}
