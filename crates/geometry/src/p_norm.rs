//! p-norms of two numbers, and how far a superellipsoid reaches.

/// The distance of the farthest point from the centre.
pub(super) fn bounding_radius([a1, a2, a3]: [f64; 3], exponent_xy: f64, exponent_z: f64) -> f64 {
    let cross_section = farthest_square(a1 * a1, a2 * a2, exponent_xy);
    farthest_square(cross_section, a3 * a3, exponent_z).sqrt()
}

/// (|x|^p + |y|^p)^(1/p) for p ≥ 1, free of under- and overflow.
pub(crate) fn p_norm(x: f64, y: f64, p: f64) -> f64 {
    let (large, small) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if large <= 0.0 {
        return 0.0;
    }
    large * libm::exp(libm::log1p(libm::pow(small / large, p)) / p)
}

/// The largest `x²A + y²B` on |x|^(2/ε) + |y|^(2/ε) = 1, for squared semi-axes A and B. With X = x² and P = 1/ε this
/// maximises a linear function over a P-norm ball: a vertex of it for P ≤ 1, the dual norm of (A, B) for P > 1.
pub(crate) fn farthest_square(a: f64, b: f64, exponent: f64) -> f64 {
    if exponent >= 1.0 {
        return a.max(b);
    }
    // The dual of the P-norm with P = 1/ε is the q-norm with q = 1/(1 − ε).
    p_norm(a, b, 1.0 / (1.0 - exponent))
}
