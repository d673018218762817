//! Addresses in discovery: UDP over IPv4; other kinds are passed over.

use crate::wire::{Cursor, Malformed, ParameterWriter};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::Duration;

/// The kind of a locator that is UDP over IPv4.
const UDP_V4: u32 = 1;
/// Most locators of one kind that are kept.
pub(super) const MOST_LOCATORS: usize = 16;

/// Reads a locator; nothing if it is of another kind.
pub(super) fn read(value: &mut Cursor<'_>) -> Result<Option<SocketAddrV4>, Malformed> {
    let (kind, port) = (value.u32()?, value.u32()?);
    let [.., a, b, c, d] = value.array::<16>()?;
    if kind != UDP_V4 {
        return Ok(None);
    }
    match u16::try_from(port) {
        Ok(port) if port != 0 => Ok(Some(SocketAddrV4::new(Ipv4Addr::new(a, b, c, d), port))),
        _ => Err(Malformed("locator: port")),
    }
}

/// Writes locators.
pub(super) fn write_all(
    mut list: ParameterWriter,
    id: u16,
    addresses: &[SocketAddrV4],
) -> ParameterWriter {
    for address in addresses {
        let mut value = [0; 24];
        value[..4].copy_from_slice(&UDP_V4.to_le_bytes());
        value[4..8].copy_from_slice(&u32::from(address.port()).to_le_bytes());
        value[20..].copy_from_slice(&address.ip().octets());
        list = list.add(id, &value);
    }
    list
}

/// Reads a duration; nothing if it is infinite.
pub(super) fn read_duration(value: &mut Cursor<'_>) -> Result<Option<Duration>, Malformed> {
    let (seconds, fraction) = (value.u32()?, value.u32()?);
    if seconds >= i32::MAX as u32 {
        return Ok(None);
    }
    let nanoseconds = (u64::from(fraction) * 1_000_000_000) >> 32;
    Ok(Some(Duration::from_secs(seconds.into()) + Duration::from_nanos(nanoseconds)))
}

/// A duration as on the wire.
pub(super) fn duration_bytes(duration: Duration) -> [u8; 8] {
    let fraction = (u64::from(duration.subsec_nanos()) << 32) / 1_000_000_000;
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&(duration.as_secs() as u32).to_le_bytes());
    bytes[4..].copy_from_slice(&(fraction as u32).to_le_bytes());
    bytes
}
