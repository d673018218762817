//! Fits and the state of enclosure over the wire, without a browser.

use serde_json::{Value, json};
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::LinkSurface;
use smooth_scene_scene::SceneStore;
use smooth_scene_test_support::viewer::{Viewer, get, serve};
use smooth_scene_view::ViewServer;

use crate::mesh_robot::{dumbbell, serve_bells};

fn surfaces(store: &SceneStore, link: &str) -> Vec<LinkSurface> {
    let snapshot = store.snapshot().unwrap();
    let model = snapshot.scene.model();
    model.link(model.link_id(link).unwrap()).collisions.clone()
}

/// The end of the fit that was asked for.
fn end_of_fit(viewer: &mut Viewer) -> Value {
    viewer.wait_for("fit", |fit| fit["state"] != "running")
}

/// The line of an answer about the cover of a link, and how many bytes come after it.
fn cover(view: &ViewServer, link: &str) -> (Value, usize) {
    let host = format!("Host: {}\r\n", view.address());
    let text = get(view.address(), &format!("/cover/{link}"), &host);
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{text}");
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let line = body.split_once('\n').unwrap().0;
    (serde_json::from_str(line).unwrap(), length.parse::<usize>().unwrap() - line.len() - 1)
}

/// Every vertex of the mesh and every middle of its edges, which the surfaces have to contain.
fn assert_contains(surfaces: &[LinkSurface], moved: Vec3) {
    for triangle in dumbbell() {
        let corners = triangle.map(|corner| Vec3::from(corner) + moved);
        let middles = [0, 1, 2].map(|k| 0.5 * (corners[k] + corners[(k + 1) % 3]));
        for point in corners.into_iter().chain(middles) {
            let inside = surfaces.iter().any(|surface| {
                let local = surface.pose_in_link.inverse_transform_point(&point.into()).coords;
                surface.shape.inside_outside(&local) <= 0.0
            });
            assert!(inside, "{point}");
        }
    }
}

#[test]
fn a_fit_of_a_link_replaces_its_mesh_and_keeps_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let (store, view) = serve_bells(folder.path());
    let mut viewer = Viewer::connect(view.address());
    viewer.wait_for("scene", |scene| scene["has_geometry"] == true);
    let (before, twin) = (surfaces(&store, "bell"), surfaces(&store, "twin"));
    viewer.send(r#"{"do":"fit","link":"bell","surfaces":2}"#);
    // The view goes on meanwhile.
    viewer.wait_for("fit", |fit| fit["state"] == "running" && fit["link"] == "bell");
    viewer.send(r#"{"do":"set_joint","name":"b","value":0.05}"#);
    viewer.wait_for("frame", |frame| frame["positions"][0] == 0.05);
    assert_eq!(viewer.refusal_of(r#"{"do":"fit"}"#), "a fit is running already");
    let end = end_of_fit(&mut viewer);
    assert_eq!((&end["state"], &end["reason"]), (&"done".into(), &Value::Null), "{end}");
    let total = &end["report"]["total"];
    assert_eq!((&total["surfaces"], &total["covered"]), (&2.into(), &1.0.into()), "{total}");
    assert_eq!(total["triangles"], 36);
    for measure in ["mean_outward", "max_outward", "volume_over_hull", "volume_over_mesh"] {
        assert!(total[measure].as_f64().unwrap() > 0.0, "{measure}: {total}");
    }

    let after = surfaces(&store, "bell");
    assert_eq!(after.len(), 3, "{after:?}");
    assert_eq!(after[2].shape, before[1].shape, "the ball beside the mesh stays");
    assert_contains(&after[..2], Vec3::new(0.0, 0.0, 0.1));
    assert_eq!(surfaces(&store, "twin"), twin);
    let (line, bytes) = cover(&view, "bell");
    assert_eq!((&line["covered"], &line["proven"], bytes), (&1.0.into(), &true.into(), 0));

    // One step of the history.
    viewer.send(r#"{"do":"undo"}"#);
    viewer.wait_for("scene", |scene| scene["undo"] == 0 && scene["redo"] == 1);
    assert_eq!(surfaces(&store, "bell"), before);
    viewer.send(r#"{"do":"redo"}"#);
    viewer.wait_for("scene", |scene| scene["undo"] == 1);
    assert_eq!(surfaces(&store, "bell"), after);
    let file = get(view.address(), "/robot.urdf", &format!("Host: {}\r\n", view.address()));
    assert!(file.contains("bell_fit_0") && file.contains("bell_fit_1"), "{file}");
}

#[test]
fn a_fit_of_the_whole_robot_leaves_out_what_it_cannot_use_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let (store, view) = serve_bells(folder.path());
    let mut viewer = Viewer::connect(view.address());
    let before = ["bad", "plain"].map(|link| surfaces(&store, link));
    viewer.send(r#"{"do":"fit","link":null,"from":"collision","surfaces":4,"tolerance":null}"#);
    let end = end_of_fit(&mut viewer);
    assert_eq!(end["state"], "done", "{end}");
    let report = &end["report"];
    let links = report["links"].as_array().unwrap();
    let names: Vec<_> = links.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["bell", "twin"], "{report}");
    let skipped = report["skipped"].as_array().unwrap();
    assert_eq!((skipped.len(), &skipped[0]["link"]), (1, &"bad".into()), "{report}");
    assert!(skipped[0]["reason"].as_str().unwrap().contains("bad.stl"), "{report}");
    assert_eq!(["bad", "plain"].map(|link| surfaces(&store, link)), before);
    // Equal meshes get equal surfaces.
    let [bell, twin] = ["bell", "twin"].map(|link| surfaces(&store, link));
    assert_eq!(bell.len(), twin.len() + 1);
    for (one, other) in bell.iter().zip(&twin) {
        assert_eq!(one.shape, other.shape);
    }
    assert_contains(&twin, Vec3::zeros());
}

#[test]
fn fits_that_cannot_be_are_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (store, view) = serve_bells(folder.path());
    let mut viewer = Viewer::connect(view.address());
    let before = store.snapshot().unwrap().revision;
    for (command, expected) in [
        (r#"{"do":"fit","link":"nowhere"}"#, "there is no link `nowhere`"),
        (r#"{"do":"fit","surfaces":0}"#, "number of surfaces is 0, must be 1 to 4096"),
        (r#"{"do":"fit","kinds":[]}"#, "unknown field `kinds`"),
        (r#"{"do":"fit","surfaces":1.5}"#, "not a command"),
        (r#"{"do":"cancel_fit"}"#, "there is nothing to cancel"),
    ] {
        let reason = viewer.refusal_of(command);
        assert!(reason.contains(expected), "{command}: {reason}");
    }
    for (command, expected) in [
        (r#"{"do":"fit","link":"plain"}"#, "link `plain` has no mesh in its <collision>"),
        (r#"{"do":"fit","link":"bad"}"#, "the mesh of link `bad` cannot be used"),
        (r#"{"do":"fit","link":"bell","tolerance":-1}"#, "tolerance is -1, must be above 0 m"),
        (r#"{"do":"fit","surfaces":1}"#, "1 surfaces for 2 links with meshes"),
    ] {
        viewer.send(command);
        viewer.wait_for("fit", |fit| fit["state"] == "running");
        let end = end_of_fit(&mut viewer);
        assert_eq!(end["state"], "failed", "{command}: {end}");
        assert!(end["reason"].as_str().unwrap().contains(expected), "{command}: {end}");
    }
    assert_eq!(store.snapshot().unwrap().revision, before);
    let (_store, view) = serve(|options| options.editing = false);
    let mut viewer = Viewer::connect(view.address());
    assert_eq!(viewer.refusal_of(r#"{"do":"fit"}"#), "editing is switched off");
    let (_store, view) = serve(|_| {});
    let mut viewer = Viewer::connect(view.address());
    let reason = viewer.refusal_of(r#"{"do":"fit"}"#);
    assert_eq!(reason, "the meshes of the robot are not known");
}

#[test]
fn a_cancelled_fit_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (store, view) = serve_bells(folder.path());
    let mut viewer = Viewer::connect(view.address());
    let before = store.snapshot().unwrap().revision;
    // Far more work than fits between two messages.
    viewer.send(r#"{"do":"fit","tolerance":1e-9}"#);
    viewer.send(r#"{"do":"cancel_fit"}"#);
    let end = end_of_fit(&mut viewer);
    assert_eq!((&end["state"], &end["report"]), (&"cancelled".into(), &Value::Null), "{end}");
    assert_eq!(store.snapshot().unwrap().revision, before);
}

#[test]
fn the_cover_follows_an_edit() {
    let folder = tempfile::tempdir().unwrap();
    let (_store, view) = serve_bells(folder.path());
    let mut viewer = Viewer::connect(view.address());
    // The hull of the mesh contains it; hulls are not part of the proof.
    let (line, bytes) = cover(&view, "twin");
    assert_eq!((&line["covered"], &line["proven"], bytes), (&1.0.into(), &false.into(), 0));
    let shape = |radius: f64| {
        let shape = json!({"type": "sphere", "radius": radius});
        let edit = json!({"of": "surface_shape", "link": "twin", "index": 0, "shape": shape});
        json!({"do": "edit", "edit": edit}).to_string()
    };
    viewer.send(&shape(0.3));
    viewer.wait_for("scene", |scene| scene["undo"] == 1);
    let (line, bytes) = cover(&view, "twin");
    assert_eq!((&line["covered"], &line["proven"], bytes), (&1.0.into(), &true.into(), 0));
    // A ball of 0.09 m reaches neither box: what it covers is the bar between x = ±√(0.09² − y² − z²).
    viewer.send(&shape(0.09));
    viewer.wait_for("scene", |scene| scene["undo"] == 2);
    let (line, bytes) = cover(&view, "twin");
    let boxes = |[x, y, z]: [f64; 3]| 8.0 * (x * y + y * z + z * x);
    let whole = boxes([0.05, 0.06, 0.04]) + boxes([0.04, 0.03, 0.06]) + boxes([0.15, 0.01, 0.01]);
    // Four sides 0.02 m wide; at their edges the ball ends 1 % earlier than in the middle.
    let covered = 4.0 * 0.02 * 2.0 * 0.09 * 0.99 / whole;
    let found = line["covered"].as_f64().unwrap();
    assert!((found - covered).abs() < 0.03 * covered, "{found} {covered}");
    assert!(bytes > 0 && bytes % 36 == 0 && line["proven"] == false, "{line} {bytes}");
    // Links without a usable mesh say so.
    for (link, expected) in [("plain", "has no mesh"), ("bad", "bad.stl")] {
        let (line, bytes) = cover(&view, link);
        assert!(line["reason"].as_str().unwrap().contains(expected) && bytes == 0, "{line}");
    }
    let host = format!("Host: {}\r\n", view.address());
    assert!(get(view.address(), "/cover/nowhere", &host).starts_with("HTTP/1.1 409"));
}
