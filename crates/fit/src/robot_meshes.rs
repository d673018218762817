//! What of a robot is fitted, what stays beside it, and the check of the robot that comes out.

use std::collections::BTreeMap;
use std::path::Path;

use crate::certificate::check;
use crate::link_fit::{LinkFit, LinkMeshes};
use crate::surface::FittedSurface;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::{
    GeometryBody, LinkGeometry, MeshError, MeshLimits, MeshLoader, PackageResolver, RobotModel,
};

/// The meshes of a robot's links.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotMeshes {
    /// Links with meshes, in the order of the description.
    pub links: Vec<LinkMeshes>,
    /// Boxes, cylinders, spheres and surfaces of the same links, which stay.
    pub kept: BTreeMap<String, Vec<FittedSurface>>,
}

/// A robot whose surfaces do not contain its meshes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("link `{link}`: {reason}")]
pub struct NotContained {
    /// The link.
    pub link: String,
    /// What is wrong.
    pub reason: String,
}

impl RobotMeshes {
    /// Sorts the bodies of links. Links without a mesh are left out.
    pub fn new(bodies: Vec<LinkGeometry>) -> Self {
        let mut by_link: Vec<(String, Vec<LinkGeometry>)> = Vec::new();
        for body in bodies {
            match by_link.iter_mut().find(|(link, _)| *link == body.link) {
                Some((_, bodies)) => bodies.push(body),
                None => by_link.push((body.link.clone(), vec![body])),
            }
        }
        let (mut links, mut kept) = (Vec::new(), BTreeMap::new());
        for (name, bodies) in by_link {
            let (mut meshes, mut shapes) = (Vec::new(), Vec::new());
            for LinkGeometry { pose_in_link, body, .. } in bodies {
                match body {
                    GeometryBody::Mesh { triangles, .. } => meshes.push((pose_in_link, triangles)),
                    GeometryBody::Shape(shape) => {
                        shapes.push(FittedSurface::at(&pose_in_link, shape));
                    }
                }
            }
            if !meshes.is_empty() {
                kept.insert(name.clone(), shapes);
                links.push(LinkMeshes::joined(name, meshes));
            }
        }
        Self { links, kept }
    }

    /// One mesh file as the mesh of one link of the file's name.
    pub fn of_file(path: &Path) -> Result<Self, MeshError> {
        let packages = PackageResolver::new(&[], false, None);
        let mut loader = MeshLoader::new(packages, MeshLimits::default());
        let (_, triangles) = loader.triangles(&path.to_string_lossy(), [1.0; 3])?;
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = name.expect("a file that was read has a name");
        let links = vec![LinkMeshes { name, pose_in_link: Pose::identity(), triangles }];
        Ok(Self { links, kept: BTreeMap::new() })
    }

    /// The surfaces of every fitted link, then what the link had beside its meshes. Links that keep their hull are not in it:
    /// without an entry a robot is loaded with the hulls of its meshes.
    pub fn surfaces(&self, fits: &[LinkFit]) -> Vec<(String, Vec<FittedSurface>)> {
        let all = |fit: &LinkFit| {
            // A mesh file has nothing beside it.
            let kept = self.kept.get(&fit.name).map(Vec::as_slice).unwrap_or_default();
            (fit.name.clone(), [fit.surfaces.as_slice(), kept].concat())
        };
        fits.iter().filter(|fit| fit.hull.is_none()).map(all).collect()
    }
}

/// Checks the certificates on the surfaces of a robot, as it was read back from what was written.
pub fn check_robot(model: &RobotModel, fits: &[LinkFit]) -> Result<(), NotContained> {
    for fit in fits.iter().filter(|fit| fit.hull.is_none()) {
        let failed = |reason: String| NotContained { link: fit.name.clone(), reason };
        let link = model.links().iter().find(|link| link.name == fit.name);
        let link = link.ok_or_else(|| failed("it is missing".into()))?;
        let surfaces: Vec<_> = link.collisions.iter().map(|s| (s.pose_in_link, &s.shape)).collect();
        check(&fit.triangles, &surfaces, &fit.certificate)
            .map_err(|flaw| failed(flaw.to_string()))?;
    }
    Ok(())
}
