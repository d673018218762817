use super::*;
use crate::guid::EntityId;
use crate::wire::{Submessage, parse};
use std::time::{Duration, SystemTime};

const WRITER: Guid = Guid::new(GuidPrefix([1; 12]), EntityId([0, 0, 1, 3]));
const READER: Guid = Guid::new(GuidPrefix([2; 12]), EntityId([0, 0, 1, 4]));
const OTHER: Guid = Guid::new(GuidPrefix([3; 12]), EntityId([0, 0, 1, 4]));

fn writer(qos: Qos) -> Writer {
    Writer::new(WRITER, qos, &Limits::default())
}

fn route(fragment_size: u16) -> Route {
    Route { address: "10.0.0.1:7411".parse().unwrap(), fragment_size }
}

fn change(length: usize, recipient: Recipient, now: Instant) -> Change {
    Change {
        kind: ChangeKind::Sample,
        payload: vec![7; length].into(),
        inline_qos: [].into(),
        recipient,
        written: now,
        timestamp: SystemTime::now(),
    }
}

/// What datagrams say, in short.
fn said(out: &mut Datagrams) -> Vec<String> {
    let mut lines = Vec::new();
    for (_, datagram) in out.drain(..) {
        for submessage in parse(&datagram).unwrap().1 {
            lines.push(match submessage.unwrap() {
                Submessage::Data(data) => format!("data {}", data.number),
                Submessage::DataFrag(frag) => format!("fragment {} of {}", frag.first, frag.number),
                Submessage::Heartbeat(beat) => format!("heartbeat {}..={}", beat.first, beat.last),
                Submessage::Gap(gap) => format!("gap {}..{}", gap.start, gap.list.base()),
                _ => continue,
            });
        }
    }
    lines
}

fn ready(writer: &mut Writer, reader: Guid, now: Instant) {
    let mut out = Vec::new();
    let wishes = (Reliability::Reliable, Durability::Volatile);
    writer.add_reader(reader, route(1000), wishes, now, &mut out);
    writer.on_acknack(reader, &SequenceSet::empty(1), true, now, &mut out);
}

#[test]
fn samples_wait_for_the_first_acknowledgement_behind_a_heartbeat() {
    let (mut writer, now, mut out) = (writer(Qos::reliable(10)), Instant::now(), vec![]);
    let wishes = (Reliability::Reliable, Durability::Volatile);
    writer.add_reader(READER, route(1000), wishes, now, &mut out);
    assert_eq!(said(&mut out), ["heartbeat 1..=0"]);
    writer.write(change(10, Recipient::All, now), now, &mut out).unwrap();
    assert!(out.is_empty());
    writer.on_acknack(READER, &SequenceSet::empty(1), true, now, &mut out);
    assert_eq!(said(&mut out), ["heartbeat 1..=0", "data 1", "heartbeat 1..=1"]);
    assert!(!writer.is_acknowledged());
    writer.on_acknack(READER, &SequenceSet::empty(2), true, now, &mut out);
    assert!(writer.is_acknowledged() && said(&mut out).is_empty());
    assert_eq!(writer.held_samples(), 0);
}

#[test]
fn what_is_missing_is_sent_again_and_what_is_gone_is_a_gap() {
    let (mut writer, now, mut out) = (writer(Qos::reliable(10)), Instant::now(), vec![]);
    ready(&mut writer, READER, now);
    for _ in 0..4 {
        writer.write(change(10, Recipient::All, now), now, &mut out).unwrap();
    }
    writer.retract(2);
    writer.retract(3);
    out.clear();
    let missing = SequenceSet::from_numbers(1, [1, 2, 3, 4]);
    writer.on_acknack(READER, &missing, false, now, &mut out);
    assert_eq!(said(&mut out), ["gap 2..4"]);
    assert!(!writer.pump(1 << 20, now, &mut out));
    assert_eq!(said(&mut out), ["data 1", "data 4", "heartbeat 1..=4"]);
}

#[test]
fn a_reader_that_gets_no_further_is_not_flooded() {
    let (mut writer, now, mut out) = (writer(Qos::reliable(10)), Instant::now(), vec![]);
    ready(&mut writer, READER, now);
    writer.write(change(10, Recipient::All, now), now, &mut out).unwrap();
    out.clear();
    for _ in 0..1000 {
        writer.on_acknack(READER, &SequenceSet::from_numbers(1, [1]), false, now, &mut out);
        writer.pump(1 << 20, now, &mut out);
    }
    assert_eq!(said(&mut out), ["data 1", "heartbeat 1..=1"]);
}

#[test]
fn large_samples_go_in_fragments_that_fit() {
    let (mut writer, now, mut out) = (writer(Qos::reliable(10)), Instant::now(), vec![]);
    ready(&mut writer, READER, now);
    writer.write(change(2500, Recipient::All, now), now, &mut out).unwrap();
    assert!(said(&mut out).is_empty() && writer.has_jobs());
    writer.pump(1 << 20, now, &mut out);
    let all = ["fragment 1 of 1", "fragment 2 of 1", "fragment 3 of 1", "heartbeat 1..=1"];
    assert_eq!(said(&mut out), all);
    // Numbers that do not exist are passed over.
    writer.on_nack_frag(READER, 1, &SequenceSet::from_numbers(2, [2, 4, 200]), now);
    writer.pump(1 << 20, now, &mut out);
    assert_eq!(said(&mut out), ["fragment 2 of 1", "heartbeat 1..=1"]);
}

#[test]
fn samples_for_one_reader_are_gaps_for_the_others() {
    let (mut writer, now, mut out) = (writer(Qos::reliable(10)), Instant::now(), vec![]);
    ready(&mut writer, READER, now);
    ready(&mut writer, OTHER, now);
    writer.write(change(10, Recipient::Reader(READER), now), now, &mut out).unwrap();
    assert_eq!(said(&mut out), ["data 1", "heartbeat 1..=1"]);
    writer.write(change(10, Recipient::Reader(OTHER), now), now, &mut out).unwrap();
    assert_eq!(said(&mut out), ["gap 1..2", "data 2", "heartbeat 1..=2"]);
    writer.on_acknack(READER, &SequenceSet::empty(2), true, now, &mut out);
    writer.on_acknack(OTHER, &SequenceSet::empty(3), true, now, &mut out);
    assert_eq!(writer.held_samples(), 0);
}

#[test]
fn samples_for_a_participant_wait_until_it_has_enough_readers() {
    let (mut writer, now, mut out) = (writer(Qos::reliable(10)), Instant::now(), vec![]);
    ready(&mut writer, READER, now);
    let recipient = Recipient::Participant { prefix: READER.prefix, readers: 2 };
    writer.write(change(10, recipient, now), now, &mut out).unwrap();
    writer.on_acknack(READER, &SequenceSet::empty(2), true, now, &mut out);
    assert_eq!(writer.held_samples(), 1);
    let second = Guid::new(READER.prefix, EntityId([0, 0, 2, 4]));
    out.clear();
    ready(&mut writer, second, now);
    writer.on_acknack(second, &SequenceSet::empty(2), true, now, &mut out);
    assert_eq!(writer.held_samples(), 0);
}

#[test]
fn samples_for_nobody_are_forgotten_after_a_while() {
    let (mut writer, now, mut out) = (writer(Qos::reliable(10)), Instant::now(), vec![]);
    writer.write(change(10, Recipient::All, now), now, &mut out).unwrap();
    assert_eq!(writer.held_samples(), 0);
    writer.write(change(10, Recipient::Reader(READER), now), now, &mut out).unwrap();
    writer.tick(now + Duration::from_secs(4), &mut out);
    assert_eq!(writer.held_samples(), 1);
    writer.tick(now + Duration::from_secs(6), &mut out);
    assert_eq!(writer.held_samples(), 0);
}

#[test]
fn silent_readers_get_the_guaranteed_history_only() {
    let (mut writer, now, mut out) = (writer(Qos::reliable(3)), Instant::now(), vec![]);
    ready(&mut writer, READER, now);
    for _ in 0..10 {
        writer.write(change(10, Recipient::All, now), now, &mut out).unwrap();
    }
    // An active reader is given more than was promised.
    assert_eq!(writer.held_samples(), 10);
    writer.tick(now + Duration::from_secs(3), &mut out);
    assert_eq!(writer.held_samples(), 3);
}

#[test]
fn a_full_keep_all_writer_refuses_and_others_forget() {
    let limits = Limits { written_bytes: 100, ..Limits::default() };
    let (now, mut out) = (Instant::now(), vec![]);
    let keep_all = Qos { history: History::KeepAll, ..Qos::reliable(1) };
    let mut writer = Writer::new(WRITER, keep_all, &limits);
    ready(&mut writer, READER, now);
    let write = |writer: &mut Writer, length, out: &mut Datagrams| {
        writer.write(change(length, Recipient::All, now), now, out)
    };
    assert_eq!(write(&mut writer, 60, &mut out), Ok(1));
    assert_eq!(write(&mut writer, 60, &mut out), Err(WriteError::Full { bytes: 60 }));
    assert_eq!(
        write(&mut writer, 101, &mut out),
        Err(WriteError::TooLarge { bytes: 101, limit: 100 })
    );
    let mut writer = Writer::new(WRITER, Qos::reliable(10), &limits);
    ready(&mut writer, READER, now);
    assert!(write(&mut writer, 60, &mut out).is_ok() && write(&mut writer, 60, &mut out).is_ok());
    assert_eq!(writer.held_samples(), 1);
}

#[test]
fn best_effort_readers_are_sent_samples_once_without_heartbeats() {
    let (mut writer, now, mut out) = (writer(Qos::reliable(10)), Instant::now(), vec![]);
    let wishes = (Reliability::BestEffort, Durability::Volatile);
    writer.add_reader(READER, route(1000), wishes, now, &mut out);
    writer.write(change(10, Recipient::All, now), now, &mut out).unwrap();
    writer.write(change(1500, Recipient::All, now), now, &mut out).unwrap();
    writer.pump(1 << 20, now, &mut out);
    writer.tick(now + Duration::from_secs(1), &mut out);
    assert_eq!(said(&mut out), ["data 1", "fragment 1 of 2", "fragment 2 of 2"]);
    assert_eq!(writer.held_samples(), 0);
}

#[test]
fn unanswered_heartbeats_are_repeated_less_and_less_often() {
    let (mut writer, start, mut out) = (writer(Qos::reliable(10)), Instant::now(), vec![]);
    ready(&mut writer, READER, start);
    writer.write(change(10, Recipient::All, start), start, &mut out).unwrap();
    out.clear();
    for milliseconds in 0..10_000 {
        writer.tick(start + Duration::from_millis(milliseconds), &mut out);
    }
    assert!((20..40).contains(&out.len()), "{}", out.len());
}
