//! The fastest speed along a path whose shape is known.
//!
//! Let q(s) be the path and x = ṡ² the square of its speed. Then q̇ = q' ṡ and q̈ = q' s̈ + q'' x, with s̈ = x' / 2. The path is made
//! of cells in which q' is linear in s, and so q'' constant. In a cell of length Δ with constant s̈ also x is linear in s:
//!
//! ```text
//! s̈ = (x₁ − x₀) / 2Δ,    q̈ᵢ = q'ᵢ(s) s̈ + q''ᵢ x(s)
//! ```
//!
//! is linear in s, too. So the limits |q̈ᵢ| ≤ aᵢ hold in the whole cell when they hold at both of its ends. The limit x ≤ vᵢ² / q'ᵢ²
//! on the velocity is a convex function of s where q'ᵢ keeps its sign, so its tangent in the middle m of the cell is below it,
//! and x is below the tangent in the whole cell when it is at both ends:
//!
//! ```text
//! x ≤ vᵢ² / q'ᵢ(m)² · (3 − 2 q'ᵢ / q'ᵢ(m)) ≤ vᵢ² / q'ᵢ²
//! ```
//!
//! All limits are linear in (x₀, x₁).
//!
//! The largest speeds are found by two passes, as in [Pham 2018]: backwards, the largest x₀ of each cell from which a
//! permitted x₁ of the next one can be reached; then forwards, always to the largest x₁. Speed zero is always permitted, so
//! the permitted x are intervals from zero.

use crate::motion_limits::MotionLimits;

/// More than the square of any speed that limits on accelerations leave possible.
const LARGEST: f64 = 1e150;

/// Spans shorter than this share of a cell are the rounding of others.
const SHORTEST: f64 = 1e-12;

/// A part of a cell in which s has a constant acceleration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    /// Length in s.
    pub length: f64,
    /// Speed of s where it begins and where it ends.
    pub speeds: [f64; 2],
}

/// A piece of a path between two values of s, with q' at both of its ends.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    /// Length Δ in s.
    length: f64,
    /// Largest x at its ends: what the velocity limits allow; may be infinite.
    most: [f64; 2],
    /// Limits on x₀ and x₁: |α x₀ + β x₁| ≤ a, with β ≠ 0.
    rows: Vec<[f64; 3]>,
    /// Where the path is straight: |x₁ − x₀| ≤ this are all limits on the acceleration.
    straight: Option<f64>,
}

impl Cell {
    /// A cell with these q' at its ends.
    pub fn new(length: f64, ends: [&[f64]; 2], limits: &MotionLimits) -> Self {
        let (mut most, mut rows) = ([f64::INFINITY; 2], Vec::new());
        let (mut change, is_straight) = (f64::INFINITY, ends[0] == ends[1]);
        for (k, (velocity, acceleration)) in limits.each().enumerate() {
            let [first, last] = ends.map(|rates| rates[k]);
            let largest = first.abs().max(last.abs());
            if largest == 0.0 {
                continue;
            }
            let middle = 0.5 * (first + last);
            for (most, rate) in most.iter_mut().zip([first, last]) {
                let tangent = (velocity / middle).powi(2) * (3.0 - 2.0 * rate / middle);
                // Where the rate is near zero, or becomes it, the largest in the cell is for both ends.
                let is_steady = first.min(last) > 0.5 * largest || first.max(last) < -0.5 * largest;
                *most = most.min(if is_steady { tangent } else { (velocity / largest).powi(2) });
            }
            let bend = (last - first) / length;
            let slope = [first, last].map(|rate| rate / (2.0 * length));
            for [alpha, beta] in [[bend - slope[0], slope[0]], [-slope[1], bend + slope[1]]] {
                if beta != 0.0 {
                    rows.push([alpha, beta, acceleration]);
                } else if alpha != 0.0 {
                    most[0] = most[0].min(acceleration / alpha.abs());
                }
            }
            change = change.min(2.0 * length * acceleration / largest);
        }
        Self { length, most, rows, straight: is_straight.then_some(change) }
    }

    /// The parts of constant acceleration between two x at its ends, none of them without length.
    pub fn spans(&self, begin: f64, end: f64) -> Vec<Span> {
        let Some(change) = self.straight else {
            let speeds = [begin.sqrt(), end.sqrt()];
            return vec![Span { length: self.length, speeds }];
        };
        // x grows and falls by `change` over the length of the cell, and is nowhere above the top.
        let top = self.most[0].min(0.5 * (begin + end + change)).max(begin).max(end);
        let [up, down] = [begin, end].map(|x| (top - x) / change * self.length);
        let speed = top.sqrt();
        let spans = [
            Span { length: up, speeds: [begin.sqrt(), speed] },
            Span { length: self.length - up - down, speeds: [speed; 2] },
            Span { length: down, speeds: [speed, end.sqrt()] },
        ];
        spans.into_iter().filter(|span| span.length > SHORTEST * self.length).collect()
    }

    /// The largest x₀ from which some permitted x₁ ≤ `end` can be reached.
    ///
    /// The interval of these x₁ has a length that is concave in x₀ and not negative at zero. Newton's method comes to its root
    /// from above: each step meets another pair of limits, so it ends after finitely many.
    fn largest_begin(&self, end: f64) -> f64 {
        let end = end.min(self.most[1]);
        if let Some(change) = self.straight {
            return self.most[0].min(end + change);
        }
        let mut begin = self.most[0].min(LARGEST);
        for _ in 0..=self.rows.len() {
            let [low, high] = self.ends_from(begin, end);
            if high.at(begin) >= low.at(begin) {
                break;
            }
            let root = (low.offset - high.offset) / (high.slope - low.slope);
            if root.is_nan() || root >= begin {
                break;
            }
            begin = root.max(0.0);
        }
        begin
    }

    /// The largest x₁ ≤ `end` that can be reached from x₀.
    fn largest_end(&self, begin: f64, end: f64) -> f64 {
        let end = end.min(self.most[1]);
        match self.straight {
            Some(change) => end.min(begin + change),
            None => self.ends_from(begin, end)[1].at(begin).max(0.0),
        }
    }

    /// The limits that are met first below and above the x₁ that can be reached from x₀.
    fn ends_from(&self, begin: f64, end: f64) -> [Line; 2] {
        let (mut low, mut high) =
            (Line { slope: 0.0, offset: 0.0 }, Line { slope: 0.0, offset: end });
        for [alpha, beta, limit] in &self.rows {
            let (slope, half) = (-alpha / beta, limit / beta.abs());
            let [lower, upper] = [-half, half].map(|offset| Line { slope, offset });
            if lower.at(begin) > low.at(begin) {
                low = lower;
            }
            if upper.at(begin) < high.at(begin) {
                high = upper;
            }
        }
        [low, high]
    }
}

/// x₁ = slope · x₀ + offset.
#[derive(Debug, Clone, Copy)]
struct Line {
    slope: f64,
    offset: f64,
}

impl Line {
    fn at(&self, begin: f64) -> f64 {
        self.slope * begin + self.offset
    }
}

/// The largest x at the ends of cells that follow each other. The speed is zero at each end for which `stops` says so, the
/// first and the last among them.
pub(crate) fn fastest(cells: &[Cell], stops: &[bool]) -> Vec<f64> {
    let mut most = vec![0.0; stops.len()];
    for (k, cell) in cells.iter().enumerate().rev() {
        most[k] = if stops[k] { 0.0 } else { cell.largest_begin(most[k + 1]) };
    }
    let mut found = vec![0.0; stops.len()];
    for (k, cell) in cells.iter().enumerate() {
        found[k + 1] = cell.largest_end(found[k], most[k + 1]);
    }
    found
}
