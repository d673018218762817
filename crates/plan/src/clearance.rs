//! The distance that planned paths keep between bodies that may not touch, so that another program with other rounding
//! finds them free too.
//!
//! Start and goal may be closer than that: a gripper around what it holds. Such a pair keeps half of its own distance,
//! which leaves the path room to arrive; all other pairs keep the whole.

use crate::error::{Endpoint, PlanError};
use smooth_scene_robot::Link;
use smooth_scene_scene::{
    LinkSize, NearestRequest, PlanningScene, RobotChange, SceneChange, Workspace,
};

/// Two bodies that are closer at the start or the goal than twice the clearance: the path keeps half their distance.
#[derive(Debug, Clone, PartialEq)]
pub struct NearAtEnd {
    /// Where they are that close.
    pub which: Endpoint,
    /// One body.
    pub body_a: String,
    /// The other.
    pub body_b: String,
    /// Their distance there, m; a bound from below.
    pub distance: f64,
    /// What the path keeps between them, m.
    pub kept: f64,
}

/// What is kept between which bodies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clearance {
    /// Between all other bodies, m.
    general: f64,
    near: Vec<NearAtEnd>,
}

impl Clearance {
    /// `general` between all bodies but those that are closer at an end.
    pub fn new(
        scene: &PlanningScene,
        general: f64,
        ends: &[(Endpoint, &[f64])],
    ) -> Result<Self, PlanError> {
        check_metres("clearance", general)?;
        let mut near = Vec::new();
        let request = NearestRequest { max_distance: 2.0 * general, ..NearestRequest::default() };
        let (mut workspace, mut found) = (Workspace::cold(), Vec::new());
        for &(which, positions) in ends.iter().filter(|_| general > 0.0) {
            scene.nearest(positions, &request, &mut workspace, &mut found)?;
            near.extend(found.iter().map(|pair| {
                let [body_a, body_b] =
                    [pair.body_a, pair.body_b].map(|body| scene.body_name(body).to_owned());
                // Bodies in contact keep nothing: that start or goal is refused.
                let distance = pair.distance.lower.max(0.0);
                let kept = general.min(0.5 * distance);
                NearAtEnd { which, body_a, body_b, distance, kept }
            }));
        }
        Ok(Self { general, near })
    }

    /// The pairs of bodies that keep less.
    pub fn near(&self) -> &[NearAtEnd] {
        &self.near
    }

    /// What is kept between two bodies, m.
    pub fn between(&self, a: &str, b: &str) -> f64 {
        let is_pair = |near: &&NearAtEnd| {
            (near.body_a == a && near.body_b == b) || (near.body_a == b && near.body_b == a)
        };
        self.near.iter().filter(is_pair).map(|near| near.kept).fold(self.general, f64::min)
    }

    /// The scene in which bodies touch as soon as they are this close.
    pub fn grown(&self, scene: &PlanningScene) -> Result<PlanningScene, PlanError> {
        // Padding is the quicker way. Where pairs differ, it gives what all of them keep, and margins give the rest.
        let least = self.near.iter().map(|near| near.kept).fold(self.general, f64::min);
        let grown = with_margin(scene, least)?;
        if least == self.general {
            return Ok(grown);
        }
        let mut names: Vec<&str> = scene.model().links().iter().map(|l| l.name.as_str()).collect();
        names.extend(scene.attached().map(|item| item.object.name()));
        let robot = names.len();
        names.extend(scene.world().iter().map(|(_, object)| object.name()));
        let mut changes = Vec::new();
        for (place, a) in names[..robot].iter().enumerate() {
            for b in &names[place + 1..] {
                let margin = scene.sizes().margin(a, b) + (self.between(a, b) - least);
                let (a, b) = ((*a).to_owned(), (*b).to_owned());
                changes.push(SceneChange::Robot(RobotChange::SetMargin { a, b, margin }));
            }
        }
        let mut grown = grown;
        grown.apply(SceneChange::Several(changes))?;
        Ok(grown)
    }
}

/// A scene in which every pair that may not touch has to keep this distance more, m.
pub fn with_margin(scene: &PlanningScene, margin: f64) -> Result<PlanningScene, PlanError> {
    check_metres("margin", margin)?;
    let mut scene = scene.clone();
    if margin > 0.0 {
        let grown = |link: &Link| {
            let size = scene.sizes().link(&link.name);
            // Of two links each takes its half; an object of the world takes none.
            let (padding, self_padding) = (size.padding + margin, size.self_padding + 0.5 * margin);
            let size = LinkSize { padding, self_padding, ..size };
            SceneChange::Robot(RobotChange::SetLinkSize { link: link.name.clone(), size })
        };
        let changes = scene.model().links().iter().map(grown).collect();
        scene.apply(SceneChange::Several(changes))?;
    }
    Ok(scene)
}

/// Refuses distances that are none.
pub(crate) fn check_metres(field: &'static str, value: f64) -> Result<(), PlanError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(PlanError::BadOption { field, value, range: "0 or more metres" })
}
