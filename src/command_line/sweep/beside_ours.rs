//! How a row compares with ours for the same question.

use super::methods::{BOXES, DEPTH, WARM, WARM_START, YES_NO, YES_NO_WARM};
use super::results::Row;
use crate::command_line::table::Table;

/// How the words about a row begin that is faster than ours.
const LOST: &str = "no";
/// Heading of the column.
pub(crate) const HEADING: &str = "ours is faster";

/// The time of a row over that of ours for the same question on the same pairs: yes or no, or distance, each cold or from the last
/// answer. Meshes are of the mixed surfaces. Empty for our own rows and where either was not run; a row that is faster
/// than ours says so.
pub(crate) fn beside_ours(row: &Row, rows: &[Row]) -> String {
    let question = match row {
        // The boxes decide about a part of the pairs only.
        row if row.method.starts_with("ours") || row.method == BOXES => return String::new(),
        row if row.off.is_none() && row.method.ends_with(WARM_START) => YES_NO_WARM,
        row if row.off.is_none() => YES_NO,
        row if row.method.ends_with(WARM_START) => WARM,
        _ => DEPTH,
    };
    let representation = match row.representation.as_str() {
        "meshes" => "mixed",
        other => other,
    };
    let ours = rows.iter().find(|r| r.representation == representation && r.method == question);
    ratio(row.mean(), ours.and_then(Row::mean))
}

/// A mean time over that of ours, as the column says it.
pub(crate) fn ratio(mean: Option<f64>, ours: Option<f64>) -> String {
    match (mean, ours) {
        (Some(mean), Some(ours)) if mean < ours => format!("{LOST}, {:.2}×", mean / ours),
        (Some(mean), Some(ours)) => format!("{:.1}×", mean / ours),
        _ => String::new(),
    }
}

/// How many rows have a question of ours beside them, and which of those are faster than ours.
pub(crate) fn lost_rows(rows: &[Row]) -> (usize, Vec<&Row>) {
    let said: Vec<(&Row, String)> = rows.iter().map(|row| (row, beside_ours(row, rows))).collect();
    let compared = said.iter().filter(|(_, words)| !words.is_empty()).count();
    let lost = said.iter().filter(|(_, words)| words.starts_with(LOST)).map(|(row, _)| *row);
    (compared, lost.collect())
}

/// The rows that are faster than ours, by how much, and how often they are right.
pub(crate) fn lost_table(rows: &[Row]) -> Table {
    let mut table = Table::new(&["bodies", "faster than ours", HEADING, "right"], 2);
    for row in lost_rows(rows).1 {
        let count = row.micros.map_or(1, |times| times.count.max(1));
        let right = format!("{:.1} %", 100.0 * (1.0 - row.bad as f64 / count as f64));
        let ratio = beside_ours(row, rows);
        table.row(vec![row.representation.clone(), row.method.clone(), ratio, right]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::sweep::statistics::Summary;

    fn row(representation: &str, method: &str, micros: u64, decides_only: bool) -> Row {
        let mut row = Row::missing(representation, method, "", None);
        row.micros = Summary::of_nanos(&[1000 * micros]);
        row.off = (!decides_only).then_some(0);
        row
    }

    #[test]
    fn each_row_is_compared_with_the_same_question() {
        let rows = [
            row("mixed", YES_NO, 1, true),
            row("mixed", DEPTH, 4, false),
            row("mixed", WARM, 2, false),
            row("meshes", "collision", 5, true),
            row("mixed", "parametric", 10, false),
            row("mixed", "parametric, warm start", 10, false),
            row("mixed", "fixed point", 3, false),
            row("other", "fixed point", 3, false),
            Row::missing("mixed", "not run", "", None),
            row("mixed", BOXES, 3, true),
        ];
        let found: Vec<String> = rows.iter().map(|row| beside_ours(row, &rows)).collect();
        assert_eq!(found, ["", "", "", "5.0×", "2.5×", "5.0×", "no, 0.75×", "", "", ""]);
        let (compared, lost) = lost_rows(&rows);
        assert_eq!((compared, lost.len()), (4, 1));
        let text = lost_table(&rows).markdown();
        assert!(text.contains("| mixed | fixed point | no, 0.75× | 100.0 % |"), "{text}");
        assert!(lost_rows(&rows[..5]).1.is_empty() && lost_rows(&rows[..1]).0 == 0);
    }
}
