//! Surfaces as typed messages.

use super::pose::{point, point_message, pose, pose_message};
use crate::convert::{Limits, Refusal};
use crate::geometry::{Shape, ShapeError, tessellate_with_vertex_count};
use crate::interfaces::msg::Surface;
use crate::math::{Pose, Vec3};

/// Vertices of the mesh that stands for a surface without a type of its own.
const MESH_VERTICES: usize = 1000;

/// A surface and its pose in its object. `what` names it in the refusal.
pub fn surface(
    message: &Surface,
    limits: &Limits,
    what: &dyn Fn() -> String,
) -> Result<(Pose, Shape), Refusal> {
    let at = pose(&message.pose, &|| format!("{}.pose", what()))?;
    let refused = |error: ShapeError| Refusal::bad_request(format!("{}: {error}", what()));
    let bare = bare_shape(message, limits, what)?.map_err(refused)?;
    let shape = bare.padded(message.padding).map_err(refused)?;
    Ok((at, shape))
}

fn bare_shape(
    message: &Surface,
    limits: &Limits,
    what: &dyn Fn() -> String,
) -> Result<Result<Shape, ShapeError>, Refusal> {
    let d = Dimensions { numbers: &message.dimensions, what };
    let (xy, z) = (message.exponent_xy, message.exponent_z);
    Ok(match message.kind {
        Surface::SPHERE => {
            let [radius] = d.exactly("a SPHERE")?;
            Shape::sphere(radius)
        }
        Surface::ELLIPSOID => Shape::ellipsoid(d.exactly("an ELLIPSOID")?),
        Surface::SUPERELLIPSOID => Shape::superellipsoid(d.exactly("a SUPERELLIPSOID")?, xy, z),
        Surface::SUPEROVOID => Shape::superovoid(d.exactly("a SUPEROVOID")?, xy, z, message.taper),
        Surface::POLY_ELLIPSOID => Shape::poly_ellipsoid(d.exactly("a POLY_ELLIPSOID")?),
        Surface::BOX => {
            let sizes: [f64; 3] = d.exactly("a BOX")?;
            Shape::cuboid(sizes.map(|size| 0.5 * size))
        }
        Surface::CYLINDER => {
            let [radius, length] = d.exactly("a CYLINDER")?;
            Shape::cylinder(radius, 0.5 * length)
        }
        Surface::CAPSULE => {
            let [radius, length] = d.exactly("a CAPSULE")?;
            Shape::capsule(radius, 0.5 * length)
        }
        Surface::CONE => {
            let [radius, height] = d.exactly("a CONE")?;
            Shape::cone(radius, 0.5 * height)
        }
        Surface::HALF_SPACE => {
            let [x, y, z, offset] = d.exactly("a HALF_SPACE")?;
            Shape::half_space([x, y, z], offset)
        }
        Surface::CONVEX_MESH => {
            let count = message.vertices.len();
            let name = |k| format!("{}.vertices[{k}]", what());
            let vertices = message.vertices.iter().enumerate();
            let vertices = vertices.map(|(k, vertex)| point(vertex, &|| name(k)));
            return mesh(count, vertices, limits, what);
        }
        kind => {
            let reason = format!("{}.kind is {kind}, must be 1 to 11", what());
            return Err(Refusal::bad_request(reason));
        }
    })
}

/// The hull of vertices, if there are not too many of them.
pub fn mesh(
    count: usize,
    vertices: impl Iterator<Item = Result<Vec3, Refusal>>,
    limits: &Limits,
    what: &dyn Fn() -> String,
) -> Result<Result<Shape, ShapeError>, Refusal> {
    if count > limits.mesh_vertices {
        let max = limits.mesh_vertices;
        let reason = format!("{} has {count} vertices, must have at most {max}", what());
        return Err(Refusal::bad_request(reason));
    }
    let vertices: Vec<Vec3> = vertices.collect::<Result<_, _>>()?;
    Ok(Shape::convex_mesh(&vertices))
}

/// The dimensions of a shape, whose number depends on its kind.
pub struct Dimensions<'a> {
    /// The numbers.
    pub numbers: &'a [f64],
    /// Names the shape in the refusal.
    pub what: &'a dyn Fn() -> String,
}

impl Dimensions<'_> {
    /// The numbers, if there are as many as the kind of shape has.
    pub fn exactly<const N: usize>(&self, kind: &str) -> Result<[f64; N], Refusal> {
        self.numbers.try_into().map_err(|_| {
            let (what, count) = ((self.what)(), self.numbers.len());
            Refusal::bad_request(format!("{what} has {count} dimensions, {kind} has {N}"))
        })
    }
}

/// A surface as a message. Shapes that have no type of their own, which no message can bring into a scene, become
/// meshes; a compound has to be taken apart before.
pub fn surface_message(at: &Pose, shape: &Shape) -> Surface {
    let mut message = Surface { pose: pose_message(at), ..Surface::default() };
    let bare = match shape {
        Shape::Padded(padded) => {
            message.padding = padded.radius();
            padded.shape()
        }
        shape => shape,
    };
    (message.kind, message.dimensions) = match bare {
        Shape::Sphere(s) => (Surface::SPHERE, vec![s.radius()]),
        Shape::Ellipsoid(s) => (Surface::ELLIPSOID, s.radii().to_vec()),
        Shape::Superellipsoid(s) => {
            (message.exponent_xy, message.exponent_z) = (s.exponent_xy(), s.exponent_z());
            (Surface::SUPERELLIPSOID, s.radii().to_vec())
        }
        Shape::Superovoid(s) => {
            (message.exponent_xy, message.exponent_z) = (s.exponent_xy(), s.exponent_z());
            message.taper = s.taper();
            (Surface::SUPEROVOID, s.radii().to_vec())
        }
        Shape::PolyEllipsoid(s) => (Surface::POLY_ELLIPSOID, s.radii().to_vec()),
        Shape::Cuboid(s) => (Surface::BOX, s.half_extents().map(|half| 2.0 * half).to_vec()),
        Shape::Cylinder(s) => (Surface::CYLINDER, vec![s.radius(), 2.0 * s.half_length()]),
        Shape::Capsule(s) => (Surface::CAPSULE, vec![s.radius(), 2.0 * s.half_length()]),
        Shape::Cone(s) => (Surface::CONE, vec![s.radius(), 2.0 * s.half_length()]),
        Shape::HalfSpace(s) => {
            let normal = s.normal();
            (Surface::HALF_SPACE, vec![normal.x, normal.y, normal.z, s.offset()])
        }
        Shape::ConvexMesh(s) => {
            message.vertices = s.vertices().iter().map(point_message).collect();
            (Surface::CONVEX_MESH, Vec::new())
        }
        Shape::Compound(_) | Shape::Padded(_) | Shape::Mapped(_) => {
            let mesh = tessellate_with_vertex_count(bare, MESH_VERTICES);
            message.vertices = mesh.vertices.iter().map(point_message).collect();
            (Surface::CONVEX_MESH, Vec::new())
        }
    };
    message
}
