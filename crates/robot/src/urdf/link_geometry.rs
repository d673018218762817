//! The bodies that links have in a URDF, with the triangles of their meshes: what surfaces are fitted to.

use std::path::{Path, PathBuf};

use super::LoadOptions;
use super::error::UrdfError;
use super::raw::{Notes, RawShape, collision};
use super::standard::{self, StandardShape};
use super::surface_tag::surface;
use super::xml::{self, Element};
use crate::mesh::MeshLoader;
use crate::package::PackageResolver;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// Which elements of a link describe its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GeometrySource {
    /// `<collision>`.
    Collision,
    /// `<visual>`.
    Visual,
}

impl GeometrySource {
    /// The name of the element.
    pub fn element(self) -> &'static str {
        match self {
            GeometrySource::Collision => "collision",
            GeometrySource::Visual => "visual",
        }
    }
}

/// One body of a link.
#[derive(Debug, Clone)]
pub struct LinkGeometry {
    /// Name of the link.
    pub link: String,
    /// Pose of the body in the frame of the link.
    pub pose_in_link: Pose,
    /// The body.
    pub body: GeometryBody,
}

/// What a body is.
#[derive(Debug, Clone)]
pub enum GeometryBody {
    /// A box, cylinder, sphere, capsule or surface.
    Shape(Shape),
    /// A mesh, scaled as the URDF says.
    Mesh {
        /// The file.
        file: PathBuf,
        /// Its triangles, in metres.
        triangles: Vec<[Vec3; 3]>,
    },
}

/// The bodies of all links of a URDF, in the order of the file, with the triangles of the meshes. `folder` is what
/// relative names are relative to. `wanted` says which links are read: the meshes of others are not opened.
pub fn link_geometry(
    text: &str,
    label: &str,
    folder: Option<&Path>,
    source: GeometrySource,
    options: &LoadOptions,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<LinkGeometry>, UrdfError> {
    let parsed = xml::parse(text, label, options.max_nodes)?;
    let root = Element::root(&parsed, label);
    let version = super::raw::version(&root);
    let packages = PackageResolver::new(&options.package_paths, options.use_environment, folder);
    let mut meshes = MeshLoader::new(packages, options.mesh_limits);
    let mut found = Vec::new();
    for link in root.children_named("link") {
        let name = link.required("name")?;
        if !wanted(name) {
            continue;
        }
        for element in link.children_named(source.element()) {
            let raw = collision(element, &mut Notes::default())?;
            found.push(LinkGeometry {
                link: name.into(),
                pose_in_link: standard::pose(&raw.origin, version)?,
                body: body(&raw.shape, &mut meshes)?,
            });
        }
    }
    Ok(found)
}

fn body(shape: &RawShape<'_>, meshes: &mut MeshLoader) -> Result<GeometryBody, UrdfError> {
    let element = match shape {
        RawShape::Surface(element) => return surface(element).map(GeometryBody::Shape),
        RawShape::Standard(element) => element,
    };
    let (name, scale) = match standard::shape(element)? {
        StandardShape::Primitive(shape) => return Ok(GeometryBody::Shape(shape)),
        StandardShape::Mesh(name, scale) => (name, scale),
    };
    if scale.contains(&0.0) {
        return Err(element.bad_attribute("scale", "three numbers other than zero"));
    }
    let (file, triangles) = meshes.triangles(name, scale).map_err(|source| {
        let (place, element) = (element.place().into(), element.label());
        UrdfError::Mesh { place, element, source: source.into() }
    })?;
    Ok(GeometryBody::Mesh { file, triangles })
}
