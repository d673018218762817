//! How a participant joins a domain.

use crate::engine::Event;
use crate::limits::Limits;
use crate::network::Range;
use std::fmt;
use std::net::Ipv4Addr;
use std::sync::Arc;

/// Takes events. Called on threads of the participant; must return at once.
pub type Listener = Arc<dyn Fn(&Event) + Send + Sync>;

/// How a participant joins a domain. By default it stays on this machine.
#[derive(Clone, Default)]
pub struct Config {
    /// The domain, 0 to 232. Participants of different domains do not see each other.
    pub domain_id: u16,
    /// Where others are looked for.
    pub range: Range,
    /// Machines that are looked for without multicast.
    pub peers: Vec<Ipv4Addr>,
    /// Name, for people. At most 255 bytes.
    pub name: String,
    /// What the application adds to announcements of the participant. At most 4096 bytes.
    pub user_data: Vec<u8>,
    /// How much memory others can make us take.
    pub limits: Limits,
    /// Takes events.
    pub listener: Option<Listener>,
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("domain_id", &self.domain_id)
            .field("range", &self.range)
            .field("peers", &self.peers)
            .field("name", &self.name)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
