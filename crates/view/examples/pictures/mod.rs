//! What the examples that take pictures for the documentation share.

use smooth_scene_test_support::chromium::Browser;
use std::path::Path;
use std::time::Duration;

/// Opens a page and switches it to its light theme.
pub fn light_page(url: &str) -> Browser {
    let mut page = Browser::start(1120, 700);
    page.open(url);
    page.wait_until("window.smoothScene?.picture");
    if page.value("document.documentElement.dataset.theme === 'dark'") == true {
        page.click("#theme");
    }
    page
}

/// Writes what the page shows into a file, once all that was asked for is on the screen.
pub fn take(page: &mut Browser, file: &Path) {
    // That is so after two more frames, and the transitions of the page.
    for _ in 0..3 {
        page.value(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
        std::thread::sleep(Duration::from_millis(500));
    }
    page.screenshot(file);
    println!("{}", file.display());
    assert_eq!(page.exceptions, Vec::<String>::new());
}
