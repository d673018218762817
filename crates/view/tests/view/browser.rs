//! The page in a real browser: Chromium without a window, from `tests/robots/install.sh`.

use std::time::Duration;

use smooth_scene_test_support::chromium::Browser;
use smooth_scene_test_support::viewer::{get, serve};
use smooth_scene_view::ViewServer;

/// The page with the hands on it, at the beginning of the movement.
pub(crate) fn open(view: &ViewServer) -> Browser {
    let mut browser = Browser::start(1280, 800);
    browser.open(&view.url());
    browser.wait_until("window.smoothScene?.frame && document.querySelector('#pairs tbody tr')");
    browser
}

pub(crate) fn exported(view: &ViewServer) -> String {
    let text = get(view.address(), "/robot.urdf", &format!("Host: {}\r\n", view.address()));
    text.split_once("\r\n\r\n").unwrap().1.to_owned()
}

/// How many surfaces the last picture drew red: patches by the colours of their instances, and meshes.
pub(crate) const RED_SURFACES: &str = "(() => { const v = smoothScene.view, [r, g, b] = [16, 8, 0].map((s) => (((v.colors.red >> s) & 255) / 255) ** 2); \
    const isRed = (c) => Math.hypot(c[0] - r, c[1] - g, c[2] - b) < 1e-4; let red = v.scene.solid.filter(({ color }) => isRed(color)).length; \
    for (const { data, count } of v.renderer.solid.lists) \
        for (let i = 0; i < count; i++) red += isRed(data.subarray(24 * i + 16, 24 * i + 19)); return red; })()";

pub(crate) const FIRST_DISTANCE: &str =
    "Number(document.querySelector('#pairs tbody tr td:last-child').textContent)";

#[test]
fn the_page_shows_the_hands_moves_a_finger_and_turns_contacts_red() {
    let (_store, view) = serve(|_| {});
    let mut page = open(&view);
    assert_eq!(page.number("smoothScene.view.surfaceCount"), 44.0);
    assert_eq!(page.value("document.getElementById('counts').textContent"), "44 surfaces");
    assert_eq!(page.number(RED_SURFACES), 0.0);
    assert!((page.number(FIRST_DISTANCE) - 119.40).abs() < 0.02);

    // Something is on the canvas: the shades of the surfaces, more than background and grid.
    let colours = "(() => { const v = smoothScene.view; v.draw(); const gl = v.renderer.gl; \
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
    assert!(page.number(RED_SURFACES) > 5.0);
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
    let place = page.place(&surface_at("r_thumb_4"));
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
    let place = page.place(&surface_at("l_palm"));
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

/// Where a surface is on the page.
pub(crate) fn surface_at(link: &str) -> String {
    format!(
        "(() => {{ const v = smoothScene.view; v.draw(); \
         const p = v.project(v.surfaceOf({{link: '{link}', index: 0}}).world.xyz); \
         const r = v.canvas.getBoundingClientRect(); return [p[0] + r.x, p[1] + r.y]; }})()"
    )
}

/// Where a handle can be taken: the middle of its arrow, or a point on its ring.
pub(crate) fn handle_at(name: &str) -> String {
    format!(
        "(() => {{ const v = smoothScene.view, p = v.handles.placeOf('{name}'), r = v.canvas.getBoundingClientRect(); \
         return [p[0] + r.x, p[1] + r.y]; }})()"
    )
}

pub(crate) const POSE: &str = "JSON.stringify(smoothScene.editor.pose())";

/// Clicks a button by what is written on it.
pub(crate) fn click_button(page: &mut Browser, within: &str, text: &str) {
    let mark = format!(
        "[...document.querySelectorAll('{within} button')].find((b) => b.textContent === '{text}').dataset.test = 'it'"
    );
    page.value(&mark);
    page.click("[data-test=it]");
    page.value("document.querySelector('[data-test=it]')?.removeAttribute('data-test')");
}

/// Waits until what is sent has come back: the scene says what the page shows.
pub(crate) fn wait_for_change(page: &mut Browser, expression: &str, before: &serde_json::Value) {
    page.wait_until(&format!("{expression} !== {before}"));
}

#[test]
fn surfaces_are_moved_turned_added_and_removed_and_objects_come_and_go() {
    let (store, view) = serve(|_| {});
    let mut page = open(&view);
    page.wait_until("smoothScene.view.extent");
    let original = exported(&view);
    let place = page.place(&surface_at("r_thumb_4"));
    page.click_at(place);
    page.wait_until("smoothScene.editor.target?.link === 'r_thumb_4'");

    // Handles: an arrow moves, a ring turns. One drag is one step of the history.
    for (mode, handle, steps) in [("translate", "Y", 1), ("rotate", "Z", 2)] {
        page.click(&format!("[data-mode={mode}]"));
        page.wait_until("smoothScene.view.handles.object");
        let before = page.value(POSE);
        let [x, y] = page.place(&handle_at(handle));
        page.drag_at([x, y], [x + 40.0, y + 25.0]);
        wait_for_change(&mut page, POSE, &before);
        page.wait_until(&format!("smoothScene.picture.undo === {steps}"));
    }
    // By numbers, too: what the handles do is in fields.
    page.click("#surface [data-field='at.x']");
    page.value("document.activeElement.select()");
    page.insert("20");
    page.key("Enter", 0);
    page.wait_until("Math.abs(smoothScene.editor.pose().xyz[0] - 0.02) < 1e-9");
    page.value("(() => { const f = document.querySelector(\"[data-field='yaw']\"); f.value = '45'; f.onchange(); })()");
    page.wait_until("smoothScene.picture.undo === 4");
    page.wait_until("document.querySelector(\"[data-field='yaw']\").value === '45'");
    // A number that is refused does not stay.
    page.value("(() => { const f = document.querySelector(\"[data-field='radii.0']\"); f.value = '-3'; f.onchange(); })()");
    page.wait_until("!document.getElementById('notice').hidden");
    page.wait_until("Number(document.querySelector(\"[data-field='radii.0']\").value) > 0");

    click_button(&mut page, "#surface", "Add beside");
    page.wait_until(
        "smoothScene.view.surfaceCount === 45 && smoothScene.editor.target?.index === 1",
    );
    click_button(&mut page, "#surface", "Remove");
    page.wait_until("smoothScene.view.surfaceCount === 44");

    page.value("document.getElementById('objects-section').open = true");
    for (count, kind) in ["sphere", "superellipsoid", "box", "cylinder"].iter().enumerate() {
        click_button(&mut page, "#objects", &format!("+ {kind}"));
        page.wait_until(&format!("smoothScene.editor.target?.object === '{kind}_1'"));
        assert_eq!(store.snapshot().unwrap().scene.world().len(), count + 1);
    }
    page.click("[data-mode=translate]");
    page.wait_until("smoothScene.view.handles.object");
    let before = page.value(POSE);
    let [x, y] = page.place(&handle_at("Z"));
    page.drag_at([x, y], [x, y - 50.0]);
    wait_for_change(&mut page, POSE, &before);
    page.value("(() => { const s = document.querySelector('#surface .buttons select'); s.value = 'l_palm'; s.onchange(); })()");
    page.wait_until("smoothScene.picture.objects.some((o) => o.link === 'l_palm')");
    page.wait_until(
        "[...document.querySelectorAll('#surface button')].some((b) => b.textContent === 'Let go')",
    );
    click_button(&mut page, "#surface", "Let go");
    page.wait_until("smoothScene.picture.objects.every((o) => !o.link)");

    // All the way back and forth.
    let steps = page.number("smoothScene.picture.undo");
    for undone in 1..=steps as u32 {
        page.click("#undo");
        page.wait_until(&format!("smoothScene.picture.redo === {undone}"));
    }
    assert_eq!(page.value("document.getElementById('undo').disabled"), true);
    assert_eq!(exported(&view), original);
    assert_eq!(page.number("smoothScene.picture.objects.length"), 0.0);
    page.value("document.getElementById('canvas').focus()");
    for left in (0..steps as u32).rev() {
        page.key("z", 2 + 8);
        page.wait_until(&format!("smoothScene.picture.redo === {left}"));
    }
    assert_eq!(page.number("smoothScene.picture.objects.length"), 4.0);
    assert_eq!(page.exceptions, Vec::<String>::new());
}

#[test]
fn fingers_turn_zoom_move_pick_scrub_and_shape() {
    let (_store, view) = serve(|_| {});
    let mut page = open(&view);
    page.wait_until("smoothScene.view.extent");
    let enabled = serde_json::json!({"enabled": true, "maxTouchPoints": 5});
    page.call("Emulation.setTouchEmulationEnabled", enabled);
    let camera = "JSON.stringify(smoothScene.view.camera.position)";
    let target = "JSON.stringify(smoothScene.view.camera.target)";
    let distance = "smoothScene.view.camera.now.distance";

    // One finger turns, two zoom and move.
    let (before, far) = (page.value(camera), page.number(distance));
    page.fingers(&[[120.0, 560.0]], &[[260.0, 500.0]]);
    wait_for_change(&mut page, camera, &before);
    assert!((page.number(distance) - far).abs() < 1e-6);
    page.fingers(&[[400.0, 300.0], [500.0, 300.0]], &[[320.0, 300.0], [580.0, 300.0]]);
    page.wait_until(&format!("{distance} < 0.8 * {far}"));
    let before = page.value(target);
    page.fingers(&[[400.0, 300.0], [500.0, 300.0]], &[[470.0, 320.0], [570.0, 320.0]]);
    wait_for_change(&mut page, target, &before);
    page.value("smoothScene.view.look('home', false)");
    page.wait_until(&format!("Math.abs({distance} - {far}) < 1e-3"));

    // A tap picks.
    let place = page.place(&surface_at("l_palm"));
    page.fingers(&[place], &[place]);
    page.wait_until("smoothScene.editor.target?.link?.startsWith('l_')");

    // The slider of the time, and the plot.
    let [x, y] = page.middle("#time");
    page.fingers(&[[x - 200.0, y]], &[[x + 50.0, y]]);
    page.wait_until("Number(document.body.dataset.contacts) > 5");
    let before = page.value("document.body.dataset.time");
    let [x, y] = page.middle("#plot");
    page.fingers(&[[x, y]], &[[x + 60.0, y]]);
    wait_for_change(&mut page, "document.body.dataset.time", &before);

    // A pad.
    page.value("smoothScene.editor.select({link: 'r_thumb_4', index: 0})");
    let exponents = "(() => { const s = smoothScene.editor.surface().shape; return `${s.exponent_xy} ${s.exponent_z}`; })()";
    let before = page.value(exponents);
    let [x, y] = page.middle("#surface .pad canvas");
    page.fingers(&[[x, y]], &[[x + 40.0, y + 30.0]]);
    wait_for_change(&mut page, exponents, &before);

    // A handle: the surface moves, the camera does not.
    page.click("[data-mode=translate]");
    page.wait_until("smoothScene.view.handles.object");
    let (before, still) = (page.value(POSE), page.value(camera));
    let [x, y] = page.place(&handle_at("Y"));
    page.fingers(&[[x, y]], &[[x + 40.0, y + 25.0]]);
    wait_for_change(&mut page, POSE, &before);
    let moved = format!("JSON.parse({camera}).map((x, i) => Math.abs(x - JSON.parse({still})[i]))");
    // It may still come to rest from the turn before.
    assert!(page.number(&format!("Math.max(...{moved})")) < 1e-5);
    assert_eq!(page.exceptions, Vec::<String>::new());
}

#[test]
fn everything_can_be_done_from_the_keyboard() {
    let (_store, view) = serve(|_| {});
    let mut page = open(&view);
    page.wait_until("smoothScene.view.extent");
    page.value("document.getElementById('canvas').focus()");

    // Tab goes through everything in order; the table is one stop, with arrows inside.
    page.value("smoothScene.editor.select({link: 'r_thumb_4', index: 0})");
    page.value("[...document.querySelectorAll('details')].forEach((d) => (d.open = true))");
    let focus = "(() => { const e = document.activeElement; \
        return e.id || e.dataset.view || e.dataset.mode || e.dataset.field || e.dataset.switch || e.tagName; })()";
    let mut stops = Vec::new();
    for _ in 0..250 {
        page.key("Tab", 0);
        let stop = page.value(focus).as_str().unwrap().to_owned();
        if stop == "canvas" || stop == "BODY" {
            break;
        }
        stops.push(stop);
    }
    let wanted = [
        "home",
        "export",
        "theme",
        "play",
        "time",
        "speed",
        "between",
        "TR",
        "CANVAS",
        "radii.0",
        "exponent_z",
        "at.x",
        "yaw",
        "translate",
        "joint-filter",
        "joint-r_thumb_flex_1",
        "surfaces",
        "labels",
    ];
    let mut rest = stops.iter();
    for stop in wanted {
        assert!(rest.any(|s| s == stop), "{stop} is not reached, or not in order: {stops:?}");
    }
    assert_eq!(stops.iter().filter(|stop| *stop == "TR").count(), 1, "{stops:?}");

    // A row of the table lights up its bodies.
    page.value("document.querySelector('#pairs tbody tr').focus()");
    page.key("ArrowDown", 0);
    page.wait_until("document.activeElement === document.querySelectorAll('#pairs tbody tr')[1]");
    page.wait_until("smoothScene.view.highlighted[0] === smoothScene.frame.table.pairs[1].a");

    // A switch, the time, a joint and a pad.
    page.value("document.querySelector('[data-switch=frames]').focus()");
    page.key(" ", 0);
    page.wait_until("smoothScene.view.show.frames");
    assert_eq!(page.value("smoothScene.frame.playing"), false);
    page.value("document.getElementById('time').focus()");
    page.key("ArrowRight", 0);
    page.wait_until("Math.abs(Number(document.body.dataset.time) - 0.025) < 1e-9");
    page.value("document.getElementById('joint-r_index_flex_1').focus()");
    let before = page.value("document.activeElement.value");
    page.key("ArrowUp", 0);
    wait_for_change(&mut page, "document.activeElement.value", &before);
    page.wait_until("document.body.dataset.source === 'manual'");
    page.value("document.querySelector('#surface .pad canvas').focus()");
    page.key("ArrowRight", 0);
    page.wait_until("smoothScene.picture.undo === 1");
    page.key("z", 2);
    page.wait_until("smoothScene.picture.undo === 0 && smoothScene.picture.redo === 1");
    page.key("y", 2);
    page.wait_until("smoothScene.picture.undo === 1");

    // Views, playing, the list of keys.
    page.value("document.getElementById('canvas').focus()");
    for key in ["1", "2", "3", "4", "5", "6", "h"] {
        let camera = "JSON.stringify(smoothScene.view.camera.position)";
        let before = page.value(camera);
        page.key(key, 0);
        wait_for_change(&mut page, camera, &before);
        page.wait_until("!smoothScene.view.camera.moving");
    }
    page.key(" ", 0);
    page.wait_until("smoothScene.frame.playing && smoothScene.frame.source === 'movement'");
    page.key("?", 8);
    page.wait_until("document.getElementById('help').open");
    assert_eq!(page.exceptions, Vec::<String>::new());
}

#[test]
fn each_kind_of_marker_has_a_switch() {
    let (_store, view) = serve(|_| {});
    let mut page = open(&view);
    page.value("document.getElementById('switches').closest('details').open = true");
    // Contacts, distances and a ball, so that there is something of each kind.
    page.value("smoothScene.connection.send({do: 'seek', time: 6})");
    page.wait_until("Number(document.body.dataset.contacts) > 5");
    page.value("smoothScene.objects.add('sphere')");
    page.wait_until("smoothScene.view.bodies.has('sphere_1')");
    let m = "smoothScene.markers";
    let drawn = |of: &str| format!("smoothScene.view.order.some(({{ target }}) => target.{of})");
    let kinds = [
        ("surfaces", drawn("link === 'l_palm'"), true),
        ("objects", drawn("object === 'sphere_1'"), true),
        ("glass", "smoothScene.view.renderer.glass.count > 0".to_owned(), false),
        ("grid", "Boolean(smoothScene.view.scene.grid)".to_owned(), true),
        ("frames", "smoothScene.view.renderer.frames.count > 0".to_owned(), false),
        ("distances", format!("{m}.counts.distances > 0"), true),
        ("contacts", format!("{m}.counts.contacts > 0"), true),
        ("normals", format!("{m}.counts.normals > 0"), true),
        (
            "labels",
            "(document.querySelector('.label.contact:not([hidden])') !== null)".to_owned(),
            true,
        ),
        (
            "names",
            "(document.querySelector('.label.name:not([hidden])') !== null)".to_owned(),
            false,
        ),
    ];
    for (name, shown, at_first) in kinds {
        page.wait_until(&format!("({shown}) === {at_first}"));
        page.click(&format!("[data-switch={name}]"));
        page.wait_until(&format!("({shown}) !== {at_first}"));
        page.click(&format!("[data-switch={name}]"));
        page.wait_until(&format!("({shown}) === {at_first}"));
    }
    // The times of the questions are there, too.
    page.value("document.getElementById('times').closest('details').open = true");
    page.value("smoothScene.connection.send({do: 'play'})");
    page.wait_until("document.querySelectorAll('#times tr').length === 5");
    // What is drawn stays within what a laptop draws sixty times a second.
    assert!(page.number("smoothScene.view.renderer.stats.calls") < 20.0);
    assert!(page.number("smoothScene.view.renderer.stats.triangles") < 150_000.0);
    assert_eq!(page.exceptions, Vec::<String>::new());
}
