//! A surface of a given kind around bodies that have no numbers of their own: meshes, compounds, padded shapes.
//!
//! The kind starts in the box around the points along their principal axes, and is scaled up until every point is inside.

use nalgebra::{Rotation3, UnitQuaternion};

use super::error::ViewError;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::{
    Content, ConvexSurface, Field, Quantity, Shape, ShapeKind, tessellate_with_vertex_count,
};

/// Exponents of a surface around a mesh: between an ellipsoid and a box.
const EXPONENT: f64 = 0.5;
/// Vertices by which a shape without corners is replaced.
const VERTICES: usize = 2000;
/// Growth per try, and most tries, in the search for the least size. A kind that is contained in no box of this size does
/// not exist: a cone around a box needs a factor of 2 + √2.
const GROWTH: f64 = 2.0;
const MAX_DOUBLINGS: u32 = 8;
/// Relative accuracy of the size.
const TOLERANCE: f64 = 1e-6;
/// Least half extent, as a share of the largest: a flat mesh is given some thickness.
const LEAST_SHARE: f64 = 1e-3;

/// A surface of this kind that contains the bodies, and its pose in their frame.
pub(super) fn enclosing<'a>(
    bodies: impl IntoIterator<Item = (&'a Pose, &'a Shape)>,
    kind: &str,
) -> Result<(Pose, Shape), ViewError> {
    let unknown =
        || ViewError::Unknown { kind: "kind of shape to enclose with", name: kind.into() };
    let kind = ShapeKind::by_name(kind).filter(|kind| kind.is_bounded()).ok_or_else(unknown)?;
    let Content::Numbers(numbers) = &kind.content else { return Err(unknown()) };
    let points = points_of(bodies)?;
    let (pose, half) = principal_box(&points);
    let local: Vec<Vec3> =
        points.iter().map(|p| pose.inverse_transform_point(&(*p).into()).coords).collect();
    let make = |size: f64| -> Result<Shape, ViewError> {
        let half = half * size;
        let read = |field: &'static Field| Ok::<_, ViewError>(values(kind, field, &half));
        Ok(numbers.read(read)??)
    };
    let contains = |shape: &Shape| local.iter().all(|point| shape.inside_outside(point) <= 0.0);

    // 1. Double until everything is inside. 2. Bisect between the last two.
    let (mut low, mut high) = (0.5, 1.0);
    let mut shape = make(high)?;
    for _ in 0..MAX_DOUBLINGS {
        if contains(&shape) {
            break;
        }
        (low, high) = (high, GROWTH * high);
        shape = make(high)?;
    }
    if !contains(&shape) {
        return Err(ViewError::NotEnclosed { kind: kind.name });
    }
    while high - low > TOLERANCE * high {
        let middle = 0.5 * (low + high);
        let tried = make(middle)?;
        if contains(&tried) {
            (high, shape) = (middle, tried);
        } else {
            low = middle;
        }
    }
    Ok((pose, shape))
}

/// Points whose hull contains the bodies, in their common frame.
fn points_of<'a>(
    bodies: impl IntoIterator<Item = (&'a Pose, &'a Shape)>,
) -> Result<Vec<Vec3>, ViewError> {
    let mut points = Vec::new();
    for (pose, shape) in bodies {
        let vertices = match shape {
            Shape::ConvexMesh(mesh) => mesh.vertices().to_vec(),
            other => around(other),
        };
        points.extend(vertices.iter().map(|v| pose.transform_point(&(*v).into()).coords));
    }
    if points.is_empty() {
        return Err(ViewError::Unknown { kind: "vertex", name: "of the shape".into() });
    }
    Ok(points)
}

/// Vertices around a curved shape: those of a tessellation, moved away from their middle until all facets are outside.
fn around(shape: &Shape) -> Vec<Vec3> {
    let mesh = tessellate_with_vertex_count(shape, VERTICES);
    let middle = mesh.vertices.iter().sum::<Vec3>() / mesh.vertices.len() as f64;
    let factor = mesh.triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|k| mesh.vertices[k as usize]);
        let normal = (b - a).cross(&(c - a));
        let facet = normal.dot(&(a - middle));
        let reach =
            if facet > 0.0 { shape.support(&normal).value - normal.dot(&middle) } else { 0.0 };
        if facet > 0.0 { reach / facet } else { 1.0 }
    });
    let factor = factor.fold(1.0, f64::max);
    mesh.vertices.iter().map(|vertex| middle + (vertex - middle) * factor).collect()
}

/// The box around points along their principal axes, the longest of them as z: its pose and half extents.
fn principal_box(points: &[Vec3]) -> (Pose, Vec3) {
    let mean = points.iter().sum::<Vec3>() / points.len() as f64;
    let spread: Mat3 = points.iter().map(|p| (p - mean) * (p - mean).transpose()).sum();
    let eigen = spread.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
    let [x, z] = [order[0], order[2]].map(|k| eigen.eigenvectors.column(k).into_owned());
    let axes = Mat3::from_columns(&[x, z.cross(&x), z]);
    let principal = Rotation3::from_matrix_unchecked(axes);
    // The axes of the frame, unless the principal ones give a smaller box: meshes are often modelled along their axes.
    let best = [Rotation3::identity(), principal].map(|turn| (turn, extent(points, &turn)));
    let volume = |(_, (_, half)): &(Rotation3<f64>, (Vec3, Vec3))| half.x * half.y * half.z;
    let (turn, (middle, half)) =
        if volume(&best[1]) < 0.95 * volume(&best[0]) { best[1] } else { best[0] };
    let rotation = UnitQuaternion::from_rotation_matrix(&turn);
    let pose = Pose::from_parts((turn * middle).into(), rotation);
    (pose, half.sup(&Vec3::repeat(LEAST_SHARE * half.max())))
}

/// Middle and half extents along turned axes.
fn extent(points: &[Vec3], turn: &Rotation3<f64>) -> (Vec3, Vec3) {
    let local = points.iter().map(|point| turn.inverse() * point);
    let (least, most) = local.fold(
        (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)),
        |(least, most), p| (least.inf(&p), most.sup(&p)),
    );
    (0.5 * (least + most), 0.5 * (most - least))
}

/// The numbers of a field for a shape that fills about this box.
fn values(kind: &ShapeKind, field: &'static Field, half: &Vec3) -> Vec<f64> {
    let flat = half.x.max(half.y);
    let along = |label: &str| match label.chars().last() {
        Some('x') => half.x,
        Some('y') => half.y,
        _ => half.z,
    };
    match (field.quantity, field.is_scalar()) {
        (Quantity::Exponent, _) => vec![EXPONENT; field.count()],
        (Quantity::Taper | Quantity::Direction | Quantity::Coordinate, _) => {
            vec![0.0; field.count()]
        }
        (Quantity::Length, false) => field.labels.iter().map(|label| along(label)).collect(),
        (Quantity::FullLength, false) => {
            field.labels.iter().map(|label| 2.0 * along(label)).collect()
        }
        // One radius alone is that of a ball.
        (Quantity::Length, true) if kind.fields().len() == 1 => vec![half.max()],
        (Quantity::Length, true) => vec![flat],
        (Quantity::FullLength, true) => vec![2.0 * half.z],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slanted block with a corner cut off, away from the origin.
    fn block() -> Shape {
        let turn = UnitQuaternion::from_euler_angles(0.3, -0.7, 1.1);
        let mut corners = Vec::new();
        for x in [-0.1, 0.1] {
            for y in [-0.03, 0.03] {
                for z in [-0.02, 0.02] {
                    let inner = if [x, y, z] == [0.1, 0.03, 0.02] { 0.8 } else { 1.0 };
                    corners.push(turn * Vec3::new(x, y, z) * inner + Vec3::new(0.3, -0.1, 0.2));
                }
            }
        }
        Shape::convex_mesh(&corners).unwrap()
    }

    #[test]
    fn every_kind_contains_the_mesh_and_is_not_much_larger() {
        let Shape::ConvexMesh(mesh) = block() else { panic!("a mesh") };
        for kind in ShapeKind::ALL.iter().filter(|kind| kind.is_bounded()) {
            if !matches!(kind.content, Content::Numbers(_)) {
                continue;
            }
            let (pose, shape) = enclosing([(&Pose::identity(), &block())], kind.name).unwrap();
            let mut nearest = f64::NEG_INFINITY;
            for vertex in mesh.vertices() {
                let local = pose.inverse_transform_point(&(*vertex).into()).coords;
                nearest = nearest.max(shape.inside_outside(&local));
            }
            assert!(nearest <= 0.0, "{}: {nearest}", kind.name);
            // Some vertex is on it, so that it is the least of its proportions.
            assert!(nearest > -1e-4, "{}: {nearest}", kind.name);
            let reach = shape.bounding_radius();
            assert!(reach < 0.5, "{} reaches {reach} m", kind.name);
        }
    }

    #[test]
    fn a_curved_body_is_contained_too() {
        let capsule = Shape::capsule(0.05, 0.1).unwrap();
        let (pose, shape) = enclosing([(&Pose::identity(), &capsule)], "superellipsoid").unwrap();
        for k in 0..1000 {
            let [a, b] = [f64::from(k) * 0.618, f64::from(k) * 0.414];
            let dir = Vec3::new(a.cos() * b.sin(), a.sin() * b.sin(), b.cos());
            let point = capsule.support(&dir).point;
            let local = pose.inverse_transform_point(&point.into()).coords;
            assert!(shape.inside_outside(&local) <= 0.0, "{dir:?}");
        }
    }

    #[test]
    fn endless_and_unknown_kinds_are_refused() {
        for kind in ["half_space", "convex_mesh", "teapot"] {
            let error = enclosing([(&Pose::identity(), &block())], kind).unwrap_err().to_string();
            assert_eq!(error, format!("there is no kind of shape to enclose with `{kind}`"));
        }
    }
}
