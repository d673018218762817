//! One question → the fields of its answer, by whichever solver was chosen.

use super::continuous::{self, MotionFields};
use super::derivatives::{self, Curvatures, Gradients, Posed};
use super::input_error::InputError;
use super::numbers::finite;
use super::request::{Body, Request};
use super::settings::{Settings, SolverChoice, Start};
use crate::command_line::status_name::status_name;
use crate::geometry::Shape;
use crate::query::{PairQuery, SignedDistance};
use serde::Serialize;

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

/// What `--gradient` and `--curvature` ask for.
struct Derivatives {
    gradients: Option<Result<Gradients, InputError>>,
    curvatures: Option<Result<Curvatures, InputError>>,
}

impl Derivatives {
    fn of(found: &SignedDistance, [a, b]: [Posed<'_>; 2], settings: &Settings) -> Self {
        Self {
            gradients: settings.gradient.then(|| derivatives::gradients(a, b, found)),
            curvatures: settings.curvature.then(|| derivatives::curvatures(a, b, found)),
        }
    }
}

/// This crate's own solver, on bodies at rest.
fn smooth(a: &Body, b: &Body, settings: &Settings) -> Result<Answer, InputError> {
    let cold = PairQuery::new(&a.shape, &a.pose, &b.shape, &b.pose).options(&settings.options);
    let query = match settings.start {
        Start::Cold => cold,
        Start::Warm => cold.warm_start(&cold.distance().warm),
    };
    let bodies = [a, b].map(|body| Posed { shape: &body.shape, pose: body.pose });
    let (found, micros) = settings.clock.timed(|| {
        let found = query.distance();
        let derivatives = Derivatives::of(&found, bodies, settings);
        (found, derivatives)
    });
    let (found, derivatives) = found;
    let endless = matches!((&a.shape, &b.shape), (Shape::HalfSpace(_), Shape::HalfSpace(_)));
    if endless && found.distance == f64::NEG_INFINITY {
        let reason = "two half_spaces that do not face each other exactly overlap without end, \
                      their distance is minus infinity";
        return Err(InputError(reason.to_owned()));
    }
    proven(&found, derivatives, micros)
}

/// This crate's own solver, on bodies of which at least one moves. The bodies of the answer are those of its moment.
fn moving(a: &Body, b: &Body, settings: &Settings) -> Result<Answer, InputError> {
    if settings.start == Start::Warm {
        return Err(InputError("continuous queries (`to`) have no warm start (--warm)".to_owned()));
    }
    let motions = continuous::motions(a, b)?;
    let ((found, derivatives), micros) = settings.clock.timed(|| {
        let found = continuous::solve(a, b, &motions, &settings.options);
        let bodies = continuous::bodies_at(a, b, &motions, found.closest_time);
        let derivatives = Derivatives::of(&found.distance, bodies, settings);
        (found, derivatives)
    });
    let answer = proven(&found.distance, derivatives, micros)?;
    Ok(Answer {
        status: continuous::status(&found).unwrap_or(answer.status),
        iterations: found.iterations,
        motion: Some(continuous::fields(&found)?),
        ..answer
    })
}

/// The answer with bounds.
fn proven(
    found: &SignedDistance,
    derivatives: Derivatives,
    micros: f64,
) -> Result<Answer, InputError> {
    let points = [found.witness_a_w, found.witness_b_w, found.normal_ab_w];
    finite(points.iter().flatten().chain([&found.distance, &found.lower, &found.upper]))?;
    Ok(Answer {
        distance: Some(found.distance),
        overlapping: None,
        lower: Some(found.lower),
        upper: Some(found.upper),
        point_a: found.witness_a_w.into(),
        point_b: found.witness_b_w.into(),
        normal: found.normal_ab_w.into(),
        status: status_name(found.status),
        iterations: found.iterations,
        micros,
        of_hull: found.of_hull.then_some(true),
        motion: None,
        gradients: derivatives.gradients.transpose()?,
        curvatures: derivatives.curvatures.transpose()?,
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
    let (found, micros) = settings.clock.timed(solve);
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
