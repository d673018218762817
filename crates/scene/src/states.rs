//! Many states in one call, over all cores. Each state is asked cold, so the answers are the same bits for any number
//! of threads and any division of the work.

use rayon::prelude::*;

use crate::batch::BatchChecker;
use crate::check::CheckRequest;
use crate::error::SceneError;
use crate::pair_distance::{NearestRequest, PairDistance, PairLevel};
use crate::planning_scene::PlanningScene;
use crate::workspace::Workspace;

/// States that one thread takes at a time: some tens of microseconds each.
const BLOCK: usize = 16;
/// So many states are worth the preparation of a [`BatchChecker`].
const WORTH_PREPARING: usize = 1000;
/// States of which such a checker takes so many at a time.
const CHUNK: usize = 128;

impl PlanningScene {
    /// [`in_collision`](PlanningScene::in_collision) for every state, in order. The first state that is none is an
    /// error for all.
    pub fn states_in_collision(
        &self,
        states: &[impl AsRef<[f64]> + Sync],
        request: &CheckRequest,
    ) -> Result<Vec<bool>, SceneError> {
        let width = self.model().position_count();
        let is_whole = || states.iter().all(|state| state.as_ref().len() == width);
        if states.len() >= WORTH_PREPARING && *request == CheckRequest::default() && is_whole() {
            return self.blocks_in_collision(states);
        }
        self.over_states(states, |positions, ws| self.in_collision(positions, request, ws))
    }

    /// The same in blocks of eight, for states of the right length.
    fn blocks_in_collision(
        &self,
        states: &[impl AsRef<[f64]> + Sync],
    ) -> Result<Vec<bool>, SceneError> {
        let checker = BatchChecker::new(self);
        let answers: Vec<Result<Vec<bool>, SceneError>> = states
            .par_chunks(CHUNK)
            .map_init(
                || (checker.another(), Vec::new()),
                |(checker, flat), chunk| {
                    flat.clear();
                    chunk.iter().for_each(|state| flat.extend_from_slice(state.as_ref()));
                    checker.in_collision(flat)
                },
            )
            .collect();
        let answers: Result<Vec<_>, _> = answers.into_iter().collect();
        Ok(answers?.concat())
    }

    /// [`contacts`](PlanningScene::contacts) of every state, in order.
    pub fn states_contacts(
        &self,
        states: &[impl AsRef<[f64]> + Sync],
        request: &CheckRequest,
        level: PairLevel,
    ) -> Result<Vec<Vec<PairDistance>>, SceneError> {
        self.over_states(states, |positions, ws| {
            let mut out = Vec::new();
            self.contacts(positions, request, level, ws, &mut out)?;
            Ok(out)
        })
    }

    /// [`nearest`](PlanningScene::nearest) of every state, in order.
    pub fn states_nearest(
        &self,
        states: &[impl AsRef<[f64]> + Sync],
        request: &NearestRequest,
    ) -> Result<Vec<Vec<PairDistance>>, SceneError> {
        self.over_states(states, |positions, ws| {
            let mut out = Vec::new();
            self.nearest(positions, request, ws, &mut out)?;
            Ok(out)
        })
    }

    fn over_states<T: Send>(
        &self,
        states: &[impl AsRef<[f64]> + Sync],
        ask: impl Fn(&[f64], &mut Workspace) -> Result<T, SceneError> + Sync,
    ) -> Result<Vec<T>, SceneError> {
        let answers: Vec<Result<T, SceneError>> = states
            .par_iter()
            .with_min_len(BLOCK)
            .map_init(Workspace::cold, |ws, positions| ask(positions.as_ref(), ws))
            .collect();
        // Collected first: of several errors the one of the first state is returned, not the one met first.
        answers.into_iter().collect()
    }
}
