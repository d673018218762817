//! The two figures: times of single queries, and time and error against the resolution of a mesh.

use super::failure::Failure;
use super::svg::{Drawing, Family, INK, LogAxis, Mark};
use crate::command_line::table::short;

/// The times of one method, in nanoseconds.
pub(crate) struct Distribution {
    /// The representation it is about.
    pub group: String,
    pub name: String,
    pub nanos: Vec<u64>,
    pub family: Family,
}

const WIDTH: f64 = 860.0;

/// Times of single queries as boxes: whiskers from 1 % to 99 %, boxes from 25 % to 75 %, a line at the median, a cross at
/// the mean, which is also written. Consecutive methods of one representation form a group.
pub(crate) fn distributions(title: &str, all: &[Distribution]) -> String {
    const ROW: f64 = 24.0;
    let (left, right, top) = (292.0, WIDTH - 76.0, 76.0);
    let groups: Vec<&[Distribution]> = all.chunk_by(|a, b| a.group == b.group).collect();
    let bottom = top + ROW * (all.len() + groups.len()) as f64 + 6.0;
    let mut drawing = Drawing::new(WIDTH, bottom + 76.0, title);
    legend(&mut drawing, all, 50.0);
    drawing.words(WIDTH - 20.0, top - 8.0, "mean µs", "end", 12);
    let micros = |n: f64| n / 1000.0;
    let axis = LogAxis::around(
        all.iter().flat_map(|d| {
            let sorted = sorted(&d.nanos);
            [quantile(&sorted, 0.01), quantile(&sorted, 0.99)].map(micros)
        }),
        [left, right],
    );
    drawing.grid(&axis, |x| [[x, top], [x, bottom]]);
    for (tick, label) in axis.ticks() {
        drawing.words(axis.at(tick), bottom + 18.0, &label, "middle", 13);
    }
    let mut y = top - ROW * 0.5;
    for group in groups {
        y += ROW;
        drawing.heading(20.0, y + 4.5, &group[0].group, "start");
        drawing.line([20.0, y + 10.0], [WIDTH - 20.0, y + 10.0], INK, 1.0, 0.3);
        for distribution in group {
            y += ROW;
            drawing.words(left - 12.0, y + 4.5, &distribution.name, "end", 13);
            let sorted = sorted(&distribution.nanos);
            let at = |share: f64| axis.at(micros(quantile(&sorted, share)));
            let ends = [0.01, 0.25, 0.5, 0.75, 0.99].map(at);
            let mean = sorted.iter().sum::<u64>() as f64 / sorted.len().max(1) as f64;
            boxed(&mut drawing, y, ends, axis.at(micros(mean)), distribution.family.colour());
            drawing.words(WIDTH - 20.0, y + 4.5, &short(micros(mean)), "end", 13);
        }
    }
    let middle = (left + right) / 2.0;
    drawing.words(middle, bottom + 40.0, "µs per query, logarithmic", "middle", 13);
    let reading = "whiskers: 1 % and 99 %; box: 25 % to 75 %; line: median; cross: mean";
    drawing.words(middle, bottom + 62.0, reading, "middle", 12);
    drawing.finish()
}

/// One box with whiskers and the cross at the mean.
fn boxed(drawing: &mut Drawing, y: f64, ends: [f64; 5], mean: f64, colour: &str) {
    let [least, quarter, median, three_quarters, most] = ends;
    drawing.line([least, y], [most, y], colour, 1.5, 1.0);
    for end in [least, most] {
        drawing.line([end, y - 5.0], [end, y + 5.0], colour, 1.5, 1.0);
    }
    let size = [(three_quarters - quarter).max(1.0), 14.0];
    drawing.rectangle([quarter, y - 7.0], size, colour, 0.45);
    drawing.line([median, y - 7.0], [median, y + 7.0], colour, 2.5, 1.0);
    drawing.line([mean - 4.0, y - 4.0], [mean + 4.0, y + 4.0], INK, 1.5, 1.0);
    drawing.line([mean - 4.0, y + 4.0], [mean + 4.0, y - 4.0], INK, 1.5, 1.0);
}

/// The legend of the colours in use.
fn legend(drawing: &mut Drawing, all: &[Distribution], y: f64) {
    let words = [
        (Family::Meshes, "mesh libraries"),
        (Family::Thesis, "solvers of the papers"),
        (Family::Parry, "Parry, smooth surfaces"),
        (Family::Ours, "ours"),
    ];
    let mut x = 20.0;
    for (family, words) in words {
        if all.iter().any(|d| d.family == family) {
            drawing.rectangle([x, y - 10.0], [14.0, 12.0], family.colour(), 0.8);
            drawing.words(x + 20.0, y, words, "start", 13);
            x += 52.0 + 7.6 * words.len() as f64;
        }
    }
}

fn sorted(nanos: &[u64]) -> Vec<u64> {
    let mut sorted = nanos.to_vec();
    sorted.sort_unstable();
    sorted
}

fn quantile(sorted: &[u64], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or(0) as f64
}

/// One method against the number of vertices; a smooth method has the same value at all of them.
pub(crate) struct Curve {
    pub name: String,
    /// Vertices, mean µs, mean error in metres.
    pub points: Vec<(f64, f64, Option<f64>)>,
    pub family: Family,
    /// Of how many pairs the method converged, and the mean error of those; `None` for libraries, which do not say.
    pub converged: Option<(usize, Option<f64>)>,
}

impl Curve {
    /// Libraries on the same meshes have the same error: different marks keep both visible. Smooth methods have no points.
    fn mark(&self) -> Mark {
        match self.family {
            Family::Meshes => Mark::Square,
            Family::ConvexMeshes => Mark::Dot,
            _ => Mark::None,
        }
    }
}

/// Time and error against the resolution, in two panels.
pub(crate) fn resolution(title: &str, curves: &[&Curve]) -> String {
    let (top, bottom) = (72.0, 372.0);
    let legend_rows = curves.len().div_ceil(2) as f64;
    let mut drawing = Drawing::new(WIDTH, bottom + 62.0 + 22.0 * legend_rows, title);
    let vertices = || curves.iter().flat_map(|c| c.points.iter().map(|p| p.0));
    let panels =
        [("Time", "mean µs per query", [78.0, 398.0]), ("Error", "mean error, m", [506.0, 826.0])];
    for (panel, (heading, words, [left, right])) in panels.into_iter().enumerate() {
        let value = |p: &(f64, f64, Option<f64>)| if panel == 0 { Some(p.1) } else { p.2 };
        let x = LogAxis::around(vertices(), [left, right]);
        // A margin between points and edges.
        let values = curves.iter().flat_map(|c| c.points.iter().filter_map(value));
        let y = LogAxis::around(values.flat_map(|v| [v / 1.3, v * 1.3]), [bottom, top]);
        drawing.grid(&x, |x| [[x, top], [x, bottom]]);
        drawing.grid(&y, |y| [[left, y], [right, y]]);
        for (from, to) in [([left, top], [left, bottom]), ([left, bottom], [right, bottom])] {
            drawing.line(from, to, INK, 1.0, 1.0);
        }
        for (tick, label) in x.ticks() {
            drawing.words(x.at(tick), bottom + 18.0, &label, "middle", 13);
        }
        for (tick, label) in y.ticks() {
            drawing.words(left - 8.0, y.at(tick) + 4.5, &label, "end", 13);
        }
        drawing.heading((left + right) / 2.0, top - 12.0, heading, "middle");
        drawing.words((left + right) / 2.0, bottom + 38.0, "vertices of a mesh", "middle", 13);
        drawing.upright(left - 52.0, (top + bottom) / 2.0, words);
        for curve in curves {
            let points: Vec<[f64; 2]> = curve
                .points
                .iter()
                .filter_map(|p| value(p).map(|v| [x.at(p.0), y.at(v.max(1e-300))]))
                .collect();
            drawing.curve(&points, curve.family.colour(), curve.mark());
        }
    }
    for (k, curve) in curves.iter().enumerate() {
        let (x, y) = (78.0 + 400.0 * (k % 2) as f64, bottom + 66.0 + 22.0 * (k / 2) as f64);
        let line = [[x, y], [x + 16.0, y], [x + 32.0, y]];
        let line = if curve.mark() == Mark::None { &line[..] } else { &line[1..2] };
        drawing.line([x, y], [x + 32.0, y], curve.family.colour(), 2.0, 0.35);
        drawing.curve(line, curve.family.colour(), curve.mark());
        drawing.words(x + 42.0, y + 4.5, &curve.name, "start", 13);
    }
    drawing.finish()
}

/// The figure as pixels, on white; `None` in a build that cannot draw.
#[cfg(feature = "peers")]
pub(crate) fn png(svg: &str) -> Result<Option<Vec<u8>>, Failure> {
    use resvg::{tiny_skia, usvg};
    let other = |error: &dyn std::error::Error| Failure::Other(format!("PNG: {error}"));
    let mut options = usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    options.font_family = "DejaVu Sans".into();
    let tree = usvg::Tree::from_str(svg, &options).map_err(|e| other(&e))?;
    let size = tree.size().to_int_size();
    let mut picture = tiny_skia::Pixmap::new(size.width() * 2, size.height() * 2)
        .ok_or_else(|| Failure::Other("PNG: the figure has no size".into()))?;
    picture.fill(tiny_skia::Color::WHITE);
    resvg::render(&tree, tiny_skia::Transform::from_scale(2.0, 2.0), &mut picture.as_mut());
    picture.encode_png().map(Some).map_err(|e| other(&e))
}

/// Without the feature `peers` there is no PNG.
#[cfg(not(feature = "peers"))]
pub(crate) fn png(_: &str) -> Result<Option<Vec<u8>>, Failure> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::sweep::methods;
    use crate::command_line::sweep::peer_files::{COAL_DISTANCE, FCL_DISTANCE, LIBRARIES};

    /// Left and right end of every level text, with letters as wide as those of DejaVu Sans are at most on average.
    fn texts(svg: &str) -> Vec<(String, [f64; 2])> {
        let whole = roxmltree::Document::parse(svg).unwrap();
        let words = whole.descendants().filter(|node| node.has_tag_name("text"));
        let level = words.filter(|node| node.has_attribute("x"));
        let of = |node: roxmltree::Node| {
            let number =
                |name: &str| node.attribute(name).and_then(|text| text.parse::<f64>().ok());
            let text = node.text().unwrap_or_default().to_string();
            let width = 0.57 * number("font-size").unwrap_or(13.0) * text.chars().count() as f64;
            let left = match node.attribute("text-anchor") {
                Some("end") => number("x").unwrap() - width,
                Some("middle") => number("x").unwrap() - width / 2.0,
                _ => number("x").unwrap(),
            };
            (text, [left, left + width])
        };
        level.map(of).collect()
    }

    #[test]
    fn words_stay_within_the_figure_of_times_and_do_not_run_into_the_boxes() {
        let mut all = Vec::new();
        let mut add = |group: &str, name: &str, family| {
            let (group, name) = (group.to_string(), name.to_string());
            all.push(Distribution { group, name, nanos: vec![610, 1_900_000], family });
        };
        for (_, methods) in LIBRARIES {
            methods.iter().for_each(|(_, name)| add("meshes", name, Family::Meshes));
        }
        let parametric = "parametric, analytic Jacobian";
        for (name, family) in [
            (parametric, Family::Thesis),
            ("Parry GJK/EPA", Family::Parry),
            (methods::CERTIFIED, Family::Ours),
        ] {
            add("superellipsoids", name, family);
        }
        let svg = distributions("Times of single queries, intersecting pairs of the grasp", &all);
        for (text, [left, right]) in texts(&svg) {
            assert!(left >= 0.0 && right <= WIDTH, "{text}: {left} to {right}");
        }
        // Each group has its heading once, each family its place in the legend.
        assert_eq!(
            (svg.matches(">meshes<").count(), svg.matches(">superellipsoids<").count()),
            (1, 1)
        );
        for words in ["mesh libraries", "solvers of the papers", "Parry, smooth surfaces", "ours"] {
            assert!(svg.contains(&format!(">{words}<")), "{words}");
        }
    }

    #[test]
    fn curves_of_equal_error_are_both_seen_and_words_stay_within_their_figure() {
        let points = vec![(18.0, 61.0, Some(0.2)), (10_000.0, 700.0, Some(3.5e-4))];
        let curve = |name: &str, family| Curve {
            name: name.into(),
            points: points.clone(),
            family,
            converged: None,
        };
        let smooth = "parametric solver of the thesis, smooth surface";
        let mut curves = [
            curve(FCL_DISTANCE, Family::Meshes),
            curve(COAL_DISTANCE, Family::ConvexMeshes),
            curve(smooth, Family::Thesis),
            curve("ours, smooth surface", Family::Ours),
        ];
        curves[3].points.iter_mut().for_each(|point| point.2 = Some(9e-12));
        let all: Vec<&Curve> = curves.iter().collect();
        let svg = resolution("Time and error against the resolution of a mesh", &all);
        for (text, [left, right]) in texts(&svg) {
            assert!(left >= 0.0 && right <= WIDTH, "{text}: {left} to {right}");
        }
        // In both panels and in the legend.
        assert_eq!(svg.matches("<circle").count(), 2 * 2 + 1, "points of the convex meshes");
        assert_eq!(svg.matches("width=\"10\" height=\"10\"").count(), 2 * 2 + 1);
        assert_eq!(svg.matches("stroke-dasharray").count(), 2 * 2 + 2, "smooth ones are dashed");
        // An error of zero, as of a closed form, is drawn at the edge.
        curves[3].points.iter_mut().for_each(|point| point.2 = Some(0.0));
        let all: Vec<&Curve> = curves.iter().collect();
        assert!(!resolution("none", &all).contains("NaN"));
    }
}
