//! Finds the certificate of a straight motion by halving: a part of the motion is settled for a pair when one direction
//! keeps the pair apart in all of it, and halved otherwise.

use crate::certificate::{ApartPart, PairCertificate, SegmentCertificate};
use crate::clearance::Clearance;
use crate::edge_proof::{EdgeProof, Stop};
use crate::straight_motion::{Moment, StraightMotion};
use crate::surfaces::SurfacePairs;
use nalgebra::Point3;
use smooth_scene_geometry::math::{Vec3, unit_or};
use smooth_scene_query::{PairQuery, QueryOptions, WarmStart};
use smooth_scene_scene::{PlanningScene, SceneError};

/// Halvings of a motion before it counts as not provable: parts of 1/65 536.
const MAX_HALVINGS: u32 = 16;

/// Proves straight motions of one snapshot of a scene.
pub struct EdgeProver<'a> {
    scene: &'a PlanningScene,
    surfaces: SurfacePairs,
    options: QueryOptions,
    /// What each pair has to keep, m.
    required: Vec<f64>,
}

/// The proof of one motion as far as it has got.
struct Proof<'a> {
    prover: &'a EdgeProver<'a>,
    motion: StraightMotion<'a>,
    pairs: Vec<PairCertificate>,
    /// Direction that settled the last part of each pair, and the warm start of its next query.
    hints: Vec<(Option<Vec3>, WarmStart)>,
    stop: Stop<'a>,
}

enum End {
    Refuted,
    Cancelled,
    Scene(SceneError),
}

impl From<SceneError> for End {
    fn from(error: SceneError) -> Self {
        End::Scene(error)
    }
}

/// A part of the motion.
#[derive(Clone, Copy)]
struct Part {
    start: f64,
    end: f64,
    halvings: u32,
}

impl<'a> EdgeProver<'a> {
    /// For one snapshot of a scene.
    pub fn new(scene: &'a PlanningScene) -> Result<Self, SceneError> {
        Self::keeping(scene, &Clearance::default())
    }

    /// As [`new`](Self::new), but a motion is proven only if it keeps a clearance.
    pub(crate) fn keeping(
        scene: &'a PlanningScene,
        clearance: &Clearance,
    ) -> Result<Self, SceneError> {
        let surfaces = SurfacePairs::new(scene)?;
        let body = |surface: usize| surfaces.surfaces[surface].name.body.as_str();
        let required = surfaces.pairs.iter().map(|p| clearance.between(body(p.a), body(p.b)));
        let required = required.collect();
        Ok(Self { scene, surfaces, options: QueryOptions::default(), required })
    }

    /// The surfaces that certificates refer to.
    pub fn surface_names(&self) -> Vec<crate::surfaces::SurfaceName> {
        self.surfaces.names()
    }

    /// Finds a certificate for the straight motion between two states. Refuted means: a contact was found, or the motion
    /// passes so close that halving it 16 times proves nothing.
    pub fn prove(&self, from: &[f64], to: &[f64], stop: Stop) -> Result<EdgeProof, SceneError> {
        for positions in [from, to] {
            smooth_scene_robot::forward_kinematics(self.scene.model(), positions)?;
        }
        let Some(motion) = StraightMotion::new(self.scene.model(), &self.surfaces, from, to) else {
            return Ok(EdgeProof::Refuted);
        };
        let pair = |pair: &crate::surfaces::Pair| PairCertificate {
            surfaces: [pair.a as u32, pair.b as u32],
            clearance: f64::INFINITY,
            parts: Vec::new(),
        };
        let count = self.surfaces.pairs.len();
        let mut proof = Proof {
            prover: self,
            motion,
            pairs: self.surfaces.pairs.iter().map(pair).collect(),
            hints: vec![(None, WarmStart::default()); count],
            stop,
        };
        let whole = Part { start: 0.0, end: 1.0, halvings: 0 };
        let all: Vec<usize> = (0..count).collect();
        match proof.settle(whole, &all) {
            Ok(()) => {
                let (from, to) = (from.to_vec(), to.to_vec());
                Ok(EdgeProof::Proven(SegmentCertificate { from, to, pairs: proof.pairs }))
            }
            Err(End::Refuted) => Ok(EdgeProof::Refuted),
            Err(End::Cancelled) => Ok(EdgeProof::Cancelled),
            Err(End::Scene(error)) => Err(error),
        }
    }
}

impl Proof<'_> {
    /// Settles these pairs in a part of the motion.
    fn settle(&mut self, part: Part, pairs: &[usize]) -> Result<(), End> {
        if (self.stop)() {
            return Err(End::Cancelled);
        }
        let Part { start, end, halvings } = part;
        let middle = 0.5 * (start + end);
        let moment = self.motion.at(middle)?;
        let half = 0.5 * (end - start);
        let mut open = Vec::new();
        for &pair in pairs {
            match self.direction(pair, &moment, half)? {
                Some((normal_w, gap)) => {
                    let settled = &mut self.pairs[pair];
                    settled.parts.push(ApartPart { start, end, normal_w });
                    settled.clearance = settled.clearance.min(gap);
                }
                None => open.push(pair),
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        if halvings >= MAX_HALVINGS {
            return Err(End::Refuted);
        }
        self.settle(Part { start, end: middle, halvings: halvings + 1 }, &open)?;
        self.settle(Part { start: middle, end, halvings: halvings + 1 }, &open)
    }

    /// A direction along which the pair is apart in the part of half length `half` around the moment, and by how much.
    fn direction(
        &mut self,
        pair: usize,
        moment: &Moment,
        half: f64,
    ) -> Result<Option<(Vec3, f64)>, End> {
        let surfaces = &self.prover.surfaces;
        let gap = |normal_w: &Vec3| self.motion.least_gap(surfaces, pair, moment, normal_w, half);
        let (found, required) = (&surfaces.pairs[pair], self.prover.required[pair]);
        let [pose_a, pose_b] = [found.a, found.b].map(|k| moment.pose(surfaces, k));
        let [a, b] = [found.a, found.b].map(|k| &surfaces.surfaces[k]);
        let center = |surface: &crate::surfaces::Surface,
                      pose: &smooth_scene_geometry::math::Pose| {
            (pose * Point3::from(surface.center)).coords
        };
        let between = center(b, &pose_b) - center(a, &pose_a);
        let along_centers = unit_or(&between, &Vec3::x());
        let balls = self.motion.least_gap_of_balls(surfaces, pair, moment, &along_centers, half);
        if balls > required {
            return Ok(Some((along_centers, balls)));
        }
        let (hint, warm) = self.hints[pair];
        for normal_w in hint.iter().chain([&along_centers]) {
            let value = gap(normal_w);
            if value > required {
                return Ok(Some((*normal_w, value)));
            }
        }
        // No direction can help while the bend of the motion exceeds the distance of the middles.
        if self.motion.bending(pair, half) > between.norm() {
            return Ok(None);
        }
        let query = PairQuery::new(&a.shape, &pose_a, &b.shape, &pose_b);
        let distance = query.options(&self.prover.options).warm_start(&warm).distance();
        if distance.upper <= found.growth + required {
            return Err(End::Refuted);
        }
        let value = gap(&distance.normal_ab_w);
        self.hints[pair] = (Some(distance.normal_ab_w), distance.warm);
        Ok((value > required).then_some((distance.normal_ab_w, value)))
    }
}
