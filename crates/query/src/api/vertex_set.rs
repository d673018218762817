//! A surface against the vertices of a mesh or a cloth, filtered by blocks.
//!
//! The vertices are grouped into blocks, each with a box; only the vertices of blocks whose box meets the box of the
//! surface are tested, by the inside–outside function (A. A. R. L. Gonçalves, *Efficient Contact Detection for Game
//! Engines and Robotics*, MSc thesis, 2015, §3.3, after Moustakas et al. 2005). The vertices may move every step: [`VertexBlocks::refit`] follows them without allocating.

use crate::api::options::QueryOptions;
use crate::api::point::{PointProjection, point_distance};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Aabb, ConvexSurface, Shape};

/// Vertices per block: enough to make the test of a box worthwhile, few enough for the box to be small. The thesis uses
/// 36 on a regular grid.
pub const DEFAULT_BLOCK_LENGTH: usize = 32;

/// A number of vertices that is not the one the blocks were built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the blocks were built for {expected} vertices and cannot follow {found}")]
pub struct VertexCountError {
    /// The number of vertices at construction.
    pub expected: usize,
    /// The number of vertices given.
    pub found: usize,
}

/// Vertices in world coordinates, grouped into blocks with boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexBlocks {
    /// Vertices in block order, and the index each had in the caller's slice.
    vertices: Vec<Vec3>,
    indices: Vec<usize>,
    block_length: usize,
    boxes: Vec<Aabb>,
}

/// One block: its box, its vertices, and their indices in the caller's slice.
type Block<'a> = (&'a Aabb, &'a [Vec3], &'a [usize]);

impl VertexBlocks {
    /// Blocks of `block_length` vertices that follow each other in `vertices`: for meshes stored in a sensible order.
    pub fn consecutive(vertices: &[Vec3], block_length: usize) -> Self {
        Self::in_order(vertices, (0..vertices.len()).collect(), block_length.max(1))
    }

    /// Blocks of [`DEFAULT_BLOCK_LENGTH`] vertices that are near each other: recursive halving of the longest extent.
    /// Vertices that move apart later only make the boxes larger.
    pub fn spatially_sorted(vertices: &[Vec3]) -> Self {
        let mut indices: Vec<usize> = (0..vertices.len()).collect();
        sort_spatially(vertices, &mut indices, DEFAULT_BLOCK_LENGTH);
        Self::in_order(vertices, indices, DEFAULT_BLOCK_LENGTH)
    }

    fn in_order(vertices: &[Vec3], indices: Vec<usize>, block_length: usize) -> Self {
        let vertices: Vec<Vec3> = indices.iter().map(|&index| vertices[index]).collect();
        let boxes = vertices.chunks(block_length).map(bounding_box).collect();
        Self { vertices, indices, block_length, boxes }
    }

    /// Moves the vertices to new positions, in the order of the slice the blocks were built from. Nothing is allocated.
    pub fn refit(&mut self, vertices: &[Vec3]) -> Result<(), VertexCountError> {
        if vertices.len() != self.vertices.len() {
            let (expected, found) = (self.vertices.len(), vertices.len());
            return Err(VertexCountError { expected, found });
        }
        for (vertex, &index) in self.vertices.iter_mut().zip(&self.indices) {
            *vertex = vertices[index];
        }
        for (bounds, block) in self.boxes.iter_mut().zip(self.vertices.chunks(self.block_length)) {
            *bounds = bounding_box(block);
        }
        Ok(())
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.vertices.is_empty()
    }

    fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        let vertices = self.vertices.chunks(self.block_length);
        let indices = self.indices.chunks(self.block_length);
        self.boxes.iter().zip(vertices).zip(indices).map(|((bounds, v), i)| (bounds, v, i))
    }
}

/// Orders `indices` so that every run of `block_length` is a compact group: halves at a multiple of the block length.
fn sort_spatially(vertices: &[Vec3], indices: &mut [usize], block_length: usize) {
    let blocks = indices.len().div_ceil(block_length);
    if blocks < 2 {
        return;
    }
    let (mut min, mut max) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for &index in indices.iter() {
        (min, max) = (min.inf(&vertices[index]), max.sup(&vertices[index]));
    }
    let axis = (max - min).imax();
    let middle = blocks / 2 * block_length;
    // The index breaks ties, so that the order does not depend on how the selection works.
    indices.select_nth_unstable_by(middle, |&i, &j| {
        vertices[i][axis].total_cmp(&vertices[j][axis]).then(i.cmp(&j))
    });
    let (low, high) = indices.split_at_mut(middle);
    sort_spatially(vertices, low, block_length);
    sort_spatially(vertices, high, block_length);
}

fn bounding_box(vertices: &[Vec3]) -> Aabb {
    let mut bounds =
        Aabb { min: Vec3::repeat(f64::INFINITY), max: Vec3::repeat(f64::NEG_INFINITY) };
    for vertex in vertices {
        bounds = Aabb { min: bounds.min.inf(vertex), max: bounds.max.sup(vertex) };
    }
    bounds
}

/// The tightest box of a posed shape along the world axes: six support values.
fn world_aabb(shape: &Shape, pose: &Pose) -> Aabb {
    let reach = |dir: Vec3| shape.support(&pose.rotation.inverse_transform_vector(&dir)).value;
    let above = Vec3::new(reach(Vec3::x()), reach(Vec3::y()), reach(Vec3::z()));
    let below = Vec3::new(reach(-Vec3::x()), reach(-Vec3::y()), reach(-Vec3::z()));
    let origin = pose.translation.vector;
    Aabb { min: origin - below, max: origin + above }
}

/// Calls `visit(index, value)` for every vertex inside or on the surface, with its index in the slice the blocks were
/// built from and the value of the inside–outside function (≤ 0, not a distance). In block order, deterministic.
pub fn colliding_vertices(
    shape: &Shape,
    pose: &Pose,
    blocks: &VertexBlocks,
    mut visit: impl FnMut(usize, f64),
) {
    let bounds = world_aabb(shape, pose);
    for (block, vertices, indices) in blocks.blocks() {
        if !block.overlaps(&bounds) {
            continue;
        }
        for (vertex, &index) in vertices.iter().zip(indices) {
            if bounds.contains(vertex) {
                let local = pose.inverse_transform_point(&(*vertex).into()).coords;
                let value = shape.inside_outside(&local);
                if value <= 0.0 {
                    visit(index, value);
                }
            }
        }
    }
}

/// The vertex nearest to a surface, or deepest inside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestVertex {
    /// Index in the slice the blocks were built from.
    pub index: usize,
    /// Its signed distance and projection.
    pub projection: PointProjection,
}

/// The vertex with the smallest signed distance to the surface; `None` when there are no vertices.
///
/// Branch and bound over the blocks: a block or a vertex is skipped when its distance to the box of the surface, or its
/// height above the plane that supports the surface at the best projection so far (n·x − h(n), a lower bound on the
/// signed distance of x), is no smaller than the best distance. Of equal vertices the first one visited is returned.
pub fn nearest_vertex(
    shape: &Shape,
    pose: &Pose,
    blocks: &VertexBlocks,
    options: &QueryOptions,
) -> Option<NearestVertex> {
    let mut search = Search { shape, pose, options, bounds: world_aabb(shape, pose), best: None };
    // The block nearest to the box first: a good bound early makes the rest cheap.
    let first =
        blocks.boxes.iter().enumerate().min_by(|(_, a), (_, b)| {
            search.bounds.distance(a).total_cmp(&search.bounds.distance(b))
        })?;
    let first = first.0;
    if let Some(block) = blocks.blocks().nth(first) {
        search.visit(block);
    }
    for (k, block) in blocks.blocks().enumerate() {
        if k != first {
            search.visit(block);
        }
    }
    search.best.map(|best| best.nearest)
}

/// The best vertex so far, and the supporting plane at its projection: n and h(n), world frame.
struct Best {
    nearest: NearestVertex,
    normal_w: Vec3,
    height: f64,
}

struct Search<'a> {
    shape: &'a Shape,
    pose: &'a Pose,
    options: &'a QueryOptions,
    bounds: Aabb,
    best: Option<Best>,
}

impl Search<'_> {
    fn visit(&mut self, (block, vertices, indices): Block<'_>) {
        if self.is_farther(block) {
            return;
        }
        for (vertex, &index) in vertices.iter().zip(indices) {
            if self.is_farther(&Aabb { min: *vertex, max: *vertex }) {
                continue;
            }
            let projection = point_distance(self.shape, self.pose, vertex, self.options);
            let farther = |best: &Best| projection.distance >= best.nearest.projection.distance;
            if self.best.as_ref().is_some_and(farther) {
                continue;
            }
            let normal_w = projection.normal_w;
            let local = self.pose.rotation.inverse_transform_vector(&normal_w);
            let height =
                normal_w.dot(&self.pose.translation.vector) + self.shape.support(&local).value;
            self.best =
                Some(Best { nearest: NearestVertex { index, projection }, normal_w, height });
        }
    }

    /// Whether every point of the box is proven no nearer than the best vertex.
    fn is_farther(&self, points: &Aabb) -> bool {
        let Some(best) = &self.best else { return false };
        let limit = best.nearest.projection.distance;
        let gap = self.bounds.distance(points);
        let n = &best.normal_w;
        let lowest = n.dot(&points.center()) - n.abs().dot(&points.half_extents());
        (gap > 0.0 && gap >= limit) || lowest - best.height >= limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::Sphere;

    fn grid() -> Vec<Vec3> {
        let mut vertices = Vec::new();
        for i in 0..41 {
            for j in 0..41 {
                vertices.push(Vec3::new(0.1 * i as f64, 0.1 * j as f64, 0.0));
            }
        }
        vertices
    }

    #[test]
    fn a_ball_in_a_cloth_collides_with_the_vertices_within_its_radius() {
        let vertices = grid();
        let blocks = VertexBlocks::spatially_sorted(&vertices);
        let ball = Sphere::new(0.35).unwrap().into();
        let pose = Pose::translation(2.03, 1.07, 0.1);
        let mut hits = Vec::new();
        colliding_vertices(&ball, &pose, &blocks, |index, _| hits.push(index));
        hits.sort_unstable();
        let inside = |v: &Vec3| (v - pose.translation.vector).norm() <= 0.35;
        let expected: Vec<usize> = (0..vertices.len()).filter(|&k| inside(&vertices[k])).collect();
        assert_eq!(hits, expected);
    }

    #[test]
    fn refitted_blocks_are_those_of_the_moved_vertices() {
        let mut vertices = grid();
        let mut blocks = VertexBlocks::consecutive(&vertices, 36);
        for vertex in &mut vertices {
            vertex.z = vertex.x.sin();
        }
        blocks.refit(&vertices).unwrap();
        assert_eq!(blocks, VertexBlocks::consecutive(&vertices, 36));
        let error = blocks.refit(&vertices[1..]).unwrap_err();
        assert_eq!(error, VertexCountError { expected: 1681, found: 1680 });
    }

    #[test]
    fn no_vertices_have_no_nearest() {
        let blocks = VertexBlocks::spatially_sorted(&[]);
        let ball = Sphere::new(0.35).unwrap().into();
        assert!(blocks.is_empty());
        let options = QueryOptions::default();
        assert!(nearest_vertex(&ball, &Pose::identity(), &blocks, &options).is_none());
    }
}
