//! The receiving half of a match: puts the samples of one writer in order and says what is missing.
//!
//! A pure state machine: no sockets, no clock, no bytes of the protocol.

use crate::budget::{Budget, Reservation};
use crate::fragments::Assembly;
use crate::guid::{Guid, VENDOR_FAST_DDS};
use crate::limits::Limits;
use crate::qos::Reliability;
use crate::sample::Sample;
use crate::sequence_set::{SPAN, SequenceNumber, SequenceSet};
use crate::wire::{DataFrag, Gap, SerializedPayload};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Pause between greetings to a writer that has not answered; doubled up to `LONGEST_PAUSE`.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// Pause after which what is missing is asked for without a heartbeat; doubled up to `LONGEST_PAUSE`.
const RETRY_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
/// While fragments arrive this close together, the missing ones are taken to be on their way.
const FRAGMENT_PAUSE: Duration = Duration::from_millis(5);
/// Greetings with the base that Fast DDS wants: the first second or so.
const MOST_ZERO_GREETINGS: u32 = 5;
/// Incomplete samples of one writer.
const MOST_ASSEMBLIES: usize = 64;
/// The same of a best-effort writer, where the oldest is given up.
const MOST_BEST_EFFORT_ASSEMBLIES: usize = 4;
/// Gaps ahead of what has been delivered.
const MOST_GAPS: usize = 256;

/// What to tell a writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Acknowledgement {
    /// Everything before the base has arrived; members are missing.
    pub missing: SequenceSet,
    /// Fragments of one sample that are missing.
    pub fragments: Option<(SequenceNumber, SequenceSet)>,
    /// Whether no heartbeat is needed in return.
    pub is_final: bool,
    /// Higher each time.
    pub count: u32,
}

/// A sample that waits for earlier ones.
#[derive(Debug)]
struct Waiting {
    sample: Sample,
    _reservation: Reservation,
}

/// A matched writer as a reader sees it.
#[derive(Debug)]
pub struct WriterProxy {
    writer: Guid,
    reliability: Reliability,
    budget: Budget,
    most_waiting: usize,
    largest_sample: usize,
    /// All before this were delivered or will never come.
    next: SequenceNumber,
    /// Highest number the writer is known to have.
    last: SequenceNumber,
    waiting: BTreeMap<SequenceNumber, Waiting>,
    /// Numbers that will never come: start and end (exclusive).
    gaps: BTreeMap<SequenceNumber, SequenceNumber>,
    assemblies: BTreeMap<SequenceNumber, Assembly>,
    has_heartbeat: bool,
    count: u32,
    /// When the writer was last written to, and how long until the next time.
    asked: Option<Instant>,
    pause: Duration,
}

impl WriterProxy {
    /// A writer that was just matched.
    pub fn new(writer: Guid, reliability: Reliability, budget: Budget, limits: &Limits) -> Self {
        Self {
            writer,
            reliability,
            budget,
            most_waiting: limits.samples_per_writer,
            largest_sample: limits.sample_bytes,
            next: 1,
            last: 0,
            waiting: BTreeMap::new(),
            gaps: BTreeMap::new(),
            assemblies: BTreeMap::new(),
            has_heartbeat: false,
            count: 0,
            asked: None,
            pause: FIRST_PAUSE,
        }
    }

    /// Takes a sample. What can be delivered is appended to `delivered`.
    pub fn on_data(&mut self, sample: Sample, delivered: &mut Vec<Sample>) {
        let number = sample.number;
        if number < self.next {
            return;
        }
        self.last = self.last.max(number);
        if self.reliability == Reliability::BestEffort {
            self.skip_to(number + 1);
            delivered.push(sample);
            return;
        }
        if number == self.next {
            self.assemblies.remove(&number);
            self.waiting.remove(&number);
            self.next += 1;
            delivered.push(sample);
            self.deliver(delivered);
        } else if self.waiting.len() < self.most_waiting
            && !self.waiting.contains_key(&number)
            && !self.is_gap(number)
            && let Some(reservation) = self.budget.reserve(sample.payload.len())
        {
            self.assemblies.remove(&number);
            self.waiting.insert(number, Waiting { sample, _reservation: reservation });
        }
    }

    /// Takes fragments. What can be delivered is appended to `delivered`.
    pub fn on_fragments(
        &mut self,
        fragments: &DataFrag<'_>,
        now: Instant,
        delivered: &mut Vec<Sample>,
    ) {
        let number = fragments.number;
        let is_known = number < self.next || self.waiting.contains_key(&number);
        if is_known || self.is_gap(number) || fragments.sample_size as usize > self.largest_sample {
            return;
        }
        self.last = self.last.max(number);
        if !self.assemblies.contains_key(&number) && !self.make_room(number) {
            return;
        }
        let budget = &self.budget;
        let assembly =
            self.assemblies.entry(number).or_insert_with(|| Assembly::new(fragments, budget, now));
        assembly.insert(fragments, budget, now);
        if assembly.is_complete() {
            let whole = self.assemblies.remove(&number).expect("it was just found");
            // Given back before the sample is accounted for again.
            let bytes = whole.finish().0;
            let payload = SerializedPayload::Data(&[]);
            let mut sample = Sample::new(self.writer, number, fragments.inline_qos, payload);
            sample.payload = bytes;
            self.on_data(sample, delivered);
        }
    }

    /// Makes room for another incomplete sample; false if there is none.
    fn make_room(&mut self, number: SequenceNumber) -> bool {
        match self.reliability {
            // The next in order is always taken, so that a writer cannot block itself.
            Reliability::Reliable => self.assemblies.len() < MOST_ASSEMBLIES || number == self.next,
            Reliability::BestEffort => {
                while self.assemblies.len() >= MOST_BEST_EFFORT_ASSEMBLIES {
                    self.assemblies.pop_first();
                }
                true
            }
        }
    }

    /// Takes a gap. What can be delivered is appended to `delivered`.
    pub fn on_gap(&mut self, gap: &Gap, delivered: &mut Vec<Sample>) {
        self.add_gap(gap.start, gap.list.base());
        gap.list.iter().for_each(|number| self.add_gap(number, number + 1));
        self.deliver(delivered);
    }

    fn add_gap(&mut self, start: SequenceNumber, end: SequenceNumber) {
        let start = start.max(self.next);
        let has_room = self.gaps.len() < MOST_GAPS || start == self.next;
        if start < end && has_room {
            let known = self.gaps.entry(start).or_insert(end);
            *known = end.max(*known);
        }
    }

    fn is_gap(&self, number: SequenceNumber) -> bool {
        self.gaps.range(..=number).any(|(_, end)| number < *end)
    }

    /// Delivers what follows without a hole.
    fn deliver(&mut self, delivered: &mut Vec<Sample>) {
        loop {
            if let Some(waiting) = self.waiting.remove(&self.next) {
                delivered.push(waiting.sample);
                self.next += 1;
            } else if let Some((start, end)) = self.gaps.first_key_value().map(|(s, e)| (*s, *e))
                && start <= self.next
            {
                self.gaps.remove(&start);
                // What arrived although the writer says it is gone is delivered all the same.
                while let Some((number, _)) =
                    self.waiting.first_key_value().filter(|(n, _)| **n < end)
                {
                    let number = *number;
                    delivered.extend(self.waiting.remove(&number).map(|waiting| waiting.sample));
                }
                self.next = self.next.max(end);
            } else {
                break;
            }
        }
        self.assemblies = self.assemblies.split_off(&self.next);
        self.last = self.last.max(self.next - 1);
    }

    /// Gives up everything before `number`.
    fn skip_to(&mut self, number: SequenceNumber) {
        self.next = number;
        self.assemblies = self.assemblies.split_off(&number);
    }

    /// Takes a heartbeat and returns the answer, if one is due.
    pub fn on_heartbeat(
        &mut self,
        (first, last): (SequenceNumber, SequenceNumber),
        is_final: bool,
        now: Instant,
        delivered: &mut Vec<Sample>,
    ) -> Option<Acknowledgement> {
        if self.reliability == Reliability::BestEffort {
            return None;
        }
        if !self.has_heartbeat {
            self.has_heartbeat = true;
            self.pause = RETRY_PAUSE;
        }
        // What is no longer available will never come.
        self.add_gap(self.next, first);
        self.deliver(delivered);
        self.last = self.last.max(last);
        (!is_final || self.next <= last).then(|| self.acknowledge(now))
    }

    /// Takes notice of the fragments a writer has and returns the answer, if some are missing.
    pub fn on_heartbeat_frag(
        &mut self,
        number: SequenceNumber,
        last: u32,
        now: Instant,
    ) -> Option<Acknowledgement> {
        let assembly = self.assemblies.get(&number)?;
        let is_missing = !assembly.missing(last).is_empty();
        let is_reliable = self.reliability == Reliability::Reliable;
        (is_reliable && is_missing).then(|| self.acknowledge(now))
    }

    /// What to tell the writer now: nothing was heard from it, or something has been missing for a while.
    pub fn tick(&mut self, now: Instant) -> Option<Acknowledgement> {
        if self.reliability == Reliability::BestEffort {
            return None;
        }
        let is_waiting = !self.has_heartbeat || self.next <= self.last;
        let is_due = self.asked.is_none_or(|asked| now.duration_since(asked) >= self.pause);
        if !is_waiting || !is_due {
            return None;
        }
        let is_first = self.asked.is_none();
        let pause = if is_first { self.pause } else { (self.pause * 2).min(LONGEST_PAUSE) };
        let mut acknowledgement = self.acknowledge(now);
        acknowledgement.is_final = false;
        self.pause = pause;
        Some(acknowledgement)
    }

    fn acknowledge(&mut self, now: Instant) -> Acknowledgement {
        let end = self.last.min(self.next + SPAN - 1);
        let is_missing = |number: &SequenceNumber| {
            let has_some =
                self.waiting.contains_key(number) || self.assemblies.contains_key(number);
            !has_some && !self.is_gap(*number)
        };
        let numbers: Vec<_> = (self.next..=end).filter(is_missing).collect();
        let fragments = self.assemblies.first_key_value().and_then(|(number, assembly)| {
            let is_flowing = now.duration_since(assembly.last_arrival()) < FRAGMENT_PAUSE;
            (!is_flowing).then(|| (*number, assembly.missing(u32::MAX)))
        });
        self.count = self.count.wrapping_add(1);
        if self.asked.is_none() || self.has_heartbeat {
            self.pause = if self.has_heartbeat { RETRY_PAUSE } else { FIRST_PAUSE };
        }
        self.asked = Some(now);
        let is_final = numbers.is_empty() && self.assemblies.is_empty();
        // Fast DDS answers the first ACKNACK at once only if its base is 0. Cyclone complains about it if it has taken
        // over the port of a Fast DDS that vanished, so it is not repeated for long.
        let is_greeting =
            !self.has_heartbeat && numbers.is_empty() && self.count <= MOST_ZERO_GREETINGS;
        let base = match is_greeting && self.writer.prefix.vendor() == VENDOR_FAST_DDS {
            true => 0,
            false => self.next,
        };
        let missing = SequenceSet::from_numbers(base, numbers);
        Acknowledgement { missing, fragments, is_final, count: self.count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guid::EntityId;

    fn proxy(reliability: Reliability, limits: &Limits) -> WriterProxy {
        let budget = Budget::new(limits.bytes_per_peer);
        WriterProxy::new(Guid::from_bytes([2; 16]), reliability, budget, limits)
    }

    fn reliable() -> WriterProxy {
        proxy(Reliability::Reliable, &Limits::default())
    }

    fn sample(number: SequenceNumber) -> Sample {
        Sample::new(Guid::from_bytes([2; 16]), number, None, SerializedPayload::Data(&[9; 8]))
    }

    fn gap(start: SequenceNumber, end: SequenceNumber, also: &[SequenceNumber]) -> Gap {
        let list = SequenceSet::from_numbers(end, also.iter().copied());
        Gap { reader: EntityId::UNKNOWN, writer: EntityId::UNKNOWN, start, list }
    }

    fn numbers(samples: &[Sample]) -> Vec<SequenceNumber> {
        samples.iter().map(|sample| sample.number).collect()
    }

    #[test]
    fn samples_are_put_in_order_and_delivered_once() {
        let (mut proxy, mut delivered) = (reliable(), vec![]);
        for number in [2, 1, 1, 4, 2, 3, 4] {
            proxy.on_data(sample(number), &mut delivered);
        }
        assert_eq!(numbers(&delivered), [1, 2, 3, 4]);
    }

    #[test]
    fn what_is_missing_is_asked_for() {
        let (mut proxy, mut delivered, now) = (reliable(), vec![], Instant::now());
        [1, 3, 5].into_iter().for_each(|number| proxy.on_data(sample(number), &mut delivered));
        let answer = proxy.on_heartbeat((1, 6), true, now, &mut delivered).unwrap();
        assert_eq!(answer.missing, SequenceSet::from_numbers(2, [2, 4, 6]));
        assert!(!answer.is_final);
        [2, 4, 6].into_iter().for_each(|number| proxy.on_data(sample(number), &mut delivered));
        assert_eq!(proxy.on_heartbeat((1, 6), true, now, &mut delivered), None);
        let answer = proxy.on_heartbeat((1, 6), false, now, &mut delivered).unwrap();
        assert_eq!((answer.missing, answer.is_final), (SequenceSet::empty(7), true));
    }

    #[test]
    fn gaps_are_passed_over() {
        let (mut proxy, mut delivered) = (reliable(), vec![]);
        [1, 5, 9].into_iter().for_each(|number| proxy.on_data(sample(number), &mut delivered));
        proxy.on_gap(&gap(6, 8, &[8]), &mut delivered);
        assert_eq!(numbers(&delivered), [1]);
        proxy.on_gap(&gap(2, 5, &[]), &mut delivered);
        assert_eq!(numbers(&delivered), [1, 5, 9]);
    }

    #[test]
    fn what_arrived_inside_a_gap_is_delivered() {
        let (mut proxy, mut delivered) = (reliable(), vec![]);
        proxy.on_data(sample(3), &mut delivered);
        proxy.on_gap(&gap(1, 6, &[]), &mut delivered);
        assert_eq!(numbers(&delivered), [3]);
        proxy.on_data(sample(6), &mut delivered);
        assert_eq!(numbers(&delivered), [3, 6]);
    }

    #[test]
    fn what_is_no_longer_available_is_given_up() {
        let (mut proxy, mut delivered, now) = (reliable(), vec![], Instant::now());
        proxy.on_data(sample(7), &mut delivered);
        proxy.on_heartbeat((6, 7), false, now, &mut delivered);
        assert!(delivered.is_empty());
        proxy.on_data(sample(6), &mut delivered);
        assert_eq!(numbers(&delivered), [6, 7]);
    }

    #[test]
    fn huge_gaps_and_numbers_take_no_memory() {
        let (mut proxy, mut delivered) = (reliable(), vec![]);
        for start in 0..100_000 {
            proxy.on_gap(&gap(10 + 3 * start, 11 + 3 * start, &[]), &mut delivered);
        }
        assert!(proxy.gaps.len() <= MOST_GAPS);
        proxy.on_gap(&gap(1, 1 << 60, &[]), &mut delivered);
        proxy.on_data(sample(1 << 60), &mut delivered);
        assert_eq!(numbers(&delivered), [1 << 60]);
    }

    #[test]
    fn samples_beyond_the_limits_count_as_lost() {
        let limits = Limits { bytes_per_peer: 20, samples_per_writer: 100, ..Limits::default() };
        let (mut proxy, mut delivered) = (proxy(Reliability::Reliable, &limits), vec![]);
        [2, 3, 4, 5].into_iter().for_each(|number| proxy.on_data(sample(number), &mut delivered));
        let answer = proxy.on_heartbeat((1, 5), false, Instant::now(), &mut delivered).unwrap();
        assert_eq!(answer.missing, SequenceSet::from_numbers(1, [1, 4, 5]));
    }

    #[test]
    fn best_effort_delivers_what_is_newer() {
        let mut proxy = proxy(Reliability::BestEffort, &Limits::default());
        let mut delivered = vec![];
        [3, 1, 4, 4].into_iter().for_each(|number| proxy.on_data(sample(number), &mut delivered));
        assert_eq!(numbers(&delivered), [3, 4]);
        assert_eq!(proxy.on_heartbeat((1, 9), false, Instant::now(), &mut delivered), None);
        assert_eq!(proxy.tick(Instant::now()), None);
    }

    #[test]
    fn a_silent_writer_is_greeted_again_and_again() {
        let (mut proxy, start) = (reliable(), Instant::now());
        assert!(proxy.tick(start).is_some());
        assert!(proxy.tick(start + Duration::from_millis(10)).is_none());
        assert!(proxy.tick(start + Duration::from_millis(60)).is_some());
        assert!(proxy.tick(start + Duration::from_millis(120)).is_none());
        assert!(proxy.tick(start + Duration::from_millis(165)).is_some());
        let mut delivered = vec![];
        let now = start + Duration::from_millis(170);
        assert!(proxy.on_heartbeat((1, 0), false, now, &mut delivered).is_some());
        assert!(proxy.tick(start + Duration::from_secs(60)).is_none());
    }

    #[test]
    fn fast_dds_is_greeted_with_base_zero() {
        let mut bytes = [2; 16];
        bytes[..2].copy_from_slice(&VENDOR_FAST_DDS);
        let (limits, writer) = (Limits::default(), Guid::from_bytes(bytes));
        let mut proxy = WriterProxy::new(writer, Reliability::Reliable, Budget::new(100), &limits);
        let start = Instant::now();
        let bases: Vec<_> = (0..8)
            .map(|second| proxy.tick(start + Duration::from_secs(second)).unwrap().missing.base())
            .collect();
        assert_eq!(bases, [0, 0, 0, 0, 0, 1, 1, 1]);
        assert_eq!(reliable().tick(Instant::now()).unwrap().missing.base(), 1);
    }

    #[test]
    fn missing_fragments_are_asked_for_once_they_stop_arriving() {
        let (mut proxy, mut delivered, start) = (reliable(), vec![], Instant::now());
        let piece = |first| DataFrag {
            reader: EntityId::UNKNOWN,
            writer: EntityId::UNKNOWN,
            number: 1,
            first,
            count: 1,
            fragment_size: 4,
            sample_size: 12,
            inline_qos: None,
            payload: &[5; 4],
        };
        proxy.on_fragments(&piece(1), start, &mut delivered);
        proxy.on_fragments(&piece(3), start, &mut delivered);
        let answer = proxy.on_heartbeat((1, 1), false, start, &mut delivered).unwrap();
        assert_eq!((answer.missing, answer.fragments), (SequenceSet::empty(1), None));
        let answer = proxy.tick(start + Duration::from_millis(30)).unwrap();
        assert_eq!(answer.fragments, Some((1, SequenceSet::from_numbers(2, [2]))));
        proxy.on_fragments(&piece(2), start, &mut delivered);
        assert_eq!(delivered[0].payload, [5; 12]);
        assert_eq!(proxy.budget.used(), 0);
    }
}
