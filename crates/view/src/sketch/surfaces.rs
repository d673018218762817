//! The surfaces of bones: changing one, and giving one to every bone that has none.

use super::ellipse::posed;
use super::model::{Bone, Sketch, Surface, rounded};
use crate::enclosing::enclosing;
use crate::error::ViewError;
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3, tangent_basis};

/// Surfaces of one bone.
const MAX_SURFACES: usize = 100;
/// A bone without a surface gets one that is so wide, as a share of its length, and reaches a little beyond its ends.
const WIDTH: f64 = 0.18;
const REACH: f64 = 0.54;
/// Its exponents: between an ellipsoid and a cylinder.
const EXPONENTS: [f64; 2] = [1.0, 0.7];

/// Changes one surface of a bone.
pub(crate) fn change(
    sketch: &mut Sketch,
    bone: &str,
    index: usize,
    change: impl FnOnce(&mut Surface) -> Result<(), ViewError>,
) -> Result<(), ViewError> {
    change(one(sketch, bone, index)?)
}

/// Replaces a surface by one of a kind that encloses it.
pub(crate) fn enclose(
    sketch: &mut Sketch,
    bone: &str,
    index: usize,
    kind: &str,
) -> Result<(), ViewError> {
    let surface = one(sketch, bone, index)?;
    let (pose, shape) = enclosing([(&surface.pose, &surface.shape)], kind)?;
    *surface = Surface { pose, shape };
    Ok(())
}

/// Removes one surface.
pub(crate) fn remove(sketch: &mut Sketch, bone: &str, index: usize) -> Result<(), ViewError> {
    one(sketch, bone, index)?;
    let bone = sketch.find(bone)?;
    sketch.bones[bone].surfaces.remove(index);
    Ok(())
}

/// Adds a surface to a bone.
pub(crate) fn add(bone: &mut Bone, surface: Surface) -> Result<(), ViewError> {
    let count = bone.surfaces.len();
    if count >= MAX_SURFACES {
        let what = "surfaces on the bone";
        return Err(ViewError::TooMany { what, count, max: MAX_SURFACES });
    }
    bone.surfaces.push(surface);
    Ok(())
}

fn one<'s>(sketch: &'s mut Sketch, bone: &str, index: usize) -> Result<&'s mut Surface, ViewError> {
    let at = sketch.find(bone)?;
    let unknown = || ViewError::Unknown { kind: "surface", name: format!("{bone}[{index}]") };
    sketch.bones[at].surfaces.get_mut(index).ok_or_else(unknown)
}

/// Gives a surface to each bone that has none.
pub(crate) fn flesh_out(sketch: &mut Sketch) -> Result<(), ViewError> {
    for index in 0..sketch.bones.len() {
        if !sketch.bones[index].surfaces.is_empty() {
            continue;
        }
        let [a, b] = sketch.ends_of(&sketch.bones[index]);
        let length = (b - a).norm();
        let direction = (b - a) / length;
        let radii = [WIDTH * length, WIDTH * length, REACH * length].map(rounded);
        let shape = Shape::superellipsoid(radii, EXPONENTS[0], EXPONENTS[1])?;
        let pose = posed((a + b) * 0.5, direction, tangent_basis(&direction).0);
        sketch.bones[index].surfaces.push(Surface { pose, shape });
    }
    Ok(())
}

/// Moves the surfaces of a bone with it, from a segment to another: the turn is the smallest one, lengths stay.
pub(crate) fn follow(bone: &mut Bone, from: [Vec3; 2], to: [Vec3; 2]) {
    let middle = |[a, b]: [Vec3; 2]| (a + b) * 0.5;
    let direction = |[a, b]: [Vec3; 2]| b - a;
    let turn = nalgebra::UnitQuaternion::rotation_between(&direction(from), &direction(to));
    // None when the bone points the other way: any half turn about an axis across it does.
    let across = || nalgebra::Unit::new_normalize(tangent_basis(&direction(from).normalize()).0);
    let half = || nalgebra::UnitQuaternion::from_axis_angle(&across(), std::f64::consts::PI);
    let turn = turn.unwrap_or_else(half);
    for surface in &mut bone.surfaces {
        let offset = surface.pose.translation.vector - middle(from);
        let place = middle(to) + turn * offset;
        surface.pose = Pose::from_parts(place.map(rounded).into(), turn * surface.pose.rotation);
    }
}
