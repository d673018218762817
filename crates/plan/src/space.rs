//! The joints a planner may move: coordinates, limits, distance and straight lines.

use std::sync::Arc;

use crate::error::{Endpoint, PlanError};
use smooth_scene_robot::{Coupling, JointId, JointKind, RobotModel, RobotState, shorter_way};
use smooth_scene_scene::PlanningScene;

/// Largest change of an angle that wraps on one straight piece, rad. Above half a turn the shorter way is the other one;
/// the reserve keeps rounding from choosing it.
pub(crate) const MAX_TURN: f64 = 3.0;

/// One number that the planner may change.
#[derive(Debug, Clone, PartialEq)]
pub struct Coordinate {
    /// The joint it belongs to.
    pub joint: JointId,
    /// Its place in a position vector of the robot.
    pub place: usize,
    /// Its place in a velocity vector of the robot.
    pub velocity: usize,
    /// Whether it is an angle without limits: positions a whole turn apart are the same.
    pub wraps: bool,
}

/// The space of a planning group: the numbers of its joints that can be set. All other joints stay where the start has
/// them. Distances are Euclidean, angles and lengths counted alike (1 rad as 1 m).
#[derive(Debug, Clone)]
pub struct JointSpace {
    model: Arc<RobotModel>,
    coordinates: Vec<Coordinate>,
    /// Positions of the whole robot; those of the coordinates are overwritten.
    base: Vec<f64>,
}

impl JointSpace {
    /// The space of a group of the SRDF, or without one of all joints that can be planned for: revolute, continuous,
    /// prismatic and planar ones that do not mimic another. `base` says where all other joints are.
    pub fn new(
        scene: &PlanningScene,
        group: Option<&str>,
        base: &[f64],
    ) -> Result<Self, PlanError> {
        let model = scene.model();
        let joints: Vec<JointId> = match group {
            None => {
                let floats = |id: &JointId| model.joint(*id).kind == JointKind::Floating;
                model.joint_ids().filter(|id| !floats(id)).collect()
            }
            Some(name) => match scene.semantics().group(name) {
                Some(group) => group.joints.clone(),
                None => {
                    let known = &scene.semantics().groups;
                    let known = known.iter().map(|group| group.name.clone()).collect();
                    return Err(PlanError::UnknownGroup { name: name.into(), known });
                }
            },
        };
        let mut coordinates = Vec::new();
        for id in joints {
            let joint = model.joint(id);
            let Coupling::Independent { position, velocity } = joint.coupling else { continue };
            let mut add = |place: usize, wraps| {
                let velocity = velocity + place - position;
                coordinates.push(Coordinate { joint: id, place, velocity, wraps });
            };
            match joint.kind {
                JointKind::Fixed => {}
                JointKind::Revolute | JointKind::Prismatic => add(position, false),
                // Others follow it: whole turns of it are not whole turns of them.
                JointKind::Continuous => add(position, !model.is_followed(id)),
                JointKind::Planar => {
                    add(position, false);
                    add(position + 1, false);
                    add(position + 2, true);
                }
                JointKind::Floating => {
                    return Err(PlanError::FloatingJoint { joint: joint.name.clone() });
                }
            }
        }
        if coordinates.is_empty() {
            return Err(PlanError::NothingMoves { group: group.map(str::to_owned) });
        }
        RobotState::at(model.clone(), base.to_vec())
            .map_err(smooth_scene_scene::SceneError::from)?;
        Ok(Self { model: model.clone(), coordinates, base: base.to_vec() })
    }

    /// How many numbers a point of the space has.
    pub fn dimension(&self) -> usize {
        self.coordinates.len()
    }

    /// The numbers, in the order of a point.
    pub fn coordinates(&self) -> &[Coordinate] {
        &self.coordinates
    }

    /// Names of the numbers, as in [`RobotModel::variable_names`].
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.coordinates.iter().map(|c| self.model.variable_names()[c.place].as_str())
    }

    /// The robot.
    pub fn model(&self) -> &Arc<RobotModel> {
        &self.model
    }

    /// The point of a position vector of the robot.
    pub fn point(&self, positions: &[f64]) -> Vec<f64> {
        self.coordinates.iter().map(|coordinate| positions[coordinate.place]).collect()
    }

    /// Position vector of the robot at a point.
    pub fn positions(&self, point: &[f64]) -> Vec<f64> {
        let mut positions = self.base.clone();
        for (coordinate, value) in self.coordinates.iter().zip(point) {
            positions[coordinate.place] = *value;
        }
        positions
    }

    /// Appends the position vector of the robot at `from + t · way`.
    pub(crate) fn push_positions(&self, from: &[f64], way: &[f64], t: f64, out: &mut Vec<f64>) {
        let first = out.len();
        out.extend_from_slice(&self.base);
        for (k, coordinate) in self.coordinates.iter().enumerate() {
            out[first + coordinate.place] = from[k] + t * way[k];
        }
    }

    /// What leads from one point to another; angles that wrap go the shorter way.
    pub fn way(&self, from: &[f64], to: &[f64], out: &mut Vec<f64>) {
        out.clear();
        for (k, coordinate) in self.coordinates.iter().enumerate() {
            let change = to[k] - from[k];
            out.push(if coordinate.wraps { shorter_way(change) } else { change });
        }
    }

    /// Square of the distance of two points.
    pub fn distance_squared(&self, a: &[f64], b: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (k, coordinate) in self.coordinates.iter().enumerate() {
            let change = b[k] - a[k];
            let change = if coordinate.wraps { shorter_way(change) } else { change };
            sum += change * change;
        }
        sum
    }

    /// Distance of two points.
    pub fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.distance_squared(a, b).sqrt()
    }

    /// The number of the space that has this place in a velocity vector.
    pub(crate) fn coordinate_of_velocity(&self, place: usize) -> Option<usize> {
        self.coordinates.iter().position(|coordinate| coordinate.velocity == place)
    }

    /// A value of a number of the space, moved into the limits of its joint.
    pub(crate) fn clamped(&self, coordinate: usize, value: f64) -> f64 {
        let joint = self.model.joint(self.coordinates[coordinate].joint);
        match joint.kind {
            JointKind::Revolute | JointKind::Prismatic => {
                value.clamp(joint.limits.lower, joint.limits.upper)
            }
            _ => value,
        }
    }

    /// Whether the straight piece between two points is short enough for the shorter way round to be unambiguous.
    pub(crate) fn is_unambiguous(&self, way: &[f64]) -> bool {
        let mut turns = self.coordinates.iter().zip(way).filter(|(c, _)| c.wraps);
        turns.all(|(_, change)| change.abs() <= MAX_TURN)
    }

    /// The same path, of at least one point, with angles that do not jump by whole turns.
    pub(crate) fn unwrapped(&self, path: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut last = path[0].clone();
        let mut points = vec![last.clone()];
        let mut way = Vec::new();
        for ends in path.windows(2) {
            self.way(&ends[0], &ends[1], &mut way);
            for (k, coordinate) in self.coordinates.iter().enumerate() {
                last[k] = if coordinate.wraps { last[k] + way[k] } else { ends[1][k] };
            }
            points.push(last.clone());
        }
        points
    }

    /// Whether the way between two points is the plain difference of their numbers, without a turn the other way round.
    pub(crate) fn is_direct(&self, from: &[f64], to: &[f64]) -> bool {
        let differences = from.iter().zip(to).map(|(a, b)| b - a);
        let mut turns = self.coordinates.iter().zip(differences).filter(|(c, _)| c.wraps);
        turns.all(|(_, change)| change.abs() <= MAX_TURN)
    }

    /// Refuses positions whose planned joints, or joints that follow them, are outside their limits.
    pub(crate) fn check_limits(&self, which: Endpoint, positions: &[f64]) -> Result<(), PlanError> {
        let state = RobotState::at(self.model.clone(), positions.to_vec())
            .map_err(smooth_scene_scene::SceneError::from)?;
        for breach in state.limit_breaches() {
            let leader = match self.model.joint(breach.joint).coupling {
                Coupling::Independent { .. } => breach.joint,
                Coupling::Mimic { leader, .. } => leader,
            };
            if self.coordinates.iter().any(|coordinate| coordinate.joint == leader) {
                let joint = self.model.joint(breach.joint);
                return Err(PlanError::OutOfLimits {
                    which,
                    joint: joint.name.clone(),
                    value: breach.position,
                    lower: joint.limits.lower,
                    upper: joint.limits.upper,
                });
            }
        }
        Ok(())
    }

    /// The first number outside the space in which two position vectors differ.
    pub(crate) fn difference_outside(&self, a: &[f64], b: &[f64]) -> Option<usize> {
        let planned = |place: usize| self.coordinates.iter().any(|c| c.place == place);
        (0..a.len()).find(|&place| a[place] != b[place] && !planned(place))
    }
}
