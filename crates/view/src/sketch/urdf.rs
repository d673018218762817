//! The sketch as URDF without its surfaces: links, joints, masses, and a thin cylinder along each bone to be seen.
//!
//! The frame of a link is at its joint and has the axes of the sketch, so that axes and places in the file are those of the sketch. The
//! robot hangs on `base_link`, which is the frame of the sketch and has no mass: KDL ignores the mass of a root.

use super::model::{Bone, Motion, Sketch, Surface};
use super::tree::Branch;
use crate::error::ViewError;
use smooth_scene_dynamics::Moments;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3, atan2, hypot, tangent_basis};

use super::ellipse::posed;

/// The link that stands in the frame of the sketch.
pub(crate) const BASE: &str = "base_link";
/// Density of all surfaces, kg/m³: water, and about that of people.
const DENSITY: f64 = 1000.0;
/// Radius of what is seen of a bone, and of the capsule that a bone without surfaces weighs, as a share of its length.
const THICKNESS: f64 = 0.04;
/// Largest torque or force and speed of a joint, which URDF asks for and a sketch does not have: N·m or N, rad/s or m/s.
const EFFORT: f64 = 100.0;
const VELOCITY: f64 = 3.0;
/// Names of the axes of a ball joint.
const AXES: [(&str, [f64; 3]); 3] =
    [("x", [1.0, 0.0, 0.0]), ("y", [0.0, 1.0, 0.0]), ("z", [0.0, 0.0, 1.0])];

/// The link between two turns of a ball joint.
pub(crate) fn hub(bone: &Bone, axis: &str) -> String {
    format!("{}_hub_{axis}", bone.name)
}

/// The text of the robot.
pub(crate) fn skeleton(sketch: &Sketch, tree: &[Branch]) -> Result<String, ViewError> {
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n  <link name=\"{BASE}\"/>\n",
        sketch.name
    );
    for branch in tree {
        text += &link(sketch, branch)?;
        text += &joints(sketch, tree, branch)?;
    }
    Ok(text + "</robot>\n")
}

fn link(sketch: &Sketch, branch: &Branch) -> Result<String, ViewError> {
    let bone = &sketch.bones[branch.bone];
    let along = sketch.nodes[&branch.far] - sketch.nodes[&branch.near];
    let length = along.norm();
    let to_link = Pose::from(-sketch.nodes[&branch.near]);
    let surfaces: Vec<Surface> = match bone.surfaces.is_empty() {
        false => bone
            .surfaces
            .iter()
            .map(|surface| Surface { pose: to_link * surface.pose, ..surface.clone() })
            .collect(),
        true => {
            let direction = along / length;
            let pose = posed(along * 0.5, direction, tangent_basis(&direction).0);
            let radius = THICKNESS * length;
            let shape = Shape::capsule(radius, 0.5 * length)?;
            vec![Surface { pose, shape }]
        }
    };
    // Yaw and pitch that turn z to the bone.
    let (yaw, pitch) = (atan2(along.y, along.x), atan2(hypot(along.x, along.y), along.z));
    Ok(format!(
        "  <link name=\"{}\">\n{}    <visual>\n      <origin xyz=\"{}\" rpy=\"0 {pitch} {yaw}\"/>\n      \
         <geometry><cylinder radius=\"{}\" length=\"{length}\"/></geometry>\n    </visual>\n  </link>\n",
        bone.name,
        inertial(&surfaces)?,
        list(along * 0.5),
        THICKNESS * length
    ))
}

/// Mass and inertia of surfaces filled with matter. Where they overlap it counts for each.
fn inertial(surfaces: &[Surface]) -> Result<String, ViewError> {
    let mut all: Option<Moments> = None;
    for surface in surfaces {
        let one = Moments::of(&surface.shape)?.posed(&surface.pose);
        all = Some(all.map_or(one, |sum| sum.plus(&one)));
    }
    let all = all.ok_or_else(|| ViewError::Sketch("a link without a body has no mass".into()))?;
    let center = all.center();
    let mass = all.volume * DENSITY;
    let about_center = all.posed(&Pose::from(-center)).filled(DENSITY)?.inertia;
    let [xx, xy, xz, yy, yz, zz] =
        [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].map(|place| about_center[place]);
    Ok(format!(
        "    <inertial>\n      <origin xyz=\"{}\"/>\n      <mass value=\"{mass}\"/>\n      \
         <inertia ixx=\"{xx}\" ixy=\"{xy}\" ixz=\"{xz}\" iyy=\"{yy}\" iyz=\"{yz}\" izz=\"{zz}\"/>\n    </inertial>\n",
        list(center)
    ))
}

/// The joint of a bone, or the three of a ball joint with the links between them.
fn joints(sketch: &Sketch, tree: &[Branch], branch: &Branch) -> Result<String, ViewError> {
    let bone = &sketch.bones[branch.bone];
    let near = sketch.nodes[&branch.near];
    let (parent, origin) = match branch.parent {
        None => (BASE, near),
        Some(parent) => {
            let parent = &tree[parent];
            (sketch.bones[parent.bone].name.as_str(), near - sketch.nodes[&parent.near])
        }
    };
    let motion = if branch.parent.is_some() { bone.motion } else { Motion::Fixed {} };
    let (name, child) = (format!("{}_joint", bone.name), bone.name.as_str());
    let one = |kind: &str, rest: String| joint(&name, kind, parent, child, origin, &rest);
    Ok(match motion {
        Motion::Fixed {} => one("fixed", String::new()),
        Motion::Revolute { axis, limits } => one("revolute", axis_text(axis) + &limit(limits)),
        Motion::Prismatic { axis, limits } => one("prismatic", axis_text(axis) + &limit(limits)),
        Motion::Continuous { axis } => one("continuous", axis_text(axis) + &speeds()),
        Motion::Ball { limits } => {
            let along = sketch.nodes[&branch.far] - near;
            let ball = Shape::sphere(THICKNESS * along.norm())?;
            let ball = inertial(&[Surface { pose: Pose::identity(), shape: ball }])?;
            let names = [hub(bone, "x"), hub(bone, "y"), bone.name.clone()];
            let mut text = String::new();
            for (k, (axis_name, axis)) in AXES.iter().enumerate() {
                if k < 2 {
                    text += &format!("  <link name=\"{}\">\n{ball}  </link>\n", names[k]);
                }
                let (parent, origin) =
                    if k == 0 { (parent, origin) } else { (names[k - 1].as_str(), Vec3::zeros()) };
                let name = format!("{}_{axis_name}", bone.name);
                let rest = axis_text(*axis) + &limit(limits[k]);
                text += &joint(&name, "revolute", parent, &names[k], origin, &rest);
            }
            text
        }
    })
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, origin: Vec3, rest: &str) -> String {
    format!(
        "  <joint name=\"{name}\" type=\"{kind}\">\n    <parent link=\"{parent}\"/>\n    <child link=\"{child}\"/>\n    \
         <origin xyz=\"{}\"/>\n{rest}  </joint>\n",
        list(origin)
    )
}

fn axis_text(axis: [f64; 3]) -> String {
    format!("    <axis xyz=\"{}\"/>\n", list(axis.into()))
}

fn limit([lower, upper]: [f64; 2]) -> String {
    format!(
        "    <limit lower=\"{lower}\" upper=\"{upper}\" effort=\"{EFFORT}\" velocity=\"{VELOCITY}\"/>\n"
    )
}

fn speeds() -> String {
    format!("    <limit effort=\"{EFFORT}\" velocity=\"{VELOCITY}\"/>\n")
}

/// Differences of rounded numbers, without what rounding leaves behind the last digit of the sketch, and without a negative zero.
fn list(v: Vec3) -> String {
    let text = |x: f64| {
        let rounded = (x * 1e9).round() / 1e9 + 0.0;
        rounded.to_string()
    };
    v.iter().map(|x| text(*x)).collect::<Vec<_>>().join(" ")
}
