//! What can be done to a sketch. Each is carried out as a whole or refused with the reason.

use serde::Deserialize;

use super::ellipse::surface_of;
use super::mirror::mirror;
use super::model::{Motion, NodeId, Sketch, Surface, checked_name, checked_place, rounded};
use super::place::{Stroke, add_bones, plain_axis, split};
use super::preset::{self, Preset, unknown_node};
use super::surfaces;
use super::tree::check_no_loop;
use super::urdf::BASE;
use crate::error::ViewError;
use crate::wire::{PoseData, ShapeInput};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};

/// Shortest bone, m.
const LEAST_BONE: f64 = 1e-3;

/// One step. Bones are identified by their names; of surfaces, `link` is the bone.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum SketchEdit {
    /// A stroke becomes bones. `normal` points to the eye, `snap` is the distance at which ends are joined.
    Stroke { points: Vec<[f64; 3]>, normal: [f64; 3], snap: f64 },
    /// A closed stroke around a bone becomes a surface.
    Ellipse { points: Vec<[f64; 3]>, normal: [f64; 3], superovoid: bool },
    /// Moves a node, with the surfaces of its bones.
    MoveNode { node: NodeId, xyz: [f64; 3] },
    /// Puts a joint into a bone, at a share of its length.
    SplitBone { bone: String, share: f64 },
    /// Removes a bone.
    RemoveBone { bone: String },
    /// Names a bone.
    RenameBone { bone: String, name: String },
    /// Names the robot.
    RenameRobot { name: String },
    /// Makes a bone the one all others hang on.
    Root { bone: String },
    /// Says how a bone moves against the one it hangs on.
    Joint { bone: String, joint: Motion },
    /// Copies the left side to the right.
    Mirror {},
    /// Adds a preset, at a node if there is one.
    Preset { name: Preset, at: Option<NodeId> },
    /// Gives a surface to each bone that has none.
    FleshOut {},
    /// Removes everything.
    Clear {},
    /// Changes the shape of a surface.
    SurfaceShape { link: String, index: usize, shape: ShapeInput },
    /// Changes the pose of a surface, in the frame of the sketch.
    SurfacePose { link: String, index: usize, pose: PoseData },
    /// Replaces a surface by one of this kind that encloses it.
    EncloseSurface { link: String, index: usize, kind: String },
    /// Adds a surface to a bone.
    AddSurface { link: String, pose: PoseData, shape: ShapeInput },
    /// Removes a surface.
    RemoveSurface { link: String, index: usize },
}

impl SketchEdit {
    /// Carries it out. The sketch is only good for use if this succeeds.
    pub fn apply(&self, sketch: &mut Sketch) -> Result<(), ViewError> {
        match self {
            SketchEdit::Stroke { points, normal, snap } => {
                add_bones(sketch, &Stroke::new(points, *normal, *snap)?)?;
                check_no_loop(sketch)
            }
            SketchEdit::Ellipse { points, normal, superovoid } => {
                // Nothing is joined.
                let stroke = Stroke::new(points, *normal, 1.0)?;
                let make = |radii: [f64; 3]| match superovoid {
                    true => Ok(Shape::superovoid(radii, 1.0, 1.0, [0.0; 2])?),
                    false => Ok(Shape::superellipsoid(radii, 1.0, 1.0)?),
                };
                let (bone, surface) = surface_of(sketch, &stroke, make)?;
                surfaces::add(&mut sketch.bones[bone], surface)
            }
            SketchEdit::MoveNode { node, xyz } => move_node(sketch, *node, (*xyz).into()),
            SketchEdit::SplitBone { bone, share } => {
                let bone = sketch.find(bone)?;
                let [a, b] = sketch.ends_of(&sketch.bones[bone]);
                let across = (b - a).normalize().cross(&Vec3::x());
                let axis = if across.norm() > 0.1 { across.normalize() } else { Vec3::y() };
                split(sketch, bone, *share, Motion::hinge(plain_axis(axis))).map(drop)
            }
            SketchEdit::RemoveBone { bone } => {
                let bone = sketch.find(bone)?;
                sketch.remove_bone(bone);
                Ok(())
            }
            SketchEdit::RenameBone { bone, name } => rename(sketch, bone, name),
            SketchEdit::RenameRobot { name } => {
                sketch.name = checked_name(name)?.into();
                Ok(())
            }
            SketchEdit::Root { bone } => {
                sketch.find(bone)?;
                sketch.root = Some(bone.clone());
                Ok(())
            }
            SketchEdit::Joint { bone, joint } => {
                let bone = sketch.find(bone)?;
                sketch.bones[bone].motion = joint.checked()?;
                Ok(())
            }
            SketchEdit::Mirror {} => mirror(sketch),
            SketchEdit::Preset { name, at } => preset::add(sketch, *name, *at),
            SketchEdit::FleshOut {} => surfaces::flesh_out(sketch),
            SketchEdit::Clear {} => {
                *sketch = Sketch::named(&sketch.name);
                Ok(())
            }
            _ => self.apply_to_surface(sketch),
        }
    }

    fn apply_to_surface(&self, sketch: &mut Sketch) -> Result<(), ViewError> {
        match self {
            SketchEdit::SurfaceShape { link, index, shape } => {
                let shape = Shape::try_from(shape)?;
                surfaces::change(sketch, link, *index, |surface| {
                    surface.shape = shape;
                    Ok(())
                })
            }
            SketchEdit::SurfacePose { link, index, pose } => {
                let pose = placed(pose)?;
                surfaces::change(sketch, link, *index, |surface| {
                    surface.pose = pose;
                    Ok(())
                })
            }
            SketchEdit::EncloseSurface { link, index, kind } => {
                surfaces::enclose(sketch, link, *index, kind)
            }
            SketchEdit::AddSurface { link, pose, shape } => {
                let surface = Surface { pose: placed(pose)?, shape: Shape::try_from(shape)? };
                let bone = sketch.find(link)?;
                surfaces::add(&mut sketch.bones[bone], surface)
            }
            SketchEdit::RemoveSurface { link, index } => surfaces::remove(sketch, link, *index),
            _ => unreachable!("all others are carried out before"),
        }
    }
}

/// A pose within the range of the sketch.
fn placed(pose: &PoseData) -> Result<Pose, ViewError> {
    let mut pose = Pose::try_from(pose)?;
    pose.translation.vector = checked_place(pose.translation.vector)?;
    Ok(pose)
}

fn move_node(sketch: &mut Sketch, node: NodeId, to: Vec3) -> Result<(), ViewError> {
    let to = checked_place(to)?;
    if !sketch.nodes.contains_key(&node) {
        return Err(unknown_node(node));
    }
    let before: Vec<[Vec3; 2]> = sketch.bones.iter().map(|bone| sketch.ends_of(bone)).collect();
    sketch.nodes.insert(node, to.map(rounded));
    for (index, from) in before.into_iter().enumerate() {
        let to = sketch.ends_of(&sketch.bones[index]);
        let length = (to[1] - to[0]).norm();
        if length < LEAST_BONE {
            let what = format!("length of `{}`", sketch.bones[index].name);
            let range = format!("{LEAST_BONE} m or more");
            return Err(ViewError::BadValue { what, value: length, range });
        }
        if from != to {
            surfaces::follow(&mut sketch.bones[index], from, to);
        }
    }
    Ok(())
}

fn rename(sketch: &mut Sketch, bone: &str, name: &str) -> Result<(), ViewError> {
    let index = sketch.find(bone)?;
    let name = checked_name(name)?;
    if name == BASE {
        return Err(ViewError::Sketch(format!("`{BASE}` is the frame of the sketch")));
    }
    if sketch.bone_index(name).is_some_and(|other| other != index) {
        return Err(ViewError::Sketch(format!("there is a bone `{name}` already")));
    }
    if sketch.root.as_deref() == Some(bone) {
        sketch.root = Some(name.into());
    }
    sketch.bones[index].name = name.into();
    Ok(())
}
