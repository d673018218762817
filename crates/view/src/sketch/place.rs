//! A stroke on the page becomes bones in space, joined to what is there already.
//!
//! A stroke is seen from one direction: its points lie in a plane across the view, at any depth. Where it begins or ends at
//! a node, or on a bone, as seen from there, it is joined to it and takes its depth; in between the depth changes evenly.

use super::model::{Motion, NodeId, Sketch};
use super::stroke::{corners, distance_to_chord};
use super::tree::branches;
use crate::error::ViewError;
use smooth_scene_geometry::math::Vec3;

/// Points of a stroke.
const MAX_POINTS: usize = 2_000;
/// Largest distance at which ends are joined, m.
const MAX_SNAP: f64 = 10.0;
/// A bone is at least so many times as long as the distance at which ends are joined, so that its ends stay apart.
const LEAST_BONE: f64 = 2.0;
/// Of nodes that are as near as seen, by this share of the snap distance, the one in front is taken.
const TIE: f64 = 0.25;
/// Directions closer than this to an axis are that axis, as cosine: 10°.
const NEARLY_AXIS: f64 = 0.984_8;

/// A stroke as seen from one direction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stroke {
    pub points: Vec<Vec3>,
    /// From the scene to the eye, of length one.
    pub normal: Vec3,
    /// Distance at which ends are joined, m.
    pub snap: f64,
}

impl Stroke {
    pub fn new(points: &[[f64; 3]], normal: [f64; 3], snap: f64) -> Result<Self, ViewError> {
        let bad = |what: &str, value: f64, range: &str| {
            let (what, range) = (what.into(), range.into());
            Err(ViewError::BadValue { what, value, range })
        };
        if !(2..=MAX_POINTS).contains(&points.len()) {
            return bad("number of points of the stroke", points.len() as f64, "from 2 to 2000");
        }
        if let Some(value) =
            points.iter().flatten().find(|value| value.is_nan() || value.abs() > 1000.0)
        {
            return bad("coordinate of the stroke", *value, "in [-1000, 1000] m");
        }
        if !(snap > 0.0 && snap <= MAX_SNAP) {
            return bad("snap distance", snap, "above 0, at most 10 m");
        }
        let normal = Vec3::from(normal);
        let length = normal.norm();
        if !(0.5..=2.0).contains(&length) {
            return bad("length of the view direction", length, "near 1");
        }
        let points = points.iter().map(|point| Vec3::from(*point)).collect();
        Ok(Self { points, normal: normal / length, snap })
    }

    /// A vector as it is seen: without its depth.
    pub fn seen(&self, v: &Vec3) -> Vec3 {
        v - self.normal * v.dot(&self.normal)
    }
}

/// Adds the bones of a stroke. The sketch is only good for use if this succeeds.
pub(crate) fn add_bones(sketch: &mut Sketch, stroke: &Stroke) -> Result<(), ViewError> {
    let least = LEAST_BONE * stroke.snap;
    let seen: Vec<Vec3> = stroke.points.iter().map(|point| stroke.seen(point)).collect();
    let [first, last] = [seen[0], seen[seen.len() - 1]];
    if seen.iter().all(|point| (point - first).norm() < least) {
        return Err(ViewError::Sketch("the stroke is too short for a bone".into()));
    }
    let start = join(sketch, stroke, &first)?;
    let end = join(sketch, stroke, &last)?;
    let depth = |node: Option<NodeId>| node.map(|node| sketch.nodes[&node].dot(&stroke.normal));
    let own = |point: &Vec3| point.dot(&stroke.normal);
    let depths = match (depth(start), depth(end)) {
        (Some(a), Some(b)) => [a, b],
        (Some(a), None) => [a; 2],
        (None, Some(b)) => [b; 2],
        (None, None) => [own(&stroke.points[0]), own(&stroke.points[stroke.points.len() - 1])],
    };
    let cuts = corners(&seen, least);
    let mut nodes = Vec::with_capacity(cuts.len());
    for (k, &cut) in cuts.iter().enumerate() {
        let known = if k == 0 {
            start
        } else if k + 1 == cuts.len() {
            end
        } else {
            None
        };
        let share = cut as f64 / (seen.len() - 1) as f64;
        let at = seen[cut] + stroke.normal * (depths[0] + share * (depths[1] - depths[0]));
        nodes.push(match known {
            Some(node) => node,
            None => sketch.add_node(at)?,
        });
    }
    let axis = plain_axis(stroke.normal);
    for ends in nodes.windows(2) {
        sketch.add_bone(None, [ends[0], ends[1]], Motion::hinge(axis))?;
    }
    Ok(())
}

/// The node at which a stroke that begins or ends here is joined; a bone it ends on is split there, and stays rigid.
fn join(sketch: &mut Sketch, stroke: &Stroke, at: &Vec3) -> Result<Option<NodeId>, ViewError> {
    let away = |place: &Vec3| (stroke.seen(place) - at).norm();
    let near: Vec<(NodeId, f64, f64)> = sketch
        .nodes
        .iter()
        .map(|(node, place)| (*node, away(place), place.dot(&stroke.normal)))
        .filter(|(_, away, _)| *away <= stroke.snap)
        .collect();
    if let Some(least) = near.iter().map(|(_, away, _)| *away).min_by(f64::total_cmp) {
        let tied = near.iter().filter(|(_, away, _)| *away <= least + TIE * stroke.snap);
        return Ok(tied.max_by(|a, b| a.2.total_cmp(&b.2)).map(|(node, _, _)| *node));
    }
    let hits = sketch.bones.iter().enumerate().filter_map(|(index, bone)| {
        let [a, b] = sketch.ends_of(bone).map(|end| stroke.seen(&end));
        let away = distance_to_chord(at, &a, &b);
        let chord = b - a;
        let share = (at - a).dot(&chord) / chord.norm_squared();
        (away <= stroke.snap).then_some((index, share, away))
    });
    match hits.min_by(|a, b| a.2.total_cmp(&b.2)) {
        Some((bone, share, _)) => split(sketch, bone, share, Motion::Fixed {}).map(Some),
        None => Ok(None),
    }
}

/// Splits a bone at a share of its length; the part away from the root moves against the other one like this. Each part keeps
/// the surfaces that are nearer to it. The new node.
pub(crate) fn split(
    sketch: &mut Sketch,
    index: usize,
    share: f64,
    motion: Motion,
) -> Result<NodeId, ViewError> {
    if !(0.01..=0.99).contains(&share) {
        let (what, range) = ("share of the bone".into(), "in [0.01, 0.99]".into());
        return Err(ViewError::BadValue { what, value: share, range });
    }
    let [a, b] = sketch.ends_of(&sketch.bones[index]);
    let middle = sketch.add_node(a + (b - a) * share)?;
    let old = sketch.bones[index].clone();
    let hangs_by = branches(sketch).iter().find(|branch| branch.bone == index).map(|b| b.near);
    let keeps_first = hangs_by.is_none_or(|near| near == old.ends[0]);
    let (kept, new) = match keeps_first {
        true => ([old.ends[0], middle], [middle, old.ends[1]]),
        false => ([middle, old.ends[1]], [old.ends[0], middle]),
    };
    let part = sketch.add_bone(Some(&old.name), new, motion)?;
    sketch.bones[index].ends = kept;
    let segment = |ends: [NodeId; 2]| ends.map(|node| sketch.nodes[&node]);
    let (kept, new) = (segment(kept), segment(new));
    let (far, near) = old.surfaces.into_iter().partition(|surface| {
        let center = surface.pose.translation.vector;
        let away = |[a, b]: [Vec3; 2]| distance_to_chord(&center, &a, &b);
        away(new) < away(kept)
    });
    sketch.bones[index].surfaces = near;
    sketch.bones[part].surfaces = far;
    Ok(middle)
}

/// A direction, or the axis it nearly is; of the two signs the one that points more forward, left or up.
pub(crate) fn plain_axis(direction: Vec3) -> Vec3 {
    let largest = direction.iamax();
    let direction = if direction[largest] < 0.0 { -direction } else { direction };
    if direction[largest] < NEARLY_AXIS * direction.norm() {
        return direction;
    }
    Vec3::from_fn(|k, _| if k == largest { 1.0 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::model::Surface;
    use smooth_scene_geometry::Shape;
    use smooth_scene_geometry::math::Pose;

    /// A stroke from the front through corners [y, z], drawn in the plane x = 0.
    fn front(sketch: &mut Sketch, corners: &[[f64; 2]]) -> Result<(), ViewError> {
        let place = |[y, z]: [f64; 2]| [0.0, y, z];
        draw(sketch, &corners.iter().map(|c| place(*c)).collect::<Vec<_>>(), [1.0, 0.0, 0.0])
    }

    /// Twenty points a piece, joined within 5 cm.
    fn draw(sketch: &mut Sketch, corners: &[[f64; 3]], normal: [f64; 3]) -> Result<(), ViewError> {
        let mut points = vec![corners[0]];
        for pair in corners.windows(2) {
            let between = |t: f64| [0, 1, 2].map(|k| pair[0][k] + t * (pair[1][k] - pair[0][k]));
            points.extend((1..=20).map(|k| between(f64::from(k) / 20.0)));
        }
        add_bones(sketch, &Stroke::new(&points, normal, 0.05)?)
    }

    #[test]
    fn a_bent_stroke_is_a_chain_and_ends_snap() {
        let mut sketch = Sketch::default();
        front(&mut sketch, &[[0.0, 1.0], [0.0, 1.5]]).unwrap();
        front(&mut sketch, &[[0.02, 1.48], [0.3, 1.5], [0.3, 1.0]]).unwrap();
        assert_eq!(sketch.bones.len(), 3);
        assert_eq!(sketch.nodes.len(), 4);
        assert_eq!(sketch.bones[1].ends[0], sketch.bones[0].ends[1]);
        assert_eq!(sketch.bones[0].motion, Motion::hinge(Vec3::x()));
        // A second stroke that would join what is joined.
        front(&mut sketch, &[[0.3, 1.0], [0.0, 1.0]]).unwrap();
        assert!(crate::sketch::tree::check_no_loop(&sketch).is_err());
    }

    #[test]
    fn from_another_side_a_stroke_continues_at_the_depth_of_what_it_joins() {
        let mut sketch = Sketch::default();
        front(&mut sketch, &[[0.2, 0.8], [0.2, 0.1]]).unwrap();
        front(&mut sketch, &[[-0.2, 0.8], [-0.2, 0.1]]).unwrap();
        // A foot from the left: both ankles are seen at the same place, the left one is in front.
        draw(&mut sketch, &[[0.01, 0.0, 0.1], [0.25, 0.0, 0.05]], [0.0, 1.0, 0.0]).unwrap();
        let foot = &sketch.bones[2];
        assert_eq!(foot.ends[0], sketch.bones[0].ends[1]);
        assert_eq!(sketch.nodes[&foot.ends[1]], Vec3::new(0.25, 0.2, 0.05));
        assert_eq!(foot.motion, Motion::hinge(Vec3::y()));
    }

    #[test]
    fn between_two_depths_the_stroke_goes_evenly() {
        let mut sketch = Sketch::default();
        front(&mut sketch, &[[0.0, 0.0], [0.0, 0.5]]).unwrap();
        draw(&mut sketch, &[[0.4, 1.0, 1.0], [0.4, 1.0, 1.5]], [0.0, 1.0, 0.0]).unwrap();
        front(&mut sketch, &[[0.0, 0.5], [0.5, 0.5], [1.0, 1.0]]).unwrap();
        let elbow = sketch.nodes[&sketch.bones[2].ends[1]];
        assert_eq!(elbow, Vec3::new(0.2, 0.5, 0.5));
        assert_eq!(sketch.bones[3].ends[1], sketch.bones[1].ends[0]);
    }

    #[test]
    fn a_stroke_from_the_middle_of_a_bone_splits_it_and_keeps_it_rigid() {
        let mut sketch = Sketch::default();
        front(&mut sketch, &[[0.0, 1.0], [0.0, 2.0]]).unwrap();
        let ball = |z: f64| Surface {
            pose: Pose::translation(0.0, 0.0, z),
            shape: Shape::sphere(0.1).unwrap(),
        };
        sketch.bones[0].surfaces = vec![ball(1.1), ball(1.8)];
        front(&mut sketch, &[[0.0, 1.4], [0.5, 1.4]]).unwrap();
        let names: Vec<&str> = sketch.bones.iter().map(|bone| bone.name.as_str()).collect();
        assert_eq!(names, ["bone_1", "bone_1_2", "bone_2"]);
        assert_eq!(sketch.bones[1].motion, Motion::Fixed {});
        assert_eq!(sketch.bones[0].surfaces, [ball(1.1)]);
        assert_eq!(sketch.bones[1].surfaces, [ball(1.8)]);
        assert_eq!(sketch.nodes[&sketch.bones[2].ends[0]], Vec3::new(0.0, 0.0, 1.4));
    }

    #[test]
    fn strokes_that_make_no_sense_are_refused() {
        let mut sketch = Sketch::default();
        let short = front(&mut sketch, &[[0.0, 0.0], [0.0, 0.09]]).unwrap_err().to_string();
        assert!(short.contains("too short"), "{short}");
        for (points, normal, snap) in [
            (vec![[0.0; 3]], [1.0, 0.0, 0.0], 0.1),
            (vec![[0.0; 3], [f64::NAN, 0.0, 0.0]], [1.0, 0.0, 0.0], 0.1),
            (vec![[0.0; 3], [1.0; 3]], [0.0; 3], 0.1),
            (vec![[0.0; 3], [1.0; 3]], [1.0, 0.0, 0.0], 0.0),
        ] {
            assert!(Stroke::new(&points, normal, snap).is_err(), "{points:?} {normal:?} {snap}");
        }
        assert_eq!(plain_axis(Vec3::new(-0.999, 0.01, 0.02)), Vec3::x());
        let askew = Vec3::new(0.0, -0.6, -0.8);
        assert_eq!(plain_axis(askew), -askew);
    }
}
