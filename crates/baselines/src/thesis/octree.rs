//! The first guess on implicit surfaces: the nearest cells of two octrees around them [Gonçalves 2015, §3.4.1].
//!
//! It only sees cells, so bodies that overlap start at a common point.

use super::common_normal::Surfaces;
use crate::superquadric::Superquadric;
use smooth_scene_geometry::Aabb;
use smooth_scene_geometry::math::Vec3;

/// Cells of an octree along each axis of the body's box [Gonçalves 2015, fig. 3.5].
pub(super) const CELLS_PER_AXIS: usize = 5;

/// Projections back and forth between the two nearest cells. The nearest points of two boxes are found to a fraction of
/// a cell after a few, and a guess needs no more.
const CELL_PROJECTIONS: u32 = 8;

/// The leaves of an octree around a surface, in the frame of its body: the cells of a regular grid over the body's box
/// that the surface passes through.
struct Octree {
    leaves: Vec<Vec3>,
    half: Vec3,
}

impl Octree {
    fn around(surface: &Superquadric, bounds: &Aabb, cells: usize) -> Self {
        let half = (bounds.max - bounds.min) * (0.5 / cells as f64);
        let mut tree = Self { leaves: Vec::new(), half };
        for index in 0..cells.pow(3) {
            let [i, j, k] = [index % cells, index / cells % cells, index / (cells * cells)];
            let steps = Vec3::new(i as f64, j as f64, k as f64);
            let centre = bounds.min + half.component_mul(&(2.0 * steps + Vec3::repeat(1.0)));
            if is_crossed(surface, &centre, &half) {
                tree.leaves.push(centre);
            }
        }
        tree
    }
}

/// Whether a surface passes through a cell. Along x and y the implicit function grows away from the axis, so the nearest
/// and the farthest edge decide; along z the taper may change that, so both ends are tried.
fn is_crossed(surface: &Superquadric, centre: &Vec3, half: &Vec3) -> bool {
    let (low, high) = (centre - half, centre + half);
    let nearest = |k: usize| 0f64.max(low[k]).min(high[k]);
    let farthest = |k: usize| low[k].abs().max(high[k].abs());
    let heights = [nearest(2), low.z, high.z];
    let inside = |z: f64| surface.implicit(&Vec3::new(nearest(0), nearest(1), z)) <= 0.0;
    let outside = |z: f64| surface.implicit(&Vec3::new(farthest(0), farthest(1), z)) >= 0.0;
    heights.into_iter().any(inside) && heights.into_iter().any(outside)
}

/// The first guess [Gonçalves 2015, §3.4.1]: the nearest points of the nearest leaves, each in the frame of its body.
///
/// The thesis leaves the search to an octree library. The leaves of one tree are all of one size, so the nearest centres
/// stand in for the nearest leaves; this also settles which of several overlapping pairs is meant. Among equals the first
/// is taken: a surface that faces along an axis is a plateau of leaves, and the guess may be anywhere on it.
pub(super) fn guess(pair: &Surfaces, cells: usize) -> [Vec3; 2] {
    let tree_a = Octree::around(&pair.a, &pair.boxes[0], cells);
    let tree_b = Octree::around(&pair.b, &pair.boxes[1], cells);
    let (mut leaf_a, mut leaf_b) = (Vec3::zeros(), Vec3::zeros());
    let mut nearest = f64::INFINITY;
    for centre_b in &tree_b.leaves {
        let centre_b_a = pair.in_a(centre_b);
        for centre_a in &tree_a.leaves {
            let distance = (centre_b_a - centre_a).norm_squared();
            if distance < nearest {
                (nearest, leaf_a, leaf_b) = (distance, *centre_a, *centre_b);
            }
        }
    }
    let into = |point: Vec3, centre: &Vec3, half: &Vec3| {
        point.zip_zip_map(&(centre - half), &(centre + half), |x, low, high| x.max(low).min(high))
    };
    let (mut p, mut q) = (leaf_a, leaf_b);
    for _ in 0..CELL_PROJECTIONS {
        q = into(pair.in_b(&p), &leaf_b, &tree_b.half);
        p = into(pair.in_a(&q), &leaf_a, &tree_a.half);
    }
    [p, q]
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Sequence, surfaces};
    use super::*;

    #[test]
    fn leaves_cover_the_surface() {
        let mut sequence = Sequence(3);
        for _ in 0..20 {
            let pair = surfaces(&sequence.pair(0.3, 1.0));
            let tree = Octree::around(&pair.a, &pair.boxes[0], CELLS_PER_AXIS);
            for k in 0..400 {
                let point = pair.a.point([0.61 * k as f64, (0.37 * k as f64).sin() * 1.57]);
                let is_covered = tree.leaves.iter().any(|centre| {
                    (point - centre).iter().zip(&tree.half).all(|(x, half)| x.abs() <= half + 1e-9)
                });
                assert!(is_covered, "{point:?}");
            }
        }
    }

    #[test]
    fn finer_cells_guess_nearer_points() {
        let mut sequence = Sequence(9);
        for _ in 0..20 {
            let pair = surfaces(&sequence.pair(0.0, 4.0));
            // Each guess is off by no more than two diagonals of its cells.
            let at = |cells| {
                let [p, q] = guess(&pair, cells);
                (pair.in_a(&q) - p).norm()
            };
            let diagonal = |cells: usize| {
                let sizes = pair.boxes.map(|aabb| (aabb.max - aabb.min).norm() / cells as f64);
                sizes[0] + sizes[1]
            };
            let finest = at(20);
            for cells in [5, 10] {
                let off = (at(cells) - finest).abs();
                assert!(off <= diagonal(cells) + diagonal(20), "{cells}: {off}");
            }
        }
    }
}
