//! Bytes on the network: the RTPS header, submessages and parameter lists.
//!
//! Reading never trusts a length: every one is compared with what is left of the datagram, and nothing is allocated.

mod builder;
mod cursor;
mod parameters;
mod submessage;

pub use builder::{DatagramBuilder, Fragment};
pub use cursor::{Cursor, Endianness, Malformed};
pub use parameters::{ParameterList, ParameterWriter, pid};
pub use submessage::{
    AckNack, Data, DataFrag, Gap, Header, Heartbeat, HeartbeatFrag, NackFrag, SerializedPayload,
    Submessage, Submessages, parse,
};
