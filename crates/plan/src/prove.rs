//! Finds the certificate of a motion by halving: a part of the motion is settled for a pair when one direction
//! keeps the pair apart in all of it, and halved otherwise.

use crate::certificate::{ApartPart, PairCertificate, SegmentCertificate};
use crate::clearance::Clearance;
use crate::edge_proof::{EdgeProof, Stop};
use crate::joint_curve::JointCurve;
use crate::straight_motion::{Moment, PairAtMoment, StraightMotion};
use crate::surfaces::SurfacePairs;
use smooth_scene_geometry::math::{Vec3, unit_or};
use smooth_scene_query::{PairQuery, QueryOptions, Separating, WarmStart, separating_direction};
use smooth_scene_scene::{PlanningScene, SceneError};

/// Halvings of a motion before it counts as not provable: parts of 1/65 536.
const MAX_HALVINGS: u32 = 16;

/// Halvings from which on a contact in the middle of a part is looked for, so that a motion is refuted before it is halved
/// 16 times. Planners have looked at states along the motion before.
const LOOK_FOR_CONTACTS: u32 = 4;

/// Proves straight motions, and parabolas around corners, of one snapshot of a scene.
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
    hints: Vec<Hint>,
    stop: Stop<'a>,
}

/// What the last query about a pair found.
#[derive(Clone, Default)]
struct Hint {
    normal_w: Option<Vec3>,
    warm: WarmStart,
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
        self.check([from, to])?;
        let segment = SegmentCertificate {
            from: from.to_vec(),
            corner: None,
            to: to.to_vec(),
            pairs: Vec::new(),
        };
        self.prove_curve(JointCurve::straight(self.scene.model(), from, to), segment, stop)
    }

    /// The same for the parabola from one state around a corner to another.
    pub fn prove_blend(
        &self,
        [from, corner, to]: [&[f64]; 3],
        stop: Stop,
    ) -> Result<EdgeProof, SceneError> {
        self.check([from, corner, to])?;
        let Some(curve) = JointCurve::around(self.scene.model(), from, corner, to) else {
            return Ok(EdgeProof::Refuted);
        };
        let corner = Some(corner.to_vec());
        let segment =
            SegmentCertificate { from: from.to_vec(), corner, to: to.to_vec(), pairs: Vec::new() };
        self.prove_curve(curve, segment, stop)
    }

    /// Refuses positions that are none.
    fn check<const N: usize>(&self, states: [&[f64]; N]) -> Result<(), SceneError> {
        for positions in states {
            smooth_scene_robot::forward_kinematics(self.scene.model(), positions)?;
        }
        Ok(())
    }

    /// Proves a motion and adds its pairs to what is known about it.
    fn prove_curve(
        &self,
        curve: JointCurve,
        segment: SegmentCertificate,
        stop: Stop,
    ) -> Result<EdgeProof, SceneError> {
        let motion = StraightMotion::new(curve, &self.surfaces);
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
            hints: vec![Hint::default(); count],
            stop,
        };
        let whole = Part { start: 0.0, end: 1.0, halvings: 0 };
        let all: Vec<usize> = (0..count).collect();
        match proof.settle(whole, &all) {
            Ok(()) => Ok(EdgeProof::Proven(SegmentCertificate { pairs: proof.pairs, ..segment })),
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
            match self.direction(pair, &moment, half, halvings)? {
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
        halvings: u32,
    ) -> Result<Option<(Vec3, f64)>, End> {
        let found = &self.prover.surfaces.pairs[pair];
        let required = self.prover.required[pair];
        let at_moment = self.motion.pair(moment, pair);
        let between = at_moment.between_centers();
        let along_centers = unit_or(&between, &Vec3::x());
        let balls = at_moment.least_gap_of_balls(&along_centers, half);
        if balls > required {
            return Ok(Some((along_centers, balls)));
        }
        // No direction helps while the bend of the motion exceeds the distance.
        if self.motion.bending(pair, half) > between.norm() - required {
            return Ok(None);
        }
        let hint = &self.hints[pair];
        let start = hint.normal_w.unwrap_or(along_centers);
        if at_moment.is_bounded() {
            match separate(&at_moment, &start, half, required) {
                Separated::Apart(normal_w, gap) => {
                    self.hints[pair].normal_w = Some(normal_w);
                    return Ok(Some((normal_w, gap)));
                }
                Separated::Not { last_w, swept_upper } => {
                    self.hints[pair].normal_w = Some(last_w);
                    // Swept surfaces that are farther apart than required contain the surfaces of the moment.
                    if halvings < LOOK_FOR_CONTACTS || swept_upper > required + found.growth {
                        return Ok(None);
                    }
                    match separate(&at_moment, &last_w, 0.0, required) {
                        Separated::Apart(normal_w, _) => {
                            self.hints[pair].normal_w = Some(normal_w);
                            return Ok(None);
                        }
                        Separated::Not { .. } => return Err(End::Refuted),
                        Separated::Open => {}
                    }
                }
                Separated::Open => {}
            }
        }
        // Half-spaces, and what rounding leaves open.
        let hint = &self.hints[pair];
        let [pose_a, pose_b] = at_moment.poses();
        let [a, b] = [found.a, found.b].map(|k| &self.prover.surfaces.surfaces[k].shape);
        let query = PairQuery::new(a, pose_a, b, pose_b);
        let query = query.options(&self.prover.options).warm_start(&hint.warm);
        let distance = query.distance();
        if distance.upper <= found.growth + required {
            return Err(End::Refuted);
        }
        let normal_w = distance.normal_ab_w;
        let value = at_moment.least_gap(&normal_w, half);
        self.hints[pair] = Hint { normal_w: Some(normal_w), warm: distance.warm };
        Ok((value > required).then_some((normal_w, value)))
    }
}

/// What the swept surfaces of a pair say.
enum Separated {
    /// They keep what is required along this direction, and how much.
    Apart(Vec3, f64),
    /// No direction separates them by enough. The last one tried, and how near they are at most to first order.
    Not {
        last_w: Vec3,
        swept_upper: f64,
    },
    Open,
}

/// Looks for a direction along which the pair is apart during a part of the motion. The surfaces of both its ends, moved to
/// first order, are convex sets: a direction that separates them from each other is found as for bodies at rest.
fn separate(at_moment: &PairAtMoment, start: &Vec3, half: f64, required: f64) -> Separated {
    let mut last_w = *start;
    let support = |normal_w: &Vec3| {
        last_w = *normal_w;
        at_moment.nearest_swept(normal_w, half).1
    };
    match separating_direction(at_moment.needed(required, half), start, support) {
        Separating::Found { normal, .. } => {
            let gap = at_moment.least_gap(&normal, half);
            if gap > required { Separated::Apart(normal, gap) } else { Separated::Open }
        }
        Separating::None { upper } => Separated::Not { last_w, swept_upper: upper },
        Separating::Open => Separated::Open,
    }
}
