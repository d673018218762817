//! DDS domains for tests that run at the same time, in this process and in others.

use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

/// Domains to choose from: their ports are below those the system hands out.
const DOMAINS: u16 = 100;
/// How long to wait for a domain when other tests hold all of them.
const PATIENCE: Duration = Duration::from_secs(120);

/// A domain that nobody else on this machine is in, and that no other test uses until this is dropped.
pub struct ReservedDomain {
    id: u16,
    /// The last port of the domain, which DDS does not use. Whoever listens here owns the domain.
    _owned: TcpListener,
}

impl ReservedDomain {
    pub fn new() -> Self {
        static NEXT: AtomicU16 = AtomicU16::new(0);
        let process = u16::try_from(std::process::id() % u32::from(DOMAINS)).expect("below 100");
        let start = Instant::now();
        loop {
            let next = NEXT.fetch_add(1, Ordering::Relaxed);
            let id = 1 + process.wrapping_add(next) % DOMAINS;
            // On the first port all participants of a domain listen for others, so it is free if there are none.
            let is_empty = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 7400 + 250 * id)).is_ok();
            match TcpListener::bind((Ipv4Addr::LOCALHOST, 7649 + 250 * id)) {
                Ok(owned) if is_empty => return Self { id, _owned: owned },
                _ => std::thread::sleep(Duration::from_millis(1)),
            }
            assert!(start.elapsed() < PATIENCE, "no free DDS domain");
        }
    }

    pub fn id(&self) -> u16 {
        self.id
    }
}

impl Default for ReservedDomain {
    fn default() -> Self {
        Self::new()
    }
}

/// The number of a domain that stays reserved until this process ends.
pub fn own_domain() -> u16 {
    static RESERVED: Mutex<Vec<ReservedDomain>> = Mutex::new(Vec::new());
    let domain = ReservedDomain::new();
    let id = domain.id();
    RESERVED.lock().expect("nothing panics while it is held").push(domain);
    id
}
