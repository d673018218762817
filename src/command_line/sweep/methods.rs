//! The methods that run in this process: ours, and with the feature `peers` those of the papers and Parry's.

use super::measure::Found;
use super::pair::Pair;
use super::results::Published;
use crate::query::{Collision, PairQuery, QueryOptions, SignedDistance, SolveStatus, distance};

/// A method with its name and its published times.
pub(crate) struct Method {
    pub name: &'static str,
    pub published: Option<Published>,
    pub ask: Box<dyn Fn(&Pair) -> Found>,
}

impl Method {
    fn new(name: &'static str, ask: impl Fn(&Pair) -> Found + 'static) -> Self {
        Self { name, published: None, ask: Box::new(ask) }
    }
}

/// Names of our rows; targets and figures refer to them.
pub(crate) const DEPTH: &str = "ours: depth";
pub(crate) const WARM: &str = "ours: depth, warm start";
pub(crate) const YES_NO: &str = "ours: yes or no";
pub(crate) const CERTIFIED: &str = "ours: certified depth";
pub(crate) const YES_NO_WARM: &str = "ours: yes or no, warm start";

/// Reason in the row of a solver that this build does not contain.
pub(crate) const NOT_BUILT: &str = "needs a build with the feature `baselines`";

fn found(answer: &SignedDistance) -> Found {
    let skew = answer.normal_ab_w.cross(&(answer.witness_a_w - answer.witness_b_w)).norm();
    Found {
        contact: answer.lower <= 0.0,
        distance: Some(answer.distance),
        converged: answer.status != SolveStatus::BudgetExhausted,
        iterations: Some(answer.iterations),
        skew: Some(skew),
    }
}

/// Our own methods, as a caller uses them.
pub(crate) fn ours() -> Vec<Method> {
    let fast = QueryOptions::default();
    let certified = QueryOptions::certified();
    vec![
        Method::new(YES_NO, |p| decided(PairQuery::new(&p.a, &p.pose_a, &p.b, &p.pose_b))),
        Method::new(DEPTH, move |p| found(&distance(&p.a, &p.pose_a, &p.b, &p.pose_b, &fast))),
        Method::new(WARM, move |p| {
            let query = PairQuery::new(&p.a, &p.pose_a, &p.b, &p.pose_b);
            found(&query.warm_start(&p.warm).distance())
        }),
        Method::new(CERTIFIED, move |p| {
            found(&distance(&p.a, &p.pose_a, &p.b, &p.pose_b, &certified))
        }),
    ]
}

fn decided(query: PairQuery<'_>) -> Found {
    let answer = query.collides();
    let converged = !matches!(answer, Collision::Touching { .. });
    Found { converged, ..Found::decision(answer.is_contact()) }
}

/// Our decision from the answer a moment earlier.
pub(crate) fn yes_no_warm() -> Method {
    Method::new(YES_NO_WARM, |p| {
        decided(PairQuery::new(&p.a, &p.pose_a, &p.b, &p.pose_b).warm_start(&p.warm))
    })
}

/// Mean time, its standard deviation and mean iterations as the thesis prints them (table 2).
#[cfg(feature = "baselines")]
fn printed([mean, sigma, iterations]: [f64; 3]) -> Option<Published> {
    Some(Published {
        mean: Some(mean),
        sigma: Some(sigma),
        iterations: Some(iterations),
        right: None,
    })
}

/// Rows of the thesis's table 2 for a representation: implicit and parametric. Its rows "superovoids" are superellipsoids that
/// the code of superovoids answered for (§6.2, iii); hands of superovoids alone it does not have.
#[cfg(feature = "baselines")]
pub(crate) fn thesis(representation: &str) -> Vec<Method> {
    use crate::baselines::Solver;
    let [implicit, parametric] = match representation {
        "superellipsoids" => [[127.71, 299.89, 3.7], [39.01, 96.27, 2.3]].map(printed),
        "mixed" => [[128.62, 277.83, 2.7], [49.55, 116.65, 2.3]].map(printed),
        _ => [None; 2],
    };
    let published = |published, method| Method { published, ..method };
    let mut rows = vec![
        baseline(Solver::ImplicitNewton, IMPLICIT),
        published(implicit, warm(Solver::ImplicitNewton, "implicit, warm start")),
        baseline(Solver::ImplicitNewtonQuadtree, "implicit, quadtree guess"),
        warm(Solver::ImplicitNewtonQuadtree, "implicit, quadtree guess, warm start"),
        baseline(Solver::ParametricNewton, PARAMETRIC),
        published(parametric, warm(Solver::ParametricNewton, "parametric, warm start")),
        baseline(Solver::ParametricNewtonOctree, "parametric, octree guess"),
        baseline(Solver::ParametricNewtonAnalytic, "parametric, analytic Jacobian"),
        warm(Solver::ParametricNewtonAnalytic, "parametric, analytic Jacobian, warm start"),
    ];
    if representation == "superellipsoids" {
        let [implicit, parametric] = [[123.55, 309.49, 3.5], [45.67, 95.11, 2.1]].map(printed);
        let (by_points, by_angles) =
            (Solver::ImplicitNewtonSuperovoid, Solver::ParametricNewtonSuperovoid);
        rows.extend([
            baseline(by_points, "implicit, superovoid code"),
            published(implicit, warm(by_points, "implicit, superovoid code, warm start")),
            baseline(by_angles, "parametric, superovoid code"),
            published(parametric, warm(by_angles, "parametric, superovoid code, warm start")),
        ]);
    }
    rows
}

/// A solver of the thesis from its answer a step earlier.
#[cfg(feature = "baselines")]
fn warm(solver: crate::baselines::Solver, name: &'static str) -> Method {
    let place = super::pair::WITH_PREVIOUS.iter().position(|known| *known == solver);
    let place = place.expect("every pair keeps the answers of this solver");
    Method::new(name, move |p| {
        let mut previous = p.previous[place];
        of_answer(solver.solve_next(&p.a, &p.pose_a, &p.b, &p.pose_b, &mut previous))
    })
}

/// GJK and EPA on our support functions.
#[cfg(feature = "baselines")]
pub(crate) fn gjk() -> Vec<Method> {
    use crate::baselines::Solver;
    vec![baseline(Solver::GjkEpa, "GJK/EPA"), baseline(Solver::GjkOverlap, GJK_YES_NO)]
}

/// Without the feature `baselines` there are none.
#[cfg(not(feature = "baselines"))]
pub(crate) fn gjk() -> Vec<Method> {
    Vec::new()
}

/// Without the feature `baselines` there are none.
#[cfg(not(feature = "baselines"))]
pub(crate) fn thesis(_: &str) -> Vec<Method> {
    Vec::new()
}

/// How the names of the constrained optimisers begin.
const PORTAL: &str = "Portal et al.";
/// How the names of the solvers of the thesis begin among those of other papers.
const GONCALVES: &str = "Gonçalves";
pub(crate) const GJK_YES_NO: &str = "GJK, yes or no";
/// The pre-tests of Portal et al., which leave open what they do not separate.
pub(crate) const BOXES: &str = "spheres and boxes, apart or open";
pub(crate) const IMPLICIT: &str = "implicit";
pub(crate) const PARAMETRIC: &str = "parametric";
/// How the names of rows end that start from the last answer.
pub(crate) const WARM_START: &str = "warm start";

/// A published solver under its name in the table.
#[cfg(feature = "baselines")]
pub(crate) fn baseline(solver: crate::baselines::Solver, name: &'static str) -> Method {
    Method::new(name, move |p| of_answer(solver.solve(&p.a, &p.pose_a, &p.b, &p.pose_b)))
}

/// What a published solver answered.
#[cfg(feature = "baselines")]
pub(crate) fn of_answer(
    answer: Result<crate::baselines::Answer, crate::baselines::Unsupported>,
) -> Found {
    match answer {
        // One that only decides has no distance.
        Ok(answer) if answer.distance.is_infinite() => Found {
            converged: answer.converged,
            iterations: Some(answer.iterations),
            ..Found::decision(answer.distance < 0.0)
        },
        Ok(answer) => Found {
            contact: answer.distance <= 0.0,
            distance: Some(answer.distance),
            converged: answer.converged,
            iterations: Some(answer.iterations),
            skew: Some(answer.normal_ab_w.cross(&(answer.point_a_w - answer.point_b_w)).norm()),
        },
        Err(_) => Found { converged: false, distance: Some(f64::NAN), ..Found::decision(false) },
    }
}

/// A method, or the name of one that does not handle such pairs, and why.
pub(crate) type Handles = Result<Method, (&'static str, String)>;

/// The solvers of the closed-form contact space paper that run in this process, under its names and in its order, for
/// pairs like this one.
#[cfg(feature = "baselines")]
pub(crate) fn contact_space(pair: &Pair) -> Vec<Handles> {
    use crate::baselines::Solver;
    let all = [
        (Solver::CommonNormalLeastSquares, "CN-LS"),
        (Solver::NormalFixedPoint, "CN-FP"),
        (Solver::CfcDistance, "CFC-Dist-LS"),
        (Solver::CfcLeastSquares, "CFC-CN-LS"),
        (Solver::CfcFixedPoint, "CFC-CN-FP"),
    ];
    all.into_iter()
        .map(|(solver, name)| match solver.solve(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b) {
            Ok(_) => Ok(baseline(solver, name)),
            Err(unsupported) => Err((name, unsupported.to_string())),
        })
        .collect()
}

/// Without the feature there are none.
#[cfg(not(feature = "baselines"))]
pub(crate) fn contact_space(_: &Pair) -> Vec<Handles> {
    Vec::new()
}

/// How often a method is asked about each random pair, of so many sweeps. The optimisers take milliseconds a pair and the solvers
/// of the thesis tenths of one, much more than what disturbs a time.
pub(crate) fn sweeps_of(method: &str, sweeps: usize) -> usize {
    let most = match method {
        name if name.starts_with(PORTAL) => 1,
        name if name.starts_with(GONCALVES) => 2,
        _ => sweeps,
    };
    sweeps.min(most)
}

/// The solvers of the other papers that handle pairs like this one. Those of the thesis are there from equal first guesses, as it
/// asks for in §7.2. Algorithm II of Römer is CN-FP of [`contact_space`].
#[cfg(feature = "baselines")]
pub(crate) fn other_papers(pair: &Pair) -> Vec<Method> {
    use crate::baselines::Solver;
    let all = [
        (Solver::ImplicitNewton, "Gonçalves, implicit"),
        (Solver::ParametricNewtonOctree, "Gonçalves, parametric, octree guess"),
        (Solver::ImplicitNewtonQuadtree, "Gonçalves, implicit, quadtree guess"),
        (Solver::ParametricNewton, "Gonçalves, parametric"),
        (Solver::ParametricNewtonAnalytic, "Gonçalves, parametric, analytic Jacobian"),
        (Solver::NormalNewton, "normal parameterization I"),
        (Solver::PortalInteriorPoint, "Portal et al., interior point"),
        (Solver::PortalSqp, "Portal et al., SQP"),
        (Solver::BoundingBoxes, BOXES),
        (Solver::EllipsoidQuartic, "ellipsoids, roots of a quartic"),
        (Solver::EllipsoidConvex, "ellipsoids, convex function"),
    ];
    let handles =
        |solver: Solver| solver.solve(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b).is_ok();
    all.into_iter()
        .filter(|(solver, _)| handles(*solver))
        .map(|(solver, name)| baseline(solver, name))
        .collect()
}

/// Without the feature there are none.
#[cfg(not(feature = "baselines"))]
pub(crate) fn other_papers(_: &Pair) -> Vec<Method> {
    Vec::new()
}

/// Parry's GJK and EPA on our support functions.
#[cfg(feature = "peers")]
pub(crate) fn parry() -> Vec<Method> {
    vec![Method::new("Parry GJK/EPA", crate::command_line::sweep::parry::ask)]
}

/// Without the feature there is none.
#[cfg(not(feature = "peers"))]
pub(crate) fn parry() -> Vec<Method> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_methods_are_asked_less_often_and_never_more_than_wanted() {
        assert_eq!(sweeps_of("Portal et al., SQP", 5), 1);
        assert_eq!(sweeps_of("Gonçalves, implicit", 5), 2);
        assert_eq!(sweeps_of("Gonçalves, implicit", 1), 1);
        assert_eq!(sweeps_of("GJK/EPA", 5), 5);
    }

    /// What the thesis prints stands in the warm rows of the representation and code it was measured with.
    #[cfg(feature = "baselines")]
    #[test]
    fn published_numbers_of_the_thesis_stand_in_warm_rows() {
        let printed = |representation: &str| -> Vec<(&str, f64)> {
            let rows = thesis(representation).into_iter();
            rows.filter_map(|row| Some((row.name, row.published?.mean?))).collect()
        };
        let all = printed("superellipsoids");
        assert_eq!(
            all,
            [
                ("implicit, warm start", 127.71),
                ("parametric, warm start", 39.01),
                ("implicit, superovoid code, warm start", 123.55),
                ("parametric, superovoid code, warm start", 45.67),
            ]
        );
        assert_eq!(printed("mixed").len(), 2);
        assert!(printed("superovoids").is_empty());
    }
}
