//! The parts of a figure: axes, curves and boxes as SVG text, readable on light and on dark pages.

use std::fmt::Write;

/// A grey with a contrast of at least 4 to both white and black.
pub(crate) const INK: &str = "#808080";
/// Colours that differ in lightness too, of Okabe and Ito, readable on both grounds.
pub(crate) const COLOURS: [&str; 6] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// A logarithmic axis between two pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogAxis {
    low: f64,
    high: f64,
    pixels: [f64; 2],
}

impl LogAxis {
    /// From power of ten to power of ten around the positive ones of the values.
    pub fn around(values: impl Iterator<Item = f64>, pixels: [f64; 2]) -> Self {
        let (mut low, mut high) = (f64::INFINITY, 0f64);
        values
            .filter(|x| *x > 0.0 && x.is_finite())
            .for_each(|x| (low, high) = (low.min(x), high.max(x)));
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        let (low, mut high) = (low.log10().floor(), high.log10().ceil());
        if high <= low {
            high = low + 1.0;
        }
        Self { low: 10f64.powf(low), high: 10f64.powf(high), pixels }
    }

    /// Where a value is; what lies outside is put on the edge.
    pub fn at(&self, value: f64) -> f64 {
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        self.pixels[0] + share.clamp(0.0, 1.0) * (self.pixels[1] - self.pixels[0])
    }

    /// Powers of ten, every second or third when there are many.
    pub fn ticks(&self) -> Vec<f64> {
        let powers = self.low.log10().round() as i32..=self.high.log10().round() as i32;
        let every = (powers.clone().count() / 8 + 1) as i32;
        powers.filter(|p| p.rem_euclid(every) == 0).map(|p| 10f64.powi(p)).collect()
    }
}

/// 0.001, 1, 1 000; powers of ten beyond that.
pub(crate) fn label(value: f64) -> String {
    match value {
        v if !(1e-3..1e5).contains(&v) => {
            let digits = format!("{}", v.log10().round() as i32);
            let raised = |c: char| match c {
                '-' => '⁻',
                '1' => '¹',
                '2' => '²',
                '3' => '³',
                c => char::from_u32('⁰' as u32 + c as u32 - '0' as u32).unwrap_or(c),
            };
            format!("10{}", digits.chars().map(raised).collect::<String>())
        }
        v if v >= 10_000.0 => format!("{}\u{202f}{:03}", v as u64 / 1000, v as u64 % 1000),
        v => format!("{v}"),
    }
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
             <title>{title}</title>\n"
        );
        let mut drawing = Self { text };
        drawing.words(20.0, 24.0, title, "start", 16);
        drawing
    }

    pub fn words(&mut self, x: f64, y: f64, words: &str, anchor: &str, size: u32) {
        let words = words.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\">{words}</text>"
        );
    }

    /// Words from below to above.
    pub fn upright(&mut self, x: f64, y: f64, words: &str) {
        let _ = writeln!(
            self.text,
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\">{words}</text>"
        );
    }

    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], colour: &str, width: f64, opacity: f64) {
        let ([x1, y1], [x2, y2]) = (from, to);
        let _ = writeln!(
            self.text,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\" \
             stroke-width=\"{width}\" stroke-opacity=\"{opacity}\"/>"
        );
    }

    pub fn rectangle(&mut self, corner: [f64; 2], size: [f64; 2], colour: &str, opacity: f64) {
        let ([x, y], [w, h]) = (corner, size);
        let _ = writeln!(
            self.text,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"{colour}\" \
             fill-opacity=\"{opacity}\"/>"
        );
    }

    /// A curve with its points.
    pub fn curve(&mut self, points: &[[f64; 2]], colour: &str, width: f64, dashed: bool) {
        let at: Vec<String> = points.iter().map(|p| format!("{:.1},{:.1}", p[0], p[1])).collect();
        let dash = if dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        let line = at.join(" ");
        let _ = writeln!(
            self.text,
            "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dash}/>"
        );
        for [x, y] in points {
            let _ = writeln!(
                self.text,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
            );
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
    fn axes_end_at_powers_of_ten() {
        let axis = LogAxis::around([3.0, 450.0].into_iter(), [0.0, 300.0]);
        assert_eq!((axis.at(1.0), axis.at(1000.0)), (0.0, 300.0));
        assert!((axis.at(10.0) - 100.0).abs() < 1e-9);
        assert_eq!(axis.ticks(), [1.0, 10.0, 100.0, 1000.0]);
    }

    #[test]
    fn labels_are_short() {
        let labels = [1e-9, 0.001, 1.0, 1000.0, 10_000.0].map(label);
        assert_eq!(labels, ["10⁻⁹", "0.001", "1", "1000", "10\u{202f}000"]);
    }
}
