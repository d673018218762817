//! The search behind [`PlanningScene::check_motion`].
//!
//! Each segment is halved again and again. At the middle of an interval every pair is looked at once: bounding volumes, or
//! the bodies themselves, farther apart than the pair can move in half the interval are proven free in all of it. What is
//! left is handed, when intervals have become short beside the bodies, to the continuous query on two moving bodies
//! ([`time_of_impact`]), which passes no contact. Pairs that do not move relative to each other are settled by the
//! state at the start.

use std::cell::RefCell;

use super::answer::{MotionAnswer, MotionRequest};
use super::moving::{Interval, MovingPair, MovingShape, bounded, pose_at, surface_speed};
use super::segment::Segment;
use crate::body::BodyId;
use crate::error::SceneError;
use crate::pair_distance::{NearestRequest, PairDistance};
use crate::pairs::GrownPair;
use crate::planning_scene::PlanningScene;
use crate::robot_shape::RobotShape;
use crate::robot_shapes::RobotShapes;
use crate::workspace::{Candidate, Workspace};
use smooth_scene_geometry::broad_phase::STOP;
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::{Fixed, MotionGoal, MotionStatus, TimeOfImpact, time_of_impact};

/// Halvings of a segment, at most.
const MAX_HALVINGS: u32 = 6;
/// A pair is handed to the continuous query when it moves less than this share of its bounding radii.
const SHORT: f64 = 0.1;

/// What a distance has to be larger by to settle a pair, m, and relative to the coordinates: far above its rounding.
const SURELY: f64 = 1e-9;
const SURELY_RELATIVE: f64 = 1e-12;

/// Rounding error of a pose, in multiples of its coordinates, with room for the sums made of it.
const POSE_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Who was nearest, and when.
#[derive(Debug, Clone, Copy)]
struct Nearest {
    time: f64,
    distance: f64,
    bodies: [(BodyId, u32); 2],
}

/// What a distance has to be larger by, m, for two bodies whose coordinates reach so far.
fn surely([a, b]: [f64; 2]) -> f64 {
    SURELY + SURELY_RELATIVE * (a + b)
}

/// The same for a pair of the robot where the workspace has placed it.
fn pair_rounding(robot: &RobotShapes, pair: &MovingPair, ws: &Workspace) -> f64 {
    let extent = |k: u32| ws.placed[k as usize].center_w.amax() + robot.shapes[k as usize].radius;
    surely([extent(pair.a), extent(pair.b)])
}

/// A motion as far as it has been looked at.
pub(crate) struct Search<'a> {
    scene: &'a PlanningScene,
    request: &'a MotionRequest,
    best: Option<Nearest>,
    /// The first contact so far, or the end: later moments are of no interest.
    pub cut: f64,
    contact: bool,
    /// Up to here the motion is proven free.
    free: f64,
    lower: f64,
    /// The earliest time up to which a query that ran out of its budget had proven anything.
    exhausted: f64,
    queries: u32,
}

impl<'a> Search<'a> {
    pub fn new(scene: &'a PlanningScene, request: &'a MotionRequest, end: f64) -> Self {
        Self {
            scene,
            request,
            best: None,
            cut: end,
            contact: false,
            free: end,
            lower: f64::INFINITY,
            exhausted: f64::INFINITY,
            queries: 0,
        }
    }

    fn wants_closest(&self) -> bool {
        self.request.options.goal == MotionGoal::ClosestApproach
    }

    /// Pairs whose distance surely stays above this are of no interest.
    fn level(&self) -> f64 {
        match self.request.options.goal {
            MotionGoal::FirstContact => 0.0,
            // Without a pair so far every distance is of interest.
            MotionGoal::ClosestApproach => {
                self.best.as_ref().map_or(f64::INFINITY, |best| best.distance.max(0.0))
            }
        }
    }

    /// The state at the beginning: contacts there, and the pairs that do not move.
    pub fn start(&mut self, positions: &[f64], ws: &mut Workspace) -> Result<(), SceneError> {
        let request = NearestRequest {
            check: self.request.check.clone(),
            max_results: 1,
            ..NearestRequest::default()
        };
        let mut found = Vec::new();
        self.scene.collect_near(positions, &request, ws, &mut found)?;
        found.sort_unstable_by(PairDistance::nearer);
        self.best = found.first().map(|pair| Nearest {
            time: 0.0,
            distance: pair.distance.distance,
            bodies: [(pair.body_a, pair.part_a), (pair.body_b, pair.part_b)],
        });
        for pair in &found {
            // The nearest pair need not have the smallest bound: every pair that was measured counts.
            self.lower = self.lower.min(pair.distance.lower);
            if pair.distance.lower <= self.touching_distance(pair, ws) {
                (self.cut, self.free, self.contact) = (0.0, 0.0, true);
            }
        }
        Ok(())
    }

    /// The distance at which a pair counts as touching, as [`time_of_impact`] has it for pairs that move: pairs that do
    /// not move are settled by the state at the start, and rounding must not let them touch later.
    fn touching_distance(&self, pair: &PairDistance, ws: &Workspace) -> f64 {
        let bodies = [(pair.body_a, pair.part_a), (pair.body_b, pair.part_b)];
        let surfaces = bodies.map(|(body, part)| self.scene.surface(ws, body, part));
        let radii = surfaces.iter().map(|(shape, _)| shape.bounding_radius());
        let size = radii.filter(|radius| radius.is_finite()).fold(0.0, f64::max);
        let coordinates = surfaces.iter().map(|(_, pose)| pose.translation.vector.amax());
        let farthest = coordinates.fold(0.0, f64::max);
        (self.request.options.contact_tolerance * size).max(POSE_ROUNDING * farthest)
    }

    pub fn segment(
        &mut self,
        base: f64,
        from: &[f64],
        to: &[f64],
        ws: &mut Workspace,
    ) -> Result<(), SceneError> {
        let segment = Segment::new(self.scene.model(), from, to);
        let (robot, check) = (&self.scene.robot, &self.request.check);
        let mut pairs = Vec::new();
        if check.robot {
            for &(a, b) in &robot.pairs {
                let (one, other) = (&robot.shapes[a as usize], &robot.shapes[b as usize]);
                if !check.between.includes(one.body, other.body) {
                    continue;
                }
                let model = self.scene.model();
                let top = model.common_link(one.link, other.link);
                let chains = [one, other].map(|shape| model.joints_up_to(shape.link, top));
                let bounds = [segment.bounds(&chains[0], one), segment.bounds(&chains[1], other)];
                let speed = surface_speed(&bounds[0], one) + surface_speed(&bounds[1], other);
                if speed > 0.0 {
                    pairs.push(MovingPair { a, b, chains, bounds, speed });
                }
            }
        }
        let mut shapes = Vec::new();
        if check.world && !self.scene.world.is_empty() {
            for (index, shape) in (0u32..).zip(&robot.shapes) {
                let model = self.scene.model();
                let chain = model.joints_up_to(shape.link, model.root());
                let bounds = segment.bounds(&chain, shape);
                let speed = surface_speed(&bounds, shape);
                if speed > 0.0 {
                    shapes.push(MovingShape { index, chain, bounds, speed });
                }
            }
        }
        let whole = Interval { base, start: 0.0, end: 1.0, halvings: 0 };
        let (pairs, shapes): (Vec<_>, Vec<_>) = (pairs.iter().collect(), shapes.iter().collect());
        self.interval(&segment, whole, &pairs, &shapes, ws)
    }

    /// Proves an interval free, or finds what happens in it.
    fn interval(
        &mut self,
        segment: &Segment,
        interval: Interval,
        pairs: &[&MovingPair],
        shapes: &[&MovingShape],
        ws: &mut Workspace,
    ) -> Result<(), SceneError> {
        let Interval { base, start, end, halvings } = interval;
        if base + start >= self.cut {
            return Ok(());
        }
        let middle = 0.5 * (start + end);
        let mut positions = Vec::new();
        segment.positions(middle, &mut positions);
        ws.place(self.scene, &positions)?;
        let last = halvings >= MAX_HALVINGS;
        let mut near_pairs = Vec::new();
        for &pair in pairs {
            if let Some(gap) = self.open_gap(pair, end - start, ws) {
                near_pairs.push((pair, gap));
            }
        }
        self.drop_apart(&mut near_pairs, end - start, ws);
        let mut open_pairs = Vec::new();
        for (pair, gap) in near_pairs {
            let shapes = [pair.a, pair.b].map(|k| &self.scene.robot.shapes[k as usize]);
            let size = shapes[0].radius + shapes[1].radius;
            if last || pair.speed * (end - start) <= SHORT * size.max(gap) {
                self.resolve_pair(segment, interval, pair)?;
            } else {
                open_pairs.push(pair);
            }
        }
        let mut open_shapes = Vec::new();
        for &moving in shapes {
            let shape = &self.scene.robot.shapes[moving.index as usize];
            let way = moving.speed * (end - start);
            if last || way <= SHORT * shape.radius {
                self.resolve_shape(segment, interval, moving, ws)?;
            } else if self.has_near_objects(shape, moving, way, ws) {
                open_shapes.push(moving);
            } else {
                self.lower = self.lower.min(self.level());
            }
        }
        if open_pairs.is_empty() && open_shapes.is_empty() {
            return Ok(());
        }
        let halves = [(start, middle), (middle, end)];
        for (start, end) in halves {
            let half = Interval { base, start, end, halvings: halvings + 1 };
            self.interval(segment, half, &open_pairs, &open_shapes, ws)?;
        }
        Ok(())
    }

    /// The distance of the bounding volumes in the middle of an interval, if it does not settle the pair.
    fn open_gap(&mut self, pair: &MovingPair, length: f64, ws: &Workspace) -> Option<f64> {
        let robot = &self.scene.robot;
        let (a, b) = (pair.a as usize, pair.b as usize);
        let growth = robot.inflation(&robot.shapes[a], &robot.shapes[b]);
        let (one, other) = (&ws.placed[a], &ws.placed[b]);
        let balls = (other.center_w - one.center_w).norm()
            - (robot.shapes[a].radius + robot.shapes[b].radius);
        let gap = balls.max(one.aabb.distance(&other.aabb)) - (growth[0] + growth[1]);
        let least = gap - pair_rounding(robot, pair, ws) - 0.5 * pair.speed * length;
        if least > self.level() {
            self.lower = self.lower.min(least);
            return None;
        }
        Some(gap.max(0.0))
    }

    /// Leaves out the pairs whose distances in the middle of an interval settle them: no pair comes nearer than its distance
    /// there less what it can move in half the interval.
    fn drop_apart(&mut self, near: &mut Vec<(&MovingPair, f64)>, length: f64, ws: &mut Workspace) {
        let (scene, level) = (self.scene, self.level());
        let robot = &scene.robot;
        if !level.is_finite() || near.is_empty() {
            return;
        }
        let mut candidates = std::mem::take(&mut ws.candidates);
        candidates.clear();
        candidates.extend(near.iter().map(|(pair, gap)| {
            let surfaces = [pair.a, pair.b].map(|k| &robot.shapes[k as usize]);
            let growth = robot.inflation(surfaces[0], surfaces[1]);
            Candidate { gap: *gap, core_gap: 0.0, a: pair.a, b: pair.b, growth }
        }));
        let needed = near
            .iter()
            .map(|(pair, _)| level + pair_rounding(robot, pair, ws) + 0.5 * pair.speed * length);
        let needed: Vec<f64> = needed.collect();
        let mut is_apart = vec![false; near.len()];
        scene.for_each_pair_beyond(
            &candidates,
            &needed,
            &self.request.check.query,
            ws,
            |index, lower| {
                is_apart[index] = true;
                self.lower = self.lower.min(lower - (needed[index] - level));
            },
        );
        ws.candidates = candidates;
        let mut apart = is_apart.iter();
        near.retain(|_| !apart.next().expect("one for each pair"));
    }

    fn has_near_objects(
        &self,
        shape: &RobotShape,
        moving: &MovingShape,
        way: f64,
        ws: &Workspace,
    ) -> bool {
        let placed = &ws.placed[moving.index as usize];
        let growth = shape.padding + self.scene.robot.largest_object_margin;
        let mut near = false;
        self.scene.world.for_each_near(&placed.aabb, 0.5 * way + growth + self.level(), |_, _| {
            near = true;
            STOP
        });
        near
    }

    fn resolve_pair(
        &mut self,
        segment: &Segment,
        interval: Interval,
        pair: &MovingPair,
    ) -> Result<(), SceneError> {
        let robot = &self.scene.robot;
        let shapes = [pair.a, pair.b].map(|k| &robot.shapes[k as usize]);
        let growth = robot.inflation(shapes[0], shapes[1]);
        let interval = self.clipped(interval);
        let buffer = RefCell::new(Vec::new());
        let pose = |side: usize, time: f64| {
            pose_at(segment, &interval, &pair.chains[side], shapes[side], time, &buffer)
        };
        let a = bounded(|time| pose(0, time), &pair.bounds[0], &interval);
        let b = bounded(|time| pose(1, time), &pair.bounds[1], &interval);
        let padded = self.padded(shapes[0], growth)?;
        let found = time_of_impact(&padded, &a, &shapes[1].shape, &b, &self.request.options);
        let bodies = [(shapes[0].body, shapes[0].part), (shapes[1].body, shapes[1].part)];
        self.record(&interval, &found, bodies);
        Ok(())
    }

    fn resolve_shape(
        &mut self,
        segment: &Segment,
        interval: Interval,
        moving: &MovingShape,
        ws: &Workspace,
    ) -> Result<(), SceneError> {
        let shape = &self.scene.robot.shapes[moving.index as usize];
        let placed = ws.placed[moving.index as usize].clone();
        let way = moving.speed * (interval.end - interval.start);
        let growth = shape.padding + self.scene.robot.largest_object_margin;
        let reach = 0.5 * way + self.level();
        // Objects in a fixed order, whatever the shape of the tree.
        let mut near = Vec::new();
        self.scene.world.for_each_near(&placed.aabb, reach + growth, |id, _| {
            near.push(id);
            reach + growth
        });
        near.sort_unstable();
        // Objects and parts that are not looked at are farther than this.
        self.lower = self.lower.min(self.level());
        for id in near {
            let mut found = Vec::new();
            let (interval, options) = (self.clipped(interval), &self.request.options);
            let aabb = self.scene.world.aabb(id);
            let extents = [
                placed.center_w.amax() + shape.radius,
                aabb.center().amax() + aabb.half_extents().amax(),
            ];
            let needed = self.level() + surely(extents) + 0.5 * way;
            let visit = |part: u32, pair: &GrownPair| {
                // Settled by the distance in the middle of the interval, as pairs of the robot are.
                if needed.is_finite() && pair.is_beyond(needed, &self.request.check.query) {
                    return reach;
                }
                let buffer = RefCell::new(Vec::new());
                let pose =
                    |time: f64| pose_at(segment, &interval, &moving.chain, shape, time, &buffer);
                let motion = bounded(pose, &moving.bounds, &interval);
                let fixed = Fixed { pose: *pair.pose_b };
                let impact = self
                    .padded(shape, pair.growth)
                    .map(|grown| time_of_impact(&grown, &motion, pair.b, &fixed, options));
                found.push((part, impact));
                reach
            };
            self.scene.for_each_part_near(
                shape,
                &placed,
                id,
                &self.request.check.between,
                visit,
                reach,
            );
            for (part, found) in found {
                let bodies = [(shape.body, shape.part), (BodyId::Object(id), part)];
                self.record(&interval, &found?, bodies);
            }
        }
        Ok(())
    }

    /// A surface grown by the padding and margin of its pair.
    fn padded(&self, shape: &RobotShape, growth: [f64; 2]) -> Result<Shape, SceneError> {
        shape.padded(growth[0] + growth[1], self.scene.body_name(shape.body))
    }

    /// The interval as far as it is of interest.
    fn clipped(&self, interval: Interval) -> Interval {
        Interval { end: interval.end.min(self.cut - interval.base).max(interval.start), ..interval }
    }

    fn record(&mut self, interval: &Interval, found: &TimeOfImpact, bodies: [(BodyId, u32); 2]) {
        let time_of = |t: f64| interval.base + interval.start + t * (interval.end - interval.start);
        self.queries += 1;
        if found.status == MotionStatus::BudgetExhausted {
            self.exhausted = self.exhausted.min(time_of(found.free_until));
        }
        self.lower = self.lower.min(found.lower);
        if let Some(contact) = found.time {
            let time = time_of(contact);
            if time < self.cut || !self.contact {
                (self.cut, self.contact) = (time.min(self.cut), true);
                let distance = found.distance.distance;
                self.best = Some(Nearest { time, distance, bodies });
            }
        }
        if found.free_until < 1.0 {
            self.free = self.free.min(time_of(found.free_until));
        }
        let nearer = |best: &Nearest| found.distance.distance < best.distance;
        if !self.contact && self.wants_closest() && self.best.as_ref().is_none_or(nearer) {
            let distance = found.distance.distance;
            self.best = Some(Nearest { time: time_of(found.closest_time), distance, bodies });
        }
    }

    pub fn answer(
        self,
        waypoints: &[impl AsRef<[f64]>],
        ws: &mut Workspace,
    ) -> Result<MotionAnswer, SceneError> {
        let mut closest = None;
        let mut closest_time = 0.0;
        if let Some(best) = self.best {
            closest_time = best.time;
            let index = (best.time.floor() as usize).min(waypoints.len() - 2);
            let (from, to) = (waypoints[index].as_ref(), waypoints[index + 1].as_ref());
            let mut positions = Vec::new();
            Segment::new(self.scene.model(), from, to)
                .positions(best.time - index as f64, &mut positions);
            let check = &self.request.check;
            closest = Some(self.scene.surfaces_at(&positions, best.bodies, check, ws)?);
        }
        Ok(MotionAnswer {
            first_contact: self.contact.then_some(self.cut),
            free_until: self.free.min(self.cut),
            closest_time,
            closest,
            lower: self.lower,
            // What was not found out about later moments does not matter after a contact.
            status: if self.exhausted.is_infinite() || (self.contact && self.exhausted > self.cut) {
                MotionStatus::Converged
            } else {
                MotionStatus::BudgetExhausted
            },
            pair_queries: self.queries,
        })
    }
}
