//! Sketches to start from: a finger, an arm and a humanoid that stands on the floor.

use std::f64::consts::FRAC_PI_2;

use serde::Deserialize;

use super::ellipse::posed;
use super::mirror::mirror;
use super::model::{Motion, NodeId, Sketch, Surface};
use crate::error::ViewError;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Vec3, tangent_basis};

/// Which one.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Preset {
    Finger,
    Arm,
    Humanoid,
}

/// A bone of a preset with its surface, if it has one.
struct Part {
    name: &'static str,
    ends: [[f64; 3]; 2],
    motion: Motion,
    flesh: Option<Flesh>,
}

/// A superovoid around a bone, z along it.
struct Flesh {
    radii: [f64; 3],
    exponents: [f64; 2],
    taper: f64,
    /// Its middle, as a share of the bone's length from the near end.
    at: f64,
}

/// A round surface that reaches a tenth beyond the ends of the bone.
const fn round(across: f64, along: f64) -> Option<Flesh> {
    Some(Flesh { radii: [across, across, along], exponents: [1.0, 0.8], taper: 0.0, at: 0.5 })
}

const fn flesh(radii: [f64; 3], exponents: [f64; 2], taper: f64, at: f64) -> Option<Flesh> {
    Some(Flesh { radii, exponents, taper, at })
}

const fn hinge(axis: [f64; 3], lower: f64, upper: f64) -> Motion {
    Motion::Revolute { axis, limits: [lower, upper] }
}

const fn part(
    name: &'static str,
    ends: [[f64; 3]; 2],
    motion: Motion,
    flesh: Option<Flesh>,
) -> Part {
    Part { name, ends, motion, flesh }
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const FIXED: Motion = Motion::Fixed {};

/// About as long as those of the iCub hand, m.
const FINGER: [Part; 4] = [
    part("knuckle", [[0.0, 0.0, 0.0], [0.0, 0.0, 0.03]], FIXED, round(0.011, 0.018)),
    part(
        "proximal",
        [[0.0, 0.0, 0.03], [0.0, 0.0, 0.07]],
        hinge(Y, 0.0, FRAC_PI_2),
        round(0.0095, 0.023),
    ),
    part(
        "middle",
        [[0.0, 0.0, 0.07], [0.0, 0.0, 0.097]],
        hinge(Y, 0.0, FRAC_PI_2),
        round(0.0085, 0.0165),
    ),
    part(
        "distal",
        [[0.0, 0.0, 0.097], [0.0, 0.0, 0.12]],
        hinge(Y, 0.0, 1.2),
        flesh([0.0078, 0.0078, 0.015], [1.0, 0.9], -0.2, 0.5),
    ),
];

const ARM: [Part; 5] = [
    part(
        "column",
        [[0.0, 0.0, 0.0], [0.0, 0.0, 0.25]],
        FIXED,
        flesh([0.09, 0.09, 0.14], [1.0, 0.4], -0.2, 0.45),
    ),
    part(
        "upper_arm",
        [[0.0, 0.0, 0.25], [0.0, 0.0, 0.6]],
        Motion::Ball { limits: [[-1.0, 1.0], [-1.8, 1.8], [-2.6, 2.6]] },
        round(0.06, 0.2),
    ),
    part("forearm", [[0.0, 0.0, 0.6], [0.3, 0.0, 0.6]], hinge(Y, -1.2, 2.2), round(0.05, 0.17)),
    part(
        "wrist",
        [[0.3, 0.0, 0.6], [0.38, 0.0, 0.6]],
        Motion::Continuous { axis: X },
        round(0.035, 0.05),
    ),
    part(
        "hand",
        [[0.38, 0.0, 0.6], [0.52, 0.0, 0.6]],
        hinge(Y, -1.5, 1.5),
        flesh([0.045, 0.02, 0.085], [0.6, 0.8], 0.1, 0.5),
    ),
];

/// The middle and the left side; 1.75 m tall.
const HUMANOID: [Part; 12] = [
    part(
        "pelvis",
        [[0.0, 0.0, 0.98], [0.0, 0.0, 1.1]],
        FIXED,
        flesh([0.1, 0.15, 0.1], [0.8, 0.9], -0.1, 0.3),
    ),
    part(
        "torso",
        [[0.0, 0.0, 1.1], [0.0, 0.0, 1.44]],
        Motion::Ball { limits: [[-0.5, 0.5], [-0.4, 1.0], [-0.8, 0.8]] },
        flesh([0.105, 0.16, 0.21], [0.8, 0.8], 0.12, 0.55),
    ),
    part("neck", [[0.0, 0.0, 1.44], [0.0, 0.0, 1.55]], hinge(Z, -1.2, 1.2), round(0.05, 0.07)),
    part(
        "head",
        [[0.0, 0.0, 1.55], [0.0, 0.0, 1.75]],
        hinge(Y, -0.6, 0.8),
        flesh([0.095, 0.075, 0.12], [1.0, 1.0], 0.15, 0.5),
    ),
    part("left_hip", [[0.0, 0.0, 0.98], [0.0, 0.09, 0.94]], FIXED, None),
    part(
        "left_thigh",
        [[0.0, 0.09, 0.94], [0.0, 0.09, 0.51]],
        Motion::Ball { limits: [[-0.4, 0.8], [-2.0, 0.6], [-0.6, 0.6]] },
        flesh([0.075, 0.075, 0.24], [1.0, 0.9], -0.2, 0.5),
    ),
    part(
        "left_shin",
        [[0.0, 0.09, 0.51], [0.0, 0.09, 0.09]],
        hinge(Y, 0.0, 2.4),
        flesh([0.058, 0.058, 0.23], [1.0, 0.9], -0.25, 0.5),
    ),
    part(
        "left_foot",
        [[0.0, 0.09, 0.09], [0.19, 0.09, 0.04]],
        hinge(Y, -0.7, 0.9),
        flesh([0.04, 0.05, 0.135], [0.7, 0.8], -0.1, 0.35),
    ),
    part("left_clavicle", [[0.0, 0.0, 1.44], [0.0, 0.2, 1.42]], FIXED, None),
    part(
        "left_upper_arm",
        [[0.0, 0.2, 1.42], [0.0, 0.23, 1.13]],
        Motion::Ball { limits: [[-0.2, 2.8], [-2.8, 1.0], [-1.5, 1.5]] },
        round(0.05, 0.165),
    ),
    part(
        "left_forearm",
        [[0.0, 0.23, 1.13], [0.0, 0.24, 0.88]],
        hinge(Y, -2.4, 0.0),
        round(0.042, 0.145),
    ),
    part(
        "left_hand",
        [[0.0, 0.24, 0.88], [0.0, 0.245, 0.71]],
        hinge(X, -1.2, 1.2),
        flesh([0.045, 0.022, 0.095], [0.6, 0.9], -0.1, 0.5),
    ),
];

/// Adds a preset. With a node it begins there.
pub(crate) fn add(
    sketch: &mut Sketch,
    preset: Preset,
    at: Option<NodeId>,
) -> Result<(), ViewError> {
    let parts: &[Part] = match preset {
        Preset::Finger => &FINGER,
        Preset::Arm => &ARM,
        Preset::Humanoid => &HUMANOID,
    };
    let first = Vec3::from(parts[0].ends[0]);
    let offset = match at {
        None => Vec3::zeros(),
        Some(node) => *sketch.nodes.get(&node).ok_or_else(|| unknown_node(node))? - first,
    };
    // Nodes of the preset, by where they are in it.
    let mut nodes: Vec<([f64; 3], NodeId)> =
        at.map(|node| (parts[0].ends[0], node)).into_iter().collect();
    for part in parts {
        let mut ends = [0; 2];
        for (end, place) in ends.iter_mut().zip(part.ends) {
            *end = match nodes.iter().find(|(known, _)| *known == place) {
                Some((_, node)) => *node,
                None => {
                    let node = sketch.add_node(Vec3::from(place) + offset)?;
                    nodes.push((place, node));
                    node
                }
            };
        }
        let bone = sketch.add_bone(Some(part.name), ends, part.motion)?;
        if let Some(flesh) = &part.flesh {
            let surface = surface(part, flesh, offset)?;
            sketch.bones[bone].surfaces.push(surface);
        }
    }
    if preset == Preset::Humanoid && at.is_none() { mirror(sketch) } else { Ok(()) }
}

pub(crate) fn unknown_node(node: NodeId) -> ViewError {
    ViewError::Unknown { kind: "node", name: node.to_string() }
}

/// Along the bone; its y axis is the robot's, or across the bone where that is along it.
fn surface(part: &Part, flesh: &Flesh, offset: Vec3) -> Result<Surface, ViewError> {
    let [a, b] = part.ends.map(Vec3::from);
    let direction = (b - a).normalize();
    let sideways = Vec3::y() - direction * direction.y;
    let y = match sideways.norm() {
        length if length > 0.1 => sideways / length,
        _ => tangent_basis(&direction).0,
    };
    let [exponent_xy, exponent_z] = flesh.exponents;
    let taper = [flesh.taper; 2];
    let shape = Shape::superovoid(flesh.radii, exponent_xy, exponent_z, taper)?;
    Ok(Surface { pose: posed(a + (b - a) * flesh.at + offset, direction, y), shape })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::tree::{check_no_loop, whole_tree};

    #[test]
    fn each_preset_is_one_tree_also_beside_another() {
        for (preset, bones) in [(Preset::Finger, 4), (Preset::Arm, 5), (Preset::Humanoid, 20)] {
            let mut sketch = Sketch::default();
            add(&mut sketch, preset, None).unwrap();
            assert_eq!(sketch.bones.len(), bones, "{preset:?}");
            whole_tree(&sketch).unwrap();
            check_no_loop(&sketch).unwrap();
            for bone in &sketch.bones {
                assert_eq!(bone.motion.checked().unwrap(), bone.motion, "{}", bone.name);
            }
            // A finger where the first bone ends.
            let end = sketch.bones[0].ends[1];
            add(&mut sketch, Preset::Finger, Some(end)).unwrap();
            assert_eq!(sketch.bones.len(), bones + 4);
            whole_tree(&sketch).unwrap();
            check_no_loop(&sketch).unwrap();
        }
        let unknown = add(&mut Sketch::default(), Preset::Arm, Some(7)).unwrap_err();
        assert_eq!(unknown.to_string(), "there is no node `7`");
    }

    #[test]
    fn the_humanoid_stands_on_two_feet_and_is_symmetric() {
        let mut sketch = Sketch::default();
        add(&mut sketch, Preset::Humanoid, None).unwrap();
        let lowest = sketch.nodes.values().map(|place| place.z).fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.0 && lowest < 0.05, "{lowest}");
        let count = |side: &str| sketch.bones.iter().filter(|b| b.name.starts_with(side)).count();
        assert_eq!([count("left_"), count("right_")], [8, 8]);
    }
}
