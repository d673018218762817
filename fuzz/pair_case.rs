// One fuzz case: raw bytes → two shapes, poses and options → every promise of the distance query, checked.
//
// Shared by the libFuzzer target `fuzz_targets/pair.rs` and by the stable driver `examples/fuzz.rs`.

use nalgebra::{Quaternion, UnitQuaternion};
use smooth_scene::geometry::{
    ConvexSurface, Ellipsoid, Shape, ShapeError, Sphere, Superellipsoid, Superovoid,
};
use smooth_scene::math::{Pose, Vec3};
use smooth_scene::query::{DepthMode, QueryOptions, SignedDistance, SolveStatus, distance};

/// Evaluations no query may exceed, whatever the input, besides the budget of the certified mode.
const MAX_ITERATIONS: u32 = 100_000;
/// Contradiction between two proven bounds, relative to the lengths involved, that rounding may explain.
const ROUNDING: f64 = 1e-11;

/// Two posed shapes and the options of the certified query.
#[derive(Debug)]
pub struct Case {
    pub a: Shape,
    pub pose_a: Pose,
    pub b: Shape,
    pub pose_b: Pose,
    pub certified: QueryOptions,
}

/// How much to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promises {
    /// What each answer promises by itself: finite numbers, ordered bounds, a unit normal, bounded work.
    Each,
    /// That, and what answers promise together: consistent bounds, witnesses and support functions, no early surrender.
    All,
}

/// Runs one case. `Ok(false)` when the bytes describe no valid shape, `Err` with the broken promise.
pub fn fuzz_one(data: &[u8], promises: Promises) -> Result<bool, String> {
    let Some(case) = decode(data) else { return Ok(false) };
    check(&case, promises).map_err(|promise| format!("{promise}\n  {case:?}"))?;
    Ok(true)
}

/// The case these bytes stand for; `None` when a constructor refuses a shape.
pub fn decode(data: &[u8]) -> Option<Case> {
    let mut bytes = Bytes { data };
    let (a, b) = (shape(&mut bytes), shape(&mut bytes));
    let (pose_a, pose_b) = (pose(&mut bytes), pose(&mut bytes));
    let certified = QueryOptions {
        gap_tolerance: [1e-10, 1e-14, 1e-3, 1.0][usize::from(bytes.next() % 4)],
        depth_mode: DepthMode::Certified,
        depth_tolerance: [1e-6, 1e-12, 1e-2, 1.0][usize::from(bytes.next() % 4)],
        depth_budget: [500, 0, 1, 3000][usize::from(bytes.next() % 4)],
    };
    let (a, b) = (a.ok()?, b.ok()?);
    // One body as likely as not sits a body's length from the other: far apart, nothing interesting happens.
    let pose_b = match bytes.next() % 4 {
        0 => pose_b,
        1 => pose_a,
        _ => {
            let reach = a.bounding_radius() + b.bounding_radius();
            let offset = pose_b.translation.vector;
            let near = offset / offset.amax().max(1e-9) * (reach * f64::from(bytes.next()) / 160.0);
            Pose::from_parts((pose_a.translation.vector + near).into(), pose_b.rotation)
        }
    };
    Some(Case { a, pose_a, b, pose_b, certified })
}

/// Every promise that can be checked without knowing the answer.
fn check(case: &Case, promises: Promises) -> Result<(), String> {
    let Case { a, pose_a, b, pose_b, certified } = case;
    let fast_options = QueryOptions { depth_mode: DepthMode::Fast, ..*certified };
    let answers = [
        ("fast", distance(a, pose_a, b, pose_b, &fast_options)),
        ("certified", distance(a, pose_a, b, pose_b, certified)),
        ("swapped", distance(b, pose_b, a, pose_a, certified)),
    ];
    for (name, answer) in &answers {
        check_numbers(answer, certified).map_err(|promise| format!("{name}: {promise}"))?;
    }
    if promises == Promises::Each {
        return Ok(());
    }
    for (name, shape) in [("a", a), ("b", b)] {
        check_support(shape).map_err(|promise| format!("support of {name}: {promise}"))?;
    }
    let centres = [pose_a.translation.vector, pose_b.translation.vector];
    let reach = a.bounding_radius() + b.bounding_radius();
    let scale = reach + centres[0].norm() + centres[1].norm();
    for (name, answer) in &answers {
        check_meaning(answer, case, reach, scale)
            .map_err(|promise| format!("{name}: {promise}"))?;
    }
    // All three enclose the same number.
    let lower = answers.iter().map(|(_, answer)| answer.lower).fold(f64::NEG_INFINITY, f64::max);
    let upper = answers.iter().map(|(_, answer)| answer.upper).fold(f64::INFINITY, f64::min);
    if lower > upper + ROUNDING * scale {
        let bounds = answers.map(|(name, answer)| (name, answer.lower, answer.upper));
        return Err(format!("the bounds contradict each other: {bounds:?}"));
    }
    Ok(())
}

/// No support point reaches farther along any direction than the support value there.
fn check_support(shape: &Shape) -> Result<(), String> {
    const DIRECTIONS: [[f64; 3]; 8] = [
        [1.0, 0.0, 0.0],
        [0.0, 0.6, -0.8],
        [0.0, 0.0, 1.0],
        [-0.36, 0.48, 0.8],
        [0.48, -0.64, -0.6],
        [1e-9, 0.0, -1.0],
        [0.8, 0.6, 1e-12],
        [0.577_350_269_2, 0.577_350_269_2, 0.577_350_269_2],
    ];
    let directions = DIRECTIONS.map(|direction| Vec3::from(direction).normalize());
    let radius = shape.bounding_radius();
    for n in &directions {
        let jet = shape.support_jet(n);
        let numbers = jet.point.iter().chain(jet.hessian.iter()).chain([&jet.value]);
        if !numbers.into_iter().all(|x| x.is_finite()) {
            return Err(format!("a number is not finite along {n:?}: {jet:?}"));
        }
        let value = shape.support(n).value;
        if (jet.value - value).abs() > ROUNDING * radius {
            return Err(format!("{value:e} along {n:?}, {:e} with curvature", jet.value));
        }
        for m in &directions {
            let reached = shape.support(m).point.dot(n);
            if reached > value + ROUNDING * radius {
                return Err(format!(
                    "{value:e} along {n:?}, but the point of {m:?} is at {reached:e}"
                ));
            }
        }
    }
    Ok(())
}

/// What an answer promises whatever the pair.
fn check_numbers(answer: &SignedDistance, options: &QueryOptions) -> Result<(), String> {
    let SignedDistance { distance, lower, upper, iterations, .. } = *answer;
    let vectors = [answer.witness_a_w, answer.witness_b_w, answer.normal_ab_w];
    let numbers = vectors.iter().flat_map(|v| v.iter().copied()).chain([distance, lower, upper]);
    if !numbers.into_iter().all(f64::is_finite) {
        return Err(format!("a number is not finite: {answer:?}"));
    }
    if !(lower <= distance && distance <= upper) {
        return Err(format!("{distance:e} is outside its bounds [{lower:e}, {upper:e}]"));
    }
    let length = answer.normal_ab_w.norm();
    if (length - 1.0).abs() > 1e-9 {
        return Err(format!("the normal has length {length}"));
    }
    if iterations > MAX_ITERATIONS + options.depth_budget {
        return Err(format!("{iterations} iterations"));
    }
    Ok(())
}

/// What an answer promises about this pair. `reach` is the sum of the bounding radii.
fn check_meaning(
    answer: &SignedDistance,
    case: &Case,
    reach: f64,
    scale: f64,
) -> Result<(), String> {
    let SignedDistance { distance, lower, upper, iterations, .. } = *answer;
    let apart = (case.pose_b.translation.vector - case.pose_a.translation.vector).norm();
    if distance < -reach - ROUNDING * scale || distance > apart + ROUNDING * scale {
        return Err(format!(
            "{distance:e} is impossible: centres {apart:e} apart, reach {reach:e}"
        ));
    }
    let gap = upper - lower;
    let between = (answer.witness_b_w - answer.witness_a_w).norm();
    // A sphere's witness follows the normal, whose error is of the order of the root of the gap.
    let rounded = [&case.a, &case.b].iter().any(|shape| matches!(shape, Shape::Sphere(_)));
    let slack = if rounded { (2.0 * gap * (reach + apart)).sqrt() } else { 0.0 };
    if (between - distance.abs()).abs() > gap + slack + ROUNDING * scale {
        return Err(format!("{distance:e}, but the points are {between:e} apart"));
    }
    // The proof stops for its tolerance or for its budget; a tolerance near rounding may be out of reach.
    let overlapping = lower < -ROUNDING * scale && upper <= ROUNDING * scale;
    if overlapping
        && answer.status == SolveStatus::BudgetExhausted
        && iterations < case.certified.depth_budget
        && case.certified.depth_tolerance >= 1e-6
    {
        return Err(format!("gave up after {iterations} iterations: [{lower:e}, {upper:e}]"));
    }
    Ok(())
}

/// The bytes of a case, zeros after their end. Zero stands for the plainest choice everywhere, so that a case becomes
/// simpler as its bytes become zeros.
struct Bytes<'a> {
    data: &'a [u8],
}

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.data.split_first() else { return 0 };
        self.data = rest;
        first
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| self.next())
    }

    /// A fraction of 1 with 16 bits.
    fn fraction(&mut self) -> f64 {
        f64::from(u16::from_le_bytes(self.take())) / 65536.0
    }

    /// Any `f64` at all, once in a while.
    fn wild(&mut self) -> f64 {
        const SPECIAL: [f64; 16] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            1e-9,
            1e9,
            9.999e-10,
            1.0 - f64::EPSILON,
            1.0 + f64::EPSILON,
            2.0 - 4.0 * f64::EPSILON,
        ];
        match self.next() % 2 {
            0 => SPECIAL[usize::from(self.next() % 16)],
            _ => f64::from_bits(u64::from_le_bytes(self.take())),
        }
    }

    fn length(&mut self) -> f64 {
        match self.next() % 32 {
            0 => 1.0,
            1 => self.wild(),
            2..=4 => 10f64.powf(18.0 * self.fraction() - 9.0),
            5..=7 => [1.0, 0.5, 2.0, 1e-9, 1e9, 1e-3, 1e3, 0.01][usize::from(self.next() % 8)],
            _ => 10f64.powf(2.0 * self.fraction() - 2.0),
        }
    }

    fn exponent(&mut self) -> f64 {
        match self.next() % 32 {
            0 => 1.0,
            1 => self.wild(),
            2..=3 => 10f64.powf(-12.0 * self.fraction()),
            4..=6 => 2.0 - 10f64.powf(-12.0 * self.fraction()),
            7..=12 => [1.0, 0.5, 1.5, 0.1, 1.9, 0.01, 1.99, 1e-3][usize::from(self.next() % 8)],
            _ => 2.0 * self.fraction(),
        }
    }

    fn taper(&mut self) -> f64 {
        match self.next() % 16 {
            0 => 0.0,
            1 => self.wild(),
            2 => 1.0 - 10f64.powf(-12.0 * self.fraction()),
            _ => 2.0 * self.fraction() - 1.0,
        }
    }

    fn coordinate(&mut self) -> f64 {
        match self.next() % 32 {
            0 => 0.0,
            1 => self.wild().clamp(-1e9, 1e9),
            2..=3 => (2.0 * self.fraction() - 1.0) * 10f64.powf(18.0 * self.fraction() - 9.0),
            4..=12 => [0.0, 1.0, -1.0, 0.5][usize::from(self.next() % 4)],
            _ => 2.0 * self.fraction() - 1.0,
        }
    }
}

fn shape(bytes: &mut Bytes) -> Result<Shape, ShapeError> {
    let kind = bytes.next() % 8;
    let radii = [bytes.length(), bytes.length(), bytes.length()];
    Ok(match kind {
        0 => Sphere::new(radii[0])?.into(),
        1 => Ellipsoid::new(radii)?.into(),
        2..=4 => Superellipsoid::new(radii, bytes.exponent(), bytes.exponent())?.into(),
        _ => {
            let (xy, z) = (bytes.exponent(), bytes.exponent());
            Superovoid::new(radii, xy, z, [bytes.taper(), bytes.taper()])?.into()
        }
    })
}

/// A finite pose. Poses are not validated by the library, so a NaN in one is not a case.
fn pose(bytes: &mut Bytes) -> Pose {
    let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
    let xyz = Vec3::from_fn(|_, _| finite(bytes.coordinate()));
    let rotation = match bytes.next() % 4 {
        0 => UnitQuaternion::identity(),
        1 => UnitQuaternion::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2),
        _ => {
            let [x, y, z] = [bytes.fraction(), bytes.fraction(), bytes.fraction()];
            UnitQuaternion::new_normalize(Quaternion::new(1.0, 4.0 * x - 2.0, y, z))
        }
    };
    Pose::from_parts(xyz.into(), rotation)
}
