//! Lengths that the cloth keeps: chains of edges, diagonals, and distances over two edges.
//!
//! Each is a constraint C(x) = |x_b − x_a| − rest of extended position-based dynamics [Macklin 2016, eq. 18]. With the
//! inverse masses w, the compliance α and the length h of a substep, one step of Newton's method moves the vertices by
//!
//! ```text
//! Δx = W Jᵀ λ,    (J W Jᵀ + α̃ I) λ = −C(x),    α̃ = α/h²,    J = ∂C/∂x
//! ```
//!
//! The edges of one chain share vertices only with their neighbours, so for all of them together the matrix is tridiagonal
//! and is solved as it is: a hanging chain keeps its length however many vertices it has. One constraint at a time, as is
//! usual, would need as many rounds as a chain is long. Different chains share no vertex: the inner loops run over them.

use crate::cloth::points::Points;
use smooth_scene_geometry::simd::{Kernel, Level, Simd};

/// Least α̃ in shares of an inverse mass: where a straight chain is held at both ends, the matrix has no inverse without.
const LEAST_SOFTNESS: f64 = 1e-6;
/// Added to squared lengths, m²: two vertices in one place have no direction, and none is made up.
const NO_LENGTH: f64 = 1e-200;

/// A grid of vertices as chains: one for each column, from row to row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chains {
    pub rows: usize,
    pub columns: usize,
    /// Length of an edge, m.
    pub edge: f64,
    /// Largest inverse mass, 1/kg.
    pub heaviest: f64,
}

/// Buffers of `straighten`: a number for each edge.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChainBuffers {
    directions: Points,
    solution: Vec<f64>,
    factor: Vec<f64>,
    /// Of the last row: one over the pivot, the right-hand side, and λ.
    pivot: Vec<f64>,
    lambda: Vec<f64>,
}

impl ChainBuffers {
    /// For grids of so many vertices.
    pub fn new(vertices: usize) -> Self {
        let zeros = || vec![0.0; vertices];
        Self {
            directions: Points::zeros(vertices),
            solution: zeros(),
            factor: zeros(),
            pivot: zeros(),
            lambda: zeros(),
        }
    }
}

impl Chains {
    fn softness(&self, compliance: f64, seconds: f64) -> f64 {
        (compliance / (seconds * seconds)).max(LEAST_SOFTNESS * self.heaviest)
    }

    /// Gives all edges of all chains their length, as far as their compliance lets them.
    pub fn straighten(
        &self,
        compliance: f64,
        seconds: f64,
        weights: &[f64],
        points: &mut Points,
        buffers: &mut ChainBuffers,
    ) {
        let softness = self.softness(compliance, seconds);
        Level::detect().run(Straighten { chains: self, softness, weights, points, buffers });
    }

    /// Keeps vertices that are two edges apart from coming nearer, as far as their compliance lets them.
    pub fn unfold(&self, compliance: f64, seconds: f64, weights: &[f64], points: &mut Points) {
        let softness = self.softness(compliance, seconds);
        let (n, rest) = (self.columns, 2.0 * self.edge);
        for i in 2..self.rows {
            let pairs = Pairs { first: (i - 2) * n, second: i * n, count: n, rest, softness };
            Level::detect().run(Restore { pairs, most: 0.0, weights, points });
        }
    }

    /// Gives both diagonals of all cells their length, as far as their compliance lets them. `across` is the length of an edge
    /// between chains.
    pub fn square(
        &self,
        across: f64,
        compliance: f64,
        seconds: f64,
        weights: &[f64],
        points: &mut Points,
    ) {
        let softness = self.softness(compliance, seconds);
        let (n, rest) = (self.columns, (self.edge * self.edge + across * across).sqrt());
        for i in 1..self.rows {
            for [left, right] in [[0, 1], [1, 0]] {
                let (first, second) = ((i - 1) * n + left, i * n + right);
                let pairs = Pairs { first, second, count: n - 1, rest, softness };
                Level::detect().run(Restore { pairs, most: f64::INFINITY, weights, points });
            }
        }
    }
}

/// Pairs of vertices, none in two of them: from `first` on with those from `second` on.
#[derive(Clone, Copy)]
struct Pairs {
    first: usize,
    second: usize,
    count: usize,
    rest: f64,
    softness: f64,
}

/// One step for pairs of vertices; of what is longer than its rest length only so much counts.
struct Restore<'a> {
    pairs: Pairs,
    most: f64,
    weights: &'a [f64],
    points: &'a mut Points,
}

impl Kernel for Restore<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Pairs { first, second, count, rest, softness } = self.pairs;
        let (wa, wb) = (&self.weights[first..][..count], &self.weights[second..][..count]);
        let [x, y, z] = self.points.axes_mut().map(|axis| {
            let (low, high) = axis.split_at_mut(second);
            (&mut low[first..][..count], &mut high[..count])
        });
        for j in 0..count {
            let [dx, dy, dz] = [x.1[j] - x.0[j], y.1[j] - y.0[j], z.1[j] - z.0[j]];
            let length = (dx * dx + dy * dy + dz * dz + NO_LENGTH).sqrt();
            let excess = (length - rest).min(self.most);
            let push = -excess / ((wa[j] + wb[j] + softness) * length);
            let (a, b) = (push * wa[j], push * wb[j]);
            x.0[j] -= a * dx;
            y.0[j] -= a * dy;
            z.0[j] -= a * dz;
            x.1[j] += b * dx;
            y.1[j] += b * dy;
            z.1[j] += b * dz;
        }
    }
}

/// One step of Newton's method for all edges of all chains.
///
/// With nₖ the direction of edge k from vertex k to k + 1, the matrix has w_k + w_{k+1} + α̃ on its diagonal and
/// eₖ = −w_{k+1} nₖ·n_{k+1} beside it. Elimination goes down the rows, d the pivots:
///
/// ```text
/// f_{k−1} = e_{k−1}/d_{k−1},    d_k = w_k + w_{k+1} + α̃ − e_{k−1} f_{k−1},    z_k = (−C_k − e_{k−1} z_{k−1})/d_k
/// λ_k = z_k − f_k λ_{k+1}                                                          back up
/// ```
struct Straighten<'a> {
    chains: &'a Chains,
    softness: f64,
    weights: &'a [f64],
    points: &'a mut Points,
    buffers: &'a mut ChainBuffers,
}

impl Kernel for Straighten<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self) {
        for k in 1..self.chains.rows {
            self.eliminate(k);
        }
        self.buffers.lambda[..self.chains.columns].fill(0.0);
        for k in (1..self.chains.rows).rev() {
            self.substitute(k);
        }
    }
}

impl Straighten<'_> {
    /// The edges above row k.
    #[inline(always)]
    fn eliminate(&mut self, k: usize) {
        let n = self.chains.columns;
        let (here, above) = (k * n, (k - 1) * n);
        let ChainBuffers { directions, solution, factor, pivot, .. } = &mut *self.buffers;
        let (wa, wb) = (&self.weights[above..][..n], &self.weights[here..][..n]);
        let (xa, xb) = (&self.points.x[above..][..n], &self.points.x[here..][..n]);
        let (ya, yb) = (&self.points.y[above..][..n], &self.points.y[here..][..n]);
        let (za, zb) = (&self.points.z[above..][..n], &self.points.z[here..][..n]);
        let (px, nx) = last_two(&mut directions.x, here, n);
        let (py, ny) = last_two(&mut directions.y, here, n);
        let (pz, nz) = last_two(&mut directions.z, here, n);
        let (before, found) = last_two(solution, here, n);
        let (factor, _) = last_two(factor, here, n);
        let pivot = &mut pivot[..n];
        let is_first = k == 1;
        for j in 0..n {
            let [dx, dy, dz] = [xb[j] - xa[j], yb[j] - ya[j], zb[j] - za[j]];
            let length = (dx * dx + dy * dy + dz * dz + NO_LENGTH).sqrt();
            let one_over = 1.0 / length;
            (nx[j], ny[j], nz[j]) = (dx * one_over, dy * one_over, dz * one_over);
            let cosine = px[j] * nx[j] + py[j] * ny[j] + pz[j] * nz[j];
            let beside = if is_first { 0.0 } else { -wa[j] * cosine };
            let f = beside * pivot[j];
            factor[j] = f;
            pivot[j] = 1.0 / (wa[j] + wb[j] + self.softness - beside * f);
            found[j] = (self.chains.edge - length - beside * before[j]) * pivot[j];
        }
    }

    /// The same edges on the way back.
    #[inline(always)]
    fn substitute(&mut self, k: usize) {
        let n = self.chains.columns;
        let (here, above) = (k * n, (k - 1) * n);
        let ChainBuffers { directions, solution, factor, lambda, .. } = &mut *self.buffers;
        let (solution, factor) = (&solution[here..][..n], &factor[here..][..n]);
        let lambda = &mut lambda[..n];
        for j in 0..n {
            lambda[j] = solution[j] - factor[j] * lambda[j];
        }
        let (wa, wb) = (&self.weights[above..][..n], &self.weights[here..][..n]);
        let points = self.points.axes_mut();
        for (axis, direction) in points.into_iter().zip(directions.axes()) {
            let direction = &direction[here..][..n];
            let (a, b) = last_two(axis, here, n);
            for j in 0..n {
                let push = lambda[j] * direction[j];
                a[j] -= wa[j] * push;
                b[j] += wb[j] * push;
            }
        }
    }
}

/// The row that begins at `here` and the one above it.
#[inline(always)]
fn last_two(values: &mut [f64], here: usize, n: usize) -> (&mut [f64], &mut [f64]) {
    let (low, high) = values.split_at_mut(here);
    (&mut low[here - n..][..n], &mut high[..n])
}
