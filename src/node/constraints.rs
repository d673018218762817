//! Constraints of MoveIt on a state, decided as MoveIt decides them: joints, positions, orientations, and the angles of visibility.

use std::f64::consts::{PI, TAU};

use nalgebra::{Point3, Rotation3, UnitQuaternion};

use crate::convert::frames::{Anchor, LazyPoses, anchor, carrying_link, scene_frame};
use crate::convert::moveit::shapes::ShapeLists;
use crate::convert::pose::rotation;
use crate::convert::{Limits, Refusal};
use crate::geometry::Shape;
use crate::interfaces::geometry_msgs::msg::PoseStamped;
use crate::interfaces::moveit_msgs::msg::{
    ConstraintEvalResult, Constraints, JointConstraint, OrientationConstraint, PositionConstraint,
};
use crate::interfaces::std_msgs::msg::Header;
use crate::math::{Mat3, Pose, Vec3};
use crate::plan::{JointSpace, OrientationAngles, PathConstraint};
use crate::query::{QueryOptions, point_distance};
use crate::robot::{
    Coupling, JointId, JointKind, LinkId, LinkPoses, RobotModel, RobotState, Variable,
};
use crate::scene::PlanningScene;
use crate::transforms::Transforms;

use super::visibility::Visibility;

/// Rounding that a tolerance forgives, as in MoveIt.
const ROUNDING: f64 = 2.0 * f64::EPSILON;

/// Where a constraint names its frame.
const FRAME_ID: &str = "header.frame_id";

/// Constraints whose names and shapes were looked up, ready for many states.
#[derive(Debug)]
pub struct ConstraintSet {
    all: Vec<Constraint>,
}

#[derive(Debug)]
enum Constraint {
    Joint {
        variable: Variable,
        message: JointConstraint,
    },
    Position {
        link: LinkId,
        offset: Vec3,
        frame: Anchor,
        regions: Vec<(Pose, Shape)>,
        weight: f64,
    },
    Orientation {
        link: LinkId,
        frame: Anchor,
        wanted: UnitQuaternion<f64>,
        message: OrientationConstraint,
    },
    Visibility {
        sight: Visibility,
        weight: f64,
    },
}

impl ConstraintSet {
    /// Looks everything up.
    pub fn new(
        scene: &PlanningScene,
        message: &Constraints,
        transforms: &Transforms,
        limits: &Limits,
    ) -> Result<Self, Refusal> {
        let mut all = Vec::new();
        for (k, each) in message.joint_constraints.iter().enumerate() {
            let place = format!("joint_constraints[{k}]");
            all.push(joint(scene.model(), each).map_err(|why| why.within(place))?);
        }
        for (k, each) in message.position_constraints.iter().enumerate() {
            let place = format!("position_constraints[{k}]");
            all.push(position(scene, each, transforms, limits).map_err(|why| why.within(place))?);
        }
        for (k, each) in message.orientation_constraints.iter().enumerate() {
            let place = format!("orientation_constraints[{k}]");
            all.push(orientation(scene, each, transforms).map_err(|why| why.within(place))?);
        }
        for (k, each) in message.visibility_constraints.iter().enumerate() {
            let place = format!("visibility_constraints[{k}]");
            let anchor = |stamped: &PoseStamped| frame_of(scene, &stamped.header, transforms);
            let sight = Visibility::new(each, &anchor).map_err(|why| why.within(place.clone()))?;
            finite("weight", each.weight).map_err(|why| why.within(place))?;
            all.push(Constraint::Visibility { sight, weight: each.weight });
        }
        Ok(Self { all })
    }

    /// The same constraints for a planner that moves the joints of a space and begins where the links have these poses. Frames
    /// that the planned joints move are refused: what is asked of the path would depend on the path.
    pub fn for_path(
        &self,
        space: &JointSpace,
        scene: &PlanningScene,
        poses: &LinkPoses,
    ) -> Result<Vec<PathConstraint>, Refusal> {
        let at = LazyPoses::new(|| Ok(poses.clone()));
        let base = |frame: &Anchor| {
            let is_moved = |link| moved_by(space, link);
            if carrying_link(scene, &frame.frame).is_some_and(is_moved) {
                let name = &frame.frame;
                let reason =
                    format!("{FRAME_ID} `{name}` moves with the group that is planned for");
                return Err(Refusal::bad_request(reason));
            }
            frame_at(scene, frame, &at)
        };
        let name_of = |link: LinkId| scene.model().link(link).name.clone();
        let for_path = |constraint: &Constraint| match constraint {
            Constraint::Joint { message, .. } => Ok(PathConstraint::Joint {
                name: message.joint_name.clone(),
                position: message.position,
                above: message.tolerance_above,
                below: message.tolerance_below,
            }),
            Constraint::Position { link, offset, frame, regions, .. } => {
                let base = base(frame)?;
                let regions = regions.iter().map(|(pose, shape)| (base * pose, shape.clone()));
                let regions = regions.collect();
                Ok(PathConstraint::Position { link: name_of(*link), offset: *offset, regions })
            }
            Constraint::Orientation { link, frame, wanted, message } => {
                Ok(PathConstraint::Orientation {
                    link: name_of(*link),
                    wanted: base(frame)?.rotation * wanted,
                    tolerance: [
                        message.absolute_x_axis_tolerance,
                        message.absolute_y_axis_tolerance,
                        message.absolute_z_axis_tolerance,
                    ],
                    angles: match message.parameterization {
                        OrientationConstraint::ROTATION_VECTOR => OrientationAngles::RotationVector,
                        _ => OrientationAngles::Xyz,
                    },
                })
            }
            // Its frames may move: the angles are between what they carry.
            Constraint::Visibility { sight, .. } => {
                let at = |frame: &Anchor| frame_at(scene, frame, &at);
                sight.for_path(scene, poses, &at).map(PathConstraint::Sight)
            }
        };
        self.all.iter().map(for_path).collect()
    }

    /// Whether each constraint is met, and by how much it is missed, in the order joints, positions, orientations,
    /// visibilities.
    pub fn decide(
        &self,
        scene: &PlanningScene,
        positions: &[f64],
        poses: &LinkPoses,
    ) -> Result<Vec<ConstraintEvalResult>, Refusal> {
        // Frames may be those of links, which move with the state.
        let at = LazyPoses::new(|| Ok(poses.clone()));
        let decide = |constraint: &Constraint| match constraint {
            Constraint::Joint { variable, message } => {
                Ok(decide_joint(scene.model(), *variable, message, positions))
            }
            Constraint::Position { link, offset, frame, regions, weight } => {
                let base = frame_at(scene, frame, &at)?;
                let point_w = poses[*link] * Point3::from(*offset);
                Ok(decide_position(&base, &point_w.coords, regions, *weight))
            }
            Constraint::Orientation { link, frame, wanted, message } => {
                let base = frame_at(scene, frame, &at)?;
                let off = (base.rotation * wanted).inverse() * poses[*link].rotation;
                Ok(decide_orientation(&off, message))
            }
            Constraint::Visibility { sight, weight } => {
                sight.decide(*weight, &|frame| frame_at(scene, frame, &at))
            }
        };
        self.all.iter().map(decide).collect()
    }
}

/// Whether a joint of the space, or one that follows it, is above a link.
fn moved_by(space: &JointSpace, link: LinkId) -> bool {
    let model = space.model();
    model.joints_up_to(link, model.root()).into_iter().any(|id| {
        let leader = match model.joint(id).coupling {
            Coupling::Mimic { leader, .. } => leader,
            Coupling::Independent { .. } => id,
        };
        space.coordinates().iter().any(|coordinate| coordinate.joint == leader)
    })
}

fn finite(field: &str, value: f64) -> Result<(), Refusal> {
    if value.is_finite() {
        return Ok(());
    }
    Err(Refusal::bad_request(format!("{field} is {value}, must be finite")))
}

fn tolerance(field: &str, value: f64) -> Result<(), Refusal> {
    if value >= 0.0 {
        return Ok(());
    }
    Err(Refusal::bad_request(format!("{field} is {value}, must be 0 or more")))
}

fn link_of(scene: &PlanningScene, name: &str) -> Result<LinkId, Refusal> {
    let link = scene.model().link_id(name);
    link.ok_or_else(|| Refusal::bad_request(format!("the robot has no link `{name}`")))
}

/// Where a frame is in the root when the links are there.
fn frame_at(scene: &PlanningScene, frame: &Anchor, poses: &LazyPoses<'_>) -> Result<Pose, Refusal> {
    Ok(scene_frame(scene, &frame.frame, poses, &|| FRAME_ID.into())? * frame.pose)
}

/// Refuses an unknown frame before any state is checked; any state will do to find out.
fn frame_of(
    scene: &PlanningScene,
    header: &Header,
    transforms: &Transforms,
) -> Result<Anchor, Refusal> {
    let frame = anchor(scene, header, transforms).map_err(|why| why.within(FRAME_ID))?;
    let somewhere = LazyPoses::new(|| {
        RobotState::new(scene.model().clone()).link_poses().map_err(Refusal::bad_request)
    });
    frame_at(scene, &frame, &somewhere)?;
    Ok(frame)
}

fn joint(model: &RobotModel, message: &JointConstraint) -> Result<Constraint, Refusal> {
    let variable = model.variable(&message.joint_name).map_err(Refusal::bad_request)?;
    finite("position", message.position)?;
    finite("weight", message.weight)?;
    tolerance("tolerance_above", message.tolerance_above)?;
    tolerance("tolerance_below", message.tolerance_below)?;
    Ok(Constraint::Joint { variable, message: message.clone() })
}

fn position(
    scene: &PlanningScene,
    message: &PositionConstraint,
    transforms: &Transforms,
    limits: &Limits,
) -> Result<Constraint, Refusal> {
    let link = link_of(scene, &message.link_name)?;
    let frame = frame_of(scene, &message.header, transforms)?;
    finite("weight", message.weight)?;
    let offset = &message.target_point_offset;
    let offset = Vec3::new(offset.x, offset.y, offset.z);
    offset.iter().try_for_each(|&number| finite("target_point_offset", number))?;
    let region = &message.constraint_region;
    let lists = ShapeLists {
        primitives: &region.primitives,
        primitive_poses: &region.primitive_poses,
        meshes: &region.meshes,
        mesh_poses: &region.mesh_poses,
        planes: &[],
        plane_poses: &[],
    };
    if lists.is_empty() {
        return Err(Refusal::bad_request("constraint_region has no shapes"));
    }
    let regions = lists.shapes(limits, &|| "constraint_region".into())?;
    Ok(Constraint::Position { link, offset, frame, regions, weight: message.weight })
}

fn orientation(
    scene: &PlanningScene,
    message: &OrientationConstraint,
    transforms: &Transforms,
) -> Result<Constraint, Refusal> {
    let link = link_of(scene, &message.link_name)?;
    let frame = frame_of(scene, &message.header, transforms)?;
    finite("weight", message.weight)?;
    for (field, value) in [
        ("absolute_x_axis_tolerance", message.absolute_x_axis_tolerance),
        ("absolute_y_axis_tolerance", message.absolute_y_axis_tolerance),
        ("absolute_z_axis_tolerance", message.absolute_z_axis_tolerance),
    ] {
        tolerance(field, value)?;
    }
    if message.parameterization > OrientationConstraint::ROTATION_VECTOR {
        let reason = format!("parameterization is {}, must be 0 or 1", message.parameterization);
        return Err(Refusal::bad_request(reason));
    }
    let wanted = rotation(&message.orientation, &|| "orientation".into())?;
    Ok(Constraint::Orientation { link, frame, wanted, message: message.clone() })
}

fn decide_joint(
    model: &RobotModel,
    variable: Variable,
    message: &JointConstraint,
    positions: &[f64],
) -> ConstraintEvalResult {
    let at = match variable {
        Variable::Own(place) => positions[place],
        Variable::Follows(id) => follower(model, id, positions),
    };
    let mut off = at - message.position;
    if is_turn(model, &message.joint_name) {
        off -= TAU * (off / TAU).round();
    }
    let result =
        off <= message.tolerance_above + ROUNDING && off >= -message.tolerance_below - ROUNDING;
    ConstraintEvalResult { result, distance: message.weight * off.abs() }
}

fn follower(model: &RobotModel, id: JointId, positions: &[f64]) -> f64 {
    match model.joint(id).coupling {
        Coupling::Mimic { leader, multiplier, offset } => {
            multiplier * positions[model.first_position(leader)] + offset
        }
        Coupling::Independent { position, .. } => positions[position],
    }
}

/// Whether the variable is an angle without limits: full turns do not count.
fn is_turn(model: &RobotModel, name: &str) -> bool {
    let kind = |name: &str| model.joint_id(name).map(|id| model.joint(id).kind);
    kind(name) == Some(JointKind::Continuous)
        || name.strip_suffix("/theta").and_then(kind) == Some(JointKind::Planar)
}

/// The point has to be in one of the regions; the distance is that from the middle of the first it is in, or of the last.
fn decide_position(
    base: &Pose,
    point_w: &Vec3,
    regions: &[(Pose, Shape)],
    weight: f64,
) -> ConstraintEvalResult {
    let mut answer = ConstraintEvalResult { result: false, distance: f64::MAX };
    for (local, shape) in regions {
        let at = base * local;
        let found = point_distance(shape, &at, point_w, &QueryOptions::default());
        let result = found.distance <= 0.0;
        let distance = weight * (at.translation.vector - point_w).norm();
        answer = ConstraintEvalResult { result, distance };
        if result {
            break;
        }
    }
    answer
}

fn decide_orientation(
    off: &UnitQuaternion<f64>,
    message: &OrientationConstraint,
) -> ConstraintEvalResult {
    let allowed = Vec3::new(
        message.absolute_x_axis_tolerance,
        message.absolute_y_axis_tolerance,
        message.absolute_z_axis_tolerance,
    );
    let angles = if message.parameterization == OrientationConstraint::ROTATION_VECTOR {
        off.scaled_axis().abs()
    } else {
        euler_angles(&off.to_rotation_matrix(), allowed.z)
    };
    let result = (0..3).all(|k| angles[k] < allowed[k] + ROUNDING);
    ConstraintEvalResult { result, distance: message.weight * angles.sum() }
}

/// Sizes of the angles about x, y and z, in this order about axes that turn along. When y is a right angle only the sum
/// or difference of the other two is known; it is taken to be the one about z unless that is not allowed.
fn euler_angles(rotation: &Rotation3<f64>, allowed_z: f64) -> Vec3 {
    let r: &Mat3 = rotation.matrix();
    let cosine = (0.5
        * (r[(0, 0)].powi(2) + r[(0, 1)].powi(2) + r[(1, 2)].powi(2) + r[(2, 2)].powi(2)))
    .sqrt();
    let y = r[(0, 2)].atan2(cosine);
    let size = |angle: f64| (angle - TAU * (angle / TAU).round()).abs().min(PI);
    if cosine > 4.0 * f64::EPSILON {
        let (x, z) = ((-r[(1, 2)]).atan2(r[(2, 2)]), (-r[(0, 1)]).atan2(r[(0, 0)]));
        return Vec3::new(size(x), size(y), size(z));
    }
    let turn = if r[(0, 2)] > 0.0 {
        (r[(1, 0)] + r[(2, 1)]).atan2(r[(1, 1)] - r[(2, 0)])
    } else {
        (r[(2, 1)] - r[(1, 0)]).atan2(r[(1, 1)] + r[(2, 0)])
    };
    if size(turn) <= allowed_z {
        Vec3::new(0.0, size(y), size(turn))
    } else {
        Vec3::new(size(turn), size(y), 0.0)
    }
}
