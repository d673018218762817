//! Robots of PyPI `example-robot-data`: some links of each, with proof and slow check.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use smooth_scene_fit::{FitOptions, LinkMeshes, fit_links};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::{
    GeometryBody, GeometrySource, LoadOptions, Sidecar, link_geometry, load_urdf,
};
use smooth_scene_test_support::robots_venv::{FittedRobot, fitted_robots, share};

use crate::slow_check::{assert_contained, assert_link_contained};

fn meshes(urdf: &str, source: GeometrySource, wanted: &[&str]) -> Vec<LinkMeshes> {
    meshes_of(&share().join("example-robot-data/robots").join(urdf), source, wanted)
}

fn meshes_of(path: &Path, source: GeometrySource, wanted: &[&str]) -> Vec<LinkMeshes> {
    let options =
        LoadOptions { package_paths: vec![share()], use_environment: false, ..Default::default() };
    let text = std::fs::read_to_string(path).unwrap();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.contains(&name);
    let folder: Option<&Path> = path.parent();
    let bodies = link_geometry(&text, "robot", folder, source, &options, is_wanted).unwrap();
    let mesh = |body: smooth_scene_robot::LinkGeometry| match body.body {
        GeometryBody::Mesh { triangles, .. } => {
            Some(LinkMeshes { name: body.link, pose_in_link: body.pose_in_link, triangles })
        }
        GeometryBody::Shape(_) => None,
    };
    bodies.into_iter().filter_map(mesh).collect()
}

fn fit_and_check(links: &[LinkMeshes], surfaces: usize) {
    assert!(!links.is_empty());
    let options = FitOptions { surfaces: Some(surfaces), ..FitOptions::default() };
    let fits = fit_links(links, &options, &|_, _| {}, &AtomicBool::new(false)).unwrap();
    assert_eq!(fits.len(), links.len());
    assert!(fits.iter().map(|fit| fit.surfaces.len()).sum::<usize>() <= surfaces);
    fits.iter().for_each(assert_link_contained);
}

#[test]
fn every_bundled_robot_is_contained() {
    for FittedRobot { name, urdf, sidecar, from } in fitted_robots() {
        let source = match from.as_str() {
            "collision" => GeometrySource::Collision,
            "visual" => GeometrySource::Visual,
            other => panic!("no meshes of {other}"),
        };
        let options = LoadOptions {
            package_paths: vec![share()],
            use_environment: false,
            sidecar: Some(Sidecar::File(sidecar)),
            ..Default::default()
        };
        let robot = load_urdf(&urdf, &options).unwrap().model;
        let links = meshes_of(&urdf, source, &[]);
        assert!(!links.is_empty(), "{name}");
        for LinkMeshes { name, pose_in_link, triangles } in links {
            let link = robot.links().iter().find(|link| link.name == name).unwrap();
            let bodies: Vec<_> =
                link.collisions.iter().map(|s| (s.pose_in_link, &s.shape)).collect();
            let place = |p: Vec3| pose_in_link.rotation * p + pose_in_link.translation.vector;
            let triangles: Vec<_> =
                triangles.into_iter().map(|corners| corners.map(place)).collect();
            assert_contained(&name, &triangles, &bodies);
        }
    }
}

#[test]
fn two_links_of_the_panda_from_stl() {
    let wanted = ["panda_link4", "panda_hand"];
    let links = meshes("panda_description/urdf/panda.urdf", GeometrySource::Collision, &wanted);
    assert_eq!(links.len(), 2);
    fit_and_check(&links, 5);
}

#[test]
fn visual_meshes_of_the_panda_from_collada_are_those_of_its_hulls() {
    let wanted = ["panda_link1", "panda_link5"];
    let seen = meshes("panda_description/urdf/panda.urdf", GeometrySource::Visual, &wanted);
    let coarse = meshes("panda_description/urdf/panda.urdf", GeometrySource::Collision, &wanted);
    // The collision meshes are coarse hulls of the visual ones: the boxes agree to a few millimetres.
    for (seen, coarse) in seen.iter().zip(&coarse) {
        let aabb = |link: &LinkMeshes| smooth_scene_fit::DistanceTree::new(&link.triangles).aabb();
        let (a, b) = (aabb(seen), aabb(coarse));
        assert!((a.min - b.min).amax() < 0.01 && (a.max - b.max).amax() < 0.01, "{a:?} {b:?}");
    }
    fit_and_check(&seen[..1], 2);
}

#[test]
fn the_allegro_hand_with_one_surface_a_link() {
    let urdf = "allegro_hand_description/urdf/allegro_right_hand.urdf";
    // Its collisions are primitives; the visuals are meshes.
    let links = meshes(urdf, GeometrySource::Visual, &[]);
    fit_and_check(&links, links.len());
}
