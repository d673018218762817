//! What is simulated: bodies over a floor, or an arm.

use nalgebra::UnitQuaternion;
use serde_json::{Value, json};
use smooth_scene_geometry::math::{Vec3, rotation_from_vector};

/// What a body looks like.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// Half edges.
    Box([f64; 3]),
    /// Semi-axes. Rapier has no ellipsoids and gets a convex hull of 162 points.
    Ellipsoid([f64; 3]),
}

#[derive(Debug, Clone)]
pub struct Body {
    pub form: Form,
    pub position: Vec3,
    pub rotation: UnitQuaternion<f64>,
}

#[derive(Debug, Clone)]
pub struct Scene {
    pub name: &'static str,
    /// Length of a step, s, and steps in a round.
    pub step: f64,
    pub steps: u32,
    pub bodies: Vec<Body>,
    /// Links of an arm that hangs from the world, each half a metre long, turned about y and x in turn; no floor then.
    pub links: usize,
}

pub const DENSITY: f64 = 1000.0;
pub const FRICTION: f64 = 0.5;
/// Length, half width and mass of a link of the arm, m and kg.
pub const LINK: [f64; 3] = [0.5, 0.05, 2.0];
/// How far the first joint of the arm is turned at the start, rad.
pub const START: f64 = 1.0;

pub fn all() -> Vec<Scene> {
    let boxes = (0..60).map(|k| {
        let (layer, place) = (k / 6, k % 6);
        let at = Vec3::new(
            0.21 * f64::from(place % 3),
            0.21 * f64::from(place / 3),
            0.1 + 0.2 * f64::from(layer),
        );
        Body { form: Form::Box([0.1; 3]), position: at, rotation: UnitQuaternion::identity() }
    });
    let ellipsoids = (0..64).map(|k| {
        let place = [k % 4, k / 4 % 4, k / 16].map(f64::from);
        let turn = Vec3::new(0.7 * place[0], 0.4 + 0.3 * place[1], 0.5 * place[2]);
        Body {
            form: Form::Ellipsoid([0.1, 0.07, 0.05]),
            position: Vec3::new(
                0.17 * place[0] + 0.03 * place[2],
                0.17 * place[1],
                0.15 + 0.22 * place[2],
            ),
            rotation: rotation_from_vector(&turn),
        }
    });
    let scene = |name, bodies, links| Scene { name, step: 2e-3, steps: 1000, bodies, links };
    vec![
        scene("64 ellipsoids fall on a floor", ellipsoids.collect(), 0),
        scene("6 towers of 10 boxes stand", boxes.collect(), 0),
        scene("an arm of 7 links swings", Vec::new(), 7),
    ]
}

impl Scene {
    /// For other programs.
    pub fn describe(&self) -> Value {
        let bodies: Vec<Value> = self
            .bodies
            .iter()
            .map(|body| {
                let (kind, size) = match body.form {
                    Form::Box(size) => ("box", size),
                    Form::Ellipsoid(size) => ("ellipsoid", size),
                };
                let q = body.rotation;
                json!({"kind": kind, "size": size, "position": body.position.as_slice(), "quaternion": [q.w, q.i, q.j, q.k]})
            })
            .collect();
        json!({"step": self.step, "steps": self.steps, "bodies": bodies, "links": self.links, "density": DENSITY,
            "friction": FRICTION, "link": LINK, "start": START})
    }
}
