//! Takes datagrams apart and hands each submessage to whom it is for.

use super::{Engine, LocalReader, Outbox};
use crate::discovery::is_goodbye;
use crate::guid::{EntityId, Guid, GuidPrefix};
use crate::reader::{Acknowledgement, WriterProxy};
use crate::sample::{Sample, Status};
use crate::wire::{AckNack, Data, DatagramBuilder, NackFrag, SerializedPayload, Submessage, parse};
use crate::writer::Writer;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;
use std::time::Instant;

/// What a submessage made a matched writer's proxy deliver and answer.
type Effect = (Vec<Sample>, Option<Acknowledgement>);

impl Engine {
    /// Takes a datagram. What is malformed ends it; what is for others is passed over.
    pub fn receive(&mut self, datagram: &[u8], source: Ipv4Addr, now: Instant, out: &mut Outbox) {
        if !self.network.admits(source) {
            return;
        }
        let Ok((header, submessages)) = parse(datagram) else { return };
        let (mut from, mut is_for_us) = (header.prefix, true);
        if let Some(remote) = self.remotes.get_mut(&from) {
            remote.last_seen = now;
        }
        for submessage in submessages {
            match submessage {
                Err(_) => return,
                Ok(Submessage::InfoDestination(to)) => {
                    is_for_us = to == self.identity.prefix || to == GuidPrefix::default();
                }
                Ok(Submessage::InfoSource(prefix)) => from = prefix,
                Ok(submessage) if is_for_us => self.dispatch(submessage, from, source, now, out),
                Ok(_) => {}
            }
        }
    }

    fn dispatch(
        &mut self,
        submessage: Submessage<'_>,
        from: GuidPrefix,
        source: Ipv4Addr,
        now: Instant,
        out: &mut Outbox,
    ) {
        match submessage {
            Submessage::Data(data) if data.writer == EntityId::SPDP_WRITER => {
                self.on_announcement(&data, from, source, now, out);
            }
            Submessage::Data(data) => {
                let writer = Guid::new(from, data.writer);
                let sample = || Sample::new(writer, data.number, data.inline_qos, data.payload);
                self.for_readers(data.reader, writer, now, out, |proxy, effect| {
                    proxy.on_data(sample(), &mut effect.0);
                });
            }
            Submessage::DataFrag(fragments) => {
                let writer = Guid::new(from, fragments.writer);
                self.for_readers(fragments.reader, writer, now, out, |proxy, effect| {
                    proxy.on_fragments(&fragments, now, &mut effect.0);
                });
            }
            Submessage::Gap(gap) => {
                let writer = Guid::new(from, gap.writer);
                self.for_readers(gap.reader, writer, now, out, |proxy, effect| {
                    proxy.on_gap(&gap, &mut effect.0);
                });
            }
            Submessage::Heartbeat(heartbeat) => {
                let writer = Guid::new(from, heartbeat.writer);
                let (range, is_final) = ((heartbeat.first, heartbeat.last), heartbeat.is_final);
                self.for_readers(heartbeat.reader, writer, now, out, |proxy, effect| {
                    effect.1 = proxy.on_heartbeat(range, is_final, now, &mut effect.0);
                });
            }
            Submessage::HeartbeatFrag(heartbeat) => {
                let writer = Guid::new(from, heartbeat.writer);
                self.for_readers(heartbeat.reader, writer, now, out, |proxy, effect| {
                    effect.1 = proxy.on_heartbeat_frag(heartbeat.number, heartbeat.last, now);
                });
            }
            Submessage::AckNack(acknack) => {
                let reader = Guid::new(from, acknack.reader);
                if let Some(remote) = self.remotes.get_mut(&from) {
                    remote.has_answered = true;
                }
                if let Some(writer) = self.writer_mut(acknack.writer) {
                    let (missing, is_final) = (&acknack.missing, acknack.is_final);
                    writer.on_acknack(reader, missing, is_final, now, &mut out.datagrams);
                }
            }
            Submessage::NackFrag(nack) => {
                let reader = Guid::new(from, nack.reader);
                if let Some(writer) = self.writer_mut(nack.writer) {
                    writer.on_nack_frag(reader, nack.number, &nack.missing, now);
                }
            }
            Submessage::InfoDestination(_) | Submessage::InfoSource(_) | Submessage::Other(_) => {}
        }
    }

    fn on_announcement(
        &mut self,
        data: &Data<'_>,
        from: GuidPrefix,
        source: Ipv4Addr,
        now: Instant,
        out: &mut Outbox,
    ) {
        if from == self.identity.prefix {
            return;
        }
        if is_goodbye(data.inline_qos) {
            self.forget(from, super::Departure::Goodbye, out);
        } else if let SerializedPayload::Data(payload) = data.payload {
            self.on_participant(payload, from, source, now, out);
        }
    }

    fn writer_mut(&mut self, entity: EntityId) -> Option<&mut Writer> {
        match entity {
            EntityId::PUBLICATIONS_WRITER => Some(&mut self.publications),
            EntityId::SUBSCRIPTIONS_WRITER => Some(&mut self.subscriptions),
            user => self.writers.get_mut(&user).map(|local| &mut local.writer),
        }
    }

    /// Hands a submessage to the readers it is for, delivers what they can take and sends their answers.
    fn for_readers(
        &mut self,
        reader: EntityId,
        writer: Guid,
        now: Instant,
        out: &mut Outbox,
        mut act: impl FnMut(&mut WriterProxy, &mut Effect),
    ) {
        let builtin_reader = match writer.entity {
            EntityId::PUBLICATIONS_WRITER => EntityId::PUBLICATIONS_READER,
            EntityId::SUBSCRIPTIONS_WRITER => EntityId::SUBSCRIPTIONS_READER,
            _ => {
                let prefix = self.identity.prefix;
                for (entity, local) in &mut self.readers {
                    if reader == EntityId::UNKNOWN || reader == *entity {
                        for_user_reader(prefix, *entity, local, writer, out, &mut act);
                    }
                }
                return;
            }
        };
        let Some(remote) = self.remotes.get_mut(&writer.prefix) else { return };
        let proxy = match builtin_reader {
            EntityId::PUBLICATIONS_READER => &mut remote.publications,
            _ => &mut remote.subscriptions,
        };
        let mut effect = Effect::default();
        act(proxy, &mut effect);
        if let Some(answer) = effect.1 {
            let local = Guid::new(self.identity.prefix, builtin_reader);
            out.datagrams.push(answer_datagram(local, writer, remote.metatraffic, &answer));
        }
        for sample in effect.0 {
            self.on_endpoint_sample(&sample, writer.prefix, now, out);
        }
    }

    /// Asks for what has been missing for a while.
    pub(super) fn tick_readers(&mut self, now: Instant, out: &mut Outbox) {
        let prefix = self.identity.prefix;
        for remote in self.remotes.values_mut() {
            for (reader, writer, proxy) in [
                (
                    EntityId::PUBLICATIONS_READER,
                    EntityId::PUBLICATIONS_WRITER,
                    &mut remote.publications,
                ),
                (
                    EntityId::SUBSCRIPTIONS_READER,
                    EntityId::SUBSCRIPTIONS_WRITER,
                    &mut remote.subscriptions,
                ),
            ] {
                if let Some(answer) = proxy.tick(now) {
                    let (reader, writer) =
                        (Guid::new(prefix, reader), Guid::new(remote.data.prefix, writer));
                    out.datagrams.push(answer_datagram(
                        reader,
                        writer,
                        remote.metatraffic,
                        &answer,
                    ));
                }
            }
        }
        for (entity, local) in &mut self.readers {
            if local.queue.is_full() {
                continue;
            }
            for (writer, (proxy, address)) in &mut local.writers {
                if let Some(answer) = proxy.tick(now) {
                    let reader = Guid::new(prefix, *entity);
                    out.datagrams.push(answer_datagram(reader, *writer, *address, &answer));
                }
            }
        }
    }
}

fn for_user_reader(
    prefix: GuidPrefix,
    entity: EntityId,
    local: &mut LocalReader,
    writer: Guid,
    out: &mut Outbox,
    act: &mut impl FnMut(&mut WriterProxy, &mut Effect),
) {
    let Some((proxy, address)) = local.writers.get_mut(&writer) else { return };
    // A full reader is deaf: the writer keeps what is not acknowledged and asks again.
    if local.queue.is_full() {
        return;
    }
    let mut effect = Effect::default();
    act(proxy, &mut effect);
    if let Some(answer) = effect.1 {
        let reader = Guid::new(prefix, entity);
        out.datagrams.push(answer_datagram(reader, writer, *address, &answer));
    }
    let before = out.handled.len();
    for sample in effect.0.into_iter().filter(|sample| sample.status == Status::Alive) {
        local.queue.push(sample);
        if out.handled.len() == before && local.queue.has_handler() {
            out.handled.push(Arc::clone(&local.queue));
        }
    }
}

fn answer_datagram(
    reader: Guid,
    writer: Guid,
    address: SocketAddrV4,
    answer: &Acknowledgement,
) -> (SocketAddrV4, Vec<u8>) {
    let acknack = AckNack {
        reader: reader.entity,
        writer: writer.entity,
        missing: answer.missing,
        is_final: answer.is_final,
    };
    let mut datagram = DatagramBuilder::new(reader.prefix)
        .info_destination(writer.prefix)
        .acknack(acknack, answer.count);
    if let Some((number, missing)) = answer.fragments {
        let nack = NackFrag { reader: reader.entity, writer: writer.entity, number, missing };
        datagram = datagram.nack_frag(nack, answer.count);
    }
    (address, datagram.finish())
}
