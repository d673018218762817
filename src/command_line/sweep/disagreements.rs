//! Pairs of the grasp for which a method disagrees with the proven bounds, one JSON object per line.

use super::failure::Failure;
use super::intersecting_pairs::intersecting_pairs;
use super::measure::{OFF, Stopped};
use super::methods;
use super::movement;
use super::pair::Pair;
use super::report;
use super::robots;
use crate::geometry::Shape;
use crate::math::Pose;
use serde_json::{Value, json};

/// Prints every answer of ours and of Parry that is more than a micrometre away from the proven bounds: shapes and poses as
/// `smooth_scene query` reads them, the answer, the bounds, and the poses of the previous step, from which the warm start comes.
pub(crate) fn print(stopped: Stopped) -> Result<(), Failure> {
    for robot in robots::bundled()? {
        let pairs = intersecting_pairs(&robot, &movement::grasp(&robot, None)?.states, stopped)?;
        for method in methods::ours().into_iter().chain(methods::parry()) {
            for pair in &pairs {
                let answer = (method.ask)(pair).distance;
                if let Some(distance) = answer.filter(|d| pair.error(*d) > OFF) {
                    let name = format!("{}/{}", robot.representation, pair.name);
                    let line = line(&name, method.name, pair, distance);
                    report::print(&format!("{line}\n"))?;
                }
                if stopped() {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

fn line(name: &str, method: &str, pair: &Pair, distance: f64) -> Value {
    let body = |shape: &Shape, at: &Pose| json!({"shape": shape_json(shape), "pose": pose(at)});
    let mut line = json!({
        "id": name,
        "method": method,
        "distance": distance,
        "lower": pair.truth.lower,
        "upper": pair.truth.upper,
        "a": body(&pair.a, &pair.pose_a),
        "b": body(&pair.b, &pair.pose_b),
    });
    if let Some([a, b]) = &pair.before {
        line["before"] = json!({"a": pose(a), "b": pose(b)});
    }
    line
}

fn pose(pose: &Pose) -> Value {
    let (t, q) = (pose.translation.vector, pose.rotation.coords);
    json!({"xyz": [t.x, t.y, t.z], "quat": [q.x, q.y, q.z, q.w]})
}

/// The shapes of the hands; other shapes are written by name only.
fn shape_json(shape: &Shape) -> Value {
    match shape {
        Shape::Superellipsoid(s) => json!({
            "type": "superellipsoid",
            "radii": s.radii(),
            "exponent_xy": s.exponent_xy(),
            "exponent_z": s.exponent_z(),
        }),
        Shape::Superovoid(s) => json!({
            "type": "superovoid",
            "radii": s.radii(),
            "exponent_xy": s.exponent_xy(),
            "exponent_z": s.exponent_z(),
            "taper": s.taper(),
        }),
        Shape::Ellipsoid(s) => json!({"type": "ellipsoid", "radii": s.radii()}),
        other => json!({"type": other.kind()}),
    }
}
