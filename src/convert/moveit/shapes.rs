//! Primitives, meshes and planes, in the order in which MoveIt counts the shapes of an object.
//!
//! A mesh stands for its convex hull, a prism for the hull of its two faces, and a plane for the half-space below it:
//! all points p with a·x + b·y + c·z + d ≤ 0. Outwards, surfaces that MoveIt has no name for become meshes whose
//! vertices lie on the surface.

use crate::convert::pose::{point, point_message, pose, pose_message};
use crate::convert::surface::{Dimensions, mesh};
use crate::convert::{Limits, Refusal};
use crate::geometry::{Shape, ShapeError, tessellate_with_vertex_count};
use crate::interfaces::geometry_msgs::msg::Pose as PoseMessage;
use crate::interfaces::shape_msgs::msg::{Mesh, MeshTriangle, Plane, SolidPrimitive};
use crate::math::{Pose, Vec3};

/// Vertices of the mesh that stands for a smooth surface.
const MESH_VERTICES: usize = 128;

/// The lists of shapes that several messages of MoveIt have.
#[derive(Debug, Clone, Copy)]
pub struct ShapeLists<'a> {
    /// Boxes, spheres, cylinders, cones, prisms.
    pub primitives: &'a [SolidPrimitive],
    /// Their poses; those that are missing are at the origin.
    pub primitive_poses: &'a [PoseMessage],
    /// Meshes.
    pub meshes: &'a [Mesh],
    /// Their poses.
    pub mesh_poses: &'a [PoseMessage],
    /// Planes.
    pub planes: &'a [Plane],
    /// Their poses.
    pub plane_poses: &'a [PoseMessage],
}

impl ShapeLists<'_> {
    /// How many shapes there are.
    pub fn len(&self) -> usize {
        self.primitives.len() + self.meshes.len() + self.planes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Shapes and their poses. `what` names what they belong to in the refusal.
    pub fn shapes(
        &self,
        limits: &Limits,
        what: &dyn Fn() -> String,
    ) -> Result<Vec<(Pose, Shape)>, Refusal> {
        let mut all = Vec::with_capacity(self.len());
        let at = |field: &str, poses: &[PoseMessage], k: usize| match poses.get(k) {
            None => Ok(Pose::identity()),
            Some(message) => pose(message, &|| format!("{}: {field}[{k}]", what())),
        };
        for (field, shapes, poses) in [
            ("primitive_poses", self.primitives.len(), self.primitive_poses.len()),
            ("mesh_poses", self.meshes.len(), self.mesh_poses.len()),
            ("plane_poses", self.planes.len(), self.plane_poses.len()),
        ] {
            if poses > shapes {
                let what = what();
                let reason = format!("{what} has {poses} {field} for {shapes} shapes");
                return Err(Refusal::bad_request(reason));
            }
        }
        for (k, message) in self.primitives.iter().enumerate() {
            let name = || format!("{}: primitives[{k}]", what());
            let shape = made(primitive(message, limits, &name)?, &name)?;
            all.push((at("primitive_poses", self.primitive_poses, k)?, shape));
        }
        for (k, message) in self.meshes.iter().enumerate() {
            let name = || format!("{}: meshes[{k}]", what());
            let corner = |(i, vertex)| point(vertex, &|| format!("{}.vertices[{i}]", name()));
            let vertices = message.vertices.iter().enumerate().map(corner);
            let shape = mesh(message.vertices.len(), vertices, limits, &name)?;
            all.push((at("mesh_poses", self.mesh_poses, k)?, made(shape, &name)?));
        }
        for (k, message) in self.planes.iter().enumerate() {
            let name = || format!("{}: planes[{k}]", what());
            all.push((at("plane_poses", self.plane_poses, k)?, made(plane(message), &name)?));
        }
        Ok(all)
    }
}

fn made(shape: Result<Shape, ShapeError>, what: &dyn Fn() -> String) -> Result<Shape, Refusal> {
    shape.map_err(|error| Refusal::bad_request(format!("{}: {error}", what())))
}

fn plane(message: &Plane) -> Result<Shape, ShapeError> {
    let [a, b, c, d] = message.coef;
    let length = Vec3::new(a, b, c).norm();
    Shape::half_space([a, b, c], if length > 0.0 { -d / length } else { 0.0 })
}

fn primitive(
    message: &SolidPrimitive,
    limits: &Limits,
    what: &dyn Fn() -> String,
) -> Result<Result<Shape, ShapeError>, Refusal> {
    let d = Dimensions { numbers: &message.dimensions, what };
    Ok(match message.type_ {
        SolidPrimitive::BOX => {
            let sizes: [f64; 3] = d.exactly("a BOX")?;
            Shape::cuboid(sizes.map(|size| 0.5 * size))
        }
        SolidPrimitive::SPHERE => {
            let [radius] = d.exactly("a SPHERE")?;
            Shape::sphere(radius)
        }
        SolidPrimitive::CYLINDER => {
            let [height, radius] = d.exactly("a CYLINDER")?;
            Shape::cylinder(radius, 0.5 * height)
        }
        SolidPrimitive::CONE => {
            let [height, radius] = d.exactly("a CONE")?;
            Shape::cone(radius, 0.5 * height)
        }
        SolidPrimitive::PRISM => {
            let [height] = d.exactly("a PRISM")?;
            let corners = &message.polygon.points;
            let faces = corners.iter().flat_map(|corner| {
                let (x, y) = (f64::from(corner.x), f64::from(corner.y));
                [Vec3::new(x, y, -0.5 * height), Vec3::new(x, y, 0.5 * height)]
            });
            return mesh(2 * corners.len(), faces.map(Ok), limits, what);
        }
        kind => {
            let reason = format!("{}.type is {kind}, must be 1 to 5", what());
            return Err(Refusal::bad_request(reason));
        }
    })
}

/// The shapes of an object, sorted into the lists of a message.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShapeMessages {
    /// Boxes, spheres, cylinders, cones.
    pub primitives: Vec<SolidPrimitive>,
    /// Their poses.
    pub primitive_poses: Vec<PoseMessage>,
    /// Everything else.
    pub meshes: Vec<Mesh>,
    /// Their poses.
    pub mesh_poses: Vec<PoseMessage>,
    /// Half-spaces.
    pub planes: Vec<Plane>,
    /// Their poses.
    pub plane_poses: Vec<PoseMessage>,
}

impl ShapeMessages {
    /// Adds one shape.
    pub fn push(&mut self, at: &Pose, shape: &Shape) {
        let solid =
            |type_, dimensions| SolidPrimitive { type_, dimensions, ..SolidPrimitive::default() };
        let primitive = match shape {
            Shape::Sphere(s) => solid(SolidPrimitive::SPHERE, vec![s.radius()]),
            Shape::Cuboid(s) => {
                solid(SolidPrimitive::BOX, s.half_extents().map(|half| 2.0 * half).to_vec())
            }
            Shape::Cylinder(s) => {
                solid(SolidPrimitive::CYLINDER, vec![2.0 * s.half_length(), s.radius()])
            }
            Shape::Cone(s) => solid(SolidPrimitive::CONE, vec![2.0 * s.half_length(), s.radius()]),
            Shape::HalfSpace(s) => {
                let normal = s.normal();
                self.planes.push(Plane { coef: [normal.x, normal.y, normal.z, -s.offset()] });
                self.plane_poses.push(pose_message(at));
                return;
            }
            other => {
                self.meshes.push(mesh_message(other));
                self.mesh_poses.push(pose_message(at));
                return;
            }
        };
        self.primitives.push(primitive);
        self.primitive_poses.push(pose_message(at));
    }
}

fn mesh_message(shape: &Shape) -> Mesh {
    let (vertices, triangles) = match shape {
        Shape::ConvexMesh(mesh) => (mesh.vertices().to_vec(), mesh.triangles().to_vec()),
        shape => {
            let mesh = tessellate_with_vertex_count(shape, MESH_VERTICES);
            (mesh.vertices, mesh.triangles)
        }
    };
    let triangle = |&vertex_indices: &[u32; 3]| MeshTriangle { vertex_indices };
    Mesh {
        vertices: vertices.iter().map(point_message).collect(),
        triangles: triangles.iter().map(triangle).collect(),
    }
}
