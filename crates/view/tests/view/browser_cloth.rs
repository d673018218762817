//! *Cloth* on the page: a terrain is covered, a vertex pinned, the pin pulled, and the cloth stopped and taken away.

use smooth_scene_test_support::chromium::Browser;

use crate::plan::serve_arm;

const STATE: &str = "document.getElementById('cloth-section').dataset.state";
/// The middle vertex of 21 × 21, and where it is on the screen.
const MIDDLE: &str = "smoothScene.cloth.place(220)";
const MIDDLE_ON_SCREEN: &str = "smoothScene.view.project(smoothScene.cloth.place(220))";

#[test]
fn a_terrain_is_covered_and_the_cloth_is_pinned_pulled_stopped_and_removed() {
    let (_store, view) = serve_arm();
    let mut page = Browser::start(1280, 800);
    page.open(&format!("http://{}/", view.address()));
    page.wait_until("smoothScene.frame");
    page.value("document.querySelectorAll('#panel details').forEach((part) => (part.open = part.id === 'cloth-section'))");
    page.click("[data-do=cloth-terrain]");
    page.wait_until("smoothScene.picture.objects.length === 82");
    page.value("smoothScene.view.look('home', false)");
    page.value("document.querySelector('[data-field=cloth-vertices]').value = '21'");
    page.click("[data-do=cloth-drop]");
    page.wait_until(&format!("{STATE} === 'playing' && smoothScene.cloth.message.time > 1"));
    page.wait_until("smoothScene.cloth.mesh?.count === 3 * 2 * 20 * 20");
    page.wait_until("smoothScene.view.scene.outside.length === 1");

    // Stopped, nothing moves between a look at a place and a click on it.
    page.click("[data-do=cloth-play]");
    page.wait_until(&format!("{STATE} === 'paused'"));
    let at = page.place(MIDDLE_ON_SCREEN);
    page.click_at(at);
    page.wait_until("smoothScene.cloth.message.pins.length === 1");
    let pinned = page.value("JSON.stringify(smoothScene.cloth.message.pins[0])");
    page.click("[data-do=cloth-play]");
    page.wait_until(&format!("{STATE} === 'playing'"));
    let before = page.number(&format!("{MIDDLE}[2]"));
    let at = page.place(MIDDLE_ON_SCREEN);
    page.drag_at(at, [at[0], at[1] - 120.0]);
    page.wait_until(&format!("{MIDDLE}[2] > {before} + 0.05"));
    assert_eq!(page.value("JSON.stringify(smoothScene.cloth.message.pins[0])"), pinned);
    page.wait_until("!smoothScene.view.gestures.suspended");
    page.screenshot(&std::env::temp_dir().join("smooth_scene_cloth.png"));

    // The cloth moves on: its button is pressed where it is, not where it was.
    page.value("document.querySelector('[data-do=cloth-remove]').click()");
    page.wait_until(&format!("{STATE} === 'none' && !smoothScene.cloth.mesh"));
    assert_eq!(page.exceptions, Vec::<String>::new());
}
