//! Points as the search sees them: in single precision, coordinate by coordinate, in units of their own.

use smooth_scene_geometry::math::Vec3;

/// Lanes of the inner loops; coordinates are filled up to a multiple of it with the last point.
pub(crate) const LANES: usize = 8;

/// Coordinates of at least one point.
#[derive(Debug, Clone)]
pub(crate) struct Points {
    pub coordinates: [Vec<f32>; 3],
    /// How many there are without those that fill up the lanes.
    pub count: usize,
}

impl Points {
    /// At least one point, in units of `size` from `center`.
    pub fn new(points: &[Vec3], center: &Vec3, size: f64) -> Self {
        let padded = points.len().next_multiple_of(LANES);
        let coordinates = [0, 1, 2].map(|axis| {
            let at = |k: usize| points[k.min(points.len() - 1)];
            (0..padded).map(|k| ((at(k)[axis] - center[axis]) / size) as f32).collect()
        });
        Self { coordinates, count: points.len() }
    }
    /// Those for which `keep` says so; `None` when there are none.
    pub fn filtered(&self, keep: impl FnOnce(&Self) -> Vec<bool>) -> Option<Self> {
        let keep = keep(self);
        let count = keep.iter().filter(|keep| **keep).count();
        let kept = |all: &Vec<f32>| {
            let mut kept: Vec<f32> =
                all.iter().zip(&keep).filter(|(_, k)| **k).map(|(x, _)| *x).collect();
            let last = *kept.last()?;
            kept.resize(count.next_multiple_of(LANES), last);
            Some(kept)
        };
        let [x, y, z] = &self.coordinates;
        Some(Self { coordinates: [kept(x)?, kept(y)?, kept(z)?], count })
    }
}
