//! The sketch as a tree of links: which bone hangs on which, and by which of its ends.
//!
//! Bones that meet at a node: the one nearest to the root carries the others. On the root bone others hang at both ends.

use super::model::{NodeId, Sketch};
use crate::error::ViewError;

/// A bone in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Branch {
    /// Its place in the list of bones.
    pub bone: usize,
    /// The branch it hangs on, by its place in the tree; none for the root.
    pub parent: Option<usize>,
    /// The end at which it hangs, where its joint is.
    pub near: NodeId,
    /// The other end.
    pub far: NodeId,
}

/// The bone all others hang on.
pub(crate) fn root(sketch: &Sketch) -> Option<usize> {
    let named = sketch.root.as_ref().and_then(|name| sketch.bone_index(name));
    named.or((!sketch.bones.is_empty()).then_some(0))
}

/// The bones that hang on the root, parents before children, in the order of the list where there is a choice.
pub(crate) fn branches(sketch: &Sketch) -> Vec<Branch> {
    let Some(first) = root(sketch) else { return Vec::new() };
    let [near, far] = sketch.bones[first].ends;
    let mut tree = vec![Branch { bone: first, parent: None, near, far }];
    let mut reached = vec![false; sketch.bones.len()];
    reached[first] = true;
    let mut next = 0;
    while let Some(&branch) = tree.get(next) {
        for (bone, other) in sketch.bones.iter().enumerate() {
            let at_root = branch.parent.is_none() && other.ends.contains(&branch.near);
            let joint = if other.ends.contains(&branch.far) { branch.far } else { branch.near };
            if reached[bone] || !(at_root || joint == branch.far) {
                continue;
            }
            reached[bone] = true;
            let far = other.ends[usize::from(other.ends[0] == joint)];
            tree.push(Branch { bone, parent: Some(next), near: joint, far });
        }
        next += 1;
    }
    tree
}

/// All bones as one tree, or why they are none.
pub(crate) fn whole_tree(sketch: &Sketch) -> Result<Vec<Branch>, ViewError> {
    let tree = branches(sketch);
    let Some(first) = tree.first() else {
        return Err(ViewError::Sketch("nothing is drawn yet: draw a bone first".into()));
    };
    let is_reached = |bone: usize| tree.iter().any(|branch| branch.bone == bone);
    match (0..sketch.bones.len()).find(|bone| !is_reached(*bone)) {
        None => Ok(tree),
        Some(loose) => Err(ViewError::Sketch(format!(
            "`{}` does not hang on `{}`: draw a bone that joins them, or remove it",
            sketch.bones[loose].name, sketch.bones[first.bone].name
        ))),
    }
}

/// Refuses bones that close a loop: a robot is a tree.
pub(crate) fn check_no_loop(sketch: &Sketch) -> Result<(), ViewError> {
    // Bones that were looked at, without the one that is looked at and those after it.
    let mut before = sketch.without_bones();
    for bone in &sketch.bones {
        if before.are_joined(bone.ends[0], bone.ends[1]) {
            let name = &bone.name;
            return Err(ViewError::Sketch(format!(
                "`{name}` would close a loop: the links of a robot are a tree"
            )));
        }
        before.bones.push(bone.clone());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::model::Motion;
    use smooth_scene_geometry::math::Vec3;

    /// Bones between numbered nodes.
    fn sketch(bones: &[[NodeId; 2]]) -> Sketch {
        let mut sketch = Sketch::default();
        for k in 0..6 {
            sketch.add_node(Vec3::new(f64::from(k), 0.0, 0.0)).unwrap();
        }
        for ends in bones {
            sketch.add_bone(None, *ends, Motion::Fixed {}).unwrap();
        }
        sketch
    }

    #[test]
    fn bones_hang_on_the_one_that_is_nearer_to_the_root() {
        // The second one is drawn towards the root; both ends of the root carry something.
        let mut drawn = sketch(&[[1, 2], [3, 2], [3, 4], [1, 5]]);
        let parents: Vec<_> =
            whole_tree(&drawn).unwrap().iter().map(|b| (b.bone, b.parent, b.near)).collect();
        assert_eq!(parents, [(0, None, 1), (1, Some(0), 2), (3, Some(0), 1), (2, Some(1), 3)]);
        drawn.root = Some("bone_3".into());
        let parents: Vec<_> =
            whole_tree(&drawn).unwrap().iter().map(|b| (b.bone, b.parent, b.near)).collect();
        assert_eq!(parents, [(2, None, 3), (1, Some(0), 3), (0, Some(1), 2), (3, Some(2), 1)]);
    }

    #[test]
    fn loose_bones_loops_and_nothing_are_refused() {
        let text = |result: Result<_, ViewError>| result.unwrap_err().to_string();
        assert!(text(whole_tree(&sketch(&[])).map(drop)).contains("nothing is drawn"));
        let loose = text(whole_tree(&sketch(&[[1, 2], [3, 4]])).map(drop));
        assert!(loose.contains("`bone_2` does not hang on `bone_1`"), "{loose}");
        assert!(check_no_loop(&sketch(&[[1, 2], [2, 3], [4, 5]])).is_ok());
        let ring = text(check_no_loop(&sketch(&[[1, 2], [2, 3], [3, 1]])));
        assert!(ring.contains("`bone_3` would close a loop"), "{ring}");
        assert!(check_no_loop(&sketch(&[[1, 1]])).is_err());
    }
}
