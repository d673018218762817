//! A tree of frames: what was published about each, and the transform between any two.
//!
//! A pure state machine: messages go in with their times, questions are answered from what came in. It has no clock and
//! never waits.

use std::collections::HashMap;

use super::error::{TransformError, TransformProblem};
use super::history::{History, OutOfRange};
use crate::math::Pose;

/// Frames that are kept at most. Large robots have some hundreds.
const MAX_FRAMES: usize = 16_384;

/// When a transform is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// At the latest time for which everything on the way between the two frames is known.
    Latest,
    /// At this time, in nanoseconds.
    At(i64),
}

/// Whether a transform holds at one time or always.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validity {
    /// Always, as on `/tf_static`.
    Static,
    /// At this time, in nanoseconds, as on `/tf`.
    At(i64),
}

/// What is known about frames. Times are nanoseconds of the node's clock.
#[derive(Debug, Default)]
pub struct TransformBuffer {
    /// By child frame.
    frames: HashMap<String, Frame>,
}

#[derive(Debug)]
struct Frame {
    parent: String,
    history: History,
}

impl TransformBuffer {
    /// Takes a transform: the pose of `child` in `parent`. Samples that are more than `keep` nanoseconds older than the newest
    /// one of the frame are dropped. A frame that gets another parent starts anew: what was known about it before is dropped.
    pub fn insert(
        &mut self,
        parent: &str,
        child: &str,
        pose: Pose,
        validity: Validity,
        keep: i64,
    ) -> Result<(), String> {
        if parent.is_empty() || child.is_empty() {
            return Err(format!("transform from `{parent}` to `{child}`: a frame without a name"));
        }
        if parent == child {
            return Err(format!("frame `{child}` is its own parent"));
        }
        if !self.frames.contains_key(child) && self.frames.len() >= MAX_FRAMES {
            return Err(format!("more than {MAX_FRAMES} frames were published, must be fewer"));
        }
        let history = match validity {
            Validity::Static => History::Static(pose),
            Validity::At(time) => match self.frames.get_mut(child) {
                Some(known) if known.parent == parent => {
                    known.history.insert(time, pose, keep);
                    return Ok(());
                }
                _ => History::moving(time, pose),
            },
        };
        self.frames.insert(child.into(), Frame { parent: parent.into(), history });
        Ok(())
    }

    /// Drops everything that moves, as after a jump of the clock back. What is static holds in any time.
    pub fn forget_moving(&mut self) {
        self.frames.retain(|_, frame| matches!(frame.history, History::Static(_)));
    }

    /// Whether anything was published about this frame, as a child or as a parent.
    pub fn has(&self, frame: &str) -> bool {
        self.frames.contains_key(frame) || self.frames.values().any(|known| known.parent == frame)
    }

    /// How many frames have a parent.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The frame itself or its nearest ancestor that fits; none if none does, or if there is no end to the ancestors.
    pub fn ancestor<'a>(&'a self, frame: &'a str, fits: impl Fn(&str) -> bool) -> Option<&'a str> {
        match self.way_up(frame) {
            Ok(way) => way.into_iter().find(|name| fits(name)),
            Err(_) => None,
        }
    }

    /// The pose of `source` in `target`: `p_target = pose * p_source`.
    pub fn lookup(&self, target: &str, source: &str, when: When) -> Result<Pose, TransformError> {
        let failed = |problem| TransformError::new(target, source, problem);
        if target == source {
            return Ok(Pose::identity());
        }
        for name in [source, target] {
            if !self.has(name) {
                return Err(failed(TransformProblem::Unknown { frame: name.into() }));
            }
        }
        let up_source = self.way_up(source).map_err(failed)?;
        let up_target = self.way_up(target).map_err(failed)?;
        let Some(common) = up_source.iter().position(|name| up_target.contains(name)) else {
            let root = |way: &[&str]| (*way.last().expect("it starts with itself")).to_string();
            let (target_root, source_root) = (root(&up_target), root(&up_source));
            return Err(failed(TransformProblem::NotConnected { target_root, source_root }));
        };
        let meet = up_source[common];
        let down = up_target.iter().position(|&name| name == meet).expect("it is in both");
        let (up_source, up_target) = (&up_source[..common], &up_target[..down]);
        let time = match when {
            When::At(time) => Some(time),
            When::Latest => up_source.iter().chain(up_target).filter_map(|n| self.newest(n)).min(),
        };
        let source_in_meet = self.pose_along(up_source, time).map_err(failed)?;
        let target_in_meet = self.pose_along(up_target, time).map_err(failed)?;
        Ok(target_in_meet.inv_mul(&source_in_meet))
    }

    fn newest(&self, frame: &str) -> Option<i64> {
        self.frames.get(frame).and_then(|known| known.history.newest())
    }

    /// The pose of the first frame in the parent of the last one; `time` is none if nothing on the way moves.
    fn pose_along(&self, way: &[&str], time: Option<i64>) -> Result<Pose, TransformProblem> {
        let mut pose = Pose::identity();
        for &name in way {
            let Frame { parent, history } = &self.frames[name];
            let step = match time {
                Some(time) => history.at(time).map_err(|why| {
                    let (parent, child) = (parent.clone(), name.to_string());
                    match why {
                        OutOfRange::Before { oldest } => {
                            TransformProblem::TooOld { parent, child, wanted: time, oldest }
                        }
                        OutOfRange::After { newest } => {
                            TransformProblem::TooNew { parent, child, wanted: time, newest }
                        }
                    }
                })?,
                None => match history {
                    History::Static(pose) => *pose,
                    History::Moving(_) => unreachable!("a moving frame has a newest time"),
                },
            };
            pose = step * pose;
        }
        Ok(pose)
    }

    /// The frame, its parent, and so on to the root of its tree.
    fn way_up<'a>(&'a self, frame: &'a str) -> Result<Vec<&'a str>, TransformProblem> {
        let mut way = vec![frame];
        let mut at = frame;
        while let Some(known) = self.frames.get(at) {
            at = &known.parent;
            way.push(at);
            if way.len() > self.frames.len() + 1 {
                return Err(TransformProblem::Loop { frame: frame.into() });
            }
        }
        Ok(way)
    }
}
