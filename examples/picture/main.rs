//! Draws three moments of the two-hand movement: the start, the thumb tips touching, the fingers passing through.
//!
//! ```text
//! cargo run --release --example picture -- docs/hands.png
//! ```
//!
//! Red: links in contact. Orange: nearer than 5 mm. Green lines: between the nearest points of the nearest pairs of the
//! two hands. Dots: where they touch.

mod raster;

use smooth_scene_test_support::movement;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

use raster::{Camera, Canvas, Color, Layer, color};
use smooth_scene::geometry::{Shape, TriangleMesh, tessellate};
use smooth_scene::math::{Pose, Vec3};
use smooth_scene::robot::srdf::Srdf;
use smooth_scene::robot::{LinkId, LinkPoses, RobotModel, RobotState};
use smooth_scene::scene::{
    Between, BodyId, BodySet, CheckRequest, NearestRequest, PairDistance, PlanningScene, Workspace,
};

/// The moments shown, in seconds, of a movement of ten.
const MOMENTS: [f64; 3] = [0.0, 2.5, 6.5];
const DURATION: f64 = 10.0;
/// Width of the picture, in pixels.
const WIDTH: f64 = 1500.0;
/// Pixels between the hands and the edge of a panel.
const BORDER: f64 = 32.0;
/// Links nearer than this are close, in metres.
const CLOSE: f64 = 0.005;
/// Deviation of the meshes, in metres: a tenth of a pixel.
const DEVIATION: f64 = 2e-5;
/// Thickness of lines and dots, in pixels.
const LINE_RADIUS: f64 = 1.3;
const DOT_RADIUS: f64 = 3.2;
const DOT_RIM: f64 = 1.2;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: picture FILE.png")?;
    let model = movement::bundled("icub_hands_mixed.urdf");
    let srdf = Path::new(env!("CARGO_MANIFEST_DIR")).join("urdf/icub_hands.srdf");
    let srdf = Srdf::parse(&std::fs::read_to_string(srdf)?, "icub_hands.srdf")?;
    let scene = PlanningScene::new(model.clone(), Some(srdf.resolve(&model)?.0))?;
    let states = movement::two_hand_grasp(&model);
    let mut panels = Vec::new();
    for time in MOMENTS {
        let step = (time / DURATION * (states.len() - 1) as f64).round() as usize;
        panels.push(Moment::new(&scene, &states[step])?);
    }
    let sizes: Vec<Vec3> = panels.iter().map(Moment::size).collect();
    let free = WIDTH - 2.0 * BORDER * panels.len() as f64;
    let scale = free / sizes.iter().map(|size| size.x).sum::<f64>();
    let pixels = |length: f64| (length * scale + 2.0 * BORDER).floor() as usize;
    let height = sizes.iter().map(|size| pixels(size.y)).max().unwrap_or(1);
    let draw = |(moment, size): (&Moment, &Vec3)| {
        let canvas = Canvas::new(pixels(size.x), height);
        moment.draw(&model, canvas, scale)
    };
    let pictures: Vec<Vec<u8>> = panels.iter().zip(&sizes).map(draw).collect();
    write_png(Path::new(&path), &pictures, height)
}

/// One state and what the scene says about it.
struct Moment {
    bodies: Vec<Body>,
    /// Pairs of a right and a left link in contact, nearest first.
    contacts: Vec<PairDistance>,
    /// The nearest such pairs that are apart.
    apart: Vec<PairDistance>,
}

/// One surface, ready to be drawn.
struct Body {
    link: LinkId,
    mesh: TriangleMesh,
    pose: Pose,
}

impl Moment {
    fn new(scene: &PlanningScene, state: &RobotState) -> Result<Self, Box<dyn Error>> {
        let side = |prefix: &str| {
            let of_side = |id: &LinkId| scene.model().link(*id).name.starts_with(prefix);
            Some(BodySet::of(scene.model().link_ids().filter(of_side).map(BodyId::Link)))
        };
        let between = Between { a: side("r_"), b: side("l_") };
        let check = CheckRequest { between, ..CheckRequest::default() };
        let request = NearestRequest { check, ..NearestRequest::default() };
        let mut found = Vec::new();
        scene.nearest(state.positions(), &request, &mut Workspace::cold(), &mut found)?;
        let (contacts, apart) = found.into_iter().partition(PairDistance::is_contact);
        let bodies = bodies(scene.model(), &state.link_poses()?);
        Ok(Self { bodies, contacts, apart })
    }

    /// Least and greatest corner of what is seen, in metres from the world's origin.
    fn extent(&self) -> [Vec3; 2] {
        let camera = camera(Vec3::zeros(), 1.0);
        let points = self.bodies.iter().flat_map(|body| {
            let place = |v: &Vec3| body.pose.rotation * v + body.pose.translation.vector;
            body.mesh.vertices.iter().map(move |v| camera.project(&place(v)))
        });
        let none = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
        points.fold(none, |[low, high], point| [low.inf(&point), high.sup(&point)])
    }

    /// Width and height as seen, in metres.
    fn size(&self) -> Vec3 {
        let [low, high] = self.extent();
        high - low
    }

    fn draw(&self, model: &RobotModel, mut canvas: Canvas, scale: f64) -> Vec<u8> {
        let [low, high] = self.extent();
        let seen = 0.5 * (low + high);
        let frame = camera(Vec3::zeros(), scale);
        let center = frame.right * seen.x + frame.up * seen.y + frame.back * seen.z;
        let camera = camera(center, scale);
        let nearest = self.nearest_by_link();
        for body in &self.bodies {
            let palm = model.link(body.link).name.ends_with("_palm");
            let layer = if palm { Layer::Glass } else { Layer::Solid };
            let right = model.link(body.link).name.starts_with("r_");
            let color = link_color(nearest.get(&body.link).copied(), right);
            canvas.draw(&body.mesh, &body.pose, color, layer, &camera);
        }
        self.draw_answers(model, &mut canvas, &camera);
        canvas.pixels(color(0xe9ebee), 0.45)
    }

    /// How near each link is to the other hand; a contact counts as zero.
    fn nearest_by_link(&self) -> BTreeMap<LinkId, f64> {
        let mut nearest = BTreeMap::new();
        for proximity in self.contacts.iter().chain(&self.apart) {
            let distance = if proximity.is_contact() { 0.0 } else { proximity.distance.distance };
            for body in [proximity.body_a, proximity.body_b] {
                if let BodyId::Link(link) = body {
                    let least = nearest.entry(link).or_insert(distance);
                    *least = distance.min(*least);
                }
            }
        }
        nearest
    }

    fn draw_answers(&self, model: &RobotModel, canvas: &mut Canvas, camera: &Camera) {
        let pixel = 1.0 / camera.scale;
        for proximity in nearest_by_finger(model, &self.apart) {
            let (a, b) = (proximity.distance.witness_a_w, proximity.distance.witness_b_w);
            draw_line(canvas, camera, [a, b], LINE_RADIUS * pixel, color(0x0a8f2e));
        }
        for proximity in &self.contacts {
            let (a, b) = (proximity.distance.witness_a_w, proximity.distance.witness_b_w);
            let middle = 0.5 * (a + b);
            let rim = middle - camera.back * (4.0 * DOT_RADIUS * pixel);
            draw_dot(canvas, camera, rim, (DOT_RADIUS + DOT_RIM) * pixel, color(0xffffff));
            draw_dot(canvas, camera, middle, DOT_RADIUS * pixel, color(0xb00000));
        }
    }
}

/// The nearest of these pairs, which are sorted, for every finger of either hand.
fn nearest_by_finger<'a>(model: &RobotModel, sorted: &'a [PairDistance]) -> Vec<&'a PairDistance> {
    let finger = |body: BodyId| match body {
        // r_index_3 → r_index
        BodyId::Link(link) => model.link(link).name.rsplit_once('_').map(|(finger, _)| finger),
        _ => None,
    };
    let mut seen = BTreeSet::new();
    let is_first = |proximity: &&PairDistance| {
        let fingers = [proximity.body_a, proximity.body_b].map(finger);
        // Both are entered, whether or not the first was new.
        fingers.into_iter().filter(|finger| seen.insert(*finger)).count() > 0
    };
    sorted.iter().filter(is_first).collect()
}

fn bodies(model: &RobotModel, poses: &LinkPoses) -> Vec<Body> {
    let of_link = |link: LinkId| {
        model.link(link).collisions.iter().map(move |collision| Body {
            link,
            mesh: tessellate(&collision.shape, DEVIATION),
            pose: poses[link] * collision.pose_in_link,
        })
    };
    model.link_ids().flat_map(of_link).collect()
}

/// From above and in front of the finger tips, which point down in the picture.
fn camera(center: Vec3, scale: f64) -> Camera {
    Camera::new(center, Vec3::new(-0.55, -0.12, 0.83), Vec3::z(), scale)
}

fn link_color(distance: Option<f64>, right: bool) -> Color {
    match distance {
        Some(0.0) => color(0xd62a22),
        Some(distance) if distance < CLOSE => color(0xf59a2c),
        _ if right => color(0xa9c4e8),
        _ => color(0xdccfb4),
    }
}

fn draw_line(canvas: &mut Canvas, camera: &Camera, [a, b]: [Vec3; 2], radius: f64, color: Color) {
    let along = b - a;
    let Ok(shape) = Shape::capsule(radius, 0.5 * along.norm()) else { return };
    let turn = nalgebra::UnitQuaternion::rotation_between(&Vec3::z(), &along);
    let pose = Pose::from_parts((0.5 * (a + b)).into(), turn.unwrap_or_default());
    let mesh = tessellate(&shape, 0.02 * radius);
    canvas.draw(&mesh, &pose, color, Layer::Overlay, camera);
}

fn draw_dot(canvas: &mut Canvas, camera: &Camera, center: Vec3, radius: f64, color: Color) {
    let Ok(shape) = Shape::sphere(radius) else { return };
    let pose = Pose::from_parts(center.into(), Default::default());
    canvas.draw(&tessellate(&shape, 0.02 * radius), &pose, color, Layer::Overlay, camera);
}

/// Writes panels of the same height side by side.
fn write_png(path: &Path, panels: &[Vec<u8>], height: usize) -> Result<(), Box<dyn Error>> {
    let mut pixels = Vec::new();
    for row in 0..height {
        for panel in panels {
            let bytes = panel.len() / height;
            pixels.extend_from_slice(&panel[row * bytes..(row + 1) * bytes]);
        }
    }
    let width = pixels.len() / (3 * height);
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let mut encoder = png::Encoder::new(file, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}
