//! One object: a name, a pose, shapes, and named frames on it.

use std::sync::Arc;

use crate::error::SceneError;
use smooth_scene_geometry::math::Pose;
use smooth_scene_geometry::{Aabb, LENGTH_RANGE, Shape};

/// The most shapes one object may have.
pub const MAX_SHAPES: usize = 100_000;
/// Longest name, in bytes.
const MAX_NAME: usize = 1024;

/// The shapes of an object. One shape at the object's own origin, the usual case, is stored in place: it is what keeps
/// a hundred thousand objects small.
#[derive(Debug, Clone, PartialEq)]
enum Shapes {
    One(Shape),
    Many(Arc<[(Pose, Shape)]>),
}

/// Names and poses.
type Subframes = Arc<[(Box<str>, Pose)]>;

/// An object, not yet or no longer part of a scene, or part of one: immutable but for its pose.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneObject {
    name: Box<str>,
    pose: Pose,
    shapes: Shapes,
    /// Named frames in the object's frame, sorted by name.
    subframes: Option<Subframes>,
}

impl SceneObject {
    /// An object of one shape at its own origin. The pose is that in the world, or in the link for attached objects.
    pub fn simple(name: &str, pose: Pose, shape: Shape) -> Result<Self, SceneError> {
        check_name(name)?;
        check_pose("pose", name, &pose)?;
        Ok(Self { name: name.into(), pose, shapes: Shapes::One(shape), subframes: None })
    }

    /// An object of several shapes, each with its pose in the object's frame.
    pub fn new(name: &str, pose: Pose, shapes: Vec<(Pose, Shape)>) -> Result<Self, SceneError> {
        check_name(name)?;
        check_pose("pose", name, &pose)?;
        if shapes.is_empty() || shapes.len() > MAX_SHAPES {
            let (name, count) = (name.to_string(), shapes.len());
            return Err(SceneError::ShapeCount { name, count, max: MAX_SHAPES });
        }
        for (pose, _) in &shapes {
            check_pose("pose of a shape", name, pose)?;
        }
        let shapes = match shapes.as_slice() {
            [(at, shape)] if *at == Pose::identity() => Shapes::One(shape.clone()),
            _ => Shapes::Many(shapes.into()),
        };
        Ok(Self { name: name.into(), pose, shapes, subframes: None })
    }

    /// The object with these named frames, in place of those it had.
    pub fn with_subframes(mut self, frames: Vec<(String, Pose)>) -> Result<Self, SceneError> {
        let mut sorted: Vec<(Box<str>, Pose)> = Vec::with_capacity(frames.len());
        for (frame, pose) in frames {
            check_name(&frame)?;
            check_pose("pose of a subframe", &self.name, &pose)?;
            sorted.push((frame.into(), pose));
        }
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let name = format!("{}/{}", self.name, twice[0].0);
            return Err(SceneError::NameTaken { name, by: "another subframe" });
        }
        self.subframes = (!sorted.is_empty()).then(|| sorted.into());
        Ok(self)
    }

    /// The object with more shapes after those it has.
    pub fn with_appended(&self, more: Vec<(Pose, Shape)>) -> Result<Self, SceneError> {
        let mut shapes: Vec<(Pose, Shape)> = self.shapes().map(|(p, s)| (p, s.clone())).collect();
        shapes.extend(more);
        let grown = Self::new(&self.name, self.pose, shapes)?;
        Ok(Self { subframes: self.subframes.clone(), ..grown })
    }

    /// The object elsewhere.
    pub fn with_pose(&self, pose: Pose) -> Result<Self, SceneError> {
        check_pose("pose", &self.name, &pose)?;
        Ok(Self { pose, ..self.clone() })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its pose in the world, or in the link it is attached to.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Its shapes with their poses in its frame, as they were given.
    pub fn shapes(&self) -> impl ExactSizeIterator<Item = (Pose, &Shape)> {
        let (one, many): (Option<&Shape>, &[(Pose, Shape)]) = match &self.shapes {
            Shapes::One(shape) => (Some(shape), &[]),
            Shapes::Many(shapes) => (None, shapes),
        };
        let count = if one.is_some() { 1 } else { many.len() };
        (0..count).map(move |k| match one {
            Some(shape) => (Pose::identity(), shape),
            None => (many[k].0, &many[k].1),
        })
    }

    /// Named frames in its frame, sorted by name.
    pub fn subframes(&self) -> impl Iterator<Item = (&str, &Pose)> {
        self.subframes.iter().flat_map(|frames| frames.iter()).map(|(name, pose)| (&**name, pose))
    }

    /// The convex parts in order, with their poses in the object's frame: compounds taken apart.
    pub fn for_each_part(&self, mut visit: impl FnMut(&Pose, &Shape)) {
        for (pose, shape) in self.shapes() {
            for_each_part_of(&pose, shape, &mut visit);
        }
    }

    /// The tightest box around it along the axes of the frame its pose is in.
    pub fn aabb(&self) -> Aabb {
        let mut whole: Option<Aabb> = None;
        for (pose, shape) in self.shapes() {
            let aabb = shape.aabb(&(self.pose * pose));
            whole = Some(whole.map_or(aabb, |whole| whole.merged(&aabb)));
        }
        whole.expect("an object has at least one shape")
    }
}

/// Visits a shape, or the parts of a compound.
pub(crate) fn for_each_part_of(pose: &Pose, shape: &Shape, visit: &mut impl FnMut(&Pose, &Shape)) {
    match shape {
        Shape::Compound(compound) => {
            compound.parts().iter().for_each(|(local, part)| visit(&(pose * local), part));
        }
        shape => visit(pose, shape),
    }
}

fn check_name(name: &str) -> Result<(), SceneError> {
    let reason = if name.is_empty() {
        "it is empty"
    } else if name.len() > MAX_NAME {
        "it is longer than 1024 bytes"
    } else if name == "<octomap>" {
        "the name is reserved"
    } else {
        return Ok(());
    };
    Err(SceneError::BadName { name: name.chars().take(80).collect(), reason })
}

pub(crate) fn check_pose(what: &'static str, name: &str, pose: &Pose) -> Result<(), SceneError> {
    let origin = pose.translation.vector;
    let (value, range) = if !origin.iter().all(|x| x.abs() <= *LENGTH_RANGE.end()) {
        (format!("at [{}, {}, {}]", origin.x, origin.y, origin.z), "within 1e6 m of the origin")
    } else if let norm = pose.rotation.norm()
        && (norm.is_nan() || (norm - 1.0).abs() > 1e-6)
    {
        (format!("turned by a quaternion of norm {norm}"), "turned by a unit quaternion")
    } else {
        return Ok(());
    };
    Err(SceneError::BadPose { what, name: name.into(), value, range })
}
