//! The parts of a figure: axes, curves and boxes as SVG text, on a white ground of its own, so that it is readable on light
//! and on dark pages.

use std::fmt::Write;

/// Words, axes and what has no colour of its own.
pub(crate) const INK: &str = "#333333";

/// Whose numbers something shows: the same colour in every figure. Of Okabe and Ito, who chose them for eyes that do not
/// see all colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Ours,
    Meshes,
    ConvexMeshes,
    Thesis,
    Parry,
}

impl Family {
    pub fn colour(self) -> &'static str {
        match self {
            Family::Ours => "#0072b2",
            Family::Meshes => "#d55e00",
            Family::ConvexMeshes => "#b5508a",
            Family::Thesis => "#c98a00",
            Family::Parry => "#009e73",
        }
    }
}

/// A logarithmic axis between two pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogAxis {
    low: f64,
    high: f64,
    pixels: [f64; 2],
}

impl LogAxis {
    /// From a 1, 2 or 5 times a power of ten to another around the positive ones of the values.
    pub fn around(values: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Self {
        let (mut low, mut high) = (f64::INFINITY, 0f64);
        values
            .filter(|x| *x > 0.0 && x.is_finite())
            .for_each(|x| (low, high) = (low.min(x), high.max(x)));
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        let (low, high) = (round_down(low), round_up(high));
        // An axis without two powers of ten says little.
        let decade = |x: f64, round: fn(f64) -> f64| 10f64.powi(round(x.log10()) as i32);
        let powers = decade(high, f64::floor) / decade(low, f64::ceil);
        if powers > 9.0 {
            return Self { low, high, pixels };
        }
        let (low, high) = (decade(low, f64::floor), decade(high, f64::ceil));
        Self { low, high: if high > low { high } else { low * 10.0 }, pixels }
    }

    /// Where a value is; what lies outside is put on the edge.
    pub fn at(&self, value: f64) -> f64 {
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        self.pixels[0] + share.clamp(0.0, 1.0) * (self.pixels[1] - self.pixels[0])
    }

    /// The powers of ten on it.
    fn powers(&self) -> impl Iterator<Item = i32> + Clone + use<> {
        // Powers are not exact in binary.
        let [low, high] = [self.low.log10() - 1e-9, self.high.log10() + 1e-9];
        low.ceil() as i32..=high.floor() as i32
    }

    /// Powers of ten, every second or third when there are many, and what is written at them: plain numbers, or powers
    /// where one would be long.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let every = (self.powers().count() / 8 + 1) as i32;
        let all: Vec<i32> = self.powers().filter(|p| p.rem_euclid(every) == 0).collect();
        let plain = all.iter().all(|p| (-3..5).contains(p));
        let tick = |p: i32| {
            let value = 10f64.powi(p);
            (value, if plain { label(value) } else { power(p) })
        };
        all.into_iter().map(tick).collect()
    }

    /// Between the powers of ten, 2 to 9 times each, where there are few of them.
    pub fn minor_ticks(&self) -> Vec<f64> {
        let powers = self.powers();
        if powers.clone().count() > 6 {
            return Vec::new();
        }
        let (Some(first), Some(last)) = (powers.clone().min(), powers.max()) else {
            return Vec::new();
        };
        let all =
            (first - 1..=last).flat_map(|p| (2..10).map(move |k| f64::from(k) * 10f64.powi(p)));
        all.filter(|value| (self.low..=self.high).contains(value)).collect()
    }
}

/// 1, 2 or 5 times a power of ten, not above the value.
fn round_down(value: f64) -> f64 {
    let power = 10f64.powi(value.log10().floor() as i32);
    let steps = [5.0, 2.0].map(|step| step * power);
    steps.into_iter().find(|step| *step <= value).unwrap_or(power)
}

/// 1, 2 or 5 times a power of ten, not below the value.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powi(value.log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= value).unwrap_or(10.0 * power)
}

/// 10⁻⁹.
fn power(exponent: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => char::from_u32('⁰' as u32 + c as u32 - '0' as u32).expect("a digit has a superscript"),
    };
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}

/// 0.001, 1, 1 000.
fn label(value: f64) -> String {
    match value {
        v if v >= 10_000.0 => format!("{}\u{202f}{:03}", v as u64 / 1000, v as u64 % 1000),
        v => format!("{v}"),
    }
}

/// How the points of a curve look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Open squares on a wide pale line: another curve on top of it is seen.
    Square,
    Dot,
    /// No points, a plain line: curves of many points.
    Line,
    /// No points, a dashed line: what does not depend on the axis.
    None,
}

/// A picture that is being drawn.
pub(crate) struct Drawing {
    text: String,
}

impl Drawing {
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"DejaVu Sans, sans-serif\" font-size=\"13\" fill=\"{INK}\">\n\
             <title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"#ffffff\"/>\n"
        );
        let mut drawing = Self { text };
        drawing.words(20.0, 24.0, title, "start", 16);
        drawing
    }

    pub fn words(&mut self, x: f64, y: f64, words: &str, anchor: &str, size: u32) {
        let words = words.replace('&', "&amp;").replace('<', "&lt;");
        writeln!(
            self.text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{words}</text>"
        ).expect("a string takes any text");
    }

    /// Words that stand out.
    pub fn heading(&mut self, x: f64, y: f64, words: &str, anchor: &str) {
        writeln!(
            self.text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-weight=\"bold\">{words}</text>"
        ).expect("a string takes any text");
    }

    /// Words from below to above.
    pub fn upright(&mut self, x: f64, y: f64, words: &str) {
        writeln!(
            self.text,
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\">{words}</text>"
        ).expect("a string takes any text");
    }

    /// Small words from below to above that begin at a point.
    pub fn words_upward(&mut self, x: f64, y: f64, words: &str, size: u32) {
        writeln!(
            self.text,
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" font-size=\"{size}\">{words}</text>"
        )
        .expect("a string takes any text");
    }

    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], colour: &str, width: f64, opacity: f64) {
        let ([x1, y1], [x2, y2]) = (from, to);
        writeln!(
            self.text,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" \
             stroke-width=\"{width}\" stroke-opacity=\"{opacity}\"/>"
        )
        .expect("a string takes any text");
    }

    pub fn rectangle(&mut self, corner: [f64; 2], size: [f64; 2], colour: &str, opacity: f64) {
        let ([x, y], [w, h]) = (corner, size);
        writeln!(
            self.text,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"{colour}\" \
             fill-opacity=\"{opacity}\"/>"
        )
        .expect("a string takes any text");
    }

    /// A curve with its points.
    pub fn curve(&mut self, points: &[[f64; 2]], colour: &str, mark: Mark) {
        let at: Vec<String> = points.iter().map(|p| format!("{:.1},{:.1}", p[0], p[1])).collect();
        let look = match mark {
            Mark::Square => "stroke-width=\"6\" stroke-opacity=\"0.35\"",
            Mark::Dot | Mark::Line => "stroke-width=\"2\"",
            Mark::None => "stroke-width=\"2\" stroke-dasharray=\"6 4\"",
        };
        let line = at.join(" ");
        writeln!(
            self.text,
            "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" {look}/>"
        )
        .expect("a string takes any text");
        for [x, y] in points {
            match mark {
                Mark::Square => writeln!(
                    self.text,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"none\" stroke=\"{colour}\" \
                     stroke-width=\"2\"/>",
                    x - 5.0,
                    y - 5.0
                ),
                Mark::Dot => writeln!(
                    self.text,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
                ),
                Mark::Line | Mark::None => Ok(()),
            }
            .expect("a string takes any text");
        }
    }

    /// The lines of an axis from one side to the other, faint ones between.
    pub fn grid(&mut self, axis: &LogAxis, line: impl Fn(f64) -> [[f64; 2]; 2]) {
        for tick in axis.minor_ticks() {
            let [from, to] = line(axis.at(tick));
            self.line(from, to, INK, 1.0, 0.07);
        }
        for (tick, _) in axis.ticks() {
            let [from, to] = line(axis.at(tick));
            self.line(from, to, INK, 1.0, 0.3);
        }
    }

    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_close_to_what_they_show() {
        let axis = LogAxis::around([3.0, 450.0].into_iter(), [0.0, 300.0]);
        assert_eq!((axis.at(2.0), axis.at(500.0)), (0.0, 300.0));
        assert!((axis.at((2f64 * 500.0).sqrt()) - 150.0).abs() < 1e-9);
        assert_eq!(axis.ticks(), [(10.0, "10".to_string()), (100.0, "100".to_string())]);
        let minor = axis.minor_ticks();
        assert_eq!((minor[0], minor.len()), (2.0, 8 + 8 + 4));
        // Exact powers of ten are ends themselves; two of them are shown at least.
        let axis = LogAxis::around([10.0, 10_000.0].into_iter(), [0.0, 300.0]);
        assert_eq!((axis.at(10.0), axis.ticks().len()), (0.0, 4));
        let axis = LogAxis::around([30.0, 40.0].into_iter(), [0.0, 300.0]);
        assert_eq!((axis.at(10.0), axis.at(100.0)), (0.0, 300.0));
        assert_eq!(LogAxis::around([1.0].into_iter(), [0.0, 1.0]).ticks().len(), 2);
        assert_eq!(LogAxis::around([].into_iter(), [0.0, 1.0]).ticks().len(), 2);
    }

    #[test]
    fn labels_are_short_and_of_one_kind() {
        let labels = [0.001, 1.0, 1000.0, 10_000.0].map(label);
        assert_eq!(labels, ["0.001", "1", "1000", "10\u{202f}000"]);
        let axis = LogAxis::around([1e-11, 0.2].into_iter(), [0.0, 300.0]);
        let labels: Vec<String> = axis.ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!(labels, ["10⁻¹⁰", "10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²"]);
    }
}
