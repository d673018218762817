//! The edited robot as URDF.

use super::error::ViewError;
use smooth_scene_robot::{DocumentEdit, LinkSurface, LoadedRobot, RobotModel};

/// The text of the robot's URDF with the surfaces it has now. Links that were not edited keep every byte.
pub(super) fn edited_urdf(described: &LoadedRobot, now: &RobotModel) -> Result<String, ViewError> {
    let mut edits = Vec::new();
    for before in described.model.links() {
        let unknown = || ViewError::NoDocument;
        let after = now.link(now.link_id(&before.name).ok_or_else(unknown)?);
        if before.collisions == after.collisions {
            continue;
        }
        let in_file = described.document.links().iter().find(|link| link.name == before.name);
        let count = in_file.map_or(0, |link| link.collisions.len());
        if count == after.collisions.len() && same_places(&before.collisions, &after.collisions) {
            let pairs = before.collisions.iter().zip(&after.collisions).enumerate();
            let changed = pairs.filter(|(_, (old, new))| old.shape != new.shape);
            edits.extend(changed.map(|(index, (_, new))| DocumentEdit::Shape {
                link: before.name.clone(),
                index,
                shape: new.shape.clone(),
            }));
        } else {
            let (link, collisions) = (before.name.clone(), after.collisions.clone());
            edits.push(DocumentEdit::Collisions { link, collisions });
        }
    }
    Ok(described.document.write(&edits)?)
}

/// Whether two lists differ in shapes at most.
fn same_places(before: &[LinkSurface], after: &[LinkSurface]) -> bool {
    let place = |c: &LinkSurface| (c.name.clone(), c.pose_in_link);
    before.len() == after.len() && before.iter().zip(after).all(|(a, b)| place(a) == place(b))
}
