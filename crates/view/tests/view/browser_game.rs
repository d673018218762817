//! The game in a real browser, played with the keyboard and with a finger on the bundled hands.

use std::time::{Duration, Instant};

use serde_json::json;
use smooth_scene_test_support::chromium::{Browser, PATIENCE};
use smooth_scene_test_support::viewer::serve;

use crate::browser::open;

/// Holds an arrow key down or lets it go.
fn hold(page: &mut Browser, key: &str, kind: &str) {
    page.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
}

/// From the hand to the lowest golden body, m: to the right and up as seen from the front; null when there is none.
const GAP: &str = "(() => { const s = smoothScene.game.state, wanted = s.bodies.filter((b) => b.wanted); if (!wanted.length) return null; \
    const [low] = wanted.sort((a, b) => a.pose.xyz[2] - b.pose.xyz[2]); \
    return [low.pose.xyz[1] - s.goal[1], low.pose.xyz[2] - s.goal[2]]; })()";

/// Presses the arrow keys towards the lowest golden body until one is caught; begins again when the lives are used up.
fn catch_one(page: &mut Browser) {
    let start = Instant::now();
    let mut held: Vec<&str> = Vec::new();
    while page.number("smoothScene.game.state.score") == 0.0 {
        assert!(start.elapsed() < PATIENCE, "nothing was caught");
        if page.value("smoothScene.game.state.over") == true {
            page.value("smoothScene.game.begin(7)");
            page.wait_until("!smoothScene.game.state.over");
        }
        let gap: Option<[f64; 2]> = serde_json::from_value(page.value(GAP)).unwrap();
        let [right, up] = gap.unwrap_or_default();
        let near = 0.01;
        let wanted: Vec<&str> = [
            ("ArrowRight", right > near),
            ("ArrowLeft", right < -near),
            ("ArrowUp", up > near),
            ("ArrowDown", up < -near),
        ]
        .into_iter()
        .filter_map(|(key, is_wanted)| is_wanted.then_some(key))
        .collect();
        for key in held.iter().filter(|key| !wanted.contains(key)) {
            hold(page, key, "keyUp");
        }
        for key in wanted.iter().filter(|key| !held.contains(key)) {
            hold(page, key, "rawKeyDown");
        }
        held = wanted;
        std::thread::sleep(Duration::from_millis(20));
    }
    for key in held {
        hold(page, key, "keyUp");
    }
}

#[test]
fn golden_bodies_are_caught_with_the_keyboard_and_the_hand_follows_a_finger() {
    let (store, view) = serve(|_| {});
    let mut page = open(&view);
    let revision = store.snapshot().unwrap().revision;
    page.value("document.getElementById('game-section').open = true");
    page.click("[data-game=start]");
    page.wait_until("smoothScene.game.active && smoothScene.game.state.hand === 'r_palm'");
    // Another one, in which always the same bodies fall.
    page.value("smoothScene.game.begin(7)");
    page.wait_until("smoothScene.game.state.bodies.length > 0");
    page.wait_until(
        "smoothScene.view.order.some(({ target }) => target.object?.startsWith('falling_'))",
    );
    catch_one(&mut page);
    assert!(
        page.value("document.getElementById('game-board').textContent")
            .as_str()
            .unwrap()
            .contains("points")
    );

    // A finger beside the hand, towards the middle of the page: the palm goes there.
    page.value("smoothScene.game.begin(7)");
    page.wait_until("smoothScene.game.state.score === 0 && smoothScene.game.state.steps > 0");
    page.wait_until("!smoothScene.view.camera.moving");
    let palm = "smoothScene.frame.links[smoothScene.picture.links.findIndex((l) => l.name === 'r_palm')][1]";
    let before = page.number(palm);
    let [x, y] = page.place(
        "(() => { const v = smoothScene.view, p = v.project(smoothScene.game.state.goal), r = v.canvas.getBoundingClientRect(); \
         return [p[0] + r.x, p[1] + r.y]; })()",
    );
    let middle = page.number("smoothScene.view.canvas.clientWidth / 2");
    let side = if x < middle { 60.0 } else { -60.0 };
    page.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
    let at = |x: f64| json!([{"x": x, "y": y}]);
    let touch =
        |kind: &str, points: serde_json::Value| json!({"type": kind, "touchPoints": points});
    page.call("Input.dispatchTouchEvent", touch("touchStart", at(x + side)));
    page.call("Input.dispatchTouchEvent", touch("touchMove", at(x + 1.1 * side)));
    page.wait_until(&format!("{} * ({palm} - {before}) > 0.005", side.signum()));
    page.call("Input.dispatchTouchEvent", touch("touchEnd", json!([])));

    page.click("[data-game=pause]");
    page.wait_until("smoothScene.game.state.paused");
    page.click("[data-game=stop]");
    page.wait_until("!smoothScene.game.active && !smoothScene.view.tool");
    page.wait_until(
        "![...smoothScene.view.bodies.keys()].some((name) => name.startsWith('falling_'))",
    );
    // Nobody else saw the bodies.
    assert_eq!(store.snapshot().unwrap().revision, revision);
    assert_eq!(page.exceptions, Vec::<String>::new());
}
