//! The left side of a sketch, copied to the right.
//!
//! Left is y > 0. With M = diag(1, −1, 1) places p become Mp. A turn about an axis a becomes one by the same angle about −Ma, because
//! axes of turns are pseudovectors: M R(a, φ) M = R(−Ma, φ). So a mirrored joint moves as in a mirror at the same position. Travel
//! goes along Ma. A surface with rotation R gets M R diag(−1, 1, 1): a rotation again, and the surfaces of a sketch look the same from −x.

use super::model::{Bone, Motion, NodeId, Sketch, Surface};
use super::tree::check_no_loop;
use crate::error::ViewError;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};

/// Nodes closer to the plane than this are in it, m, and are shared by both sides.
const IN_PLANE: f64 = 1e-3;

/// Copies all bones on the left to the right. What has the name of a copy gives way to it, so that it can be done again after
/// the left side was changed.
pub(crate) fn mirror(sketch: &mut Sketch) -> Result<(), ViewError> {
    let left = |sketch: &Sketch, bone: &Bone| {
        let ends = sketch.ends_of(bone);
        ends.iter().all(|end| end.y >= -IN_PLANE) && ends.iter().any(|end| end.y > IN_PLANE)
    };
    let originals: Vec<Bone> =
        sketch.bones.iter().filter(|bone| left(sketch, bone)).cloned().collect();
    if originals.is_empty() {
        return Err(ViewError::Sketch(
            "there is no bone on the left (y > 0) to mirror to the right".into(),
        ));
    }
    let copies: Vec<Bone> = originals.iter().map(mirrored).collect::<Result<_, _>>()?;
    for copy in &copies {
        if let Some(old) = sketch.bone_index(&copy.name) {
            sketch.bones.remove(old);
        }
    }
    for mut copy in copies {
        let [a, b] = copy.ends;
        copy.ends = [twin(sketch, a)?, twin(sketch, b)?];
        let bone = sketch.add_bone(Some(&copy.name), copy.ends, copy.motion)?;
        sketch.bones[bone].surfaces = copy.surfaces;
    }
    sketch.drop_bare_nodes();
    check_no_loop(sketch)
}

/// The node across the plane from one: itself in the plane, one that is there, or a new one.
fn twin(sketch: &mut Sketch, node: NodeId) -> Result<NodeId, ViewError> {
    let at = sketch.nodes[&node];
    if at.y.abs() <= IN_PLANE {
        return Ok(node);
    }
    let there = across(&at);
    let known = sketch.nodes.iter().find(|(_, place)| (*place - there).norm() <= IN_PLANE);
    match known {
        Some((node, _)) => Ok(*node),
        None => sketch.add_node(there),
    }
}

fn across(v: &Vec3) -> Vec3 {
    Vec3::new(v.x, -v.y, v.z)
}

/// A bone in the mirror, still between the nodes of the original.
fn mirrored(bone: &Bone) -> Result<Bone, ViewError> {
    let surfaces = bone.surfaces.iter().map(|surface| {
        if matches!(surface.shape, Shape::PolyEllipsoid(_)) {
            let name = &bone.name;
            return Err(ViewError::Sketch(format!(
                "`{name}` has a poly-ellipsoid, which is not mirrored: choose another kind of surface"
            )));
        }
        Ok(Surface { pose: mirrored_pose(&surface.pose), shape: surface.shape.clone() })
    });
    Ok(Bone {
        name: other_side(&bone.name),
        ends: bone.ends,
        motion: mirrored_motion(bone.motion),
        surfaces: surfaces.collect::<Result<_, _>>()?,
    })
}

fn mirrored_motion(motion: Motion) -> Motion {
    // Without negative zeros, which would be seen in the file.
    let turned = |[x, y, z]: [f64; 3]| [0.0 - x, y, 0.0 - z];
    match motion {
        Motion::Fixed {} => motion,
        Motion::Revolute { axis, limits } => Motion::Revolute { axis: turned(axis), limits },
        Motion::Continuous { axis } => Motion::Continuous { axis: turned(axis) },
        Motion::Prismatic { axis: [x, y, z], limits } => {
            Motion::Prismatic { axis: [x, 0.0 - y, z], limits }
        }
        // About x and z the angles change their signs.
        Motion::Ball { limits: [x, y, z] } => {
            let other_way = |[lower, upper]: [f64; 2]| [0.0 - upper, 0.0 - lower];
            Motion::Ball { limits: [other_way(x), y, other_way(z)] }
        }
    }
}

fn mirrored_pose(pose: &Pose) -> Pose {
    let flip = |x: f64, y: f64| Mat3::from_diagonal(&Vec3::new(x, y, 1.0));
    let rotation = pose.rotation.to_rotation_matrix().into_inner();
    let rotation = flip(1.0, -1.0) * rotation * flip(-1.0, 1.0);
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(rotation);
    Pose::from_parts(
        across(&pose.translation.vector).into(),
        nalgebra::UnitQuaternion::from_rotation_matrix(&rotation),
    )
}

/// `left_arm` → `right_arm`, `l_arm` → `r_arm`, `arm_left` → `arm_right`, `arm` → `arm_right`.
fn other_side(name: &str) -> String {
    for (left, right) in [("left_", "right_"), ("l_", "r_")] {
        if let Some(rest) = name.strip_prefix(left) {
            return format!("{right}{rest}");
        }
    }
    let stem = name.strip_suffix("_left").unwrap_or(name);
    format!("{stem}_right")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::surfaces::flesh_out;
    use smooth_scene_geometry::ConvexSurface;
    use smooth_scene_geometry::math::rotation_from_vector;

    fn with_arm() -> Sketch {
        let mut sketch = Sketch::default();
        let nodes = [[0.0, 0.0, 1.0], [0.0, 0.0, 1.4], [0.0, 0.3, 1.3], [0.2, 0.5, 1.0]]
            .map(|at| sketch.add_node(Vec3::from(at)).unwrap());
        let axis = [0.6, 0.0, 0.8];
        sketch.add_bone(Some("torso"), [nodes[0], nodes[1]], Motion::Fixed {}).unwrap();
        let upper = Motion::Revolute { axis, limits: [-0.2, 1.0] };
        sketch.add_bone(Some("left_arm"), [nodes[1], nodes[2]], upper).unwrap();
        let ball = Motion::Ball { limits: [[-0.1, 0.2], [-0.3, 0.4], [-0.5, 0.6]] };
        sketch.add_bone(None, [nodes[2], nodes[3]], ball).unwrap();
        flesh_out(&mut sketch).unwrap();
        sketch
    }

    #[test]
    fn bones_surfaces_and_joints_come_to_the_other_side_once() {
        let mut sketch = with_arm();
        mirror(&mut sketch).unwrap();
        let names: Vec<&str> = sketch.bones.iter().map(|bone| bone.name.as_str()).collect();
        assert_eq!(names, ["torso", "left_arm", "bone_1", "right_arm", "bone_1_right"]);
        assert_eq!(sketch.nodes.len(), 6);
        assert_eq!(sketch.bones[3].ends[0], sketch.bones[0].ends[1], "the shoulder is shared");
        let once = sketch.clone();
        mirror(&mut sketch).unwrap();
        assert_eq!(sketch.bones, once.bones);
        assert_eq!(sketch.nodes, once.nodes);
        // After a change on the left the right side follows.
        let hand = sketch.bones[2].ends[1];
        *sketch.nodes.get_mut(&hand).unwrap() = Vec3::new(0.1, 0.6, 0.9);
        mirror(&mut sketch).unwrap();
        let right = sketch.ends_of(&sketch.bones[sketch.find("bone_1_right").unwrap()])[1];
        assert_eq!(right, Vec3::new(0.1, -0.6, 0.9));
        assert_eq!(sketch.nodes.len(), 6);
    }

    /// Support points of the copies are the mirror images of those of the originals.
    #[test]
    fn surfaces_are_mirror_images() {
        let mut sketch = with_arm();
        let shape = Shape::superovoid([0.1, 0.2, 0.3], 0.6, 1.2, [0.3, -0.2]).unwrap();
        let turn = rotation_from_vector(&Vec3::new(0.3, -0.7, 1.1));
        let pose = Pose::from_parts(Vec3::new(0.1, 0.4, 1.2).into(), turn);
        sketch.bones[2].surfaces = vec![Surface { pose, shape }];
        mirror(&mut sketch).unwrap();
        let reach = |surface: &Surface, n: Vec3| {
            let direction = surface.pose.rotation.inverse() * n;
            surface.shape.support(&direction).value + surface.pose.translation.vector.dot(&n)
        };
        let of = |name: &str| sketch.bones[sketch.find(name).unwrap()].surfaces[0].clone();
        let (left, right) = (of("bone_1"), of("bone_1_right"));
        for k in 0..50 {
            let k = f64::from(k);
            let n = Vec3::new((k * 0.7).sin(), (k * 1.3).cos(), (k * 2.1).sin()).normalize();
            assert!((reach(&left, n) - reach(&right, across(&n))).abs() < 1e-12);
        }
    }

    /// The mirror image of a point that the original joint moves is the point that the copy moves.
    #[test]
    fn a_mirrored_joint_moves_as_in_a_mirror() {
        let about = |axis: [f64; 3], angle: f64| rotation_from_vector(&(Vec3::from(axis) * angle));
        let p = Vec3::new(0.3, 0.5, -0.2);
        let axis = [0.6, 0.48, 0.64];
        let Motion::Revolute { axis: copy, limits } =
            mirrored_motion(Motion::Revolute { axis, limits: [-0.2, 1.0] })
        else {
            panic!("a hinge stays one")
        };
        assert_eq!(limits, [-0.2, 1.0]);
        assert!((across(&(about(axis, 0.7) * p)) - about(copy, 0.7) * across(&p)).norm() < 1e-15);
        // A ball: at angles with the signs of the mirrored limits.
        let ball = |[x, y, z]: [f64; 3]| {
            about([1.0, 0.0, 0.0], x) * about([0.0, 1.0, 0.0], y) * about([0.0, 0.0, 1.0], z)
        };
        let [left, right] = [ball([0.2, 0.4, 0.6]), ball([-0.2, 0.4, -0.6])];
        assert!((across(&(left * p)) - right * across(&p)).norm() < 1e-15);
        let limits = [[-0.1, 0.2], [-0.3, 0.4], [-0.5, 0.6]];
        let mirrored = Motion::Ball { limits: [[-0.2, 0.1], [-0.3, 0.4], [-0.6, 0.5]] };
        assert_eq!(mirrored_motion(Motion::Ball { limits }), mirrored);
    }

    #[test]
    fn nothing_on_the_left_and_loops_are_refused() {
        let mut sketch = Sketch::default();
        assert!(mirror(&mut sketch).unwrap_err().to_string().contains("no bone on the left"));
        let nodes = [[0.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]
            .map(|at| sketch.add_node(Vec3::from(at)).unwrap());
        for ends in nodes.windows(2) {
            sketch.add_bone(None, [ends[0], ends[1]], Motion::Fixed {}).unwrap();
        }
        assert!(mirror(&mut sketch).unwrap_err().to_string().contains("loop"));
        assert_eq!(other_side("l_hand"), "r_hand");
        assert_eq!(other_side("hand_left"), "hand_right");
    }
}
