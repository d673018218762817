//! Who is there, what they have, and who exchanges samples with whom.

use super::{Departure, Engine, Event, LEASE_MARGIN, LocalReader, LocalWriter, Outbox, Remote};
use crate::budget::Budget;
use crate::discovery::{EndpointData, ParticipantData};
use crate::guid::{EntityId, Guid, GuidPrefix};
use crate::qos::{Durability, EndpointQos, Reliability};
use crate::reader::WriterProxy;
use crate::reader_proxy::Route;
use crate::sample::{Sample, Status};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::Instant;

/// Whether two endpoints of a topic exchange samples.
enum Fit {
    /// They do.
    Yes,
    /// They have nothing to do with each other.
    No,
    /// They do not, and somebody may wonder why.
    Unexpected(Event),
}

impl Engine {
    /// Takes an announcement of another participant.
    pub(super) fn on_participant(
        &mut self,
        payload: &[u8],
        from: GuidPrefix,
        source: Ipv4Addr,
        now: Instant,
        out: &mut Outbox,
    ) {
        let Ok(data) = ParticipantData::parse(payload) else { return };
        if data.prefix != from {
            return;
        }
        let is_silent = self.is_silent(now);
        let Some(remote) = self.remotes.get_mut(&from) else {
            if !is_silent {
                self.add_remote(data, source, now, out);
            }
            return;
        };
        remote.last_seen = now;
        remote.lease = data.lease;
        if remote.data != data {
            (remote.data, remote.source) = (data, source);
            self.reroute();
        }
    }

    /// Gets to know a participant, unless it cannot be reached or there are too many.
    pub(super) fn add_remote(
        &mut self,
        data: ParticipantData,
        source: Ipv4Addr,
        now: Instant,
        out: &mut Outbox,
    ) {
        let prefix = data.prefix;
        let Some(metatraffic) = self.network.choose(&data.metatraffic, Some(source)) else {
            return;
        };
        if !self.make_room(out) {
            return;
        }
        let budget = Budget::new(self.limits.bytes_per_peer);
        let proxy = |entity| {
            let writer = Guid::new(prefix, entity);
            WriterProxy::new(writer, Reliability::Reliable, budget.clone(), &self.limits)
        };
        let remote = Remote {
            source,
            metatraffic,
            last_seen: now,
            lease: data.lease,
            has_answered: prefix == self.identity.prefix,
            publications: proxy(EntityId::PUBLICATIONS_WRITER),
            subscriptions: proxy(EntityId::SUBSCRIPTIONS_WRITER),
            endpoints: Default::default(),
            budget: budget.clone(),
            data,
        };
        out.events.push(Event::ParticipantFound { prefix, name: remote.data.name.clone() });
        self.remotes.insert(prefix, remote);
        if prefix != self.identity.prefix {
            let announcement = self.announcement(Some(prefix));
            out.datagrams.push((metatraffic, announcement));
        }
        let route = self.route_to(metatraffic);
        let wishes = (Reliability::Reliable, Durability::TransientLocal);
        for (writer, reader) in [
            (&mut self.publications, EntityId::PUBLICATIONS_READER),
            (&mut self.subscriptions, EntityId::SUBSCRIPTIONS_READER),
        ] {
            writer.add_reader(Guid::new(prefix, reader), route, wishes, now, &mut out.datagrams);
        }
    }

    /// Whether another participant may be added. One that has not answered yet may have to go for it, or one without
    /// endpoints. Who forges announcements does not answer, so strangers do not keep others out.
    fn make_room(&mut self, out: &mut Outbox) -> bool {
        if self.remotes.len() < self.limits.peers {
            return true;
        }
        let own = self.identity.prefix;
        let others = self.remotes.values().filter(|remote| remote.data.prefix != own);
        let idle = others.filter(|remote| !remote.has_answered || remote.endpoints.is_empty());
        let oldest = idle.min_by_key(|remote| (remote.has_answered, remote.last_seen));
        let Some(oldest) = oldest.map(|remote| remote.data.prefix) else { return false };
        self.forget(oldest, Departure::Evicted, out);
        true
    }

    /// Forgets participants whose lease has expired.
    pub(super) fn expire(&mut self, now: Instant, out: &mut Outbox) {
        let is_expired = |remote: &&Remote| {
            now.duration_since(remote.last_seen) > remote.lease.saturating_add(LEASE_MARGIN)
        };
        let expired: Vec<_> =
            self.remotes.values().filter(is_expired).map(|remote| remote.data.prefix).collect();
        expired.into_iter().for_each(|prefix| self.forget(prefix, Departure::LeaseExpired, out));
    }

    /// Forgets a participant and its endpoints.
    pub(super) fn forget(&mut self, prefix: GuidPrefix, departure: Departure, out: &mut Outbox) {
        let Some(remote) = self.remotes.remove(&prefix) else { return };
        for entity in remote.endpoints.into_keys() {
            self.unmatch(Guid::new(prefix, entity), out);
        }
        self.all_writers_mut().for_each(|writer| writer.remove_participant(prefix));
        out.events.push(Event::ParticipantLost { prefix, departure });
    }

    /// Takes an announcement of an endpoint of another participant.
    pub(super) fn on_endpoint_sample(
        &mut self,
        sample: &Sample,
        from: GuidPrefix,
        now: Instant,
        out: &mut Outbox,
    ) {
        match sample.status {
            Status::Gone(key) => {
                let guid = key.or_else(|| EndpointData::parse_guid(&sample.payload).ok());
                if let Some(guid) = guid.filter(|guid| guid.prefix == from) {
                    self.remove_endpoint(guid, out);
                }
            }
            Status::Alive => match EndpointData::parse(&sample.payload) {
                Ok(data) if data.guid.prefix == from => self.add_endpoint(data, now, out),
                // What is malformed or of somebody else is passed over.
                Ok(_) | Err(_) => {}
            },
        }
    }

    fn add_endpoint(&mut self, data: EndpointData, now: Instant, out: &mut Outbox) {
        let (guid, known) = (data.guid, self.endpoints().count());
        let Some(remote) = self.remotes.get_mut(&guid.prefix) else { return };
        let is_new = !remote.endpoints.contains_key(&guid.entity);
        let has_room = remote.endpoints.len() < self.limits.endpoints_per_peer
            && known < self.limits.endpoints;
        if is_new && !has_room {
            return;
        }
        let before = remote.endpoints.insert(guid.entity, data.clone());
        if before.is_some_and(|before| before.qos != data.qos || before.topic != data.topic) {
            self.unmatch(guid, out);
        }
        if guid.entity.is_reader() {
            let entities: Vec<_> = self.writers.keys().copied().collect();
            entities.into_iter().for_each(|writer| self.match_writer(writer, &data, now, out));
        } else {
            let entities: Vec<_> = self.readers.keys().copied().collect();
            entities.into_iter().for_each(|reader| self.match_reader(reader, &data, out));
        }
    }

    fn remove_endpoint(&mut self, guid: Guid, out: &mut Outbox) {
        let Some(remote) = self.remotes.get_mut(&guid.prefix) else { return };
        if remote.endpoints.remove(&guid.entity).is_some() {
            self.unmatch(guid, out);
        }
    }

    /// Ends all matches with an endpoint elsewhere.
    fn unmatch(&mut self, remote: Guid, out: &mut Outbox) {
        let prefix = self.identity.prefix;
        let mut report = |entity: EntityId, topic: &str| {
            let local = Guid::new(prefix, entity);
            out.events.push(Event::Unmatched { topic: topic.to_owned(), local, remote });
        };
        for (entity, local) in &mut self.writers {
            if local.writer.has_reader(remote) {
                local.writer.remove_reader(remote);
                report(*entity, &local.data.topic);
            }
        }
        for (entity, local) in &mut self.readers {
            if local.writers.remove(&remote).is_some() {
                report(*entity, &local.data.topic);
            }
        }
    }

    /// Matches a new writer of ours with the readers that are known.
    pub(super) fn match_local_writer(&mut self, entity: EntityId, now: Instant, out: &mut Outbox) {
        let readers: Vec<_> =
            self.endpoints().filter(|data| data.guid.entity.is_reader()).cloned().collect();
        readers.iter().for_each(|data| self.match_writer(entity, data, now, out));
    }

    /// Matches a new reader of ours with the writers that are known.
    pub(super) fn match_local_reader(&mut self, entity: EntityId, out: &mut Outbox) {
        let writers: Vec<_> =
            self.endpoints().filter(|data| data.guid.entity.is_writer()).cloned().collect();
        writers.iter().for_each(|data| self.match_reader(entity, data, out));
    }

    fn match_writer(
        &mut self,
        entity: EntityId,
        reader: &EndpointData,
        now: Instant,
        out: &mut Outbox,
    ) {
        let Some(address) = self.address_of(reader) else { return };
        let route = self.route_to(address);
        let Some(LocalWriter { data, writer, .. }) = self.writers.get_mut(&entity) else { return };
        if writer.has_reader(reader.guid) {
            return;
        }
        match fit(data, reader, data, reader) {
            Fit::No => {}
            Fit::Unexpected(event) => out.events.push(event),
            Fit::Yes => {
                let wishes = (reader.qos.reliability, reader.qos.durability);
                writer.add_reader(reader.guid, route, wishes, now, &mut out.datagrams);
                out.events.push(matched(data, reader));
            }
        }
    }

    fn match_reader(&mut self, entity: EntityId, writer: &EndpointData, out: &mut Outbox) {
        let Some(address) = self.address_of(writer) else { return };
        let Some(remote) = self.remotes.get(&writer.guid.prefix) else { return };
        let Some(LocalReader { data, writers, .. }) = self.readers.get_mut(&entity) else { return };
        if writers.contains_key(&writer.guid) {
            return;
        }
        match fit(writer, data, data, writer) {
            Fit::No => {}
            Fit::Unexpected(event) => out.events.push(event),
            Fit::Yes => {
                let (reliability, budget) = (data.qos.reliability, remote.budget.clone());
                let proxy = WriterProxy::new(writer.guid, reliability, budget, &self.limits);
                writers.insert(writer.guid, (proxy, address));
                out.events.push(matched(data, writer));
            }
        }
    }

    /// Where an endpoint elsewhere takes what is sent to it.
    fn address_of(&self, endpoint: &EndpointData) -> Option<SocketAddrV4> {
        let remote = self.remotes.get(&endpoint.guid.prefix)?;
        let own = self.network.choose(&endpoint.addresses, Some(remote.source));
        own.or_else(|| self.network.choose(&remote.data.user_traffic, Some(remote.source)))
    }

    fn route_to(&self, address: SocketAddrV4) -> Route {
        Route { address, fragment_size: self.network.fragment_size(*address.ip()) }
    }

    /// Chooses all addresses again, after ours or those of others have changed.
    pub(super) fn reroute(&mut self) {
        for remote in self.remotes.values_mut() {
            let chosen = self.network.choose(&remote.data.metatraffic, Some(remote.source));
            remote.metatraffic = chosen.unwrap_or(remote.metatraffic);
        }
        let mut routes = std::collections::BTreeMap::new();
        for remote in self.remotes.values() {
            for entity in [EntityId::PUBLICATIONS_READER, EntityId::SUBSCRIPTIONS_READER] {
                let route = self.route_to(remote.metatraffic);
                routes.insert(Guid::new(remote.data.prefix, entity), route);
            }
            for endpoint in remote.endpoints.values() {
                if let Some(address) = self.address_of(endpoint) {
                    routes.insert(endpoint.guid, self.route_to(address));
                }
            }
        }
        self.all_writers_mut().for_each(|writer| writer.reroute(|guid| routes.get(&guid).copied()));
        for local in self.readers.values_mut() {
            for (guid, (_, address)) in &mut local.writers {
                *address = routes.get(guid).map_or(*address, |route| route.address);
            }
        }
    }
}

/// Whether a writer's samples go to a reader. One of the two is ours, for the report.
fn fit(
    writer: &EndpointData,
    reader: &EndpointData,
    ours: &EndpointData,
    other: &EndpointData,
) -> Fit {
    if writer.topic != reader.topic || !writer.qos.shares_partition(&reader.qos) {
        return Fit::No;
    }
    let (topic, local, remote) = (ours.topic.clone(), ours.guid, other.guid);
    if writer.type_name != reader.type_name {
        let type_name = other.type_name.clone();
        return Fit::Unexpected(Event::IncompatibleType { topic, local, remote, type_name });
    }
    match EndpointQos::incompatibility(&writer.qos, &reader.qos) {
        None => Fit::Yes,
        Some(policy) => Fit::Unexpected(Event::IncompatibleQos { topic, local, remote, policy }),
    }
}

fn matched(ours: &EndpointData, other: &EndpointData) -> Event {
    Event::Matched { topic: ours.topic.clone(), local: ours.guid, remote: other.guid }
}
