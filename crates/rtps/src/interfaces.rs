//! The IPv4 addresses of this machine, as they are now.

use crate::network::Interface;
use std::io;
use std::net::{IpAddr, Ipv4Addr};

/// Packets of the loopback interface, and of interfaces that do not say.
const LOOPBACK_MTU: usize = 65_536;
const USUAL_MTU: usize = 1500;

/// The loopback interface, which every machine has.
pub(crate) fn loopback() -> Interface {
    Interface {
        name: "lo".to_owned(),
        address: Ipv4Addr::LOCALHOST,
        netmask: Ipv4Addr::new(255, 0, 0, 0),
        mtu: LOOPBACK_MTU,
    }
}

/// All interfaces that are up, the loopback interface among them whatever the system says.
pub(crate) fn list() -> io::Result<Vec<Interface>> {
    let mut interfaces = vec![loopback()];
    for found in if_addrs::get_if_addrs()? {
        let (IpAddr::V4(address), if_addrs::IfAddr::V4(v4)) = (found.ip(), &found.addr) else {
            continue;
        };
        let is_usable = !address.is_loopback() && !address.is_unspecified() && found.is_oper_up();
        if is_usable {
            let (mtu, netmask) = (mtu(&found.name), v4.netmask);
            interfaces.push(Interface { name: found.name, address, netmask, mtu });
        }
    }
    interfaces.sort_by_key(|interface| interface.address);
    Ok(interfaces)
}

/// Linux says it in a file; elsewhere Ethernet is assumed.
fn mtu(name: &str) -> usize {
    let file = std::fs::read_to_string(format!("/sys/class/net/{name}/mtu"));
    file.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(USUAL_MTU)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loopback_interface_is_listed_once() {
        let loopback =
            list().unwrap().into_iter().filter(|i| i.address == Ipv4Addr::LOCALHOST).count();
        assert_eq!(loopback, 1);
    }
}
