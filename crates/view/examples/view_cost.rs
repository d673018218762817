//! What the browser view costs those who query the scene: the time of a question while nobody looks, and while viewers
//! look at a movement that plays at 60 frames a second.
//!
//! ```text
//! cargo run --release -p smooth_scene_view --example view_cost
//! ```
//!
//! All views look at one scene, and stay connected; in short turns one of them plays while the others stand still. Each
//! turn is compared with the turn without viewers of the same round, so that a machine that is busy with other things
//! slows both. Nobody looks twice in a round: the second shows how far the figures can be trusted.

use smooth_scene_test_support::viewer;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use cpu_time::{ProcessTime, ThreadTime};
use smooth_scene_robot::RobotState;
use smooth_scene_scene::{NearestRequest, SceneStore, Workspace};
use smooth_scene_test_support::viewer::Viewer;
use smooth_scene_view::{ViewOptions, ViewServer};
use tungstenite::Message;

const ROUNDS: usize = 60;
const TURN: Duration = Duration::from_millis(150);
/// Nobody twice, see above.
const VIEWERS: [usize; 5] = [0, 0, 1, 4, 16];

/// One turn.
#[derive(Clone, Copy)]
struct Turn {
    /// CPU time of a question, µs.
    question: f64,
    /// CPU time of everything but the questions, share of one core.
    rest: f64,
    /// Frames that each viewer got, a second.
    frames: f64,
}

fn main() {
    let (store, _) = viewer::hands("icub_hands_mixed.urdf");
    let mut audiences: Vec<Audience> =
        VIEWERS.iter().map(|&count| Audience::new(&store, count)).collect();
    let mut all: Vec<Vec<Turn>> = VIEWERS.iter().map(|_| Vec::new()).collect();
    for round in 0..ROUNDS {
        // Another one begins each round.
        for step in 0..VIEWERS.len() {
            let place = (round + step) % VIEWERS.len();
            all[place].push(audiences[place].turn(&store));
        }
    }
    println!("nearest 12 pairs of the two hands, one thread; medians of {ROUNDS} turns each");
    println!(
        "{:>8} {:>14} {:>28} {:>10} {:>16}",
        "viewers", "CPU, µs/query", "ratio (quarter to quarter)", "frames/s", "the rest, cores"
    );
    for (viewers, turns) in VIEWERS.iter().zip(&all) {
        let of = |f: fn(&Turn) -> f64| quartiles(turns.iter().map(f).collect())[1];
        let pairs = turns.iter().zip(&all[0]);
        let [low, ratio, high] =
            quartiles(pairs.map(|(turn, alone)| turn.question / alone.question).collect());
        println!(
            "{viewers:>8} {:>14.1} {:>28} {:>10.1} {:>16.3}",
            of(|turn| turn.question),
            format!("{ratio:.3} ({low:.3} to {high:.3})"),
            of(|turn| turn.frames),
            of(|turn| turn.rest),
        );
    }
    println!("the rest: the view and the viewers' own reading, which is in this process too");
}

fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[(values.len() - 1) * quarter / 4])
}

/// A view and those who look at it.
struct Audience {
    view: Option<ViewServer>,
    /// Gives the orders.
    first: Option<Viewer>,
    readers: Vec<JoinHandle<()>>,
    frames: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    count: usize,
}

impl Audience {
    fn new(store: &Arc<SceneStore>, count: usize) -> Self {
        let (_, mut host) = viewer::hands("icub_hands_mixed.urdf");
        host.store = Arc::clone(store);
        let options = ViewOptions { playing: false, ..ViewOptions::default() };
        let view = ViewServer::start(host, options).unwrap();
        let (stop, frames) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let first = (count > 0).then(|| connect(view.address()));
        let reader = |_| {
            let mut viewer = connect(view.address());
            let patience = Some(Duration::from_millis(100));
            viewer.socket.get_ref().set_read_timeout(patience).unwrap();
            let (stop, frames) = (Arc::clone(&stop), Arc::clone(&frames));
            std::thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    if let Ok(Message::Text(_)) = viewer.socket.read() {
                        frames.fetch_add(1, Ordering::Relaxed);
                    }
                }
            })
        };
        let readers = (1..count).map(reader).collect();
        Self { view: Some(view), first, readers, frames, stop, count }
    }

    /// Plays for one turn, asks all the while, and stands still again.
    fn turn(&mut self, store: &SceneStore) -> Turn {
        self.order("play", true);
        let before = self.frames.load(Ordering::Relaxed);
        let stop = Arc::new(AtomicBool::new(false));
        // The one that gives orders reads, too, or it would hold nothing back but its own frames.
        let own = self.first.take().map(|mut viewer| {
            let stop = Arc::clone(&stop);
            std::thread::spawn(move || {
                let mut frames = 0u64;
                while !stop.load(Ordering::Relaxed) {
                    frames += u64::from(matches!(viewer.socket.read(), Ok(Message::Text(_))));
                }
                (viewer, frames)
            })
        });
        let (turn, seconds) = ask(store);
        let mut frames = self.frames.load(Ordering::Relaxed) - before;
        stop.store(true, Ordering::Relaxed);
        if let Some(own) = own {
            let (viewer, own) = own.join().unwrap();
            self.first = Some(viewer);
            frames += own;
        }
        self.order("pause", false);
        Turn { frames: frames as f64 / self.count.max(1) as f64 / seconds, ..turn }
    }

    fn order(&mut self, what: &str, playing: bool) {
        if let Some(viewer) = &mut self.first {
            viewer.send(&format!(r#"{{"do":"{what}"}}"#));
            viewer.wait_for("frame", |frame| frame["playing"] == playing);
        }
    }
}

impl Drop for Audience {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.view.take();
        for reader in self.readers.drain(..) {
            let _ = reader.join();
        }
    }
}

fn connect(address: SocketAddr) -> Viewer {
    let mut viewer = Viewer::connect(address);
    viewer.wait_for("curve", |_| true);
    viewer
}

/// Asks for as long as a turn takes; how long that was, s.
fn ask(store: &SceneStore) -> (Turn, f64) {
    let snapshot = store.snapshot().unwrap();
    let state = RobotState::new(Arc::clone(snapshot.scene.model()));
    let request = NearestRequest { max_results: 12, ..NearestRequest::default() };
    let (mut workspace, mut found) = (Workspace::cold(), Vec::new());
    let (thread, process, start) = (ThreadTime::now(), ProcessTime::now(), Instant::now());
    let mut queries = 0u32;
    while start.elapsed() < TURN {
        snapshot.scene.nearest(state.positions(), &request, &mut workspace, &mut found).unwrap();
        queries += 1;
    }
    let (own, wall) = (thread.elapsed().as_secs_f64(), start.elapsed().as_secs_f64());
    let rest = (process.elapsed().as_secs_f64() - own) / wall;
    (Turn { question: 1e6 * own / f64::from(queries), rest, frames: 0.0 }, wall)
}
