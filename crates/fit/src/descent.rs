//! Superquadrics around points by descent: the constraint that all points are inside becomes a smooth penalty that is made sharper
//! step by step.
//!
//! ```text
//! minimise  f + M·E,    E = (1/β) log(1 + Σ exp(β Lᵢ)) ≈ max(0, max Lᵢ)
//! ```
//!
//! f is the logarithm of the volume, or what the surface takes of samples. Growing by a share s lowers E by s and raises f by at
//! most 3s(1 + own share), so for M above that the points are inside but for about 1/β.

use crate::candidate::Candidate;
use crate::fast_powers::exp2;
use crate::kind::SurfaceKind;
use crate::level_function::{Body, Levels, Step, exponent_variable};
use crate::points::Points;
use crate::quasi_newton::{Smooth, descend};
use crate::search_points::{Extent, SearchPoints};
use crate::shell::{Shell, soft_step};
use crate::tuning::OWN_VOLUME;
use smooth_scene_geometry::math::Vec3;

/// Weight of the penalty.
const PENALTY: f64 = 8.0;
/// First steps: translation in units of the search, rotation, logarithms of radii, exponents, taper.
const SCALE: [f64; 12] = [0.03, 0.03, 0.03, 0.1, 0.1, 0.1, 0.06, 0.06, 0.06, 0.4, 0.4, 0.2];
/// Weights below this share of the largest possible are left out.
const NO_WEIGHT: f32 = 1e-5;
/// Samples with a larger level at the start are not looked at: a surface that grows so much is no improvement.
const NEARBY: f32 = 0.4;
/// Steps of the search for the slack, each by this factor, from this one.
const SLACKS: (f64, f64, i32) = (1e-3, 2.0, 9);

/// How long to descend: pairs of β and rounds.
pub(crate) type Schedule = &'static [(f64, usize)];

/// Samples that a surface should not take.
struct Free {
    points: Points,
    /// Volume of each over that of the surface at the start.
    share: f64,
    levels: Vec<f32>,
}

/// The function that is minimised.
struct Enclosing<'p> {
    kind: SurfaceKind,
    points: &'p Points,
    sharpness: f64,
    free: Option<Free>,
    /// Volume at the start of a search with `free`, logarithm.
    log_first_volume: f64,
    levels: Vec<f32>,
}

impl Smooth<12> for Enclosing<'_> {
    type Place = Body;

    fn moved(&self, place: &Body, step: &Step) -> Body {
        place.moved(step)
    }

    fn jet(&mut self, body: &Body) -> (f64, Step) {
        let function = Levels::of(body);
        let (mut value, mut slope) = self.objective(body, &function);
        function.levels(self.points, &mut self.levels);
        let most = f64::from(self.levels.iter().copied().fold(0f32, f32::max));
        let beta = self.sharpness;
        let (steepness, top) = ((beta * std::f64::consts::LOG2_E) as f32, most as f32);
        // The levels are not needed any more.
        self.levels.iter_mut().for_each(|level| *level = exp2(steepness * (*level - top)));
        let weights = &self.levels;
        let sum = libm::exp(-beta * most) + weights.iter().map(|w| f64::from(*w)).sum::<f64>();
        value += PENALTY * (most + libm::log(sum) / beta);
        for (index, weight) in weights.iter().enumerate() {
            if *weight > NO_WEIGHT {
                let weight = PENALTY * f64::from(*weight) / sum;
                function.add_slope(self.points, index, weight, &mut slope);
            }
        }
        match self.kind {
            SurfaceKind::Superovoid => {}
            SurfaceKind::Superellipsoid => slope[11] = 0.0,
            _ => (9..12).for_each(|k| slope[k] = 0.0),
        }
        (value, slope)
    }
}

impl Enclosing<'_> {
    fn objective(&mut self, body: &Body, function: &Levels) -> (f64, Step) {
        let Some(free) = &mut self.free else {
            return body.log_volume_jet();
        };
        let (log_volume, slope) = body.log_volume_jet();
        let own = OWN_VOLUME * libm::exp(log_volume - self.log_first_volume);
        let (mut value, mut slope) = (own, slope * own);
        function.levels(&free.points, &mut free.levels);
        for (index, level) in free.levels.iter().enumerate() {
            let (taken, derivative) = soft_step(-*level);
            value += free.share * f64::from(taken);
            if derivative > 0.0 {
                let weight = -free.share * f64::from(derivative);
                function.add_slope(&free.points, index, weight, &mut slope);
            }
        }
        (value, slope)
    }
}

fn body_of(candidate: &Candidate, extent: &Extent, center: &Vec3, size: f64) -> Body {
    let width = f64::from(extent.width) * std::f64::consts::LN_2;
    let taper = candidate.taper / crate::candidate::largest_taper(candidate.exponent_z);
    let fixed = candidate.kind == SurfaceKind::Ellipsoid;
    let variable = |e: f64| if fixed { 30.0 } else { exponent_variable(e) };
    Body {
        rotation: candidate.rotation,
        center: (candidate.center - center) / size,
        log_radii: [
            width + candidate.log_ratio,
            width - candidate.log_ratio,
            libm::log(f64::from(extent.a3)),
        ],
        exponents: [variable(candidate.exponent_xy), variable(candidate.exponent_z)],
        taper: libm::atanh(taper.clamp(-0.99, 0.99)),
    }
}

fn candidate_of(kind: SurfaceKind, body: &Body, center: &Vec3, size: f64) -> Candidate {
    let is_ellipsoid = kind == SurfaceKind::Ellipsoid;
    Candidate {
        kind,
        rotation: body.rotation,
        center: center + body.center * size,
        log_ratio: 0.5 * (body.log_radii[0] - body.log_radii[1]),
        slack: 0.0,
        exponent_xy: if is_ellipsoid { 1.0 } else { body.exponent_xy() },
        exponent_z: if is_ellipsoid { 1.0 } else { body.exponent_z() },
        taper: if kind == SurfaceKind::Superovoid { body.taper() } else { 0.0 },
        half_length: 0.0,
    }
}

/// Makes a superquadric around points smaller; with samples, so that it takes fewer of them. `cost` is exact for a candidate: it
/// chooses the last number, how far the ends are beyond the points, and nothing worse than the start is returned.
pub(crate) fn descended(
    start: &Candidate,
    points: &mut SearchPoints,
    samples: Option<&Shell>,
    schedule: Schedule,
    mut cost: impl FnMut(&mut SearchPoints, &Candidate) -> f64,
) -> (f64, Candidate) {
    let (center, size) = points.units();
    let of_points = points.for_levels();
    let extent = points.extent(start);
    let mut body = body_of(start, &extent, &center, size);
    let first = (cost(points, start), *start);
    let log_first_volume = body.log_volume();
    let volume = libm::exp(log_first_volume) * size * size * size;
    let free = samples.and_then(|shell| {
        let points = shell.for_levels()?.filtered(|points| {
            let mut levels = Vec::new();
            Levels::of(&body).levels(points, &mut levels);
            levels.into_iter().map(|level| level < NEARBY).collect()
        })?;
        Some(Free { points, share: shell.share() / volume, levels: Vec::new() })
    });
    let mut function = Enclosing {
        kind: start.kind,
        points: &of_points,
        sharpness: 1.0,
        // Without samples outside the other surfaces the own volume counts alone.
        free,
        log_first_volume,
        levels: Vec::new(),
    };
    for &(sharpness, rounds) in schedule {
        function.sharpness = sharpness;
        body = descend(&mut function, body, &Step::from(SCALE), rounds);
    }
    let found = candidate_of(start.kind, &body, &center, size);
    let highest = points.highest_of(&found);
    let wanted = libm::exp(body.log_radii[2]) / highest - 1.0;
    let mut best = trimmed(&found, wanted, |candidate| cost(points, candidate));
    if first.0 < best.0 {
        best = first;
    }
    best
}

/// The slack with the least cost.
fn trimmed(
    found: &Candidate,
    wanted: f64,
    mut cost: impl FnMut(&Candidate) -> f64,
) -> (f64, Candidate) {
    let mut best = (f64::INFINITY, *found);
    let mut attempt = |slack: f64, best: &mut (f64, Candidate)| {
        let candidate = Candidate { slack, ..*found };
        let cost = cost(&candidate);
        if cost < best.0 {
            *best = (cost, candidate);
        }
    };
    let (first, factor, count) = SLACKS;
    (0..count).for_each(|k| attempt(first * factor.powi(k), &mut best));
    if wanted > first {
        attempt(wanted, &mut best);
    }
    let mut ratio = factor.sqrt();
    for _ in 0..4 {
        let slack = best.1.slack;
        attempt(slack * ratio, &mut best);
        attempt(slack / ratio, &mut best);
        ratio = ratio.sqrt();
    }
    best
}
