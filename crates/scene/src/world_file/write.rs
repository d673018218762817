//! Objects → text.

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::values::{pose_text, quoted_text, shape_text};

use super::{ObjectPlace, WorldFile, WorldFileError, WorldObject};

impl WorldFile {
    /// The objects in the format of this project. Reading it gives the same objects to the last bit; only the vertices of
    /// meshes may come in another order.
    pub fn to_yaml(&self) -> Result<String, WorldFileError> {
        if self.objects().is_empty() {
            return Ok("[]\n".into());
        }
        self.objects().iter().map(object).collect()
    }
}

fn object(WorldObject { object, place }: &WorldObject) -> Result<String, WorldFileError> {
    let mut text = format!("- id: {}\n", quoted_text(object.name()));
    if let Some(pose) = pose_text(object.pose()) {
        text += &format!("  pose: {pose}\n");
    }
    match place {
        ObjectPlace::World { .. } => {}
        ObjectPlace::Link { link, touch_links } => {
            text += &format!("  link: {}\n", quoted_text(link));
            if !touch_links.is_empty() {
                let names: Vec<String> = touch_links.iter().map(|name| quoted_text(name)).collect();
                text += &format!("  touch_links: [{}]\n", names.join(", "));
            }
        }
    }
    text += "  shapes:\n";
    for (pose, shape) in object.shapes() {
        let shape = shape_item(&pose, shape)
            .map_err(|reason| WorldFileError::Unwritable { name: object.name().into(), reason })?;
        text += &format!("    - {shape}\n");
    }
    if object.subframes().next().is_some() {
        text += "  subframes:\n";
    }
    for (name, pose) in object.subframes() {
        let pose = pose_text(pose);
        let pose = pose.as_deref().unwrap_or("{}");
        text += &format!("    {}: {pose}\n", quoted_text(name));
    }
    Ok(text)
}

fn shape_item(pose: &Pose, shape: &Shape) -> Result<String, &'static str> {
    let shape = shape_text(shape)?;
    Ok(match pose_text(pose) {
        None => format!("{{{shape}}}"),
        Some(pose) => format!("{{{shape}, pose: {pose}}}"),
    })
}
