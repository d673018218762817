//! Takes the pictures of the browser view for the documentation: the hands at the start, at the first touch, through each other,
//! and a surface that is being edited; a link of the Panda after a fit, and with a surface that is too small for its mesh; a robot
//! that is drawn. Needs Chromium and `example-robot-data` (see tests/robots/install.sh).
//!
//! ```text
//! cargo run --release -p smooth_scene_view --example view_pictures -- docs
//! ```

mod pictures;

use pictures::{light_page, take};
use smooth_scene_test_support::chromium::Browser;
use smooth_scene_test_support::{robots_venv, viewer};
use std::path::Path;

/// Moments of the movement, s, and whether the page is dark.
const MOMENTS: [(&str, f64, bool); 4] = [
    ("start", 0.0, false),
    ("touch", 2.5, false),
    ("interpenetration", 6.0, true),
    ("editing", 2.5, false),
];

fn main() {
    let folder = std::env::args().nth(1).expect("usage: view_pictures FOLDER");
    // As in the demo: the fingers of one hand are less than a millimetre apart.
    let (_store, view) = viewer::serve(|options| options.close_distance = 5e-4);
    let mut page = light_page(&view.url());
    page.wait_until("smoothScene.view.extent && smoothScene.frame");
    for (name, time, dark) in MOMENTS {
        page.value(&format!("smoothScene.connection.send({{do: 'seek', time: {time}}})"));
        page.wait_until(&format!("Number(document.body.dataset.time) === {time}"));
        if page.value("document.documentElement.dataset.theme === 'dark'") != dark {
            page.click("#theme");
        }
        if name == "editing" {
            edit(&mut page);
        }
        // The pointer lights up what it is over.
        page.hover("#title");
        take(&mut page, &Path::new(&folder).join(format!("view_{name}.png")));
    }
    fit(Path::new(&folder));
    sketch(Path::new(&folder));
}

/// A humanoid in four views, with the arcs of its joints.
fn sketch(folder: &Path) {
    let (_store, view) = viewer::serve_nothing();
    let mut page = light_page(&format!("{}#draw", view.url()));
    page.wait_until("smoothScene.sketch.active");
    page.click("[data-preset=humanoid]");
    page.wait_until("smoothScene.sketch.sketch.bones.length === 20");
    page.click("[data-sketch=panes]");
    page.click("[data-tool=joints]");
    page.value("smoothScene.sketch.select({ bone: 'left_shin' })");
    page.value("document.getElementById('draw-section').scrollIntoView()");
    take(&mut page, &folder.join("sketch.png"));
}

/// The forearm of the Panda with surfaces around its mesh and their report, and what sticks out when one of them shrinks.
fn fit(folder: &Path) {
    let panda = "example-robot-data/robots/panda_description/urdf/panda.urdf";
    let (_store, view) = viewer::serve_robot(&robots_venv::share().join(panda));
    let mut page = light_page(&view.url());
    page.wait_until("smoothScene.frame");
    for (joint, value) in [(4, -1.9), (6, 2.4)] {
        page.value(&format!(
            "smoothScene.connection.send({{do: 'set_joint', name: 'panda_joint{joint}', value: {value}}})"
        ));
    }
    page.wait_until("smoothScene.frame.positions[5] === 2.4");
    page.value("smoothScene.view.look('home', false)");
    page.value("smoothScene.editor.select({link: 'panda_link5', index: 0})");
    page.value("smoothScene.fit.surfaces.value = 3");
    page.value("smoothScene.fit.fitLink('panda_link5')");
    page.wait_until("smoothScene.fit.message?.state === 'done'");
    page.wait_until("smoothScene.cover.shown?.proven");
    page.value("document.getElementById('fit-section').scrollIntoView()");
    take(&mut page, &folder.join("view_fit.png"));
    page.value(
        "smoothScene.editor.change((({ shape }) => ({ ...shape, radii: shape.radii.map((r) => 0.85 * r) }))(smoothScene.editor.surface()))",
    );
    page.wait_until("smoothScene.view.outside");
    page.value("document.getElementById('surface-section').scrollIntoView()");
    take(&mut page, &folder.join("view_outside.png"));
}

/// The tip of a thumb with its pads and handles, after one edit of its exponents.
fn edit(page: &mut Browser) {
    page.value("smoothScene.editor.select({link: 'r_thumb_4', index: 0})");
    page.value("smoothScene.editor.setMode('translate')");
    page.value("document.querySelector('#panel details').open = false");
    page.drag("#surface .pad canvas", [0.5, 0.7], [0.3, 0.86]);
    page.wait_until("smoothScene.picture.undo === 1");
    page.value("document.getElementById('panel').scrollTop = 0");
}
