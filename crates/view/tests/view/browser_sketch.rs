//! A robot drawn in a real browser with a real pointer, from an empty page to files that other programs read.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{
    Coupling, LoadOptions, RobotModel, RobotState, forward_kinematics, load_urdf, physics,
};
use smooth_scene_scene::{CheckRequest, PlanningScene, Workspace};
use smooth_scene_test_support::chromium::Browser;
use smooth_scene_test_support::robots_venv::start_script;
use smooth_scene_test_support::viewer::serve_nothing;
use smooth_scene_view::ViewServer;

use crate::browser::{click_button, surface_at};

/// The page as `smooth_scene demo --sketch` opens it.
fn open(view: &ViewServer) -> Browser {
    let mut page = Browser::start(1280, 800);
    page.open(&format!("{}#draw", view.url()));
    page.wait_until("smoothScene.sketch.active && smoothScene.sketch.sketch && smoothScene.view.camera.parallel");
    page
}

/// Where a place of the sketch is on the page.
fn seen(page: &mut Browser, at: [f64; 3]) -> [f64; 2] {
    let [x, y, z] = at;
    page.place(&format!(
        "(() => {{ const v = smoothScene.view, p = v.project([{x}, {y}, {z}]), r = v.canvas.getBoundingClientRect(); \
         return [p[0] + r.x, p[1] + r.y]; }})()"
    ))
}

/// Draws through places of the sketch, ten moves between two of them.
fn draw(page: &mut Browser, corners: &[[f64; 3]]) {
    let mut places = vec![seen(page, corners[0])];
    for pair in corners.windows(2) {
        let [from, to] = [seen(page, pair[0]), seen(page, pair[1])];
        let share = |k: i32| f64::from(k) / 10.0;
        places.extend((1..=10).map(|k| [0, 1].map(|i| from[i] + share(k) * (to[i] - from[i]))));
    }
    page.stroke(&places);
}

/// Draws an ellipse around a place in the plane of two axes of the sketch.
fn draw_around(page: &mut Browser, center: [f64; 3], axes: [usize; 2], radii: [f64; 2]) {
    let point = |k: i32| {
        let angle = f64::from(k) / 36.0 * std::f64::consts::TAU;
        let mut at = center;
        at[axes[0]] += radii[0] * angle.cos();
        at[axes[1]] += radii[1] * angle.sin();
        at
    };
    let places: Vec<[f64; 2]> = (0..=36).map(|k| seen(page, point(k))).collect();
    page.stroke(&places);
}

fn bones(page: &mut Browser) -> Value {
    page.value("smoothScene.sketch.sketch.bones")
}

fn wait_for_bones(page: &mut Browser, count: usize) {
    page.wait_until(&format!("smoothScene.sketch.sketch.bones.length === {count}"));
}

fn look(page: &mut Browser, view: &str) {
    page.click(&format!("[data-view={view}]"));
    page.wait_until(
        "(({ now, goal }) => JSON.stringify(now) === JSON.stringify(goal))(smoothScene.view.camera)",
    );
}

/// Selects a bone where it is seen, and names it.
fn name(page: &mut Browser, at: [f64; 3], name: &str) {
    let place = seen(page, at);
    page.click_at(place);
    page.wait_until("document.querySelector('[data-bone=name]')");
    page.click("[data-bone=name]");
    page.value("document.activeElement.select()");
    page.insert(name);
    page.key("Enter", 0);
    page.wait_until(&format!("smoothScene.sketch.boneOf('{name}')"));
}

/// Draws the middle and the left side of a walker, seen from the front and from the left, and names its bones.
fn draw_walker(page: &mut Browser) {
    draw(page, &[[0.0, 0.0, 0.95], [0.0, 0.0, 1.45]]);
    wait_for_bones(page, 1);
    draw(page, &[[0.0, 0.0, 1.45], [0.0, 0.0, 1.75]]);
    wait_for_bones(page, 2);
    // One stroke that bends is two bones: hip and thigh, shoulder and upper arm.
    draw(page, &[[0.0, 0.0, 0.95], [0.0, 0.2, 0.95], [0.0, 0.2, 0.5]]);
    wait_for_bones(page, 4);
    draw(page, &[[0.0, 0.2, 0.5], [0.0, 0.2, 0.08]]);
    wait_for_bones(page, 5);
    draw(page, &[[0.0, 0.0, 1.45], [0.0, 0.3, 1.45], [0.0, 0.34, 1.1]]);
    wait_for_bones(page, 7);
    draw(page, &[[0.0, 0.34, 1.1], [0.0, 0.36, 0.8]]);
    wait_for_bones(page, 8);
    look(page, "left");
    draw(page, &[[0.0, 0.2, 0.08], [0.2, 0.2, 0.04]]);
    wait_for_bones(page, 9);
    name(page, [0.13, 0.2, 0.055], "left_foot");
    look(page, "front");
    for (at, bone) in [
        ([0.0, 0.0, 1.2], "torso"),
        ([0.0, 0.0, 1.6], "head"),
        ([0.0, 0.1, 0.95], "left_hip"),
        ([0.0, 0.2, 0.72], "left_thigh"),
        ([0.0, 0.2, 0.3], "left_shin"),
        ([0.0, 0.15, 1.45], "left_shoulder"),
        ([0.0, 0.32, 1.275], "left_upper_arm"),
        ([0.0, 0.35, 0.95], "left_forearm"),
    ] {
        name(page, at, bone);
    }
}

/// The positions of all joints at rest, by name.
fn at_rest(model: &RobotModel) -> Value {
    let mut all = Map::new();
    for joint in model.joints() {
        let Coupling::Independent { .. } = joint.coupling else { continue };
        all.insert(joint.name.clone(), json!(vec![0.0; joint.kind.position_count()]));
    }
    json!({"q": all, "v": all})
}

/// Where Pinocchio has the links of a robot at rest.
fn links_in_pinocchio(urdf: &Path, model: &RobotModel) -> BTreeMap<String, Vec<f64>> {
    let mut child = start_script("pinocchio_fk.py", &[]);
    let mut requests = child.stdin.take().unwrap();
    writeln!(requests, "{}", json!({"urdf": urdf, "states": [at_rest(model)]})).unwrap();
    drop(requests);
    let line = BufReader::new(child.stdout.take().unwrap()).lines().next();
    let answers: Value = serde_json::from_str(&line.expect("Pinocchio gave up").unwrap()).unwrap();
    assert!(child.wait().unwrap().success());
    serde_json::from_value(answers[0].clone()).unwrap()
}

/// Clicks a link that saves a file, and waits for the file.
fn save(page: &mut Browser, folder: &Path, ending: &str) -> std::path::PathBuf {
    page.click(&format!("[data-save={ending}]"));
    let file = folder.join(format!("sketch.{ending}"));
    page.wait_for_file(&file);
    file
}

#[test]
fn a_walker_is_drawn_on_an_empty_page_saved_and_used() {
    let (store, view) = serve_nothing();
    let mut page = open(&view);
    assert_eq!(
        page.value("document.getElementById('sketch-problem').textContent"),
        "nothing is drawn yet: draw a bone first"
    );
    draw_walker(&mut page);

    // A knee: its axis and its limits, the upper one by dragging the end of its arc.
    page.click("[data-tool=joints]");
    let knee = seen(&mut page, [0.0, 0.2, 0.5]);
    page.click_at(knee);
    page.wait_until("smoothScene.sketch.bone === 'left_shin'");
    page.click("[data-axis=y]");
    page.wait_until("smoothScene.sketch.boneOf('left_shin').joint.axis[1] === 1");
    look(&mut page, "left");
    let end = "(() => { const s = smoothScene.sketch, [range] = s.joints.ranges(s.boneOf('left_shin')); \
        return s.joints.place(range, VALUE); })()";
    let place = |page: &mut Browser, value: &str| {
        let at: [f64; 3] =
            serde_json::from_value(page.value(&end.replace("VALUE", value))).unwrap();
        seen(page, at)
    };
    let (from, to) = (place(&mut page, "range.limits[1]"), place(&mut page, "2.1"));
    page.drag_at(from, to);
    // In steps of 5°: 120° is nearest to 2.1 rad.
    page.wait_until(
        "Math.abs(smoothScene.sketch.boneOf('left_shin').joint.limits[1] - 2.094395) < 1e-6",
    );
    page.value("(() => { const f = document.querySelector('[data-limit=from]'); f.value = '0'; f.onchange(); })()");
    page.wait_until("smoothScene.sketch.boneOf('left_shin').joint.limits[0] === 0");
    page.click("#undo");
    page.wait_until("smoothScene.sketch.boneOf('left_shin').joint.limits[0] < -1");
    page.click("#redo");
    page.wait_until("smoothScene.sketch.boneOf('left_shin').joint.limits[0] === 0");

    // Ellipses around thigh and head, one of them refined on the pad, and the rest fleshed out.
    look(&mut page, "front");
    page.click("[data-tool=surfaces]");
    draw_around(&mut page, [0.0, 0.2, 0.72], [1, 2], [0.07, 0.24]);
    page.wait_until("smoothScene.sketch.boneOf('left_thigh').surfaces.length === 1");
    draw_around(&mut page, [0.0, 0.0, 1.62], [1, 2], [0.09, 0.13]);
    page.wait_until("smoothScene.sketch.boneOf('head').surfaces.length === 1");
    let radii: [f64; 3] = serde_json::from_value(
        page.value("smoothScene.sketch.boneOf('left_thigh').surfaces[0].shape.radii"),
    )
    .unwrap();
    // Within a pixel, which is 3 mm here.
    for (radius, drawn) in radii.into_iter().zip([0.07, 0.07, 0.24]) {
        assert!((radius - drawn).abs() < 0.004, "{radii:?}");
    }
    let place = page.place(&surface_at("left_thigh"));
    page.click_at(place);
    page.wait_until("smoothScene.editor.target?.link === 'left_thigh'");
    page.drag("#surface .pad canvas", [0.5, 0.5], [0.3, 0.7]);
    page.wait_until("smoothScene.sketch.boneOf('left_thigh').surfaces[0].shape.exponent_z < 0.8");
    page.click("[data-sketch=flesh]");
    page.wait_until("smoothScene.sketch.sketch.bones.every((bone) => bone.surfaces.length === 1)");
    page.click("[data-sketch=mirror]");
    wait_for_bones(&mut page, 16);
    page.value("(() => { const f = document.querySelector('[data-sketch=name]'); f.value = 'walker'; f.onchange(); })()");
    page.wait_until("smoothScene.sketch.sketch.name === 'walker'");

    // Saved by clicking, as files.
    let folder = tempfile::tempdir().unwrap();
    page.save_downloads_in(folder.path());
    let urdf = save(&mut page, folder.path(), "urdf");
    let srdf = save(&mut page, folder.path(), "srdf");
    check_files(&urdf, &srdf, &bones(&mut page), &page.value("[...smoothScene.sketch.places]"));

    // In the scene: the knee bends, and nothing touches as it is drawn.
    page.click("[data-sketch=use]");
    page.wait_until("smoothScene.picture.robot === 'walker' && !smoothScene.sketch.active && smoothScene.frame.revision === smoothScene.picture.revision");
    assert_eq!(store.snapshot().unwrap().scene.model().links().len(), 17);
    page.wait_until("smoothScene.frame.contacts === 0 && smoothScene.frame.least > 0");
    page.value("document.getElementById('joints').closest('details').open = true");
    let link = "smoothScene.picture.links.findIndex((link) => link.name === 'left_foot')";
    let height = format!("smoothScene.frame.links[{link}][2]");
    let before = page.number(&height);
    page.drag("[id='joint-left_shin_joint']", [0.02, 0.5], [0.8, 0.5]);
    page.wait_until(&format!("{height} > {before} + 0.1"));
    let exported = crate::browser::exported(&view);
    assert_eq!(exported, std::fs::read_to_string(&urdf).unwrap());
    assert_eq!(page.exceptions, Vec::<String>::new());
}

/// The files are read by urdfdom, Pinocchio and our reader, which all find the links where they were drawn.
fn check_files(urdf: &Path, srdf: &Path, bones: &Value, places: &Value) {
    let checked = Command::new("check_urdf").arg(urdf).output().expect("install liburdfdom-tools");
    let text = String::from_utf8_lossy(&checked.stdout);
    assert!(checked.status.success() && text.contains("Successfully Parsed XML"), "{text}");

    let robot = load_urdf(urdf, &LoadOptions::default()).unwrap();
    assert!(robot.warnings.is_empty(), "{:?}", robot.warnings);
    let model = Arc::new(robot.model.clone());
    let masses = physics(&robot.document).unwrap().inertials;
    assert_eq!(masses.len(), 16, "all but the base");
    assert!(masses.values().all(|link| link.mass > 0.0));
    let rest = RobotState::new(Arc::clone(&model));
    let poses = forward_kinematics(&model, rest.positions()).unwrap();
    let theirs = links_in_pinocchio(urdf, &model);
    let places: Vec<(u64, [f64; 3])> = serde_json::from_value(places.clone()).unwrap();
    let places: BTreeMap<u64, [f64; 3]> = places.into_iter().collect();
    for bone in bones.as_array().unwrap() {
        let name = bone["name"].as_str().unwrap();
        let Some(near) = bone["near"].as_u64() else { continue };
        let ours = poses[model.link_id(name).unwrap()].translation.vector;
        for k in 0..3 {
            assert!((ours[k] - places[&near][k]).abs() < 1e-9, "{name}");
            assert!((theirs[name][9 + k] - places[&near][k]).abs() < 1e-9, "{name} in Pinocchio");
        }
    }

    let (semantics, warnings) = Srdf::load(srdf).unwrap().resolve(&model).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    let mut groups: Vec<&str> = semantics.groups.iter().map(|group| group.name.as_str()).collect();
    groups.sort_unstable();
    let tips = ["head", "left_foot", "left_forearm", "right_foot", "right_forearm"];
    assert_eq!(groups, tips.map(|tip| format!("{tip}_chain")));
    let scene = PlanningScene::new(model, Some(semantics)).unwrap();
    let everything = CheckRequest::default();
    assert!(!scene.in_collision(rest.positions(), &everything, &mut Workspace::default()).unwrap());
}

#[test]
fn four_views_show_the_sketch_from_four_sides_and_take_strokes() {
    let (_store, view) = serve_nothing();
    let mut page = open(&view);
    page.click("[data-preset=humanoid]");
    wait_for_bones(&mut page, 20);
    page.click("[data-sketch=panes]");
    page.wait_until("smoothScene.view.panes?.length === 4");
    // Something is drawn in each quarter: more colours than background, grid and lines have.
    let colours = "(() => { const v = smoothScene.view; v.draw(); const gl = v.renderer.gl; \
        const w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, p = new Uint8Array(4 * w * h), seen = [0, 1, 2, 3].map(() => new Set()); \
        gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); \
        for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) { const i = 4 * (y * w + x); \
            seen[(x < w / 2 ? 0 : 1) + (y < h / 2 ? 0 : 2)].add(p[i] << 16 | p[i + 1] << 8 | p[i + 2]); } \
        return Math.min(...seen.map((s) => s.size)); })()";
    assert!(page.number(colours) > 200.0);

    // A stroke from the left, in the third one, from the left hand forward: its depth is that of the hand.
    let in_pane = |page: &mut Browser, [x, y, z]: [f64; 3]| {
        page.place(&format!(
            "(() => {{ const v = smoothScene.view, p = v.panes[2].project([{x}, {y}, {z}]), r = v.canvas.getBoundingClientRect(); \
             return [p[0] + r.x, p[1] + r.y]; }})()"
        ))
    };
    let from = in_pane(&mut page, [0.0, 0.245, 0.71]);
    let to = in_pane(&mut page, [0.3, 0.245, 0.71]);
    page.drag_at(from, to);
    wait_for_bones(&mut page, 21);
    let tip: [f64; 3] = serde_json::from_value(page.value(
        "(() => { const s = smoothScene.sketch; return s.places.get(s.sketch.bones.at(-1).ends[1]); })()",
    ))
    .unwrap();
    assert!((tip[0] - 0.3).abs() < 0.01 && (tip[1] - 0.245).abs() < 1e-9, "{tip:?}");

    // In the free one nothing is drawn: it turns.
    let turned = "JSON.stringify(smoothScene.view.panes[3].goal)";
    let before = page.value(turned);
    page.drag_at([760.0, 600.0], [820.0, 560.0]);
    page.wait_until(&format!("{turned} !== {before}"));
    assert_eq!(page.number("smoothScene.sketch.sketch.bones.length"), 21.0);

    // A joint is dragged, with what hangs on it; then everything is undone.
    click_button(&mut page, "#draw", "Move");
    let from = in_pane(&mut page, [0.3, 0.245, 0.71]);
    let to = in_pane(&mut page, [0.25, 0.245, 0.9]);
    page.drag_at(from, to);
    page.wait_until("(() => { const s = smoothScene.sketch; return Math.abs(s.places.get(s.sketch.bones.at(-1).ends[1])[2] - 0.9) < 0.01; })()");
    for left in (0..3).rev() {
        page.click("#undo");
        page.wait_until(&format!("smoothScene.sketch.sketch.undo === {left}"));
    }
    wait_for_bones(&mut page, 0);
    page.click("[data-sketch=panes]");
    page.wait_until("!smoothScene.view.panes");
    assert_eq!(page.exceptions, Vec::<String>::new());
}
