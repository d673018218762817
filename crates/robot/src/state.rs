//! Where the joints are: positions that were checked when they were set.

use std::f64::consts::TAU;
use std::sync::Arc;

use nalgebra::UnitQuaternion;

use super::error::StateError;
use super::kinematics::{
    LinkPoses, check_positions, forward_kinematics, quaternion, single_position,
};
use crate::model::{Joint, RobotModel};
use crate::spec::{Coupling, JointId, JointKind};
use smooth_scene_geometry::math::{rotation_from_vector, rotation_vector};

/// How far, in rad or m, a given position of a joint that follows another may be from where it has to be. Publishers of
/// joint states round, and report followers too.
pub const MIMIC_TOLERANCE: f64 = 1e-3;

/// Positions of all joints of one robot: finite, quaternions unit, joints that follow others where they have to be.
/// Limits are not enforced but reported: a real robot may stand outside them.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotState {
    model: Arc<RobotModel>,
    positions: Vec<f64>,
}

/// A joint outside its limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimitBreach {
    /// The joint; it may follow another.
    pub joint: JointId,
    /// Where it is.
    pub position: f64,
    /// How far outside, rad or m; negative below the lower limit.
    pub excess: f64,
}

impl RobotState {
    /// Every joint at zero, or at the limit nearest to zero; floating joints without rotation.
    pub fn new(model: Arc<RobotModel>) -> Self {
        let mut positions = vec![0.0; model.position_count()];
        for joint in model.joints() {
            let Coupling::Independent { position, .. } = joint.coupling else { continue };
            match joint.kind {
                JointKind::Revolute | JointKind::Prismatic => {
                    positions[position] = 0f64.clamp(joint.limits.lower, joint.limits.upper);
                }
                JointKind::Floating => positions[position + 6] = 1.0,
                JointKind::Fixed | JointKind::Continuous | JointKind::Planar => {}
            }
        }
        Self { model, positions }
    }

    /// A state at these positions, in the order of [`RobotModel::variable_names`].
    pub fn at(model: Arc<RobotModel>, positions: Vec<f64>) -> Result<Self, StateError> {
        check_positions(&model, &positions)?;
        let mut state = Self { model, positions };
        state.normalise();
        Ok(state)
    }

    /// The robot.
    pub fn model(&self) -> &Arc<RobotModel> {
        &self.model
    }

    /// All positions, in the order of [`RobotModel::variable_names`].
    pub fn positions(&self) -> &[f64] {
        &self.positions
    }

    /// Position of a joint with one number, own or followed; none for joints with more or fewer.
    pub fn joint_position(&self, id: JointId) -> Option<f64> {
        let joint = self.model.joint(id);
        joint.kind.is_single().then(|| single_position(joint, &self.model, &self.positions))
    }

    /// Sets all positions. Unchanged on error.
    pub fn set_positions(&mut self, positions: &[f64]) -> Result<(), StateError> {
        check_positions(&self.model, positions)?;
        self.positions.copy_from_slice(positions);
        self.normalise();
        Ok(())
    }

    /// Sets the numbers of one joint, by name. Unchanged on error.
    pub fn set_joint(&mut self, name: &str, numbers: &[f64]) -> Result<(), StateError> {
        let joint = self.model.joint_id(name).map(|id| self.model.joint(id));
        let joint = joint.ok_or_else(|| bad_name(name, "no such joint"))?;
        let expected = joint.kind.position_count();
        if numbers.len() != expected {
            let given = numbers.len();
            return Err(StateError::WrongLength { what: "numbers of the joint", expected, given });
        }
        let position = match joint.coupling {
            Coupling::Mimic { .. } => return self.merge(&[name], numbers),
            Coupling::Independent { position, .. } => position,
        };
        let mut positions = self.positions.clone();
        positions[position..position + expected].copy_from_slice(numbers);
        self.set_positions(&positions)
    }

    /// Sets some variables by name ([`RobotModel::variable_names`]) and keeps the others. Unchanged on error.
    ///
    /// A joint that follows another may be named as long as it says what its leader says, to [`MIMIC_TOLERANCE`]. A name
    /// may come once.
    pub fn merge(&mut self, names: &[impl AsRef<str>], values: &[f64]) -> Result<(), StateError> {
        if names.len() != values.len() {
            let (expected, given) = (names.len(), values.len());
            return Err(StateError::WrongLength { what: "values for the names", expected, given });
        }
        let mut positions = self.positions.clone();
        let mut is_set = vec![false; positions.len()];
        let mut followers = Vec::new();
        for (name, &value) in names.iter().map(AsRef::as_ref).zip(values) {
            let place = match self.model.variable(name)? {
                Variable::Own(place) => place,
                Variable::Follows(joint) => {
                    followers.push((self.model.joint(joint), value));
                    continue;
                }
            };
            if std::mem::replace(&mut is_set[place], true) {
                return Err(bad_name(name, "named twice"));
            }
            positions[place] = value;
        }
        check_positions(&self.model, &positions)?;
        for (joint, given) in followers {
            let expected = single_position(joint, &self.model, &positions);
            let leader = self.leader_name(joint);
            // False for NaN, too.
            let agrees = (given - expected).abs() <= MIMIC_TOLERANCE;
            if !agrees {
                let joint = joint.name.clone();
                return Err(StateError::MimicConflict { joint, leader, expected, given });
            }
        }
        self.positions = positions;
        self.normalise();
        Ok(())
    }

    /// All joints with limits that are outside them, by more than rounding.
    pub fn limit_breaches(&self) -> Vec<LimitBreach> {
        let breach = |id: JointId| {
            let joint = self.model.joint(id);
            if joint.kind == JointKind::Continuous {
                return None;
            }
            let position = self.joint_position(id)?;
            let excess = position - position.clamp(joint.limits.lower, joint.limits.upper);
            (excess.abs() > LIMIT_ROUNDING).then_some(LimitBreach { joint: id, position, excess })
        };
        self.model.joint_ids().filter_map(breach).collect()
    }

    /// Pose of every link.
    pub fn link_poses(&self) -> Result<LinkPoses, StateError> {
        forward_kinematics(&self.model, &self.positions)
    }

    /// The state a share `t` of the way to another one of the same robot; see [`interpolate`].
    pub fn interpolated(&self, other: &RobotState, t: f64) -> Result<RobotState, StateError> {
        let positions = interpolate(&self.model, &self.positions, &other.positions, t)?;
        Ok(Self { model: self.model.clone(), positions })
    }

    fn leader_name(&self, joint: &Joint) -> String {
        match joint.coupling {
            Coupling::Mimic { leader, .. } => self.model.joint(leader).name.clone(),
            Coupling::Independent { .. } => joint.name.clone(),
        }
    }

    /// Makes checked quaternions unit, so that what is stored is what is used.
    fn normalise(&mut self) {
        for joint in self.model.joints() {
            if let (JointKind::Floating, Coupling::Independent { position, .. }) =
                (joint.kind, joint.coupling)
            {
                let norm = quaternion(&self.positions[position + 3..]).norm();
                self.positions[position + 3..position + 7].iter_mut().for_each(|c| *c /= norm);
            }
        }
    }
}

/// A breach smaller than this, rad or m, is the rounding of a file that printed its limits with fewer digits.
const LIMIT_ROUNDING: f64 = 1e-9;

/// What the name of a joint or variable means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variable {
    /// This place of the position vector.
    Own(usize),
    /// The position of a joint that follows another.
    Follows(JointId),
}

impl RobotModel {
    /// What a name means: a joint with one number, or a number of a planar or floating joint, such as `joint/x`.
    pub fn variable(&self, name: &str) -> Result<Variable, StateError> {
        if let Some(id) = self.joint_id(name) {
            let joint = self.joint(id);
            return match (joint.kind.position_count(), joint.coupling) {
                (1, Coupling::Independent { position, .. }) => Ok(Variable::Own(position)),
                (1, Coupling::Mimic { .. }) => Ok(Variable::Follows(id)),
                (0, _) => Err(bad_name(name, "a fixed joint has no position")),
                _ => Err(bad_name(name, "the joint has several numbers, name them one by one")),
            };
        }
        // A planar or floating joint: `joint/x`. The numbers of one joint stand together.
        let variable = |(joint, _): (&str, &str)| {
            let first = self.first_position(self.joint_id(joint)?);
            let names = self.variable_names().get(first..)?.iter().take(7);
            Some(first + names.into_iter().position(|candidate| candidate == name)?)
        };
        let place = name.rsplit_once('/').and_then(variable);
        place.map(Variable::Own).ok_or_else(|| bad_name(name, "no such joint or variable"))
    }
}

fn bad_name(name: &str, reason: &'static str) -> StateError {
    StateError::BadName { name: name.into(), reason }
}

/// The positions a share `t` of the way between two, as MoveIt interpolates: angles without limits (continuous joints,
/// the angle of planar ones) go the shorter way round, rotations by slerp, everything else on a straight line. `t` may be
/// outside [0, 1].
///
/// An angle that went the shorter way ends at `to` plus a multiple of 2π. A joint that others follow goes straight all
/// the same: a follower by a fraction would end where it does not belong. MoveIt lets it jump.
pub fn interpolate(
    model: &RobotModel,
    from: &[f64],
    to: &[f64],
    t: f64,
) -> Result<Vec<f64>, StateError> {
    check_positions(model, from)?;
    check_positions(model, to)?;
    let mut between: Vec<f64> = from.iter().zip(to).map(|(a, b)| a + t * (b - a)).collect();
    let shorter = |place: usize| from[place] + t * shorter_way(to[place] - from[place]);
    for (id, joint) in model.joint_ids().zip(model.joints()) {
        let Coupling::Independent { position, .. } = joint.coupling else { continue };
        match joint.kind {
            JointKind::Continuous if model.is_followed(id) => {}
            JointKind::Continuous => between[position] = shorter(position),
            JointKind::Planar => between[position + 2] = shorter(position + 2),
            JointKind::Floating => {
                let rotation = position + 3..position + 7;
                let turned = slerp(&from[rotation.clone()], &to[rotation.clone()], t);
                between[rotation].copy_from_slice(&turned);
            }
            JointKind::Fixed | JointKind::Revolute | JointKind::Prismatic => {}
        }
    }
    // A share that is not finite, or an overflow, ends here.
    check_positions(model, &between)?;
    Ok(between)
}

/// The same rotation by at most half a turn: how an angle without limits goes from one position to another.
pub fn shorter_way(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

/// A share of the rotation from one quaternion x y z w to another, the shorter way round.
fn slerp(from: &[f64], to: &[f64], t: f64) -> [f64; 4] {
    let [a, b] = [from, to].map(|q| UnitQuaternion::from_quaternion(quaternion(q)));
    // The rotation vector of the difference is defined also for half a turn, where nalgebra's slerp is not.
    let way = rotation_vector(&a.rotation_to(&b));
    let turned = rotation_from_vector(&(way * t)) * a;
    [turned.i, turned.j, turned.k, turned.w]
}

#[cfg(test)]
mod tests {
    use super::super::testing::{every_joint, joint, model, some_positions};
    use super::*;
    use crate::spec::{JointLimits, JointSpec, MimicSpec};
    use smooth_scene_geometry::math::{Pose, Vec3};

    fn state(seed: u64) -> RobotState {
        let robot = Arc::new(every_joint());
        let positions = some_positions(&robot, seed);
        RobotState::at(robot, positions).unwrap()
    }

    fn error_text(result: Result<(), StateError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn the_default_is_zero_clamped_into_the_limits() {
        let within = |lower, upper| JointLimits { lower, upper, ..JointLimits::NONE };
        let revolute = |name, limits| JointSpec {
            limits,
            ..joint(JointKind::Revolute, name, "root", Pose::identity(), Vec3::z())
        };
        let robot = model(vec![
            revolute("above", within(0.25, 1.0)),
            revolute("below", within(-1.0, -0.5)),
            revolute("around", within(-1.0, 1.0)),
            joint(JointKind::Floating, "free", "root", Pose::identity(), Vec3::z()),
        ]);
        let state = RobotState::new(Arc::new(robot));
        assert_eq!(state.positions(), [0.25, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert!(state.limit_breaches().is_empty());
    }

    #[test]
    fn partial_states_merge_and_errors_change_nothing() {
        let mut state = state(1);
        let before = state.positions().to_vec();
        state.merge(&["slide", "plane/theta", "float/trans_y"], &[0.5, 1.5, -0.25]).unwrap();
        let changed = state.positions().iter().zip(&before).filter(|(a, b)| a != b).count();
        assert_eq!(changed, 3);
        let merged = state.clone();
        for (names, values, text) in [
            (vec!["slide", "x"], vec![1.0, 2.0], "`x`: no such joint or variable"),
            (vec!["slide", "slide"], vec![1.0, 2.0], "`slide`: named twice"),
            (vec!["weld"], vec![0.0], "`weld`: a fixed joint has no position"),
            (
                vec!["plane"],
                vec![0.0],
                "`plane`: the joint has several numbers, name them one by one",
            ),
            (vec!["slide"], vec![], "0 values for the names given, must be 1"),
            (vec!["float/rot_w"], vec![5.0], "joint `float`: the norm of its quaternion"),
            (vec!["slide"], vec![f64::NAN], "is NaN, must be finite"),
        ] {
            let found = error_text(state.merge(&names, &values));
            assert!(found.contains(text), "{found}");
            assert_eq!(state, merged);
        }
    }

    #[test]
    fn followers_may_be_named_when_they_agree_with_their_leader() {
        let mut state = state(2);
        // follow = −0.7 turn + 0.2, and the order of names does not matter.
        state.merge(&["follow", "turn"], &[-0.15, 0.5]).unwrap();
        assert_eq!(state.joint_position(state.model().joint_id("turn").unwrap()), Some(0.5));
        state.set_joint("follow", &[-0.1505]).unwrap();
        let text = error_text(state.set_joint("follow", &[0.3]));
        assert!(text.starts_with("joint `follow` follows `turn` and would be at -0.1"), "{text}");
        assert!(text.ends_with(", not at 0.3"), "{text}");
        assert!(state.merge(&["follow"], &[f64::NAN]).is_err());
        // again = 0.5 follow − 0.1: through the chain, the leader is the joint that moves by itself.
        state.merge(&["again"], &[-0.175]).unwrap();
    }

    #[test]
    fn joints_are_set_by_all_their_numbers() {
        let mut state = state(3);
        state.set_joint("plane", &[0.1, 0.2, 0.3]).unwrap();
        state.set_joint("float", &[1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0005]).unwrap();
        let at = state.model().first_position(state.model().joint_id("float").unwrap());
        assert_eq!(state.positions()[at..at + 7], [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]);
        state.set_joint("weld", &[]).unwrap();
        assert!(error_text(state.set_joint("plane", &[0.1])).contains("1 numbers of the joint"));
        assert_eq!(error_text(state.set_joint("nobody", &[0.1])), "`nobody`: no such joint");
    }

    #[test]
    fn breaches_of_limits_are_reported_for_followers_too() {
        let within = |lower, upper| JointLimits { lower, upper, ..JointLimits::NONE };
        let revolute = |name, parent, limits| JointSpec {
            limits,
            ..joint(JointKind::Revolute, name, parent, Pose::identity(), Vec3::z())
        };
        let twice = MimicSpec { joint: "lead".into(), multiplier: 2.0, offset: 0.0 };
        let robot = model(vec![
            revolute("lead", "root", within(-1.0, 1.0)),
            JointSpec { mimic: Some(twice), ..revolute("behind", "lead_link", within(-0.5, 0.5)) },
        ]);
        let mut state = RobotState::new(Arc::new(robot));
        state.set_positions(&[-1.25]).unwrap();
        let breaches = state.limit_breaches();
        let found: Vec<(f64, f64)> = breaches.iter().map(|b| (b.position, b.excess)).collect();
        assert_eq!(found, [(-1.25, -0.25), (-2.5, -2.0)]);
    }

    #[test]
    fn interpolation_goes_the_shorter_way_round() {
        let (mut a, mut b) = (state(4), state(5));
        for (state, angle) in [(&mut a, 3.0), (&mut b, -3.0)] {
            state.merge(&["branch", "plane/theta", "turn"], &[angle, angle, angle]).unwrap();
        }
        let middle = a.interpolated(&b, 0.5).unwrap();
        let place = |name: &str| {
            let names = a.model().variable_names();
            names.iter().position(|candidate| candidate == name).unwrap()
        };
        let pi = std::f64::consts::PI;
        assert!((middle.positions()[place("branch")] - pi).abs() < 1e-15);
        assert!((middle.positions()[place("plane/theta")] - pi).abs() < 1e-15);
        assert_eq!(middle.positions()[place("turn")], 0.0);
        let turn_of = |state: &RobotState| {
            UnitQuaternion::from_quaternion(quaternion(&state.positions()[3..]))
        };
        let [half, whole] = [&middle, &b].map(|state| turn_of(&a).angle_to(&turn_of(state)));
        assert!((2.0 * half - whole).abs() < 1e-12);
        for (t, end) in [(0.0, &a), (1.0, &b)] {
            let at = a.interpolated(end, t).unwrap().link_poses().unwrap();
            for (x, y) in at.as_slice().iter().zip(end.link_poses().unwrap().as_slice()) {
                assert!((x.to_homogeneous() - y.to_homogeneous()).amax() < 1e-13);
            }
        }
        assert!(a.interpolated(&b, f64::NAN).is_err());
    }

    #[test]
    fn interpolation_over_half_a_turn_is_defined() {
        let found = slerp(&[0.0, 0.0, 0.0, 1.0], &[1.0, 0.0, 0.0, 0.0], 0.5);
        let half = 0.5f64.sqrt();
        assert!((found[0].abs() - half).abs() < 1e-15 && (found[3] - half).abs() < 1e-15);
    }
}
