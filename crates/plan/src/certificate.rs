//! The certificate of a path.
//!
//! For every segment of the path and every pair of surfaces that may not touch it lists parts of the segment, from its
//! beginning to its end, each with a direction along which the pair is apart during the whole part.
//! [`verify`](crate::verify()) checks it again.

use crate::surfaces::SurfaceName;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_scene::SceneError;

/// A part of a segment in which a pair of surfaces is apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ApartPart {
    /// It begins at this share of the segment.
    pub start: f64,
    /// It ends at this share.
    pub end: f64,
    /// Unit direction from A to B in the middle of the part, world frame, along which the surfaces are apart.
    pub normal_w: Vec3,
}

/// A pair of surfaces that stays apart during a segment.
#[derive(Debug, Clone, PartialEq)]
pub struct PairCertificate {
    /// The surfaces, by their places in [`PathCertificate::surfaces`].
    pub surfaces: [u32; 2],
    /// No moment of the segment has a smaller distance, m. Paddings and margins are subtracted.
    pub clearance: f64,
    /// Parts that follow each other from 0 to 1.
    pub parts: Vec<ApartPart>,
}

/// A segment of a path that is free.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmentCertificate {
    /// Positions of the robot at its beginning.
    pub from: Vec<f64>,
    /// The corner that it goes around on a parabola; none for a straight motion.
    pub corner: Option<Vec<f64>>,
    /// Positions at its end.
    pub to: Vec<f64>,
    /// Every pair that may not touch.
    pub pairs: Vec<PairCertificate>,
}

impl SegmentCertificate {
    /// No pair comes closer than this; infinite when there is no pair.
    pub fn clearance(&self) -> f64 {
        self.pairs.iter().map(|pair| pair.clearance).fold(f64::INFINITY, f64::min)
    }

    /// The pair with the smallest proven clearance.
    pub fn tightest(&self) -> Option<&PairCertificate> {
        self.pairs.iter().min_by(|x, y| x.clearance.total_cmp(&y.clearance))
    }
}

/// A path that is free from its beginning to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct PathCertificate {
    /// The surfaces that the pairs refer to.
    pub surfaces: Vec<SurfaceName>,
    /// Its segments, each the straight motion between two waypoints.
    pub segments: Vec<SegmentCertificate>,
}

impl PathCertificate {
    /// No pair comes closer than this anywhere on the path.
    pub fn clearance(&self) -> f64 {
        self.segments.iter().map(SegmentCertificate::clearance).fold(f64::INFINITY, f64::min)
    }
}

/// Why a certificate does not prove a path.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// Too many or too few segments.
    #[error("the certificate has {given} segments, the path {expected}")]
    SegmentCount {
        /// Of the path.
        expected: usize,
        /// Of the certificate.
        given: usize,
    },
    /// A segment that does not begin or end where the path does.
    #[error("segment {segment} of the certificate is not that of the path")]
    OtherPath {
        /// Which one.
        segment: usize,
    },
    /// A curve that does not go from one segment of the path to the next, or overlaps another one.
    #[error("curve {blend} does not go around a corner of the path")]
    OtherCorner {
        /// Which one.
        blend: usize,
    },
    /// The scene has other surfaces or other pairs that may not touch.
    #[error("the certificate is about other pairs of surfaces than those of the scene")]
    OtherPairs,
    /// A joint goes around a corner in a way that its numbers do not describe.
    #[error(
        "segment {segment} takes a floating joint, or an angle by half a turn, around a corner"
    )]
    NoSuchCurve {
        /// Which one.
        segment: usize,
    },
    /// The parts of a pair do not follow each other from 0 to 1.
    #[error("segment {segment}: the parts for `{a}` and `{b}` leave {time} out")]
    Hole {
        /// Which segment.
        segment: usize,
        /// One body.
        a: String,
        /// The other.
        b: String,
        /// Where.
        time: f64,
    },
    /// A gap that is smaller than the certificate says, or none at all.
    #[error(
        "segment {segment}: `{a}` and `{b}` are apart by {found} m in [{start}, {end}], not by {claimed} m"
    )]
    Gap {
        /// Which segment.
        segment: usize,
        /// One body.
        a: String,
        /// The other.
        b: String,
        /// Beginning of the part.
        start: f64,
        /// Its end.
        end: f64,
        /// Recomputed.
        found: f64,
        /// What the certificate says.
        claimed: f64,
    },
    /// Positions that are none.
    #[error(transparent)]
    Scene(#[from] SceneError),
}
