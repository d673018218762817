//! Random numbers that depend on the seed alone.

use smooth_scene_geometry::math::{Vec3, sin_cos};

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (0.5 / (1u64 << 52) as f64)
    }

    /// A whole number below `end`, which is not zero.
    pub fn below(&mut self, end: usize) -> usize {
        ((self.uniform() * end as f64) as usize).min(end - 1)
    }

    /// Two independent numbers of the standard normal distribution (Box and Muller 1958).
    pub fn normal_pair(&mut self) -> [f64; 2] {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        let (sin, cos) = sin_cos(std::f64::consts::TAU * self.uniform());
        [radius * cos, radius * sin]
    }
}

/// `count` nearly even unit vectors: the Fibonacci lattice on the sphere.
pub(crate) fn even_directions(count: usize) -> impl Iterator<Item = Vec3> {
    /// The golden angle π(3 − √5).
    const GOLDEN: f64 = 2.399_963_229_728_653;
    (0..count).map(move |k| {
        let z = 1.0 - (2 * k + 1) as f64 / count as f64;
        let (sin, cos) = sin_cos(GOLDEN * k as f64);
        let rho = libm::sqrt(1.0 - z * z);
        Vec3::new(rho * cos, rho * sin, z)
    })
}

/// `count` even points in a box: the R₃ sequence (Roberts 2018), an additive recurrence with the powers of 1/g, g⁴ = g + 1.
pub(crate) fn even_box_points(low: Vec3, high: Vec3, count: usize) -> impl Iterator<Item = Vec3> {
    const G: f64 = 1.220_744_084_605_759_5;
    let step = Vec3::new(1.0 / G, 1.0 / (G * G), 1.0 / (G * G * G));
    (1..=count).map(move |k| {
        let share = (Vec3::repeat(0.5) + step * k as f64).map(|x| x - x.floor());
        low + share.component_mul(&(high - low))
    })
}
