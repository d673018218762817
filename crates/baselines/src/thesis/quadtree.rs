//! The first guess on parametric surfaces: a descent in two quadtrees over the angles [Gonçalves 2015, §3.4.1, table 7].
//!
//! It minimises the distance between surface points, so for bodies that overlap it ends on the curve where they
//! intersect.

use super::common_normal::Surfaces;
use smooth_scene_geometry::math::Vec3;
use std::f64::consts::{FRAC_PI_2, PI};

/// Levels of the quadtrees [Gonçalves 2015, §3.4.1]. Each level compares the four cells of A with the four of B: 16 pairs.
pub(super) const LEVELS: u32 = 6;

/// A cell of a quadtree over azimuth and zenith angle: its centre and half its extent.
#[derive(Debug, Clone, Copy)]
struct Cell {
    centre: [f64; 2],
    half: [f64; 2],
}

impl Cell {
    /// All angles: azimuth in [−π, π], zenith angle in [−π/2, π/2].
    const ALL: Cell = Cell { centre: [0.0, 0.0], half: [PI, FRAC_PI_2] };

    fn quarters(&self) -> [Cell; 4] {
        let half = self.half.map(|extent| 0.5 * extent);
        [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)].map(|(first, second)| Cell {
            centre: [self.centre[0] + first * half[0], self.centre[1] + second * half[1]],
            half,
        })
    }
}

/// The first guess [Gonçalves 2015, table 7]: at every level the pair of quarters whose centres are the nearest surface
/// points is kept. Greedy: a wrong choice at a coarse level is never revised.
pub(super) fn guess(pair: &Surfaces, levels: u32) -> [f64; 4] {
    let (mut cell_a, mut cell_b) = (Cell::ALL, Cell::ALL);
    for _ in 0..levels {
        let (quarters_a, quarters_b) = (cell_a.quarters(), cell_b.quarters());
        let points_a: [Vec3; 4] = quarters_a.map(|cell| pair.a.point(cell.centre));
        let points_b: [Vec3; 4] = quarters_b.map(|cell| pair.in_a(&pair.b.point(cell.centre)));
        let mut nearest = f64::INFINITY;
        for (quarter_a, point_a) in quarters_a.iter().zip(&points_a) {
            for (quarter_b, point_b) in quarters_b.iter().zip(&points_b) {
                let distance = (point_b - point_a).norm_squared();
                if distance < nearest {
                    (nearest, cell_a, cell_b) = (distance, *quarter_a, *quarter_b);
                }
            }
        }
    }
    [cell_a.centre[0], cell_a.centre[1], cell_b.centre[0], cell_b.centre[1]]
}
