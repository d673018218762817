//! What the browser view costs those who query the scene: the time of a question while nobody looks, and while viewers
//! look at a movement that plays at 60 frames a second.
//!
//! ```text
//! cargo run --release --example view_cost
//! ```

#[path = "../tests/support/viewer.rs"]
mod viewer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};
use smooth_scene::robot::RobotState;
use smooth_scene::scene::{NearestRequest, SceneStore, Workspace};
use tungstenite::Message;

/// Each number of viewers is measured so many times, in turn, for so long.
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(1);
const VIEWERS: [usize; 4] = [0, 1, 4, 16];

struct Measured {
    cpu_micros: f64,
    wall_micros: f64,
    /// CPU time of everything but the questions, share of one core.
    rest: f64,
    frames: f64,
}

fn main() {
    let mut all: Vec<Vec<Measured>> = VIEWERS.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for (place, &viewers) in VIEWERS.iter().enumerate() {
            all[place].push(measure(viewers));
        }
    }
    println!("nearest 12 pairs of the two hands, one thread; medians of {ROUNDS} rounds");
    println!(
        "{:>8} {:>14} {:>14} {:>12} {:>18}",
        "viewers", "CPU, µs/query", "wall, µs/query", "frames/s", "the rest, cores"
    );
    for (viewers, rounds) in VIEWERS.iter().zip(&all) {
        let median = |of: fn(&Measured) -> f64| {
            let mut values: Vec<f64> = rounds.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        println!(
            "{viewers:>8} {:>14.1} {:>14.1} {:>12.1} {:>18.3}",
            median(|m| m.cpu_micros),
            median(|m| m.wall_micros),
            median(|m| m.frames),
            median(|m| m.rest),
        );
    }
    println!("the rest: the view and the viewers' own reading, which is in this process too");
}

fn measure(viewers: usize) -> Measured {
    let (store, view) = viewer::serve(|options| options.playing = true);
    let (stop, frames) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let readers: Vec<_> = (0..viewers)
        .map(|_| {
            let mut viewer = viewer::Viewer::connect(view.address());
            viewer.wait_for("curve", |_| true);
            let (stop, frames) = (Arc::clone(&stop), Arc::clone(&frames));
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    if let Ok(Message::Text(_)) = viewer.socket.read() {
                        frames.fetch_add(1, Ordering::Relaxed);
                    }
                }
            })
        })
        .collect();
    let before = frames.load(Ordering::Relaxed);
    let measured = ask(&store);
    let seen = (frames.load(Ordering::Relaxed) - before) as f64;
    stop.store(true, Ordering::Relaxed);
    drop(view);
    for reader in readers {
        reader.join().unwrap();
    }
    Measured { frames: seen / viewers.max(1) as f64 / ROUND.as_secs_f64(), ..measured }
}

/// Asks for as long as a round takes.
fn ask(store: &SceneStore) -> Measured {
    let snapshot = store.snapshot().unwrap();
    let state = RobotState::new(Arc::clone(snapshot.scene.model()));
    let request = NearestRequest { max_results: 12, ..NearestRequest::default() };
    let (mut workspace, mut found) = (Workspace::cold(), Vec::new());
    let (thread, process, start) = (ThreadTime::now(), ProcessTime::now(), Instant::now());
    let mut queries = 0u32;
    while start.elapsed() < ROUND {
        snapshot.scene.nearest(state.positions(), &request, &mut workspace, &mut found).unwrap();
        queries += 1;
    }
    let (own, wall) = (thread.elapsed().as_secs_f64(), start.elapsed().as_secs_f64());
    let rest = (process.elapsed().as_secs_f64() - own) / wall;
    let per_query = 1e6 / f64::from(queries);
    Measured { cpu_micros: own * per_query, wall_micros: wall * per_query, rest, frames: 0.0 }
}
