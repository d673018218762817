//! What the page is told about the sketch.

use serde::Serialize;

use super::model::{Bone, Motion, NodeId, Sketch};
use super::tree::{branches, root, whole_tree};
use crate::picture::SurfaceData;

/// The sketch, as it is sent.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "sketch")]
pub(crate) struct SketchMessage<'a> {
    name: &'a str,
    root: Option<&'a str>,
    nodes: Vec<NodeData>,
    bones: Vec<BoneData<'a>>,
    undo: usize,
    redo: usize,
    /// Why it cannot be saved yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

#[derive(Debug, Serialize)]
struct NodeData {
    id: NodeId,
    xyz: [f64; 3],
}

#[derive(Debug, Serialize)]
struct BoneData<'a> {
    name: &'a str,
    ends: [NodeId; 2],
    /// The bone it hangs on, and the node where its joint is; none for the root and for loose bones.
    parent: Option<&'a str>,
    near: Option<NodeId>,
    joint: Motion,
    surfaces: Vec<SurfaceData>,
}

impl<'a> SketchMessage<'a> {
    pub fn new(sketch: &'a Sketch, [undo, redo]: [usize; 2]) -> Self {
        let tree = branches(sketch);
        let bone = |(index, bone): (usize, &'a Bone)| {
            let branch = tree.iter().find(|branch| branch.bone == index);
            let parent = branch.and_then(|branch| branch.parent);
            BoneData {
                name: &bone.name,
                ends: bone.ends,
                parent: parent.map(|parent| sketch.bones[tree[parent].bone].name.as_str()),
                near: branch.filter(|branch| branch.parent.is_some()).map(|branch| branch.near),
                joint: bone.motion,
                surfaces: bone
                    .surfaces
                    .iter()
                    .map(|s| SurfaceData::new(&s.pose, &s.shape))
                    .collect(),
            }
        };
        Self {
            name: &sketch.name,
            root: root(sketch).map(|bone| sketch.bones[bone].name.as_str()),
            nodes: sketch
                .nodes
                .iter()
                .map(|(id, at)| NodeData { id: *id, xyz: (*at).into() })
                .collect(),
            bones: sketch.bones.iter().enumerate().map(bone).collect(),
            undo,
            redo,
            problem: whole_tree(sketch).err().map(|error| error.to_string()),
        }
    }
}
