//! Another address of ours.
//!
//! Participants of our own follow an announcement with other addresses. Cyclone DDS and Fast DDS do not: they go on sending to the
//! addresses at which they found us. So they are told that we are gone, and find us anew.

use super::{Departure, Engine, Outbox};
use crate::guid::{GuidPrefix, VENDOR};
use crate::network::Network;
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
        let before = std::mem::replace(&mut self.network, network);
        self.reroute();
        let left_behind = self.left_behind(&before);
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

    /// Participants that know us at an address that is gone, and do not follow.
    fn left_behind(&self, before: &Network) -> Vec<GuidPrefix> {
        let staying =
            before.interfaces().iter().filter(|own| self.network.interfaces().contains(own));
        let staying: Vec<_> = staying.collect();
        let others = self.remotes.values().filter(|remote| {
            let address = *remote.metatraffic.ip();
            remote.data.vendor != VENDOR && !staying.iter().any(|own| own.contains(address))
        });
        others.map(|remote| remote.data.prefix).collect()
    }
}
