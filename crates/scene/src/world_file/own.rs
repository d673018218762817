//! The format of this project: a list of objects.

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::values::{
    Fields, Refusal, ShapeSet, Value, WHOLE_FILE, read_pose, read_shape,
};

use super::{ObjectPlace, WorldObject};
use crate::SceneObject;

/// Fields of an object.
const OBJECT: [&str; 7] = ["id", "pose", "shape", "shapes", "link", "touch_links", "subframes"];

pub(super) fn objects(list: &Value) -> Result<Vec<WorldObject>, Refusal> {
    let items = list.items(WHOLE_FILE)?.iter().enumerate();
    items.map(|(index, item)| object(&path(index, item), item)).collect()
}

/// How messages call an object: by its place, and by its id where it has one.
fn path(index: usize, object: &Value) -> String {
    let id = match object {
        Value::Map(entries) => entries.iter().find(|(name, _)| name == "id"),
        _ => None,
    };
    match id {
        Some((_, Value::Text(id))) if id.len() <= 80 => format!("object {} (`{id}`)", index + 1),
        _ => format!("object {}", index + 1),
    }
}

fn object(path: &str, value: &Value) -> Result<WorldObject, Refusal> {
    let fields = Fields::of(path, value, &OBJECT)?;
    let id = fields.text("id")?;
    let pose = optional_pose(&fields)?;
    let (shapes, subframes) = (shapes(&fields)?, subframes(&fields)?);
    let object = SceneObject::new(id, pose, shapes)
        .and_then(|object| object.with_subframes(subframes))
        .map_err(|error| Refusal::new(path, error.to_string()))?;
    Ok(WorldObject { object, place: place(&fields)? })
}

fn optional_pose(fields: &Fields<'_>) -> Result<Pose, Refusal> {
    match fields.optional("pose") {
        Some(pose) => read_pose(&fields.path("pose"), pose),
        None => Ok(Pose::identity()),
    }
}

/// `shapes`, each with its pose in the object, or one `shape`.
fn shapes(fields: &Fields<'_>) -> Result<Vec<(Pose, Shape)>, Refusal> {
    let one = |(path, value): (String, &Value)| {
        let (shape, fields) = read_shape(&path, value, ShapeSet::All, &["pose"])?;
        Ok((optional_pose(&fields)?, shape))
    };
    match (fields.optional("shape"), fields.optional("shapes")) {
        (Some(shape), None) => Ok(vec![one((fields.path("shape"), shape))?]),
        (None, Some(shapes)) => shapes.each_item(&fields.path("shapes"))?.map(one).collect(),
        (None, None) => Err(Refusal::new(fields.own_path(), "field `shapes` is missing")),
        (Some(_), Some(_)) => {
            Err(Refusal::new(fields.own_path(), "has both shape and shapes, must have one of them"))
        }
    }
}

fn subframes(fields: &Fields<'_>) -> Result<Vec<(String, Pose)>, Refusal> {
    let path = fields.path("subframes");
    let Some(subframes) = fields.optional("subframes") else { return Ok(Vec::new()) };
    let entries = subframes.entries(&path)?.iter();
    entries
        .map(|(name, pose)| Ok((name.clone(), read_pose(&format!("{path}.{name}"), pose)?)))
        .collect()
}

fn place(fields: &Fields<'_>) -> Result<ObjectPlace, Refusal> {
    let touch_links = match fields.optional("touch_links") {
        None => Vec::new(),
        Some(links) => {
            let links = links.each_item(&fields.path("touch_links"))?;
            links.map(|(path, link)| Ok(link.text(&path)?.to_string())).collect::<Result<_, _>>()?
        }
    };
    match fields.optional("link") {
        Some(link) => {
            Ok(ObjectPlace::Link { link: link.text(&fields.path("link"))?.into(), touch_links })
        }
        None if fields.optional("touch_links").is_some() => {
            let reason = "is given without `link`, must belong to an attached object";
            Err(Refusal::new(&fields.path("touch_links"), reason))
        }
        None => Ok(ObjectPlace::World { frame: String::new() }),
    }
}
