//! How a row compares with ours for the same question.

use super::methods::{DEPTH, WARM, WARM_START, YES_NO};
use super::results::Row;

/// How the words about a row begin that is faster than ours.
const LOST: &str = "no";
/// Heading of the column.
pub(crate) const HEADING: &str = "ours is faster";

/// The time of a row over that of ours for the same question on the same pairs: yes or no, distance, or distance from the last
/// answer. Meshes are of the mixed surfaces. Empty for our own rows and where either was not run; a row that is faster
/// than ours says so.
pub(crate) fn beside_ours(row: &Row, rows: &[Row]) -> String {
    let question = match row {
        row if row.method.starts_with("ours") => return String::new(),
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

/// How many rows have a question of ours beside them, and how many of those are faster than ours.
pub(crate) fn lost_rows(rows: &[Row]) -> (usize, usize) {
    let said = rows.iter().map(|row| beside_ours(row, rows)).filter(|words| !words.is_empty());
    said.fold((0, 0), |(all, lost), words| (all + 1, lost + usize::from(words.starts_with(LOST))))
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
        ];
        let found: Vec<String> = rows.iter().map(|row| beside_ours(row, &rows)).collect();
        assert_eq!(found, ["", "", "", "5.0×", "2.5×", "5.0×", "no, 0.75×", "", ""]);
        assert_eq!(lost_rows(&rows), (4, 1));
    }
}
