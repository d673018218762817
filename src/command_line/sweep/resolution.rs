//! Figure 6.4: time and error of a mesh against its resolution, compared with the smooth surface it approximates.

use super::beside_ours;
use super::failure::Failure;
use super::figures::Curve;
use super::grasp::Run;
use super::measure::{Found, Measured, measure};
use super::methods::{self, Method};
use super::pair::Pair;
use super::peer_files::{self, COAL_DISTANCE, FCL_DISTANCE};
use super::svg::Family;
use crate::command_line::table::{Table, length, short};

/// Vertices of a mesh, from the thesis's coarsest to beyond its finest.
pub(crate) const VERTICES: [usize; 9] = [18, 50, 100, 200, 400, 786, 1600, 4000, 10_000];
/// Names of the smooth curves that are drawn.
const OURS: &str = "ours, smooth surface";
const PARAMETRIC: &str = "parametric solver of the thesis, smooth surface";
/// Pairs at every resolution.
pub(crate) const PAIRS: usize = 60;

/// File of the pairs at a resolution.
pub(crate) fn file(vertices: usize) -> String {
    format!("resolution_{vertices}")
}

/// The meshes that were run.
pub(crate) fn meshes(pairs: &[Pair], run: &Run) -> Result<Vec<Curve>, Failure> {
    let mut curves = Vec::new();
    let libraries = [
        ("fcl", "fcl-bvh-distance", FCL_DISTANCE, Family::Meshes),
        ("coal", "coal-convex-distance", COAL_DISTANCE, Family::ConvexMeshes),
    ];
    for (library, method, name, family) in libraries {
        let mut points = Vec::new();
        for vertices in VERTICES {
            let Some(folder) = run.peers else { continue };
            let path = folder.join(format!("{}.{library}.csv", file(vertices)));
            let Some(answers) = peer_files::read(&path)? else { continue };
            let (micros, error) = means(&answers.measured(method, pairs)?, pairs);
            points.push((vertices as f64, micros, error));
        }
        if !points.is_empty() {
            curves.push(Curve { name: name.into(), points, family, converged: None });
        }
    }
    Ok(curves)
}

/// The solvers of the thesis, GJK and ours on the smooth surfaces.
pub(crate) fn smooth(pairs: &[Pair], run: &Run) -> Vec<Curve> {
    let wanted = |m: &Method| m.name == methods::DEPTH || !m.name.starts_with("ours");
    // Random poses have no last answer to start from, and what only decides has no error.
    let has_distance =
        |m: &Method| !m.name.ends_with(methods::WARM_START) && m.name != methods::GJK_YES_NO;
    let all = methods::thesis("").into_iter().chain(methods::gjk()).chain(methods::ours());
    let mut curves = Vec::new();
    for method in all.filter(wanted).filter(has_distance) {
        let measured = measure(pairs, run.sweeps, run.stopped, &*method.ask);
        let (micros, error) = means(&measured, pairs);
        let of_converged = |f: &Found| f.converged;
        let count = measured.found.iter().filter(|f| of_converged(f)).count();
        let (name, family) = match method.name {
            methods::DEPTH => (OURS.into(), Family::Ours),
            methods::PARAMETRIC => (PARAMETRIC.into(), Family::Thesis),
            name => (name.into(), Family::Thesis),
        };
        curves.push(Curve {
            name,
            points: VERTICES.map(|v| (v as f64, micros, error)).to_vec(),
            family,
            converged: Some((count, mean_error(&measured, pairs, of_converged))),
        });
    }
    curves
}

/// Those of the smooth methods that the figure shows; the others lie close to them.
pub(crate) fn is_drawn(curve: &Curve) -> bool {
    curve.converged.is_none() || curve.name == OURS || curve.name == PARAMETRIC
}

/// Mean time in microseconds, and mean of the largest error that the proven bounds permit.
fn means(measured: &Measured, pairs: &[Pair]) -> (f64, Option<f64>) {
    let micros = measured.nanos.iter().sum::<u64>() as f64 / 1000.0 / pairs.len().max(1) as f64;
    (micros, mean_error(measured, pairs, |_| true))
}

/// Mean of the largest errors that the proven bounds permit, over some of the answers.
fn mean_error(measured: &Measured, pairs: &[Pair], of: impl Fn(&Found) -> bool) -> Option<f64> {
    let answers = pairs.iter().zip(&measured.found).filter(|(_, found)| of(found));
    let errors: Vec<f64> = answers
        .filter_map(|(p, f)| f.distance.map(|d| p.error(d) + (p.truth.upper - p.truth.lower)))
        .filter(|e| e.is_finite())
        .collect();
    (!errors.is_empty()).then(|| errors.iter().sum::<f64>() / errors.len() as f64)
}

/// The curves as a table.
pub(crate) fn table(curves: &[Curve]) -> Table {
    let columns = [
        "method",
        "vertices",
        "mean µs",
        "mean error m",
        "converged",
        "mean error of those m",
        beside_ours::HEADING,
    ];
    let ours = curves.iter().find(|curve| curve.name == OURS);
    let ours = ours.and_then(|curve| curve.points.first()).map(|point| point.1);
    let mut table = Table::new(&columns, 1);
    for curve in curves {
        let smooth = curve.converged.is_some();
        let points = if smooth { &curve.points[..1] } else { &curve.points[..] };
        let [converged, of_those] = match curve.converged {
            Some((count, error)) => {
                [format!("{count} of {PAIRS}"), error.map_or("–".into(), length)]
            }
            None => ["".into(), "".into()],
        };
        for (vertices, micros, error) in points {
            let vertices = if smooth { "none".into() } else { format!("{vertices:.0}") };
            let error = error.map_or("–".into(), length);
            let cells = [curve.name.clone(), vertices, short(*micros), error];
            let beside = match curve.name.as_str() {
                OURS => String::new(),
                _ => beside_ours::ratio(Some(*micros), ours),
            };
            let rest = [converged.clone(), of_those.clone(), beside];
            table.row(cells.into_iter().chain(rest).collect());
        }
    }
    table
}
