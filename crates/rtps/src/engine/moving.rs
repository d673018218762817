//! Another address of ours.
//!
//! Participants of our own follow an announcement with other addresses. Cyclone DDS and Fast DDS do not: they go on sending to the
//! addresses at which they found us. So when an address has been replaced, those that know us there only are told that we are gone, and
//! find us anew. An address that is gone and not replaced may come back, as with a cable that was pulled: nobody is told anything.

use super::{Departure, Engine, Outbox};
use crate::guid::{GuidPrefix, VENDOR};
use crate::network::{Interface, Network};
use std::time::{Duration, Instant};

/// How often that is said: one datagram may get lost, and nobody acknowledges it.
const GOODBYES: usize = 3;
/// How long we are silent then. Peers take goodbyes and announcements on different threads: an announcement that overtakes a goodbye
/// would be forgotten with it, while we believe that it was heard.
const SILENCE: Duration = Duration::from_millis(300);

impl Engine {
    /// Takes over other addresses of this machine and announces them.
    pub fn set_network(&mut self, network: Network, out: &mut Outbox) {
        if self.network == network {
            return;
        }
        self.network = network;
        self.reroute();
        let left_behind = self.take_left_behind();
        for prefix in &left_behind {
            let goodbye = self.goodbye();
            let address = self.remotes[prefix].metatraffic;
            out.datagrams.extend((0..GOODBYES).map(|_| (address, goodbye.clone())));
            self.forget(*prefix, Departure::Moved, out);
        }
        self.announcer.restart();
        if !left_behind.is_empty() {
            self.silent_until = Some(self.last_tick + SILENCE);
            return;
        }
        let announcement = self.announcement(None);
        out.announcements.push(announcement);
    }

    /// Whether nothing is announced, and nobody new is taken in.
    pub(super) fn is_silent(&self, now: Instant) -> bool {
        self.silent_until.is_some_and(|until| now < until)
    }

    /// Participants that know us at an address that was replaced, and do not follow.
    fn take_left_behind(&mut self) -> Vec<GuidPrefix> {
        let now = self.network.interfaces();
        let is_new = |own: &Interface| !self.known_at.iter().any(|old| old.address == own.address);
        if !now.iter().any(is_new) {
            return Vec::new();
        }
        let before = std::mem::replace(&mut self.known_at, now.to_vec());
        let stayed: Vec<_> = before.iter().filter(|old| self.network.is_own(old.address)).collect();
        let others = self.remotes.values().filter(|remote| {
            let address = *remote.metatraffic.ip();
            remote.data.vendor != VENDOR && !stayed.iter().any(|own| own.contains(address))
        });
        others.map(|remote| remote.data.prefix).collect()
    }
}
