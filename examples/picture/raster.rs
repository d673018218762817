//! A small software renderer: triangles with smooth normals into a depth buffer, parallel projection, anti-aliased by
//! drawing more samples than pixels.

use smooth_scene::geometry::TriangleMesh;
use smooth_scene::math::{Pose, Vec3};

/// Samples per pixel along each side.
const OVERSAMPLING: usize = 4;

/// A colour, red, green, blue, linear from 0 to 1.
pub type Color = [f32; 3];

/// How a body is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// Hides what is behind it.
    Solid,
    /// Lets what is behind it shine through.
    Glass,
    /// On top of everything else.
    Overlay,
}

/// A parallel projection: what is at `center` appears in the middle.
#[derive(Debug, Clone, Copy)]
pub struct Camera {
    pub center: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    /// Towards the eye.
    pub back: Vec3,
    /// Pixels per metre.
    pub scale: f64,
}

impl Camera {
    /// Looks at `center` from the direction `back`; `up` is where it is up in the picture.
    pub fn new(center: Vec3, back: Vec3, up: Vec3, scale: f64) -> Self {
        let back = back.normalize();
        let right = up.cross(&back).normalize();
        Self { center, right, up: back.cross(&right), back, scale }
    }

    /// Metres to the right, up and towards the eye, from the centre.
    pub fn project(&self, point: &Vec3) -> Vec3 {
        let v = point - self.center;
        Vec3::new(v.dot(&self.right), v.dot(&self.up), v.dot(&self.back))
    }
}

#[derive(Clone, Copy)]
struct Sample {
    depth: f64,
    color: Color,
}

/// One picture that is being drawn.
pub struct Canvas {
    width: usize,
    height: usize,
    layers: [Vec<Sample>; 3],
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Self {
        let empty = Sample { depth: f64::NEG_INFINITY, color: [0.0; 3] };
        let layer = vec![empty; width * height * OVERSAMPLING * OVERSAMPLING];
        Self { width, height, layers: [layer.clone(), layer.clone(), layer] }
    }

    /// Draws a mesh in the given pose.
    pub fn draw(
        &mut self,
        mesh: &TriangleMesh,
        pose: &Pose,
        color: Color,
        layer: Layer,
        camera: &Camera,
    ) {
        let scale = camera.scale * OVERSAMPLING as f64;
        let middle = [self.width, self.height].map(|side| (side * OVERSAMPLING) as f64 / 2.0);
        let corners: Vec<Corner> = mesh
            .vertices
            .iter()
            .zip(&mesh.normals)
            .map(|(vertex, normal)| {
                let seen = camera.project(&(pose.rotation * vertex + pose.translation.vector));
                Corner {
                    x: middle[0] + seen.x * scale,
                    y: middle[1] - seen.y * scale,
                    depth: seen.z,
                    normal: pose.rotation * normal,
                }
            })
            .collect();
        for triangle in &mesh.triangles {
            let triangle = triangle.map(|index| corners[index as usize]);
            self.fill(&triangle, color, layer, camera);
        }
    }

    fn fill(&mut self, corners: &[Corner; 3], color: Color, layer: Layer, camera: &Camera) {
        let [a, b, c] = corners;
        let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        // The picture's y points down: what faces the eye runs clockwise there.
        if area >= 0.0 {
            return;
        }
        let (columns, rows) = (self.width * OVERSAMPLING, self.height * OVERSAMPLING);
        let range = |values: [f64; 3], end: usize| {
            let low = values.iter().fold(f64::INFINITY, |low, &x| low.min(x));
            let high = values.iter().fold(f64::NEG_INFINITY, |high, &x| high.max(x));
            (low.floor().max(0.0) as usize)..(high.ceil().clamp(0.0, end as f64) as usize)
        };
        for row in range([a.y, b.y, c.y], rows) {
            let y = row as f64 + 0.5;
            for column in range([a.x, b.x, c.x], columns) {
                let x = column as f64 + 0.5;
                let share = |p: &Corner, q: &Corner| {
                    ((q.x - p.x) * (y - p.y) - (x - p.x) * (q.y - p.y)) / area
                };
                let (wa, wb, wc) = (share(b, c), share(c, a), share(a, b));
                if wa < 0.0 || wb < 0.0 || wc < 0.0 {
                    continue;
                }
                let depth = wa * a.depth + wb * b.depth + wc * c.depth;
                let sample = &mut self.layers[layer as usize][row * columns + column];
                if depth > sample.depth {
                    let normal = a.normal * wa + b.normal * wb + c.normal * wc;
                    let color = if layer == Layer::Overlay {
                        color
                    } else {
                        lit(color, &normal.normalize(), camera)
                    };
                    *sample = Sample { depth, color };
                }
            }
        }
    }

    /// The picture, three bytes per pixel, row by row.
    pub fn pixels(&self, background: Color, opacity_of_glass: f32) -> Vec<u8> {
        let columns = self.width * OVERSAMPLING;
        let mut bytes = Vec::with_capacity(self.width * self.height * 3);
        for row in 0..self.height {
            for column in 0..self.width {
                let mut sum = [0f32; 3];
                for k in 0..OVERSAMPLING * OVERSAMPLING {
                    let at = (row * OVERSAMPLING + k / OVERSAMPLING) * columns
                        + column * OVERSAMPLING
                        + k % OVERSAMPLING;
                    let color = self.composed(at, background, opacity_of_glass);
                    (0..3).for_each(|channel| sum[channel] += color[channel]);
                }
                let samples = (OVERSAMPLING * OVERSAMPLING) as f32;
                bytes.extend(sum.map(|channel| encoded(channel / samples)));
            }
        }
        bytes
    }

    fn composed(&self, at: usize, background: Color, opacity_of_glass: f32) -> Color {
        let [solid, glass, overlay] = [0, 1, 2].map(|layer: usize| self.layers[layer][at]);
        if overlay.depth > f64::NEG_INFINITY {
            return overlay.color;
        }
        let behind = if solid.depth > f64::NEG_INFINITY { solid.color } else { background };
        if glass.depth <= solid.depth {
            return behind;
        }
        let mixed = |channel: usize| {
            behind[channel] + (glass.color[channel] - behind[channel]) * opacity_of_glass
        };
        [mixed(0), mixed(1), mixed(2)]
    }
}

#[derive(Clone, Copy)]
struct Corner {
    x: f64,
    y: f64,
    depth: f64,
    normal: Vec3,
}

/// Light from above the eye's left shoulder, a weaker one from the right, and a highlight [Blinn 1977].
fn lit(color: Color, normal: &Vec3, camera: &Camera) -> Color {
    let towards = |right: f64, up: f64, back: f64| {
        (camera.right * right + camera.up * up + camera.back * back).normalize()
    };
    let key = towards(-0.5, 0.8, 0.9);
    let diffuse = 0.28
        + 0.62 * normal.dot(&key).max(0.0)
        + 0.20 * normal.dot(&towards(0.9, 0.1, 0.5)).max(0.0);
    let shine = 0.22 * normal.dot(&(key + camera.back).normalize()).max(0.0).powi(40);
    color.map(|channel| (channel * diffuse as f32 + shine as f32).min(1.0))
}

/// Linear light to a byte, as sRGB has it.
fn encoded(channel: f32) -> u8 {
    let curved = if channel <= 0.003_130_8 {
        12.92 * channel
    } else {
        1.055 * channel.powf(1.0 / 2.4) - 0.055
    };
    (curved.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// An sRGB colour such as 0xd62728 as linear light.
pub fn color(rgb: u32) -> Color {
    [16, 8, 0].map(|shift| {
        let byte = ((rgb >> shift) & 0xff) as f32 / 255.0;
        if byte <= 0.04045 { byte / 12.92 } else { ((byte + 0.055) / 1.055).powf(2.4) }
    })
}
