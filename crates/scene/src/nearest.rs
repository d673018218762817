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
use crate::workspace::{Candidate, Gaps, Workspace};
use smooth_scene_query::{PairQuestion, PosedPair, Within, for_each_distance_within};
use smooth_scene_robot::for_each_jacobian_column;

/// Pairs measured before the limit is updated: two batches of four.
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
        ws.order.extend((0..out.len()).map(|place| (out[place].distance.distance, place)));
        ws.order.sort_unstable_by(|(one, at), (other, there)| {
            one.total_cmp(other).then_with(|| out[*at].ids().cmp(&out[*there].ids()))
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
        let mut warms = std::mem::take(&mut ws.starts);
        warms.clear();
        warms.extend(candidates.iter().map(|c| ws.robot_start(c.a, c.b)));
        let questions = candidates.iter().zip(&warms).map(|(candidate, warm)| {
            let GrownPair { a, pose_a, b, pose_b, growth } = self.robot_pair(candidate, &placed);
            let threshold = limit + growth[0] + growth[1];
            PairQuestion { pair: PosedPair { a, pose_a, b, pose_b }, threshold, warm: *warm }
        });
        for_each_distance_within(questions, query, |index, answer| {
            let candidate = &candidates[index];
            let [one, other] = surfaces(candidate);
            match answer {
                Within::Farther { warm, .. } => {
                    ws.keep_robot_start(candidate.a, candidate.b, warm);
                }
                Within::Near(near) => {
                    ws.keep_robot_start(candidate.a, candidate.b, near.warm);
                    let distance = grown(&near, self.robot.inflation(one, other));
                    let surfaces = [(one.body, one.part), (other.body, other.part)];
                    found.add(PairDistance::new(surfaces, distance));
                }
            }
        });
        (ws.placed, ws.starts) = (placed, warms);
    }
}

/// Puts pairs in the order of the places that each comes from.
fn put_in_order(out: &mut [PairDistance], order: &mut [(f64, usize)]) {
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
