//! How near is the robot to itself and to the world? Contacts, the nearest pairs, all pairs below a distance.
//!
//! Every answer is a signed distance with bounds, witnesses and normal; a contact is one that is not proven positive.
//! Candidates come from the broad phase, and pairs are looked at with the limit that holds at that time: the distance
//! asked for, or that of the k-th nearest pair so far.

use crate::body::{Between, BodyId, BodySet};
use crate::check::CheckRequest;
use crate::error::SceneError;
use crate::nearest_found::Found;
use crate::pair_distance::{NearestRequest, PairDistance, PairLevel};
use crate::pairs::{GrownPair, grown};
use crate::planning_scene::PlanningScene;
use crate::workspace::{Candidate, Gaps, Placed, Workspace};
use smooth_scene_query::{
    PairQuestion, PosedPair, PosedSolid, QueryOptions, SolidPairs, WarmStart, Within,
    for_each_distance_within,
};
use smooth_scene_robot::for_each_jacobian_column;

/// Pairs measured before the limit is updated: one batch of eight.
const AT_ONCE: usize = 8;

impl PlanningScene {
    /// Every pair in contact, with its depth, sorted by body. `out` is cleared first.
    pub fn contacts(
        &self,
        positions: &[f64],
        check: &CheckRequest,
        level: PairLevel,
        ws: &mut Workspace,
        out: &mut Vec<PairDistance>,
    ) -> Result<(), SceneError> {
        let request = NearestRequest {
            check: check.clone(),
            max_distance: 0.0,
            max_results: usize::MAX,
            level,
        };
        self.collect_near(positions, &request, ws, out)?;
        // The same pair of bodies stands together, its parts in order, whatever was found first.
        out.sort_unstable_by_key(PairDistance::ids);
        Ok(())
    }

    /// The nearest pairs, nearest first, equal ones by body. `out` is cleared first.
    pub fn nearest(
        &self,
        positions: &[f64],
        request: &NearestRequest,
        ws: &mut Workspace,
        out: &mut Vec<PairDistance>,
    ) -> Result<(), SceneError> {
        self.collect_near(positions, request, ws, out)?;
        // A pair is some hundred bytes: their places are sorted, and each pair moves once.
        ws.order.clear();
        ws.order
            .extend((0..out.len()).map(|place| (sort_key(out[place].distance.distance), place)));
        ws.order.sort_unstable_by(|(one, at), (other, there)| {
            one.cmp(other).then_with(|| out[*at].ids().cmp(&out[*there].ids()))
        });
        put_in_order(out, &mut ws.order);
        out.truncate(request.max_results);
        Ok(())
    }

    /// The derivative of a distance with respect to the joints, in the order of a velocity vector, for the state of the
    /// last question asked with this workspace. `out` is overwritten; its length becomes the number of velocities.
    ///
    /// # Panics
    ///
    /// If the pair is not of this snapshot, or nothing was asked with this workspace.
    ///
    /// By the envelope theorem only the motion of the witnesses along the normal counts: with J the Jacobians of the
    /// points fixed to their links, ∂d/∂q = nᵀ(J_B − J_A).
    pub fn gradient(&self, ws: &Workspace, proximity: &PairDistance, out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.model().velocity_count(), 0.0);
        let found = &proximity.distance;
        let ends = [
            (proximity.body_a, &found.witness_a_w, -1.0),
            (proximity.body_b, &found.witness_b_w, 1.0),
        ];
        for (body, witness_w, sign) in ends {
            let link = match body {
                BodyId::Link(link) => link,
                BodyId::Attached(place) => self.attached_at(place).link,
                // An object of the world does not move with the joints.
                BodyId::Object(_) => continue,
            };
            for_each_jacobian_column(self.model(), &ws.poses, link, witness_w, |place, column| {
                out[place] += sign * found.normal_ab_w.dot(&column.linear_w);
            });
        }
    }

    /// Two given surfaces in a state.
    pub(crate) fn surfaces_at(
        &self,
        positions: &[f64],
        bodies: [(BodyId, u32); 2],
        check: &CheckRequest,
        ws: &mut Workspace,
    ) -> Result<PairDistance, SceneError> {
        let one = |body| Some(BodySet::of([body]));
        let [a, b] = bodies;
        let between = Between { a: one(a.0), b: one(b.0) };
        let check = CheckRequest { between, ..check.clone() };
        let level = PairLevel::Surfaces;
        let request = NearestRequest { check, level, ..NearestRequest::default() };
        let mut out = Vec::new();
        self.nearest(positions, &request, ws, &mut out)?;
        let same = |p: &&PairDistance| p.ids() == (a.0, b.0, a.1, b.1);
        Ok(*out.iter().find(same).expect("without a limit every pair of surfaces is reported"))
    }

    /// Pairs in no particular order. Every pair that is left out is farther, by its lower bound, than the upper bound of
    /// the last one that [`nearest`](PlanningScene::nearest) returns.
    pub(crate) fn collect_near(
        &self,
        positions: &[f64],
        request: &NearestRequest,
        ws: &mut Workspace,
        out: &mut Vec<PairDistance>,
    ) -> Result<(), SceneError> {
        out.clear();
        if request.max_distance.is_nan() {
            let (field, name, range) = ("max_distance", "request".into(), "a number");
            return Err(SceneError::BadValue { field, name, value: f64::NAN, range });
        }
        ws.place(self, positions)?;
        if request.max_results == 0 {
            return Ok(());
        }
        let mut best = std::mem::take(&mut ws.best);
        best.clear();
        let mut found = Found::new(request, &mut best, out);
        if request.check.robot {
            self.collect_near_robot(&mut found, ws);
        }
        if request.check.world && !self.world.is_empty() {
            self.collect_near_world(&mut found, ws);
        }
        ws.best = best;
        // Two answers for the same bodies differ in a part, and the first part is number zero.
        let several_parts = out.iter().any(|found| found.part_a > 0 || found.part_b > 0);
        if request.level == PairLevel::Bodies && several_parts {
            keep_nearest_parts(out);
        }
        Ok(())
    }

    fn collect_near_robot(&self, found: &mut Found, ws: &mut Workspace) {
        let gaps = if found.counts() { Gaps::Tight } else { Gaps::Sufficient };
        self.collect_robot_pairs(found.limit, &found.request.check.between, gaps, ws);
        let mut candidates = std::mem::take(&mut ws.candidates);
        if found.counts() {
            // Near pairs first: they lower the limit for the others.
            candidates
                .sort_unstable_by(|x, y| x.gap.total_cmp(&y.gap).then((x.a, x.b).cmp(&(y.a, y.b))));
            let mut rest = &candidates[..];
            while !rest.is_empty() {
                let (next, later) = rest.split_at(rest.len().min(found.missing().max(AT_ONCE)));
                let near = next.partition_point(|candidate| candidate.gap <= found.limit);
                self.ask_robot_pairs(&next[..near], found, ws);
                rest = if near < next.len() { &[] } else { later };
            }
        } else {
            self.ask_robot_pairs(&candidates, found, ws);
        }
        ws.candidates = candidates;
    }

    /// Asks about these pairs with the present limit, in batches.
    fn ask_robot_pairs(&self, candidates: &[Candidate], found: &mut Found, ws: &mut Workspace) {
        let (query, limit) = (&found.request.check.query, found.limit);
        let placed = std::mem::take(&mut ws.placed);
        let surfaces = |candidate: &Candidate| {
            [candidate.a, candidate.b].map(|k| &self.robot.shapes[k as usize])
        };
        let mut solids = ws.solids.take().unwrap_or_default();
        let mut open = std::mem::take(&mut ws.open);
        let mut warms = std::mem::take(&mut ws.starts);
        warms.clear();
        warms.extend(candidates.iter().map(|c| ws.robot_start(c.a, c.b)));
        let limit = Limit::Same(limit);
        let asked = Asked { scene: self, candidates, placed: &placed, warms: &warms, limit };
        let mut answered = |index: usize, answer: Within| {
            let candidate = &candidates[index];
            let [one, other] = surfaces(candidate);
            match answer {
                Within::Farther { warm, .. } => {
                    ws.keep_robot_start(candidate.a, candidate.b, warm);
                }
                Within::Near(near) => {
                    ws.keep_robot_start(candidate.a, candidate.b, near.warm);
                    let distance = grown(&near, candidate.growth);
                    let surfaces = [(one.body, one.part), (other.body, other.part)];
                    found.add(PairDistance::new(surfaces, distance));
                }
            }
        };
        open.clear();
        solids.for_each_distance(candidates.len(), &asked, query, |index, answer| match answer {
            Some(answer) => answered(index, answer),
            None => open.push(index),
        });
        let questions = open.iter().map(|&index| asked.question(index));
        for_each_distance_within(questions, query, |place, answer| answered(open[place], answer));
        (ws.placed, ws.starts) = (placed, warms);
        (ws.solids, ws.open) = (Some(solids), open);
    }

    /// Visits the pairs, by number, that are proven to be farther apart than `limits` as grown, where the workspace has placed
    /// them, with the lower bound that proves it.
    pub(crate) fn for_each_pair_beyond(
        &self,
        candidates: &[Candidate],
        limits: &[f64],
        query: &QueryOptions,
        ws: &mut Workspace,
        mut visit: impl FnMut(usize, f64),
    ) {
        let mut solids = ws.solids.take().unwrap_or_default();
        let mut open = std::mem::take(&mut ws.open);
        open.clear();
        let (placed, limit) = (&ws.placed[..], Limit::Each(limits));
        let asked = Asked { scene: self, candidates, placed, warms: &[], limit };
        solids.for_each_distance(candidates.len(), &asked, query, |index, answer| match answer {
            Some(Within::Farther { lower, .. }) => {
                let [one, other] = candidates[index].growth;
                visit(index, lower - one - other);
            }
            Some(Within::Near(_)) => {}
            None => open.push(index),
        });
        for &index in &open {
            let pair = self.robot_pair(&candidates[index], placed);
            if pair.is_beyond(limits[index], query) {
                visit(index, limits[index]);
            }
        }
        (ws.solids, ws.open) = (Some(solids), open);
    }
}

/// Up to which distance pairs are of interest.
enum Limit<'a> {
    /// All alike.
    Same(f64),
    /// Each on its own.
    Each(&'a [f64]),
}

/// Pairs of the robot in one state.
struct Asked<'a> {
    scene: &'a PlanningScene,
    candidates: &'a [Candidate],
    placed: &'a [Placed],
    /// Earlier answers; none for cold questions.
    warms: &'a [WarmStart],
    limit: Limit<'a>,
}

impl Asked<'_> {
    #[inline]
    fn solid(&self, surface: u32) -> Option<PosedSolid<'_>> {
        let solid = self.scene.robot.shapes[surface as usize].solid.as_ref()?;
        let Placed { pose, rotation, .. } = &self.placed[surface as usize];
        Some(PosedSolid { solid, rotation, origin_w: &pose.translation.vector })
    }
}

impl SolidPairs for Asked<'_> {
    #[inline]
    fn solids(&self, index: usize) -> Option<[PosedSolid<'_>; 2]> {
        let Candidate { a, b, .. } = self.candidates[index];
        Some([self.solid(a)?, self.solid(b)?])
    }

    #[inline]
    fn threshold(&self, index: usize) -> f64 {
        let [one, other] = self.candidates[index].growth;
        let limit = match self.limit {
            Limit::Same(limit) => limit,
            Limit::Each(limits) => limits[index],
        };
        limit + one + other
    }

    #[inline]
    fn warm(&self, index: usize) -> WarmStart {
        self.warms.get(index).copied().unwrap_or_default()
    }

    fn question(&self, index: usize) -> PairQuestion<'_> {
        let GrownPair { a, pose_a, b, pose_b, .. } =
            self.scene.robot_pair(&self.candidates[index], self.placed);
        let (threshold, warm) = (self.threshold(index), self.warm(index));
        PairQuestion { pair: PosedPair { a, pose_a, b, pose_b }, threshold, warm }
    }
}

/// A number that is ordered as `f64::total_cmp` orders distances.
fn sort_key(distance: f64) -> i64 {
    let bits = distance.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

/// Puts pairs in the order of the places that each comes from.
fn put_in_order(out: &mut [PairDistance], order: &mut [(i64, usize)]) {
    for start in 0..order.len() {
        let mut place = start;
        loop {
            // This place is done, and the one that its pair came from is free.
            let from = std::mem::replace(&mut order[place].1, place);
            if from == start {
                break;
            }
            out.swap(place, from);
            place = from;
        }
    }
}

/// Leaves the nearest surfaces of every two bodies, with a lower bound that holds for all of them.
fn keep_nearest_parts(out: &mut Vec<PairDistance>) {
    out.sort_unstable_by(|x, y| {
        let bodies = (x.body_a, x.body_b).cmp(&(y.body_a, y.body_b));
        bodies.then(x.distance.distance.total_cmp(&y.distance.distance)).then(x.ids().cmp(&y.ids()))
    });
    out.dedup_by(|later, kept| {
        let same = (later.body_a, later.body_b) == (kept.body_a, kept.body_b);
        if same {
            kept.distance.lower = kept.distance.lower.min(later.distance.lower);
            kept.distance.upper = kept.distance.upper.min(later.distance.upper);
        }
        same
    });
}
