//! Takes the pictures of the browser view for the documentation: the hands at the start, at the first touch, through each other,
//! and a surface that is being edited. Needs Chromium (see tests/robots/install.sh).
//!
//! ```text
//! cargo run --release -p smooth_scene_view --example view_pictures -- docs
//! ```

use smooth_scene_test_support::viewer;
use std::path::Path;

use smooth_scene_test_support::chromium::Browser;

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
    let mut page = Browser::start(1120, 700);
    page.open(&view.url());
    page.wait_until("window.smoothScene?.view.extent && smoothScene.frame");
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
        settle(&mut page);
        let file = Path::new(&folder).join(format!("view_{name}.png"));
        page.screenshot(&file);
        println!("{}", file.display());
    }
    assert_eq!(page.exceptions, Vec::<String>::new());
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

/// Waits until what was asked for is on the screen: two more frames, and the transitions of the page.
fn settle(page: &mut Browser) {
    for _ in 0..2 {
        page.value(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
}
