//! A robot as text: one line per link, collision and joint, for people and for comparing versions.

use crate::model::{Joint, RobotModel};
use crate::spec::{Coupling, LinkSurface};
use smooth_scene_geometry::math::Pose;
use smooth_scene_geometry::{ConvexSurface, Shape};

/// Everything a model consists of, in its order, one line per link, collision and joint.
///
/// Numbers have 15 significant digits: all that files hold, one less than what sines and cosines of different machines
/// agree on. The text depends on nothing but the model.
pub fn describe(model: &RobotModel) -> String {
    let mut text = format!("robot {:?}\n", model.name());
    for link in model.links() {
        text += &format!("link {:?} collisions {}\n", link.name, link.collisions.len());
        for collision in &link.collisions {
            text += &format!("  {}\n", collision_line(collision));
        }
    }
    for joint in model.joints() {
        text += &format!("{}\n", joint_line(model, joint));
    }
    for (index, name) in model.variable_names().iter().enumerate() {
        text += &format!("variable {index} {name:?}\n");
    }
    text
}

fn collision_line(collision: &LinkSurface) -> String {
    let name = match &collision.name {
        Some(name) => format!("{name:?}"),
        None => "-".into(),
    };
    let (pose, shape) = (pose_text(&collision.pose_in_link), shape_text(&collision.shape));
    format!("collision {name} {pose} {shape}")
}

fn joint_line(model: &RobotModel, joint: &Joint) -> String {
    let limits = joint.limits;
    let coupling = match joint.coupling {
        Coupling::Independent { position, velocity } if joint.kind.position_count() > 0 => {
            format!("position {position} velocity {velocity}")
        }
        Coupling::Independent { .. } => "-".into(),
        Coupling::Mimic { leader, multiplier, offset } => format!(
            "mimic {:?} multiplier {} offset {}",
            model.joint(leader).name,
            number(multiplier),
            number(offset)
        ),
    };
    format!(
        "joint {:?} {} {:?} -> {:?} {} axis {} limits {} coupling {coupling}",
        joint.name,
        joint.kind.name(),
        model.link(joint.parent).name,
        model.link(joint.child).name,
        pose_text(&joint.origin),
        list(joint.axis.as_slice()),
        list(&[limits.lower, limits.upper, limits.velocity, limits.effort]),
    )
}

fn pose_text(pose: &Pose) -> String {
    let mut quaternion = pose.rotation.coords;
    // q and −q are the same rotation: the one with a positive w is shown, or with the first other number positive.
    let deciding = [3, 0, 1, 2].into_iter().map(|k| quaternion[k]).find(|x| x.abs() > 1e-14);
    if deciding.is_some_and(|x| x < 0.0) {
        quaternion = -quaternion;
    }
    // What sines leave instead of zero.
    let quaternion = quaternion.map(|x| if x.abs() < 1e-15 { 0.0 } else { x });
    format!("xyz {} quat {}", list(pose.translation.vector.as_slice()), list(quaternion.as_slice()))
}

fn shape_text(shape: &Shape) -> String {
    let parameters = match (shape, shape.named_numbers().filter(|named| named.kind.is_bounded())) {
        (_, Some(named)) => {
            let fields = named.iter().map(|(field, numbers)| match field.is_scalar() {
                true => format!("{} {}", field.name, number(numbers[0])),
                false => format!("{} {}", field.name, list(numbers)),
            });
            fields.collect::<Vec<_>>().join(" ")
        }
        (Shape::ConvexMesh(s), None) => {
            format!("vertices {} {}", s.vertices().len(), bounds(shape))
        }
        (_, None) => bounds(shape),
    };
    format!("{} {parameters}", shape.kind())
}

fn bounds(shape: &Shape) -> String {
    let aabb = shape.local_aabb();
    format!("from {} to {}", list(aabb.min.as_slice()), list(aabb.max.as_slice()))
}

fn list(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|&x| number(x)).collect();
    format!("[{}]", numbers.join(", "))
}

/// Rounded to 15 significant digits, then as short as possible.
fn number(value: f64) -> String {
    let rounded = format!("{value:.14e}").parse::<f64>();
    let rounded = rounded.expect("what was printed as a number is one");
    // Adding zero turns −0 into 0.
    format!("{:?}", rounded + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lose_their_sixteenth_digit_and_the_sign_of_zero() {
        assert_eq!(number(0.1 + 0.2), "0.3");
        assert_eq!(number(-0.0), "0.0");
        assert_eq!(number(f64::INFINITY), "inf");
        assert_eq!(number(-1.5e-300), "-1.5e-300");
    }
}
