//! Table 2 and table 3 of the thesis, and the targets.

use super::beside_ours;
use super::methods;
use super::peer_files::{FCL_COLLISION, FCL_DISTANCE};
use super::results::Row;
use crate::command_line::table::{Table, length, short};

fn or_dash(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    value.map_or("–".into(), show)
}

/// Time, iterations, convergence and every answer checked.
pub(crate) fn table_2(rows: &[Row]) -> Table {
    let mut table = Table::new(
        &[
            "representation",
            "method",
            "queries",
            "mean µs",
            "σ",
            "median",
            "p99",
            "iterations",
            "median iterations",
            "converged",
            "wrong side",
            "off by > 1 µm",
            "median error m",
            "worst error m",
            "published mean ± σ",
            "published iterations",
            beside_ours::HEADING,
        ],
        2,
    );
    for row in rows {
        let published = row.published.and_then(|p| p.mean.map(|mean| (mean, p.sigma)));
        let published = published.map_or("".into(), |(mean, sigma)| match sigma {
            Some(sigma) => format!("{mean:.1} ± {sigma:.1}"),
            None => format!("{mean:.1}"),
        });
        let steps =
            row.published.and_then(|p| p.iterations).map_or("".into(), |n| format!("{n:.1}"));
        let mut cells = vec![row.representation.clone(), row.method.clone()];
        match (&row.micros, &row.missing) {
            (Some(t), _) => {
                let share = 100.0 * (1.0 - row.unconverged as f64 / t.count.max(1) as f64);
                cells.push(t.count.to_string());
                cells.extend([t.mean, t.sigma, t.median, t.p99].map(short));
                cells.push(or_dash(row.iterations, |n| format!("{n:.1}")));
                cells.push(or_dash(row.median_iterations, |n| format!("{n:.0}")));
                cells.push(if row.unconverged == 0 {
                    "100 %".into()
                } else {
                    format!("{share:.1} %")
                });
                cells.push(row.wrong_decisions.to_string());
                cells.push(row.off.map_or("–".into(), |n| n.to_string()));
                cells.push(or_dash(row.median_error, length));
                cells.push(or_dash(row.worst_error, length));
            }
            (None, why) => {
                cells.push(why.clone().unwrap_or_else(|| "not run".into()));
                cells.extend(vec!["".into(); 11]);
            }
        }
        cells.extend([published, steps, beside_ours::beside_ours(row, rows)]);
        table.row(cells);
    }
    table
}

/// Results of a run through a node.
pub(crate) fn node_table(rows: &[Row]) -> Table {
    let mut table = Table::new(
        &[
            "through",
            "question",
            "answers",
            "mean µs",
            "σ",
            "median",
            "p99",
            "most",
            "wrong",
            "refused",
            "worst error m",
        ],
        2,
    );
    for row in rows {
        let mut cells = vec![row.representation.clone(), row.method.clone()];
        match &row.micros {
            Some(t) => {
                cells.push(t.count.to_string());
                cells.extend([t.mean, t.sigma, t.median, t.p99, t.most].map(short));
                cells.extend([row.wrong_decisions, row.unconverged].map(|n| n.to_string()));
                cells.push(or_dash(row.worst_error, length));
            }
            None => {
                cells.push(row.missing.clone().unwrap_or_else(|| "none".into()));
                cells.extend(vec!["".into(); 8]);
            }
        }
        table.row(cells);
    }
    table
}

/// The qualitative comparison of the thesis (fastest, low, high), as numbers.
pub(crate) fn table_3(rows: &[Row], bytes: impl Fn(&Row) -> Option<f64>) -> Table {
    let mut table = Table::new(
        &[
            "representation",
            "method",
            "time, mean µs",
            "spread, σ µs",
            "bytes a body",
            "error, median m",
            "worst m",
            "thesis: time",
            "spread",
            "memory",
            "accuracy",
        ],
        2,
    );
    for row in rows.iter().filter(|row| row.micros.is_some()) {
        let Some(t) = row.micros else { continue };
        let words = match row.method.as_str() {
            FCL_COLLISION => ["fastest", "low", "high", "low"],
            FCL_DISTANCE => ["slow", "low", "high", "low"],
            methods::IMPLICIT => ["fast", "high", "low", "high"],
            methods::PARAMETRIC => ["faster", "high", "low", "high"],
            _ => [""; 4],
        };
        let mut cells = vec![row.representation.clone(), row.method.clone()];
        cells.extend([short(t.mean), short(t.sigma)]);
        cells.push(or_dash(bytes(row), |b| format!("{b:.0}")));
        cells.push(or_dash(row.median_error, length));
        cells.push(or_dash(row.worst_error, length));
        cells.extend(words.map(String::from));
        table.row(cells);
    }
    table
}

/// What a solver starts from.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    Cold,
    Warm,
}

/// The fastest variant of a solver of the thesis on a representation.
fn best_variant<'a>(
    rows: &'a [Row],
    representation: &str,
    solver: &str,
    start: Start,
) -> Option<&'a Row> {
    let is_warm = |row: &Row| row.method.ends_with(methods::WARM_START);
    let of_solver = rows.iter().filter(|row| {
        row.representation == representation
            && row.method.split(',').next() == Some(solver)
            && is_warm(row) == (start == Start::Warm)
            && row.mean().is_some()
    });
    of_solver.min_by(|a, b| a.mean().partial_cmp(&b.mean()).expect("times are numbers"))
}

/// Each target with what was measured in this run: on the grasp, on convex meshes, and on random pairs.
pub(crate) fn targets(rows: &[Row], hulls: &[Row], random: &[Row]) -> Table {
    let mut table = Table::new(&["target, by mean times", "asked", "measured", "met"], 1);
    let find = |representation: &str, method: &str| {
        rows.iter().find(|r| r.representation == representation && r.method == method)
    };
    let ratio = |slow: Option<&Row>, fast: Option<&Row>| Some(slow?.mean()? / fast?.mean()?);
    let mut line = |words: String,
                    asked: &str,
                    measured: Option<f64>,
                    show: &dyn Fn(f64) -> String,
                    met: &dyn Fn(f64) -> bool| {
        let cells = match measured {
            Some(value) => [show(value), if met(value) { "yes".into() } else { "**no**".into() }],
            None => ["not measured".into(), "–".into()],
        };
        table.row([vec![words, asked.into()], cells.to_vec()].concat());
    };
    let times = |x: f64| format!("{x:.1}×");
    for name in ["superellipsoids", "superovoids", "mixed"] {
        for solver in [methods::IMPLICIT, methods::PARAMETRIC] {
            for (start, ours, asked, least) in [
                (Start::Cold, methods::DEPTH, "≥ 10×", 10.0),
                (Start::Warm, methods::WARM, "≥ 5×", 5.0),
            ] {
                let best = best_variant(rows, name, solver, start);
                let variant = best.map_or(solver, |row| row.method.as_str());
                let measured = ratio(best, find(name, ours));
                let words = format!("{name}: {ours} against the best {solver} ({variant})");
                line(words, asked, measured, &times, &|x| x >= least);
            }
        }
    }
    for (set, rows) in
        [("the grasp", rows), ("the convex meshes", hulls), ("the random pairs", random)]
    {
        let (all, lost) = beside_ours::lost_rows(rows);
        line(
            format!("{set}: rows of {all} that answer a question faster than ours does"),
            "0",
            (all > 0).then_some(lost.len() as f64),
            &|x| format!("{x:.0}"),
            &|x| x == 0.0,
        );
    }
    let meshes = |method| find("meshes", method);
    let depth = ratio(meshes(FCL_DISTANCE), find("mixed", methods::DEPTH));
    line("mixed: depth against FCL mesh distance".into(), "≥ 20×", depth, &times, &|x| {
        x >= 20.0
    });
    let yes_no = ratio(meshes(FCL_COLLISION), find("mixed", methods::YES_NO));
    line("mixed: yes or no against FCL mesh collision".into(), "≥ 5×", yes_no, &times, &|x| {
        x >= 5.0
    });
    for name in ["superellipsoids", "superovoids", "mixed"] {
        let ours = find(name, methods::DEPTH);
        let spread = ours.and_then(|r| r.micros).map(|t| t.p99 / t.mean);
        line(
            format!("{name}: p99 over the mean"),
            "≤ 3×",
            spread,
            &|x| format!("{x:.2}×"),
            &|x| x <= 3.0,
        );
    }
    for name in ["superellipsoids", "superovoids", "mixed"] {
        for method in [methods::DEPTH, methods::YES_NO, methods::WARM, methods::CERTIFIED] {
            let Some(row) = find(name, method) else { continue };
            let Some(t) = row.micros else { continue };
            let bad = row.wrong_decisions.max(row.off.unwrap_or(0)).max(row.unconverged);
            let right = 100.0 * (1.0 - bad as f64 / t.count.max(1) as f64);
            line(
                format!("{name}, {method}: right answers"),
                "100 %",
                Some(right),
                &|x| format!("{x:.2} %"),
                &|_| bad == 0,
            );
            if row.worst_error.is_some() {
                line(
                    format!("{name}, {method}: worst error"),
                    "≤ 1e-9 m",
                    row.worst_error,
                    &length,
                    &|x| x <= 1e-9,
                );
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::sweep::statistics::Summary;

    fn row(method: &str, micros: u64) -> Row {
        let mut row = Row::missing("mixed", method, "", None);
        row.micros = Summary::of_nanos(&[1000 * micros]);
        row.off = Some(0);
        row
    }

    #[test]
    fn targets_are_measured_against_the_best_variant_and_lost_rows_are_counted() {
        let rows = [
            row("implicit", 400),
            row("implicit, quadtree guess", 100),
            row("implicit, warm start", 60),
            row("parametric", 50),
            row("parametric, analytic Jacobian", 18),
            row("parametric, warm start", 9),
            row("parametric, analytic Jacobian, warm start", 4),
            row(methods::DEPTH, 2),
            row(methods::WARM, 1),
        ];
        let random = [row("fixed point", 1), row(methods::DEPTH, 2)];
        let text = targets(&rows, &[], &random).markdown();
        for expected in [
            "mixed: ours: depth against the best implicit (implicit, quadtree guess) | ≥ 10× | 50.0× | yes |",
            "mixed: ours: depth against the best parametric (parametric, analytic Jacobian) | ≥ 10× | 9.0× | **no** |",
            "(implicit, warm start) | ≥ 5× | 60.0× | yes |",
            "(parametric, analytic Jacobian, warm start) | ≥ 5× | 4.0× | **no** |",
            "the grasp: rows of 7 that answer a question faster than ours does | 0 | 0 | yes |",
            "the convex meshes: rows of 0 that answer a question faster than ours does | 0 | not measured | – |",
            "the random pairs: rows of 1 that answer a question faster than ours does | 0 | 1 | **no** |",
            "superovoids: ours: depth against the best implicit (implicit) | ≥ 10× | not measured | – |",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }
}
