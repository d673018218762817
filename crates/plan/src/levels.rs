//! Planning with several models of the same robot, each of which contains its meshes: smooth surfaces, hulls, convex parts.
//!
//! Each level contains the meshes, so whatever one of them calls free is free. A state is in collision only if it is for every
//! level, and an edge is proven by whichever level proves it: an enclosing model never costs a solution that the hulls have.
//! A certificate then says of each segment which level proves it, by the surfaces that it names.

use crate::checker::{MotionChecker, SceneChecker};
use crate::clearance::NearAtEnd;
use crate::edge_proof::{EdgeProof, Stop};
use crate::error::PlanError;
use crate::surfaces::SurfaceName;
use smooth_scene_scene::{BodyId, PlanningScene, SceneError};

/// The questions of a planner answered by several levels, the first of which is asked first.
pub struct LevelsChecker<'a> {
    levels: Vec<Level<'a>>,
    near: Vec<NearAtEnd>,
}

struct Level<'a> {
    checker: SceneChecker<'a>,
    /// Where its surfaces begin among those of all levels.
    first: u32,
    surfaces: Vec<SurfaceName>,
}

impl<'a> LevelsChecker<'a> {
    /// For a motion between two states that keeps a clearance, m, as [`SceneChecker::keeping`]. The scenes are those of one
    /// robot in one world and differ in the surfaces of its links alone; others are refused.
    pub fn keeping(
        scenes: &[&'a PlanningScene],
        clearance: f64,
        start: &[f64],
        goal: &[f64],
    ) -> Result<Self, PlanError> {
        check_alike(scenes)?;
        let (mut levels, mut first): (Vec<Level<'a>>, u32) = (Vec::new(), 0);
        for scene in scenes {
            let checker = SceneChecker::keeping(scene, clearance, start, goal)?;
            let surfaces = checker.surface_names();
            let count = u32::try_from(surfaces.len()).expect("a scene has fewer surfaces");
            levels.push(Level { checker, first, surfaces });
            first += count;
        }
        // What is near at an end for one level and not for another keeps the clearance there.
        let near = levels.last().expect("there is a level").checker.near_ends().to_vec();
        Ok(Self { levels, near })
    }
}

/// Refuses scenes that are not levels of each other.
fn check_alike(scenes: &[&PlanningScene]) -> Result<(), PlanError> {
    let [first, others @ ..] = scenes else {
        let (field, value) = ("number of levels", 0.0);
        return Err(PlanError::BadOption { field, value, range: "at least 1" });
    };
    let model = first.model();
    let names = |scene: &PlanningScene| -> Vec<String> {
        let model = scene.model();
        let links = model.links().iter().map(|link| link.name.clone());
        let attached = scene.attached().map(|item| item.object.name().to_owned());
        links.chain(attached).collect()
    };
    for (place, scene) in (1u32..).zip(others) {
        let is_alike = names(scene) == names(first)
            && scene.model().joints() == model.joints()
            && scene.acm() == first.acm()
            && scene.sizes() == first.sizes()
            && scene.world() == first.world();
        if !is_alike {
            let (field, value) = ("level", f64::from(place));
            let range = "the same robot in the same world, but for the surfaces of its links";
            return Err(PlanError::BadOption { field, value, range });
        }
    }
    Ok(())
}

impl MotionChecker for LevelsChecker<'_> {
    fn collision(&mut self, positions: &[f64]) -> Result<Option<(BodyId, BodyId)>, SceneError> {
        let mut found = None;
        for level in &mut self.levels {
            found = level.checker.collision(positions)?;
            if found.is_none() {
                break;
            }
        }
        Ok(found)
    }

    fn any_collision(&mut self, states: &[f64], width: usize) -> Result<bool, SceneError> {
        // The states that all levels so far have called in collision.
        let mut left = states.to_vec();
        let (last, others) = self.levels.split_last_mut().expect("there is a level");
        for level in others {
            let colliding = level.checker.in_collision(&left)?;
            let states = left.chunks_exact(width).zip(colliding);
            left = states.filter(|(_, collides)| *collides).flat_map(|(q, _)| q.to_vec()).collect();
            if left.is_empty() {
                return Ok(false);
            }
        }
        last.checker.any_collision(&left, width)
    }

    fn near_ends(&self) -> &[NearAtEnd] {
        &self.near
    }

    fn surface_names(&self) -> Vec<SurfaceName> {
        self.levels.iter().flat_map(|level| level.surfaces.iter().cloned()).collect()
    }

    fn prove(&mut self, from: &[f64], to: &[f64], stop: Stop) -> Result<EdgeProof, SceneError> {
        self.first_proof(&mut |checker| checker.prove(from, to, stop))
    }

    fn prove_blend(&mut self, states: [&[f64]; 3], stop: Stop) -> Result<EdgeProof, SceneError> {
        self.first_proof(&mut |checker| checker.prove_blend(states, stop))
    }
}

impl<'a> LevelsChecker<'a> {
    /// The answer of the first level that proves a motion.
    fn first_proof(
        &mut self,
        prove: &mut dyn FnMut(&mut SceneChecker<'a>) -> Result<EdgeProof, SceneError>,
    ) -> Result<EdgeProof, SceneError> {
        for level in &mut self.levels {
            match prove(&mut level.checker)? {
                EdgeProof::Proven(mut segment) => {
                    for pair in &mut segment.pairs {
                        pair.surfaces = pair.surfaces.map(|surface| surface + level.first);
                    }
                    return Ok(EdgeProof::Proven(segment));
                }
                EdgeProof::Refuted => {}
                EdgeProof::Cancelled => return Ok(EdgeProof::Cancelled),
            }
        }
        Ok(EdgeProof::Refuted)
    }
}
