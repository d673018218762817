//! Cost against size as an SVG: both axes logarithmic, readable on light and on dark pages.

use std::fmt::Write;
use std::path::Path;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
/// Left, right, top and bottom of the area with the curves.
const AREA: [f64; 4] = [70.0, 510.0, 44.0, 386.0];
/// A grey with a contrast of at least 4 to both white and black.
const INK: &str = "#808080";
/// Colours that differ in lightness too, of Okabe and Ito, readable on both grounds.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// One curve.
pub struct Series {
    pub name: String,
    /// Size and cost, both positive.
    pub points: Vec<[f64; 2]>,
}

pub struct Plot<'a> {
    pub title: &'a str,
    pub x_label: &'a str,
    pub y_label: &'a str,
    pub series: &'a [Series],
}

/// A logarithmic axis from one end of the area to the other.
struct Axis {
    low: f64,
    high: f64,
    pixels: [f64; 2],
}

impl Axis {
    /// Ends at 1, 2 or 5 times a power of ten around the values.
    fn around(values: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Axis {
        let (mut low, mut high) = (f64::INFINITY, 0f64);
        values.for_each(|x| (low, high) = (low.min(x), high.max(x)));
        let round = |x: f64| ticks(x / 10.0, x * 10.0);
        let below =
            round(low).into_iter().filter(|t| *t <= low * 1.0001).fold(low / 10.0, f64::max);
        let above =
            round(high).into_iter().filter(|t| *t >= high * 0.9999).fold(high * 10.0, f64::min);
        Axis { low: below, high: above, pixels }
    }

    fn at(&self, x: f64) -> f64 {
        let share = (x / self.low).ln() / (self.high / self.low).ln();
        self.pixels[0] + share * (self.pixels[1] - self.pixels[0])
    }

    /// Powers of ten, or 1-2-5 steps where there are few of these.
    fn labels(&self) -> Vec<f64> {
        let all = ticks(self.low * 0.9999, self.high * 1.0001);
        let is_power = |t: &f64| (t.log10() - t.log10().round()).abs() < 1e-9;
        let powers: Vec<f64> = all.iter().copied().filter(is_power).collect();
        if powers.len() >= 4 { powers } else { all }
    }
}

/// 1, 2 and 5 times powers of ten in a range.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let all = decades.flat_map(|k| [1.0, 2.0, 5.0].map(|step| step * 10f64.powi(k)));
    all.filter(|t| (low..=high).contains(t)).collect()
}

/// Thousands set apart: 100 000.
fn label(value: f64) -> String {
    if value < 1.0 {
        return format!("{value}");
    }
    let digits = format!("{value:.0}");
    let mut out = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

impl Plot<'_> {
    pub fn write(&self, path: &Path) {
        std::fs::write(path, self.svg()).unwrap();
    }

    fn svg(&self) -> String {
        let all = || self.series.iter().flat_map(|series| &series.points);
        let x = Axis::around(all().map(|p| p[0]), [AREA[0], AREA[1]]);
        let y = Axis::around(all().map(|p| p[1]), [AREA[3], AREA[2]]);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"13\" fill=\"{INK}\">\n\
             <title>{}</title>\n\
             <text x=\"{}\" y=\"24\" font-size=\"16\">{}</text>\n",
            self.title, AREA[0], self.title
        );
        self.grid(&mut out, &x, &y);
        for (k, series) in self.series.iter().enumerate() {
            curve(&mut out, series, COLOURS[k % COLOURS.len()], k, &x, &y);
        }
        out.push_str("</svg>\n");
        out
    }

    fn grid(&self, out: &mut String, x: &Axis, y: &Axis) {
        let [left, right, top, bottom] = AREA;
        let line = |x1: f64, y1: f64, x2: f64, y2: f64| {
            format!(
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" \
                 stroke=\"{INK}\" stroke-opacity=\"0.35\"/>\n"
            )
        };
        for tick in x.labels() {
            let at = x.at(tick);
            let (low, text) = (bottom + 18.0, label(tick));
            *out += &line(at, top, at, bottom);
            let _ = writeln!(
                out,
                "<text x=\"{at:.1}\" y=\"{low}\" text-anchor=\"middle\">{text}</text>"
            );
        }
        for tick in y.labels() {
            let at = y.at(tick);
            let (beside, middle, text) = (left - 8.0, at + 4.5, label(tick));
            *out += &line(left, at, right, at);
            let _ = writeln!(
                out,
                "<text x=\"{beside}\" y=\"{middle:.1}\" text-anchor=\"end\">{text}</text>"
            );
        }
        let (middle_x, middle_y) = (0.5 * (left + right), 0.5 * (top + bottom));
        let _ = writeln!(
            out,
            "<text x=\"{middle_x}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(18 {middle_y}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            bottom + 42.0,
            self.x_label,
            self.y_label
        );
    }
}

/// A curve with its points and its line of the legend.
fn curve(out: &mut String, series: &Series, colour: &str, place: usize, x: &Axis, y: &Axis) {
    let at: Vec<String> =
        series.points.iter().map(|p| format!("{:.1},{:.1}", x.at(p[0]), y.at(p[1]))).collect();
    let line = at.join(" ");
    let _ = writeln!(
        out,
        "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
    );
    for point in &series.points {
        let (px, py) = (x.at(point[0]), y.at(point[1]));
        let _ =
            writeln!(out, "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3.5\" fill=\"{colour}\"/>");
    }
    let (left, row) = (AREA[1] + 18.0, AREA[2] + 14.0 + 24.0 * place as f64);
    let _ = writeln!(
        out,
        "<line x1=\"{left}\" y1=\"{row}\" x2=\"{}\" y2=\"{row}\" stroke=\"{colour}\" stroke-width=\"3\"/>\n\
         <text x=\"{}\" y=\"{}\">{}</text>",
        left + 20.0,
        left + 27.0,
        row + 4.5,
        series.name
    );
}
