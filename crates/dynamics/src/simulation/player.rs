//! A simulation on a thread of its own that can be played, paused, stepped, pushed and reset, as fast as the clock or slower.
//!
//! Every frame is told to a listener. While time does not go on the listener is told again now and then, so that what it shows does not
//! become stale. When a step cannot be made, the last state stays, with the reason.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use smooth_scene_geometry::math::Vec3;

use crate::simulation::scene_simulation::{Push, SceneSimulation};

/// Time between two frames.
const FRAME: Duration = Duration::from_millis(16);
/// Time between two frames while time does not go on.
const IDLE: Duration = Duration::from_millis(100);
/// Time after which a frame is told even if the simulation is slower than the clock.
const LONGEST: Duration = Duration::from_millis(100);
/// Orders that may wait.
const MOST_ORDERS: usize = 256;

/// What a simulation is doing.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayState {
    /// Time goes on.
    Playing,
    /// Time stands still.
    Paused,
    /// It cannot go on: the time reached and why.
    Failed(String),
}

/// What somebody wants of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayOrder {
    /// Let time go on.
    Play,
    /// Let time stand still.
    Pause,
    /// Go on for this long, s, and pause.
    Step(f64),
    /// Back to the start, paused.
    Reset,
    /// Simulated seconds per second; infinite: as fast as it can.
    Rate(f64),
    /// A force that lasts.
    Push(Push),
    /// An impulse (N·s, world frame) at a point in the frame of a body.
    Kick {
        /// Link or object.
        body: String,
        /// Where, in the frame of the body.
        point_b: Vec3,
        /// Impulse, N·s, world frame.
        impulse_w: Vec3,
    },
}

/// A moment of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayFrame {
    /// What it is doing.
    pub state: PlayState,
    /// Simulated time, s.
    pub time: f64,
    /// Steps so far.
    pub steps: u64,
    /// Kinetic and potential energy and what contacts and springs hold, J; not numbers where they cannot be computed.
    pub energies: [f64; 3],
    /// Simulated seconds per second, lately; 0 while paused.
    pub speed: f64,
    /// Orders carried out so far.
    pub orders: u64,
}

/// Is told every frame with the simulation; says whether to go on. When not, the simulation fails with its reason.
pub type OnFrame = Box<dyn FnMut(&SceneSimulation, &PlayFrame) -> Result<(), String> + Send>;

#[derive(Debug)]
struct Shared {
    inner: Mutex<Inner>,
    changed: Condvar,
    /// Set when an order arrives: ends the advance that is under way after its step.
    interrupt: AtomicBool,
}

#[derive(Debug)]
struct Inner {
    orders: Vec<PlayOrder>,
    ordered: u64,
    frame: PlayFrame,
    quit: bool,
    has_ended: bool,
}

/// A simulation that plays until it is dropped.
#[derive(Debug)]
pub struct SimulationPlayer {
    shared: Arc<Shared>,
}

impl SimulationPlayer {
    /// Starts the thread, with time standing still.
    pub fn start(simulation: SceneSimulation, on_frame: OnFrame) -> std::io::Result<Self> {
        let frame = PlayFrame {
            state: PlayState::Paused,
            time: 0.0,
            steps: 0,
            energies: [f64::NAN; 3],
            speed: 0.0,
            orders: 0,
        };
        let inner = Inner {
            orders: Vec::new(),
            ordered: 0,
            frame: frame.clone(),
            quit: false,
            has_ended: false,
        };
        let shared = Arc::new(Shared {
            inner: Mutex::new(inner),
            changed: Condvar::new(),
            interrupt: AtomicBool::new(false),
        });
        let of_thread = Arc::clone(&shared);
        std::thread::Builder::new().name("simulation".into()).spawn(move || {
            // Tells those who wait even when the thread panics.
            let _ended = Ended(Arc::clone(&of_thread));
            let (until, rate, last) = (None, 1.0, Instant::now());
            Player { simulation, shared: of_thread, on_frame, frame, until, rate, last }.run();
        })?;
        Ok(Self { shared })
    }

    /// Gives an order; false if too many wait or the thread has ended. Orders are carried out one after the other.
    #[must_use]
    pub fn order(&self, order: PlayOrder) -> bool {
        let mut inner = self.shared.lock();
        if inner.orders.len() >= MOST_ORDERS || inner.has_ended {
            return false;
        }
        inner.orders.push(order);
        inner.ordered += 1;
        self.shared.interrupt.store(true, Ordering::Release);
        self.shared.changed.notify_all();
        true
    }

    /// The last frame.
    pub fn frame(&self) -> PlayFrame {
        self.shared.lock().frame.clone()
    }

    /// Waits until all orders so far are carried out and, after a step, time stands still again; at most this long. The frame then, or `None`.
    pub fn settled(
        &self,
        at_most: Duration,
        is_done: impl Fn(&PlayFrame) -> bool,
    ) -> Option<PlayFrame> {
        let deadline = Instant::now() + at_most;
        let mut inner = self.shared.lock();
        let wanted = inner.ordered;
        loop {
            let is_over = inner.frame.orders >= wanted && is_done(&inner.frame);
            if is_over || inner.has_ended {
                return is_over.then(|| inner.frame.clone());
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            let waited = self.shared.changed.wait_timeout(inner, left);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Ends the thread after the step it is at, and waits for that at most this long; whether it has ended.
    pub fn quit(&self, at_most: Duration) -> bool {
        self.ask_to_quit();
        let deadline = Instant::now() + at_most;
        let mut inner = self.shared.lock();
        while !inner.has_ended {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else { return false };
            let waited = self.shared.changed.wait_timeout(inner, left);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    fn ask_to_quit(&self) {
        self.shared.lock().quit = true;
        self.shared.interrupt.store(true, Ordering::Release);
        self.shared.changed.notify_all();
    }
}

impl Drop for SimulationPlayer {
    fn drop(&mut self) {
        self.ask_to_quit();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Ended(Arc<Shared>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.lock().has_ended = true;
        self.0.changed.notify_all();
    }
}

/// What the thread has.
struct Player {
    simulation: SceneSimulation,
    shared: Arc<Shared>,
    on_frame: OnFrame,
    frame: PlayFrame,
    /// When to pause, s; none: never.
    until: Option<f64>,
    rate: f64,
    /// Up to when the clock was followed.
    last: Instant,
}

impl Player {
    fn run(mut self) {
        let mut next = Instant::now();
        loop {
            // 1. Orders.
            let Some(orders) = self.wait(next) else { return };
            for order in orders {
                self.carry_out(order);
                self.frame.orders += 1;
            }
            // 2. Time goes on for one frame.
            let is_playing = self.frame.state == PlayState::Playing;
            let begin = Instant::now();
            let passed = begin - std::mem::replace(&mut self.last, begin);
            if is_playing {
                self.advance(passed);
                next = begin + FRAME;
            } else {
                self.frame.speed = 0.0;
                next = begin + IDLE;
            }
            // 3. Everybody is told.
            self.tell();
        }
    }

    /// Waits for orders until a moment; none when it is all over.
    fn wait(&mut self, until: Instant) -> Option<Vec<PlayOrder>> {
        let mut inner = self.shared.lock();
        while !inner.quit && inner.orders.is_empty() {
            let Some(left) = until.checked_duration_since(Instant::now()) else { break };
            let waited = self.shared.changed.wait_timeout(inner, left);
            inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if inner.quit {
            return None;
        }
        self.shared.interrupt.store(false, Ordering::Release);
        Some(std::mem::take(&mut inner.orders))
    }

    fn carry_out(&mut self, order: PlayOrder) {
        let has_failed = matches!(self.frame.state, PlayState::Failed(_));
        match order {
            PlayOrder::Reset => {
                self.simulation.reset();
                (self.frame.state, self.until) = (PlayState::Paused, None);
            }
            PlayOrder::Rate(rate) => self.rate = rate,
            // Only the start leads on from a failure.
            _ if has_failed => {}
            PlayOrder::Play => (self.frame.state, self.until) = (PlayState::Playing, None),
            PlayOrder::Pause => self.frame.state = PlayState::Paused,
            PlayOrder::Step(seconds) => {
                self.until = Some(self.simulation.simulation().time() + seconds);
                self.frame.state = PlayState::Playing;
            }
            // The body was looked up before the order was given, and bodies stay.
            PlayOrder::Push(push) => self.or_fail(|simulation| simulation.push(push)),
            PlayOrder::Kick { body, point_b, impulse_w } => {
                self.or_fail(|simulation| simulation.kick(&body, &point_b, &impulse_w));
            }
        }
    }

    fn or_fail<E: std::fmt::Display>(
        &mut self,
        act: impl FnOnce(&mut SceneSimulation) -> Result<(), E>,
    ) {
        if let Err(error) = act(&mut self.simulation) {
            self.frame.state = PlayState::Failed(error.to_string());
        }
    }

    /// Goes on by what has passed on the clock, or by less where the simulation is slower; to the end of a step as fast as it can.
    fn advance(&mut self, passed: Duration) {
        let begin = Instant::now();
        let from = self.simulation.simulation().time();
        let by_clock = from + self.rate * passed.min(LONGEST).as_secs_f64();
        let end = match self.until {
            Some(until) => until,
            None if by_clock.is_finite() => by_clock,
            None => f64::MAX,
        };
        let shared = Arc::clone(&self.shared);
        let is_over = || begin.elapsed() >= LONGEST || shared.interrupt.load(Ordering::Acquire);
        self.or_fail(|simulation| simulation.advance_to(end, &is_over));
        let reached = self.simulation.simulation().time();
        if self.until.is_some_and(|until| reached >= until) {
            (self.until, self.frame.state) = (None, PlayState::Paused);
        }
        let speed = (reached - from) / begin.elapsed().max(passed).max(FRAME).as_secs_f64();
        self.frame.speed += 0.2 * (speed - self.frame.speed);
    }

    fn tell(&mut self) {
        let simulation = self.simulation.simulation();
        (self.frame.time, self.frame.steps) = (simulation.time(), simulation.steps());
        self.frame.energies = match self.simulation.energy() {
            Ok((energy, stored)) => [energy.kinetic, energy.potential, stored],
            Err(_) => [f64::NAN; 3],
        };
        if let Err(reason) = (self.on_frame)(&self.simulation, &self.frame) {
            self.frame.state =
                PlayState::Failed(format!("stopped at {} s: {reason}", self.frame.time));
        }
        self.shared.lock().frame = self.frame.clone();
        self.shared.changed.notify_all();
    }
}
