//! How much of a link's mesh its surfaces contain, as it is sent: a line of JSON, then the corners of the triangles that
//! stick out, three 32-bit floats each, little-endian, in the frame of the link.

use serde::Serialize;

use super::cover::Covers;
use super::error::ViewError;
use super::json::json;
use super::meshes::MeshReader;
use smooth_scene_robot::GeometrySource;
use smooth_scene_scene::Snapshot;

/// The line before the triangles.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Head {
    Compared {
        revision: u64,
        covered: f64,
        proven: bool,
    },
    /// There is nothing to compare with.
    Without {
        reason: String,
    },
}

impl Head {
    fn bytes(&self) -> Vec<u8> {
        (json(self) + "\n").into_bytes()
    }
}

/// Compares the surfaces of a link with its collision meshes.
pub(super) fn cover_answer(
    meshes: &MeshReader,
    covers: &Covers,
    snapshot: &Snapshot,
    link: &str,
) -> Result<Vec<u8>, ViewError> {
    let model = snapshot.scene.model();
    let unknown = || ViewError::Unknown { kind: "link", name: link.into() };
    let id = model.link_id(link).ok_or_else(unknown)?;
    let bodies = match meshes.bodies(snapshot.robot, link, GeometrySource::Collision) {
        Ok(bodies) => bodies,
        Err(error) => return Ok(Head::Without { reason: error.to_string() }.bytes()),
    };
    let found = covers.cover(&bodies, &model.link(id).collisions);
    let (revision, covered, proven) = (snapshot.revision, found.covered, found.proven);
    let mut bytes = Head::Compared { revision, covered, proven }.bytes();
    let numbers = found.outside.iter().flatten().flat_map(|v| [v.x, v.y, v.z]);
    bytes.extend(numbers.flat_map(|x| (x as f32).to_le_bytes()));
    Ok(bytes)
}
