//! Which bodies are near which vertices: blocks of vertices against boxes, then single vertices and triangles.
//!
//! The filter is that of the thesis (§3.3, after Moustakas et al. 2005). A block keeps what it found until its vertices
//! have moved by a slack: a cloth at rest does not search.

use crate::cloth::contacts::{Block, TriangleContact, VertexContact};
use crate::cloth::obstacle::{Obstacle, VertexPlane};
use crate::cloth::plane::Kind;
use crate::cloth::points::Points;
use crate::cloth::triangle_plane::{TrianglePlane, lowest};
use crate::cloth::tuning::{SLACK_EDGES, SLACK_MOTIONS};
use smooth_scene_geometry::Aabb;
use smooth_scene_geometry::broad_phase::{AabbTree, BroadPhase};

/// Bodies with their boxes.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    pub obstacles: Vec<Obstacle>,
    /// Of the bodies that move, with room around them.
    pub boxes: Vec<Aabb>,
    pub tree: AabbTree,
}

/// What a block searches with.
pub(crate) struct Search<'a> {
    pub rows: usize,
    pub columns: usize,
    /// Shortest edge, m.
    pub edge: f64,
    pub thickness: f64,
    pub with_triangles: bool,
    pub around: &'a Surroundings,
    /// Positions at the beginning of the substep.
    pub start: &'a Points,
}

impl Search<'_> {
    /// How far a block's vertices are from where they began, along any axis.
    pub fn motion(&self, block: &Block, points: &Points) -> f64 {
        let [rows, columns] = block.with_neighbours(self.rows, self.columns);
        let mut farthest = 0.0f64;
        for (now, start) in points.axes().into_iter().zip(self.start.axes()) {
            for row in rows.clone() {
                let range = row * self.columns + columns.start..row * self.columns + columns.end;
                farthest = farthest.max(largest_difference(&now[range.clone()], &start[range]));
            }
        }
        farthest
    }

    /// Looks for bodies near a block, unless it knows them.
    pub fn follow(&self, block: &mut Block, points: &Points) {
        let motion = self.motion(block, points);
        if block.moved + motion <= block.slack {
            return;
        }
        block.slack = (SLACK_EDGES * self.edge).max(SLACK_MOTIONS * motion);
        block.moved = 0.0;
        let near = self.near(block, points);
        self.find_vertices(block, &near, points);
        if self.with_triangles {
            self.find_triangles(block, &near, points);
        }
    }

    /// Where a vertex is in this substep and may be until the next search, with its thickness.
    fn reach(&self, vertex: usize, slack: f64, points: &Points) -> Aabb {
        let (a, b) = (self.start.get(vertex), points.get(vertex));
        Aabb { min: a.inf(&b), max: a.sup(&b) }.inflated(slack + self.thickness)
    }

    /// Bodies whose boxes meet that of a block, in their order.
    fn near(&self, block: &Block, points: &Points) -> Vec<usize> {
        let [rows, columns] = block.with_neighbours(self.rows, self.columns);
        let vertices = rows.flat_map(|i| columns.clone().map(move |j| i * self.columns + j));
        let all = vertices.map(|vertex| self.reach(vertex, block.slack, points));
        let bounds = all.reduce(|a, b| a.merged(&b)).expect("a block has vertices");
        let mut near = Vec::new();
        self.around.tree.for_each_overlap(&bounds, |id| {
            near.push(id as usize);
            true
        });
        near.sort_unstable();
        near
    }

    fn find_vertices(&self, block: &mut Block, near: &[usize], points: &Points) {
        let known = std::mem::take(&mut block.vertices);
        for row in block.rows.clone() {
            for column in block.columns.clone() {
                let vertex = row * self.columns + column;
                let reach = self.reach(vertex, block.slack, points);
                for &obstacle in near {
                    if reach.overlaps(&self.around.boxes[obstacle]) {
                        let key = (vertex as u32, obstacle as u32);
                        let place = known.binary_search_by_key(&key, |c| (c.vertex, c.obstacle));
                        let contact = match place {
                            Ok(place) => known[place],
                            Err(_) => self.new_contact(vertex, obstacle, block.slack),
                        };
                        block.vertices.push(contact);
                    }
                }
            }
        }
    }

    /// The first plane of most vertices costs nothing: they are in front of a box or a ball around the body.
    fn new_contact(&self, vertex: usize, obstacle: usize, slack: f64) -> VertexContact {
        let body = &self.around.obstacles[obstacle];
        let made_at = body.carried(&self.start.get(vertex));
        let mut first = body.coarse_plane(&made_at);
        if first.kind == Kind::Coarse && first.plane.gap(&made_at) < self.thickness {
            // Far from the body any plane will do.
            let enough = slack + self.thickness;
            first = body.first_plane(&made_at, |_, gap| gap > enough);
        }
        let VertexPlane { plane, kind, radius } = first;
        let (vertex, obstacle) = (vertex as u32, obstacle as u32);
        VertexContact { vertex, obstacle, plane, made_at, radius, kind }
    }

    /// Triangles of the cells that begin in the block. One that a body sticks through has no plane, and no contact.
    fn find_triangles(&self, block: &mut Block, near: &[usize], points: &Points) {
        let known = std::mem::take(&mut block.triangles);
        let fits = |obstacle: &&usize| self.around.obstacles[**obstacle].fits_a_mesh;
        let near: Vec<usize> = near.iter().filter(fits).copied().collect();
        if near.is_empty() {
            return;
        }
        let [rows, columns] = block.with_neighbours(self.rows, self.columns);
        let (first, width) = (rows.start * self.columns + columns.start, columns.len());
        let vertices = rows.flat_map(|i| columns.clone().map(move |j| i * self.columns + j));
        let reaches: Vec<Aabb> =
            vertices.map(|vertex| self.reach(vertex, block.slack, points)).collect();
        let reach_of = |corner: usize| {
            let (row, column) = ((corner - first) / self.columns, (corner - first) % self.columns);
            &reaches[row * width + column]
        };
        for row in block.rows.start..block.rows.end.min(self.rows - 1) {
            for column in block.columns.start..block.columns.end.min(self.columns.max(1) - 1) {
                for corners in cell_triangles(row, column, self.columns) {
                    let [a, b, c] = corners.map(reach_of);
                    let reach = a.merged(b).merged(c);
                    let corners = corners.map(|corner| corner as u32);
                    for &obstacle in &near {
                        if !reach.overlaps(&self.around.boxes[obstacle]) {
                            continue;
                        }
                        let key = (corners, obstacle as u32);
                        let place = known.binary_search_by_key(&key, |c| (c.corners, c.obstacle));
                        let contact = match place {
                            Ok(place) => Some(known[place]),
                            Err(_) => self.new_triangle(corners, obstacle, block.slack),
                        };
                        block.triangles.extend(contact);
                    }
                }
            }
        }
    }

    fn new_triangle(
        &self,
        corners: [u32; 3],
        obstacle: usize,
        slack: f64,
    ) -> Option<TriangleContact> {
        let body = &self.around.obstacles[obstacle];
        let made_at = corners.map(|corner| body.carried(&self.start.get(corner as usize)));
        let mut found = body.coarse_triangle_plane(&made_at);
        if lowest(&made_at, &found.plane.normal) - found.plane.offset < self.thickness {
            let enough = slack + self.thickness;
            let towards = body.towards(&made_at);
            found = body.triangle_plane(&made_at, &towards, |_, gap| gap >= enough)?;
        }
        let TrianglePlane { plane, kind, radius, weights } = found;
        let obstacle = obstacle as u32;
        Some(TriangleContact { corners, obstacle, plane, weights, made_at, radius, kind })
    }
}

/// The largest difference of two numbers of the same place. Four at a time, which the compiler puts into one register.
fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = a.remainder().iter().zip(b.remainder()).map(|(a, b)| (a - b).abs());
    let rest = rest.fold(0.0, f64::max);
    let mut largest = [rest; 4];
    for (a, b) in a.zip(b) {
        for k in 0..4 {
            let difference = (a[k] - b[k]).abs();
            if difference > largest[k] {
                largest[k] = difference;
            }
        }
    }
    largest.into_iter().fold(0.0, f64::max)
}

/// The two triangles of a cell.
pub(crate) fn cell_triangles(row: usize, column: usize, columns: usize) -> [[usize; 3]; 2] {
    let first = row * columns + column;
    let below = first + columns;
    [[first, below, below + 1], [first, below + 1, first + 1]]
}
