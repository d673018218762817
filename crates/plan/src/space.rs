//! The joints a planner may move: coordinates, limits, distance and straight lines.

use std::sync::Arc;

use crate::error::{Endpoint, PlanError};
use crate::layout::Layout;
use smooth_scene_robot::{Coupling, JointId, JointKind, RobotModel, RobotState};
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
    /// Whether it is an angle without limits: positions a whole turn apart are the same.
    pub wraps: bool,
}

/// The space of a planning group: the numbers of its joints that can be set. All other joints stay where the start has
/// them. Distances are Euclidean, angles and lengths counted alike (1 rad as 1 m); of a rotation in space the angle counts.
#[derive(Debug, Clone)]
pub struct JointSpace {
    model: Arc<RobotModel>,
    coordinates: Vec<Coordinate>,
    layout: Layout,
    /// For each number of a way its place in a velocity vector of the robot.
    velocities: Vec<usize>,
    /// Positions of the whole robot; those of the coordinates are overwritten.
    base: Vec<f64>,
    /// Whether there are planar or floating joints.
    has_free_lengths: bool,
}

/// Where a way begins and what it changes, in position vectors of the robot: with rotations nothing is changed evenly.
#[derive(Debug, Default)]
pub(crate) struct PreparedWay {
    start: Vec<f64>,
    change: Vec<f64>,
}

impl JointSpace {
    /// The space of a group of the SRDF, or without one of all revolute, continuous, prismatic and planar joints that do not
    /// mimic another: floating joints move only as part of a group. `base` says where all other joints are.
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
        let (mut coordinates, mut layout) = (Vec::new(), Layout::default());
        let mut velocities = Vec::new();
        for id in joints {
            let joint = model.joint(id);
            let Coupling::Independent { position, velocity } = joint.coupling else { continue };
            let mut add = |place: usize, wraps| {
                coordinates.push(Coordinate { joint: id, place, wraps });
                layout.add_single(wraps);
                velocities.push(velocity + place - position);
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
                    (position..position + 3).for_each(|place| add(place, false));
                    let of_quaternion = |place| Coordinate { joint: id, place, wraps: false };
                    coordinates.extend((position + 3..position + 7).map(of_quaternion));
                    layout.add_rotation();
                    velocities.extend(velocity + 3..velocity + 6);
                }
            }
        }
        if coordinates.is_empty() {
            return Err(PlanError::NothingMoves { group: group.map(str::to_owned) });
        }
        RobotState::at(model.clone(), base.to_vec())
            .map_err(smooth_scene_scene::SceneError::from)?;
        let (model, base) = (model.clone(), base.to_vec());
        let kind = |coordinate: &Coordinate| model.joint(coordinate.joint).kind;
        let is_free = |kind| matches!(kind, JointKind::Planar | JointKind::Floating);
        let has_free_lengths = coordinates.iter().any(|coordinate| is_free(kind(coordinate)));
        Ok(Self { model, coordinates, layout, velocities, base, has_free_lengths })
    }

    /// How many numbers a point of the space has.
    pub fn dimension(&self) -> usize {
        self.coordinates.len()
    }

    /// How many numbers a way has: three for a rotation, where a point has the four of a quaternion.
    pub fn freedoms(&self) -> usize {
        self.layout.freedoms()
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
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

    /// What [`push_positions`](Self::push_positions) needs for a way from a point.
    pub(crate) fn prepare_way(&self, from: &[f64], way: &[f64], prepared: &mut PreparedWay) {
        let PreparedWay { start, change } = prepared;
        start.clone_from(&self.base);
        change.clear();
        change.resize(self.base.len(), 0.0);
        if self.layout.has_rotations() {
            return;
        }
        for (k, coordinate) in self.coordinates.iter().enumerate() {
            start[coordinate.place] = from[k];
            change[coordinate.place] = way[k];
        }
    }

    /// Appends the position vector of the robot after a share of a way.
    pub(crate) fn push_positions(
        &self,
        from: &[f64],
        way: &[f64],
        prepared: &PreparedWay,
        t: f64,
        out: &mut Vec<f64>,
    ) {
        let PreparedWay { start, change } = prepared;
        if self.layout.has_rotations() {
            let first = out.len();
            out.extend_from_slice(start);
            let point = self.at(from, way, t);
            for (coordinate, value) in self.coordinates.iter().zip(point) {
                out[first + coordinate.place] = value;
            }
            return;
        }
        out.extend(start.iter().zip(change).map(|(start, change)| start + t * change));
    }

    /// What leads from one point to another; angles that wrap go the shorter way.
    pub fn way(&self, from: &[f64], to: &[f64], out: &mut Vec<f64>) {
        self.layout.way(from, to, out);
    }

    /// The point after a share of a way.
    pub fn at(&self, from: &[f64], way: &[f64], share: f64) -> Vec<f64> {
        self.layout.at(from, way, share)
    }

    /// The point a share of the way from one point to another.
    pub(crate) fn between(&self, from: &[f64], to: &[f64], share: f64) -> Vec<f64> {
        let mut way = Vec::new();
        self.way(from, to, &mut way);
        self.at(from, &way, share)
    }

    /// Square of the distance of two points.
    #[inline]
    pub fn distance_squared(&self, a: &[f64], b: &[f64]) -> f64 {
        self.layout.distance_squared(a, b)
    }

    /// Distance of two points.
    pub fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.distance_squared(a, b).sqrt()
    }

    /// How fast each number of a point changes where a way has these rates.
    pub fn number_rates(&self, point: &[f64], rates: &[f64]) -> Vec<f64> {
        self.layout.number_rates(point, rates)
    }

    /// The joint of each number of a way.
    pub(crate) fn joints_of_way(&self) -> impl Iterator<Item = JointId> {
        let joint_at = |place: &usize| {
            let id = self.coordinates.iter().map(|coordinate| coordinate.joint);
            let id = id.filter(|id| self.model.first_velocity(*id) <= *place);
            id.max_by_key(|id| self.model.first_velocity(*id))
                .expect("a number of the space has a joint")
        };
        self.velocities.iter().map(joint_at)
    }

    /// The number of a way that has this place in a velocity vector.
    pub(crate) fn freedom_of_velocity(&self, place: usize) -> Option<usize> {
        self.velocities.iter().position(|velocity| *velocity == place)
    }

    /// The point after a step in the numbers of a velocity vector, moved into the limits.
    pub(crate) fn stepped(&self, point: &[f64], step: &[f64]) -> Vec<f64> {
        let mut way = step.to_vec();
        self.layout.turn_to_parent(point, &mut way);
        let mut stepped = self.at(point, &way, 1.0);
        for (k, value) in stepped.iter_mut().enumerate() {
            *value = self.clamped(k, *value);
        }
        stepped
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
        self.layout.turns_at_most(way, MAX_TURN)
    }

    /// The same path, of at least one point, with angles that do not jump by whole turns.
    pub(crate) fn unwrapped(&self, path: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut points: Vec<Vec<f64>> = path.first().cloned().into_iter().collect();
        let mut way = Vec::new();
        for ends in path.windows(2) {
            self.way(&ends[0], &ends[1], &mut way);
            points.push(self.layout.unwrapped(&points[points.len() - 1], &way, &ends[1]));
        }
        points
    }

    /// Whether the way between two points is the plain difference of their numbers, without a turn the other way round.
    pub(crate) fn is_direct(&self, from: &[f64], to: &[f64]) -> bool {
        self.layout.is_direct(from, to, MAX_TURN)
    }

    /// Moves lengths without limits of a point that was drawn at random from their usual range into this box.
    pub(crate) fn move_into(&self, workspace: &[[f64; 2]; 3], point: &mut [f64]) {
        if !self.has_free_lengths {
            return;
        }
        for (coordinate, value) in self.coordinates.iter().zip(point) {
            let first = self.model.first_position(coordinate.joint);
            let lengths = match self.model.joint(coordinate.joint).kind {
                JointKind::Planar => 2,
                JointKind::Floating => 3,
                _ => 0,
            };
            let axis = coordinate.place - first;
            if axis < lengths {
                let [lower, upper] = workspace[axis];
                *value =
                    (0.5 * (lower + upper) + 0.5 * (upper - lower) * *value).clamp(lower, upper);
            }
        }
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
