//! What connections and the thread of the view exchange: commands one way, the latest of everything the other.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::mpsc::SyncSender;

use axum::extract::ws::Utf8Bytes;
use smooth_scene_scene::SceneStore;
use tokio::sync::{mpsc, oneshot, watch};

use super::command::{Command, Refused};
use super::cover::Covers;
use super::error::ViewError;
use super::filters::{Filter, Filters};
use super::host::{Described, ViewOptions};
use super::meshes::MeshReader;
use super::sketch::SketchDesk;
use super::visuals::VisualReader;

/// A command, who gave it, and where to say what came of it.
#[derive(Debug)]
pub(super) struct Order {
    pub viewer: u64,
    pub command: Command,
    pub answer: Answer,
}

/// Where to say what came of a command.
#[derive(Debug)]
pub(super) enum Answer {
    /// Only refusals, to a viewer.
    Refusals(mpsc::Sender<Utf8Bytes>),
    /// Whatever came of it, to somebody who waits.
    Once(oneshot::Sender<Result<(), ViewError>>),
}

impl Answer {
    pub fn give(self, outcome: Result<(), ViewError>) {
        match (self, outcome) {
            (Answer::Refusals(_), Ok(())) => {}
            (Answer::Refusals(refusals), Err(error)) => {
                // The queue is full if the viewer does not read: it is disconnected for that.
                if refusals.try_send(Refused::text(&error).into()).is_err() {
                    tracing::debug!("a viewer does not read why it was refused: {error}");
                }
            }
            (Answer::Once(waiting), outcome) => {
                if waiting.send(outcome).is_err() {
                    tracing::debug!("who sent a world has not waited for what came of it");
                }
            }
        }
    }
}

/// The same message for each filter that a viewer has.
pub(super) type ByFilter = Arc<BTreeMap<Filter, Utf8Bytes>>;

/// Where the viewers find the latest of everything.
#[derive(Debug)]
pub(super) struct Outputs {
    pub picture: watch::Sender<Utf8Bytes>,
    pub frame: watch::Sender<ByFilter>,
    pub curve: watch::Sender<ByFilter>,
    /// The last fit.
    pub fit: watch::Sender<Utf8Bytes>,
    /// The last plan.
    pub plan: watch::Sender<Utf8Bytes>,
    /// How the simulation is.
    pub simulation: watch::Sender<Utf8Bytes>,
    /// The cloth.
    pub cloth: watch::Sender<Utf8Bytes>,
    /// The robot that is drawn.
    pub sketch: watch::Sender<Utf8Bytes>,
    /// The game.
    pub game: watch::Sender<Utf8Bytes>,
}

impl Outputs {
    pub fn new() -> Self {
        Self {
            picture: watch::Sender::new(Utf8Bytes::default()),
            frame: watch::Sender::new(ByFilter::default()),
            curve: watch::Sender::new(ByFilter::default()),
            fit: watch::Sender::new(Utf8Bytes::default()),
            plan: watch::Sender::new(Utf8Bytes::default()),
            simulation: watch::Sender::new(Utf8Bytes::default()),
            cloth: watch::Sender::new(Utf8Bytes::default()),
            sketch: watch::Sender::new(Utf8Bytes::default()),
            game: watch::Sender::new(Utf8Bytes::default()),
        }
    }
}

/// What all connections share.
#[derive(Clone)]
pub(super) struct Shared {
    pub options: Arc<ViewOptions>,
    pub outputs: Arc<Outputs>,
    pub orders: SyncSender<Order>,
    pub viewers: Arc<AtomicUsize>,
    pub next_viewer: Arc<AtomicU64>,
    pub filters: Arc<Filters>,
    pub store: Arc<SceneStore>,
    pub described: Option<Described>,
    pub visuals: Option<Arc<VisualReader>>,
    pub meshes: Option<Arc<MeshReader>>,
    pub covers: Arc<Covers>,
    pub desk: Arc<SketchDesk>,
}
