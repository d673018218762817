//! Signed distance by brute force: the yardstick of the accuracy table and of the property tests.
//!
//! It shares nothing with the library but the numbers that describe a shape. Support values are computed here, from the
//! definitions, and the highest separation n·d − h_A(n) − h_B(−n) is looked for on thousands of directions with
//! Nelder–Mead from the best of them. Every value it returns is a separation along some direction, so it is a lower
//! bound on the signed distance whatever the search missed; on mild bodies it is within 1e-7 of the size of it.

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};

/// Directions of the first look: neighbours are about 0.06 rad apart.
const DIRECTIONS: usize = 4000;
/// Directions from which the search continues.
const STARTS: usize = 16;

/// The best separation that was found.
#[derive(Debug, Clone, Copy)]
pub struct SlowDistance {
    pub value: f64,
    pub normal_w: Vec3,
}

/// The signed distance of two posed convex shapes, up to what the search missed; never above it but for rounding.
pub fn slow_signed_distance(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> SlowDistance {
    let pair = SlowPair::new(a, pose_a, b, pose_b);
    let mut samples: Vec<(f64, Vec3)> = spiral(DIRECTIONS)
        .chain(pair.special_directions())
        .map(|n| (pair.separation(&n, Effort::Rough), n))
        .collect();
    samples.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut starts: Vec<Vec3> = Vec::new();
    for (_, n) in samples {
        if starts.len() < STARTS && starts.iter().all(|start| (start - n).norm() > 0.09) {
            starts.push(n);
        }
    }
    let mut ends: Vec<SlowDistance> =
        starts.iter().map(|start| pair.climb(start, 0.05, 50)).collect();
    ends.sort_by(|one, other| other.value.total_cmp(&one.value));
    let mut best = ends[0];
    for end in ends.iter().take(3) {
        let mut top = *end;
        // A simplex may collapse on a ridge; a fresh one from there climbs on.
        for spread in [1e-2, 1e-3, 1e-5, 1e-7] {
            let next = pair.climb(&top.normal_w, spread, 100);
            top = if next.value > top.value { next } else { top };
        }
        best = if top.value > best.value { top } else { best };
    }
    best
}

/// The separation along one world direction, unit or not: a lower bound on the signed distance.
pub fn separation_along(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, n: &Vec3) -> f64 {
    SlowPair::new(a, pose_a, b, pose_b).separation(&n.normalize(), Effort::Full)
}

/// The support value of a shape in its own frame.
pub fn support_value(shape: &Shape, dir: &Vec3) -> f64 {
    Body::new(shape).support(dir, Effort::Full)
}

/// Unit vectors along a spiral that covers the sphere evenly.
pub fn spiral(count: usize) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |k| {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / count as f64;
        let (sin, cos) = (k as f64 * 2.399_963_229_728_653).sin_cos();
        let rho = (1.0 - z * z).sqrt();
        Vec3::new(rho * cos, rho * sin, z)
    })
}

/// Whether a support value is wanted to all digits, or only to choose starts from.
#[derive(Clone, Copy, PartialEq)]
enum Effort {
    Rough,
    Full,
}

struct SlowPair {
    a: Body,
    b: Body,
    rotation_a: Mat3,
    rotation_b: Mat3,
    /// From the origin of A to that of B, world axes. Subtracted first: far from the world's origin that is exact.
    offset: Vec3,
}

impl SlowPair {
    fn new(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Self {
        Self {
            a: Body::new(a),
            b: Body::new(b),
            rotation_a: pose_a.rotation.to_rotation_matrix().into_inner(),
            rotation_b: pose_b.rotation.to_rotation_matrix().into_inner(),
            offset: pose_b.translation.vector - pose_a.translation.vector,
        }
    }

    fn separation(&self, n: &Vec3, effort: Effort) -> f64 {
        let reach_a = self.a.support(&self.rotation_a.tr_mul(n), effort);
        let reach_b = self.b.support(&-self.rotation_b.tr_mul(n), effort);
        n.dot(&self.offset) - reach_a - reach_b
    }

    /// The centre line, the axes of both bodies and their cross products: where boxes have their answers.
    fn special_directions(&self) -> Vec<Vec3> {
        let axis = |rotation: &Mat3, k: usize| rotation.column(k).into_owned();
        let mut found = vec![self.offset];
        for i in 0..3 {
            found.push(axis(&self.rotation_a, i));
            found.push(axis(&self.rotation_b, i));
            for j in 0..3 {
                found.push(axis(&self.rotation_a, i).cross(&axis(&self.rotation_b, j)));
            }
        }
        let lengthy = found.into_iter().filter(|v| v.norm() > 1e-300 && v.norm() > 1e-9 * v.amax());
        lengthy.map(|v| v.normalize()).flat_map(|v| [v, -v]).collect()
    }

    /// Nelder–Mead on the tangent plane at `start`, from a simplex of this spread in radians.
    fn climb(&self, start: &Vec3, spread: f64, steps: usize) -> SlowDistance {
        let u = start.cross(&Vec3::ith(start.iamin(), 1.0)).normalize();
        let v = start.cross(&u);
        let at = |p: [f64; 2]| {
            let n = (start + u * p[0] + v * p[1]).normalize();
            (self.separation(&n, Effort::Full), p, n)
        };
        let mut corners = [at([0.0, 0.0]), at([spread, 0.0]), at([-0.5 * spread, 0.8 * spread])];
        for _ in 0..steps {
            corners.sort_by(|one, other| other.0.total_cmp(&one.0));
            let [best, middle, worst] = corners;
            let center = [0.5 * (best.1[0] + middle.1[0]), 0.5 * (best.1[1] + middle.1[1])];
            let along = |t: f64| {
                at([
                    center[0] + t * (center[0] - worst.1[0]),
                    center[1] + t * (center[1] - worst.1[1]),
                ])
            };
            let reflected = along(1.0);
            corners[2] = if reflected.0 > best.0 {
                let expanded = along(2.0);
                if expanded.0 > reflected.0 { expanded } else { reflected }
            } else if reflected.0 > middle.0 {
                reflected
            } else {
                let contracted = along(if reflected.0 > worst.0 { 0.5 } else { -0.5 });
                if contracted.0 <= worst.0.max(reflected.0) {
                    let halved =
                        |p: [f64; 2]| at([0.5 * (p[0] + best.1[0]), 0.5 * (p[1] + best.1[1])]);
                    corners[1] = halved(middle.1);
                    halved(worst.1)
                } else {
                    contracted
                }
            };
        }
        corners.sort_by(|one, other| other.0.total_cmp(&one.0));
        SlowDistance { value: corners[0].0, normal_w: corners[0].2 }
    }
}

/// A shape as this search sees it.
enum Body {
    /// Six semi-axes: +x, −x, +y, −y, +z, −z.
    Octants([f64; 6]),
    Cuboid(Vec3),
    Cylinder {
        radius: f64,
        half_length: f64,
    },
    Segment {
        half_length: f64,
    },
    Cone {
        radius: f64,
        half_length: f64,
    },
    Vertices(Vec<Vec3>),
    Superellipsoid {
        radii: Vec3,
        dual_xy: f64,
        dual_z: f64,
    },
    Superovoid(Profile),
    Padded(Box<Body>, f64),
    Mapped(Box<Body>, Mat3),
}

impl Body {
    fn new(shape: &Shape) -> Self {
        match shape {
            Shape::Sphere(s) => Body::Octants([s.radius(); 6]),
            Shape::Ellipsoid(s) => {
                let [x, y, z] = s.radii();
                Body::Octants([x, x, y, y, z, z])
            }
            Shape::PolyEllipsoid(s) => Body::Octants(s.radii()),
            Shape::Cuboid(s) => Body::Cuboid(s.half_extents().into()),
            Shape::Cylinder(s) => {
                Body::Cylinder { radius: s.radius(), half_length: s.half_length() }
            }
            Shape::Capsule(s) => {
                Body::Padded(Box::new(Body::Segment { half_length: s.half_length() }), s.radius())
            }
            Shape::Cone(s) => Body::Cone { radius: s.radius(), half_length: s.half_length() },
            Shape::ConvexMesh(s) => Body::Vertices(s.vertices().to_vec()),
            Shape::Superellipsoid(s) => Body::Superellipsoid {
                radii: s.radii().into(),
                dual_xy: dual_exponent(s.exponent_xy()),
                dual_z: dual_exponent(s.exponent_z()),
            },
            Shape::Superovoid(s) => Body::Superovoid(Profile::new(
                s.radii(),
                s.exponent_xy(),
                s.exponent_z(),
                s.taper(),
            )),
            Shape::Padded(s) => Body::Padded(Box::new(Body::new(s.shape())), s.radius()),
            Shape::Mapped(s) => Body::Mapped(Box::new(Body::new(s.shape())), *s.matrix()),
            other => panic!("a {} has no slow search", other.kind()),
        }
    }

    fn support(&self, n: &Vec3, effort: Effort) -> f64 {
        match self {
            // The best of every octant's part of its ellipsoid; a part only reaches along the signs it has.
            Body::Octants(radii) => {
                let of_octant = |octant: usize| {
                    let part = |axis: usize| {
                        let side = (octant >> axis) & 1;
                        let sign = if side == 0 { 1.0 } else { -1.0 };
                        (radii[2 * axis + side] * (sign * n[axis]).max(0.0)).powi(2)
                    };
                    (part(0) + part(1) + part(2)).sqrt()
                };
                (0..8).map(of_octant).fold(0.0, f64::max)
            }
            Body::Cuboid(e) => e.x * n.x.abs() + e.y * n.y.abs() + e.z * n.z.abs(),
            Body::Cylinder { radius, half_length } => {
                radius * (n.x * n.x + n.y * n.y).sqrt() + half_length * n.z.abs()
            }
            Body::Segment { half_length } => half_length * n.z.abs(),
            Body::Cone { radius, half_length } => {
                let rim = radius * (n.x * n.x + n.y * n.y).sqrt() - half_length * n.z;
                rim.max(half_length * n.z)
            }
            Body::Vertices(vertices) => {
                vertices.iter().map(|x| x.dot(n)).fold(f64::NEG_INFINITY, f64::max)
            }
            Body::Superellipsoid { radii, dual_xy, dual_z } => {
                let section = p_norm(radii.x * n.x, radii.y * n.y, *dual_xy);
                p_norm(section, radii.z * n.z, *dual_z)
            }
            Body::Superovoid(profile) => profile.support(n, effort),
            Body::Padded(body, radius) => body.support(n, effort) + radius * n.norm(),
            Body::Mapped(body, matrix) => body.support(&matrix.tr_mul(n), effort),
        }
    }
}

/// The exponent conjugate to 2/ε: max of u·x + v·y over |x|^(2/ε) + |y|^(2/ε) ≤ 1 is the norm of (u, v) with it.
fn dual_exponent(exponent: f64) -> f64 {
    2.0 / (2.0 - exponent)
}

fn p_norm(u: f64, v: f64, p: f64) -> f64 {
    let (large, small) = (u.abs().max(v.abs()), u.abs().min(v.abs()));
    if large == 0.0 { 0.0 } else { large * (1.0 + (small / large).powf(p)).powf(1.0 / p) }
}

/// A superovoid as a stack of cross-sections: at height w the section is scaled by ρ, |w|^p + ρ^p = 1. The height is
/// looked for by sampling w/ρ from one end of the stack to the other, so dents are no obstacle.
struct Profile {
    radii: [f64; 3],
    taper: [f64; 2],
    dual_xy: f64,
    /// p = 2/ε_z.
    power: f64,
    /// Heights and scales of the samples, in order of height.
    samples: Vec<[f64; 2]>,
}

/// Samples on each half of the stack.
const HALF: i32 = 60;
/// sinh of this is the logarithm of w/ρ at the ends of a half: beyond it w or ρ is below rounding.
const END: f64 = 4.3;

impl Profile {
    fn new(radii: [f64; 3], exponent_xy: f64, exponent_z: f64, taper: [f64; 2]) -> Self {
        let mut profile = Self {
            radii,
            taper,
            dual_xy: dual_exponent(exponent_xy),
            power: 2.0 / exponent_z,
            samples: Vec::new(),
        };
        profile.samples =
            (-HALF..=HALF).map(|k| profile.place(f64::from(k) / f64::from(HALF))).collect();
        profile
    }

    /// Height and scale for a parameter in [−1, 1]; it is zero at the waist and ±1 at the poles.
    fn place(&self, parameter: f64) -> [f64; 2] {
        let share = parameter.abs();
        if share == 0.0 {
            return [0.0, 1.0];
        }
        if share >= 1.0 {
            return [parameter.signum(), 0.0];
        }
        let ratio = (END * (2.0 * share - 1.0)).sinh();
        let p = self.power;
        let power_of = |t: f64| (1.0 + (-p * t).exp()).powf(-1.0 / p);
        // For a large exponent exp overflows while its root is a plain e^t.
        let w = if p * ratio < -700.0 { ratio.exp() } else { power_of(ratio) };
        let rho = if p * ratio > 700.0 { (-ratio).exp() } else { power_of(-ratio) };
        [parameter.signum() * w, rho]
    }

    fn height(&self, n: &Vec3, [w, rho]: [f64; 2]) -> f64 {
        let x = self.radii[0] * (1.0 + self.taper[0] * w) * n.x;
        let y = self.radii[1] * (1.0 + self.taper[1] * w) * n.y;
        self.radii[2] * n.z * w + rho * p_norm(x, y, self.dual_xy)
    }

    fn support(&self, n: &Vec3, effort: Effort) -> f64 {
        if effort == Effort::Rough {
            let some = self.samples.iter().step_by(3);
            return some.map(|s| self.height(n, *s)).fold(f64::NEG_INFINITY, f64::max);
        }
        let heights: Vec<f64> = self.samples.iter().map(|s| self.height(n, *s)).collect();
        let parameter = |k: f64| (k / f64::from(HALF) - 1.0).clamp(-1.0, 1.0);
        let refined = highest_peaks(&heights, 4)
            .into_iter()
            .map(|k| self.look_closer(n, parameter(k as f64 - 1.0), parameter(k as f64 + 1.0)));
        refined.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Samples a bracket again before refining: sections of a pinched body turn so quickly that two tops of nearly the
    /// same height may share a bracket, and a search that takes the lower one invents a separation.
    fn look_closer(&self, n: &Vec3, low: f64, high: f64) -> f64 {
        let parameter = |k: f64| low + (high - low) * (k / 32.0).clamp(0.0, 1.0);
        let at = |k: i32| self.height(n, self.place(parameter(f64::from(k))));
        let heights: Vec<f64> = (0..=32).map(at).collect();
        let refined = highest_peaks(&heights, 3)
            .into_iter()
            .map(|k| self.refined(n, parameter(k as f64 - 1.0), parameter(k as f64 + 1.0)));
        refined.fold(heights.iter().copied().fold(f64::NEG_INFINITY, f64::max), f64::max)
    }

    /// Golden section between two parameters.
    fn refined(&self, n: &Vec3, mut low: f64, mut high: f64) -> f64 {
        let at = |s: f64| self.height(n, self.place(s));
        let golden = 0.5 * (5f64.sqrt() - 1.0);
        let mut inner = [high - golden * (high - low), low + golden * (high - low)];
        let mut values = inner.map(at);
        let mut best = values[0].max(values[1]);
        // 30 sections leave 5e-7 of a bracket of 4e-4, and a quadratic top squares that.
        for _ in 0..30 {
            if values[0] > values[1] {
                high = inner[1];
                inner = [high - golden * (high - low), inner[0]];
                values = [at(inner[0]), values[0]];
            } else {
                low = inner[0];
                inner = [inner[1], low + golden * (high - low)];
                values = [values[1], at(inner[1])];
            }
            best = best.max(values[0]).max(values[1]);
        }
        best
    }
}

/// The highest local maxima of a list, ends included, highest first. Those in the lower nine tenths of its range are
/// left out: refining moves a top by far less.
fn highest_peaks(heights: &[f64], count: usize) -> Vec<usize> {
    let last = heights.len() - 1;
    let is_peak = |k: usize| {
        (k == 0 || heights[k] >= heights[k - 1]) && (k == last || heights[k] >= heights[k + 1])
    };
    let mut peaks: Vec<usize> = (0..=last).filter(|k| is_peak(*k)).collect();
    peaks.sort_by(|i, j| heights[*j].total_cmp(&heights[*i]));
    peaks.truncate(count);
    let (top, bottom) = (heights[peaks[0]], heights.iter().copied().fold(f64::INFINITY, f64::min));
    peaks.retain(|k| heights[*k] >= top - 0.1 * (top - bottom));
    peaks
}
