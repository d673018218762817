//! *Plan* on the page: a goal that is dragged, a search that is drawn, a path that is played.

use smooth_scene_test_support::chromium::Browser;

use crate::plan::{GOAL, START, serve_arm};

const STATE: &str = "document.getElementById('plan-section').dataset.state";

fn pose(page: &mut Browser, state: [f64; 3]) {
    page.value(&format!(
        "smoothScene.connection.send({{ do: 'set_state', positions: {state:?} }})"
    ));
    page.wait_until(&format!(
        "JSON.stringify(smoothScene.frame.positions) === JSON.stringify({state:?})"
    ));
}

fn cell(name: &str) -> String {
    format!("document.querySelector('#plan td[data-of={name}]').textContent")
}

#[test]
fn a_goal_is_dragged_and_the_way_to_it_is_found_drawn_and_played() {
    let (_store, view) = serve_arm();
    let mut page = Browser::start(1280, 800);
    page.open(&format!("http://{}/", view.address()));
    page.wait_until("smoothScene.frame");
    page.value("document.getElementById('plan-section').open = true");
    pose(&mut page, START);
    page.click("[data-do=plan-start]");
    pose(&mut page, GOAL);

    // The last link gets handles; dragged, the robot follows.
    page.value("smoothScene.view.look('home', false)");
    page.value("document.querySelector('[data-field=plan-link]').value = 'bar2'");
    page.click("[data-do=drag-goal]");
    page.wait_until("smoothScene.view.handles.object?.goal === 'bar2'");
    let from = page.place("smoothScene.view.handles.placeOf('Y')");
    page.drag_at(from, [from[0] + 40.0, from[1] - 40.0]);
    page.wait_until(&format!("Math.abs(smoothScene.frame.positions[0] - {}) > 0.01", GOAL[0]));
    assert_eq!(page.value("smoothScene.picture.undo"), 0, "nothing is edited");
    pose(&mut page, GOAL);

    page.click("[data-do=plan]");
    page.wait_until(&format!("{STATE} === 'done'"));
    page.wait_until("smoothScene.picture.has_plan && smoothScene.frame.source === 'movement'");
    let clearance: f64 = page.value(&cell("clearance")).as_str().unwrap().parse().unwrap();
    assert!(clearance > 0.0);
    assert!(page.value(&cell("nearest")).as_str().unwrap().contains("post"));
    // The trees and the way are drawn, and the distance along the path is plotted.
    page.wait_until("smoothScene.plan.drawnEdges === smoothScene.plan.message.edges.length");
    page.wait_until(
        "smoothScene.view.renderer.marks.count > smoothScene.plan.message.path.length - 1",
    );
    page.wait_until("smoothScene.plot.curve?.distances.every((distance) => distance > 0)");

    page.click("[data-do=remove-plan]");
    page.wait_until(&format!(
        "{STATE} === '' && !smoothScene.picture.movement && !smoothScene.plot.curve"
    ));

    // A goal in the post is refused with the names.
    pose(&mut page, [0.0; 3]);
    page.click("[data-do=plan]");
    page.wait_until(&format!("{STATE} === 'failed'"));
    assert!(
        page.value("document.querySelector('#plan .bad').textContent")
            .as_str()
            .unwrap()
            .contains("post")
    );
    assert_eq!(page.exceptions, Vec::<String>::new());
}
