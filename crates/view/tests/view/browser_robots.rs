//! Robots of other people on the page: Panda and Talos of `example-robot-data`, whose links are meshes.

use smooth_scene_geometry::math::Vec3;
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_robot::{LoadOptions, load_urdf, parse_urdf};
use smooth_scene_test_support::chromium::Browser;
use smooth_scene_test_support::robots_venv;
use smooth_scene_test_support::viewer::serve_robot;

use crate::browser::exported;

pub(crate) const PANDA: &str = "example-robot-data/robots/panda_description/urdf/panda.urdf";
const TALOS: &str = "example-robot-data/robots/talos_data/robots/talos_full_v2.urdf";

pub(crate) fn open(url: &str) -> Browser {
    let mut browser = Browser::start(1280, 800);
    browser.open(url);
    browser.wait_until("window.smoothScene?.frame");
    browser
}

/// The box around all pixels that are not background, as shares of the canvas: left, bottom, right, top. Without grid and
/// markers these are the robot's.
const SEEN: &str = "(() => { const v = smoothScene.view, m = smoothScene.markers; v.show.grid = false; \
    Object.keys(m.show).forEach((kind) => (m.show[kind] = false)); v.draw(); \
    const gl = v.renderer.gl, w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, p = new Uint8Array(4 * w * h); \
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); const paper = v.colors.background; \
    const box = [w, h, -1, -1]; \
    for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) { const i = 4 * (y * w + x); \
        if ((p[i] << 16 | p[i + 1] << 8 | p[i + 2]) === paper) continue; \
        box[0] = Math.min(box[0], x); box[1] = Math.min(box[1], y); box[2] = Math.max(box[2], x); box[3] = Math.max(box[3], y); } \
    return [box[0] / w, box[1] / h, (box[2] + 1) / w, (box[3] + 1) / h]; })()";

#[test]
fn home_shows_all_of_panda_and_talos() {
    for (name, file, surfaces) in [("panda", PANDA, 11), ("talos", TALOS, 40)] {
        let (_store, view) = serve_robot(&robots_venv::share().join(file));
        let mut page = open(&view.url());
        assert_eq!(page.value("document.getElementById('robot').textContent"), name);
        let count = page.number("smoothScene.view.surfaceCount");
        assert!(count >= f64::from(surfaces), "{name}: {count} surfaces");
        for size in [[1280, 800], [390, 800], [1000, 420]] {
            let device = serde_json::json!(
                {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": false});
            page.call("Emulation.setDeviceMetricsOverride", device);
            page.wait_until(&format!("innerWidth === {}", size[0]));
            page.click("[data-view=home]");
            page.wait_until("!smoothScene.view.camera.moving");
            let [left, bottom, right, top] =
                serde_json::from_value::<[f64; 4]>(page.value(SEEN)).unwrap();
            // Not at an edge, and not tiny: it fills half of the canvas in one direction.
            let inside = left > 0.0 && bottom > 0.0 && right < 1.0 && top < 1.0;
            assert!(inside, "{name} at {size:?}: {:?}", [left, bottom, right, top]);
            let filled = (right - left).max(top - bottom);
            assert!(filled > 0.5, "{name} at {size:?} fills {filled}");
        }
        assert_eq!(page.exceptions, Vec::<String>::new());
    }
}

#[test]
fn a_mesh_that_becomes_a_superellipsoid_is_enclosed_by_it() {
    let file = robots_venv::share().join(PANDA);
    let (store, view) = serve_robot(&file);
    let mut page = open(&view.url());
    let robot = load_urdf(&file, &LoadOptions::default()).unwrap();
    let mut enclosed = 0;
    for link in ["panda_link0", "panda_link5", "panda_hand"] {
        page.value(&format!("smoothScene.editor.select({{link: '{link}', index: 0}})"));
        page.wait_until("document.querySelector('[data-field=kind]')?.value === 'convex_mesh'");
        page.value(
            "(() => { const s = document.querySelector('[data-field=kind]'); s.value = 'superellipsoid'; s.onchange(); })()",
        );
        let shape = format!(
            "smoothScene.picture.links.find((link) => link.name === '{link}').surfaces[0].shape"
        );
        page.wait_until(&format!("{shape}.type === 'superellipsoid'"));
        page.wait_until("document.querySelector(\"[data-field='radii.0']\")");

        // In the scene and in the exported file.
        let old = &robot.model.link(robot.model.link_id(link).unwrap()).collisions[0];
        let Shape::ConvexMesh(mesh) = &old.shape else { panic!("{link} is a mesh") };
        let snapshot = store.snapshot().unwrap();
        let text = exported(&view);
        let options =
            LoadOptions { package_paths: vec![robots_venv::share()], ..Default::default() };
        let written = parse_urdf(&text, "robot.urdf", &options).unwrap();
        for model in [snapshot.scene.model().as_ref(), &written.model] {
            let new = &model.link(model.link_id(link).unwrap()).collisions[0];
            assert!(matches!(new.shape, Shape::Superellipsoid(_)), "{:?}", new.shape);
            for vertex in mesh.vertices() {
                let in_link: Vec3 = old.pose_in_link.transform_point(&(*vertex).into()).coords;
                let local = new.pose_in_link.inverse_transform_point(&in_link.into()).coords;
                // The file has the numbers of the scene; its angles are rounded by less than 1e-12.
                let value = new.shape.inside_outside(&local);
                assert!(value <= 1e-9, "{link}: {value}");
                enclosed += 1;
            }
        }
    }
    assert!(enclosed > 100, "{enclosed}");
    page.click("#undo");
    page.wait_until("smoothScene.picture.undo === 2");
    assert_eq!(page.exceptions, Vec::<String>::new());
}

/// Visual meshes a tenth larger than the surfaces are seen around them, and the surfaces through them.
#[test]
fn visual_meshes_are_drawn_translucent_behind_the_surfaces() {
    let (_store, view) = serve_robot(&robots_venv::share().join(PANDA));
    let mut page = open(&view.url());
    page.value("document.getElementById('switches').closest('details').open = true");
    let before = serde_json::from_value::<[f64; 4]>(page.value(SEEN)).unwrap();
    assert_eq!(page.value("smoothScene.view.visuals.length"), 0);
    page.click("[data-switch=visuals]");
    page.wait_until("smoothScene.view.visuals.length > 0");
    let meshes = page.number("smoothScene.view.visuals.length");
    assert_eq!(meshes, 9.0, "as many as the collision meshes of the Panda");
    let after = serde_json::from_value::<[f64; 4]>(page.value(SEEN)).unwrap();
    assert!(after[3] > before[3] && after[1] < before[1], "{before:?} {after:?}");
    assert_eq!(page.number("smoothScene.view.scene.visual.length"), meshes);
    assert!(
        page.number("Math.max(...smoothScene.view.scene.visual.map(({ alpha }) => alpha))") < 0.5
    );
    page.click("[data-switch=visuals]");
    page.wait_until("smoothScene.view.scene.visual.length === 0");
    assert_eq!(serde_json::from_value::<[f64; 4]>(page.value(SEEN)).unwrap(), before);
    assert_eq!(page.exceptions, Vec::<String>::new());
}
