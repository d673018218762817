//! Figure 6.4: time and error of a mesh against its resolution, compared with the smooth surface it approximates.

use super::failure::Failure;
use super::figures::Curve;
use super::grasp::Run;
use super::measure::{Measured, measure};
use super::methods::{self, Method};
use super::pair::Pair;
use super::peer_files::{self, COAL_DISTANCE, FCL_DISTANCE};
use super::svg::Family;
use crate::command_line::table::{Table, length, short};

/// Vertices of a mesh, from the thesis's coarsest to beyond its finest.
pub(crate) const VERTICES: [usize; 9] = [18, 50, 100, 200, 400, 786, 1600, 4000, 10_000];
/// Pairs at every resolution.
pub(crate) const PAIRS: usize = 60;

/// File of the pairs at a resolution.
pub(crate) fn file(vertices: usize) -> String {
    format!("resolution_{vertices}")
}

/// The curves: meshes that were run, the parametric solver of the thesis, ours.
pub(crate) fn curves(pairs: &[Pair], run: &Run) -> Result<Vec<Curve>, Failure> {
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
            curves.push(Curve { name: name.into(), points, family });
        }
    }
    let wanted = |m: &Method| m.name == methods::PARAMETRIC || m.name == methods::DEPTH;
    let smooth = methods::thesis("").into_iter().chain(methods::ours()).filter(wanted);
    for method in smooth {
        let (micros, error) = means(&measure(pairs, run.sweeps, run.stopped, &*method.ask), pairs);
        let points = VERTICES.map(|v| (v as f64, micros, error)).to_vec();
        let (name, family) = match method.name {
            methods::DEPTH => ("ours, smooth surface".into(), Family::Ours),
            name => (format!("{name} solver of the thesis, smooth surface"), Family::Thesis),
        };
        curves.push(Curve { name, points, family });
    }
    Ok(curves)
}

/// Mean time in microseconds, and mean of the largest error that the proven bounds permit.
fn means(measured: &Measured, pairs: &[Pair]) -> (f64, Option<f64>) {
    let micros = measured.nanos.iter().sum::<u64>() as f64 / 1000.0 / pairs.len().max(1) as f64;
    let errors: Vec<f64> = pairs
        .iter()
        .zip(&measured.found)
        .filter_map(|(p, f)| f.distance.map(|d| p.error(d) + (p.truth.upper - p.truth.lower)))
        .filter(|e| e.is_finite())
        .collect();
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    (micros, (!errors.is_empty()).then_some(mean))
}

/// The curves as a table.
pub(crate) fn table(curves: &[Curve]) -> Table {
    let mut table = Table::new(&["method", "vertices", "mean µs", "mean error m"], 1);
    for curve in curves {
        let smooth = matches!(curve.family, Family::Ours | Family::Thesis);
        let points = if smooth { &curve.points[..1] } else { &curve.points[..] };
        for (vertices, micros, error) in points {
            let vertices = if smooth { "none".into() } else { format!("{vertices:.0}") };
            let error = error.map_or("–".into(), length);
            table.row(vec![curve.name.clone(), vertices, short(*micros), error]);
        }
    }
    table
}
