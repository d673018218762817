//! Quality of service: what is offered, what is requested, and whether they fit.

use std::fmt;
use std::time::Duration;

/// Whether lost samples are sent again. The later variant is the stronger one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reliability {
    /// They are not.
    BestEffort,
    /// They are, until every matched reader has them.
    Reliable,
}

/// Whether readers that match later get earlier samples. The later variant is the stronger one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Durability {
    /// They do not.
    Volatile,
    /// They get those in the writer's history.
    TransientLocal,
    /// Kept by a service; offered by nobody here.
    Transient,
    /// Kept on disk; offered by nobody here.
    Persistent,
}

/// How many samples are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum History {
    /// The last ones. At least one.
    KeepLast(usize),
    /// All that have not been acknowledged, within the limits.
    KeepAll,
}

impl History {
    /// How many samples are guaranteed.
    pub(crate) fn depth(self) -> usize {
        match self {
            Self::KeepLast(depth) => depth.max(1),
            Self::KeepAll => usize::MAX,
        }
    }
}

/// Quality of service of an endpoint of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Qos {
    /// Whether lost samples are sent again.
    pub reliability: Reliability,
    /// Whether late readers get earlier samples: `Volatile` or `TransientLocal`.
    pub durability: Durability,
    /// How many samples are kept.
    pub history: History,
}

impl Qos {
    /// Reliable and volatile.
    pub const fn reliable(depth: usize) -> Self {
        Self {
            reliability: Reliability::Reliable,
            durability: Durability::Volatile,
            history: History::KeepLast(depth),
        }
    }

    /// Best effort and volatile.
    pub const fn best_effort(depth: usize) -> Self {
        Self { reliability: Reliability::BestEffort, ..Self::reliable(depth) }
    }

    /// Reliable, and late readers get the last samples.
    pub const fn transient_local(depth: usize) -> Self {
        Self { durability: Durability::TransientLocal, ..Self::reliable(depth) }
    }
}

/// Who says that a writer is alive. The later variant is the stronger one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LivelinessKind {
    /// The middleware.
    Automatic,
    /// The application, for its participant.
    ManualByParticipant,
    /// The application, for each writer.
    ManualByTopic,
}

/// Whether several writers may update an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ownership {
    /// They may.
    Shared,
    /// Only the strongest.
    Exclusive,
}

/// All policies that decide about a match, as discovery announces them. `None` stands for infinite durations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointQos {
    /// Whether lost samples are sent again.
    pub reliability: Reliability,
    /// Whether late readers get earlier samples.
    pub durability: Durability,
    /// How many samples are kept.
    pub history: History,
    /// Longest time between samples.
    pub deadline: Option<Duration>,
    /// Who says that the writer is alive.
    pub liveliness: LivelinessKind,
    /// Longest time without a sign of life.
    pub liveliness_lease: Option<Duration>,
    /// Whether several writers may update an instance.
    pub ownership: Ownership,
    /// Parts of the domain; none means the default partition.
    pub partitions: Vec<String>,
    /// Encodings in order of preference (0: XCDR1, 2: XCDR2); none means XCDR1.
    pub representations: Vec<i16>,
}

impl From<Qos> for EndpointQos {
    fn from(qos: Qos) -> Self {
        Self {
            reliability: qos.reliability,
            durability: qos.durability,
            history: qos.history,
            deadline: None,
            liveliness: LivelinessKind::Automatic,
            liveliness_lease: None,
            ownership: Ownership::Shared,
            partitions: Vec::new(),
            representations: Vec::new(),
        }
    }
}

/// A policy because of which two endpoints of a topic do not match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QosPolicy {
    /// A reliable reader, a best-effort writer.
    Reliability,
    /// A reader that wants earlier samples, a writer that does not keep them.
    Durability,
    /// A reader that wants samples more often than the writer promises.
    Deadline,
    /// A reader that wants signs of life more often than the writer promises.
    Liveliness,
    /// One shared, one exclusive.
    Ownership,
    /// No encoding in common.
    DataRepresentation,
}

impl fmt::Display for QosPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reliability => "RELIABILITY",
            Self::Durability => "DURABILITY",
            Self::Deadline => "DEADLINE",
            Self::Liveliness => "LIVELINESS",
            Self::Ownership => "OWNERSHIP",
            Self::DataRepresentation => "DATA_REPRESENTATION",
        })
    }
}

impl EndpointQos {
    /// The first policy for which what a writer offers is less than what a reader requests.
    pub fn incompatibility(offered: &Self, requested: &Self) -> Option<QosPolicy> {
        let longer = |offered: Option<Duration>, requested: Option<Duration>| match requested {
            None => false,
            Some(requested) => offered.is_none_or(|offered| offered > requested),
        };
        let checks = [
            (QosPolicy::Reliability, offered.reliability < requested.reliability),
            (QosPolicy::Durability, offered.durability < requested.durability),
            (QosPolicy::Deadline, longer(offered.deadline, requested.deadline)),
            (
                QosPolicy::Liveliness,
                offered.liveliness < requested.liveliness
                    || longer(offered.liveliness_lease, requested.liveliness_lease),
            ),
            (QosPolicy::Ownership, offered.ownership != requested.ownership),
            (QosPolicy::DataRepresentation, !shares_encoding(offered, requested)),
        ];
        checks.into_iter().find(|(_, fails)| *fails).map(|(policy, _)| policy)
    }

    /// Whether two endpoints share a partition. Patterns other than `*` are compared as plain names.
    pub fn shares_partition(&self, other: &Self) -> bool {
        let default = [String::new()];
        let of = |qos: &Self| {
            if qos.partitions.is_empty() { default.to_vec() } else { qos.partitions.clone() }
        };
        let (ours, theirs) = (of(self), of(other));
        ours.iter().any(|a| theirs.iter().any(|b| a == b || a == "*" || b == "*"))
    }
}

/// A writer uses the first encoding of its list.
fn shares_encoding(offered: &EndpointQos, requested: &EndpointQos) -> bool {
    let used = offered.representations.first().copied().unwrap_or(0);
    requested.representations.contains(&used) || (requested.representations.is_empty() && used == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(offered: EndpointQos, requested: EndpointQos) -> Option<String> {
        EndpointQos::incompatibility(&offered, &requested).map(|policy| policy.to_string())
    }

    #[test]
    fn stronger_offers_fit() {
        let (reliable, best_effort) = (Qos::reliable(1).into(), Qos::best_effort(1).into());
        assert_eq!(check(Qos::transient_local(1).into(), reliable), None);
        assert_eq!(check(Qos::reliable(1).into(), best_effort), None);
    }

    #[test]
    fn weaker_offers_are_reported_by_name() {
        let policy = |name: &str| Some(name.to_owned());
        let requested = || EndpointQos::from(Qos::reliable(1));
        assert_eq!(check(Qos::best_effort(1).into(), requested()), policy("RELIABILITY"));
        let latched = Qos::transient_local(1).into();
        assert_eq!(check(Qos::reliable(1).into(), latched), policy("DURABILITY"));
        let second = Some(Duration::from_secs(1));
        let offered = || EndpointQos::from(Qos::reliable(1));
        let often = EndpointQos { deadline: second, ..requested() };
        assert_eq!(check(offered(), often.clone()), policy("DEADLINE"));
        assert_eq!(check(often.clone(), often), None);
        let alive = EndpointQos { liveliness_lease: second, ..requested() };
        assert_eq!(check(offered(), alive), policy("LIVELINESS"));
        let exclusive = EndpointQos { ownership: Ownership::Exclusive, ..requested() };
        assert_eq!(check(offered(), exclusive), policy("OWNERSHIP"));
        let xcdr2 = EndpointQos { representations: vec![2], ..requested() };
        assert_eq!(check(offered(), xcdr2), policy("DATA_REPRESENTATION"));
        let both = EndpointQos { representations: vec![2, 0], ..requested() };
        assert_eq!(check(offered(), both), None);
    }

    #[test]
    fn partitions_have_to_share_a_name() {
        let of = |names: &[&str]| EndpointQos {
            partitions: names.iter().map(|name| (*name).to_owned()).collect(),
            ..Qos::reliable(1).into()
        };
        assert!(of(&[]).shares_partition(&of(&[""])));
        assert!(of(&["a", "b"]).shares_partition(&of(&["b"])));
        assert!(of(&[]).shares_partition(&of(&["*"])));
        assert!(!of(&[]).shares_partition(&of(&["a"])));
    }
}
