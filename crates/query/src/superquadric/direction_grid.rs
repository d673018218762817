//! A grid of directions: the surface of a cube in equal angles, 15° apart.
//!
//! Of two opposite directions one, the axis, is stored. The axes lie on lanes, eight at a time.

use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::simd::F32x8;
use std::sync::LazyLock;

/// Steps from the middle of a face of the cube to its edge.
const STEPS: i32 = 3;
/// Axes: half of the directions.
pub(crate) const AXES: usize = 12 * (STEPS * STEPS) as usize + 1;
/// Lanes, and how many lanes full there are of the axes; the last are filled up.
pub(crate) const LANES: usize = 8;
pub(crate) const ROWS: usize = AXES.div_ceil(LANES);
/// Places of one sense of every axis.
pub(crate) const PLACES: usize = ROWS * LANES;
/// Directions closer than this (cosine) are neighbours: the eight around each, fewer around a corner.
const NEIGHBOUR: f32 = 0.925;
const MOST_NEIGHBOURS: usize = 8;

/// The grid, with what is needed to find peaks on it.
pub(crate) struct DirectionGrid {
    pub axes: [[F32x8; 3]; ROWS],
    /// Of each direction (the axes, then their opposites), the places of those around it; spare ones are itself.
    neighbours: [[u8; MOST_NEIGHBOURS]; 2 * PLACES],
}

/// The grid, made when it is first needed.
pub(crate) static GRID: LazyLock<DirectionGrid> = LazyLock::new(DirectionGrid::new);

impl DirectionGrid {
    fn new() -> Self {
        let tangent =
            |step: i32| libm::tan(f64::from(step) * std::f64::consts::FRAC_PI_4 / f64::from(STEPS));
        let mut axes = [[0.0f32; 3]; PLACES];
        let mut count = 0;
        let line = || -STEPS..=STEPS;
        for [x, y, z] in
            line().flat_map(|x| line().flat_map(move |y| line().map(move |z| [x, y, z])))
        {
            let on_surface = x.abs().max(y.abs()).max(z.abs()) == STEPS;
            // One of each two opposite directions: the last component that is not zero is positive.
            let is_upper = z > 0 || (z == 0 && (y > 0 || (y == 0 && x > 0)));
            if !on_surface || !is_upper {
                continue;
            }
            axes[count] = Vec3::from([x, y, z].map(tangent)).normalize().map(|c| c as f32).into();
            count += 1;
        }
        let first = axes[0];
        axes[count..].fill(first);
        let mut neighbours = [[0; MOST_NEIGHBOURS]; 2 * PLACES];
        for place in 0..PLACES {
            let here = axes[place];
            let mut around = [place as u8; MOST_NEIGHBOURS];
            let near = (0..2 * PLACES).filter(|other| {
                let cosine = dot(&here, &direction_at(&axes, *other));
                other % PLACES < AXES && *other != place && cosine > NEIGHBOUR
            });
            for (slot, other) in around.iter_mut().zip(near) {
                *slot = other as u8;
            }
            neighbours[place] = around;
            // Around the opposite direction are the opposite ones.
            neighbours[place + PLACES] =
                around.map(|other| ((usize::from(other) + PLACES) % (2 * PLACES)) as u8);
        }
        Self { axes: std::array::from_fn(|row| on_lanes(&axes, row)), neighbours }
    }

    /// The direction at a place.
    pub fn direction(&self, place: usize) -> [f32; 3] {
        let sign = if place < PLACES { 1.0 } else { -1.0 };
        let row = &self.axes[place % PLACES / LANES];
        [0, 1, 2].map(|i| sign * row[i].0[place % LANES])
    }

    /// Whether nothing around a place is higher, given the values at all places.
    pub fn is_peak(&self, values: &[f32], place: usize) -> bool {
        let around = &self.neighbours[place];
        place % PLACES < AXES
            && around.iter().all(|other| values[usize::from(*other)] <= values[place])
    }
}

fn direction_at(axes: &[[f32; 3]; PLACES], place: usize) -> [f32; 3] {
    let sign = if place < PLACES { 1.0 } else { -1.0 };
    axes[place % PLACES].map(|c| sign * c)
}

fn on_lanes(all: &[[f32; 3]], row: usize) -> [F32x8; 3] {
    [0, 1, 2].map(|i| F32x8(std::array::from_fn(|lane| all[row * LANES + lane][i])))
}

pub(crate) fn dot(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_is_complete() {
        let grid = &*GRID;
        let all = || (0..2 * PLACES).filter(|place| place % PLACES < AXES);
        for place in all() {
            let here = grid.direction(place);
            assert!((dot(&here, &here) - 1.0).abs() < 1e-6);
            let twins = all().filter(|other| dot(&here, &grid.direction(*other)) > 0.999);
            assert_eq!(twins.count(), 1);
            let around =
                grid.neighbours[place].iter().filter(|other| usize::from(**other) != place);
            assert!((6..=8).contains(&around.count()), "{here:?}");
        }
        assert_eq!(all().count(), 2 * AXES);
        // Nothing is farther than half a diagonal from the grid.
        for k in 0..1000 {
            let (z, turn) = (1.0 - k as f32 / 500.0, k as f32 * 2.4);
            let n = [(1.0 - z * z).sqrt() * turn.cos(), (1.0 - z * z).sqrt() * turn.sin(), z];
            let nearest = all().map(|place| dot(&n, &grid.direction(place))).fold(-1.0, f32::max);
            assert!(nearest > 0.98, "{n:?} {nearest}");
        }
    }

    #[test]
    fn a_slope_has_one_peak() {
        let grid = &*GRID;
        let up = [0.36f32, -0.48, 0.8];
        let values: Vec<f32> =
            (0..2 * PLACES).map(|place| dot(&up, &grid.direction(place))).collect();
        let peaks: Vec<usize> =
            (0..2 * PLACES).filter(|place| grid.is_peak(&values, *place)).collect();
        assert_eq!(peaks.len(), 1);
        assert!(dot(&up, &grid.direction(peaks[0])) > 0.98);
    }
}
