//! What the page says of the scene: verdict, colours and table, objects and world files, the lists of the panel.

use serde_json::json;
use smooth_scene_scene::{PlanningScene, WorldFile};
use smooth_scene_test_support::chromium::Browser;
use smooth_scene_test_support::viewer::{get, serve};
use smooth_scene_view::ViewServer;

use crate::browser::{POSE, RED_SURFACES, click_button, handle_at, open, wait_for_change};

/// Chooses what the table lists.
fn choose(page: &mut Browser, between: &str) {
    page.value(&format!(
        "(() => {{ const s = document.getElementById('between'); s.value = '{between}'; s.onchange(); }})()"
    ));
    page.wait_until(&format!("JSON.stringify(smoothScene.frame.table.between) === '{between}'"));
}

const VERDICT: &str = "document.getElementById('verdict').className";
const LISTED: &str = "JSON.stringify(smoothScene.frame.table.pairs.map(({ a, b }) => [a, b]))";

/// A ball in the middle of the right palm, which the table may list or not.
#[test]
fn the_verdict_turns_red_whatever_the_table_lists() {
    let (_store, view) = serve(|options| options.close_distance = 5e-4);
    let mut page = open(&view);
    let filters = [
        r#"[[],[]]"#,
        r#"[["r_hand"],["l_hand"]]"#,
        r#"[["l_hand"],[]]"#,
        r#"[["r_thumb"],["l_thumb"]]"#,
    ];
    for between in filters {
        choose(&mut page, between);
        assert_eq!(page.value(VERDICT), "free", "{between}");
        page.value(
            "smoothScene.editor.edit({ of: 'add_object', name: 'ball', shape: { type: 'sphere', radius: 0.01 }, \
             pose: { xyz: smoothScene.view.surfaceOf({ link: 'r_palm', index: 0 }).world.xyz, quat: [0, 0, 0, 1] } })",
        );
        page.wait_until("smoothScene.frame.contacts > 0 && smoothScene.view.states.has('ball')");
        page.wait_until(&format!("{VERDICT} === 'contact'"));
        let words = page.value("document.getElementById('verdict').textContent");
        assert!(words.as_str().unwrap().contains("mm deep"), "{words}");
        let pair = page.value("document.getElementById('verdict-pair').textContent");
        assert_eq!(pair, "r_palm – ball", "{between}");
        page.wait_until(&format!("{RED_SURFACES} >= 2"));
        let lists_ball = page.value(&format!("{LISTED}.includes('ball')"));
        assert_eq!(lists_ball, between == filters[0], "{between}");
        page.click("#undo");
        page.wait_until(&format!("smoothScene.frame.contacts === 0 && {VERDICT} === 'free'"));
        page.wait_until(&format!("{RED_SURFACES} === 0"));
    }
    let note = page.value("document.getElementById('filter-note').textContent");
    assert!(note.as_str().unwrap().contains("for you alone"), "{note}");
    assert_eq!(page.exceptions, Vec::<String>::new());
}

#[test]
fn two_viewers_have_filters_of_their_own() {
    let (_store, view) = serve(|_| {});
    let (mut one, mut other) = (open(&view), open(&view));
    choose(&mut one, r#"[["r_index"],["l_index"]]"#);
    // Both see the same movement, each its own table.
    one.value("smoothScene.connection.send({do: 'seek', time: 1})");
    for page in [&mut one, &mut other] {
        page.wait_until("smoothScene.frame.time === 1");
    }
    assert_eq!(other.value("smoothScene.frame.table.between"), json!([["r_hand"], ["l_hand"]]));
    assert_eq!(
        other.value("document.getElementById('between').value"),
        r#"[["r_hand"],["l_hand"]]"#
    );
    let fingers = "smoothScene.frame.table.pairs.every(({ a, b }) => a.startsWith('r_index') && b.startsWith('l_index'))";
    assert_eq!(one.value(fingers), true);
    assert_ne!(one.value(LISTED), other.value(LISTED));
    for (page, name) in [(&mut one, "r_index – l_index"), (&mut other, "r_hand – l_hand")] {
        page.wait_until(&format!(
            "document.getElementById('plot-legend').textContent.includes('{name}')"
        ));
        assert_eq!(page.exceptions, Vec::<String>::new());
    }
}

fn world_file(view: &ViewServer) -> String {
    let text = get(view.address(), "/world.yaml", &format!("Host: {}\r\n", view.address()));
    assert!(text.contains("attachment; filename=\"world.yaml\""), "{text}");
    text.split_once("\r\n\r\n").unwrap().1.to_owned()
}

fn objects(scene: &PlanningScene) -> String {
    WorldFile::of_scene(scene).to_yaml().unwrap()
}

#[test]
fn a_saved_world_loads_again() {
    let (store, view) = serve(|_| {});
    let mut page = open(&view);
    for kind in ["sphere", "superellipsoid", "box", "cylinder"] {
        page.value(&format!("smoothScene.objects.add('{kind}')"));
        page.wait_until(&format!("smoothScene.editor.target?.object === '{kind}_1'"));
    }
    page.value("smoothScene.editor.edit({of: 'attach_object', name: 'box_1', link: 'l_palm'})");
    page.wait_until("smoothScene.picture.objects.some((o) => o.link === 'l_palm')");
    assert_eq!(page.value("document.getElementById('save').getAttribute('href')"), "world.yaml");
    let saved = world_file(&view);
    let before = objects(&store.snapshot().unwrap().scene);
    assert_eq!(saved, before);
    for count in (0..4).rev() {
        page.value("smoothScene.editor.edit({of: 'remove_object', name: smoothScene.picture.objects[0].name})");
        page.wait_until(&format!("smoothScene.picture.objects.length === {count}"));
    }

    // The button opens a dialog for files, which hands over the one that was saved.
    let folder = tempfile::tempdir().unwrap();
    let load = |page: &mut Browser, text: &str| {
        let file = folder.path().join("world.yaml");
        std::fs::write(&file, text).unwrap();
        // The field is not part of the page: it is caught when it is clicked.
        page.value(
            "(() => { const own = HTMLInputElement.prototype.click; \
             HTMLInputElement.prototype.click = function () { if (this.type === 'file') window.chosen = this; else own.call(this); }; })()",
        );
        page.click("#load");
        let chosen = page.call("Runtime.evaluate", json!({"expression": "window.chosen"}));
        let object = chosen["result"]["objectId"].as_str().unwrap();
        page.call("DOM.setFileInputFiles", json!({"objectId": object, "files": [file]}));
    };
    load(&mut page, &saved);
    page.wait_until("smoothScene.picture.objects.length === 4");
    assert_eq!(objects(&store.snapshot().unwrap().scene), before);
    page.wait_until("smoothScene.view.order.some(({ target }) => target.object === 'cylinder_1')");

    // A file that makes no sense changes nothing and says why; loading is one step of the history.
    load(&mut page, "- id: x\n  shape: {type: sphere, radius: -1}\n");
    page.wait_until("!document.getElementById('notice').hidden");
    let reason = page.value("document.getElementById('notice').textContent");
    assert!(reason.as_str().unwrap().contains("radius is -1"), "{reason}");
    assert_eq!(objects(&store.snapshot().unwrap().scene), before);
    page.click("#undo");
    page.wait_until("smoothScene.picture.objects.length === 0");
    // The refusal is an answer with status 400, which browsers write to their console.
    page.exceptions.retain(|error| !error.contains("400 (Bad Request)"));
    assert_eq!(page.exceptions, Vec::<String>::new());
}

#[test]
fn an_object_that_is_carried_keeps_its_position_fields_and_handles() {
    let (store, view) = serve(|_| {});
    let mut page = open(&view);
    page.value("smoothScene.objects.add('box')");
    page.wait_until("smoothScene.editor.target?.object === 'box_1'");
    page.value("smoothScene.editor.edit({of: 'attach_object', name: 'box_1', link: 'l_palm'})");
    page.wait_until("smoothScene.editor.carrier === 'l_palm'");
    page.wait_until("document.querySelector('#surface .place')");
    let before = page.value(POSE);
    page.value("(() => { const f = document.querySelector(\"[data-field='at.x']\"); f.value = '35'; f.onchange(); })()");
    page.wait_until("Math.abs(smoothScene.editor.pose().xyz[0] - 0.035) < 1e-12");
    let pose = |store: &smooth_scene_scene::SceneStore| {
        let snapshot = store.snapshot().unwrap();
        let carried = snapshot.scene.attached_object("box_1").unwrap();
        carried.object.pose().translation.vector
    };
    assert!((pose(&store).x - 0.035).abs() < 1e-12);
    page.click("[data-mode=translate]");
    page.wait_until("smoothScene.view.handles.object");
    let moved = page.value(POSE);
    let [x, y] = page.place(&handle_at("Z"));
    page.drag_at([x, y], [x + 5.0, y - 40.0]);
    wait_for_change(&mut page, POSE, &moved);
    // Adding, attaching, the number and the drag are four steps.
    page.wait_until("smoothScene.picture.undo === 4");
    for _ in 0..2 {
        page.click("#undo");
    }
    page.wait_until("smoothScene.picture.undo === 2");
    page.wait_until(&format!("{POSE} === {before}"));
    assert!(page.value("smoothScene.editor.carrier") == "l_palm");
    click_button(&mut page, "#surface", "Let go");
    page.wait_until("smoothScene.picture.objects.every((o) => !o.link)");
    assert_eq!(page.exceptions, Vec::<String>::new());
}

#[test]
fn the_joint_filter_hides_rows_and_times_are_there_while_posing_by_hand() {
    let (_store, view) = serve(|_| {});
    let mut page = open(&view);
    page.value("document.getElementById('joints').closest('details').open = true");
    let shown = "[...document.querySelectorAll('.joint')].filter((row) => row.getClientRects().length).length";
    let all = page.number(shown);
    page.click("#joint-filter");
    page.insert("R_THUMB");
    page.wait_until(&format!("{shown} < {all}"));
    let thumb = "[...document.querySelectorAll('.joint')].filter((row) => row.getClientRects().length)\
        .every((row) => row.textContent.includes('r_thumb'))";
    assert_eq!(page.value(thumb), true);
    assert!(page.number(shown) >= 3.0);

    // One state, posed by hand, and then nothing moves any more.
    page.value("(() => { const s = document.getElementById('joint-r_thumb_flex_1'); s.value = '0.3'; s.dispatchEvent(new Event('input')); })()");
    page.wait_until("document.body.dataset.source === 'manual'");
    std::thread::sleep(std::time::Duration::from_millis(600));
    page.value("document.getElementById('times').closest('details').open = true");
    page.wait_until("document.querySelectorAll('#times tr').length === 5");
    let micros = "[...document.querySelectorAll('#times td.number')].slice(0, 3).map((cell) => parseFloat(cell.textContent))";
    assert!(page.number(&format!("Math.min(...{micros})")) > 0.0);
    assert_eq!(page.exceptions, Vec::<String>::new());
}
