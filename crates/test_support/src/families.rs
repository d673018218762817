//! Seeded families of posed pairs, shared by the accuracy test, the accuracy table and the benchmarks.

use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Ellipsoid, Shape, Superellipsoid, Superovoid};
use smooth_scene_query::{QueryOptions, distance};

/// SplitMix64: small, seedable, the same on every machine.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn one_in(&mut self, count: u64) -> bool {
        self.next_u64().is_multiple_of(count)
    }

    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        self.uniform(low.ln(), high.ln()).exp()
    }

    pub fn normal(&mut self) -> f64 {
        let (u, v) = (self.unit().max(1e-300), self.unit());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    pub fn direction(&mut self) -> Vec3 {
        Vec3::new(self.normal(), self.normal(), self.normal()).normalize()
    }

    pub fn rotation(&mut self) -> UnitQuaternion<f64> {
        UnitQuaternion::new_normalize(Quaternion::new(
            self.normal(),
            self.normal(),
            self.normal(),
            self.normal(),
        ))
    }

    pub fn radii(&mut self, low: f64, high: f64) -> [f64; 3] {
        [self.log_uniform(low, high), self.log_uniform(low, high), self.log_uniform(low, high)]
    }
}

/// Two shapes with their world poses.
#[derive(Debug, Clone)]
pub struct PosedPair {
    pub a: Shape,
    pub pose_a: Pose,
    pub b: Shape,
    pub pose_b: Pose,
}

impl PosedPair {
    pub fn size(&self) -> f64 {
        let apart = (self.pose_a.translation.vector - self.pose_b.translation.vector).norm();
        self.a.bounding_radius().max(self.b.bounding_radius()).max(apart)
    }
}

pub fn superquadric(rng: &mut Rng, size: [f64; 2], exponent: [f64; 2], taper: f64) -> Shape {
    let radii = rng.radii(size[0], size[1]);
    let (xy, z) = (rng.uniform(exponent[0], exponent[1]), rng.uniform(exponent[0], exponent[1]));
    if taper > 0.0 {
        let taper = [rng.uniform(-taper, taper), rng.uniform(-taper, taper)];
        Superovoid::new(radii, xy, z, taper).unwrap().into()
    } else {
        Superellipsoid::new(radii, xy, z).unwrap().into()
    }
}

/// Poses the pair so that the centres are `closeness` times the sum of the bounding radii apart.
pub fn pose(rng: &mut Rng, a: Shape, b: Shape, closeness: [f64; 2]) -> PosedPair {
    let reach = a.bounding_radius() + b.bounding_radius();
    let origin = rng.direction() * reach;
    let offset = rng.direction() * (reach * rng.uniform(closeness[0], closeness[1]));
    PosedPair {
        a,
        b,
        pose_a: Pose::from_parts(Translation3::from(origin), rng.rotation()),
        pose_b: Pose::from_parts(Translation3::from(origin + offset), rng.rotation()),
    }
}

/// The families of the accuracy table.
pub const FAMILIES: [&str; 13] = [
    "mild",
    "wide",
    "boxy",
    "pinched",
    "needle-plate",
    "deep",
    "touching",
    "aligned",
    "concentric",
    "mixed-scale",
    "tapered",
    "ellipsoids",
    "mixed-kinds",
];

/// A convex shape of any bounded kind, its lengths between these.
pub fn any_kind(rng: &mut Rng, size: [f64; 2]) -> Shape {
    let [x, y, z] = rng.radii(size[0], size[1]);
    match rng.next_u64() % 12 {
        0 => Shape::sphere(x).unwrap(),
        1 => Shape::ellipsoid([x, y, z]).unwrap(),
        2 => superquadric(rng, size, [0.1, 1.9], 0.0),
        3 => superquadric(rng, size, [0.1, 1.9], 0.5),
        4 => {
            let [u, v, w] = rng.radii(size[0], size[1]);
            Shape::poly_ellipsoid([x, u, y, v, z, w]).unwrap()
        }
        5 => Shape::cuboid([x, y, z]).unwrap(),
        6 => Shape::cylinder(x, y).unwrap(),
        7 => Shape::capsule(x, y).unwrap(),
        8 => Shape::cone(x, y).unwrap(),
        9 => {
            let count = 8 + rng.next_u64() % 24;
            let points: Vec<Vec3> =
                (0..count).map(|_| rng.direction().component_mul(&Vec3::new(x, y, z))).collect();
            Shape::convex_mesh(&points).unwrap()
        }
        10 => Shape::cuboid([x, y, z]).unwrap().padded(rng.uniform(0.1, 1.0) * x).unwrap(),
        _ => {
            let shear = Mat3::new(1.0, rng.uniform(-0.5, 0.5), 0.0, 0.0, 1.0, 0.3, 0.0, 0.0, 1.2);
            superquadric(rng, size, [0.3, 1.7], 0.0).mapped(&shear).unwrap()
        }
    }
}

/// Turns and moves B so that its axes are along those of A and its centre is on one of them.
pub fn align(rng: &mut Rng, pair: &mut PosedPair) {
    let length = (pair.pose_b.translation.vector - pair.pose_a.translation.vector).norm();
    let axis = pair.pose_a.rotation * Vec3::ith((rng.next_u64() % 3) as usize, 1.0);
    pair.pose_b.rotation = pair.pose_a.rotation;
    pair.pose_b.translation.vector = pair.pose_a.translation.vector + axis * length;
}

/// One pair of a family; the same for the same seed.
pub fn family_pair(family: &str, rng: &mut Rng) -> PosedPair {
    let hand = [0.005, 0.03];
    match family {
        "mild" => {
            let (a, b) = (
                superquadric(rng, hand, [0.5, 1.5], 0.0),
                superquadric(rng, hand, [0.5, 1.5], 0.0),
            );
            pose(rng, a, b, [0.1, 1.3])
        }
        "wide" => {
            let (a, b) = (
                superquadric(rng, hand, [0.02, 1.98], 0.0),
                superquadric(rng, hand, [0.02, 1.98], 0.0),
            );
            pose(rng, a, b, [0.1, 1.3])
        }
        "boxy" => {
            let (a, b) = (
                superquadric(rng, hand, [0.02, 0.3], 0.0),
                superquadric(rng, hand, [0.02, 0.3], 0.0),
            );
            pose(rng, a, b, [0.1, 1.3])
        }
        "pinched" => {
            let (a, b) = (
                superquadric(rng, hand, [1.7, 1.98], 0.0),
                superquadric(rng, hand, [1.7, 1.98], 0.0),
            );
            pose(rng, a, b, [0.1, 1.3])
        }
        "needle-plate" => {
            let long = |rng: &mut Rng| {
                let thin = 1e-3;
                let radii = match rng.next_u64() % 4 {
                    0 => [thin, thin, 1.0],
                    1 => [1.0, 1.0, thin],
                    2 => [1.0, thin, 0.03],
                    _ => [thin, 1.0, 1.0],
                };
                let e = [rng.uniform(0.3, 1.7), rng.uniform(0.3, 1.7)];
                Superellipsoid::new(radii, e[0], e[1]).unwrap().into()
            };
            let (a, b) = (long(rng), long(rng));
            pose(rng, a, b, [0.0, 0.9])
        }
        "deep" => {
            let (a, b) = (
                superquadric(rng, hand, [0.3, 1.7], 0.0),
                superquadric(rng, hand, [0.3, 1.7], 0.0),
            );
            pose(rng, a, b, [0.0, 0.3])
        }
        "touching" => {
            let (a, b) = (
                superquadric(rng, hand, [0.2, 1.8], 0.0),
                superquadric(rng, hand, [0.2, 1.8], 0.0),
            );
            let mut pair = pose(rng, a, b, [0.8, 1.3]);
            let found =
                distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &QueryOptions::default());
            let size = pair.size();
            let remaining = match rng.next_u64() % 4 {
                0 => 0.0,
                1 => 1e-12 * size,
                2 => -1e-9 * size,
                _ => 1e-6 * size,
            };
            pair.pose_b.translation.vector += found.normal_ab_w * (remaining - found.distance);
            pair
        }
        "aligned" => {
            let (a, b) = (
                superquadric(rng, hand, [0.1, 1.9], 0.0),
                superquadric(rng, hand, [0.1, 1.9], 0.0),
            );
            let mut pair = pose(rng, a, b, [0.3, 1.3]);
            pair.pose_b.rotation = pair.pose_a.rotation;
            let axis = (rng.next_u64() % 3) as usize;
            let mut along = Vec3::zeros();
            along[axis] = 1.0;
            let length = (pair.pose_b.translation.vector - pair.pose_a.translation.vector).norm();
            pair.pose_b.translation.vector =
                pair.pose_a.translation.vector + pair.pose_a.rotation * along * length;
            if rng.one_in(2) {
                pair.pose_a.rotation = UnitQuaternion::identity();
                pair.pose_b.rotation = UnitQuaternion::identity();
                pair.pose_a.translation.vector = Vec3::zeros();
                pair.pose_b.translation.vector = along * length;
            }
            pair
        }
        "concentric" => {
            let a = superquadric(rng, hand, [0.3, 1.7], 0.0);
            let b =
                if rng.one_in(2) { a.clone() } else { superquadric(rng, hand, [0.3, 1.7], 0.0) };
            let mut pair = pose(rng, a, b, [0.0, 0.0]);
            pair.pose_b.translation = pair.pose_a.translation;
            if rng.one_in(2) {
                pair.pose_b.rotation = pair.pose_a.rotation;
            }
            pair
        }
        "mixed-scale" => {
            let scale = rng.log_uniform(1e-6, 1e3);
            let other = rng.log_uniform(1e-6, 1e3);
            let (a, b) = (
                superquadric(rng, [scale, 3.0 * scale], [0.3, 1.7], 0.0),
                superquadric(rng, [other, 3.0 * other], [0.3, 1.7], 0.0),
            );
            let mut pair = pose(rng, a, b, [0.1, 1.3]);
            if rng.one_in(4) {
                let far = rng.direction() * 1e4;
                pair.pose_a.translation.vector += far;
                pair.pose_b.translation.vector += far;
            }
            pair
        }
        "tapered" => {
            let (a, b) = (
                superquadric(rng, hand, [0.1, 1.9], 0.9),
                superquadric(rng, hand, [0.1, 1.9], 0.9),
            );
            pose(rng, a, b, [0.1, 1.3])
        }
        "ellipsoids" => {
            let (a, b) = (
                Ellipsoid::new(rng.radii(hand[0], hand[1])),
                Ellipsoid::new(rng.radii(hand[0], hand[1])),
            );
            pose(rng, a.unwrap().into(), b.unwrap().into(), [0.1, 1.3])
        }
        "mixed-kinds" => {
            let (a, b) = (any_kind(rng, hand), any_kind(rng, hand));
            let mut pair = pose(rng, a, b, [0.1, 1.3]);
            if rng.one_in(4) {
                align(rng, &mut pair);
            }
            pair
        }
        other => panic!("no family {other}"),
    }
}
