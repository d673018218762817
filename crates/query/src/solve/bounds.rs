//! Two bounds on a signed distance, in order.

use crate::solve::separation::SeparationFunction;

/// Largest crossing of two bounds, in multiples of the size, that rounding explains. f is a dot product of a unit
/// vector with a sum of three vectors, each at most the size and known to a few bits: an error of some 8 ε on either
/// bound. The largest crossing met in 10⁵ queries is 5 ε.
const CROSSING: f64 = 16.0 * f64::EPSILON;

/// `lower ≤ signed distance ≤ upper`, up to rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub lower: f64,
    pub upper: f64,
}

impl Bounds {
    /// A value of f and the length of a difference of points, in order.
    ///
    /// A distance found to the last bit may have its bounds cross by rounding. The truth is then within rounding of
    /// both, so they change places: neither is moved onto the other. A wider crossing means that f is too high, because
    /// the pair missed a support point. Changing places then leaves the gap open for all to see: the answer is not
    /// certified, and the caller, who knows that this pair does not prove its values, asks again.
    pub fn ordered(pair: &impl SeparationFunction, lower: f64, upper: f64, size: f64) -> Self {
        debug_assert!(
            lower - upper <= CROSSING * size || !pair.proves_its_values(),
            "bounds {lower:e} and {upper:e} cross by more than rounding, size {size:e}"
        );
        Self { lower: lower.min(upper), upper: upper.max(lower) }
    }

    pub fn width(&self) -> f64 {
        self.upper - self.lower
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::core_shape::CoreShape;
    use crate::solve::surface_pair::SurfacePair;
    use smooth_scene_geometry::Shape;
    use smooth_scene_geometry::math::{Mat3, Vec3};
    use smooth_scene_geometry::simd::Portable;

    fn with_balls<T>(ask: impl Fn(&SurfacePair<Portable>) -> T) -> T {
        let ball = Shape::sphere(1.0).unwrap();
        let core = || CoreShape::of(&ball).0;
        ask(&SurfacePair::new([core(), core()], &Mat3::identity(), &Vec3::new(3.0, 0.0, 0.0)))
    }

    #[test]
    fn bounds_that_rounding_made_cross_change_places() {
        let (low, high) = (1.0, 1.0 + 4.0 * f64::EPSILON);
        let swapped = with_balls(|pair| Bounds::ordered(pair, high, low, 1.0));
        assert_eq!(swapped, Bounds { lower: low, upper: high });
        assert_eq!(with_balls(|pair| Bounds::ordered(pair, low, high, 1.0)), swapped);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "cross by more than rounding")]
    fn a_proven_pair_may_not_have_bounds_that_cross_farther() {
        with_balls(|pair| Bounds::ordered(pair, 1.0 + 1e-14, 1.0, 1.0));
    }
}
