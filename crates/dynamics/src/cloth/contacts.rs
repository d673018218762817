//! The planes near a block of vertices.

use crate::cloth::obstacle::Obstacle;
use crate::cloth::plane::{Kind, Plane};
use crate::cloth::tuning::BLOCK_SIDE;
use smooth_scene_geometry::math::Vec3;
use std::ops::Range;

/// A vertex in front of a body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VertexContact {
    pub vertex: u32,
    pub obstacle: u32,
    pub plane: Plane,
    /// Where the vertex was when the plane was made.
    pub made_at: Vec3,
    /// The least radius of curvature of the body where the plane touches it, m.
    pub radius: f64,
    /// Any plane but the nearest is renewed before it pushes the vertex.
    pub kind: Kind,
}

/// A triangle in front of a body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriangleContact {
    pub corners: [u32; 3],
    pub obstacle: u32,
    pub plane: Plane,
    /// Where on the triangle the body is nearest, barycentric.
    pub weights: [f64; 3],
    /// Where its corners were when the plane was made.
    pub made_at: [Vec3; 3],
    /// As for a vertex.
    pub radius: f64,
    pub kind: Kind,
}

/// Neighbouring vertices, and what is near to them.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub rows: Range<usize>,
    pub columns: Range<usize>,
    /// How far its vertices may move until it has to look for bodies again, and how far they did, m, along each axis.
    pub slack: f64,
    pub moved: f64,
    /// By vertex, then by body.
    pub vertices: Vec<VertexContact>,
    /// By first corner, then by body.
    pub triangles: Vec<TriangleContact>,
}

impl Block {
    /// Blocks that have every vertex once.
    pub fn all(rows: usize, columns: usize) -> Vec<Block> {
        let cut = |count: usize| {
            (0..count).step_by(BLOCK_SIDE).map(move |first| first..(first + BLOCK_SIDE).min(count))
        };
        let one = |rows: &Range<usize>, columns: Range<usize>| Block {
            rows: rows.clone(),
            columns,
            slack: -1.0,
            moved: 0.0,
            vertices: Vec::new(),
            triangles: Vec::new(),
        };
        cut(rows).flat_map(|rows| cut(columns).map(move |columns| one(&rows, columns))).collect()
    }

    /// Makes it look for bodies again.
    pub fn forget(&mut self) {
        self.slack = -1.0;
    }

    /// Its vertices and those of the next row and column, with which its triangles are made.
    pub fn with_neighbours(&self, rows: usize, columns: usize) -> [Range<usize>; 2] {
        let rows = self.rows.start..(self.rows.end + 1).min(rows);
        [rows, self.columns.start..(self.columns.end + 1).min(columns)]
    }

    /// Moves the planes with their bodies.
    pub fn carry(&mut self, obstacles: &[Obstacle]) {
        for contact in &mut self.vertices {
            let obstacle = &obstacles[contact.obstacle as usize];
            if obstacle.is_moving {
                contact.plane = obstacle.carried_plane(&contact.plane);
                contact.made_at = obstacle.carried(&contact.made_at);
            }
        }
        for contact in &mut self.triangles {
            let obstacle = &obstacles[contact.obstacle as usize];
            if obstacle.is_moving {
                contact.plane = obstacle.carried_plane(&contact.plane);
                contact.made_at = contact.made_at.map(|corner| obstacle.carried(&corner));
            }
        }
    }
}
