//! Sockets of a participant.

use crate::network::{Network, Range};
use socket2::{Domain, Protocol, Socket, Type};
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The group that announcements of participants are sent to.
const GROUP: Ipv4Addr = Ipv4Addr::new(239, 255, 0, 1);
/// Participants of one domain on one machine: each has two ports.
const MOST_PARTICIPANTS: u16 = 120;
/// What the system is asked to buffer; it may give less.
const BUFFER: usize = 4 << 20;
/// How often a receiving thread looks whether it should stop.
const LONGEST_WAIT: Duration = Duration::from_millis(100);
/// Pause after an error of a socket, such as a network that is down.
const ERROR_PAUSE: Duration = Duration::from_millis(10);

/// The ports of a domain, as the specification has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ports {
    domain_id: u16,
}

impl Ports {
    /// Highest domain whose ports exist.
    pub(crate) const LARGEST_DOMAIN: u16 = 232;

    pub(crate) fn new(domain_id: u16) -> Self {
        Self { domain_id }
    }

    fn base(self) -> u16 {
        7400 + 250 * self.domain_id
    }

    /// Where announcements for everybody go.
    pub(crate) fn group(self) -> SocketAddrV4 {
        SocketAddrV4::new(GROUP, self.base())
    }

    /// Where a participant takes discovery, and where it takes samples. The highest domains have fewer ports.
    pub(crate) fn of_participant(self, participant: u16) -> Option<(u16, u16)> {
        let metatraffic = self.base().checked_add(10 + 2 * participant)?;
        Some((metatraffic, metatraffic.checked_add(1)?))
    }
}

/// A socket that datagrams come from.
#[derive(Debug)]
pub(crate) struct Receiver(UdpSocket);

impl Receiver {
    /// The next datagram and its source; nothing for a while is nothing.
    pub(crate) fn receive<'a>(&self, buffer: &'a mut [u8]) -> Option<(&'a [u8], Ipv4Addr)> {
        match self.0.recv_from(buffer) {
            Ok((length, SocketAddr::V4(source))) => Some((&buffer[..length], *source.ip())),
            Ok((_, SocketAddr::V6(_))) => None,
            Err(error) => {
                let is_usual = matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                );
                if !is_usual {
                    std::thread::sleep(ERROR_PAUSE);
                }
                None
            }
        }
    }
}

/// The sockets that datagrams are received from.
#[derive(Debug)]
pub(crate) struct Receivers {
    pub(crate) multicast: Receiver,
    pub(crate) metatraffic: Receiver,
    pub(crate) user: Receiver,
}

/// The sockets that datagrams are sent through, and the multicast memberships.
#[derive(Debug)]
pub(crate) struct Sender {
    unicast: UdpSocket,
    group: SocketAddrV4,
    memberships: UdpSocket,
    /// One per interface.
    multicast: Mutex<Vec<(Ipv4Addr, UdpSocket)>>,
}

/// Opens all sockets of a participant. Returns its number on this machine.
pub(crate) fn open(ports: Ports, range: Range) -> io::Result<Option<(u16, Sender, Receivers)>> {
    let at = match range {
        Range::Loopback => Ipv4Addr::LOCALHOST,
        Range::Subnet => Ipv4Addr::UNSPECIFIED,
    };
    let group = ports.group();
    let multicast = bind(Ipv4Addr::UNSPECIFIED, group.port(), Sharing::Shared)?;
    let unicast = bind(at, 0, Sharing::Exclusive)?;
    for participant in 0..MOST_PARTICIPANTS {
        let open = |port| match bind(at, port, Sharing::Exclusive) {
            Ok(socket) => Ok(Some(socket)),
            Err(error) if error.kind() == ErrorKind::AddrInUse => Ok(None),
            Err(error) => Err(error),
        };
        let Some((metatraffic, user)) = ports.of_participant(participant) else { break };
        let Some(metatraffic) = open(metatraffic)? else { continue };
        let Some(user) = open(user)? else { continue };
        let memberships = multicast.try_clone()?;
        for socket in [&multicast, &metatraffic, &user] {
            socket.set_read_timeout(Some(LONGEST_WAIT))?;
        }
        let sender = Sender { unicast, group, memberships, multicast: Mutex::default() };
        let [multicast, metatraffic, user] = [multicast, metatraffic, user].map(Receiver);
        return Ok(Some((participant, sender, Receivers { multicast, metatraffic, user })));
    }
    Ok(None)
}

enum Sharing {
    Exclusive,
    Shared,
}

fn bind(at: Ipv4Addr, port: u16, sharing: Sharing) -> io::Result<UdpSocket> {
    let socket = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP))?;
    if matches!(sharing, Sharing::Shared) {
        socket.set_reuse_address(true)?;
        #[cfg(all(unix, not(target_os = "linux")))]
        socket.set_reuse_port(true)?;
    }
    grow_buffers(&socket);
    socket.bind(&SocketAddrV4::new(at, port).into())?;
    Ok(socket.into())
}

/// Larger buffers lose less. A system that refuses them keeps its own, and what is lost is sent again.
fn grow_buffers(socket: &Socket) {
    let _ = socket.set_recv_buffer_size(BUFFER);
    let _ = socket.set_send_buffer_size(BUFFER);
}

/// A socket whose multicast goes out through this interface.
fn multicast_sender(interface: Ipv4Addr) -> io::Result<UdpSocket> {
    let socket = Socket::new(Domain::IPV4, Type::DGRAM, Some(Protocol::UDP))?;
    socket.set_multicast_if_v4(&interface)?;
    socket.set_multicast_loop_v4(true)?;
    socket.bind(&SocketAddrV4::new(interface, 0).into())?;
    Ok(socket.into())
}

impl Sender {
    /// Joins the group on the interfaces that are there now. One that refuses is tried again the next time.
    pub(crate) fn follow(&self, network: &Network) {
        let mut wanted = network.own_addresses();
        if !wanted.contains(&Ipv4Addr::LOCALHOST) {
            wanted.push(Ipv4Addr::LOCALHOST);
        }
        let mut senders = self.multicast.lock().unwrap_or_else(PoisonError::into_inner);
        senders.retain(|(address, _)| {
            let is_wanted = wanted.contains(address);
            if !is_wanted {
                // It fails when the interface is gone, and its membership with it.
                let _ = self.memberships.leave_multicast_v4(&GROUP, address);
            }
            is_wanted
        });
        for address in wanted {
            let is_known = senders.iter().any(|(known, _)| *known == address);
            if !is_known
                && self.memberships.join_multicast_v4(&GROUP, &address).is_ok()
                && let Ok(socket) = multicast_sender(address)
            {
                senders.push((address, socket));
            }
        }
    }

    /// Sends a datagram. One that cannot be sent counts as lost on the way.
    pub(crate) fn send(&self, datagram: &[u8], to: SocketAddrV4) {
        send(&self.unicast, datagram, to);
    }

    /// Sends a datagram to the group, on every interface.
    pub(crate) fn send_to_group(&self, datagram: &[u8]) {
        let senders = self.multicast.lock().unwrap_or_else(PoisonError::into_inner);
        senders.iter().for_each(|(_, socket)| send(socket, datagram, self.group));
    }
}

fn send(socket: &UdpSocket, datagram: &[u8], to: SocketAddrV4) {
    while let Err(error) = socket.send_to(datagram, to) {
        if error.kind() != ErrorKind::Interrupted {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_those_of_the_specification() {
        let ports = Ports::new(0);
        assert_eq!(ports.group().to_string(), "239.255.0.1:7400");
        assert_eq!(ports.of_participant(0), Some((7410, 7411)));
        assert_eq!(ports.of_participant(3), Some((7416, 7417)));
        let largest = Ports::new(Ports::LARGEST_DOMAIN);
        assert_eq!(largest.of_participant(62), Some((65_534, 65_535)));
        assert_eq!(largest.of_participant(63), None);
    }
}
