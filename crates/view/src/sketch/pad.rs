//! The sketch of one view with its history. All viewers share it, as they share the scene.

use serde::Deserialize;

use super::edit::SketchEdit;
use super::message::SketchMessage;
use super::model::Sketch;
use crate::error::ViewError;

/// Depth of the undo history. A sketch is small: the history keeps all of them.
const MAX_STEPS: usize = 300;

/// What a viewer asks of the sketch.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum SketchCommand {
    /// One step. Those of one gesture are undone together.
    Edit {
        #[serde(default)]
        gesture: Option<u32>,
        edit: SketchEdit,
    },
    /// Undoes the last step.
    Undo {},
    /// Redoes the step that was undone last.
    Redo {},
    /// Puts the drawn robot in the place of the one in the scene.
    Use {},
}

/// A viewer and the number of one of its drags.
type Gesture = (u64, u32);

/// The sketch, and what it was.
#[derive(Debug, Default)]
pub(crate) struct SketchPad {
    sketch: Sketch,
    undo: Vec<(Sketch, Option<Gesture>)>,
    redo: Vec<Sketch>,
}

impl SketchPad {
    /// Carries out an edit, or leaves everything as it is.
    pub fn edit(&mut self, edit: &SketchEdit, gesture: Option<Gesture>) -> Result<(), ViewError> {
        let mut next = self.sketch.clone();
        edit.apply(&mut next)?;
        let before = std::mem::replace(&mut self.sketch, next);
        let goes_on =
            self.undo.last().is_some_and(|(_, last)| gesture.is_some() && *last == gesture);
        if !goes_on {
            self.undo.push((before, gesture));
            if self.undo.len() > MAX_STEPS {
                self.undo.remove(0);
            }
        }
        self.redo.clear();
        Ok(())
    }

    pub fn undo(&mut self) -> Result<(), ViewError> {
        let (before, _) = self.undo.pop().ok_or(ViewError::NothingTo("undo"))?;
        self.redo.push(std::mem::replace(&mut self.sketch, before));
        Ok(())
    }

    pub fn redo(&mut self) -> Result<(), ViewError> {
        let after = self.redo.pop().ok_or(ViewError::NothingTo("redo"))?;
        self.undo.push((std::mem::replace(&mut self.sketch, after), None));
        Ok(())
    }

    /// The sketch as it is now.
    pub fn sketch(&self) -> &Sketch {
        &self.sketch
    }

    /// What the page is told.
    pub fn message(&self) -> SketchMessage<'_> {
        SketchMessage::new(&self.sketch, [self.undo.len(), self.redo.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::model::Motion;
    use smooth_scene_geometry::math::Vec3;

    fn edit(json: &str) -> SketchEdit {
        serde_json::from_str(json).unwrap()
    }

    fn with_leg() -> SketchPad {
        let mut pad = SketchPad::default();
        let stroke = r#"{"of":"stroke","normal":[1,0,0],"snap":0.02,"points":[[0,0,1],[0,0,0.9],[0,0,0.5],[0,0.3,0.5]]}"#;
        pad.edit(&edit(stroke), None).unwrap();
        pad.edit(&edit(r#"{"of":"flesh_out"}"#), None).unwrap();
        pad
    }

    #[test]
    fn every_step_is_undone_and_redone_and_a_gesture_is_one_step() {
        let mut pad = with_leg();
        let before = pad.sketch().clone();
        let node = before.bones[1].ends[1];
        for z in [0.4, 0.3, 0.2] {
            let to = edit(&format!(r#"{{"of":"move_node","node":{node},"xyz":[0,0.3,{z}]}}"#));
            pad.edit(&to, Some((1, 5))).unwrap();
        }
        let after = pad.sketch().clone();
        assert_eq!(after.nodes[&node], Vec3::new(0.0, 0.3, 0.2));
        pad.undo().unwrap();
        assert_eq!(*pad.sketch(), before);
        pad.redo().unwrap();
        assert_eq!(*pad.sketch(), after);
        for _ in 0..3 {
            pad.undo().unwrap();
        }
        assert!(pad.sketch().bones.is_empty());
        assert_eq!(pad.undo().unwrap_err().to_string(), "there is nothing to undo");
    }

    #[test]
    fn surfaces_follow_their_bone() {
        let mut pad = with_leg();
        let bone = pad.sketch().bones[1].clone();
        let [from, to] = bone.ends;
        // The bone turns by a right angle about its near end.
        let forward = edit(&format!(r#"{{"of":"move_node","node":{to},"xyz":[0.3,0,0.5]}}"#));
        pad.edit(&forward, None).unwrap();
        let moved = &pad.sketch().bones[1];
        let middle = (pad.sketch().nodes[&from] + pad.sketch().nodes[&to]) * 0.5;
        assert!((moved.surfaces[0].pose.translation.vector - middle).norm() < 2e-5);
        assert!((moved.surfaces[0].pose * Vec3::z() - Vec3::x()).norm() < 1e-9);
        assert_eq!(moved.surfaces[0].shape, bone.surfaces[0].shape);
    }

    #[test]
    fn what_is_refused_changes_nothing_and_says_why() {
        let mut pad = with_leg();
        let before = pad.sketch().clone();
        for (json, reason) in [
            (r#"{"of":"rename_bone","bone":"bone_1","name":"bone_2"}"#, "there is a bone `bone_2`"),
            (r#"{"of":"rename_bone","bone":"bone_1","name":"base_link"}"#, "frame of the sketch"),
            (r#"{"of":"rename_robot","name":"a b"}"#, "must be a letter"),
            (r#"{"of":"split_bone","bone":"bone_1","share":1.5}"#, "share of the bone is 1.5"),
            (r#"{"of":"remove_bone","bone":"tail"}"#, "there is no bone `tail`"),
            (r#"{"of":"move_node","node":99,"xyz":[0,0,0]}"#, "there is no node `99`"),
            (r#"{"of":"move_node","node":2,"xyz":[0,0,1]}"#, "length of `bone_1` is 0"),
            (r#"{"of":"move_node","node":2,"xyz":[0,0,500]}"#, "coordinate of the sketch is 500"),
            (
                r#"{"of":"remove_surface","link":"bone_1","index":3}"#,
                "there is no surface `bone_1[3]`",
            ),
            (
                r#"{"of":"joint","bone":"bone_2","joint":{"kind":"revolute","axis":[0,0,0],"limits":[-1,1]}}"#,
                "axis",
            ),
        ] {
            let refusal = pad.edit(&edit(json), None).unwrap_err().to_string();
            assert!(refusal.contains(reason), "{json}: {refusal}");
        }
        assert_eq!(*pad.sketch(), before);
        assert_eq!(before.bones[0].motion, Motion::hinge(Vec3::x()));
        assert!(serde_json::from_str::<SketchEdit>(r#"{"of":"clear","all":true}"#).is_err());
    }
}
