//! Tables II to IV of the closed-form contact space paper.

use super::beside_ours;
use super::failure::Failure;
use super::grasp::Run;
use super::measure::measure;
use super::methods::{self, Method};
use super::pair::Pair;
use super::peer_files;
use super::random_pairs::{COMBINATIONS, of_kinds};
use super::results::{Published, Row};
use crate::command_line::progress::Progress;
use crate::command_line::table::{Table, length, short};

/// Vertices of the paper's meshes for FCL.
pub(crate) const VERTICES: usize = 100;

/// A method's name, share of right answers, iterations, and mean time in µs.
type Printed = (&'static str, [f64; 6], Option<[f64; 6]>, f64);

/// What the paper prints: accuracy (table III) and iterations (table IV) in the order of the combinations, and the mean
/// time of SQ-PE (table II).
const PRINTED: [Printed; 6] = [
    (peer_files::IPOPT_IMPLICIT, [97.64, 97.42, 96.70, 72.23, 70.95, 65.65], None, 38080.0),
    (
        "CN-LS",
        [97.43, 97.57, 97.63, 91.99, 91.86, 85.26],
        Some([6.0, 6.0, 6.0, 9.0, 9.0, 14.0]),
        86.8,
    ),
    (
        "CN-FP",
        [99.94, 99.89, 99.83, 96.05, 96.23, 92.43],
        Some([10.0, 10.0, 11.0, 16.0, 16.0, 21.0]),
        12.9,
    ),
    (
        "CFC-Dist-LS",
        [99.85, 99.71, 99.85, 97.93, 97.09, 92.74],
        Some([23.0, 23.0, 22.0, 24.0, 24.0, 25.0]),
        117.9,
    ),
    (
        "CFC-CN-LS",
        [99.54, 98.91, 98.90, 95.67, 94.94, 91.65],
        Some([5.0, 6.0, 5.0, 7.0, 7.0, 9.0]),
        44.6,
    ),
    (
        "CFC-CN-FP",
        [99.94, 99.94, 99.84, 96.00, 96.17, 92.46],
        Some([9.0, 9.0, 10.0, 15.0, 15.0, 20.0]),
        12.4,
    ),
];
/// Place of SQ-PE, the only combination of table II.
const TIMED: usize = 4;
/// Table II prints this time for FCL on SQ-PE, with building the meshes.
const PRINTED_FCL: Published =
    Published { mean: Some(16748.0), sigma: None, iterations: None, right: None };

fn printed(method: &str, combination: usize) -> Option<Published> {
    let (_, right, iterations, mean) = PRINTED.into_iter().find(|(name, ..)| *name == method)?;
    Some(Published {
        mean: (combination == TIMED).then_some(mean),
        sigma: None,
        iterations: iterations.map(|all| all[combination]),
        right: Some(right[combination] / 100.0),
    })
}

/// The rows of one combination.
fn combination(place: usize, pairs: &[Pair], run: &Run) -> Result<Vec<Row>, Failure> {
    let name = COMBINATIONS[place].0;
    let mut rows = Vec::new();
    let row = |method: &Method, published: Option<Published>| {
        let sweeps = methods::sweeps_of(method.name, run.sweeps);
        let measured = measure(pairs, sweeps, run.stopped, &*method.ask);
        measured.row(pairs, name, method.name, published)
    };
    let Some(first) = pairs.first() else { return Ok(rows) };
    for handles in methods::contact_space(first) {
        rows.push(match handles {
            Ok(method) => row(&method, printed(method.name, place)),
            Err((method, why)) => Row::missing(name, method, &why, printed(method, place)),
        });
    }
    // Random pairs have no warm start.
    let ours = methods::ours().into_iter().filter(|method| method.name != methods::WARM);
    let others = methods::other_papers(first).into_iter().chain(methods::gjk());
    let rest = others.chain(methods::parry()).chain(ours);
    rows.extend(rest.map(|method| row(&method, None)));
    for (library, methods) in [peer_files::IPOPT].into_iter().chain(peer_files::LIBRARIES) {
        let answers = match run.peers {
            Some(folder) => peer_files::read(&folder.join(format!("random_{name}.{library}.csv")))?,
            None => None,
        };
        for (id, method) in methods {
            let published = match *method {
                peer_files::FCL_DISTANCE if place == TIMED => Some(PRINTED_FCL),
                _ => printed(method, place),
            };
            rows.push(match &answers {
                Some(answers) => answers.measured(id, pairs)?.row(pairs, name, method, published),
                None => Row::missing(name, method, peer_files::NOT_RUN, published),
            });
        }
    }
    for (method, ..) in PRINTED {
        if !rows.iter().any(|row| row.method == method) {
            rows.push(Row::missing(name, method, methods::NOT_BUILT, printed(method, place)));
        }
    }
    Ok(rows)
}

/// Name and version of the interior-point solver, if it was run.
pub(crate) fn ipopt(run: &Run) -> Result<Option<String>, Failure> {
    let Some(folder) = run.peers else { return Ok(None) };
    let answers =
        peer_files::read(&folder.join(format!("random_{}.ipopt.csv", COMBINATIONS[0].0)))?;
    Ok(answers.map(|answers| answers.library))
}

/// Every combination.
pub(crate) fn rows(count: usize, run: &Run, progress: &mut Progress) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (place, (name, kinds)) in COMBINATIONS.into_iter().enumerate() {
        if (run.stopped)() {
            break;
        }
        progress.step(format!("random pairs, {name}"));
        let pairs = of_kinds(kinds, count).map_err(|e| Failure::Other(e.to_string()))?;
        rows.extend(combination(place, &pairs, run)?);
    }
    Ok(rows)
}

/// Tables II to IV in one: time, share of right answers, iterations, each with the published value.
pub(crate) fn tables_2_to_4(rows: &[Row]) -> Table {
    let mut table = Table::new(
        &[
            "pair",
            "method",
            "mean µs",
            "published (table II)",
            "right",
            "meets eq. 22",
            "published (table III)",
            "iterations",
            "published (table IV)",
            "converged",
            "worst error m",
            beside_ours::HEADING,
        ],
        2,
    );
    let percent = |x: f64| format!("{:.2} %", 100.0 * x);
    for row in rows {
        let printed = |get: &dyn Fn(Published) -> Option<f64>, show: &dyn Fn(f64) -> String| {
            row.published.and_then(get).map_or("".into(), show)
        };
        let (mean, right) = match (row.micros, &row.missing) {
            (Some(t), _) => (short(t.mean), percent(1.0 - row.bad as f64 / t.count.max(1) as f64)),
            (None, why) => (why.clone().unwrap_or_default(), "".into()),
        };
        table.row(vec![
            row.representation.clone(),
            row.method.clone(),
            mean,
            printed(&|p| p.mean, &|x| format!("{x}")),
            right,
            row.acceptable.map_or("".into(), percent),
            printed(&|p| p.right, &percent),
            row.iterations.map_or("".into(), |n| format!("{n:.0}")),
            printed(&|p| p.iterations, &|x| format!("{x:.0}")),
            row.micros.map_or("".into(), |t| {
                percent(1.0 - row.unconverged as f64 / t.count.max(1) as f64)
            }),
            row.worst_error.map_or("".into(), length),
            beside_ours::beside_ours(row, rows),
        ]);
    }
    table
}
