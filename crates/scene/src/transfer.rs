//! Replaces the robot and keeps the world.

use std::sync::Arc;

use crate::change::{MatrixChange, RobotChange, SceneChange};
use crate::error::SceneError;
use crate::planning_scene::PlanningScene;

impl PlanningScene {
    /// This robot in the surroundings of another: with the world of `before`, what was attached there, the sizes of
    /// links both have, the margins, and what had been changed in the matrix since `fresh`, which is the other robot as
    /// it was described.
    ///
    /// It is refused when the name of a link is taken by an object, and when an object is attached to a link this robot
    /// does not have: leaving it out would make the robot smaller than it is. Touch links it does not have are left out.
    pub fn in_place_of(
        mut self,
        before: &PlanningScene,
        fresh: &PlanningScene,
    ) -> Result<PlanningScene, SceneError> {
        for link in self.model().links() {
            if before.world().find(&link.name).is_some() {
                let by = "an object of the world";
                return Err(SceneError::NameTaken { name: link.name.clone(), by });
            }
        }
        let mut changes: Vec<SceneChange> =
            matrix_changes(before, fresh).into_iter().map(Into::into).collect();
        for attached in before.attached() {
            let name_of = |link| before.model().link(link).name.clone();
            let link = name_of(attached.link);
            if self.model().link_id(&link).is_none() {
                let object = attached.object.name().into();
                return Err(SceneError::CarrierGone { object, link });
            }
            let touch_links = attached.touch_links.iter().map(|&link| name_of(link));
            let touch_links = touch_links.filter(|name| self.model().link_id(name).is_some());
            let touch_links = touch_links.collect();
            let object = attached.object.clone();
            changes.push(RobotChange::Attach { object, link, touch_links }.into());
        }
        for link in self.model().links() {
            let (link, size) = (link.name.clone(), before.sizes().link(&link.name));
            changes.push(RobotChange::SetLinkSize { link, size }.into());
        }
        for (a, b, margin) in before.sizes().margins() {
            changes.push(RobotChange::SetMargin { a: a.into(), b: b.into(), margin }.into());
        }
        self.world = Arc::clone(&before.world);
        self.apply(SceneChange::Several(changes))?;
        Ok(self)
    }
}

/// What was changed in the matrix of `now` since `fresh`.
fn matrix_changes(now: &PlanningScene, fresh: &PlanningScene) -> Vec<MatrixChange> {
    let mut changes = Vec::new();
    let (now, fresh) = (now.acm(), fresh.acm());
    let pair = |a: &str, b: &str| MatrixChange::SetEntry {
        a: a.into(),
        b: b.into(),
        entry: now.entry(a, b).cloned(),
    };
    let default = |name: &str| MatrixChange::SetDefault {
        name: name.into(),
        entry: now.default_entry(name).cloned(),
    };
    for (a, b, entry) in now.entries() {
        if fresh.entry(a, b) != Some(entry) {
            changes.push(pair(a, b));
        }
    }
    for (a, b, _) in fresh.entries() {
        if now.entry(a, b).is_none() {
            changes.push(pair(a, b));
        }
    }
    for (name, entry) in now.defaults() {
        if fresh.default_entry(name) != Some(entry) {
            changes.push(default(name));
        }
    }
    for (name, _) in fresh.defaults() {
        if now.default_entry(name).is_none() {
            changes.push(default(name));
        }
    }
    changes
}
