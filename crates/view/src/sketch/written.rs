//! URDF and SRDF of a sketch, read back with our own reader before anybody gets them.

use std::sync::Arc;

use super::model::Sketch;
use super::srdf::{pair, semantics};
use super::tree::{Branch, whole_tree};
use super::urdf::skeleton;
use crate::error::ViewError;
use smooth_scene_geometry::math::Pose;
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{
    DocumentEdit, LinkSurface, LoadOptions, LoadedRobot, RobotModel, RobotState, parse_urdf,
};
use smooth_scene_scene::{CheckRequest, PairLevel, PlanningScene, Workspace};

/// A sketch as files, and the robot they describe.
#[derive(Debug, Clone)]
pub(crate) struct WrittenRobot {
    pub urdf: String,
    pub srdf: String,
    /// What our reader makes of the URDF.
    pub robot: Arc<LoadedRobot>,
    /// The robot with the SRDF, alone.
    pub scene: PlanningScene,
}

impl WrittenRobot {
    /// Writes a sketch, or says why it is no robot.
    pub fn of(sketch: &Sketch) -> Result<Self, ViewError> {
        let tree = whole_tree(sketch)?;
        let bare = read(&skeleton(sketch, &tree)?)?;
        let edits: Vec<DocumentEdit> =
            tree.iter().filter_map(|branch| collisions(sketch, branch)).collect();
        let urdf = bare.document.write(&edits)?;
        let robot = Arc::new(read(&urdf)?);
        let model = Arc::new(robot.model.clone());
        let mut srdf = semantics(sketch, &tree);
        // What overlaps as it is drawn may: nobody could draw a belly otherwise.
        let alone = scene(&model, &srdf)?;
        for [a, b] in overlaps(&alone)? {
            srdf.disable_collisions.push(pair(&a, &b, "Default"));
        }
        let srdf = srdf.to_xml();
        let again = Srdf::parse(&srdf, "the drawn robot").map_err(not_read)?;
        let scene = scene(&model, &again)?;
        Ok(Self { urdf, srdf, robot, scene })
    }
}

/// The surfaces of a bone on its link; none for a bare bone.
fn collisions(sketch: &Sketch, branch: &Branch) -> Option<DocumentEdit> {
    let bone = &sketch.bones[branch.bone];
    let to_link = Pose::from(-sketch.nodes[&branch.near]);
    let collisions: Vec<LinkSurface> = bone
        .surfaces
        .iter()
        .enumerate()
        .map(|(index, surface)| LinkSurface {
            name: Some(format!("{}_c{index}", bone.name)),
            pose_in_link: to_link * surface.pose,
            shape: surface.shape.clone(),
        })
        .collect();
    let link = bone.name.clone();
    (!collisions.is_empty()).then_some(DocumentEdit::Collisions { link, collisions })
}

/// A file of ours that is not read without a warning is not handed out.
fn read(urdf: &str) -> Result<LoadedRobot, ViewError> {
    let robot = parse_urdf(urdf, "the drawn robot", &LoadOptions::default()).map_err(not_read)?;
    // Superovoids that are not convex are what the user chose.
    match robot.warnings.iter().find(|warning| !warning.message.contains("convex")) {
        Some(warning) => Err(not_read(warning)),
        None => Ok(robot),
    }
}

fn not_read(reason: impl std::fmt::Display) -> ViewError {
    ViewError::Sketch(format!("the drawn robot cannot be written: {reason}"))
}

fn scene(model: &Arc<RobotModel>, srdf: &Srdf) -> Result<PlanningScene, ViewError> {
    let (semantics, warnings) = srdf.resolve(model).map_err(not_read)?;
    if let Some(warning) = warnings.first() {
        return Err(not_read(warning));
    }
    Ok(PlanningScene::new(Arc::clone(model), Some(semantics))?)
}

/// Pairs of links that touch as they are drawn.
fn overlaps(scene: &PlanningScene) -> Result<Vec<[String; 2]>, ViewError> {
    let rest = RobotState::new(Arc::clone(scene.model()));
    let (mut workspace, mut found) = (Workspace::default(), Vec::new());
    let everything = CheckRequest::default();
    scene.contacts(rest.positions(), &everything, PairLevel::Bodies, &mut workspace, &mut found)?;
    let names = found
        .iter()
        .map(|pair| [pair.body_a, pair.body_b].map(|body| scene.body_name(body).to_owned()));
    Ok(names.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::model::Motion;
    use crate::sketch::preset::{Preset, add};
    use smooth_scene_geometry::math::Vec3;
    use smooth_scene_geometry::{ConvexSurface, Shape};
    use smooth_scene_robot::{
        GeometryBody, GeometrySource, JointKind, forward_kinematics, link_geometry, physics,
    };

    fn humanoid() -> Sketch {
        let mut sketch = Sketch::default();
        add(&mut sketch, Preset::Humanoid, None).unwrap();
        sketch
    }

    #[test]
    fn surfaces_are_where_they_were_drawn_inside_of_what_other_tools_see() {
        let sketch = humanoid();
        let written = WrittenRobot::of(&sketch).unwrap();
        let model = &written.robot.model;
        let rest = RobotState::new(Arc::new(model.clone()));
        let poses = forward_kinematics(model, rest.positions()).unwrap();
        let outer = {
            // Without our elements: what tools that do not know them read.
            let plain: String =
                written.urdf.lines().filter(|line| !line.contains("<scs:")).collect();
            let (options, all) = (LoadOptions::default(), |_: &str| true);
            link_geometry(&plain, "plain", None, GeometrySource::Collision, &options, all).unwrap()
        };
        let mut compared = 0;
        for bone in &sketch.bones {
            let id = model.link_id(&bone.name).unwrap();
            for (drawn, read) in bone.surfaces.iter().zip(&model.link(id).collisions) {
                assert_eq!(read.shape, drawn.shape, "{}", bone.name);
                let pose = poses[id] * read.pose_in_link;
                let error = (pose.to_homogeneous() - drawn.pose.to_homogeneous()).amax();
                assert!(error < 1e-9, "{}: {error:e}", bone.name);
                let fallback = outer.iter().find(|body| body.link == bone.name).unwrap();
                let GeometryBody::Shape(shape) = &fallback.body else { panic!("{fallback:?}") };
                for k in 0..200 {
                    let k = f64::from(k);
                    let n = Vec3::new((0.7 * k).sin(), (1.9 * k).cos(), (3.1 * k).sin());
                    assert!(
                        shape.support(&n).value >= drawn.shape.support(&n).value,
                        "{}",
                        bone.name
                    );
                }
                compared += 1;
            }
        }
        assert_eq!(compared, 16);
    }

    #[test]
    fn masses_are_those_of_the_surfaces_and_every_link_that_moves_has_one() {
        let mut sketch = Sketch::default();
        let nodes = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.4], [0.0, 0.3, 0.4]]
            .map(|at| sketch.add_node(Vec3::from(at)).unwrap());
        sketch.add_bone(Some("trunk"), [nodes[0], nodes[1]], Motion::Fixed {}).unwrap();
        let ball = Motion::Ball { limits: [[-1.0, 1.0]; 3] };
        sketch.add_bone(Some("arm"), [nodes[1], nodes[2]], ball).unwrap();
        let pose = Pose::translation(0.0, 0.0, 0.2);
        let shape = Shape::ellipsoid([0.1, 0.2, 0.3]).unwrap();
        sketch.bones[0].surfaces.push(super::super::model::Surface { pose, shape });
        let written = WrittenRobot::of(&sketch).unwrap();
        let found = physics(&written.robot.document).unwrap().inertials;
        // An ellipsoid: V = 4/3 π abc, and m (b² + c²) / 5 about its first axis.
        let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.1 * 0.2 * 0.3;
        let trunk = &found["trunk"];
        assert!((trunk.mass - mass).abs() < 1e-9 * mass);
        assert!((trunk.center - Vec3::new(0.0, 0.0, 0.2)).norm() < 1e-9);
        let about_x = mass * (0.2f64.powi(2) + 0.3f64.powi(2)) / 5.0;
        assert!((trunk.inertia[(0, 0)] - about_x).abs() < 1e-9 * about_x);
        // Two small links between the turns of the ball, and all but the base are heavy.
        assert_eq!(written.robot.model.links().len(), 5);
        assert_eq!(found.len(), 4);
        assert!(found.values().all(|link| link.mass > 0.0));
        let kinds = |kind| written.robot.model.joints().iter().filter(|j| j.kind == kind).count();
        assert_eq!([kinds(JointKind::Fixed), kinds(JointKind::Revolute)], [1, 3]);
    }

    #[test]
    fn neighbours_and_what_overlaps_may_touch_and_nothing_else() {
        let written = WrittenRobot::of(&humanoid()).unwrap();
        let rest = RobotState::new(Arc::clone(written.scene.model()));
        let mut workspace = Workspace::default();
        let everything = CheckRequest::default();
        assert!(
            !written.scene.in_collision(rest.positions(), &everything, &mut workspace).unwrap()
        );
        let pairs = Srdf::parse(&written.srdf, "srdf").unwrap().disable_collisions;
        let may_touch = |a: &str, b: &str| {
            pairs.iter().any(|p| [&p.link1, &p.link2] == [a, b] || [&p.link1, &p.link2] == [b, a])
        };
        assert!(may_touch("left_thigh", "left_shin") && may_touch("torso", "left_clavicle"));
        assert!(!may_touch("left_shin", "right_shin") && !may_touch("left_hand", "left_thigh"));
        let groups = &written.scene.semantics().groups;
        let arm = groups.iter().find(|group| group.name == "left_hand_chain").unwrap();
        // Ball, hinge and hinge; the clavicle is fixed.
        assert_eq!(
            arm.joints
                .iter()
                .filter(|j| written.scene.model().joint(**j).kind == JointKind::Revolute)
                .count(),
            5
        );
    }

    #[test]
    fn what_is_no_robot_is_not_written() {
        let text = |sketch: &Sketch| WrittenRobot::of(sketch).unwrap_err().to_string();
        assert!(text(&Sketch::default()).contains("nothing is drawn"));
        let mut twice = humanoid();
        // The name of the link between two turns of the torso's ball.
        twice.bones[0].name = "torso_hub_x".into();
        assert!(text(&twice).contains("torso_hub_x"), "{}", text(&twice));
    }
}
