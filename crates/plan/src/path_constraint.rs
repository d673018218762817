//! What has to hold along a whole path, beside being free: a joint in a range, a point of a link in a region, the orientation
//! of a link within tolerances, a sensor that sees a target.
//!
//! A joint stays between its positions at the ends of an edge, and at the corner of a curve, so its range holds in between when
//! it holds there. For the others the edge
//! is halved until each part is settled by its middle: in the half length h of a part a point moves by at most v h and a link
//! turns by at most ω h, with
//!
//! ```text
//! ω = Σ |rate| of the joints that turn,    v = Σ |rate| R of those + Σ |rate| of the joints that slide
//! ```
//!
//! over the joints from the root to the link, R being how far the point is from each joint at most. A point that is in the
//! region by more than v h stays in it; for the angles of an orientation see [`OrientationAngles`].

use std::f64::consts::TAU;

use crate::error::{Endpoint, PlanError};
use crate::joint_curve::{JointCurve, JointRate};
use crate::orientation_angles::OrientationAngles;
use crate::sight::Sight;
use nalgebra::{Point3, UnitQuaternion};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::{QueryOptions, point_distance};
use smooth_scene_robot::{Coupling, JointId, JointKind, LinkId, LinkPoses, RobotModel, Variable};
use smooth_scene_scene::SceneError;

/// Halvings of an edge before a constraint counts as not proven: parts of 1/16 384.
const MAX_HALVINGS: u32 = 14;
/// Rounding of angles and distances, rad and m: a constraint has to hold by more.
pub(crate) const ROUNDING: f64 = 1e-9;
/// The smallest tolerance of an angle, rad: edges could not be proven in less.
const LEAST_TOLERANCE: f64 = 1e-3;

/// A condition on every state of a path. Poses are in the frame of the robot's root.
#[derive(Debug, Clone, PartialEq)]
pub enum PathConstraint {
    /// A joint, or one number of it, stays in a range; whole turns of joints without limits do not count.
    Joint {
        /// Name of the number, as in [`RobotModel::variable_names`], or of a joint that mimics another.
        name: String,
        /// Middle of the range.
        position: f64,
        /// How far above, rad or m.
        above: f64,
        /// How far below.
        below: f64,
    },
    /// A point of a link stays in one of these regions.
    Position {
        /// The link.
        link: String,
        /// The point in its frame.
        offset: Vec3,
        /// Convex regions; the point may pass from one to another where they overlap by more than rounding.
        regions: Vec<(Pose, Shape)>,
    },
    /// The orientation of a link stays near another one.
    Orientation {
        /// The link.
        link: String,
        /// The orientation it is measured from.
        wanted: UnitQuaternion<f64>,
        /// The largest angles about x, y and z, rad. From half a turn on an angle is free.
        tolerance: [f64; 3],
        /// How these angles are measured.
        angles: OrientationAngles,
    },
    /// A sensor keeps looking at a target.
    Sight(Sight),
}

/// Constraints whose names were looked up.
#[derive(Debug, Clone, Default)]
pub(crate) struct PathConstraints {
    pub all: Vec<Known>,
}

#[derive(Debug, Clone)]
pub(crate) enum Known {
    /// `factor · positions[place] + offset`, less the middle of the range, is in [−below, above].
    Joint {
        place: usize,
        factor: f64,
        offset: f64,
        range: [f64; 2],
        wraps: bool,
    },
    Position {
        link: LinkId,
        chain: Vec<JointId>,
        offset: Vec3,
        regions: Vec<(Pose, Shape)>,
    },
    Orientation {
        link: LinkId,
        chain: Vec<JointId>,
        wanted: UnitQuaternion<f64>,
        tolerance: Vec3,
        angles: OrientationAngles,
    },
    /// Links of sensor and target, and the joints above each.
    Sight {
        links: [LinkId; 2],
        chains: [Vec<JointId>; 2],
        sight: Sight,
    },
}

/// How far points and links get from the middle of a part.
#[derive(Debug, Clone, Copy, Default)]
struct Shift {
    metres: f64,
    radians: f64,
}

impl PathConstraints {
    pub fn new(model: &RobotModel, constraints: &[PathConstraint]) -> Result<Self, PlanError> {
        let known = constraints.iter().map(|constraint| Known::new(model, constraint));
        Ok(Self { all: known.collect::<Result<_, _>>()? })
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The first constraint that does not hold in a state.
    fn violated(&self, model: &RobotModel, positions: &[f64]) -> Result<Option<usize>, SceneError> {
        let mut poses = LinkPoses::new();
        poses.update(model, positions)?;
        Ok(self.all.iter().position(|known| !known.holds(positions, &poses, Shift::default())))
    }

    /// Whether all hold in a state.
    pub fn hold_at(&self, model: &RobotModel, positions: &[f64]) -> Result<bool, SceneError> {
        Ok(self.all.is_empty() || self.violated(model, positions)?.is_none())
    }

    /// Refuses a start or goal that does not satisfy them.
    pub fn check_end(
        &self,
        model: &RobotModel,
        which: Endpoint,
        positions: &[f64],
    ) -> Result<(), PlanError> {
        match self.violated(model, positions)? {
            Some(constraint) => Err(PlanError::ConstraintViolated { which, constraint }),
            None => Ok(()),
        }
    }

    /// Whether all are proven to hold on a whole motion.
    pub fn hold_on(&self, curve: &JointCurve) -> Result<bool, SceneError> {
        if self.all.is_empty() {
            return Ok(true);
        }
        let rates = curve.rates();
        let speeds: Vec<Shift> = self.all.iter().map(|known| known.speed(&rates)).collect();
        let open: Vec<usize> = (0..self.all.len()).collect();
        ConstrainedMotion { constraints: self, curve, speeds }.hold(0.0, 1.0, 0, &open)
    }
}

/// Checks again that constraints hold on the whole path through these waypoints, straight from one to the next.
pub fn constraints_hold(
    model: &RobotModel,
    constraints: &[PathConstraint],
    waypoints: &[impl AsRef<[f64]>],
) -> Result<bool, PlanError> {
    let known = PathConstraints::new(model, constraints)?;
    for ends in waypoints.windows(2) {
        let curve = JointCurve::straight(model, ends[0].as_ref(), ends[1].as_ref());
        if !known.hold_on(&curve)? {
            return Ok(false);
        }
    }
    match waypoints {
        [only] => Ok(known.hold_at(model, only.as_ref())?),
        _ => Ok(true),
    }
}

/// A motion whose constraints are looked at.
struct ConstrainedMotion<'a> {
    constraints: &'a PathConstraints,
    curve: &'a JointCurve<'a>,
    speeds: Vec<Shift>,
}

impl ConstrainedMotion<'_> {
    /// Whether the open constraints hold between two times.
    fn hold(
        &self,
        start: f64,
        end: f64,
        halvings: u32,
        open: &[usize],
    ) -> Result<bool, SceneError> {
        let (middle, half) = (0.5 * (start + end), 0.5 * (end - start));
        let positions = self.curve.at(middle)?;
        let mut poses = LinkPoses::new();
        poses.update(self.curve.model(), &positions)?;
        let mut left = Vec::new();
        for &k in open {
            let known = &self.constraints.all[k];
            let Shift { metres, radians } = self.speeds[k];
            let shift = Shift { metres: metres * half, radians: radians * half };
            let is_settled = match known {
                Known::Joint { .. } => known.holds_at_all(self.curve.states()),
                Known::Position { .. } | Known::Orientation { .. } | Known::Sight { .. } => {
                    known.holds(&positions, &poses, shift)
                }
            };
            if !is_settled {
                let may_hold = !matches!(known, Known::Joint { .. })
                    && halvings < MAX_HALVINGS
                    && known.holds(&positions, &poses, Shift::default());
                if !may_hold {
                    return Ok(false);
                }
                left.push(k);
            }
        }
        Ok(left.is_empty()
            || (self.hold(start, middle, halvings + 1, &left)?
                && self.hold(middle, end, halvings + 1, &left)?))
    }
}

impl Known {
    fn new(model: &RobotModel, constraint: &PathConstraint) -> Result<Self, PlanError> {
        let link_of = |name: &str| {
            let unknown = || SceneError::UnknownLink { name: name.to_owned() };
            let link = model.link_id(name).ok_or_else(unknown)?;
            Ok::<_, PlanError>((link, model.joints_up_to(link, model.root())))
        };
        let wide_enough = |field, value: f64| {
            if value >= LEAST_TOLERANCE {
                return Ok(());
            }
            Err(PlanError::BadOption { field, value, range: "at least 0.001" })
        };
        Ok(match constraint {
            PathConstraint::Joint { name, position, above, below } => {
                let (place, factor, offset, wraps) = number(model, name)?;
                let width = above + below;
                if width.is_nan() || width < 0.0 {
                    let (field, value) = ("width of a joint constraint", width);
                    return Err(PlanError::BadOption { field, value, range: "0 or more" });
                }
                let offset = offset - position;
                Known::Joint { place, factor, offset, range: [-below, *above], wraps }
            }
            PathConstraint::Position { link, offset, regions } => {
                let (link, chain) = link_of(link)?;
                if regions.is_empty() {
                    let (field, value) = ("number of regions of a position constraint", 0.0);
                    return Err(PlanError::BadOption { field, value, range: "at least 1" });
                }
                Known::Position { link, chain, offset: *offset, regions: regions.clone() }
            }
            PathConstraint::Orientation { link, wanted, tolerance, angles } => {
                let (link, chain) = link_of(link)?;
                for &value in tolerance {
                    wide_enough("tolerance of an orientation constraint", value)?;
                }
                let (wanted, tolerance, angles) = (*wanted, Vec3::from(*tolerance), *angles);
                Known::Orientation { link, chain, wanted, tolerance, angles }
            }
            PathConstraint::Sight(sight) => {
                for (field, value) in [
                    ("view angle of a visibility constraint", sight.view),
                    ("range angle of a visibility constraint", sight.range),
                ] {
                    value.map_or(Ok(()), |value| wide_enough(field, value))?;
                }
                let (sensor, above_sensor) = link_of(&sight.sensor_link)?;
                let (target, above_target) = link_of(&sight.target_link)?;
                let chains = [above_sensor, above_target];
                Known::Sight { links: [sensor, target], chains, sight: sight.clone() }
            }
        })
    }

    /// Bounds on the speed of the point and of the turn that the constraint is about.
    fn speed(&self, rates: &[JointRate]) -> Shift {
        match self {
            Known::Joint { .. } => Shift::default(),
            Known::Position { chain, offset, .. } => speed_of(chain, offset.norm(), rates),
            Known::Orientation { chain, .. } => speed_of(chain, 0.0, rates),
            Known::Sight { chains: [sensor, target], sight, .. } => {
                let one = speed_of(sensor, sight.eye.norm(), rates);
                let other = speed_of(target, sight.target.norm(), rates);
                Shift { metres: one.metres + other.metres, radians: one.radians + other.radians }
            }
        }
    }

    /// Whether the constraint holds in this state and in all others that are no farther than the shift.
    fn holds(&self, positions: &[f64], poses: &LinkPoses, shift: Shift) -> bool {
        match self {
            Known::Joint { range, .. } => {
                let off = self.off(positions);
                off >= range[0] - ROUNDING && off <= range[1] + ROUNDING
            }
            Known::Position { link, offset, regions, .. } => {
                let point_w = (poses[*link] * Point3::from(*offset)).coords;
                let is_inside = |(pose, shape): &(Pose, Shape)| {
                    distance_at_most(shape, pose, &point_w) + shift.metres + ROUNDING <= 0.0
                };
                regions.iter().any(is_inside)
            }
            Known::Orientation { link, wanted, tolerance, angles, .. } => {
                let off = wanted.inverse() * poses[*link].rotation;
                angles.within(&off, tolerance, shift.radians + ROUNDING)
            }
            Known::Sight { links: [sensor, target], sight, .. } => {
                let at = sight.at(&poses[*sensor], &poses[*target]);
                sight.off(&at, shift.metres + ROUNDING, shift.radians + ROUNDING).is_none()
            }
        }
    }

    /// How far a joint is from the middle of its range.
    pub fn off(&self, positions: &[f64]) -> f64 {
        let Known::Joint { place, factor, offset, wraps, .. } = self else {
            unreachable!("only joints have a position")
        };
        let off = factor * positions[*place] + offset;
        if *wraps { off - TAU * (off / TAU).round() } else { off }
    }

    /// Whether the range of a joint holds in states that follow each other, and so in all between them: no number of a
    /// motion leaves the interval of those of its states.
    fn holds_at_all<'a>(&self, mut states: impl Iterator<Item = &'a [f64]>) -> bool {
        let Known::Joint { place, factor, range, .. } = self else {
            unreachable!("only joints have a range")
        };
        let first = states.next().expect("a motion begins somewhere");
        let start = self.off(first);
        let off = |state: &[f64]| start + factor * (state[*place] - first[*place]);
        std::iter::once(start)
            .chain(states.map(off))
            .all(|off| off >= range[0] - ROUNDING && off <= range[1] + ROUNDING)
    }
}

/// Bounds on the speed of a point, so far from the origin of the link that the joints end in, and of the turn of that link.
fn speed_of(chain: &[JointId], mut reach: f64, rates: &[JointRate]) -> Shift {
    let mut speed = Shift::default();
    for id in chain {
        let JointRate { turn, slide, offset, .. } = rates[id.index()];
        speed.radians += turn;
        speed.metres += turn * reach + slide;
        reach += offset;
    }
    speed
}

/// A bound from above on the signed distance of a point from a region: negative is proven to be inside by that much.
pub(crate) fn distance_at_most(shape: &Shape, pose: &Pose, point_w: &Vec3) -> f64 {
    let at = pose.inverse_transform_point(&Point3::from(*point_w)).coords;
    match shape {
        Shape::Sphere(sphere) => at.norm() - sphere.radius(),
        Shape::Cuboid(cuboid) => (at.abs() - Vec3::from(cuboid.half_extents())).max(),
        Shape::Cylinder(cylinder) => {
            (at.x.hypot(at.y) - cylinder.radius()).max(at.z.abs() - cylinder.half_length())
        }
        _ => point_distance(shape, pose, point_w, &QueryOptions::certified()).upper,
    }
}

/// Place, factor and offset of a number by name, and whether whole turns of it do not count.
fn number(model: &RobotModel, name: &str) -> Result<(usize, f64, f64, bool), PlanError> {
    let found = model.variable(name).map_err(SceneError::from)?;
    Ok(match found {
        Variable::Own(place) => {
            let is_of_quaternion = |id: JointId| {
                let first = model.first_position(id);
                let is_own = matches!(model.joint(id).coupling, Coupling::Independent { .. });
                is_own
                    && model.joint(id).kind == JointKind::Floating
                    && (first + 3..first + 7).contains(&place)
            };
            if model.joint_ids().any(is_of_quaternion) {
                return Err(PlanError::QuaternionRange { name: name.to_owned() });
            }
            let is_turn = |id: JointId| {
                let joint = model.joint(id);
                let first = model.first_position(id);
                match joint.kind {
                    JointKind::Continuous => place == first,
                    JointKind::Planar => place == first + 2,
                    _ => false,
                }
            };
            let is_own =
                |id: &JointId| matches!(model.joint(*id).coupling, Coupling::Independent { .. });
            (place, 1.0, 0.0, model.joint_ids().filter(is_own).any(is_turn))
        }
        Variable::Follows(id) => match model.joint(id).coupling {
            Coupling::Mimic { leader, multiplier, offset } => {
                (model.first_position(leader), multiplier, offset, false)
            }
            Coupling::Independent { position, .. } => (position, 1.0, 0.0, false),
        },
    })
}
