//! A service of a node, with its answers turned into Rust.

use super::failure::Failure;
use super::measure::Stopped;
use crate::cdr;
use crate::interfaces::Message;
use crate::transport::{Client, Transport};
use std::time::{Duration, Instant};

/// How long a node may take to appear: one that is started at the same time reads its robot first.
const APPEARS: Duration = Duration::from_secs(20);
/// How long is waited between two looks at Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);
/// How long an answer may take.
const ANSWERS: Duration = Duration::from_secs(10);

/// A service that somebody offers.
pub(crate) struct Service {
    pub name: String,
    client: Box<dyn Client>,
}

impl Service {
    /// Waits for a node that offers the service.
    pub fn find(
        transport: &dyn Transport,
        name: &str,
        type_name: &str,
        stopped: Stopped,
    ) -> Result<Self, Failure> {
        let other = |e: &dyn std::error::Error| Failure::Other(e.to_string());
        let client = transport.client(name, type_name).map_err(|e| other(&e))?;
        let name = transport.resolve(name).map_err(|e| other(&e))?;
        let start = Instant::now();
        while !client.wait_for_server(LOOK) {
            if stopped() {
                return Err(Failure::Stopped(format!("before a node offered {name}")));
            }
            if start.elapsed() > APPEARS {
                let seconds = APPEARS.as_secs();
                return Err(Failure::Other(format!("no node offers {name} after {seconds} s")));
            }
        }
        Ok(Self { name, client })
    }

    /// Asks once; the answer and how long it took in nanoseconds, from the request in memory to the answer in memory.
    pub fn ask<Q: Message, A: Message>(&self, request: &Q) -> Result<(A, u64), Failure> {
        let failed = |e: &dyn std::error::Error| Failure::Other(format!("{}: {e}", self.name));
        let start = Instant::now();
        let bytes = self.client.call(&cdr::encode(request), ANSWERS).map_err(|e| failed(&e))?;
        let answer = cdr::decode(&bytes).map_err(|e| failed(&e))?;
        Ok((answer, start.elapsed().as_nanos() as u64))
    }
}
