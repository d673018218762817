//! Seeded sets of pairs: those of the closed-form contact space paper, of the resolution figure, and motions.

use super::pair::Pair;
use crate::geometry::{ConvexSurface, Shape, ShapeError};
use crate::math::{Pose, Vec3};
use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use rayon::prelude::*;

/// Seed of every set.
pub(crate) const SEED: u64 = 2022;

/// SplitMix64: small, seedable, the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (self.between(1e-300, 1.0), self.between(0.0, std::f64::consts::TAU));
        (-2.0 * u.ln()).sqrt() * v.cos()
    }

    fn direction(&mut self) -> Vec3 {
        Vec3::new(self.normal(), self.normal(), self.normal()).normalize()
    }

    fn rotation(&mut self) -> UnitQuaternion<f64> {
        let mut number = || self.normal();
        UnitQuaternion::new_normalize(Quaternion::new(number(), number(), number(), number()))
    }

    fn lengths<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.between(SIZES[0], SIZES[1]))
    }
}

/// Semi-axes in metres. The paper does not print its range.
pub(crate) const SIZES: [f64; 2] = [0.05, 0.25];
/// Exponents of superquadrics. The paper does not print its range.
pub(crate) const EXPONENTS: [f64; 2] = [0.2, 1.8];
/// Distance between the centres over the sum of the bounding radii: about half of the pairs overlap.
pub(crate) const CLOSENESS: [f64; 2] = [0.1, 1.1];

/// The combinations of tables III and IV: ellipsoids, poly-ellipsoids, superquadrics.
pub(crate) const COMBINATIONS: [(&str, [Kind; 2]); 6] = [
    ("E-E", [Kind::Ellipsoid, Kind::Ellipsoid]),
    ("E-PE", [Kind::Ellipsoid, Kind::PolyEllipsoid]),
    ("PE-PE", [Kind::PolyEllipsoid, Kind::PolyEllipsoid]),
    ("SQ-E", [Kind::Superquadric, Kind::Ellipsoid]),
    ("SQ-PE", [Kind::Superquadric, Kind::PolyEllipsoid]),
    ("SQ-SQ", [Kind::Superquadric, Kind::Superquadric]),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Ellipsoid,
    PolyEllipsoid,
    Superquadric,
}

fn shape(kind: Kind, random: &mut Random) -> Result<Shape, ShapeError> {
    match kind {
        Kind::Ellipsoid => Shape::ellipsoid(random.lengths()),
        Kind::PolyEllipsoid => Shape::poly_ellipsoid(random.lengths()),
        Kind::Superquadric => {
            let radii = random.lengths();
            let mut exponent = || random.between(EXPONENTS[0], EXPONENTS[1]);
            let (xy, z) = (exponent(), exponent());
            Shape::superellipsoid(radii, xy, z)
        }
    }
}

/// Shapes of these kinds in random poses.
fn posed(kinds: [Kind; 2], count: usize, seed: u64) -> Result<Vec<[(Shape, Pose); 2]>, ShapeError> {
    let mut random = Random(seed);
    let mut all = Vec::new();
    for _ in 0..count {
        let (a, b) = (shape(kinds[0], &mut random)?, shape(kinds[1], &mut random)?);
        let reach = a.bounding_radius() + b.bounding_radius();
        let offset = random.direction() * (reach * random.between(CLOSENESS[0], CLOSENESS[1]));
        let pose_a = Pose::from_parts(Translation3::identity(), random.rotation());
        let pose_b = Pose::from_parts(Translation3::from(offset), random.rotation());
        all.push([(a, pose_a), (b, pose_b)]);
    }
    Ok(all)
}

/// Random pairs of these kinds, with their certified answers.
pub(crate) fn of_kinds(kinds: [Kind; 2], count: usize) -> Result<Vec<Pair>, ShapeError> {
    let all = posed(kinds, count, SEED)?;
    let pair = |(k, [a, b]): (usize, [(Shape, Pose); 2])| Pair::new(format!("{k}/a/b"), a, b);
    Ok(all.into_par_iter().enumerate().map(pair).collect())
}

/// A fixed body, and one that moves from one pose to another.
pub(crate) struct MovingPair {
    pub a: Shape,
    pub pose_a: Pose,
    pub b: Shape,
    pub start: Pose,
    pub end: Pose,
}

/// Superquadrics and poly-ellipsoids that fly past each other: from 1.5 times the sum of the bounding radii on one side
/// to as far on the other, past the centre at no more than that sum.
pub(crate) fn motions(count: usize, turning: bool) -> Result<Vec<MovingPair>, ShapeError> {
    let mut random = Random(SEED + 1);
    let mut all = Vec::new();
    for _ in 0..count {
        let a = shape(Kind::Superquadric, &mut random)?;
        let b = shape(Kind::PolyEllipsoid, &mut random)?;
        let reach = a.bounding_radius() + b.bounding_radius();
        let (way, aside) = (random.direction() * (1.5 * reach), random.direction());
        // Perpendicular to the motion, so that the bodies are apart at both ends.
        let middle = aside.cross(&way).normalize() * random.between(0.0, reach);
        let (first, last) = (random.rotation(), random.rotation());
        let pose_a = Pose::from_parts(Translation3::identity(), random.rotation());
        let start = Pose::from_parts(Translation3::from(middle - way), first);
        let turned = if turning { last } else { first };
        let end = Pose::from_parts(Translation3::from(middle + way), turned);
        all.push(MovingPair { a, pose_a, b, start, end });
    }
    Ok(all)
}

/// Two superovoids of about a metre, apart by up to half a metre, as for the resolution figure of the thesis, which
/// prints the range of its lengths, 0.96 m to 1.4 m, but neither exponents nor poses.
pub(crate) fn superovoids_apart(count: usize) -> Result<Vec<Pair>, ShapeError> {
    let a = Shape::superovoid([0.96, 1.1, 1.4], 0.9, 0.9, [-0.25, -0.25])?;
    let b = Shape::superovoid([1.2, 1.0, 1.3], 1.1, 0.8, [0.2, 0.2])?;
    let mut random = Random(SEED + 2);
    let mut pairs: Vec<Pair> = Vec::new();
    while pairs.len() < count {
        let offset = random.direction() * random.between(1.5, 3.0);
        let pose_a = Pose::from_parts(Translation3::identity(), random.rotation());
        let pose_b = Pose::from_parts(Translation3::from(offset), random.rotation());
        let name = format!("{}/a/b", pairs.len());
        let pair = Pair::new(name, (a.clone(), pose_a), (b.clone(), pose_b));
        if pair.truth.lower > 0.01 && pair.truth.upper < 0.5 {
            pairs.push(pair);
        }
    }
    Ok(pairs)
}

/// Meshes of a set of [`hulls_apart`].
const HULLS: usize = 20;
/// What a pair of hulls moves by from the moment before: in metres and in radians.
const SHORT_MOVE: f64 = 1e-3;

/// Pairs of hulls of so many points on ellipsoids, apart, with their poses a moment before.
pub(crate) fn hulls_apart(vertices: usize, count: usize) -> Result<Vec<Pair>, ShapeError> {
    let mut random = Random(SEED + 3);
    let mut hull = || {
        let radii = Vec3::from(random.lengths());
        let on_ellipsoid = |_| radii.component_mul(&random.direction());
        Shape::convex_mesh(&(0..vertices).map(on_ellipsoid).collect::<Vec<Vec3>>())
    };
    let bodies: Vec<Shape> = (0..HULLS).map(|_| hull()).collect::<Result<_, _>>()?;
    let mut pairs: Vec<Pair> = Vec::new();
    while pairs.len() < count {
        let [i, j] = [0; 2].map(|_| (random.next() % HULLS as u64) as usize);
        let (a, b) = (&bodies[i], &bodies[j]);
        let reach = a.bounding_radius() + b.bounding_radius();
        let offset = random.direction() * (reach * random.between(CLOSENESS[0], CLOSENESS[1]));
        let pose_a = Pose::from_parts(Translation3::identity(), random.rotation());
        let pose_b = Pose::from_parts(Translation3::from(offset), random.rotation());
        let (shift, turn) = (SHORT_MOVE * random.direction(), SHORT_MOVE * random.direction());
        let before = Pose::from_parts(
            Translation3::from(offset + shift),
            UnitQuaternion::from_scaled_axis(turn) * pose_b.rotation,
        );
        let name = format!("{}/hull_{i}/hull_{j}", pairs.len());
        let mut pair = Pair::new(name, (a.clone(), pose_a), (b.clone(), pose_b));
        if pair.truth.lower > 2.0 * SHORT_MOVE {
            pair.ask_before([pose_a, before]);
            pairs.push(pair);
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_the_same_every_time_and_have_both_kinds_of_pairs() {
        for (name, kinds) in COMBINATIONS {
            let (one, other) = (of_kinds(kinds, 60).unwrap(), of_kinds(kinds, 60).unwrap());
            assert!(one.iter().zip(&other).all(|(a, b)| a.truth == b.truth), "{name}");
            let overlapping = one.iter().filter(|p| p.overlaps() == Some(true)).count();
            assert!((10..50).contains(&overlapping), "{name}: {overlapping} of 60 overlap");
        }
    }

    #[test]
    fn superovoids_of_the_resolution_figure_are_convex_and_apart() {
        for pair in superovoids_apart(5).unwrap() {
            assert!(pair.a.is_convex() && pair.b.is_convex());
            assert!(pair.truth.lower > 0.0);
        }
    }
}
