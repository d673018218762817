//! Random states within the limits, the same for the same seed on every machine.

use std::f64::consts::{PI, TAU};

use crate::model::RobotModel;
use crate::spec::{Coupling, JointKind};
use smooth_scene_geometry::math::sin_cos;

/// Half the range, in metres, from which a length without limits is drawn.
const UNLIMITED_LENGTH: f64 = 1.0;

/// An endless sequence of random positions of one model.
///
/// Joints with limits are uniform between them, other angles in [−π, π), other lengths in [−1 m, 1 m), rotations of
/// floating joints uniform over all rotations [Shoemake 1992, "Uniform random rotations", Graphics Gems III]. A leader
/// keeps its followers within *their* limits too, where that is possible.
///
/// The generator is SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014): the
/// state advances by 0x9E3779B97F4A7C15, the output is the state mixed by two multiplications; the upper 53 bits make a
/// number in [0, 1).
#[derive(Debug, Clone)]
pub struct StateSampler {
    /// What to draw, in the order of the position vector.
    draws: Vec<Draw>,
    state: u64,
}

#[derive(Debug, Clone)]
enum Draw {
    Between(f64, f64),
    UnitQuaternion,
}

impl StateSampler {
    /// A sequence that depends on model and seed alone.
    pub fn new(model: &RobotModel, seed: u64) -> Self {
        let mut draws = Vec::with_capacity(model.position_count());
        let angle = Draw::Between(-PI, PI);
        let length = Draw::Between(-UNLIMITED_LENGTH, UNLIMITED_LENGTH);
        for (place, joint) in model.joints().iter().enumerate() {
            if matches!(joint.coupling, Coupling::Mimic { .. }) {
                continue;
            }
            match joint.kind {
                JointKind::Fixed => {}
                JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic => {
                    let (lower, upper) = leader_range(model, place);
                    draws.push(Draw::Between(lower, upper));
                }
                JointKind::Planar => draws.extend([length.clone(), length.clone(), angle.clone()]),
                JointKind::Floating => {
                    draws.extend([length.clone(), length.clone(), length.clone()]);
                    draws.push(Draw::UnitQuaternion);
                }
            }
        }
        Self { draws, state: seed }
    }

    /// The next positions, in the order of [`RobotModel::variable_names`].
    pub fn draw(&mut self) -> Vec<f64> {
        let mut positions = Vec::new();
        self.draw_into(&mut positions);
        positions
    }

    /// As [`StateSampler::draw`], into a vector that is reused.
    pub fn draw_into(&mut self, positions: &mut Vec<f64>) {
        positions.clear();
        for place in 0..self.draws.len() {
            match self.draws[place] {
                Draw::Between(lower, upper) => {
                    let x = self.uniform();
                    // The rounded sum may step over the limit by one unit in the last place.
                    positions.push((lower + x * (upper - lower)).clamp(lower, upper));
                }
                Draw::UnitQuaternion => positions.extend(self.unit_quaternion()),
            }
        }
    }

    fn unit_quaternion(&mut self) -> [f64; 4] {
        let share = self.uniform();
        let (s1, c1) = sin_cos(TAU * self.uniform());
        let (s2, c2) = sin_cos(TAU * self.uniform());
        let (r1, r2) = ((1.0 - share).sqrt(), share.sqrt());
        [r1 * s1, r1 * c1, r2 * s2, r2 * c2]
    }

    /// The next number of the same sequence, uniform in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Where a joint of one number may be such that it and all who follow it keep their limits; its own limits when there is
/// no such place.
fn leader_range(model: &RobotModel, place: usize) -> (f64, f64) {
    let own = finite_range(model, place);
    let (mut lower, mut upper) = own;
    for (other, joint) in model.joints().iter().enumerate() {
        let Coupling::Mimic { leader, multiplier, offset } = joint.coupling else { continue };
        if leader.index() != place || multiplier == 0.0 || joint.kind == JointKind::Continuous {
            continue;
        }
        let limits = model.joints()[other].limits;
        let ends = [(limits.lower - offset) / multiplier, (limits.upper - offset) / multiplier];
        lower = lower.max(ends[0].min(ends[1]));
        upper = upper.min(ends[0].max(ends[1]));
    }
    if lower <= upper { (lower, upper) } else { own }
}

/// The limits of a joint of one number, with a range of usual size where they are open.
fn finite_range(model: &RobotModel, place: usize) -> (f64, f64) {
    let joint = &model.joints()[place];
    let half = if joint.kind == JointKind::Prismatic { UNLIMITED_LENGTH } else { PI };
    let (lower, upper) = (joint.limits.lower, joint.limits.upper);
    if joint.kind == JointKind::Continuous {
        return (-PI, PI);
    }
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) => (lower, upper),
        (true, false) => (lower, lower + 2.0 * half),
        (false, true) => (upper - 2.0 * half, upper),
        (false, false) => (-half, half),
    }
}

#[cfg(test)]
mod tests {
    use super::super::kinematics::forward_kinematics;
    use super::super::testing::{every_joint, joint, model};
    use super::*;
    use crate::spec::{JointLimits, JointSpec, MimicSpec};
    use smooth_scene_geometry::math::{Pose, Vec3};

    #[test]
    fn the_generator_is_splitmix64() {
        // First outputs of the reference implementation (Vigna, splitmix64.c) for seed 1234567.
        let expected = [6457827717110365317u64, 3203168211198807973, 9817491932198370423];
        let mut sampler = StateSampler { draws: Vec::new(), state: 1234567 };
        for output in expected {
            assert_eq!(sampler.uniform(), (output >> 11) as f64 / (1u64 << 53) as f64);
        }
    }

    #[test]
    fn every_draw_is_a_state_and_the_seed_decides() {
        let robot = every_joint();
        let mut sampler = StateSampler::new(&robot, 7);
        let mut again = StateSampler::new(&robot, 7);
        for _ in 0..100 {
            let q = sampler.draw();
            assert_eq!(q, again.draw());
            forward_kinematics(&robot, &q).unwrap();
        }
        assert_ne!(sampler.draw(), StateSampler::new(&robot, 8).draw());
    }

    #[test]
    fn leaders_keep_their_followers_within_limits() {
        let within = |lower, upper| JointLimits { lower, upper, ..JointLimits::NONE };
        let revolute =
            |name, parent| joint(JointKind::Revolute, name, parent, Pose::identity(), Vec3::z());
        let follow =
            |multiplier, offset| Some(MimicSpec { joint: "lead".into(), multiplier, offset });
        let robot = model(vec![
            JointSpec { limits: within(-1.0, 2.0), ..revolute("lead", "root") },
            JointSpec {
                limits: within(0.0, 1.0),
                mimic: follow(-2.0, 0.5),
                ..revolute("behind", "lead_link")
            },
            JointSpec { limits: within(3.0, f64::INFINITY), ..revolute("open", "lead_link") },
        ]);
        let mut sampler = StateSampler::new(&robot, 1);
        for _ in 0..200 {
            let q = sampler.draw();
            assert!((-0.25..=0.25).contains(&q[0]), "{q:?}");
            assert!((3.0..=3.0 + TAU).contains(&q[1]), "{q:?}");
        }
    }
}
