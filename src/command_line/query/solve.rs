//! One question → the fields of its answer, by whichever solver was chosen.

use super::continuous::{self, MotionFields};
use super::derivatives::{self, Curvatures, Gradients, Posed};
use super::input_error::InputError;
use super::numbers::finite;
use super::request::{Body, Request};
#[cfg(feature = "baselines")]
use super::settings::PreTest;
use super::settings::{Settings, SolverChoice, Start};
#[cfg(feature = "baselines")]
use crate::baselines::{Previous, Solver};
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
    let moves = a.changes() || b.changes();
    match settings.solver {
        SolverChoice::Smooth if moves => moving(a, b, settings),
        SolverChoice::Smooth => smooth(a, b, settings),
        #[cfg(feature = "baselines")]
        SolverChoice::Baseline(Solver::CfcDistance) if moves => moving_baseline(a, b, settings),
        #[cfg(feature = "baselines")]
        SolverChoice::Baseline(solver) if moves => {
            let (name, able) = (solver.name(), Solver::CfcDistance.name());
            let reason = format!(
                "solver {name} does not answer continuous queries (`to`); of those of the literature {able} does"
            );
            Err(InputError(reason))
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
    let is_deformed = a.map_to.is_some() || b.map_to.is_some();
    if is_deformed && (settings.gradient || settings.curvature) {
        let reason =
            "bodies that are deformed (`map_to`) have no derivatives (--gradient, --curvature)";
        return Err(InputError(reason.to_owned()));
    }
    let motions = continuous::motions(a, b)?;
    let (found, micros) = settings.clock.timed(|| {
        let found = continuous::solve(a, b, &motions, &settings.options)?;
        let bodies = continuous::bodies_at(a, b, &motions, found.closest_time);
        let derivatives = Derivatives::of(&found.distance, bodies, settings);
        Ok::<_, InputError>((found, derivatives))
    });
    let (found, derivatives) = found?;
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
fn baseline(a: &Body, b: &Body, solver: Solver, settings: &Settings) -> Result<Answer, InputError> {
    bounded(a, b, solver)?;
    let from = |previous: Previous| {
        let mut previous = previous;
        let (shape_a, shape_b) = (&a.shape, &b.shape);
        let ask = match settings.pre_test {
            PreTest::None => Solver::solve_next,
            PreTest::Boxes => Solver::solve_after_boxes,
        };
        let found = ask(solver, shape_a, &a.pose, shape_b, &b.pose, &mut previous);
        (found, previous)
    };
    let start = match settings.start {
        Start::Cold => Previous::default(),
        Start::Warm => from(Previous::default()).1,
    };
    let (found, micros) = settings.clock.timed(|| from(start).0);
    unproven(&found.map_err(|error| unsupported(solver, error.shape))?, [a, b], micros)
}

/// The continuous CFC-Dist-LS, on bodies of which at least one moves.
#[cfg(feature = "baselines")]
fn moving_baseline(a: &Body, b: &Body, settings: &Settings) -> Result<Answer, InputError> {
    use crate::baselines::{MovingBody, first_contact_of};
    use crate::query::Motion;
    let solver = Solver::CfcDistance;
    bounded(a, b, solver)?;
    let [motion_a, motion_b] = continuous::motions(a, b)?;
    let (moving_a, moving_b) =
        (continuous::deforming(a, &motion_a), continuous::deforming(b, &motion_b));
    // A map that is not invertible leaves no shape.
    let (shape_a, shape_b) = (|t| moving_a.shape_at(t).ok(), |t| moving_b.shape_at(t).ok());
    let (pose_a, pose_b) = (|t| motion_a.pose_at(t), |t| motion_b.pose_at(t));
    let (found, micros) = settings.clock.timed(|| {
        first_contact_of(
            &MovingBody { shape: &shape_a, pose: &pose_a },
            &MovingBody { shape: &shape_b, pose: &pose_b },
        )
    });
    let found = found.map_err(|error| unsupported(solver, error.shape))?;
    let motion = Some(continuous::unproven_fields(&found)?);
    Ok(Answer { motion, ..unproven(&found.closest, [a, b], micros)? })
}

/// The solver named as on the command line.
#[cfg(feature = "baselines")]
fn unsupported(solver: Solver, kind: &str) -> InputError {
    InputError(format!("solver {} does not handle a {kind}", solver.name()))
}

/// Support functions alone would answer without end for a half-space.
#[cfg(feature = "baselines")]
fn bounded(a: &Body, b: &Body, solver: Solver) -> Result<(), InputError> {
    let endless = [a, b].into_iter().find(|body| matches!(body.shape, Shape::HalfSpace(_)));
    endless.map_or(Ok(()), |body| Err(unsupported(solver, body.shape.kind())))
}

/// The answer without bounds.
#[cfg(feature = "baselines")]
fn unproven(
    found: &crate::baselines::Answer,
    bodies: [&Body; 2],
    micros: f64,
) -> Result<Answer, InputError> {
    let decides_only = found.distance.is_infinite();
    let vectors = [found.point_a_w, found.point_b_w, found.normal_ab_w];
    if !decides_only {
        finite(vectors.iter().flatten().chain([&found.distance]))?;
    }
    let of_hull = bodies.iter().any(|body| !body.shape.is_convex());
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
