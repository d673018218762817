//! Scenes of MoveIt as YAML: moveit_msgs/PlanningScene as `ros2 topic echo` prints it, and the shorter form of robowflex and
//! MotionBenchMaker, in which points and quaternions are lists and primitives have names.
//!
//! Objects and attached objects are read. What would make the scene smaller or shift it and is not used here (an octree,
//! padding, scale, moved frames) is refused; what the robot's own files say (joint positions, allowed pairs) is left out
//! with a note.

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::values::{
    Fields, Refusal, ShapeSet, Value, read_position, read_rotation, read_shape,
};

use super::{ObjectPlace, WorldObject};
use crate::SceneObject;

const SCENE: [&str; 10] = [
    "world",
    "robot_state",
    "allowed_collision_matrix",
    "link_padding",
    "link_scale",
    "fixed_frame_transforms",
    "name",
    "robot_model_name",
    "object_colors",
    "is_diff",
];
const OBJECT: [&str; 13] = [
    "id",
    "header",
    "pose",
    "primitives",
    "primitive_poses",
    "meshes",
    "mesh_poses",
    "planes",
    "plane_poses",
    "subframe_names",
    "subframe_poses",
    "type",
    "operation",
];

/// The objects of a scene, and what was left out.
pub(super) fn objects(scene: &Value) -> Result<(Vec<WorldObject>, Vec<String>), Refusal> {
    let scene = Fields::of("", scene, &SCENE)?;
    refuse_sizes(&scene, "link_padding", "padding", 0.0)?;
    refuse_sizes(&scene, "link_scale", "scale", 1.0)?;
    refuse_moved_frames(&scene)?;
    let mut notes = Vec::new();
    if scene.optional("allowed_collision_matrix").is_some() {
        let note = "allowed_collision_matrix is not used: the SRDF says which pairs may touch";
        notes.push(note.into());
    }
    let mut all = world(&scene)?;
    if let Some(state) = scene.optional("robot_state") {
        notes.push("robot_state: joint positions are not used".into());
        all.extend(attached(state)?);
    }
    Ok((all, notes))
}

fn world(scene: &Fields<'_>) -> Result<Vec<WorldObject>, Refusal> {
    let Some(world) = scene.optional("world") else { return Ok(Vec::new()) };
    let fields = Fields::of("world", world, &["collision_objects", "octomap"])?;
    if let Some(octree) = fields.optional("octomap")
        && !is_empty_octree(octree)
    {
        let reason =
            "is not empty; octrees are not supported, and without it the world would be too small";
        return Err(Refusal::new("world.octomap", reason));
    }
    let Some(objects) = fields.optional("collision_objects") else { return Ok(Vec::new()) };
    let one = |(path, value): (String, &Value)| {
        let (object, frame) = object(&path, value)?;
        Ok(WorldObject { object, place: ObjectPlace::World { frame } })
    };
    objects.each_item("world.collision_objects")?.map(one).collect()
}

/// Whether an octomap_msgs/OctomapWithPose has no data.
fn is_empty_octree(value: &Value) -> bool {
    let field = |value: &Value, name: &str| match value {
        Value::Map(entries) => entries.iter().find(|(key, _)| key == name).map(|(_, v)| v.clone()),
        _ => None,
    };
    match field(value, "octomap").and_then(|octomap| field(&octomap, "data")) {
        Some(Value::List(data)) => data.is_empty(),
        Some(_) => false,
        None => matches!(value, Value::Null) || matches!(value, Value::Map(m) if m.is_empty()),
    }
}

fn attached(state: &Value) -> Result<Vec<WorldObject>, Refusal> {
    let known = ["joint_state", "multi_dof_joint_state", "attached_collision_objects", "is_diff"];
    let fields = Fields::of("robot_state", state, &known)?;
    let Some(objects) = fields.optional("attached_collision_objects") else {
        return Ok(Vec::new());
    };
    let one = |(path, value): (String, &Value)| {
        let known = ["link_name", "object", "touch_links", "detach_posture", "weight"];
        let fields = Fields::of(&path, value, &known)?;
        let link = fields.text("link_name")?.to_string();
        let (object, frame) = object(&fields.path("object"), fields.required("object")?)?;
        if !frame.is_empty() && frame != link {
            let reason =
                format!("is `{frame}`, must be `{link}`, the link that carries the object");
            return Err(Refusal::new(&fields.path("object.header.frame_id"), reason));
        }
        let touch_links = texts(&fields, "touch_links")?;
        Ok(WorldObject { object, place: ObjectPlace::Link { link, touch_links } })
    };
    objects.each_item("robot_state.attached_collision_objects")?.map(one).collect()
}

/// Refuses padding and scale of links that would change their size.
fn refuse_sizes(
    scene: &Fields<'_>,
    list: &str,
    field: &'static str,
    neutral: f64,
) -> Result<(), Refusal> {
    let Some(sizes) = scene.optional(list) else { return Ok(()) };
    for (path, size) in sizes.each_item(list)? {
        let fields = Fields::of(&path, size, &["link_name", field])?;
        let value = fields.number(field)?;
        if value != neutral {
            let reason = format!("is {value}, must be {neutral}: sizes of links are not read here");
            return Err(Refusal::new(&fields.path(field), reason));
        }
    }
    Ok(())
}

/// Refuses frames that are not those of the root.
fn refuse_moved_frames(scene: &Fields<'_>) -> Result<(), Refusal> {
    let Some(frames) = scene.optional("fixed_frame_transforms") else { return Ok(()) };
    for (path, frame) in frames.each_item("fixed_frame_transforms")? {
        let fields = Fields::of(&path, frame, &["header", "child_frame_id", "transform"])?;
        let path = fields.path("transform");
        let transform =
            Fields::of(&path, fields.required("transform")?, &["translation", "rotation"])?;
        if pose_of(&transform, "translation", "rotation")? != Pose::identity() {
            let reason =
                "is not the identity; frames other than the robot's root are not supported";
            return Err(Refusal::new(&path, reason));
        }
    }
    Ok(())
}

/// An object and the name of its frame.
fn object(path: &str, value: &Value) -> Result<(SceneObject, String), Refusal> {
    let fields = Fields::of(path, value, &OBJECT)?;
    let id = fields.text("id")?;
    if let Some(operation) = fields.optional("operation")
        && !matches!(operation, Value::Whole(0))
        && !matches!(operation, Value::Text(text) if text == "add")
    {
        return Err(Refusal::new(&fields.path("operation"), "must be 0 or `add`"));
    }
    let frame = match fields.optional("header") {
        None => String::new(),
        Some(header) => {
            let header = Fields::of(&fields.path("header"), header, &["frame_id", "stamp", "seq"])?;
            match header.optional("frame_id") {
                None => String::new(),
                Some(frame) => frame.text(&header.path("frame_id"))?.into(),
            }
        }
    };
    let pose = match fields.optional("pose") {
        None => Pose::identity(),
        Some(value) => pose(&fields.path("pose"), value)?,
    };
    let mut shapes = with_poses(&fields, "primitives", "primitive_poses", primitive)?;
    shapes.extend(with_poses(&fields, "meshes", "mesh_poses", mesh)?);
    shapes.extend(with_poses(&fields, "planes", "plane_poses", plane)?);
    let names = texts(&fields, "subframe_names")?;
    let poses = poses(&fields, "subframe_poses")?;
    if names.len() != poses.len() {
        let (names, poses) = (names.len(), poses.len());
        let reason = format!("has {poses} subframe_poses for {names} subframe_names");
        return Err(Refusal::new(path, reason));
    }
    let object = SceneObject::new(id, pose, shapes)
        .and_then(|object| object.with_subframes(names.into_iter().zip(poses).collect()))
        .map_err(|error| Refusal::new(path, error.to_string()))?;
    Ok((object, frame))
}

/// The shapes of a list with their poses from another; poses that are missing are the identity.
fn with_poses(
    fields: &Fields<'_>,
    shapes: &str,
    poses_field: &str,
    read: fn(&str, &Value) -> Result<Shape, Refusal>,
) -> Result<Vec<(Pose, Shape)>, Refusal> {
    let poses = poses(fields, poses_field)?;
    let items: Vec<(String, &Value)> = match fields.optional(shapes) {
        None => Vec::new(),
        Some(items) => items.each_item(&fields.path(shapes))?.collect(),
    };
    if poses.len() > items.len() {
        let reason = format!("has {} entries for {} {shapes}", poses.len(), items.len());
        return Err(Refusal::new(&fields.path(poses_field), reason));
    }
    let poses = poses.into_iter().chain(std::iter::repeat(Pose::identity()));
    items.iter().zip(poses).map(|((path, item), pose)| Ok((pose, read(path, item)?))).collect()
}

fn primitive(path: &str, value: &Value) -> Result<Shape, Refusal> {
    let fields = Fields::of(path, value, &["type", "dimensions", "polygon"])?;
    let kind = match fields.required("type")? {
        Value::Text(name) => name.as_str(),
        Value::Whole(1) => "box",
        Value::Whole(2) => "sphere",
        Value::Whole(3) => "cylinder",
        Value::Whole(4) => "cone",
        other => {
            let reason = match other {
                Value::Whole(number) => format!("is {number}, must be 1 to 4"),
                other => format!("is {}, must be a name or a number", other.kind()),
            };
            return Err(Refusal::new(&fields.path("type"), reason));
        }
    };
    let dimensions = fields.required("dimensions")?;
    let at = fields.path("dimensions");
    let entry = |name: &str, value: Value| (name.to_string(), value);
    let number = Value::Number;
    let mut map = vec![entry("type", Value::Text(kind.into()))];
    match kind {
        "box" => map.push(entry("size", dimensions.clone())),
        "sphere" => {
            let [radius] = dimensions.numbers(&at)?;
            map.push(entry("radius", number(radius)));
        }
        "cylinder" | "cone" => {
            let [height, radius] = dimensions.numbers(&at)?;
            map.push(entry("radius", number(radius)));
            map.push(entry("length", number(height)));
        }
        other => {
            let reason = format!("is `{other}`, must be one of: box, sphere, cylinder, cone");
            return Err(Refusal::new(&fields.path("type"), reason));
        }
    }
    Ok(read_shape(path, &Value::Map(map), ShapeSet::All, &[])?.0)
}

/// The convex hull of a mesh.
fn mesh(path: &str, value: &Value) -> Result<Shape, Refusal> {
    let fields = Fields::of(path, value, &["vertices", "triangles", "resource", "dimensions"])?;
    if fields.optional("resource").is_some() {
        let reason = "names a mesh file, which is not read here; give the vertices";
        return Err(Refusal::new(&fields.path("resource"), reason));
    }
    let vertices = fields.required("vertices")?.each_item(&fields.path("vertices"))?;
    let vertices: Vec<Vec3> =
        vertices.map(|(path, vertex)| point(&path, vertex)).collect::<Result<_, _>>()?;
    Shape::convex_mesh(&vertices).map_err(|error| Refusal::new(path, error.to_string()))
}

/// The half-space below a plane: a·x + b·y + c·z + d ≤ 0.
fn plane(path: &str, value: &Value) -> Result<Shape, Refusal> {
    let fields = Fields::of(path, value, &["coef"])?;
    let [a, b, c, d]: [f64; 4] = fields.required("coef")?.numbers(&fields.path("coef"))?;
    let length = Vec3::new(a, b, c).norm();
    let offset = if length > 0.0 { -d / length } else { 0.0 };
    Shape::half_space([a, b, c], offset)
        .map_err(|error| Refusal::new(&fields.path("coef"), error.to_string()))
}

fn poses(fields: &Fields<'_>, name: &str) -> Result<Vec<Pose>, Refusal> {
    let Some(poses) = fields.optional(name) else { return Ok(Vec::new()) };
    poses.each_item(&fields.path(name))?.map(|(path, value)| pose(&path, value)).collect()
}

fn texts(fields: &Fields<'_>, name: &str) -> Result<Vec<String>, Refusal> {
    let Some(texts) = fields.optional(name) else { return Ok(Vec::new()) };
    let texts = texts.each_item(&fields.path(name))?;
    texts.map(|(path, text)| Ok(text.text(&path)?.to_string())).collect()
}

fn pose(path: &str, value: &Value) -> Result<Pose, Refusal> {
    pose_of(&Fields::of(path, value, &["position", "orientation"])?, "position", "orientation")
}

/// A pose in two fields; one that is missing is zero or the identity.
fn pose_of(fields: &Fields<'_>, position: &str, rotation: &str) -> Result<Pose, Refusal> {
    let at = match fields.optional(position) {
        None => Vec3::zeros(),
        Some(value) => point(&fields.path(position), value)?,
    };
    let rotation = match fields.optional(rotation) {
        None => Pose::identity().rotation,
        Some(value) => {
            let path = fields.path(rotation);
            read_rotation(&path, components(&path, value, ["x", "y", "z", "w"])?)?
        }
    };
    Ok(Pose::from_parts(at.into(), rotation))
}

fn point(path: &str, value: &Value) -> Result<Vec3, Refusal> {
    read_position(path, components(path, value, ["x", "y", "z"])?)
}

/// Numbers as a list, or by their names.
fn components<const N: usize>(
    path: &str,
    value: &Value,
    names: [&'static str; N],
) -> Result<[f64; N], Refusal> {
    if !matches!(value, Value::Map(_)) {
        return value.numbers(path);
    }
    let fields = Fields::of(path, value, &names)?;
    let mut numbers = [0.0; N];
    for (number, name) in numbers.iter_mut().zip(names) {
        *number = fields.number(name)?;
    }
    Ok(numbers)
}
