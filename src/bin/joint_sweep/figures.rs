//! The two figures: times of single queries, and time and error against the resolution of a mesh.

use crate::svg::{COLOURS, Drawing, INK, LogAxis, label};

/// The times of one method, in nanoseconds.
pub(crate) struct Distribution {
    pub name: String,
    pub nanos: Vec<u64>,
    /// Which colour.
    pub family: usize,
}

const WIDTH: f64 = 860.0;

/// Times of single queries as boxes: whiskers from 1 % to 99 %, boxes from 25 % to 75 %, a line at the median, a cross at
/// the mean.
pub(crate) fn distributions(title: &str, all: &[Distribution]) -> String {
    const ROW: f64 = 26.0;
    let (left, right, top) = (330.0, WIDTH - 30.0, 44.0);
    let bottom = top + ROW * all.len() as f64 + 8.0;
    let mut drawing = Drawing::new(WIDTH, bottom + 52.0, title);
    let micros = |n: f64| n / 1000.0;
    let axis = LogAxis::around(
        all.iter().flat_map(|d| {
            let sorted = sorted(&d.nanos);
            [quantile(&sorted, 0.01), quantile(&sorted, 0.99)].map(micros)
        }),
        [left, right],
    );
    for tick in axis.ticks() {
        drawing.line([axis.at(tick), top], [axis.at(tick), bottom], INK, 1.0, 0.35);
        drawing.words(axis.at(tick), bottom + 18.0, &label(tick), "middle", 13);
    }
    for (row, distribution) in all.iter().enumerate() {
        let y = top + ROW * (row as f64 + 0.5);
        let sorted = sorted(&distribution.nanos);
        let at = |share: f64| axis.at(micros(quantile(&sorted, share)));
        let colour = COLOURS[distribution.family % COLOURS.len()];
        drawing.words(left - 12.0, y + 4.5, &distribution.name, "end", 13);
        drawing.line([at(0.01), y], [at(0.99), y], colour, 1.5, 1.0);
        for end in [0.01, 0.99] {
            drawing.line([at(end), y - 5.0], [at(end), y + 5.0], colour, 1.5, 1.0);
        }
        drawing.rectangle(
            [at(0.25), y - 7.0],
            [(at(0.75) - at(0.25)).max(1.0), 14.0],
            colour,
            0.45,
        );
        drawing.line([at(0.5), y - 7.0], [at(0.5), y + 7.0], colour, 2.5, 1.0);
        let mean = distribution.nanos.iter().sum::<u64>() as f64 / sorted.len().max(1) as f64;
        let mean = axis.at(micros(mean));
        drawing.line([mean - 4.0, y - 4.0], [mean + 4.0, y + 4.0], INK, 1.5, 1.0);
        drawing.line([mean - 4.0, y + 4.0], [mean + 4.0, y - 4.0], INK, 1.5, 1.0);
    }
    let legend = "µs per query; whiskers 1 % and 99 %, box 25 % to 75 %, line: median, cross: mean";
    drawing.words((left + right) / 2.0, bottom + 42.0, legend, "middle", 13);
    drawing.finish()
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
    /// Whether it knows no mesh.
    pub smooth: bool,
}

/// Time and error against the resolution, side by side.
pub(crate) fn resolution(title: &str, curves: &[Curve]) -> String {
    let (top, bottom) = (50.0, 350.0);
    let legend_rows = curves.len().div_ceil(2) as f64;
    let mut drawing = Drawing::new(WIDTH, bottom + 66.0 + 22.0 * legend_rows, title);
    let vertices = || curves.iter().flat_map(|c| c.points.iter().map(|p| p.0));
    let panels = [("µs per query", [78.0, 400.0]), ("mean error, m", [508.0, 830.0])];
    for (panel, (words, [left, right])) in panels.into_iter().enumerate() {
        let value = |p: &(f64, f64, Option<f64>)| if panel == 0 { Some(p.1) } else { p.2 };
        let x = LogAxis::around(vertices(), [left, right]);
        let y = LogAxis::around(
            curves.iter().flat_map(|c| c.points.iter().filter_map(value)),
            [bottom, top],
        );
        for tick in x.ticks() {
            drawing.line([x.at(tick), top], [x.at(tick), bottom], INK, 1.0, 0.35);
            drawing.words(x.at(tick), bottom + 18.0, &label(tick), "middle", 13);
        }
        for tick in y.ticks() {
            drawing.line([left, y.at(tick)], [right, y.at(tick)], INK, 1.0, 0.35);
            drawing.words(left - 8.0, y.at(tick) + 4.5, &label(tick), "end", 13);
        }
        drawing.words((left + right) / 2.0, bottom + 40.0, "vertices of a mesh", "middle", 13);
        drawing.upright(left - 56.0, (top + bottom) / 2.0, words);
        for (k, curve) in curves.iter().enumerate() {
            let points: Vec<[f64; 2]> = curve
                .points
                .iter()
                .filter_map(|p| value(p).map(|v| [x.at(p.0), y.at(v.max(1e-300))]))
                .collect();
            // The first is wide: two libraries on the same meshes have the same error, and both shall be seen.
            let width = if k == 0 { 6.0 } else { 2.0 };
            drawing.curve(&points, COLOURS[k % COLOURS.len()], width, curve.smooth);
        }
    }
    for (k, curve) in curves.iter().enumerate() {
        let (x, y) = (78.0 + 400.0 * (k % 2) as f64, bottom + 66.0 + 22.0 * (k / 2) as f64);
        drawing.line([x, y], [x + 24.0, y], COLOURS[k % COLOURS.len()], 3.0, 1.0);
        drawing.words(x + 32.0, y + 4.5, &curve.name, "start", 13);
    }
    drawing.finish()
}

/// The figure as pixels, on white; `None` when it cannot be drawn or this build cannot draw.
#[cfg(feature = "peers")]
pub(crate) fn png(svg: &str) -> Option<Vec<u8>> {
    use resvg::{tiny_skia, usvg};
    let mut options = usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    options.font_family = "DejaVu Sans".into();
    let tree = usvg::Tree::from_str(svg, &options).ok()?;
    let size = tree.size().to_int_size();
    let mut picture = tiny_skia::Pixmap::new(size.width() * 2, size.height() * 2)?;
    picture.fill(tiny_skia::Color::WHITE);
    resvg::render(&tree, tiny_skia::Transform::from_scale(2.0, 2.0), &mut picture.as_mut());
    picture.encode_png().ok()
}

/// Without the feature no pixels are drawn.
#[cfg(not(feature = "peers"))]
pub(crate) fn png(_: &str) -> Option<Vec<u8>> {
    None
}
