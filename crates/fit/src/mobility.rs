//! How much the size of each link matters: a link that travels far meets more obstacles than one that stays in its place.

use crate::link_fit::LinkMeshes;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::{LinkPoses, RobotModel, StateError, StateSampler};

/// Random states.
const STATES: usize = 2000;
/// Weight of a link that does not move. Above 0, because other links may touch it.
const LEAST: f64 = 0.1;

/// A weight for each link, between 0.1 and 1, for [`Models::choose`](crate::Models::choose).
///
/// ```text
/// weight = max(0.1, σ / (σ + r))
/// ```
///
/// σ: root mean square distance of the centre of the mesh from its mean place, over random states. r: distance of the farthest corner
/// from that centre. The base of an arm, and a link that turns about an axis through itself, take the same space in
/// every state, and nothing else can be there.
pub fn mobility_weights(
    model: &RobotModel,
    links: &[LinkMeshes],
    seed: u64,
) -> Result<Vec<f64>, StateError> {
    let mut sampler = StateSampler::new(model, seed);
    let mut poses = LinkPoses::new();
    let mut positions = Vec::new();
    let bodies: Vec<_> = links.iter().map(|mesh| body(model, mesh)).collect();
    let mut sums = vec![(Vec3::zeros(), 0.0); links.len()];
    for _ in 0..STATES {
        sampler.draw_into(&mut positions);
        poses.update(model, &positions)?;
        for (Body { link, center, .. }, (sum, squares)) in bodies.iter().zip(&mut sums) {
            let place = poses.as_slice()[*link] * nalgebra::Point3::from(*center);
            *sum += place.coords;
            *squares += place.coords.norm_squared();
        }
    }
    let weight = |(body, (sum, squares)): (&Body, (Vec3, f64))| {
        let count = STATES as f64;
        let spread = (squares / count - (sum / count).norm_squared()).max(0.0).sqrt();
        if spread > 0.0 { (spread / (spread + body.radius)).max(LEAST) } else { LEAST }
    };
    Ok(bodies.iter().zip(sums).map(weight).collect())
}

struct Body {
    /// Place of its link in the model.
    link: usize,
    /// In the link's frame.
    center: Vec3,
    radius: f64,
}

fn body(model: &RobotModel, mesh: &LinkMeshes) -> Body {
    let link = model.links().iter().position(|link| link.name == mesh.name);
    let link = link.expect("the meshes are those of links of this robot");
    let corners = || mesh.triangles.iter().flatten();
    let none = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let (low, high) = corners().fold(none, |(low, high), p| (low.inf(p), high.sup(p)));
    let center = 0.5 * (low + high);
    let radius = corners().map(|p| (p - center).norm()).fold(0.0, f64::max);
    let center = mesh.pose_in_link.rotation * center + mesh.pose_in_link.translation.vector;
    Body { link, center, radius }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::math::Pose;
    use smooth_scene_robot::{LoadOptions, parse_urdf};

    const ARM: &str = r#"<robot name="arm"><link name="base"/><link name="wheel"/><link name="tip"/>
        <joint name="turn" type="continuous"><parent link="base"/><child link="wheel"/><axis xyz="0 0 1"/></joint>
        <joint name="mount" type="fixed"><parent link="wheel"/><child link="tip"/><origin xyz="0.4 0 0"/></joint></robot>"#;

    #[test]
    fn links_that_stay_in_their_place_count_least() {
        let model = parse_urdf(ARM, "arm", &LoadOptions::default()).unwrap().model;
        // Two triangles with their centre at the origin of the link, 0.1 m around it.
        let corner = |x: f64| Vec3::new(x, 0.0, 0.0);
        let triangles = vec![[corner(-0.1), corner(0.0), corner(0.1)]];
        let mesh = |name: &str| LinkMeshes {
            name: name.into(),
            pose_in_link: Pose::identity(),
            triangles: triangles.clone(),
        };
        let links = ["base", "wheel", "tip"].map(mesh);
        let weights = mobility_weights(&model, &links, 1).unwrap();
        assert_eq!(weights[..2], [LEAST, LEAST]);
        // On a circle of radius 0.4 m the spread is 0.4 m.
        assert!((weights[2] - 0.8).abs() < 0.01, "{weights:?}");
    }
}
