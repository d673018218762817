//! Frames that messages name: those of the scene, and all others through `/tf`.

use std::cell::OnceCell;

use crate::convert::Refusal;
use crate::interfaces::std_msgs::msg::Header;
use crate::math::Pose;
use crate::robot::{LinkId, LinkPoses};
use crate::scene::PlanningScene;
use crate::transforms::{Transforms, When};

/// A common name for the frame of the root.
const WORLD: &str = "world";

/// Poses of the links, or why they are not known: only moving frames need them.
pub type CurrentPoses = Result<LinkPoses, Refusal>;

/// Poses of the links, computed when the first frame needs them: most edits name none that moves.
pub struct LazyPoses<'a> {
    compute: Box<dyn Fn() -> CurrentPoses + 'a>,
    computed: OnceCell<CurrentPoses>,
}

impl<'a> LazyPoses<'a> {
    /// Poses that this function computes.
    pub fn new(compute: impl Fn() -> CurrentPoses + 'a) -> Self {
        Self { compute: Box::new(compute), computed: OnceCell::new() }
    }

    /// The poses, or why they are not known.
    pub fn get(&self) -> &CurrentPoses {
        self.computed.get_or_init(&self.compute)
    }
}

impl std::fmt::Debug for LazyPoses<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("LazyPoses").field(&self.computed).finish()
    }
}

/// Where frames are: those of the scene in one state of the robot, all others as published.
#[derive(Debug, Clone, Copy)]
pub struct Frames<'a> {
    /// Where the links are.
    pub poses: &'a LazyPoses<'a>,
    /// What was published on `/tf` and `/tf_static`.
    pub transforms: &'a Transforms,
}

/// A frame of the scene that another frame is fixed to, and the pose of the other frame in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Anchor {
    /// Name of the frame of the scene.
    pub frame: String,
    /// Pose of the other frame in it.
    pub pose: Pose,
}

/// Whether the name means the root of the robot: its name, nothing, or `world` if nothing else is called so.
pub fn is_root(scene: &PlanningScene, name: &str) -> bool {
    name.is_empty() || name == root(scene) || (name == WORLD && scene.body(name).is_none())
}

/// A frame name without the slash that frame names had in front in ROS 1.
pub fn plain(name: &str) -> &str {
    name.strip_prefix('/').unwrap_or(name)
}

/// The frame of a header as seen from a frame of the scene.
///
/// Links, objects and subframes are looked up in the scene. A frame that is published below a link of the robot is taken from
/// that link on, so that it moves with the state of the question. Any other frame is looked up from the root of the robot. The
/// time is that of the header, or the latest one if that is zero. `world` is the root unless it is published.
pub fn anchor(
    scene: &PlanningScene,
    header: &Header,
    transforms: &Transforms,
) -> Result<Anchor, Refusal> {
    let name = plain(&header.frame_id);
    let buffer = transforms.buffer();
    let is_published_world = name == WORLD && name != root(scene) && buffer.has(name);
    if is_in_scene(scene, name) || (is_root(scene, name) && !is_published_world) {
        return Ok(Anchor { frame: name.into(), pose: Pose::identity() });
    }
    let when = match (header.stamp.sec, header.stamp.nanosec) {
        (0, 0) => When::Latest,
        (sec, nanosec) => When::At(i64::from(sec) * 1_000_000_000 + i64::from(nanosec)),
    };
    let is_link = |name: &str| scene.model().link_id(name).is_some();
    let frame = buffer.ancestor(name, is_link).unwrap_or_else(|| root(scene));
    let pose = buffer.lookup(frame, name, when).map_err(Refusal::no_transform)?;
    Ok(Anchor { frame: frame.into(), pose })
}

/// Where the frame of a header is in the root. `field` is where the header stands in the message.
pub fn frame(
    scene: &PlanningScene,
    header: &Header,
    frames: &Frames<'_>,
    field: &dyn Fn() -> String,
) -> Result<Pose, Refusal> {
    let anchor = anchor(scene, header, frames.transforms).map_err(|why| why.within(field()))?;
    Ok(scene_frame(scene, &anchor.frame, frames.poses, field)? * anchor.pose)
}

/// Where a frame of the scene is in the root: a link, an object, or a subframe of an object as `object/subframe`. `field`
/// is where the name stands in the message.
pub fn scene_frame(
    scene: &PlanningScene,
    name: &str,
    poses: &LazyPoses<'_>,
    field: &dyn Fn() -> String,
) -> Result<Pose, Refusal> {
    let name = plain(name);
    if is_root(scene, name) {
        return Ok(Pose::identity());
    }
    let unknown = |error| Refusal::bad_request(format!("{}: {error}", field()));
    // Objects of the world stand where they stand, whatever the robot does.
    if !moves(scene, name) {
        return scene.frame(name, &LinkPoses::new()).map_err(unknown);
    }
    scene.frame(name, poses.get().as_ref().map_err(Clone::clone)?).map_err(unknown)
}

/// Whether the scene says where the frame is.
pub fn is_in_scene(scene: &PlanningScene, name: &str) -> bool {
    moves(scene, name) || scene.frame(name, &LinkPoses::new()).is_ok()
}

fn root(scene: &PlanningScene) -> &str {
    let model = scene.model();
    &model.link(model.root()).name
}

/// The link that a frame of the scene moves with: itself, or what carries it. None for frames of the world.
pub fn carrying_link(scene: &PlanningScene, name: &str) -> Option<LinkId> {
    let name = plain(name);
    let carrier = |name: &str| scene.attached_object(name).map(|item| item.link);
    let by_prefix = || name.match_indices('/').find_map(|(at, _)| carrier(&name[..at]));
    scene.model().link_id(name).or_else(|| carrier(name)).or_else(by_prefix)
}

/// Whether the frame belongs to a link or to something a link carries.
fn moves(scene: &PlanningScene, name: &str) -> bool {
    let carried = |name: &str| scene.attached_object(name).is_some();
    scene.model().link_id(name).is_some()
        || carried(name)
        || name.match_indices('/').any(|(at, _)| carried(&name[..at]))
}
