//! A picture of a mesh and its surfaces: SVG, parallel projection.

use std::fmt::Write;

use crate::clip::Triangle;
use crate::surface::FittedSurface;
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::{Vec3, sin_cos};

/// Width and height of a view, in pixels.
const SIDE: f64 = 420.0;
/// Pixels around the body.
const BORDER: f64 = 14.0;
/// Points of an outline.
const OUTLINE: usize = 90;
/// Most triangles that are drawn; of larger meshes every n-th.
const MAX_TRIANGLES: usize = 6000;
/// Colours of the surfaces, one after the other.
const COLORS: [&str; 8] =
    ["#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2"];
/// Directions towards the eye of the two views.
const EYES: [[f64; 3]; 2] = [[1.0, -0.8, 0.6], [-0.7, -1.0, 0.35]];

/// Two views of a mesh, in grey, with the outlines of the surfaces around it, in colours.
pub fn picture(triangles: &[Triangle], surfaces: &[FittedSurface]) -> String {
    let width = SIDE * EYES.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{SIDE}\" viewBox=\"0 0 {width} {SIDE}\">\n\
         <rect width=\"{width}\" height=\"{SIDE}\" fill=\"#ffffff\"/>\n"
    );
    for (number, eye) in EYES.iter().enumerate() {
        let view =
            View::new(Vec3::from(*eye).normalize(), triangles, surfaces, SIDE * number as f64);
        view.draw(&mut svg, triangles, surfaces);
    }
    svg + "</svg>\n"
}

struct View {
    right: Vec3,
    up: Vec3,
    back: Vec3,
    middle: [f64; 2],
    scale: f64,
    left: f64,
}

impl View {
    fn new(back: Vec3, triangles: &[Triangle], surfaces: &[FittedSurface], left: f64) -> Self {
        let right = Vec3::z().cross(&back).normalize();
        let up = back.cross(&right);
        let mut view = Self { right, up, back, middle: [0.0; 2], scale: 1.0, left };
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        let corners = triangles.iter().flatten().map(|p| [right.dot(p), up.dot(p)]);
        let outlines = surfaces.iter().flat_map(|surface| view.outline(surface));
        for point in corners.chain(outlines) {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        let size = (high[0] - low[0]).max(high[1] - low[1]).max(1e-9);
        view.middle = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        view.scale = (SIDE - 2.0 * BORDER) / size;
        view
    }

    /// The outline of a convex body: its support points along the directions of the picture plane.
    fn outline(&self, surface: &FittedSurface) -> Vec<[f64; 2]> {
        let pose = surface.pose();
        (0..OUTLINE)
            .map(|k| {
                let (sin, cos) = sin_cos(std::f64::consts::TAU * k as f64 / OUTLINE as f64);
                let direction = self.right * cos + self.up * sin;
                let local = pose.rotation.inverse_transform_vector(&direction);
                let point =
                    pose.rotation * surface.shape.support(&local).point + pose.translation.vector;
                [self.right.dot(&point), self.up.dot(&point)]
            })
            .collect()
    }

    fn pixels(&self, points: impl IntoIterator<Item = [f64; 2]>) -> String {
        let mut text = String::new();
        for [x, y] in points {
            let x = self.left + 0.5 * SIDE + (x - self.middle[0]) * self.scale;
            let y = 0.5 * SIDE - (y - self.middle[1]) * self.scale;
            write!(text, "{x:.1},{y:.1} ").expect("writing to a string does not fail");
        }
        text
    }

    fn draw(&self, svg: &mut String, triangles: &[Triangle], surfaces: &[FittedSurface]) {
        let every = triangles.len().div_ceil(MAX_TRIANGLES).max(1);
        let depth = |t: &&Triangle| self.back.dot(&(t[0] + t[1] + t[2]));
        let mut sorted: Vec<&Triangle> = triangles.iter().step_by(every).collect();
        // The farthest first.
        sorted.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
        for triangle in sorted {
            let [a, b, c] = triangle;
            let normal = (b - a).cross(&(c - a));
            let light =
                if normal.norm() > 0.0 { normal.normalize().dot(&self.back).abs() } else { 1.0 };
            let grey = (95.0 + 125.0 * light) as u8;
            let points = self.pixels(triangle.iter().map(|p| [self.right.dot(p), self.up.dot(p)]));
            writeln!(
                svg,
                "<polygon points=\"{points}\" fill=\"rgb({grey},{grey},{grey})\" stroke=\"rgb({grey},{grey},{grey})\" stroke-width=\"0.4\"/>"
            )
            .expect("writing to a string does not fail");
        }
        for (number, surface) in surfaces.iter().enumerate() {
            let color = COLORS[number % COLORS.len()];
            let points = self.pixels(self.outline(surface));
            writeln!(
                svg,
                "<polygon points=\"{points}\" fill=\"{color}\" fill-opacity=\"0.14\" stroke=\"{color}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>"
            )
            .expect("writing to a string does not fail");
        }
    }
}
