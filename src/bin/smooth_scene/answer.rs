//! One question → one output line.

use crate::args::SolverChoice;
use crate::json::InputError;
use crate::request::{self, Body, Request, RequestId};
use serde::Serialize;
use smooth_scene::math::Vec3;
use smooth_scene::query::{QueryOptions, SignedDistance, SolveStatus, distance};
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// How every line of a run is answered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub solver: SolverChoice,
    pub options: QueryOptions,
    /// How often each pair is solved.
    pub repeat: u32,
    /// Whether the derivative by the poses was asked for.
    pub gradient: bool,
    /// Whether the curvatures at the points were asked for.
    pub curvature: bool,
}

/// What one line came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineOutcome {
    Answered,
    Failed,
}

/// An output line. Fields that do not apply are left out.
#[derive(Debug, Serialize)]
struct AnswerLine {
    id: RequestId,
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
}

#[derive(Debug, Serialize)]
struct ErrorLine<'a> {
    id: &'a RequestId,
    error: String,
}

/// Answers one line and appends the output line to `output`.
pub(crate) fn answer_line(
    line: &[u8],
    line_number: u64,
    settings: &Settings,
    output: &mut Vec<u8>,
) -> LineOutcome {
    // Some editors start a file with a byte order mark.
    let line =
        if line_number == 1 { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) } else { line };
    let (id, request) = request::parse(line, line_number);
    let start = output.len();
    let outcome = request.and_then(|request| {
        // A million other lines must not pay for a mistake of ours in this one.
        let attempt = AssertUnwindSafe(|| answer(id.clone(), &request, settings));
        let failed = |_| Err(InputError("the solver failed; please report this line".to_owned()));
        catch_unwind(attempt).unwrap_or_else(failed)
    });
    let written = match outcome {
        Ok(answer) => serde_json::to_writer(&mut *output, &answer)
            .map(|()| output.push(b'\n'))
            .map_err(|error| InputError(format!("the answer cannot be written: {error}"))),
        Err(error) => Err(error),
    };
    match written {
        Ok(()) => LineOutcome::Answered,
        Err(error) => {
            output.truncate(start);
            error_line(&id, line_number, &error, output)
        }
    }
}

/// Appends the output line of a question that cannot be answered.
pub(crate) fn error_line(
    id: &RequestId,
    line_number: u64,
    error: &InputError,
    output: &mut Vec<u8>,
) -> LineOutcome {
    let line = ErrorLine { id, error: format!("line {line_number}: {error}") };
    // Two strings or numbers written to memory: there is nothing in them that could fail.
    if serde_json::to_writer(&mut *output, &line).is_ok() {
        output.push(b'\n');
    }
    LineOutcome::Failed
}

fn answer(id: RequestId, request: &Request, settings: &Settings) -> Result<AnswerLine, InputError> {
    let Request { a, b } = request;
    if a.to.is_some() || b.to.is_some() {
        return continuous(id, a, b, settings);
    }
    match settings.solver {
        SolverChoice::Smooth => smooth(id, a, b, settings),
        #[cfg(feature = "baselines")]
        SolverChoice::Baseline(solver) => baseline(id, a, b, solver, settings),
    }
}

/// This crate's own solver.
fn smooth(
    id: RequestId,
    a: &Body,
    b: &Body,
    settings: &Settings,
) -> Result<AnswerLine, InputError> {
    let solve = || distance(&a.shape, &a.pose, &b.shape, &b.pose, &settings.options);
    let (found, micros) = timed(settings.repeat, solve);
    if settings.gradient {
        gradient(&found, a, b)?;
    }
    if settings.curvature {
        curvature(&found, a, b)?;
    }
    let points = [found.witness_a_w, found.witness_b_w, found.normal_ab_w];
    let bounds = Vec3::new(found.distance, found.lower, found.upper);
    // JSON has no NaN; writing `null` would hide that there is no answer.
    if !points.iter().chain([&bounds]).all(|v| v.iter().all(|x| x.is_finite())) {
        return Err(InputError("the solver found no finite answer".to_owned()));
    }
    Ok(AnswerLine {
        id,
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
            SolveStatus::BudgetExhausted => "budget_exhausted",
        },
        iterations: found.iterations,
        micros,
        of_hull: found.of_hull.then_some(true),
    })
}

/// A solver from the literature. It proves nothing, so there are no bounds.
#[cfg(feature = "baselines")]
fn baseline(
    id: RequestId,
    a: &Body,
    b: &Body,
    solver: smooth_scene::baselines::Solver,
    settings: &Settings,
) -> Result<AnswerLine, InputError> {
    let solve = || solver.solve(&a.shape, &a.pose, &b.shape, &b.pose);
    let (found, micros) = timed(settings.repeat, solve);
    let found = found.map_err(|error| InputError(error.to_string()))?;
    let decides_only = found.distance.is_infinite();
    let vectors = [found.point_a_w, found.point_b_w, found.normal_ab_w];
    let finite = vectors.iter().all(|v| v.iter().all(|x| x.is_finite()));
    if found.distance.is_nan() || !(finite || decides_only) {
        return Err(InputError("the solver found no finite answer".to_owned()));
    }
    let of_hull = !(a.shape.is_convex() && b.shape.is_convex());
    Ok(AnswerLine {
        id,
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
    })
}

/// The first contact of bodies that move.
fn continuous(
    _id: RequestId,
    _a: &Body,
    _b: &Body,
    _settings: &Settings,
) -> Result<AnswerLine, InputError> {
    Err(InputError("continuous queries (`to`) are not available".to_owned()))
}

/// The derivative of the distance by the pose of each body.
fn gradient(_found: &SignedDistance, _a: &Body, _b: &Body) -> Result<(), InputError> {
    Err(InputError("--gradient is not available".to_owned()))
}

/// The principal curvatures of each body at its point.
fn curvature(_found: &SignedDistance, _a: &Body, _b: &Body) -> Result<(), InputError> {
    Err(InputError("--curvature is not available".to_owned()))
}

/// The answer of the last of `repeat` runs and the mean time of one, in microseconds to the nanosecond.
fn timed<T>(repeat: u32, solve: impl Fn() -> T) -> (T, f64) {
    let started = Instant::now();
    for _ in 1..repeat {
        black_box(solve());
    }
    let found = black_box(solve());
    let nanos = started.elapsed().as_nanos() as f64 / f64::from(repeat);
    (found, nanos.round() * 1e-3)
}
