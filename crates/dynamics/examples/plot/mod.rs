//! Curves over a common axis, one panel below the other, as SVG text on a white ground.

use std::fmt::Write;

/// One curve.
pub struct Curve {
    /// Its name.
    pub name: &'static str,
    /// Its colour.
    pub colour: &'static str,
    /// Places along the axis and values.
    pub points: Vec<[f64; 2]>,
}

/// Curves with one scale.
pub struct Panel {
    /// What is shown, with its unit.
    pub label: &'static str,
    /// The curves.
    pub curves: Vec<Curve>,
}

const WIDTH: f64 = 760.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 740.0;
const HEIGHT: f64 = 190.0;
const GAP: f64 = 34.0;
const TOP: f64 = 40.0;

/// The panels below each other.
pub fn svg(title: &str, axis: &str, panels: &[Panel]) -> String {
    let all = panels.iter().flat_map(|panel| &panel.curves).flat_map(|curve| &curve.points);
    let [first, last] = range(all.map(|point| point[0]));
    let x = |value: f64| LEFT + (RIGHT - LEFT) * (value - first) / (last - first);
    let bottom = TOP + panels.len() as f64 * (HEIGHT + GAP);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {h}\" width=\"{WIDTH}\" height=\"{h}\" \
         font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        h = bottom + 30.0
    );
    words(&mut text, 0.5 * WIDTH, 22.0, "middle", title);
    for (k, panel) in panels.iter().enumerate() {
        let top = TOP + k as f64 * (HEIGHT + GAP) + GAP;
        let values = panel.curves.iter().flat_map(|curve| &curve.points).map(|point| point[1]);
        let [low, high] = range(values);
        let step = step_of(high - low);
        let [low, high] = [(low / step).floor() * step, (high / step).ceil() * step];
        let y = |value: f64| top + (HEIGHT - GAP) * (high - value) / (high - low);
        for k in 0..=((high - low) / step).round() as u32 {
            let value = low + f64::from(k) * step;
            line(&mut text, [LEFT, y(value)], [RIGHT, y(value)]);
            words(&mut text, LEFT - 6.0, y(value) + 4.0, "end", &label(value, step));
        }
        let across = step_of(last - first);
        for k in (first / across).ceil() as i32..=(last / across).floor() as i32 {
            let value = f64::from(k) * across;
            line(&mut text, [x(value), y(low)], [x(value), y(high)]);
            words(&mut text, x(value), y(low) + 15.0, "middle", &label(value, across));
        }
        let middle = top + 0.5 * (HEIGHT - GAP);
        writeln!(
            text,
            "<text x=\"20\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 20 {middle:.1})\">{}</text>",
            panel.label
        )
        .expect("text grows");
        let mut at = LEFT;
        for curve in &panel.curves {
            let points: Vec<String> =
                curve.points.iter().map(|p| format!("{:.1},{:.1}", x(p[0]), y(p[1]))).collect();
            writeln!(
                text,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n\
                 <rect x=\"{at:.1}\" y=\"{:.1}\" width=\"18\" height=\"3\" fill=\"{}\"/>",
                points.join(" "),
                curve.colour,
                top - 12.0,
                curve.colour
            )
            .expect("text grows");
            words(&mut text, at + 24.0, top - 7.0, "start", curve.name);
            at += 50.0 + 7.0 * curve.name.len() as f64;
        }
    }
    words(&mut text, 0.5 * (LEFT + RIGHT), bottom + 18.0, "middle", axis);
    text + "</svg>\n"
}

fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let found =
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
    if found[0] < found[1] { found } else { [0.0, 1.0] }
}

/// 1, 2 or 5 times a power of ten that cuts a range into at most seven.
fn step_of(range: f64) -> f64 {
    let power = 10f64.powf((range / 5.0).log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|step| step * power);
    steps.into_iter().find(|step| range / step <= 7.0).unwrap_or(10.0 * power)
}

fn label(value: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.digits$}")
}

fn line(text: &mut String, [x0, y0]: [f64; 2], [x1, y1]: [f64; 2]) {
    writeln!(
        text,
        "<path d=\"M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}\" stroke=\"#333\" stroke-opacity=\"0.15\"/>"
    )
    .expect("text grows");
}

fn words(text: &mut String, x: f64, y: f64, anchor: &str, what: &str) {
    writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{what}</text>")
        .expect("text grows");
}
