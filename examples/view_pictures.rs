//! Takes the pictures of the browser view for the README: the hands at the start, at the first touch, and through each
//! other. Needs Chromium (see tests/robots/install.sh).
//!
//! ```text
//! cargo run --release --example view_pictures -- docs
//! ```

#[path = "../tests/browser/chromium.rs"]
mod chromium;
#[path = "../tests/support/viewer.rs"]
mod viewer;

use std::path::Path;

/// Moments of the movement, s, and whether the page is dark.
const MOMENTS: [(&str, f64, bool); 3] =
    [("start", 0.0, false), ("touch", 2.5, false), ("interpenetration", 6.0, true)];

fn main() {
    let folder = std::env::args().nth(1).expect("usage: view_pictures FOLDER");
    let (_store, view) = viewer::serve(|_| {});
    let mut page = chromium::Browser::start(1120, 700);
    page.open(&view.url());
    page.wait_until("window.smoothScene?.view.extent && smoothScene.frame");
    for (name, time, dark) in MOMENTS {
        page.value(&format!("smoothScene.connection.send({{do: 'seek', time: {time}}})"));
        page.wait_until(&format!("Number(document.body.dataset.time) === {time}"));
        if page.value("document.documentElement.dataset.theme === 'dark'") != dark {
            page.click("#theme");
        }
        // The pointer lights up what it is over.
        page.hover("#title");
        // Two frames later all of it is on the screen.
        page.value(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
        std::thread::sleep(std::time::Duration::from_secs(1));
        let file = Path::new(&folder).join(format!("view_{name}.png"));
        page.screenshot(&file);
        println!("{}", file.display());
    }
}
