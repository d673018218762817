//! Convex meshes against their number of vertices: V-Clip and GJK of the lecture, the libraries, and ours.

use super::beside_ours;
use super::failure::Failure;
use super::grasp::Run;
use super::measure::measure;
#[cfg(feature = "baselines")]
use super::measure::measure_numbered;
use super::methods::{self, Method};
use super::pair::Pair;
use super::peer_files;
use super::random_pairs::hulls_apart;
use super::results::Row;
#[cfg(feature = "baselines")]
use crate::baselines::{Features, Polyhedron, Previous, Solver, v_clip};
use crate::command_line::table::{Table, length, short};

/// Vertices of a mesh.
pub(crate) const VERTICES: [usize; 4] = [10, 30, 100, 1000];
/// Pairs of each number of vertices.
pub(crate) const PAIRS: usize = 500;

/// File of the pairs with so many vertices.
pub(crate) fn file(vertices: usize) -> String {
    format!("hulls_{vertices}")
}

/// What the tables call a set.
fn representation(vertices: usize) -> String {
    format!("{vertices} vertices")
}

/// The rows of all sets.
pub(crate) fn rows(run: &Run) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for vertices in VERTICES {
        if (run.stopped)() {
            break;
        }
        let pairs = hulls_apart(vertices, PAIRS).map_err(|e| Failure::Other(e.to_string()))?;
        rows.extend(set_rows(vertices, &pairs, run)?);
    }
    Ok(rows)
}

fn set_rows(vertices: usize, pairs: &[Pair], run: &Run) -> Result<Vec<Row>, Failure> {
    let name = representation(vertices);
    let mut rows = v_clip_rows(&name, pairs, run);
    rows.extend(gjk_warm_row(&name, pairs, run));
    // Bodies that are apart have no depth to be certified.
    let ours = methods::ours().into_iter().filter(|method| method.name != methods::CERTIFIED);
    let ours = ours.chain([methods::yes_no_warm()]);
    for Method { name: method, ask, .. } in
        methods::gjk().into_iter().chain(methods::parry()).chain(ours)
    {
        let measured = measure(pairs, run.sweeps, run.stopped, &*ask);
        rows.push(measured.row(pairs, &name, method, None));
    }
    for (library, all) in peer_files::LIBRARIES {
        let answers = match run.peers {
            Some(folder) => {
                peer_files::read(&folder.join(format!("{}.{library}.csv", file(vertices))))?
            }
            None => None,
        };
        for (id, method) in all {
            rows.push(match &answers {
                Some(answers) => answers.measured(id, pairs)?.row(pairs, &name, method, None),
                None => Row::missing(&name, method, peer_files::NOT_RUN, None),
            });
        }
    }
    Ok(rows)
}

/// The meshes of the pairs as V-Clip keeps them, each once, and which ones each pair has.
#[cfg(feature = "baselines")]
fn polyhedra(pairs: &[Pair]) -> (Vec<Polyhedron>, Vec<[usize; 2]>) {
    let mut names: Vec<&str> = Vec::new();
    let (mut bodies, mut of) = (Vec::new(), Vec::new());
    for pair in pairs {
        let mut words = pair.name.split('/').skip(1);
        of.push([&pair.a, &pair.b].map(|shape| {
            let name = words.next().expect("names are `number/mesh of A/mesh of B`");
            names.iter().position(|known| *known == name).unwrap_or_else(|| {
                bodies.push(Polyhedron::of(shape).expect("points on an ellipsoid span a volume"));
                names.push(name);
                names.len() - 1
            })
        }));
    }
    (bodies, of)
}

/// V-Clip on polyhedra that are kept, from any vertices and from the features of a moment before.
#[cfg(feature = "baselines")]
fn v_clip_rows(name: &str, pairs: &[Pair], run: &Run) -> Vec<Row> {
    let (bodies, of) = polyhedra(pairs);
    let last_features = |(pair, [a, b]): (&Pair, &[usize; 2])| {
        let mut features = Features::default();
        let [pose_a, pose_b] = &pair.before.expect("every pair has poses of a moment before");
        v_clip(&bodies[*a], pose_a, &bodies[*b], pose_b, &mut features);
        features
    };
    let warm: Vec<Features> = pairs.iter().zip(&of).map(last_features).collect();
    let cold = vec![Features::default(); warm.len()];
    let row = |method: &str, starts: &[Features]| {
        let ask = |k: usize, pair: &Pair| {
            let (mut features, [a, b]) = (starts[k], of[k]);
            let (a, b) = (&bodies[a], &bodies[b]);
            methods::of_answer(Ok(v_clip(a, &pair.pose_a, b, &pair.pose_b, &mut features)))
        };
        measure_numbered(pairs, run.sweeps, run.stopped, &ask).row(pairs, name, method, None)
    };
    vec![row("V-Clip", &cold), row("V-Clip, warm start", &warm)]
}

/// GJK's decision from the separating axis of a moment before.
#[cfg(feature = "baselines")]
fn gjk_warm_row(name: &str, pairs: &[Pair], run: &Run) -> Option<Row> {
    let last_axis = |pair: &Pair| {
        let mut previous = Previous::default();
        let [pose_a, pose_b] = &pair.before.expect("every pair has poses of a moment before");
        Solver::GjkOverlap
            .solve_next(&pair.a, pose_a, &pair.b, pose_b, &mut previous)
            .expect("GJK handles every shape");
        previous
    };
    let starts: Vec<Previous> = pairs.iter().map(last_axis).collect();
    let ask = |k: usize, pair: &Pair| {
        let mut previous = starts[k];
        let Pair { a, pose_a, b, pose_b, .. } = pair;
        methods::of_answer(Solver::GjkOverlap.solve_next(a, pose_a, b, pose_b, &mut previous))
    };
    let measured = measure_numbered(pairs, run.sweeps, run.stopped, &ask);
    Some(measured.row(pairs, name, "GJK, yes or no, warm start", None))
}

/// Without the feature there is none.
#[cfg(not(feature = "baselines"))]
fn gjk_warm_row(_: &str, _: &[Pair], _: &Run) -> Option<Row> {
    None
}

/// Without the feature there are none.
#[cfg(not(feature = "baselines"))]
fn v_clip_rows(_: &str, _: &[Pair], _: &Run) -> Vec<Row> {
    Vec::new()
}

/// The rows with their times, steps and errors.
pub(crate) fn table(rows: &[Row]) -> Table {
    let columns = [
        "meshes",
        "method",
        "mean µs",
        "median",
        "p99",
        "iterations",
        "converged",
        "wrong side",
        "off by > 1 µm",
        "worst error m",
        beside_ours::HEADING,
    ];
    let mut table = Table::new(&columns, 2);
    for row in rows {
        let mut cells = vec![row.representation.clone(), row.method.clone()];
        match (&row.micros, &row.missing) {
            (Some(t), _) => {
                cells.extend([t.mean, t.median, t.p99].map(short));
                cells.push(row.iterations.map_or("–".into(), |n| format!("{n:.1}")));
                let converged = 100.0 * (1.0 - row.unconverged as f64 / t.count.max(1) as f64);
                cells.push(format!("{converged:.1} %"));
                cells.push(row.wrong_decisions.to_string());
                cells.push(row.off.map_or("–".into(), |n| n.to_string()));
                cells.push(row.worst_error.map_or("–".into(), length));
            }
            (None, why) => {
                cells.push(why.clone().unwrap_or_default());
                cells.extend(vec![String::new(); 7]);
            }
        }
        cells.push(beside_ours::beside_ours(row, rows));
        table.row(cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every method answers for polyhedra exactly, and V-Clip takes fewer steps from its last features.
    #[test]
    fn all_methods_agree_on_convex_meshes() {
        let pairs = hulls_apart(30, 40).unwrap();
        let run = Run { sweeps: 1, stopped: &|| false, peers: None };
        let rows = set_rows(30, &pairs, &run).unwrap();
        for row in rows.iter().filter(|row| row.missing.is_none()) {
            assert_eq!((row.wrong_decisions, row.unconverged), (0, 0), "{row:?}");
            // Parry ends early now and then.
            assert!(row.off.is_none_or(|off| off == 0) || row.method.starts_with("Parry"));
        }
        let steps = |method: &str| rows.iter().find(|row| row.method == method)?.iterations;
        if cfg!(feature = "baselines") {
            assert!(steps("V-Clip, warm start").unwrap() < 0.5 * steps("V-Clip").unwrap());
        }
        assert!(table(&rows).markdown().contains(peer_files::NOT_RUN));
    }
}
