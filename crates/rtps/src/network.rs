//! Which addresses of a peer are reachable, and how large a datagram on the way to it may be.

use std::net::{Ipv4Addr, SocketAddrV4};

/// An IPv4 address of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// Name, such as `eth0`.
    pub name: String,
    /// Address.
    pub address: Ipv4Addr,
    /// Mask of its subnet.
    pub netmask: Ipv4Addr,
    /// Largest packet, in bytes.
    pub mtu: usize,
}

impl Interface {
    pub(crate) fn contains(&self, address: Ipv4Addr) -> bool {
        let mask = u32::from(self.netmask);
        u32::from(self.address) & mask == u32::from(address) & mask
    }
}

/// Where a participant looks for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Range {
    /// On this machine.
    #[default]
    Loopback,
    /// On all networks of this machine.
    Subnet,
}

/// Headers of IP and UDP.
const IP_AND_UDP: usize = 28;
/// Room for the RTPS headers and the inline QoS of a fragment.
const RTPS_HEADERS: usize = 160;
/// Largest fragment: a datagram has at most 65 507 bytes.
pub(crate) const LARGEST_FRAGMENT: u16 = 60_000;
/// Smallest fragment, however small the network says its packets are.
const SMALLEST_FRAGMENT: usize = 256;
/// Packets of a network whose interface is not known.
const USUAL_MTU: usize = 1500;

/// The addresses of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    range: Range,
    interfaces: Vec<Interface>,
}

impl Network {
    /// With these interfaces, the loopback interface among them.
    pub fn new(range: Range, interfaces: Vec<Interface>) -> Self {
        Self { range, interfaces }
    }

    /// Where peers are looked for.
    pub fn range(&self) -> Range {
        self.range
    }

    /// All interfaces.
    pub fn interfaces(&self) -> &[Interface] {
        &self.interfaces
    }

    /// Whether an address is one of this machine.
    pub fn is_own(&self, address: Ipv4Addr) -> bool {
        address.is_loopback() || self.interfaces.iter().any(|own| own.address == address)
    }

    /// Whether datagrams from this address are taken.
    pub fn admits(&self, source: Ipv4Addr) -> bool {
        self.range == Range::Subnet || self.is_own(source)
    }

    /// The addresses that are announced and joined for multicast: the loopback address if there is no other.
    pub fn own_addresses(&self) -> Vec<Ipv4Addr> {
        let mut addresses: Vec<_> = match self.range {
            Range::Loopback => Vec::new(),
            Range::Subnet => self.interfaces.iter().map(|own| own.address).collect(),
        };
        addresses.retain(|address| !address.is_loopback());
        if addresses.is_empty() {
            addresses.push(Ipv4Addr::LOCALHOST);
        }
        addresses
    }

    /// The best of a peer's addresses, given where its announcement came from.
    ///
    /// The source is preferred where it is among them. Addresses that are also ours are only used for peers on this
    /// machine: bridges of containers have the same address everywhere.
    pub fn choose(
        &self,
        addresses: &[SocketAddrV4],
        source: Option<Ipv4Addr>,
    ) -> Option<SocketAddrV4> {
        let is_here = source.is_none_or(|source| self.is_own(source));
        let rank = |address: &&SocketAddrV4| {
            let ip = *address.ip();
            if Some(ip) == source {
                0
            } else if self.is_own(ip) {
                1
            } else if self.interfaces.iter().any(|own| own.contains(ip)) {
                2
            } else {
                3
            }
        };
        let reachable = |address: &&SocketAddrV4| {
            let ip = *address.ip();
            let is_usable = !ip.is_unspecified() && !ip.is_multicast() && !ip.is_broadcast();
            is_usable && self.admits(ip) && (is_here || !self.is_own(ip))
        };
        addresses.iter().filter(reachable).min_by_key(rank).copied()
    }

    /// Bytes of a payload that go in one datagram to this address.
    pub fn fragment_size(&self, to: Ipv4Addr) -> u16 {
        if self.is_own(to) {
            return LARGEST_FRAGMENT;
        }
        let mtu =
            self.interfaces.iter().find(|own| own.contains(to)).map_or(USUAL_MTU, |own| own.mtu);
        let size = mtu.saturating_sub(IP_AND_UDP + RTPS_HEADERS);
        let size = size.clamp(SMALLEST_FRAGMENT, usize::from(LARGEST_FRAGMENT));
        u16::try_from(size - size % 4).expect("the largest fragment is below 65 536")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interface(name: &str, address: &str, netmask: &str, mtu: usize) -> Interface {
        let (address, netmask) = (address.parse().unwrap(), netmask.parse().unwrap());
        Interface { name: name.to_owned(), address, netmask, mtu }
    }

    fn network(range: Range) -> Network {
        Network::new(
            range,
            vec![
                interface("lo", "127.0.0.1", "255.0.0.0", 65_536),
                interface("eth0", "192.168.1.5", "255.255.255.0", 1500),
                interface("docker0", "172.17.0.1", "255.255.0.0", 1500),
            ],
        )
    }

    fn choose(range: Range, addresses: &[&str], source: &str) -> Option<String> {
        let addresses: Vec<_> = addresses.iter().map(|text| text.parse().unwrap()).collect();
        let chosen = network(range).choose(&addresses, Some(source.parse().unwrap()));
        chosen.map(|address| address.to_string())
    }

    #[test]
    fn the_loopback_range_reaches_this_machine_only() {
        let check = |addresses: &[&str], source| choose(Range::Loopback, addresses, source);
        assert_eq!(check(&["127.0.0.1:1"], "127.0.0.1"), Some("127.0.0.1:1".to_owned()));
        // A peer here that announces no loopback address.
        assert_eq!(check(&["192.168.1.5:1"], "127.0.0.1"), Some("192.168.1.5:1".to_owned()));
        assert_eq!(check(&["192.168.1.9:1"], "192.168.1.9"), None);
        assert!(!network(Range::Loopback).admits([192, 168, 1, 9].into()));
        assert_eq!(network(Range::Loopback).own_addresses(), [Ipv4Addr::LOCALHOST]);
    }

    #[test]
    fn addresses_that_are_also_ours_are_not_those_of_another_machine() {
        let addresses = ["127.0.0.1:1", "172.17.0.1:1", "192.168.1.9:1"];
        let chosen = choose(Range::Subnet, &addresses, "192.168.1.9");
        assert_eq!(chosen, Some("192.168.1.9:1".to_owned()));
    }

    #[test]
    fn the_source_then_the_own_subnet_is_preferred() {
        let check = |addresses: &[&str], source| choose(Range::Subnet, addresses, source);
        let addresses = ["10.1.1.1:1", "192.168.1.9:1"];
        assert_eq!(check(&addresses, "10.1.1.1"), Some("10.1.1.1:1".to_owned()));
        assert_eq!(check(&addresses, "10.9.9.9"), Some("192.168.1.9:1".to_owned()));
        assert_eq!(check(&["0.0.0.0:1", "239.255.0.1:1"], "10.9.9.9"), None);
    }

    #[test]
    fn fragments_fit_the_packets_of_the_network() {
        let network = network(Range::Subnet);
        assert_eq!(network.fragment_size([127, 0, 0, 1].into()), 60_000);
        assert_eq!(network.fragment_size([192, 168, 1, 9].into()), 1312);
        assert_eq!(network.fragment_size([8, 8, 8, 8].into()), 1312);
    }
}
