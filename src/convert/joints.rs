//! Joints of a request: names looked up once, values put in their places for every state.

use crate::convert::Refusal;
use crate::interfaces::sensor_msgs::msg::{JointState, MultiDOFJointState};
use crate::robot::{Coupling, JointId, MIMIC_TOLERANCE, RobotModel, StateError, Variable};

/// What each name of a request means. A name that the robot does not have, or that occurs twice, is refused: a
/// request that means another robot must not be answered for this one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns {
    names: Vec<String>,
    /// Column of the request and place in a position vector.
    own: Vec<(usize, usize)>,
    /// Column of the request and the joint, which follows another: its value is compared, not used.
    followers: Vec<(usize, JointId)>,
}

impl Columns {
    /// Looks the names up.
    pub fn new(model: &RobotModel, names: &[String]) -> Result<Self, Refusal> {
        let mut columns = Columns { names: names.to_vec(), ..Columns::default() };
        let mut own = vec![false; model.position_count()];
        let mut follows = vec![false; model.joints().len()];
        for (column, name) in names.iter().enumerate() {
            let taken = match model.variable(name).map_err(Refusal::bad_request)? {
                Variable::Own(place) => {
                    columns.own.push((column, place));
                    &mut own[place]
                }
                Variable::Follows(joint) => {
                    columns.followers.push((column, joint));
                    &mut follows[joint.index()]
                }
            };
            if std::mem::replace(taken, true) {
                return Err(Refusal::bad_request(format!("joint `{name}` is named twice")));
            }
        }
        Ok(columns)
    }

    /// How many values a state of the request has.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether a state of the request is empty.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The places of a position vector that the request says something about.
    pub fn places(&self) -> impl Iterator<Item = usize> {
        self.own.iter().map(|&(_, place)| place)
    }

    /// Puts one state of the request into a position vector. Joints that follow others have to be where they must be,
    /// to [`MIMIC_TOLERANCE`].
    pub fn put(
        &self,
        model: &RobotModel,
        values: &[f64],
        positions: &mut [f64],
    ) -> Result<(), Refusal> {
        for &(column, place) in &self.own {
            let value = values[column];
            if !value.is_finite() {
                return Err(not_finite(&self.names[column], value));
            }
            positions[place] = value;
        }
        for &(column, joint) in &self.followers {
            let given = values[column];
            if !given.is_finite() {
                return Err(not_finite(&self.names[column], given));
            }
            let Coupling::Mimic { leader, multiplier, offset } = model.joint(joint).coupling else {
                unreachable!("only a joint with a leader is looked up as a follower");
            };
            let expected = multiplier * positions[model.first_position(leader)] + offset;
            let agrees = (given - expected).abs() <= MIMIC_TOLERANCE;
            if !agrees {
                let [joint, leader] = [joint, leader].map(|id| model.joint(id).name.clone());
                let conflict = StateError::MimicConflict { joint, leader, expected, given };
                return Err(Refusal::bad_request(conflict));
            }
        }
        Ok(())
    }
}

fn not_finite(name: &str, value: f64) -> Refusal {
    Refusal::bad_request(format!("position of joint `{name}` is {value}, must be finite"))
}

/// Refuses a joint state with names and positions of different number, or with positions that are no numbers.
pub fn check_joint_state(message: &JointState) -> Result<(), Refusal> {
    let (names, positions) = (message.name.len(), message.position.len());
    if names != positions {
        let reason = format!("joint_state has {names} names and {positions} positions");
        return Err(Refusal::bad_request(reason));
    }
    let pairs = message.name.iter().zip(&message.position);
    match pairs.into_iter().find(|(_, position)| !position.is_finite()) {
        Some((name, &position)) => Err(not_finite(name, position)),
        None => Ok(()),
    }
}

/// The joint state of a message of MoveIt: single joints as they are, planar and floating ones as the numbers they
/// consist of (`joint/x`, `joint/trans_x`, …).
pub fn joint_state_of(
    model: &RobotModel,
    single: &JointState,
    several: &MultiDOFJointState,
) -> Result<JointState, Refusal> {
    check_joint_state(single)?;
    let (names, transforms) = (several.joint_names.len(), several.transforms.len());
    if names != transforms {
        let reason = format!("multi_dof_joint_state has {names} names and {transforms} transforms");
        return Err(Refusal::bad_request(reason));
    }
    let mut joined = JointState {
        header: single.header.clone(),
        name: single.name.clone(),
        position: single.position.clone(),
        ..JointState::default()
    };
    for (name, transform) in several.joint_names.iter().zip(&several.transforms) {
        let Some(id) = model.joint_id(name) else {
            return Err(Refusal::bad_request(format!("the robot has no joint `{name}`")));
        };
        let (at, turn) = (&transform.translation, &transform.rotation);
        let quaternion = super::pose::rotation(turn, &|| format!("rotation of joint `{name}`"))?;
        let numbers: &[f64] = match model.joint(id).kind.position_count() {
            7 => &[at.x, at.y, at.z, quaternion.i, quaternion.j, quaternion.k, quaternion.w],
            3 => &[at.x, at.y, 2.0 * quaternion.k.atan2(quaternion.w)],
            _ => {
                let reason = format!("joint `{name}` has one number at most, not a transform");
                return Err(Refusal::bad_request(reason));
            }
        };
        let first = model.first_position(id);
        for (number, variable) in numbers.iter().zip(&model.variable_names()[first..]) {
            if !number.is_finite() {
                return Err(not_finite(variable, *number));
            }
            joined.name.push(variable.clone());
            joined.position.push(*number);
        }
    }
    Ok(joined)
}

/// Names of the numbers of a velocity vector: the joint's, with a suffix for planar and floating joints, whose
/// rotation has three velocities (about the axes of the link that moves) and no quaternion.
pub fn velocity_names(model: &RobotModel) -> Vec<String> {
    let mut names = vec![String::new(); model.velocity_count()];
    for joint in model.joints() {
        let Coupling::Independent { position, velocity } = joint.coupling else { continue };
        for k in 0..joint.kind.velocity_count() {
            names[velocity + k].clone_from(&model.variable_names()[position + k]);
        }
    }
    names
}

/// Up to six names, quoted, and how many more there are.
pub fn list<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let count = names.len();
    let mut text: Vec<String> = names.take(6).map(|name| format!("`{name}`")).collect();
    if count > 6 {
        text.push(format!("and {} more", count - 6));
    }
    text.join(", ")
}
