//! Figure 5 of the closed-form contact space paper: times of the methods on each combination of shapes as bars.

use super::results::Row;
use super::svg::{Drawing, INK};
use crate::command_line::table::short;

const WIDTH: f64 = 860.0;
/// Bars end here, as in the paper, in microseconds.
const TRIMMED: f64 = 100.0;
/// The methods that are drawn, each with its colour, of Okabe and Ito; those of the paper in its order, then ours.
const BARS: [(&str, &str); 8] = [
    (super::peer_files::IPOPT_IMPLICIT, "#999999"),
    (super::peer_files::FCL_DISTANCE, "#d55e00"),
    ("CN-LS", "#e69f00"),
    ("CN-FP", "#b8ab00"),
    ("CFC-Dist-LS", "#009e73"),
    ("CFC-CN-LS", "#56b4e9"),
    ("CFC-CN-FP", "#cc79a7"),
    (super::methods::DEPTH, "#0072b2"),
];

/// Mean times with their standard deviation. Longer ones than [`TRIMMED`] are cut off, with the number above.
pub(crate) fn query_times(title: &str, rows: &[Row]) -> String {
    let (left, right, top, bottom) = (64.0, WIDTH - 20.0, 92.0, 392.0);
    let mut drawing = Drawing::new(WIDTH, bottom + 112.0, title);
    let y = |micros: f64| bottom - (bottom - top) * micros.min(TRIMMED) / TRIMMED;
    for tick in (0..=5).map(|k| 20.0 * f64::from(k)) {
        drawing.line([left, y(tick)], [right, y(tick)], INK, 1.0, 0.2);
        drawing.words(left - 8.0, y(tick) + 4.5, &format!("{tick:.0}"), "end", 13);
    }
    drawing.upright(left - 42.0, (top + bottom) / 2.0, "mean µs per query");
    let groups: Vec<&[Row]> = rows.chunk_by(|a, b| a.representation == b.representation).collect();
    let group_width = (right - left) / groups.len().max(1) as f64;
    let bar = group_width / (BARS.len() as f64 + 2.0);
    for (place, group) in groups.into_iter().enumerate() {
        let start = left + group_width * place as f64;
        let middle = start + group_width / 2.0;
        drawing.heading(middle, bottom + 20.0, &group[0].representation, "middle");
        for (k, (name, colour)) in BARS.into_iter().enumerate() {
            let Some(times) = group.iter().find(|r| r.method == name).and_then(|r| r.micros) else {
                continue;
            };
            let x = start + bar * (k as f64 + 1.0);
            let height = (bottom - y(times.mean)).max(1.0);
            drawing.rectangle([x, bottom - height], [bar * 0.86, height], colour, 0.9);
            let centre = x + bar * 0.43;
            if times.mean > TRIMMED {
                drawing.words_upward(centre + 4.0, top - 6.0, &short(times.mean), 11);
                continue;
            }
            let ends = [times.mean - times.sigma, times.mean + times.sigma].map(|t| y(t.max(0.0)));
            drawing.line([centre, ends[0]], [centre, ends[1]], INK, 1.2, 1.0);
            for end in ends {
                drawing.line([centre - 2.5, end], [centre + 2.5, end], INK, 1.2, 1.0);
            }
        }
    }
    for (k, (name, colour)) in BARS.into_iter().enumerate() {
        let (x, y) = (left + 200.0 * (k % 4) as f64, bottom + 52.0 + 24.0 * (k / 4) as f64);
        drawing.rectangle([x, y - 10.0], [14.0, 12.0], colour, 0.9);
        drawing.words(x + 20.0, y, name, "start", 13);
    }
    let reading = "black lines: standard deviation; bars above 100 µs are cut off";
    drawing.words((left + right) / 2.0, bottom + 100.0, reading, "middle", 12);
    drawing.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::sweep::statistics::Summary;

    #[test]
    fn every_method_has_a_bar_in_every_group_and_long_ones_are_cut_off_with_their_number() {
        let mut rows = Vec::new();
        for pair in ["E-E", "SQ-SQ"] {
            for (k, (method, _)) in BARS.into_iter().enumerate() {
                let mut row = Row::missing(pair, method, "", None);
                let nanos = if k == 0 { 7_530_000 } else { 1000 * k as u64 };
                row.micros = Summary::of_nanos(&[nanos, 2 * nanos]);
                rows.push(row);
            }
        }
        let svg = query_times("Times", &rows);
        for (_, colour) in BARS {
            // Two groups and the legend.
            assert_eq!(svg.matches(colour).count(), 3, "{colour}");
        }
        assert_eq!(svg.matches(">11295<").count(), 2, "the mean of 7530 and 15060");
        for (name, _) in BARS {
            assert!(svg.contains(&format!(">{name}<")), "{name}");
        }
        assert!(!svg.contains("NaN"));
        // What was not run has no bar.
        rows.retain(|row| row.method != "CN-LS");
        assert_eq!(query_times("Times", &rows).matches("#e69f00").count(), 1);
    }
}
