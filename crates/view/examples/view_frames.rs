//! What a frame of the page costs the browser while both hands move: script, style and layout on its main thread, what
//! is drawn, and how many frames a second come of it. Needs Chromium (see tests/robots/install.sh).
//!
//! ```text
//! cargo run --release -p smooth_scene_view --example view_frames
//! ```
//!
//! Chromium has no graphics card here: it draws in software, which no laptop does. So frames are counted twice, as they
//! are and with rasterisation switched off, when the graphics card's part is left out but for the vertices. Times are
//! those of the main thread's own clock: other programs do not count.

use smooth_scene_test_support::viewer;
use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::json;
use smooth_scene_test_support::chromium::Browser;

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(4);
/// Until the scripts are compiled and the curve is there.
const WARM_UP: Duration = Duration::from_secs(5);
/// Window of the page.
const SIZE: [u32; 2] = [1280, 800];

/// One round; times in ms a frame.
struct Round {
    frames: f64,
    script: f64,
    layout: f64,
    all: f64,
    rate: f64,
}

fn main() {
    let (_store, view) = viewer::serve(|options| options.playing = true);
    let mut page = Browser::start(SIZE[0], SIZE[1]);
    page.open(&view.url());
    page.wait_until("window.smoothScene?.view.extent && smoothScene.frame");
    page.call("Performance.enable", json!({"timeDomain": "threadTicks"}));
    println!("both hands playing, {} x {} pixels, medians of {ROUNDS} rounds", SIZE[0], SIZE[1]);
    println!(
        "{:<26} {:>9} {:>16} {:>22} {:>20}",
        "", "frames/s", "script, ms/frame", "style, layout, ms/frame", "main thread, ms/frame"
    );
    for (name, switch) in [("drawn in software", "disable"), ("not rasterised", "enable")] {
        page.value(&format!(
            "(() => {{ const gl = smoothScene.view.renderer.getContext(); gl.{switch}(gl.RASTERIZER_DISCARD); }})()"
        ));
        std::thread::sleep(WARM_UP);
        let rounds: Vec<Round> = (0..ROUNDS).filter_map(|_| measure(&mut page)).collect();
        let median = |of: fn(&Round) -> f64| {
            let mut values: Vec<f64> = rounds.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
        };
        println!(
            "{name:<26} {:>9.1} {:>16.2} {:>22.2} {:>20.2}",
            median(|round| round.rate),
            median(|round| round.script),
            median(|round| round.layout),
            median(|round| round.all)
        );
        let frames: f64 = rounds.iter().map(|round| round.frames).sum();
        assert!(frames >= 20.0, "{frames} frames are too few to say anything");
    }
    let render = page.value("smoothScene.view.renderer.info.render");
    println!(
        "a frame: {} draw calls, {} triangles, {} state messages a second",
        render["calls"],
        render["triangles"],
        messages_per_second(&mut page)
    );
}

/// Frames and times of one round; none when no frame was drawn.
fn measure(page: &mut Browser) -> Option<Round> {
    let (before, start) = (counters(page), Instant::now());
    std::thread::sleep(ROUND);
    let (after, seconds) = (counters(page), start.elapsed().as_secs_f64());
    let grown = |name: &str| after[name] - before[name];
    let frames = grown("frames");
    let each = |name: &str| 1e3 * grown(name) / frames;
    (frames > 0.0).then(|| Round {
        frames,
        script: each("ScriptDuration"),
        layout: each("LayoutDuration") + each("RecalcStyleDuration"),
        all: each("TaskDuration"),
        rate: frames / seconds,
    })
}

fn counters(page: &mut Browser) -> HashMap<String, f64> {
    let answer = page.call("Performance.getMetrics", json!({}));
    let metrics = answer["metrics"].as_array().unwrap().iter();
    let one = |metric: &serde_json::Value| {
        (metric["name"].as_str().unwrap().to_owned(), metric["value"].as_f64().unwrap())
    };
    let mut all: HashMap<String, f64> = metrics.map(one).collect();
    all.insert("frames".into(), page.number("smoothScene.view.renderer.info.render.frame"));
    all
}

fn messages_per_second(page: &mut Browser) -> f64 {
    let count = "new Promise((done) => { let count = 0; const one = () => count++; \
        smoothScene.connection.socket.addEventListener('message', one); \
        setTimeout(() => { smoothScene.connection.socket.removeEventListener('message', one); done(count / 2); }, 2000); })";
    page.number(count)
}
