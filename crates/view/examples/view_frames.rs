//! What the page costs the browser while both hands move: its size, what is drawn, script, style and layout on the main
//! thread, and how many frames a second come of it. Needs Chromium (see tests/robots/install.sh).
//!
//! ```text
//! cargo run --release -p smooth_scene_view --example view_frames -- [URL …]
//! ```
//!
//! With addresses of other views the same is measured of their pages, in turns, so that a machine that is busy with other
//! things slows all of them. Draw calls are counted at the interface of WebGL, so that it does not matter how a page draws.
//!
//! Chromium has no graphics card here: it draws in software, which no laptop does. So frames are counted twice, as they
//! are and with rasterisation switched off, when the graphics card's part is left out but for the vertices. Times are
//! those of the main thread's own clock: other programs do not count.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::json;
use smooth_scene_test_support::chromium::Browser;
use smooth_scene_test_support::viewer;

const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(4);
/// Until the scripts are compiled and the curve is there.
const WARM_UP: Duration = Duration::from_secs(5);
/// Window of the page.
const SIZE: [u32; 2] = [1280, 800];

/// Counts draw calls, triangles and the frames in which something was drawn.
const COUNTER: &str = "(() => { \
    const cost = window.pageCost = { frames: 0, calls: 0, triangles: 0, callsPerFrame: 0, trianglesPerFrame: 0, gl: null }; \
    const counts = { drawArrays: (a) => a[2], drawElements: (a) => a[1], drawRangeElements: (a) => a[3], \
        drawArraysInstanced: (a) => a[2] * a[3], drawElementsInstanced: (a) => a[1] * a[4] }; \
    for (const [name, corners] of Object.entries(counts)) { \
        const own = WebGL2RenderingContext.prototype[name]; \
        WebGL2RenderingContext.prototype[name] = function (...all) { \
            cost.gl = this; cost.calls += 1; if (all[0] === 4) cost.triangles += corners(all) / 3; return own.apply(this, all); }; } \
    const own = window.requestAnimationFrame.bind(window); \
    window.requestAnimationFrame = (callback) => own((time) => { \
        const [calls, triangles] = [cost.calls, cost.triangles]; callback(time); \
        if (cost.calls === calls) return; cost.frames += 1; \
        cost.callsPerFrame = cost.calls - calls; cost.trianglesPerFrame = cost.triangles - triangles; }); })()";

/// A page in a browser of its own, and what was measured of it.
struct Page {
    name: String,
    browser: Browser,
    /// Drawn in software, and not rasterised.
    rounds: [Vec<Round>; 2],
}

/// One round; times in ms a frame.
struct Round {
    frames: f64,
    script: f64,
    layout: f64,
    all: f64,
    rate: f64,
}

fn main() {
    let (_store, view) = viewer::serve(|_| {});
    let others: Vec<String> = std::env::args().skip(1).collect();
    let own = ("this page".to_owned(), view.url());
    let addresses = std::iter::once(own).chain(others.into_iter().map(|url| (url.clone(), url)));
    let mut pages: Vec<Page> = addresses.map(|(name, url)| open(name, &url)).collect();
    for mode in 0..2 {
        for page in &mut pages {
            let switch = ["disable", "enable"][mode];
            page.browser.value(&format!("pageCost.gl.{switch}(pageCost.gl.RASTERIZER_DISCARD)"));
        }
        for _ in 0..ROUNDS {
            for page in &mut pages {
                page.round(mode);
            }
        }
    }
    println!("both hands playing, {} x {} pixels, medians of {ROUNDS} rounds", SIZE[0], SIZE[1]);
    for page in &mut pages {
        page.print();
    }
}

fn open(name: String, url: &str) -> Page {
    let mut browser = Browser::start(SIZE[0], SIZE[1]);
    browser.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": COUNTER}));
    browser.open(url);
    browser.wait_until("window.smoothScene?.view.extent && smoothScene.frame && pageCost.gl");
    browser.call("Performance.enable", json!({"timeDomain": "threadTicks"}));
    let mut page = Page { name, browser, rounds: [Vec::new(), Vec::new()] };
    page.play();
    std::thread::sleep(WARM_UP);
    page.pause();
    page
}

impl Page {
    fn play(&mut self) {
        self.browser.value("smoothScene.connection.send({do: 'play'})");
        self.browser.wait_until("smoothScene.frame.playing");
    }

    fn pause(&mut self) {
        self.browser.value("smoothScene.connection.send({do: 'pause'})");
        self.browser.wait_until("!smoothScene.frame.playing");
    }

    /// Frames and times of one round, while the other pages stand still.
    fn round(&mut self, mode: usize) {
        self.play();
        let (before, start) = (self.counters(), Instant::now());
        std::thread::sleep(ROUND);
        let (after, seconds) = (self.counters(), start.elapsed().as_secs_f64());
        self.pause();
        let grown = |name: &str| after[name] - before[name];
        let frames = grown("frames");
        let each = |name: &str| 1e3 * grown(name) / frames;
        if frames > 0.0 {
            self.rounds[mode].push(Round {
                frames,
                script: each("ScriptDuration"),
                layout: each("LayoutDuration") + each("RecalcStyleDuration"),
                all: each("TaskDuration"),
                rate: frames / seconds,
            });
        }
    }

    fn counters(&mut self) -> HashMap<String, f64> {
        let answer = self.browser.call("Performance.getMetrics", json!({}));
        let metrics = answer["metrics"].as_array().unwrap().iter();
        let one = |metric: &serde_json::Value| {
            (metric["name"].as_str().unwrap().to_owned(), metric["value"].as_f64().unwrap())
        };
        let mut all: HashMap<String, f64> = metrics.map(one).collect();
        all.insert("frames".into(), self.browser.number("pageCost.frames"));
        all
    }

    fn print(&mut self) {
        println!("\n{}", self.name);
        let bytes = self.browser.number(
            "[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]\
             .reduce((sum, entry) => sum + entry.decodedBodySize, 0)",
        );
        let calls = self.browser.number("pageCost.callsPerFrame");
        let triangles = self.browser.number("pageCost.trianglesPerFrame");
        println!("  {bytes} bytes; a frame: {calls} draw calls, {triangles} triangles");
        println!(
            "  {:<20} {:>9} {:>16} {:>22} {:>20}",
            "", "frames/s", "script, ms/frame", "style, layout, ms/frame", "main thread, ms/frame"
        );
        for (name, rounds) in ["drawn in software", "not rasterised"].iter().zip(&self.rounds) {
            let median = |of: fn(&Round) -> f64| {
                let mut values: Vec<f64> = rounds.iter().map(of).collect();
                values.sort_by(f64::total_cmp);
                values[values.len() / 2]
            };
            let frames: f64 = rounds.iter().map(|round| round.frames).sum();
            assert!(frames >= 20.0, "{frames} frames are too few to say anything");
            println!(
                "  {name:<20} {:>9.1} {:>16.2} {:>22.2} {:>20.2}",
                median(|round| round.rate),
                median(|round| round.script),
                median(|round| round.layout),
                median(|round| round.all)
            );
        }
    }
}
