//! Compares two result files: what became slower or less accurate, beyond the noise.

use super::failure::Failure;
use super::report::print;
use super::results::{Results, Row};
use crate::command_line::table::{Table, short};
use std::collections::BTreeSet;
use std::path::Path;

/// A change below this share is never reported: least times of sweeps agree to about this on a quiet machine.
const FLOOR: f64 = 0.05;
/// Runs with one sweep, or through a node, have no noise estimate: only a doubled time counts as slower.
const UNKNOWN: f64 = 1.0;

/// How a row changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Slower,
    Faster,
    Same,
    /// More wrong, unconverged or off than before.
    LessRight,
}

/// Compares mean times with the noise of both runs and the floor, and the numbers of bad answers.
pub(crate) fn verdict(before: &Row, after: &Row) -> Option<(f64, f64, Verdict)> {
    let (old, new) = (before.micros?, after.micros?);
    let change = new.mean / old.mean - 1.0;
    let noise_of = |row: &Row| row.noise().map_or(UNKNOWN, |noise| 2.0 * noise);
    let noise = noise_of(before).max(noise_of(after)).max(FLOOR);
    let share = |bad: usize, count: usize| bad as f64 / count.max(1) as f64;
    let bad = |row: &Row| row.wrong_decisions.max(row.unconverged).max(row.off.unwrap_or(0));
    let verdict = if share(bad(after), new.count) > share(bad(before), old.count) {
        Verdict::LessRight
    } else if change > noise {
        Verdict::Slower
    } else if -change > noise / (1.0 + noise) {
        Verdict::Faster
    } else {
        Verdict::Same
    };
    Some((change, noise, verdict))
}

fn read(path: &Path) -> Result<Results, Failure> {
    let text = std::fs::read_to_string(path).map_err(|e| Failure::file(path, e))?;
    serde_json::from_str(&text)
        .map_err(|e| Failure::file(path, format!("no results.json of joint_sweep: {e}")))
}

/// What was measured, where and on what: runs that differ in one of these say nothing about each other's times. The sets
/// of pairs have circumstances of their own, under the names of the sets.
const SAME: [&str; 4] = ["machine", "pairs of the grasp", "random pairs", "times"];

/// What makes the times of two runs incomparable, one phrase each.
fn differences(old: &Results, new: &Results) -> Vec<String> {
    let sets = old.sections.iter().chain(&new.sections).flat_map(|section| &section.rows);
    let sets = sets.map(|row| row.representation.as_str());
    let names: BTreeSet<&str> = SAME.into_iter().chain(sets).collect();
    let value = |results: &Results, name: &str| {
        results
            .circumstances
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.clone())
    };
    let differs = |name: &&str| match (value(old, name), value(new, name)) {
        (Some(before), Some(after)) if before == after => None,
        (Some(before), Some(after)) => {
            Some(format!("{name} is `{before}` before and `{after}` after"))
        }
        (None, _) | (_, None) if *name == "machine" => Some("one does not name its machine".into()),
        // A set that is in one run only has no rows to compare.
        (None, _) | (_, None) => None,
    };
    names.iter().filter_map(differs).collect()
}

/// Prints the comparison; returns whether something became slower or less accurate.
pub(crate) fn run(before: &Path, after: &Path) -> Result<bool, Failure> {
    let (old, new) = (read(before)?, read(after)?);
    let differences = differences(&old, &new);
    if !differences.is_empty() {
        return Err(Failure::Incomparable(differences.join("; ")));
    }
    let mut table = Table::new(
        &["table", "set", "method", "verdict", "before µs", "after µs", "change", "noise"],
        4,
    );
    let mut worse = false;
    let mut matched = 0;
    for section in &new.sections {
        let earlier = old.sections.iter().find(|s| s.name == section.name);
        for row in &section.rows {
            let same = |r: &&Row| r.representation == row.representation && r.method == row.method;
            let Some(was) = earlier.and_then(|s| s.rows.iter().find(same)) else {
                continue;
            };
            matched += 1;
            // A method that was not run has no time.
            let (Some(old_mean), Some(new_mean)) = (was.mean(), row.mean()) else { continue };
            let (change, noise, verdict) = verdict(was, row).expect("both rows have times");
            worse |= matches!(verdict, Verdict::Slower | Verdict::LessRight);
            let words = match verdict {
                Verdict::Slower => "**slower**",
                Verdict::Faster => "faster",
                Verdict::Same => "same",
                Verdict::LessRight => "**less right**",
            };
            table.row(vec![
                section.name.clone(),
                row.representation.clone(),
                row.method.clone(),
                words.into(),
                short(old_mean),
                short(new_mean),
                format!("{:+.1} %", 100.0 * change),
                format!("{:.1} %", 100.0 * noise),
            ]);
        }
    }
    let mut text = table.markdown();
    text.push_str(&format!(
        "\nNoise is twice what the two halves of the louder run differ, and at least {:.0} %; of single sweeps and of runs \
         through a node, which do not tell, it is taken as {:.0} %.\n",
        100.0 * FLOOR,
        100.0 * UNKNOWN,
    ));
    let count = |r: &Results| r.sections.iter().map(|s| s.rows.len()).sum::<usize>();
    let alone = count(&old) + count(&new) - 2 * matched;
    if alone > 0 {
        text.push_str(&format!("{alone} rows are in one file only.\n"));
    }
    let verdict = if worse { "Something got slower or less right." } else { "Nothing got slower." };
    print(&format!("{text}\n{verdict}\n"))?;
    Ok(worse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::sweep::statistics::Summary;

    fn row(mean_nanos: u64, sweeps: &[f64], wrong: usize) -> Row {
        let micros = Summary::of_nanos(&vec![mean_nanos; 100]);
        let sweep_means = sweeps.to_vec();
        Row { micros, sweep_means, wrong_decisions: wrong, ..Row::missing("set", "m", "", None) }
    }

    #[test]
    fn slower_means_beyond_the_noise_of_both_runs() {
        let of = |a: &Row, b: &Row| verdict(a, b).unwrap().2;
        let quiet = row(1000, &[1.0, 1.01], 0);
        assert_eq!(of(&quiet, &row(1100, &[1.1, 1.11], 0)), Verdict::Slower);
        assert_eq!(of(&quiet, &row(1040, &[1.04, 1.05], 0)), Verdict::Same);
        assert_eq!(of(&quiet, &row(1100, &[1.1, 1.3], 0)), Verdict::Same, "a noisy run");
        let disturbed = row(1100, &[1.3, 1.1, 1.11, 9.0], 0);
        assert_eq!(of(&quiet, &disturbed), Verdict::Slower, "two sweeps were quiet");
        assert_eq!(of(&row(1100, &[1.1, 1.1], 0), &quiet), Verdict::Faster);
        assert_eq!(of(&quiet, &row(500, &[0.5], 1)), Verdict::LessRight);
        let [once, through_node] = [row(1400, &[1.4], 0), row(1400, &[], 0)];
        assert_eq!(of(&quiet, &once), Verdict::Same, "one sweep does not tell its noise");
        assert_eq!(of(&quiet, &through_node), Verdict::Same);
        assert_eq!(of(&quiet, &row(2100, &[2.1], 0)), Verdict::Slower);
        assert!(verdict(&quiet, &Row::missing("set", "m", "not installed", None)).is_none());
    }
}
