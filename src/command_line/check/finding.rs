//! What is near what in one state.

use super::args::CheckArguments;
use super::maps::{MapFinding, Maps};
use crate::query::QueryOptions;
use crate::scene::{
    CheckRequest, NearestRequest, PairDistance, PairLevel, PlanningScene, SceneError, Workspace,
};

/// What was found in one state.
#[derive(Debug)]
pub(crate) struct Finding {
    /// Every pair in contact, by body.
    pub contacts: Vec<PairDistance>,
    /// The nearest pairs that are apart.
    pub nearest: Vec<PairDistance>,
    /// Everything that is not proven free of a map, then the nearest others.
    pub maps: Vec<MapFinding>,
}

impl Finding {
    pub fn in_collision(&self) -> bool {
        !self.contacts.is_empty() || self.maps.iter().any(|found| !found.is_free())
    }

    /// The deepest contact, or the nearest pair.
    pub fn closest(&self) -> Option<&PairDistance> {
        let contacts = self.contacts.iter();
        let deepest = contacts.min_by(|a, b| a.distance.distance.total_cmp(&b.distance.distance));
        deepest.or(self.nearest.first())
    }
}

/// What to look for in each state.
#[derive(Debug)]
pub(crate) struct Search {
    check: CheckRequest,
    max_distance: f64,
    nearest: usize,
}

impl Search {
    /// As the arguments say, with `nearest` pairs that are apart unless they say how many.
    pub fn new(arguments: &CheckArguments, nearest: usize) -> Self {
        let query = match arguments.certify {
            true => QueryOptions::certified(),
            false => QueryOptions::default(),
        };
        Self {
            check: CheckRequest { query, ..CheckRequest::default() },
            max_distance: arguments.max_distance.unwrap_or(f64::INFINITY),
            nearest: arguments.nearest.unwrap_or(nearest),
        }
    }

    /// The contacts in a state, and the nearest of the other pairs.
    pub fn find(
        &self,
        scene: &PlanningScene,
        maps: &Maps,
        positions: &[f64],
        ws: &mut Workspace,
    ) -> Result<Finding, SceneError> {
        let (mut contacts, mut nearest) = (Vec::new(), Vec::new());
        scene.contacts(positions, &self.check, PairLevel::Bodies, ws, &mut contacts)?;
        let request = NearestRequest {
            check: self.check.clone(),
            max_distance: self.max_distance,
            max_results: self.nearest.saturating_add(contacts.len()),
            level: PairLevel::Bodies,
        };
        scene.nearest(positions, &request, ws, &mut nearest)?;
        nearest.retain(|pair| !pair.is_contact());
        nearest.truncate(self.nearest);
        let maps = maps.find(positions, self.nearest, self.max_distance)?;
        Ok(Finding { contacts, nearest, maps })
    }
}
