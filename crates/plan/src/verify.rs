//! Checks certificates again: recomputes each of their gaps from poses, velocities and support functions alone.
//!
//! It calls no distance query and none of the scene's checks, and lists the pairs by itself. So a fault in the solvers
//! cannot hide in a certificate.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::blended_path::BlendedPath;
use crate::certificate::{CertificateError, PairCertificate, PathCertificate, SegmentCertificate};
use crate::joint_curve::JointCurve;
use crate::straight_motion::{Moment, StraightMotion};
use crate::surfaces::{Pair, SurfaceName, SurfacePairs};
use smooth_scene_scene::{PlanningScene, SceneError};

/// Rounding of the norm of a direction. A clearance may be larger by this share than what is proven.
const UNIT_TOLERANCE: f64 = 1e-12;

/// Checks that a certificate proves the path through these waypoints free in this scene; returns the proven clearance.
pub fn verify(
    scene: &PlanningScene,
    waypoints: &[impl AsRef<[f64]>],
    certificate: &PathCertificate,
) -> Result<f64, CertificateError> {
    verify_levels(&[scene], waypoints, certificate)
}

/// As [`verify`] for a path that was planned with a [`LevelsChecker`](crate::LevelsChecker): every segment is proven free
/// by one of these scenes.
pub fn verify_levels(
    scenes: &[&PlanningScene],
    waypoints: &[impl AsRef<[f64]>],
    certificate: &PathCertificate,
) -> Result<f64, CertificateError> {
    let (expected, given) = (waypoints.len().saturating_sub(1), certificate.segments.len());
    if expected != given || expected == 0 {
        return Err(CertificateError::SegmentCount { expected, given });
    }
    let verifier = Verifier::new(scenes, &certificate.surfaces)?;
    let mut clearance = f64::INFINITY;
    for (number, (ends, segment)) in waypoints.windows(2).zip(&certificate.segments).enumerate() {
        let is_same = ends[0].as_ref() == segment.from && ends[1].as_ref() == segment.to;
        if !is_same || segment.corner.is_some() {
            return Err(CertificateError::OtherPath { segment: number });
        }
        clearance = clearance.min(verifier.segment(number, segment)?);
    }
    Ok(clearance)
}

/// Checks the whole way of a robot that goes around the corners of a path: the straight segments by their certificate, the
/// curves by theirs, and that each curve begins and ends on the segments it lies between. Returns the proven clearance.
pub fn verify_blended(
    scenes: &[&PlanningScene],
    path: &BlendedPath,
    certificate: &PathCertificate,
) -> Result<f64, CertificateError> {
    if let Some(blend) = path.misplaced() {
        return Err(CertificateError::OtherCorner { blend });
    }
    let mut clearance = verify_levels(scenes, &path.waypoints, certificate)?;
    let verifier = Verifier::new(scenes, &certificate.surfaces)?;
    for (number, blend) in path.blends.iter().enumerate() {
        clearance = clearance.min(verifier.segment(number, &blend.certificate)?);
    }
    Ok(clearance)
}

/// Scenes that certificates are checked against, with their surfaces.
struct Verifier<'a> {
    levels: Vec<Level<'a>>,
}

struct Level<'a> {
    scene: &'a PlanningScene,
    surfaces: SurfacePairs,
    /// Where its surfaces begin among those of all levels.
    first: u32,
}

impl<'a> Verifier<'a> {
    fn new(scenes: &[&'a PlanningScene], names: &[SurfaceName]) -> Result<Self, CertificateError> {
        let (mut levels, mut first) = (Vec::new(), 0);
        for scene in scenes {
            let surfaces = SurfacePairs::new(scene)?;
            let end = first + surfaces.surfaces.len();
            if names.get(first..end) != Some(&surfaces.names()) {
                return Err(CertificateError::OtherPairs);
            }
            levels.push(Level { scene, surfaces, first: first as u32 });
            first = end;
        }
        if first != names.len() {
            return Err(CertificateError::OtherPairs);
        }
        Ok(Self { levels })
    }

    /// The proven clearance of a segment: every pair of one level is apart in all of it.
    fn segment(
        &self,
        number: usize,
        segment: &SegmentCertificate,
    ) -> Result<f64, CertificateError> {
        let is_of = |level: &&Level| {
            let pairs = &level.surfaces.pairs;
            let claims = segment.pairs.iter().zip(pairs);
            pairs.len() == segment.pairs.len()
                && claims.into_iter().all(|(claim, pair)| claim.surfaces == level.names(pair))
        };
        let level = self.levels.iter().find(is_of).ok_or(CertificateError::OtherPairs)?;
        level.segment(number, segment)
    }
}

impl Level<'_> {
    /// How certificates name the surfaces of a pair.
    fn names(&self, pair: &Pair) -> [u32; 2] {
        [pair.a, pair.b].map(|surface| surface as u32 + self.first)
    }

    fn segment(
        &self,
        number: usize,
        segment: &SegmentCertificate,
    ) -> Result<f64, CertificateError> {
        let (model, from, to) = (self.scene.model(), &segment.from, &segment.to);
        // Refuses positions that are none, before anything is computed with them.
        for positions in [Some(from), segment.corner.as_ref(), Some(to)].into_iter().flatten() {
            smooth_scene_robot::forward_kinematics(model, positions).map_err(SceneError::from)?;
        }
        let curve = match &segment.corner {
            None => JointCurve::straight(model, from, to),
            Some(corner) => JointCurve::around(model, from, corner, to)
                .ok_or(CertificateError::NoSuchCurve { segment: number })?,
        };
        let motion = StraightMotion::new(curve, &self.surfaces);
        let mut moments = HashMap::new();
        let mut clearance = f64::INFINITY;
        for (place, claim) in segment.pairs.iter().enumerate() {
            self.pair(number, &motion, &mut moments, place, claim)?;
            clearance = clearance.min(claim.clearance);
        }
        Ok(clearance)
    }

    /// Checks that a pair keeps what is claimed during a whole motion. Moments are those of the motion, by the bits of
    /// their time.
    fn pair(
        &self,
        number: usize,
        motion: &StraightMotion,
        moments: &mut HashMap<u64, Moment>,
        place: usize,
        claim: &PairCertificate,
    ) -> Result<(), CertificateError> {
        let pair = &self.surfaces.pairs[place];
        let [a, b] = [pair.a, pair.b].map(|k| self.surfaces.surfaces[k].name.body.clone());
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
        Ok(())
    }
}
