//! The page in a real browser: Chromium without a window, from `tests/robots/install.sh`.
#![cfg(feature = "external-tests")]

#[path = "browser/chromium.rs"]
mod chromium;
#[path = "support/viewer.rs"]
mod viewer;

use std::time::Duration;

use chromium::Browser;
use smooth_scene::view::ViewServer;
use viewer::{get, serve};

/// The page with the hands on it, at the beginning of the movement.
fn open(view: &ViewServer) -> Browser {
    let mut browser = Browser::start(1280, 800);
    browser.open(&view.url());
    browser.wait_until("window.smoothScene?.frame && document.querySelector('#pairs tbody tr')");
    browser
}

fn exported(view: &ViewServer) -> String {
    let text = get(view.address(), "/robot.urdf", &format!("Host: {}\r\n", view.address()));
    text.split_once("\r\n\r\n").unwrap().1.to_owned()
}

const FIRST_DISTANCE: &str =
    "Number(document.querySelector('#pairs tbody tr td:last-child').textContent)";

#[test]
fn the_page_shows_the_hands_moves_a_finger_and_turns_contacts_red() {
    let (_store, view) = serve(|_| {});
    let mut page = open(&view);
    assert_eq!(page.number("smoothScene.view.surfaceCount"), 44.0);
    assert_eq!(page.value("document.getElementById('counts').textContent"), "44 surfaces");
    let red = |page: &mut Browser| {
        page.number(
            "[...smoothScene.view.bodies.values()].flatMap((body) => body.meshes)\
             .filter((mesh) => mesh.material.color.getHex() === smoothScene.view.colors.red).length",
        )
    };
    assert_eq!(red(&mut page), 0.0);
    assert!((page.number(FIRST_DISTANCE) - 119.40).abs() < 0.02);

    // Something is on the canvas: the shades of the surfaces, more than background and grid.
    let colours = "(() => { const v = smoothScene.view; v.renderer.render(v.scene, v.camera); const gl = v.renderer.getContext(); \
        const w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, p = new Uint8Array(4 * w * h), seen = new Set(); \
        gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); \
        for (let i = 0; i < p.length; i += 4) seen.add(p[i] << 16 | p[i + 1] << 8 | p[i + 2]); return seen.size; })()";
    assert!(page.number(colours) > 500.0);

    // A slider moves a finger, and the table follows.
    page.value("document.getElementById('joints').closest('details').open = true");
    let link = "smoothScene.picture.links.findIndex((link) => link.name === 'r_thumb_4')";
    let place = format!("smoothScene.frame.links[{link}].slice(0, 3).join()");
    let before = (page.value(&place), page.number(FIRST_DISTANCE));
    page.drag("[id='joint-r_thumb_flex_1']", [0.1, 0.5], [0.9, 0.5]);
    page.wait_until("document.body.dataset.source === 'manual'");
    page.wait_until(&format!("Math.abs({FIRST_DISTANCE} - {}) > 1", before.1));
    assert_ne!(page.value(&place), before.0);

    // The middle of the movement.
    page.drag("#time", [0.1, 0.5], [0.6, 0.5]);
    page.wait_until("Number(document.body.dataset.contacts) > 5");
    assert!(red(&mut page) > 5.0);
    assert_eq!(page.value("document.getElementById('verdict').className"), "contact");
    assert_eq!(page.value("document.querySelector('#pairs tbody tr').className"), "contact");

    // A row that is pointed at lights up its bodies.
    page.hover("#pairs tbody tr");
    page.wait_until("smoothScene.view.highlighted.length === 2");
    assert_eq!(page.exceptions, Vec::<String>::new());
}

#[test]
fn an_edited_exponent_changes_urdf_and_distance_and_undo_restores_them() {
    let (_store, view) = serve(|_| {});
    let mut page = open(&view);
    let (original, distance) = (exported(&view), page.number(FIRST_DISTANCE));

    // Pick the tip of the right thumb where it is seen.
    let at = "(() => { const v = smoothScene.view, m = v.meshOf({link: 'r_thumb_4', index: 0}); m.updateWorldMatrix(true, false); \
        const p = v.project([m.matrixWorld.elements[12], m.matrixWorld.elements[13], m.matrixWorld.elements[14]]); \
        const r = v.canvas.getBoundingClientRect(); return [p[0] + r.x, p[1] + r.y]; })()";
    let place: [f64; 2] = serde_json::from_value(page.value(at)).unwrap();
    page.click_at(place);
    page.wait_until("document.getElementById('surface-name').textContent === 'r_thumb_4'");
    assert!(page.value("[...document.querySelectorAll('#surface input')].length >= 7") == true);

    // Slide over the pad: the shape changes at once, the file and the distance follow.
    page.drag("#surface .pad canvas", [0.5, 0.5], [0.2, 0.86]);
    let shape =
        "smoothScene.picture.links.find((link) => link.name === 'r_thumb_4').surfaces[0].shape";
    page.wait_until(&format!("{shape}.exponent_z < 0.2 && smoothScene.picture.undo === 1"));
    page.wait_until(&format!("Math.abs({FIRST_DISTANCE} - {distance}) > 0.02"));
    let exponent = page.number(&format!("{shape}.exponent_z"));
    let edited = exported(&view);
    assert_ne!(edited, original);
    assert!(edited.contains(&format!("exponent_z=\"{exponent}\"")), "{exponent}");

    page.value("document.getElementById('canvas').focus()");
    page.key("z", 2);
    page.wait_until(&format!("Math.abs({FIRST_DISTANCE} - {distance}) < 0.006"));
    assert_eq!(exported(&view), original);
    page.click("#redo");
    page.wait_until(&format!("{shape}.exponent_z === {exponent}"));
    assert_eq!(exported(&view), edited);
    assert_eq!(page.exceptions, Vec::<String>::new());
}

#[test]
fn touch_keyboard_objects_themes_and_a_small_screen() {
    let (store, view) = serve(|_| {});
    let mut page = open(&view);
    page.value("document.getElementById('canvas').focus()");
    let theme = "document.documentElement.dataset.theme";
    let before = page.value(theme);
    page.key("t", 0);
    assert_ne!(page.value(theme), before);
    page.key("]", 0);
    page.wait_until("smoothScene.editor.target?.link");
    page.key("m", 0);
    page.wait_until("smoothScene.view.handles.object");
    page.key("Escape", 0);
    page.wait_until("!smoothScene.editor.target");

    // Hold a finger on a surface and slide: the exponents follow.
    let at = "(() => { const v = smoothScene.view, m = v.meshOf({link: 'l_palm', index: 0}); m.updateWorldMatrix(true, false); \
        const p = v.project([m.matrixWorld.elements[12], m.matrixWorld.elements[13], m.matrixWorld.elements[14]]); \
        const r = v.canvas.getBoundingClientRect(); return [p[0] + r.x, p[1] + r.y]; })()";
    let place: [f64; 2] = serde_json::from_value(page.value(at)).unwrap();
    page.call("Emulation.setTouchEmulationEnabled", serde_json::json!({"enabled": true}));
    page.touch(place, Duration::from_millis(900), [place[0] + 60.0, place[1] - 60.0]);
    page.wait_until("smoothScene.picture.undo === 1");
    assert!(page.value("document.getElementById('popup')").is_null());
    let place = page.value("smoothScene.editor.target.link");
    assert!(place.is_string());

    // An object is added, selected and removed.
    page.call("Emulation.setTouchEmulationEnabled", serde_json::json!({"enabled": false}));
    page.value("document.getElementById('objects-section').open = true");
    page.click("#objects .buttons button");
    page.wait_until("smoothScene.editor.target?.object === 'sphere_1'");
    assert_eq!(store.snapshot().unwrap().scene.world().len(), 1);
    page.value("document.getElementById('canvas').focus()");
    page.key("Delete", 0);
    page.wait_until("smoothScene.picture.objects.length === 0");

    // On a telephone the panel is below, and nothing is wider than the screen.
    let small =
        serde_json::json!({"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": true});
    page.call("Emulation.setDeviceMetricsOverride", small);
    page.wait_until("document.getElementById('panel').getBoundingClientRect().top > 300");
    assert!(page.number("document.documentElement.scrollWidth") <= 390.0);
    assert_eq!(page.exceptions, Vec::<String>::new());
}
