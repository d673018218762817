//! The robots of `config/fitted` in the programs that read them: urdfdom, Pinocchio, and the node over DDS.

use crate::scene_node::{PATIENCE, command, end, peer, ready};
use smooth_scene::cdr;
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::interfaces::srv::{GetDistanceRequest, GetDistanceResponse};
use smooth_scene::robot::{
    DocumentEdit, LinkSurface, LoadOptions, LoadedRobot, RobotModel, Sidecar, StateSampler,
    load_urdf,
};
use smooth_scene::scene::{NearestRequest, PlanningScene, Workspace};
use smooth_scene::transport::Transport;
use smooth_scene_test_support::dds_domain::own_domain;
use smooth_scene_test_support::robots_venv::{FittedRobot, fitted_robots, program, share};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

fn load(urdf: &Path, sidecar: Option<PathBuf>) -> LoadedRobot {
    let options = LoadOptions {
        package_paths: vec![share()],
        use_environment: false,
        sidecar: sidecar.map(Sidecar::File),
        ..LoadOptions::default()
    };
    load_urdf(urdf, &options).unwrap()
}

/// Links of a sidecar.
fn links_of(sidecar: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(sidecar).unwrap();
    let links: serde_yaml::Mapping = serde_yaml::from_str(&text).unwrap();
    links.keys().map(|link| link.as_str().unwrap().to_owned()).collect()
}

/// The URDF with the surfaces of the sidecar in it, as `smooth_scene fit -o OUT.urdf` writes it.
fn with_surfaces(robot: &LoadedRobot, links: &[String]) -> String {
    let collisions = |link: &String| -> Vec<LinkSurface> {
        let link = robot.model.link(robot.model.link_id(link).unwrap());
        link.collisions.to_vec()
    };
    let edit = |link: &String| DocumentEdit::Collisions {
        link: link.clone(),
        collisions: collisions(link),
    };
    robot.document.write(&links.iter().map(edit).collect::<Vec<_>>()).unwrap()
}

/// The same links with the same shapes in the same places.
fn assert_same_surfaces(a: &RobotModel, b: &RobotModel, name: &str) {
    assert_eq!(a.links().len(), b.links().len());
    for (a, b) in a.links().iter().zip(b.links()) {
        assert_eq!(a.name, b.name, "{name}");
        assert_eq!(a.collisions.len(), b.collisions.len(), "{name}: {}", a.name);
        for (of_a, of_b) in a.collisions.iter().zip(&b.collisions) {
            assert_eq!(of_a.shape, of_b.shape, "{name}: {}", a.name);
            // A rotation is written as three angles, each rounded once.
            let apart = of_a.pose_in_link.inverse() * of_b.pose_in_link;
            let moved = apart.translation.vector.norm() + apart.rotation.angle();
            assert!(moved < 1e-12, "{name}: {} moved by {moved}", a.name);
        }
    }
}

/// The nearest pair by the library, in one process.
fn nearest(model: &Arc<RobotModel>, positions: &[f64]) -> f64 {
    let scene = PlanningScene::new(model.clone(), None).unwrap();
    let request = NearestRequest { max_results: 1, ..NearestRequest::default() };
    let mut found = Vec::new();
    scene.nearest(positions, &request, &mut Workspace::cold(), &mut found).unwrap();
    found[0].distance.distance
}

/// The nearest pair by a node that was started with these arguments.
fn nearest_by_node(arguments: &[&Path], model: &RobotModel, positions: &[f64]) -> f64 {
    let domain = own_domain();
    let packages = format!("package_path:=[{}]", share().display());
    let (node, _) = ready(command(domain).args(arguments).args(["--ros-args", "-p", &packages]));
    let peer = peer(domain);
    let client = peer.client("/scene_node/get_distance", "smooth_scene/srv/GetDistance").unwrap();
    assert!(client.wait_for_server(PATIENCE), "the service is not found");
    let request = GetDistanceRequest {
        joint_state: JointState {
            name: model.variable_names().iter().map(ToString::to_string).collect(),
            position: positions.to_vec(),
            ..JointState::default()
        },
        max_distance: f64::INFINITY,
        max_results: 1,
        ..GetDistanceRequest::default()
    };
    let reply = client.call(&cdr::encode(&request), PATIENCE).unwrap();
    let reply: GetDistanceResponse = cdr::decode(&reply).unwrap();
    assert_eq!(reply.status, GetDistanceResponse::OK, "{}", reply.message);
    end(node, "TERM");
    reply.proximities[0].distance
}

/// Joints and collision geometries that Pinocchio reads.
fn pinocchio(urdf: &Path) -> (usize, usize) {
    let script = "import sys, pinocchio as p\n\
         m = p.buildModelFromUrdf(sys.argv[1])\n\
         g = p.buildGeomFromUrdf(m, sys.argv[1], p.GeometryType.COLLISION, [sys.argv[2]])\n\
         print(m.njoints - 1, g.ngeoms)";
    let loaded =
        Command::new(program("python")).args(["-c", script]).args([urdf, &share()]).output();
    let loaded = loaded.unwrap();
    assert!(loaded.status.success(), "{loaded:?}");
    let printed = String::from_utf8(loaded.stdout).unwrap();
    let numbers: Vec<usize> = printed.split_whitespace().map(|n| n.parse().unwrap()).collect();
    (numbers[0], numbers[1])
}

#[test]
fn fitted_robots_round_trip_and_load_in_urdfdom_and_pinocchio() {
    for FittedRobot { name, urdf, sidecar, .. } in fitted_robots() {
        let robot = load(&urdf, Some(sidecar.clone()));
        let links = links_of(&sidecar);
        assert!(!links.is_empty());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fitted.urdf");
        std::fs::write(&path, with_surfaces(&robot, &links)).unwrap();
        let again = load(&path, None);
        assert_same_surfaces(&robot.model, &again.model, &name);
        // Written again it is the same text.
        assert_eq!(with_surfaces(&again, &[]), std::fs::read_to_string(&path).unwrap());

        let checked = Command::new("check_urdf").arg(&path).output().unwrap();
        assert!(checked.status.success(), "{name}: {checked:?}");
        let tree = String::from_utf8(checked.stdout).unwrap();
        assert!(tree.contains("Successfully Parsed XML"), "{name}: {tree}");
        let (joints, geometries) = pinocchio(&path);
        assert_eq!(joints, pinocchio(&urdf).0, "{name}");
        let collisions: usize = robot.model.links().iter().map(|link| link.collisions.len()).sum();
        assert_eq!(geometries, collisions, "{name}");
    }
}

#[test]
fn the_node_loads_fitted_robots_from_a_sidecar_and_from_a_urdf() {
    for FittedRobot { name, urdf, sidecar, .. } in fitted_robots() {
        let robot = load(&urdf, Some(sidecar.clone()));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fitted.urdf");
        std::fs::write(&path, with_surfaces(&robot, &links_of(&sidecar))).unwrap();
        let model = Arc::new(robot.model);
        let state = StateSampler::new(&model, 1).draw();
        let expected = nearest(&model, &state);
        let arguments = [Path::new("--urdf"), &urdf, Path::new("--surfaces"), &sidecar];
        let found = nearest_by_node(&arguments, &model, &state);
        assert_eq!(found, expected, "{name} with its sidecar");
        // Its poses are those of the sidecar to 1e-12 m and rad, so distances are too, times the size of the robot.
        let found = nearest_by_node(&[Path::new("--urdf"), &path], &model, &state);
        assert!((found - expected).abs() < 1e-9, "{name} as a URDF: {found} instead of {expected}");
    }
}
