//! *Simulate* on the page: a ball that falls, is pulled by a drag, and is put back.

use serde_json::json;
use smooth_scene_test_support::chromium::Browser;

use crate::simulation::serve_pendulum;

const STATE: &str = "document.getElementById('simulate-section').dataset.state";
const BALL: &str = "smoothScene.view.bodies.get('ball').pose.xyz";

fn mouse(page: &mut Browser, kind: &str, [x, y]: [f64; 2]) {
    let buttons = if kind == "mouseReleased" { 0 } else { 1 };
    let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
    page.call("Input.dispatchMouseEvent", event);
}

#[test]
fn a_ball_falls_is_pulled_and_is_put_back() {
    let (_store, view) = serve_pendulum(true, true);
    let mut page = Browser::start(1280, 800);
    page.open(&format!("http://{}/", view.address()));
    page.wait_until("smoothScene.frame");
    page.value("document.getElementById('simulate-section').open = true");
    page.value("document.querySelector('[data-field=simulate-hold]').checked = false");
    page.value("smoothScene.view.look('front', false)");
    page.click("[data-do=simulate-start]");
    // It falls to the floor and lies there.
    page.wait_until(&format!("{STATE} === 'playing' && {BALL}[2] < 0.2"));
    page.wait_until("smoothScene.simulate.energy.points.length > 10");
    page.wait_until("smoothScene.simulate.message.energies[0] < 0.05");
    // A drag upwards and to the side lifts it: an arrow shows the force.
    page.value("document.querySelector('[data-field=simulate-strength]').value = '100'");
    // The camera stayed where the ball was.
    page.value("smoothScene.view.look('front', false)");
    let from = page.place(&format!("smoothScene.view.project({BALL})"));
    mouse(&mut page, "mousePressed", from);
    page.wait_until("smoothScene.simulate.grip?.name === 'ball'");
    let marks = page.number("smoothScene.view.renderer.marks.count");
    mouse(&mut page, "mouseMoved", [from[0] + 60.0, from[1] - 160.0]);
    page.wait_until(&format!(
        "smoothScene.view.renderer.marks.count > {} || {BALL}[2] > 0.2",
        marks - 1.0
    ));
    page.wait_until(&format!("{BALL}[2] > 0.25"));
    if let Some(file) = std::env::var_os("SIMULATE_PICTURE") {
        page.screenshot(std::path::Path::new(&file));
    }
    mouse(&mut page, "mouseReleased", [from[0] + 60.0, from[1] - 160.0]);
    page.wait_until("!smoothScene.simulate.grip");
    // Pause, step, reset.
    page.click("[data-do=simulate-play]");
    page.wait_until(&format!("{STATE} === 'paused'"));
    let time = page.number("smoothScene.simulate.message.time");
    page.click("[data-do=simulate-step]");
    page.wait_until(&format!(
        "Math.abs(smoothScene.simulate.message.time - {time} - 0.01) < 1e-9 && {STATE} === 'paused'"
    ));
    page.click("[data-do=simulate-reset]");
    page.wait_until(&format!("smoothScene.simulate.message.time === 0 && {BALL}[2] === 0.5"));
    page.click("[data-do=simulate-end]");
    page.wait_until(&format!("{STATE} === ''"));
    assert_eq!(page.exceptions, Vec::<String>::new());
}
