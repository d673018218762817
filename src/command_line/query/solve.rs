//! One question → the fields of its answer, by whichever solver was chosen.

use super::answer::Settings;
use super::args::SolverChoice;
use super::continuous::{self, MotionFields};
use super::derivatives::{self, Curvatures, Gradients};
use super::json::InputError;
use super::request::{Body, Request};
use crate::geometry::Shape;
use crate::query::{SignedDistance, SolveStatus, distance};
use serde::Serialize;
use std::hint::black_box;
use std::time::Instant;

/// The fields of an output line besides the id. Those that do not apply are left out.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    /// `null` when the solver only decides overlap.
    distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overlapping: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<f64>,
    point_a: [f64; 3],
    point_b: [f64; 3],
    normal: [f64; 3],
    status: &'static str,
    iterations: u32,
    micros: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    of_hull: Option<bool>,
    #[serde(flatten)]
    motion: Option<MotionFields>,
    #[serde(flatten)]
    gradients: Option<Gradients>,
    #[serde(flatten)]
    curvatures: Option<Curvatures>,
}

/// Answers a question.
pub(crate) fn solve(request: &Request, settings: &Settings) -> Result<Answer, InputError> {
    let Request { a, b } = request;
    let moves = a.to.is_some() || b.to.is_some();
    match settings.solver {
        SolverChoice::Smooth if moves => moving(a, b, settings),
        SolverChoice::Smooth => smooth(a, b, settings),
        #[cfg(feature = "baselines")]
        SolverChoice::Baseline(solver) if moves => {
            let name = solver.name();
            Err(InputError(format!("solver {name} does not answer continuous queries (`to`)")))
        }
        #[cfg(feature = "baselines")]
        SolverChoice::Baseline(solver) => baseline(a, b, solver, settings),
    }
}

/// This crate's own solver, on bodies at rest.
fn smooth(a: &Body, b: &Body, settings: &Settings) -> Result<Answer, InputError> {
    let solve = || distance(&a.shape, &a.pose, &b.shape, &b.pose, &settings.options);
    let (found, micros) = timed(settings.repeat, solve);
    let endless = matches!((&a.shape, &b.shape), (Shape::HalfSpace(_), Shape::HalfSpace(_)));
    if endless && found.distance == f64::NEG_INFINITY {
        let reason = "two half_spaces that do not face each other exactly overlap without end, \
                      their distance is minus infinity";
        return Err(InputError(reason.to_owned()));
    }
    proven(&found, micros, [a, b], settings)
}

/// This crate's own solver, on bodies of which at least one moves. The bodies of the answer are those of its moment.
fn moving(a: &Body, b: &Body, settings: &Settings) -> Result<Answer, InputError> {
    let motions = continuous::motions(a, b)?;
    let solve = || continuous::solve(a, b, &motions, &settings.options);
    let (found, micros) = timed(settings.repeat, solve);
    let [a, b] = continuous::bodies_at(a, b, &motions, found.closest_time);
    let answer = proven(&found.distance, micros, [&a, &b], settings)?;
    Ok(Answer {
        status: continuous::status(&found).unwrap_or(answer.status),
        iterations: found.iterations,
        motion: Some(continuous::fields(&found)?),
        ..answer
    })
}

/// The answer with bounds, for bodies at these poses.
fn proven(
    found: &SignedDistance,
    micros: f64,
    [a, b]: [&Body; 2],
    settings: &Settings,
) -> Result<Answer, InputError> {
    let points = [found.witness_a_w, found.witness_b_w, found.normal_ab_w];
    finite(points.iter().flatten().chain([&found.distance, &found.lower, &found.upper]))?;
    let gradients = settings.gradient.then(|| derivatives::gradients(a, b, found));
    let curvatures = settings.curvature.then(|| derivatives::curvatures(a, b, found));
    Ok(Answer {
        distance: Some(found.distance),
        overlapping: None,
        lower: Some(found.lower),
        upper: Some(found.upper),
        point_a: found.witness_a_w.into(),
        point_b: found.witness_b_w.into(),
        normal: found.normal_ab_w.into(),
        status: match found.status {
            SolveStatus::Certified => "certified",
            SolveStatus::DepthUnproven => "depth_unproven",
            SolveStatus::BudgetExhausted => continuous::BUDGET_EXHAUSTED,
        },
        iterations: found.iterations,
        micros,
        of_hull: found.of_hull.then_some(true),
        motion: None,
        gradients: gradients.transpose()?,
        curvatures: curvatures.transpose()?,
    })
}

/// A solver from the literature. It proves nothing, so there are no bounds.
#[cfg(feature = "baselines")]
fn baseline(
    a: &Body,
    b: &Body,
    solver: crate::baselines::Solver,
    settings: &Settings,
) -> Result<Answer, InputError> {
    // Named as on the command line.
    let unsupported =
        |kind: &str| InputError(format!("solver {} does not handle a {kind}", solver.name()));
    for Body { shape, .. } in [a, b] {
        // Support functions alone would answer without end for a half-space.
        if matches!(shape, Shape::HalfSpace(_)) {
            return Err(unsupported(shape.kind()));
        }
    }
    let solve = || solver.solve(&a.shape, &a.pose, &b.shape, &b.pose);
    let (found, micros) = timed(settings.repeat, solve);
    let found = found.map_err(|error| unsupported(error.shape))?;
    let decides_only = found.distance.is_infinite();
    let vectors = [found.point_a_w, found.point_b_w, found.normal_ab_w];
    if !decides_only {
        finite(vectors.iter().flatten().chain([&found.distance]))?;
    }
    let of_hull = !(a.shape.is_convex() && b.shape.is_convex());
    Ok(Answer {
        distance: (!decides_only).then_some(found.distance),
        overlapping: decides_only.then_some(found.distance < 0.0),
        lower: None,
        upper: None,
        point_a: found.point_a_w.into(),
        point_b: found.point_b_w.into(),
        normal: found.normal_ab_w.into(),
        status: if found.converged { "converged" } else { "not_converged" },
        iterations: found.iterations,
        micros,
        of_hull: of_hull.then_some(true),
        motion: None,
        gradients: None,
        curvatures: None,
    })
}

/// Refuses an answer with a number in it that JSON cannot write: a `null` would hide that there is none.
pub(crate) fn finite<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> Result<(), InputError> {
    if numbers.into_iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(InputError("the solver found no finite answer".to_owned()))
}

/// The answer of the last of `repeat` runs and the mean time of one, in microseconds to the nanosecond.
fn timed<T>(repeat: u32, solve: impl Fn() -> T) -> (T, f64) {
    let started = Instant::now();
    for _ in 1..repeat {
        black_box(solve());
    }
    let found = black_box(solve());
    let nanos = started.elapsed().as_nanos() as f64 / f64::from(repeat);
    (found, nanos.round() / 1e3)
}
