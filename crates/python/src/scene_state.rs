//! Pickling a scene: its robot, its objects, and what was changed about contacts and sizes.

use pyo3::prelude::*;
use smooth_scene_scene::{
    Allowance, AllowedCollisionMatrix, LinkSize, MatrixChange, PlanningScene, Reason, RobotChange,
    SceneChange, WorldFile,
};

use crate::error::Refused;
use crate::robot::Robot;
use crate::scene::Scene;

/// Names, whether they may touch, and why.
type EntryState = (String, String, bool, String);
/// A name, whether it may touch everything, and why.
type DefaultState = (String, bool, String);
/// Padding, self padding and scale of a link.
type SizeState = (String, f64, f64, f64);
/// Robot, world file, entries and defaults of the matrix, sizes of links, margins of pairs.
type ScenePickle = (
    Py<Robot>,
    String,
    Vec<EntryState>,
    Vec<DefaultState>,
    Vec<SizeState>,
    Vec<(String, String, f64)>,
);

#[pymethods]
impl Scene {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, ScenePickle)> {
        let scene = slf.get().snapshot();
        let world = WorldFile::of_scene(&scene).to_yaml().map_err(Refused::from)?;
        let text = |allowance: &Allowance| allowance.reason.name().to_string();
        let entries = scene.acm().entries();
        let entries = entries.map(|(a, b, e)| (a.into(), b.into(), e.allowed, text(e))).collect();
        let defaults = scene.acm().defaults();
        let defaults = defaults.map(|(name, e)| (name.into(), e.allowed, text(e))).collect();
        let sizes = scene.model().links().iter().map(|link| {
            let size = scene.sizes().link(&link.name);
            (link.name.clone(), size.padding, size.self_padding, size.scale)
        });
        let margins = scene.sizes().margins().map(|(a, b, m)| (a.into(), b.into(), m)).collect();
        let robot = slf.get().robot(slf.py())?;
        let state = (robot, world, entries, defaults, sizes.collect(), margins);
        Ok((slf.get_type().getattr("_from_state")?, state))
    }

    #[staticmethod]
    fn _from_state(
        robot: Py<Robot>,
        world: &str,
        entries: Vec<EntryState>,
        defaults: Vec<DefaultState>,
        sizes: Vec<SizeState>,
        margins: Vec<(String, String, f64)>,
    ) -> PyResult<Self> {
        let (model, semantics) = (robot.get().model.clone(), robot.get().semantics.clone());
        let mut scene = PlanningScene::new(model, semantics).map_err(Refused::from)?;
        let mut matrix = AllowedCollisionMatrix::new();
        for (a, b, allowed, why) in entries {
            matrix.set(&a, &b, Some(Allowance { allowed, reason: reason(&why) }));
        }
        for (name, allowed, why) in defaults {
            matrix.set_default(&name, Some(Allowance { allowed, reason: reason(&why) }));
        }
        let mut changes: Vec<SceneChange> = vec![MatrixChange::Replace(matrix).into()];
        for (link, padding, self_padding, scale) in sizes {
            let size = LinkSize { padding, self_padding, scale };
            changes.push(RobotChange::SetLinkSize { link, size }.into());
        }
        for (a, b, margin) in margins {
            changes.push(RobotChange::SetMargin { a, b, margin }.into());
        }
        scene.apply(SceneChange::Several(changes)).map_err(Refused::from)?;
        let world = WorldFile::parse(world, "pickled scene").map_err(Refused::from)?;
        world.add_to(&mut scene).map_err(Refused::from)?;
        Ok(Self::of(robot, scene))
    }
}

/// The reason of this name.
fn reason(name: &str) -> Reason {
    let own = [Reason::TouchLink, Reason::DefaultEntry, Reason::NoEntry];
    let found = own.into_iter().find(|reason| reason.name() == name);
    found.unwrap_or_else(|| Reason::from_srdf(Some(name)))
}
