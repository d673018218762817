//! When is the robot where? Times for a path within velocity and acceleration limits.
//!
//! A path is straight between its waypoints, so a robot that does not leave it has to stop at every corner: any speed there
//! would need an infinite acceleration. A [`BlendedPath`] goes around its corners on parabolas. The trajectory travels exactly
//! that path, as fast as the limits allow, at rest at both ends and at corners that no parabola replaces: see
//! `speed_profile` for how. On a straight segment that is the trapezoid of the textbooks: the motion accelerates as much as
//! it may, goes on at the largest speed if it gets there, and brakes as much as it may.

use crate::blended_path::BlendedPath;
use crate::error::PlanError;
use crate::layout::Layout;
use crate::motion_limits::MotionLimits;
use crate::space::JointSpace;
use crate::speed_profile::{Cell, Span, fastest};

/// Cells of a curve. Even, so that one of them ends in the middle. With these a right angle that the velocity limits takes the time of
/// the closed form to within a thousandth (`tests/plan/blends.rs`).
const CELLS: usize = 16;
/// A straight segment ends one cell and begins another whenever a floating joint has turned by this, rad: cubic polynomials through
/// the quaternions of both ends are then off by (0.05)⁴ / 384, some 10⁻⁸.
const LARGEST_TURN: f64 = 0.1;
/// Segments shorter than this share of the path are left out: they are the rounding of curves that meet.
const SHORTEST: f64 = 1e-12;

/// A state of a trajectory, in the order of the points of a space.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedState {
    /// Positions, rad or m.
    pub positions: Vec<f64>,
    /// Velocities, per second, in the order of a way: of a floating joint linear, then angular, both seen from the parent.
    pub velocities: Vec<f64>,
    /// Accelerations, per second squared. At a switch the one after it.
    pub accelerations: Vec<f64>,
}

/// A straight segment or a curve, as a function of s: q = from + q'₀ s + (q'₁ − q'₀) s² / 2L.
#[derive(Debug, Clone, PartialEq)]
struct Piece {
    from: Vec<f64>,
    /// q' at its ends.
    rates: [Vec<f64>; 2],
    /// L, its length in s.
    length: f64,
}

impl Piece {
    fn rate(&self, s: f64) -> Vec<f64> {
        let share = s / self.length;
        let [first, last] = &self.rates;
        first.iter().zip(last).map(|(a, b)| a + share * (b - a)).collect()
    }

    /// The state at s with the speed and acceleration of s.
    fn at(&self, layout: &Layout, s: f64, speed: f64, acceleration: f64) -> TimedState {
        let rates = self.rate(s);
        let [first, last] = &self.rates;
        let middle: Vec<f64> = first.iter().zip(&rates).map(|(a, b)| 0.5 * (a + b)).collect();
        let bend = |k: usize| (last[k] - first[k]) / self.length;
        let pushes = rates.iter().enumerate();
        TimedState {
            positions: layout.at(&self.from, &middle, s),
            velocities: rates.iter().map(|rate| rate * speed).collect(),
            accelerations: pushes
                .map(|(k, rate)| rate * acceleration + bend(k) * speed * speed)
                .collect(),
        }
    }
}

/// A time of constant acceleration of s on one piece.
#[derive(Debug, Clone, PartialEq)]
struct Phase {
    /// It begins at this time, s.
    start: f64,
    piece: usize,
    /// Where on the piece it begins.
    s: f64,
    speed: f64,
    acceleration: f64,
}

/// A path with times.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedPath {
    layout: Layout,
    pieces: Vec<Piece>,
    phases: Vec<Phase>,
    duration: f64,
    /// When it is at each waypoint, or nearest to a corner.
    passes: Vec<f64>,
    end: Vec<f64>,
}

impl TimedPath {
    /// The fastest trajectory along a path of points of the space, at rest at every waypoint.
    pub fn new(
        space: &JointSpace,
        path: &[impl AsRef<[f64]>],
        limits: &MotionLimits,
    ) -> Result<Self, PlanError> {
        let points: Vec<Vec<f64>> = path.iter().map(|point| point.as_ref().to_vec()).collect();
        let points = space.unwrapped(&points);
        let waypoints = points.iter().map(|point| space.positions(point)).collect();
        Self::blended(space, &BlendedPath::with_stops(waypoints), limits)
    }

    /// The fastest trajectory along a path and around its corners.
    pub fn blended(
        space: &JointSpace,
        path: &BlendedPath,
        limits: &MotionLimits,
    ) -> Result<Self, PlanError> {
        let given = limits.count();
        if given != space.freedoms() {
            let (field, value, range) =
                ("number of limits", given as f64, "that of the joints that move");
            return Err(PlanError::BadOption { field, value, range });
        }
        let route = Route::new(space, path)?;
        let cells = route.cells(limits);
        let squares = fastest(&cells, &route.stops);
        Ok(route.timed(&cells, &squares))
    }

    /// How long it takes, s.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// The times at which the robot is at each waypoint, s, or nearest to one that it goes around. The first is 0.
    pub fn passes(&self) -> &[f64] {
        &self.passes
    }

    /// The times at which the acceleration along the path changes, s, and the end: between two of them positions are
    /// polynomials of the time, of degree two on straight segments and of degree four on curves. Where a floating joint turns,
    /// also those at which it has turned by a tenth of a radian.
    pub fn switches(&self) -> Vec<f64> {
        self.phases.iter().map(|phase| phase.start).chain([self.duration]).collect()
    }

    /// The state at a time; before the start and after the end the robot is at rest there.
    pub fn at(&self, time: f64) -> TimedState {
        let place = self.phases.partition_point(|phase| phase.start <= time);
        match self.phases.get(place.saturating_sub(1)) {
            Some(phase) if time < self.duration => {
                let time = (time - phase.start).max(0.0);
                let speed = phase.speed + phase.acceleration * time;
                let s = phase.s + 0.5 * (phase.speed + speed) * time;
                self.pieces[phase.piece].at(&self.layout, s, speed, phase.acceleration)
            }
            _ => {
                let rest = vec![0.0; self.layout.freedoms()];
                let positions = self.end.clone();
                TimedState { positions, velocities: rest.clone(), accelerations: rest }
            }
        }
    }
}

/// The pieces of a path, and the cells they are cut into.
struct Route {
    layout: Layout,
    pieces: Vec<Piece>,
    /// For each cell its piece, and s where it begins and ends.
    cells: Vec<(usize, [f64; 2])>,
    /// Whether the robot stops at the beginning of each cell, and at the end of the last one.
    stops: Vec<bool>,
    /// For each waypoint the cell at whose beginning it is, or the point nearest to it.
    passes: Vec<usize>,
    end: Vec<f64>,
}

impl Route {
    fn new(space: &JointSpace, path: &BlendedPath) -> Result<Self, PlanError> {
        if let Some(blend) = path.misplaced() {
            let (field, value) = ("number of a curve", blend as f64);
            return Err(PlanError::BadOption {
                field,
                value,
                range: "that of a curve at a corner",
            });
        }
        let points: Vec<Vec<f64>> = path.waypoints.iter().map(|state| space.point(state)).collect();
        let Some(end) = points.last().cloned() else {
            let (field, value) = ("number of waypoints", 0.0);
            return Err(PlanError::BadOption { field, value, range: "at least 1" });
        };
        let (pieces, cells, stops, passes) = (Vec::new(), Vec::new(), vec![true], vec![0]);
        let layout = space.layout().clone();
        let mut route = Self { layout, pieces, cells, stops, passes, end };
        let mut blends = path.blends.iter().peekable();
        let (mut skipped, mut way) = (0.0, Vec::new());
        for (segment, ends) in points.windows(2).enumerate() {
            space.way(&ends[0], &ends[1], &mut way);
            let blend = blends.next_if(|blend| blend.waypoint == segment + 1);
            let left = 1.0 - blend.map_or(0.0, |blend| blend.before);
            route.add_line(&ends[0], &way, [skipped, left]);
            skipped = 0.0;
            match blend {
                None => {
                    *route.stops.last_mut().expect("the start is one") = true;
                    route.passes.push(route.cells.len());
                }
                Some(blend) => {
                    let corner = [&ends[1], &points[segment + 2]];
                    route.add_curve(&way, corner, blend.before);
                    skipped = blend.after;
                }
            }
        }
        Ok(route)
    }

    /// Adds a piece, cut into cells of equal length.
    fn add(&mut self, piece: Piece, count: usize) {
        let at = |k: usize| piece.length * k as f64 / count as f64;
        let number = self.pieces.len();
        self.cells.extend((0..count).map(|k| (number, [at(k), at(k + 1)])));
        self.stops.extend((0..count).map(|_| false));
        self.pieces.push(piece);
    }

    /// Adds the part between two shares of a straight segment.
    fn add_line(&mut self, from: &[f64], way: &[f64], shares: [f64; 2]) {
        let whole = norm(way);
        let length = (shares[1] - shares[0]) * whole;
        if whole > 0.0 && length > SHORTEST * whole {
            let dir: Vec<f64> = way.iter().map(|x| x / whole).collect();
            let from = self.layout.at(from, way, shares[0]);
            let turn = self.layout.largest_rotation(&dir) * length;
            let count = (turn / LARGEST_TURN).ceil().max(1.0) as usize;
            self.add(Piece { from, rates: [dir.clone(), dir], length }, count);
        }
    }

    /// Adds the curve around a corner, `before` being the share it takes of the way to the corner.
    fn add_curve(&mut self, way: &[f64], [corner, next]: [&Vec<f64>; 2], before: f64) {
        let mut away = Vec::new();
        self.layout.way(corner, next, &mut away);
        let rates = [way, &away].map(|way| {
            let whole = norm(way);
            way.iter().map(|x| x / whole).collect::<Vec<f64>>()
        });
        let from = self.layout.at(corner, way, -before);
        self.passes.push(self.cells.len() + CELLS / 2);
        self.add(Piece { from, rates, length: 2.0 * before * norm(way) }, CELLS);
    }

    fn cells(&self, limits: &MotionLimits) -> Vec<Cell> {
        let cell = |(piece, ends): &(usize, [f64; 2])| {
            let rates = ends.map(|s| self.pieces[*piece].rate(s));
            Cell::new(ends[1] - ends[0], [&rates[0], &rates[1]], limits)
        };
        self.cells.iter().map(cell).collect()
    }

    /// The trajectory with these squares of the speed at the ends of the cells.
    fn timed(self, cells: &[Cell], squares: &[f64]) -> TimedPath {
        let (mut phases, mut begins, mut time) = (Vec::new(), Vec::new(), 0.0);
        for (k, (cell, (piece, [from, _]))) in cells.iter().zip(&self.cells).enumerate() {
            begins.push(time);
            let mut s = *from;
            for Span { length, speeds: [first, last] } in cell.spans(squares[k], squares[k + 1]) {
                let duration = 2.0 * length / (first + last);
                let acceleration = (last - first) / duration;
                let (start, piece, speed) = (time, *piece, first);
                phases.push(Phase { start, piece, s, speed, acceleration });
                (s, time) = (s + length, time + duration);
            }
        }
        begins.push(time);
        let passes = self.passes.iter().map(|cell| begins[*cell]).collect();
        let Self { layout, pieces, end, .. } = self;
        TimedPath { layout, pieces, phases, duration: time, passes, end }
    }
}

fn norm(way: &[f64]) -> f64 {
    way.iter().map(|x| x * x).sum::<f64>().sqrt()
}
