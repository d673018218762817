//! How near is the robot to itself and to the world? Contacts, the nearest pairs, all pairs below a distance.
//!
//! Every answer is a signed distance with bounds, witnesses and normal; a contact is one that is not proven positive.
//! Candidates come from the broad phase, and pairs are looked at with the limit that holds at that time: the distance
//! asked for, or that of the k-th nearest pair so far.

use std::cmp::Ordering;

use super::body::{Between, BodyId, BodySet};
use super::check::CheckRequest;
use super::error::SceneError;
use super::pairs::{GrownPair, grown};
use super::planning_scene::PlanningScene;
use super::robot_shapes::RobotShape;
use super::workspace::{Candidate, Workspace};
use smooth_scene_query::{
    PairQuestion, PosedPair, SignedDistance, WarmStart, Within, for_each_distance_within,
};
use smooth_scene_robot::for_each_jacobian_column;

/// Pairs that are asked about before the limit is looked at again: two rounds of four side by side.
const AT_ONCE: usize = 8;

/// Whether bodies of several surfaces answer with their nearest ones or with all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PairLevel {
    /// One answer for two bodies.
    #[default]
    Bodies,
    /// One answer for two convex surfaces: several contacts of two bodies.
    Surfaces,
}

/// Which pairs are wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct NearestRequest {
    /// Between whom, and how closely.
    pub check: CheckRequest,
    /// Pairs farther apart are left out, m; infinite for all.
    pub max_distance: f64,
    /// At most this many, the nearest ones.
    pub max_results: usize,
    /// Answers for bodies or for their surfaces.
    pub level: PairLevel,
}

impl Default for NearestRequest {
    fn default() -> Self {
        Self {
            check: CheckRequest::default(),
            max_distance: f64::INFINITY,
            max_results: usize::MAX,
            level: PairLevel::Bodies,
        }
    }
}

/// Two bodies and which of their surfaces.
pub(super) type SurfacePair = (BodyId, BodyId, u32, u32);

/// Two bodies and how far apart they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proximity {
    /// The body that comes first in the order of [`BodyId`].
    pub body_a: BodyId,
    /// The other.
    pub body_b: BodyId,
    /// Which of the convex surfaces of A, compounds taken apart.
    pub part_a: u32,
    /// Which of those of B.
    pub part_b: u32,
    /// Distance, bounds, witnesses and normal, of the bodies as grown by padding and margin, world frame.
    pub distance: SignedDistance,
}

impl Proximity {
    /// Whether the bodies may not be treated as apart.
    pub fn is_contact(&self) -> bool {
        self.distance.lower <= 0.0
    }

    fn of_surfaces(a: &RobotShape, b: &RobotShape, distance: SignedDistance) -> Self {
        Self {
            body_a: a.body,
            body_b: b.body,
            part_a: a.part,
            part_b: b.part,
            distance: forget_start(distance),
        }
    }

    /// By distance, equal ones by body.
    pub(super) fn nearer(&self, other: &Self) -> Ordering {
        let distances = self.distance.distance.total_cmp(&other.distance.distance);
        distances.then_with(|| self.ids().cmp(&other.ids()))
    }

    fn ids(&self) -> SurfacePair {
        (self.body_a, self.body_b, self.part_a, self.part_b)
    }
}

impl PlanningScene {
    /// Every pair in contact, with its depth, sorted by body. `out` is cleared first.
    pub fn contacts(
        &self,
        positions: &[f64],
        check: &CheckRequest,
        level: PairLevel,
        ws: &mut Workspace,
        out: &mut Vec<Proximity>,
    ) -> Result<(), SceneError> {
        let request = NearestRequest {
            check: check.clone(),
            max_distance: 0.0,
            max_results: usize::MAX,
            level,
        };
        self.collect_near(positions, &request, ws, out)?;
        // The same pair of bodies stands together, its parts in order, whatever was found first.
        out.sort_unstable_by_key(Proximity::ids);
        Ok(())
    }

    /// The nearest pairs, nearest first, equal ones by body. `out` is cleared first.
    pub fn nearest(
        &self,
        positions: &[f64],
        request: &NearestRequest,
        ws: &mut Workspace,
        out: &mut Vec<Proximity>,
    ) -> Result<(), SceneError> {
        self.collect_near(positions, request, ws, out)?;
        out.sort_unstable_by(Proximity::nearer);
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
    pub fn gradient(&self, ws: &Workspace, proximity: &Proximity, out: &mut Vec<f64>) {
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
    pub(super) fn proximity_of(
        &self,
        positions: &[f64],
        bodies: [(BodyId, u32); 2],
        check: &CheckRequest,
        ws: &mut Workspace,
    ) -> Result<Proximity, SceneError> {
        let one = |body| Some(BodySet::of([body]));
        let [a, b] = bodies;
        let between = Between { a: one(a.0), b: one(b.0) };
        let check = CheckRequest { between, ..check.clone() };
        let level = PairLevel::Surfaces;
        let request = NearestRequest { check, level, ..NearestRequest::default() };
        let mut out = Vec::new();
        self.nearest(positions, &request, ws, &mut out)?;
        let same = |p: &&Proximity| p.ids() == (a.0, b.0, a.1, b.1);
        Ok(*out.iter().find(same).expect("without a limit every pair of surfaces is reported"))
    }

    /// Pairs in no particular order. Every pair that is left out is farther, by its lower bound, than the upper bound of
    /// the last one that [`nearest`](PlanningScene::nearest) returns.
    pub(super) fn collect_near(
        &self,
        positions: &[f64],
        request: &NearestRequest,
        ws: &mut Workspace,
        out: &mut Vec<Proximity>,
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
        let mut found = Found { request, limit: request.max_distance, best: &mut best, out };
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
        self.collect_robot_pairs(found.limit, &found.request.check.between, ws);
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

    /// Asks about these pairs with the limit of now: they need not wait for each other, and are looked at side by side.
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
                    found.add(Proximity::of_surfaces(one, other, distance));
                }
            }
        });
        (ws.placed, ws.starts) = (placed, warms);
    }
}

/// The warm start is the workspace's business, and differs where the answer does not.
pub(super) fn forget_start(distance: SignedDistance) -> SignedDistance {
    SignedDistance { warm: WarmStart::default(), ..distance }
}

/// What was found so far.
pub(super) struct Found<'a> {
    pub request: &'a NearestRequest,
    /// Pairs farther than this are of no interest any more.
    pub limit: f64,
    /// The nearest pairs so far, when their number is limited: distance and who.
    best: &'a mut Vec<(f64, SurfacePair)>,
    out: &'a mut Vec<Proximity>,
}

impl Found<'_> {
    /// Whether the number of answers is limited.
    pub fn counts(&self) -> bool {
        self.request.max_results < usize::MAX
    }

    /// How many answers are missing before the limit can be lowered.
    fn missing(&self) -> usize {
        self.request.max_results.saturating_sub(self.best.len())
    }

    pub fn add(&mut self, proximity: Proximity) {
        self.out.push(proximity);
        // The upper bound: the limit must not leave out a pair that is nearer than what is kept.
        self.bound(proximity.ids(), proximity.distance.upper);
    }

    /// Lowers the limit when so many pairs are known to be nearer than it. Of pairs of several surfaces one must be.
    pub fn bound(&mut self, mut who: (BodyId, BodyId, u32, u32), value: f64) {
        if !self.counts() {
            return;
        }
        if self.request.level == PairLevel::Bodies {
            (who.2, who.3) = (0, 0);
        }
        if let Some(known) = self.best.iter().position(|(_, other)| *other == who) {
            if self.best[known].0 <= value {
                return;
            }
            self.best.remove(known);
        }
        let place = self.best.partition_point(|(other, _)| *other <= value);
        self.best.insert(place, (value, who));
        self.best.truncate(self.request.max_results);
        if let (true, Some(last)) = (self.best.len() == self.request.max_results, self.best.last())
        {
            self.limit = self.limit.min(last.0);
        }
    }
}

/// Leaves the nearest surfaces of every two bodies, with a lower bound that holds for all of them.
fn keep_nearest_parts(out: &mut Vec<Proximity>) {
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
