//! Two hands of smooth surfaces for tests and benchmarks: a palm and 21 finger surfaces each, on a base of three
//! translations and three rotations. Sizes are those of a small hand; the numbers are nobody's in particular.

use std::error::Error;
use std::sync::Arc;

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{
    JointKind, JointLimits, JointSpec, LinkSpec, LinkSurface, LoadOptions, RobotModel,
    StateSampler, load_urdf,
};
use smooth_scene_scene::{PlanningScene, WorldFile};

fn joint(
    name: String,
    kind: JointKind,
    parent: &str,
    child: &str,
    origin: Pose,
    axis: Vec3,
    range: [f64; 2],
) -> JointSpec {
    JointSpec {
        name,
        kind,
        parent: parent.into(),
        child: child.into(),
        origin,
        axis,
        limits: JointLimits { lower: range[0], upper: range[1], ..JointLimits::NONE },
        mimic: None,
    }
}

fn link(name: &str, shape: Option<(Pose, Shape)>) -> LinkSpec {
    let collisions = shape
        .into_iter()
        .map(|(pose_in_link, shape)| LinkSurface { name: None, pose_in_link, shape })
        .collect();
    LinkSpec { name: name.into(), collisions }
}

struct Builder {
    links: Vec<LinkSpec>,
    joints: Vec<JointSpec>,
}

impl Builder {
    /// A base of six joints, then the palm.
    fn palm(&mut self, side: &str, at: Vec3) -> String {
        let axes = [Vec3::x(), Vec3::y(), Vec3::z(), Vec3::z(), Vec3::y(), Vec3::x()];
        let palm = format!("{side}_palm");
        let mut parent = "world".to_string();
        for (k, axis) in axes.into_iter().enumerate() {
            let child = if k == 5 { palm.clone() } else { format!("{side}_base_{k}") };
            let (kind, range) = if k < 3 {
                (JointKind::Prismatic, [-0.1, 0.1])
            } else {
                (JointKind::Revolute, [-0.6, 0.6])
            };
            let origin = if k == 0 {
                Pose::from_parts(at.into(), Default::default())
            } else {
                Pose::identity()
            };
            self.joints.push(joint(
                format!("{side}_b{k}"),
                kind,
                &parent,
                &child,
                origin,
                axis,
                range,
            ));
            if k < 5 {
                self.links.push(link(&child, None));
            }
            parent = child;
        }
        let shape = Shape::superovoid([0.035, 0.030, 0.012], 0.6, 0.5, [0.1, -0.05]).unwrap();
        self.links.push(link(&palm, Some((Pose::translation(0.03, 0.0, 0.0), shape))));
        palm
    }

    fn finger(
        &mut self,
        side: &str,
        name: &str,
        palm: &str,
        base: Pose,
        lengths: &[f64],
        mixed: bool,
    ) {
        let mut parent = palm.to_string();
        let mut origin = base;
        for (k, &length) in lengths.iter().enumerate() {
            let child = format!("{side}_{name}_{k}");
            let half = 0.5 * length + 0.003;
            let radii = [half, 0.0075 - 0.0005 * k as f64, 0.0070 - 0.0005 * k as f64];
            let tip = k + 1 == lengths.len();
            let shape = if tip && mixed {
                // The long axis of a superovoid is its z.
                let turned = [radii[1], radii[2], radii[0]];
                let turn = Pose::rotation(Vec3::y() * std::f64::consts::FRAC_PI_2);
                let at = Pose::translation(0.5 * length, 0.0, 0.0) * turn;
                (at, Shape::superovoid(turned, 1.0, 0.8, [-0.1, -0.1]).unwrap())
            } else {
                (
                    Pose::translation(0.5 * length, 0.0, 0.0),
                    Shape::superellipsoid(radii, 0.9, 0.7).unwrap(),
                )
            };
            self.links.push(link(&child, Some(shape)));
            let joint_name = format!("{side}_{name}_j{k}");
            self.joints.push(joint(
                joint_name,
                JointKind::Revolute,
                &parent,
                &child,
                origin,
                Vec3::y(),
                [0.0, 1.4],
            ));
            origin = Pose::translation(length, 0.0, 0.0);
            parent = child;
        }
    }
}

/// 44 surfaces; `apart` is the distance of the palms along y.
pub fn two_hands(apart: f64) -> RobotModel {
    let mut builder = Builder { links: vec![link("world", None)], joints: vec![] };
    for (side, at) in [("r", Vec3::zeros()), ("l", Vec3::new(0.0, apart, 0.02))] {
        let palm = builder.palm(side, at);
        for (k, name) in ["index", "middle", "ring", "little"].into_iter().enumerate() {
            let base = Pose::translation(0.065, 0.027 - 0.018 * k as f64, 0.0);
            builder.finger(side, name, &palm, base, &[0.026, 0.022, 0.018, 0.016], true);
        }
        let base = Pose::new(Vec3::new(0.01, 0.035, 0.0), Vec3::new(0.0, 0.0, 0.9));
        builder.finger(side, "thumb", &palm, base, &[0.022, 0.020, 0.018, 0.016, 0.014], true);
    }
    RobotModel::new("two_hands".into(), builder.links, builder.joints).unwrap()
}

pub fn scene(apart: f64) -> PlanningScene {
    PlanningScene::new(Arc::new(two_hands(apart)), None).unwrap()
}

/// Random states within the limits.
pub fn random_states(model: &RobotModel, count: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut sampler = StateSampler::new(model, seed);
    (0..count).map(|_| sampler.draw()).collect()
}

/// A smooth path: the right hand passes over the left while the fingers close.
pub fn path(model: &RobotModel, steps: usize) -> Vec<Vec<f64>> {
    let names = model.variable_names();
    (0..=steps)
        .map(|step| {
            let t = step as f64 / steps as f64;
            names
                .iter()
                .map(|name| match name.as_str() {
                    "r_b1" => 0.08 * t,
                    "l_b1" => -0.08 * t,
                    "r_b2" => 0.05 * (1.0 - t),
                    "r_b3" => 0.5 * (t - 0.5),
                    name if name.contains("_j") => 0.1 + 0.6 * t,
                    _ => 0.0,
                })
                .collect()
        })
        .collect()
}

/// The scene of files, as an example takes them from the command line: URDF, SRDF, worlds; of two hands without any.
pub fn or_scene_of(files: &[String]) -> Result<PlanningScene, Box<dyn Error>> {
    let [urdf, srdf, worlds @ ..] = files else {
        return Ok(PlanningScene::new(Arc::new(two_hands(0.12)), None)?);
    };
    let model = load_urdf(urdf, &LoadOptions::default())?.model;
    let (semantics, _) = Srdf::parse(&std::fs::read_to_string(srdf)?, srdf)?.resolve(&model)?;
    let mut scene = PlanningScene::new(Arc::new(model), Some(semantics))?;
    for path in worlds {
        WorldFile::load(path)?.add_to(&mut scene)?;
    }
    Ok(scene)
}
