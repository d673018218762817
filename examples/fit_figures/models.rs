//! The models that are compared: shapes on links, read from files or made by CoACD.

use super::Options;
use super::shapes::LinkMesh;
use serde::Deserialize;
use serde_json::json;
use smooth_scene::geometry::Shape;
use smooth_scene::math::{Pose, Vec3};
use smooth_scene::robot::{LinkSurface, LoadOptions, RobotModel, Sidecar, load_urdf};
use smooth_scene_test_support::robots_venv::start_script;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::path::Path;

/// Shapes on the links of a robot.
pub struct Model {
    pub name: String,
    pub links: BTreeMap<String, Vec<LinkSurface>>,
    /// Time to make it, where it is made here.
    pub seconds: Option<f64>,
}

impl Model {
    /// The convex hulls of the meshes.
    pub fn hulls(options: &Options) -> Result<Self, Box<dyn Error>> {
        let links = collisions(&options.urdf, None, options)?;
        Ok(Self { name: "convex hulls".into(), links, seconds: None })
    }

    /// A model from a file.
    pub fn read(name: &str, path: &Path, options: &Options) -> Result<Self, Box<dyn Error>> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let links = match ending {
            Some("yaml") => collisions(&options.urdf, Some(path), options)?,
            Some("urdf") => collisions(path, None, options)?,
            Some("yml") => spheres_of_curobo(path)?,
            _ => return Err(format!("{}: must be yaml, urdf or yml", path.display()).into()),
        };
        Ok(Self { name: name.into(), links, seconds: None })
    }

    /// Convex parts of the meshes, by CoACD with its default options.
    pub fn coacd(meshes: &[LinkMesh]) -> Result<Self, Box<dyn Error>> {
        let triangles = |mesh: &LinkMesh| -> Vec<f64> {
            mesh.triangles.iter().flatten().flat_map(|p| [p.x, p.y, p.z]).collect()
        };
        let request: BTreeMap<&str, Vec<f64>> =
            meshes.iter().map(|mesh| (mesh.name.as_str(), triangles(mesh))).collect();
        let mut child = start_script("coacd_hulls.py", &[]);
        let input = child.stdin.take().expect("it was piped");
        // The script reads everything before it writes.
        let written = { input }.write_all(json!(request).to_string().as_bytes());
        let output = child.wait_with_output()?;
        written?;
        if !output.status.success() {
            return Err("coacd_hulls.py failed".into());
        }
        #[derive(Deserialize)]
        struct Answer {
            seconds: f64,
            hulls: BTreeMap<String, Vec<Vec<[f64; 3]>>>,
        }
        let Answer { seconds, hulls } = serde_json::from_slice(&output.stdout)?;
        let mut links = BTreeMap::new();
        for (link, hulls) in hulls {
            let shape = |corners: Vec<[f64; 3]>| {
                let corners: Vec<Vec3> = corners.into_iter().map(Vec3::from).collect();
                Ok(at(Vec3::zeros(), Shape::convex_mesh(&corners)?))
            };
            let shapes: Result<_, Box<dyn Error>> = hulls.into_iter().map(shape).collect();
            links.insert(link, shapes?);
        }
        Ok(Self { name: "CoACD".into(), links, seconds: Some(seconds) })
    }

    /// The shapes of the links that a robot has. A link that the model does not name keeps what it has.
    pub fn on_links_of(&self, robot: &RobotModel) -> Vec<(String, Vec<LinkSurface>)> {
        let known = |name: &String| robot.link_id(name).is_some();
        let links = self.links.iter().filter(|(name, _)| known(name));
        links.map(|(name, shapes)| (name.clone(), shapes.clone())).collect()
    }
}

fn at(xyz: Vec3, shape: Shape) -> LinkSurface {
    LinkSurface { name: None, pose_in_link: Pose::translation(xyz.x, xyz.y, xyz.z), shape }
}

fn collisions(
    urdf: &Path,
    sidecar: Option<&Path>,
    options: &Options,
) -> Result<BTreeMap<String, Vec<LinkSurface>>, Box<dyn Error>> {
    let load = LoadOptions {
        package_paths: vec![options.share.clone()],
        sidecar: sidecar.map(|path| Sidecar::File(path.to_owned())),
        ..LoadOptions::default()
    };
    let model = load_urdf(urdf, &load)?.model;
    let of_link = |link: &smooth_scene::robot::Link| (link.name.clone(), link.collisions.to_vec());
    Ok(model.links().iter().map(of_link).collect())
}

/// `collision_spheres` of a robot file of cuRobo.
fn spheres_of_curobo(path: &Path) -> Result<BTreeMap<String, Vec<LinkSurface>>, Box<dyn Error>> {
    #[derive(Deserialize)]
    struct File {
        robot_cfg: Robot,
    }
    #[derive(Deserialize)]
    struct Robot {
        kinematics: Kinematics,
    }
    #[derive(Deserialize)]
    struct Kinematics {
        collision_spheres: BTreeMap<String, Vec<Ball>>,
    }
    #[derive(Deserialize)]
    struct Ball {
        center: [f64; 3],
        radius: f64,
    }
    let file: File = serde_yaml::from_str(&std::fs::read_to_string(path)?)?;
    let mut links = BTreeMap::new();
    for (link, balls) in file.robot_cfg.kinematics.collision_spheres {
        let shape = |ball: Ball| -> Result<LinkSurface, Box<dyn Error>> {
            Ok(at(Vec3::from(ball.center), Shape::sphere(ball.radius)?))
        };
        // A radius below zero marks a place that is not used.
        let used = balls.into_iter().filter(|ball| ball.radius > 0.0);
        links.insert(link, used.map(shape).collect::<Result<_, _>>()?);
    }
    Ok(links)
}
