//! Closed meshes as obstacles: their signed distance maps, and how near the robot comes to them.

use super::args::CheckArguments;
use super::failure::CheckFailure;
use crate::scene::{PlanningScene, SceneError};

/// A surface of the robot near a map.
#[cfg_attr(not(feature = "baselines"), allow(dead_code, reason = "that build makes none"))]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MapFinding {
    pub body: String,
    /// Which of the convex surfaces of the body.
    pub part: u32,
    pub map: String,
    /// Proven bounds of the clearance, in metres.
    pub lower: f64,
    pub upper: f64,
    /// The nearest point of the surface, in the frame of the root.
    pub point: [f64; 3],
}

impl MapFinding {
    /// What is not proven free is not free.
    pub fn is_free(&self) -> bool {
        self.lower > 0.0
    }

    pub fn verdict(&self) -> &'static str {
        match self {
            found if found.is_free() => "free",
            found if found.upper <= 0.0 => "touching",
            _ => "not proven free",
        }
    }
}

/// A map as it was made.
#[cfg_attr(not(feature = "baselines"), allow(dead_code, reason = "that build makes none"))]
#[derive(Debug)]
pub(crate) struct MapDescription {
    pub name: String,
    pub file: String,
    pub spacing: f64,
    pub nodes: usize,
    /// Largest error of a distance at a node, in metres.
    pub node_error: f64,
}

#[cfg(feature = "baselines")]
pub(crate) use with_baselines::Maps;
#[cfg(not(feature = "baselines"))]
pub(crate) use without_baselines::Maps;

#[cfg(feature = "baselines")]
mod with_baselines {
    use super::{
        CheckArguments, CheckFailure, MapDescription, MapFinding, PlanningScene, SceneError,
    };
    use crate::baselines::{DistanceMap, MapObstacle, MapScene, MapSearch, ObstacleClearance};
    use crate::command_line::progress::Progress;
    use crate::math::{Pose, Vec3, rotation_from_euler_angles};
    use crate::robot::{MeshLimits, MeshLoader, PackageResolver};
    use crate::scene::{Allowance, MatrixChange, Reason};
    use nalgebra::Translation3;
    use std::path::Path;

    /// Cells along the longest side of a mesh, unless the spacing is given.
    const CELLS: f64 = 64.0;
    /// Cells around a mesh: beyond them a distance is that from the box of the mesh.
    const MARGIN: f64 = 4.0;

    /// The maps of a run and the robot among them.
    pub(crate) struct Maps {
        scene: Option<MapScene>,
        pub descriptions: Vec<MapDescription>,
    }

    impl Maps {
        /// Reads every mesh and makes its map.
        pub fn new(
            arguments: &CheckArguments,
            scene: &PlanningScene,
        ) -> Result<Self, CheckFailure> {
            let (mut obstacles, mut descriptions) = (Vec::new(), Vec::new());
            let poses = poses(arguments)?;
            let mut progress = Progress::new(Some(arguments.maps.len() as u64));
            for (path, pose_w) in arguments.maps.iter().zip(poses) {
                let file = path.display().to_string();
                progress.step(format!("map of {file}"));
                let (map, spacing) = map_of(path, arguments.map_spacing)?;
                let name = path.file_stem().unwrap_or(path.as_os_str());
                let name = name.to_string_lossy().into_owned();
                let (nodes, node_error) = (map.nodes(), map.node_error());
                descriptions.push(MapDescription {
                    name: name.clone(),
                    file,
                    spacing,
                    nodes,
                    node_error,
                });
                obstacles.push(MapObstacle { name, map, pose_w });
            }
            if obstacles.is_empty() {
                return Ok(Self { scene: None, descriptions });
            }
            let mut scene = scene.clone();
            for link in &arguments.map_touch {
                let found = scene.body(link);
                found.ok_or_else(|| CheckFailure::MapTouch { name: link.clone() })?;
                for MapObstacle { name, .. } in &obstacles {
                    let entry = Some(Allowance::allow(Reason::User));
                    let (a, b) = (link.clone(), name.clone());
                    scene.apply(MatrixChange::SetEntry { a, b, entry })?;
                }
            }
            Ok(Self { scene: Some(MapScene::new(scene, obstacles)?), descriptions })
        }

        /// Everything that is not proven free of a map, then the nearest others.
        pub fn find(
            &self,
            positions: &[f64],
            nearest: usize,
            max_distance: f64,
        ) -> Result<Vec<MapFinding>, SceneError> {
            let Some(scene) = &self.scene else { return Ok(Vec::new()) };
            let search = MapSearch { max_distance, ..MapSearch::default() };
            let found = scene.clearances(positions, nearest, &search)?;
            Ok(found.iter().map(|one| finding(scene, one)).collect())
        }
    }

    fn finding(scene: &MapScene, found: &ObstacleClearance) -> MapFinding {
        MapFinding {
            body: scene.scene().body_name(found.body).to_owned(),
            part: found.part,
            map: scene.obstacles()[found.obstacle].name.clone(),
            lower: found.clearance.lower,
            upper: found.clearance.upper,
            point: found.clearance.point_w.into(),
        }
    }

    /// The map of a mesh file, and its spacing.
    fn map_of(path: &Path, spacing: Option<f64>) -> Result<(DistanceMap, f64), CheckFailure> {
        let packages = PackageResolver::new(&[], false, None);
        let mut loader = MeshLoader::new(packages, MeshLimits::default());
        let (file, triangles) = loader.triangles(&path.to_string_lossy(), [1.0; 3])?;
        let none = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        let (low, high) = triangles
            .iter()
            .flatten()
            .fold(none, |(low, high), corner| (low.inf(corner), high.sup(corner)));
        let spacing = spacing.unwrap_or((high - low).max() / CELLS);
        let refused = |source| CheckFailure::Map { file: file.display().to_string(), source };
        let map = DistanceMap::of_triangles(&triangles, spacing, MARGIN * spacing);
        Ok((map.map_err(refused)?, spacing))
    }

    /// One pose for each map; the identity when none was given.
    fn poses(arguments: &CheckArguments) -> Result<Vec<Pose>, CheckFailure> {
        let (maps, poses) = (arguments.maps.len(), arguments.map_poses.len());
        if poses == 0 {
            return Ok(vec![Pose::identity(); maps]);
        }
        if poses != maps {
            return Err(CheckFailure::MapPoses { maps, poses });
        }
        let pose = |[x, y, z, roll, pitch, yaw]: &[f64; 6]| {
            let rotation = rotation_from_euler_angles(*roll, *pitch, *yaw);
            Pose::from_parts(Translation3::new(*x, *y, *z), rotation)
        };
        Ok(arguments.map_poses.iter().map(pose).collect())
    }
}

/// A build without the feature has no maps.
#[cfg(not(feature = "baselines"))]
mod without_baselines {
    use super::{
        CheckArguments, CheckFailure, MapDescription, MapFinding, PlanningScene, SceneError,
    };

    pub(crate) struct Maps {
        pub descriptions: Vec<MapDescription>,
    }

    impl Maps {
        pub fn new(_: &CheckArguments, _: &PlanningScene) -> Result<Self, CheckFailure> {
            Ok(Self { descriptions: Vec::new() })
        }

        pub fn find(&self, _: &[f64], _: usize, _: f64) -> Result<Vec<MapFinding>, SceneError> {
            Ok(Vec::new())
        }
    }
}
