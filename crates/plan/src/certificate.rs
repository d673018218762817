//! The certificate of a path, and the function that checks it again.
//!
//! For every segment of the path and every pair of surfaces that may not touch it lists parts of the segment, from its
//! beginning to its end, each with a direction along which the pair is apart during the whole part. [`verify`] recomputes
//! each of these gaps from poses, velocities and support functions alone: it calls no distance query and none of the
//! scene's checks, and lists the pairs by itself. So a fault in the solvers cannot hide in a certificate.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::straight_motion::StraightMotion;
use crate::surfaces::{SurfaceName, SurfacePairs};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_scene::{PlanningScene, SceneError};

/// Rounding of the norm of a direction. A clearance may be larger by this share than what is proven.
const UNIT_TOLERANCE: f64 = 1e-12;

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
    /// And at its end.
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
    /// The scene has other surfaces or other pairs that may not touch.
    #[error("the certificate is about other pairs of surfaces than those of the scene")]
    OtherPairs,
    /// A joint moves in a way that this kind of certificate cannot describe.
    #[error("segment {segment} moves a floating joint")]
    FloatingJoint {
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

impl CertificateError {
    /// The same about another segment.
    pub(crate) fn in_segment(mut self, number: usize) -> Self {
        match &mut self {
            CertificateError::OtherPath { segment }
            | CertificateError::FloatingJoint { segment }
            | CertificateError::Hole { segment, .. }
            | CertificateError::Gap { segment, .. } => *segment = number,
            CertificateError::SegmentCount { .. }
            | CertificateError::OtherPairs
            | CertificateError::Scene(_) => {}
        }
        self
    }
}

/// Checks that a certificate proves the path through these waypoints free in this scene; returns the proven clearance.
pub fn verify(
    scene: &PlanningScene,
    waypoints: &[impl AsRef<[f64]>],
    certificate: &PathCertificate,
) -> Result<f64, CertificateError> {
    let (expected, given) = (waypoints.len().saturating_sub(1), certificate.segments.len());
    if expected != given || expected == 0 {
        return Err(CertificateError::SegmentCount { expected, given });
    }
    let surfaces = SurfacePairs::new(scene)?;
    if surfaces.names() != certificate.surfaces {
        return Err(CertificateError::OtherPairs);
    }
    let mut clearance = f64::INFINITY;
    for (number, (ends, segment)) in waypoints.windows(2).zip(&certificate.segments).enumerate() {
        if ends[0].as_ref() != segment.from || ends[1].as_ref() != segment.to {
            return Err(CertificateError::OtherPath { segment: number });
        }
        clearance = clearance.min(verify_segment(scene, &surfaces, number, segment)?);
    }
    Ok(clearance)
}

fn verify_segment(
    scene: &PlanningScene,
    surfaces: &SurfacePairs,
    number: usize,
    segment: &SegmentCertificate,
) -> Result<f64, CertificateError> {
    if segment.pairs.len() != surfaces.pairs.len() {
        return Err(CertificateError::OtherPairs);
    }
    let (from, to) = (&segment.from, &segment.to);
    // Refuses positions that are none, before anything is computed with them.
    for positions in [from, to] {
        smooth_scene_robot::forward_kinematics(scene.model(), positions)
            .map_err(SceneError::from)?;
    }
    let motion = StraightMotion::new(scene.model(), surfaces, from, to)
        .ok_or(CertificateError::FloatingJoint { segment: number })?;
    let mut moments = HashMap::new();
    let mut clearance = f64::INFINITY;
    for (place, (pair, claim)) in surfaces.pairs.iter().zip(&segment.pairs).enumerate() {
        if claim.surfaces != [pair.a as u32, pair.b as u32] {
            return Err(CertificateError::OtherPairs);
        }
        let [a, b] = [pair.a, pair.b].map(|k| surfaces.surfaces[k].name.body.clone());
        let mut covered = 0.0;
        for part in &claim.parts {
            if part.start != covered || part.end.is_nan() || part.end <= part.start {
                return Err(CertificateError::Hole { segment: number, a, b, time: covered });
            }
            let middle: f64 = 0.5 * (part.start + part.end);
            let moment = match moments.entry(middle.to_bits()) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(motion.at(middle)?),
            };
            let half = 0.5 * (part.end - part.start);
            let found = motion.pair(moment, place).least_gap(&part.normal_w, half);
            // The clearance of a direction that is not unit would be one in other units.
            let is_unit = (part.normal_w.norm() - 1.0).abs() <= UNIT_TOLERANCE;
            let holds = is_unit && found > 0.0 && found >= claim.clearance && claim.clearance > 0.0;
            if !holds {
                let (start, end, claimed) = (part.start, part.end, claim.clearance);
                let segment = number;
                return Err(CertificateError::Gap { segment, a, b, start, end, found, claimed });
            }
            covered = part.end;
        }
        if covered != 1.0 {
            return Err(CertificateError::Hole { segment: number, a, b, time: covered });
        }
        clearance = clearance.min(claim.clearance);
    }
    Ok(clearance)
}
