//! *Fit* and what sticks out of edited surfaces, on the page: links of the Panda and a small robot of boxes.

use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::{
    GeometryBody, GeometrySource, LinkSurface, LoadOptions, link_geometry, parse_urdf,
};
use smooth_scene_scene::SceneStore;
use smooth_scene_test_support::chromium::Browser;
use smooth_scene_test_support::robots_venv;
use smooth_scene_test_support::viewer::serve_robot;

use crate::browser::exported;
use crate::browser_robots::{PANDA, open};
use crate::mesh_robot::serve_bells;

/// Presses the button of this text in the panel of the surface.
fn press(page: &mut Browser, text: &str) {
    let find = format!(
        "[...document.querySelectorAll('#surface button')].find((b) => b.textContent === '{text}')"
    );
    page.wait_until(&find);
    page.value(&format!("{find}.setAttribute('data-pressed', '')"));
    page.click("[data-pressed]");
    page.value("document.querySelector('[data-pressed]')?.removeAttribute('data-pressed')");
}

fn fill_in(page: &mut Browser, field: &str, value: &str) {
    page.value(&format!(
        "(() => {{ const f = document.querySelector(\"[data-field='{field}']\"); f.value = '{value}'; f.onchange?.(); }})()"
    ));
}

fn wait_for_state(page: &mut Browser, state: &str) {
    page.wait_until(&format!("document.getElementById('fit-section').dataset.state === '{state}'"));
}

fn surfaces(store: &SceneStore, link: &str) -> Vec<LinkSurface> {
    let snapshot = store.snapshot().unwrap();
    let model = snapshot.scene.model();
    model.link(model.link_id(link).unwrap()).collisions.clone()
}

/// The triangles of a collision mesh of the Panda, in the frame of its link.
fn mesh_of(link: &str) -> Vec<[Vec3; 3]> {
    let file = robots_venv::share().join(PANDA);
    let text = std::fs::read_to_string(&file).unwrap();
    let (source, options) = (GeometrySource::Collision, LoadOptions::default());
    let read = link_geometry(&text, "panda", file.parent(), source, &options, |name| name == link);
    let bodies = read.unwrap();
    let GeometryBody::Mesh { triangles, .. } = &bodies[0].body else { panic!("{link} is a mesh") };
    let pose = bodies[0].pose_in_link;
    triangles.iter().map(|t| t.map(|p| pose.transform_point(&p.into()).coords)).collect()
}

/// Whether one of the surfaces contains a point.
fn is_inside(surfaces: &[LinkSurface], point: Vec3) -> bool {
    surfaces.iter().any(|surface| {
        let local = surface.pose_in_link.inverse_transform_point(&point.into()).coords;
        surface.shape.inside_outside(&local) <= 1e-9
    })
}

/// The share of a mesh in the surfaces: each triangle as a hundred equal ones, by their middles.
fn share_inside(triangles: &[[Vec3; 3]], surfaces: &[LinkSurface]) -> f64 {
    const N: usize = 10;
    let (mut inside, mut total) = (0.0, 0.0);
    for [a, b, c] in triangles {
        let area = (b - a).cross(&(c - a)).norm();
        let at = |u: f64, v: f64| a + (b - a) * (u / N as f64) + (c - a) * (v / N as f64);
        for i in 0..N {
            for j in 0..N - i {
                let (u, v) = (i as f64, j as f64);
                let mut middles = vec![at(u + 1.0 / 3.0, v + 1.0 / 3.0)];
                if i + j + 2 <= N {
                    middles.push(at(u + 2.0 / 3.0, v + 2.0 / 3.0));
                }
                for middle in middles {
                    total += area;
                    inside += if is_inside(surfaces, middle) { area } else { 0.0 };
                }
            }
        }
    }
    inside / total
}

const COVER: &str = "document.getElementById('cover').textContent";
/// The cover that is shown is of the scene that is shown.
const IS_CURRENT: &str = "smoothScene.cover.shown?.revision === smoothScene.picture.revision";
/// Pixels of the colour of what sticks out: without markers no other colour has so little red beside green and blue.
const OUTSIDE_PIXELS: &str = "(() => { const v = smoothScene.view, m = smoothScene.markers; \
    Object.keys(m.show).forEach((kind) => (m.show[kind] = false)); v.draw(); const gl = v.renderer.gl; \
    const w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, p = new Uint8Array(4 * w * h); \
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); let count = 0; \
    for (let i = 0; i < p.length; i += 4) count += p[i + 1] > 60 && p[i + 2] > 60 && p[i] < 0.45 * Math.min(p[i + 1], p[i + 2]); \
    return count; })()";

#[test]
fn a_link_of_the_panda_is_fitted_reported_and_restored() {
    let link = "panda_link5";
    let (store, view) = serve_robot(&robots_venv::share().join(PANDA));
    let mut page = open(&view.url());
    let before = surfaces(&store, link);
    assert_eq!(page.value("document.getElementById('fit-section').hidden"), false);
    page.value(&format!("smoothScene.editor.select({{link: '{link}', index: 0}})"));
    assert_eq!(page.value("document.querySelector('[data-field=fit-link]').value"), link);
    page.wait_until(&format!("{COVER} === '100.0 % of the mesh is inside'"));
    fill_in(&mut page, "fit-surfaces", "3");
    press(&mut page, "Fit");
    wait_for_state(&mut page, "running");
    // The page and the scene go on meanwhile.
    page.value("smoothScene.connection.send({do: 'set_joint', name: 'panda_joint1', value: 0.25})");
    page.wait_until("smoothScene.frame.positions[0] === 0.25");
    wait_for_state(&mut page, "done");
    let cell =
        |of: &str| format!("document.querySelector('#fit .total [data-of={of}]').textContent");
    assert_eq!(page.value(&cell("covered")), "100 %");
    for of in ["surfaces", "mean", "largest", "mesh", "hull", "seconds"] {
        let text = page.value(&cell(of));
        let number: f64 = text.as_str().unwrap().parse().unwrap_or_else(|_| panic!("{of}: {text}"));
        assert!(number > 0.0, "{of}: {text}");
    }
    let count = page.number(&format!("Number({})", cell("surfaces")));
    page.wait_until("smoothScene.picture.undo === 1");
    let fitted = surfaces(&store, link);
    assert_eq!(fitted.len() as f64, count);
    assert!((1..=3).contains(&fitted.len()), "{fitted:?}");
    let mesh = mesh_of(link);
    assert!(mesh.len() > 50, "{}", mesh.len());
    for corner in mesh.iter().flatten() {
        assert!(is_inside(&fitted, *corner), "{corner}");
    }
    page.wait_until(&format!("{COVER} === '100.0 % of the mesh is inside, proven'"));

    // Saved like any other edit, and undone in one step.
    let options = LoadOptions { package_paths: vec![robots_venv::share()], ..Default::default() };
    let written = parse_urdf(&exported(&view), "robot.urdf", &options).unwrap().model;
    assert_eq!(written.link(written.link_id(link).unwrap()).collisions.len(), fitted.len());
    page.click("#undo");
    page.wait_until("smoothScene.picture.undo === 0");
    assert_eq!(surfaces(&store, link), before);
    assert_eq!(page.exceptions, Vec::<String>::new());
}

#[test]
fn what_sticks_out_of_an_edited_surface_is_drawn_and_counted() {
    let link = "panda_link0";
    let (store, view) = serve_robot(&robots_venv::share().join(PANDA));
    let mut page = open(&view.url());
    page.value(&format!("smoothScene.editor.select({{link: '{link}', index: 0}})"));
    page.wait_until("document.querySelector('[data-field=kind]')?.value === 'convex_mesh'");
    fill_in(&mut page, "kind", "superellipsoid");
    page.wait_until("document.querySelector(\"[data-field='radii.0']\")");
    page.wait_until(&format!("{COVER} === '100.0 % of the mesh is inside, proven'"));
    assert_eq!(page.number(OUTSIDE_PIXELS), 0.0);
    let triangles = mesh_of(link);

    // A finger on the pad makes it an octahedron: corners of the mesh come out while it slides.
    page.drag("#surface .pad canvas", [0.5, 0.5], [0.9, 0.1]);
    page.wait_until("smoothScene.picture.undo === 2");
    page.wait_until(IS_CURRENT);
    let mut before = 1.0;
    for factor in [1.0, 0.8, 0.5] {
        let radius = page.number("smoothScene.editor.surface().shape.radii[0]");
        fill_in(&mut page, "radii.0", &(1000.0 * factor * radius).to_string());
        page.wait_until(&format!(
            "Math.abs(smoothScene.editor.surface().shape.radii[0] - {}) < 1e-6",
            factor * radius
        ));
        page.wait_until(IS_CURRENT);
        let shown = page.number("smoothScene.cover.shown.covered");
        let expected = share_inside(&triangles, &surfaces(&store, link));
        // Pieces on the edge of the surface are a hundredth of the mesh wide, and half of each is wrong at most.
        assert!((shown - expected).abs() < 0.01, "{shown} {expected}");
        assert!(shown < before, "{shown} {before}");
        before = shown;
        let percent = format!(
            "{:.1} % of the mesh is inside; the rest is drawn",
            (1000.0 * shown).floor() / 10.0
        );
        assert_eq!(page.value(COVER), percent.as_str());
        page.wait_until("smoothScene.view.scene.outside.length === 1");
        assert!(page.number(OUTSIDE_PIXELS) > 200.0, "{factor}");
    }
    // The switch hides it; another link and no link have nothing that sticks out.
    page.value("document.getElementById('switches').closest('details').open = true");
    page.click("[data-switch=outside]");
    page.wait_until("smoothScene.view.scene.outside.length === 0");
    page.click("[data-switch=outside]");
    page.wait_until("smoothScene.view.scene.outside.length === 1");
    page.value("smoothScene.editor.select({link: 'panda_link3', index: 0})");
    page.wait_until(&format!("{COVER} === '100.0 % of the mesh is inside'"));
    assert_eq!(page.value("smoothScene.view.outside"), serde_json::Value::Null);
    page.value("smoothScene.editor.select(null)");
    page.wait_until("document.getElementById('cover').hidden");
    assert_eq!(page.exceptions, Vec::<String>::new());
}

#[test]
fn a_whole_robot_is_fitted_and_bad_meshes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (store, view) = serve_bells(folder.path());
    let mut page = open(&view.url());
    page.value("document.getElementById('fit-section').open = true");
    for (link, reason) in [("plain", "has no mesh in its <collision>"), ("bad", "bad.stl")] {
        fill_in(&mut page, "fit-link", link);
        page.click("#fit [data-do=fit]");
        wait_for_state(&mut page, "failed");
        page.wait_until(&format!(
            "document.querySelector('#fit .bad').textContent.includes('{reason}')"
        ));
    }
    fill_in(&mut page, "fit-link", "");
    fill_in(&mut page, "fit-surfaces", "4");
    page.click("#fit [data-do=fit]");
    wait_for_state(&mut page, "done");
    assert_eq!(page.number("document.querySelectorAll('#fit .links td[title]').length"), 2.0);
    let skipped = page.value("document.querySelector('#fit .report .bad').textContent");
    assert!(skipped.as_str().unwrap().starts_with("bad is as it was: "), "{skipped}");
    let count = |link: &str| surfaces(&store, link).len();
    assert_eq!(["bell", "twin", "bad", "plain"].map(count), [3, 2, 1, 1]);
    // Another viewer sees the same report.
    let mut other = open(&view.url());
    wait_for_state(&mut other, "done");

    // A fit that is cancelled changes nothing.
    fill_in(&mut page, "fit-surfaces", "");
    fill_in(&mut page, "fit-tolerance", "0.000001");
    page.value("document.querySelector('#fit [data-do=fit]').click()");
    wait_for_state(&mut page, "running");
    page.click("#fit [data-do=cancel-fit]");
    wait_for_state(&mut page, "cancelled");
    assert_eq!(page.number("smoothScene.picture.undo"), 1.0);
    assert_eq!(["bell", "twin", "bad", "plain"].map(count), [3, 2, 1, 1]);
    for browser in [page, other] {
        assert_eq!(browser.exceptions, Vec::<String>::new());
    }
}
