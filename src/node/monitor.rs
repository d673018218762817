//! Publishes proximities and markers while the state or the scene changes and somebody subscribes.

use std::sync::Arc;
use std::time::Duration;

use super::clock::to_message;
use super::core::Core;
use super::parameters::Settings;
use super::threads::Turn;
use super::topics::TopicPublisher;
use super::topics::table::{MARKERS, PROXIMITIES};
use crate::bell::Woken;
use crate::convert::Refusal;
use crate::convert::proximity::proximity_message;
use crate::interfaces::Message;
use crate::interfaces::msg::ProximityArray;
use crate::interfaces::std_msgs::msg::Header;
use crate::interfaces::visualization_msgs::msg::MarkerArray;
use crate::markers::{MarkerBuilder, View};
use crate::scene::{CheckRequest, NearestRequest, PairDistance, Snapshot, Workspace};
use crate::transport::{Transport, TransportError};

/// How often to check for new subscribers and stale joints while nothing changes.
const IDLE: Duration = Duration::from_millis(200);

/// Queries the scene on a thread of its own; nothing waits for it.
pub(super) struct Monitor {
    core: Arc<Core>,
    proximities: TopicPublisher<ProximityArray>,
    markers: TopicPublisher<MarkerArray>,
    builder: MarkerBuilder,
    /// Subscribers of the markers last time.
    viewers: usize,
    workspace: Workspace,
    found: Vec<PairDistance>,
    /// Rings of the bell that were handled.
    seen: u64,
    /// Revision of the scene that was queried last.
    revision: u64,
    /// The last reason why there was no answer.
    reason: Option<String>,
}

impl Monitor {
    pub fn new(core: Arc<Core>, transport: &dyn Transport) -> Result<Self, TransportError> {
        let proximities = PROXIMITIES.advertise(transport)?;
        let markers = MARKERS.advertise(transport)?;
        let (workspace, builder, viewers) = (Workspace::cold(), MarkerBuilder::default(), 0);
        let (found, seen, revision, reason) = (Vec::new(), 0, 0, None);
        Ok(Self {
            core,
            proximities,
            markers,
            builder,
            viewers,
            workspace,
            found,
            seen,
            revision,
            reason,
        })
    }

    /// Waits for a change, publishes, and sleeps for the rest of the period.
    pub fn turn(&mut self) -> Turn {
        let changed = match self.core.changed.wait(self.seen, IDLE) {
            Woken::Rung(rings) => {
                self.seen = rings;
                true
            }
            Woken::TimedOut => false,
            Woken::Closed => return Turn::Last,
        };
        let settings = self.core.parameters.settings();
        if self.core.lifecycle.is_active() {
            self.publish(&settings, changed);
        }
        if self.core.changed.sleep(settings.publish_period()) { Turn::Again } else { Turn::Last }
    }

    fn publish(&mut self, settings: &Settings, changed: bool) {
        let viewers = self.markers.subscribers();
        let new_viewer = viewers > std::mem::replace(&mut self.viewers, viewers);
        if new_viewer {
            self.builder.send_all_again();
        }
        if self.proximities.subscribers() == 0 && viewers == 0 {
            return;
        }
        let Ok(snapshot) = self.core.store.snapshot() else { return };
        let changed = changed || new_viewer || snapshot.revision != self.revision;
        self.revision = snapshot.revision;
        let (now, max_age) = (self.core.clock.now(), settings.max_state_age_ns());
        let found = match self.core.joints.stamped(snapshot.scene.model(), now, max_age) {
            Ok((positions, stamp)) if changed => {
                self.find_pairs(settings, &snapshot, &positions).map(|()| stamp.unwrap_or(now))
            }
            Ok(_) => return,
            Err(refusal) => Err(refusal),
        };
        match found {
            Ok(stamp) => {
                self.reason = None;
                self.publish_proximities(&snapshot, stamp);
                self.publish_markers(settings, &snapshot, stamp);
            }
            // Once: the robot may be without joint states for long.
            Err(refusal) if self.reason.as_ref() != Some(&refusal.message) => {
                self.publish_reason(&snapshot, now, &refusal.message);
                self.reason = Some(refusal.message);
            }
            Err(_) => {}
        }
    }

    /// Finds the near pairs.
    fn find_pairs(
        &mut self,
        settings: &Settings,
        snapshot: &Snapshot,
        positions: &[f64],
    ) -> Result<(), Refusal> {
        let request = NearestRequest {
            check: CheckRequest { query: settings.query(), ..CheckRequest::default() },
            max_distance: settings.proximity_distance,
            max_results: settings.max_proximities,
            ..NearestRequest::default()
        };
        let (workspace, found) = (&mut self.workspace, &mut self.found);
        Ok(snapshot.scene.nearest(positions, &request, workspace, found)?)
    }

    fn publish_proximities(&self, snapshot: &Snapshot, stamp: i64) {
        let contact = self.found.iter().any(PairDistance::is_contact);
        let scene = &snapshot.scene;
        send(
            &self.proximities,
            &ProximityArray {
                header: header(snapshot, stamp),
                status: if contact { ProximityArray::COLLISION } else { ProximityArray::FREE },
                message: String::new(),
                revision: snapshot.revision,
                proximities: self.found.iter().map(|pair| proximity_message(scene, pair)).collect(),
            },
        );
    }

    fn publish_markers(&mut self, settings: &Settings, snapshot: &Snapshot, stamp: i64) {
        if self.viewers == 0 {
            return;
        }
        let view = View {
            snapshot,
            proximities: &self.found,
            close_distance: settings.close_distance,
            switches: settings.markers,
            stamp: &to_message(stamp),
        };
        for piece in self.builder.build(&view) {
            send(&self.markers, &piece);
        }
    }

    fn publish_reason(&self, snapshot: &Snapshot, now: i64, reason: &str) {
        send(
            &self.proximities,
            &ProximityArray {
                header: header(snapshot, now),
                status: ProximityArray::NOT_COMPUTED,
                message: reason.into(),
                revision: snapshot.revision,
                proximities: Vec::new(),
            },
        );
    }
}

/// Points are in the frame of the robot's root.
fn header(snapshot: &Snapshot, stamp: i64) -> Header {
    let model = snapshot.scene.model();
    Header { stamp: to_message(stamp), frame_id: model.link(model.root()).name.clone() }
}

fn send<M: Message>(publisher: &TopicPublisher<M>, message: &M) {
    if let Err(error) = publisher.publish(message) {
        tracing::debug!("not published: {error}");
    }
}
