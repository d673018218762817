//! A picture of a path: the robot at its start, on its way and at its goal, the objects around it, and the way of its last link.

use crate::geometry::{ConvexSurface, Shape};
use crate::math::{Pose, Vec3, sin_cos};
use crate::robot::{LinkId, forward_kinematics, interpolate};
use crate::scene::{PlanningScene, SceneError};
use std::fmt::Write;

/// Width and height, pixels.
const SIZE: [f64; 2] = [900.0, 700.0];
const BORDER: f64 = 30.0;
/// Points of an outline.
const OUTLINE: usize = 72;
/// Towards the eye.
const EYE: [f64; 3] = [1.0, -0.8, 0.7];
/// Distance of the states between the waypoints that are drawn pale, and of the points of the way, in joint space.
const GHOST: f64 = 0.6;
const STEP: f64 = 0.02;
/// Most of either.
const MOST: usize = 2000;

/// Fill, its opacity, and line of what is drawn.
type Look = (&'static str, f64, &'static str);
const WORLD: Look = ("#9a9a9a", 0.45, "#5a5a5a");
const START: Look = ("#0072b2", 0.55, "#00466d");
const GHOSTS: Look = ("#56b4e9", 0.07, "#56b4e9");
const GOAL: Look = ("#009e73", 0.55, "#00543d");
const WAY: &str = "#d55e00";

/// A convex body seen from the eye.
struct Outline {
    points: Vec<[f64; 2]>,
    /// Of its middle, towards the eye.
    depth: f64,
    look: Look,
}

/// The picture as SVG text.
pub(crate) fn svg(scene: &PlanningScene, waypoints: &[Vec<f64>]) -> Result<String, SceneError> {
    let view = View::new();
    let mut bodies = Vec::new();
    for (_, object) in scene.world().iter() {
        bodies.extend(
            object
                .shapes()
                .filter_map(|(pose, shape)| view.outline(&(object.pose() * pose), shape, WORLD)),
        );
    }
    let (ghosts, steps) = (along(scene, waypoints, GHOST)?, along(scene, waypoints, STEP)?);
    for (state, look) in ghosts
        .iter()
        .map(|state| (state, GHOSTS))
        .chain(waypoints.first().map(|state| (state, START)))
        .chain(waypoints.last().map(|state| (state, GOAL)))
    {
        let surfaces = scene.robot_surfaces(state)?;
        bodies.extend(surfaces.iter().filter_map(|s| view.outline(&s.pose_w, s.shape, look)));
    }
    // The farthest first.
    bodies.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    let link = last_link(scene);
    let way = steps.iter().map(|state| {
        let poses = forward_kinematics(scene.model(), state)?;
        Ok(view.seen(&poses[link].translation.vector))
    });
    let way = way.collect::<Result<Vec<_>, SceneError>>()?;
    Ok(draw(&bodies, &way, &scene.model().link(link).name))
}

/// States along a path, not farther apart than this unless there would be too many.
fn along(
    scene: &PlanningScene,
    waypoints: &[Vec<f64>],
    step: f64,
) -> Result<Vec<Vec<f64>>, SceneError> {
    let length = |ends: &[Vec<f64>]| {
        ends[0].iter().zip(&ends[1]).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    };
    let step = step.max(waypoints.windows(2).map(length).sum::<f64>() / MOST as f64);
    let mut states = Vec::new();
    for ends in waypoints.windows(2) {
        let count = (length(ends) / step).ceil().max(1.0) as usize;
        for k in 0..=count {
            let share = k as f64 / count as f64;
            states.push(interpolate(scene.model(), &ends[0], &ends[1], share)?);
        }
    }
    Ok(states)
}

/// The link with the most joints between it and the root.
fn last_link(scene: &PlanningScene) -> LinkId {
    let model = scene.model();
    let depth = |link: &LinkId| model.joints_up_to(*link, model.root()).len();
    model.link_ids().max_by_key(depth).expect("a robot has its root")
}

/// Parallel projection.
struct View {
    right: Vec3,
    up: Vec3,
    back: Vec3,
}

impl View {
    fn new() -> Self {
        let back = Vec3::from(EYE).normalize();
        let right = Vec3::z().cross(&back).normalize();
        Self { right, up: back.cross(&right), back }
    }

    fn seen(&self, point: &Vec3) -> [f64; 2] {
        [self.right.dot(point), self.up.dot(point)]
    }

    /// The outline of a convex body: its support points along the directions of the picture. A half-space has none.
    fn outline(&self, pose: &Pose, shape: &Shape, look: Look) -> Option<Outline> {
        if !shape.bounding_radius().is_finite() {
            return None;
        }
        let point = |k: usize| {
            let (sin, cos) = sin_cos(std::f64::consts::TAU * k as f64 / OUTLINE as f64);
            let dir = pose.rotation.inverse_transform_vector(&(self.right * cos + self.up * sin));
            self.seen(&(pose.rotation * shape.support(&dir).point + pose.translation.vector))
        };
        let points = (0..OUTLINE).map(point).collect();
        Some(Outline { points, depth: self.back.dot(&pose.translation.vector), look })
    }
}

fn draw(bodies: &[Outline], way: &[[f64; 2]], link: &str) -> String {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in bodies.iter().flat_map(|body| &body.points).chain(way) {
        for axis in 0..2 {
            low[axis] = low[axis].min(point[axis]);
            high[axis] = high[axis].max(point[axis]);
        }
    }
    let scale = (0..2)
        .map(|axis| (SIZE[axis] - 2.0 * BORDER) / (high[axis] - low[axis]).max(1e-9))
        .fold(f64::INFINITY, f64::min);
    let pixels = |points: &[[f64; 2]]| {
        let at = |[x, y]: &[f64; 2]| {
            let x = 0.5 * SIZE[0] + (x - 0.5 * (low[0] + high[0])) * scale;
            let y = 0.5 * SIZE[1] - (y - 0.5 * (low[1] + high[1])) * scale;
            format!("{x:.1},{y:.1}")
        };
        points.iter().map(at).collect::<Vec<_>>().join(" ")
    };
    let [width, height] = SIZE;
    let link = link.replace('&', "&amp;").replace('<', "&lt;");
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title>start (blue), goal (green), and the way of {link} (orange)</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for Outline { points, look: (fill, opacity, line), .. } in bodies {
        let points = pixels(points);
        writeln!(
            svg,
            "<polygon points=\"{points}\" fill=\"{fill}\" fill-opacity=\"{opacity}\" stroke=\"{line}\" \
             stroke-width=\"0.8\" stroke-linejoin=\"round\"/>"
        )
        .expect("a string takes any text");
    }
    let points = pixels(way);
    writeln!(
        svg,
        "<polyline points=\"{points}\" fill=\"none\" stroke=\"{WAY}\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>"
    )
    .expect("a string takes any text");
    svg + "</svg>\n"
}
