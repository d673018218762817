//! The planes between the Voronoi regions of neighbouring features, and which of two neighbours is nearer to a point or to an
//! edge of another body.

use super::polyhedron::{Feature, Polyhedron};
use smooth_scene_geometry::math::Vec3;

/// The plane between the regions of a feature and of one that it bounds: a vertex and an edge, or an edge and a face. The
/// larger feature is on the positive side.
pub(crate) struct VoronoiPlane<'a> {
    normal: Vec3,
    point: Vec3,
    between: Between<'a>,
}

enum Between<'a> {
    VertexAndEdge,
    EdgeAndFace { polyhedron: &'a Polyhedron, face: u32 },
}

impl VoronoiPlane<'_> {
    fn height(&self, point: &Vec3) -> f64 {
        self.normal.dot(&(point - self.point))
    }

    /// Whether the point of the segment that is nearest to the two features is nearest to the larger. The distance from one
    /// of them is a convex function along the segment and equal for both on the plane: where the segment crosses it, the
    /// sign of the derivative tells on which side the minimum is. The smaller feature is preferred when they are equal.
    fn prefers_larger_for_segment(&self, ends: &[Vec3; 2], tie: f64) -> bool {
        let [d0, d1] = [self.height(&ends[0]), self.height(&ends[1])];
        if d0 > tie && d1 > tie {
            return true;
        }
        if d0 <= tie && d1 <= tie {
            return false;
        }
        // Between 0 and 1 but for the tie.
        let share = (d0 / (d0 - d1)).clamp(0.0, 1.0);
        // Towards the positive side.
        let sign = if d1 > d0 { 1.0 } else { -1.0 };
        match self.between {
            Between::VertexAndEdge => {
                let along = ends[1] - ends[0];
                let crossing = ends[0] + share * along;
                sign * along.dot(&(self.point - crossing)) > tie * along.norm()
            }
            Between::EdgeAndFace { polyhedron, face } => {
                let face = &polyhedron.faces[face as usize];
                let [h0, h1] = [face.height(&ends[0]), face.height(&ends[1])];
                let crossing = h0 + share * (h1 - h0);
                // |height| decreases towards the face.
                (h1 - h0).abs() > tie && sign * (h1 - h0) * crossing < 0.0
            }
        }
    }
}

/// What is compared with a polyhedron, in the frame of the latter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe {
    pub shape: ProbeShape,
    /// Lengths below this are zero, in metres: what rounding makes of parallel edges and faces.
    pub tie: f64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum ProbeShape {
    Point(Vec3),
    Segment([Vec3; 2]),
}

impl Probe {
    fn prefers_larger(&self, plane: &VoronoiPlane) -> bool {
        match &self.shape {
            ProbeShape::Point(point) => plane.height(point) > self.tie,
            ProbeShape::Segment(ends) => plane.prefers_larger_for_segment(ends, self.tie),
        }
    }
}

/// Compares a probe with the planes of a feature's region and returns the feature itself when it is on the right side of
/// all, or a neighbour that is nearer. Of a face, its edges and corners are neighbours.
///
/// `None`: the answers contradict each other, which exact arithmetic does not permit.
pub(crate) fn clip(polyhedron: &Polyhedron, feature: Feature, probe: &Probe) -> Option<Feature> {
    match feature {
        Feature::Vertex(vertex) => {
            for &edge in polyhedron.edges_of(vertex) {
                if probe.prefers_larger(&end_plane(polyhedron, vertex, edge)) {
                    return Some(Feature::Edge(edge));
                }
            }
            Some(feature)
        }
        Feature::Edge(edge) => {
            for end in polyhedron.edges[edge as usize].ends {
                if !probe.prefers_larger(&end_plane(polyhedron, end, edge)) {
                    return Some(Feature::Vertex(end));
                }
            }
            for side in 0..2 {
                if probe.prefers_larger(&side_plane(polyhedron, edge, side)) {
                    return Some(Feature::Face(polyhedron.edges[edge as usize].faces[side]));
                }
            }
            Some(feature)
        }
        Feature::Face(face) => clip_face(polyhedron, face, probe),
    }
}

/// The nearest of a face, its edges and its corners.
fn clip_face(polyhedron: &Polyhedron, number: u32, probe: &Probe) -> Option<Feature> {
    let face = &polyhedron.faces[number as usize];
    let side = |edge: u32| usize::from(polyhedron.edges[edge as usize].faces[0] != number);
    let outside = |edge: u32| !probe.prefers_larger(&side_plane(polyhedron, edge, side(edge)));
    if !face.edges.iter().any(|edge| outside(*edge)) {
        return Some(Feature::Face(number));
    }
    let beyond = |end: u32, edge: u32| !probe.prefers_larger(&end_plane(polyhedron, end, edge));
    for &edge in face.edges.iter().filter(|edge| outside(**edge)) {
        if !polyhedron.edges[edge as usize].ends.into_iter().any(|end| beyond(end, edge)) {
            return Some(Feature::Edge(edge));
        }
    }
    let count = face.edges.len();
    (0..count).find_map(|k| {
        let corner = face.corners[k];
        let (to, from) = (face.edges[(k + count - 1) % count], face.edges[k]);
        (beyond(corner, to) && beyond(corner, from)).then_some(Feature::Vertex(corner))
    })
}

/// The plane between an end of an edge and the edge.
fn end_plane(polyhedron: &Polyhedron, end: u32, edge: u32) -> VoronoiPlane<'_> {
    let edge = &polyhedron.edges[edge as usize];
    let normal = if edge.ends[0] == end { edge.direction } else { -edge.direction };
    VoronoiPlane {
        normal,
        point: polyhedron.vertices[end as usize],
        between: Between::VertexAndEdge,
    }
}

/// The plane between an edge and one of its two faces.
fn side_plane(polyhedron: &Polyhedron, edge: u32, side: usize) -> VoronoiPlane<'_> {
    let edge = &polyhedron.edges[edge as usize];
    VoronoiPlane {
        normal: edge.inward[side],
        point: polyhedron.vertices[edge.ends[0] as usize],
        between: Between::EdgeAndFace { polyhedron, face: edge.faces[side] },
    }
}
