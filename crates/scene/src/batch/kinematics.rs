//! Forward kinematics of eight states at once, in single precision with a bound on its error.
//!
//! A joint that turns about the unit axis a by q, in a frame that is turned by R₀ in the parent link, has
//!
//! ```text
//! R₀ Rot(a, q) = A + B sin q + C cos q,    A = R₀ a aᵀ,  B = R₀ [a]ₓ,  C = R₀ (1 − a aᵀ)
//! ```
//!
//! Fixed joints are multiplied into what hangs on them beforehand.
//!
//! Error: ε = 2⁻²⁴. Sine and cosine are right to 4ε (see the test), the entries of A, B, C to ε, so those of the sum to
//! 12ε and the matrix, in norm, to 36ε. The product with the parent's matrix adds at most 18ε. With each joint the error
//! of a rotation thus grows by less than 64ε = 2⁻¹⁸. A point at the end of joints whose offsets add up to L, with k joints
//! before it, is wrong by less than k · 2⁻¹⁸ · L.

use super::lane_pose::{LanePose, Matrix, product, rounded, rounded_vector, splat};
use nalgebra::{Quaternion, UnitQuaternion};
use smooth_scene_geometry::math::{Mat3, Pose, Vec3, tangent_basis};
use smooth_scene_geometry::simd::{F32x8, Lanes, Simd};
use smooth_scene_geometry::xyz;
use smooth_scene_robot::{Coupling, JointKind, QUATERNION_TOLERANCE, RobotModel};

/// States in a block.
pub(super) const LANES: usize = 8;
/// What one joint adds to the error, relative to the lever behind it.
pub(super) const ERROR_PER_JOINT: f64 = 1.0 / (1u32 << 18) as f64;

/// Largest angle that is reduced well enough: the product with π/2 is wrong by less than 10⁻¹⁰ up to here. States with any
/// larger position, in whatever unit, are asked on their own: the largest of them are refused.
const MAX_ANGLE: f64 = 1e5;
/// How far joints without limits may slide before a state is asked on its own, m.
const UNLIMITED_SLIDE: f64 = 2.0;

/// Where a number of a joint is in the position vector: `factor · positions[place] + offset`.
#[derive(Debug, Clone, Copy)]
struct Source {
    place: usize,
    factor: f64,
    offset: f64,
}

impl Source {
    fn value(&self, positions: &[f64]) -> f64 {
        self.factor * positions[self.place] + self.offset
    }
}

#[derive(Debug, Clone)]
enum Motion {
    /// The matrices B and C; A is the joint's own.
    Turn { source: Source, sine: Matrix, cosine: Matrix },
    /// Along this direction of the parent, at most so far.
    Slide { source: Source, axis: [f32; 3], bound: f64 },
    /// Along two directions of the parent, at most so far each, and a turn.
    Planar { place: usize, axes: [[f32; 3]; 2], bound: f64, sine: Matrix, cosine: Matrix },
    /// Along the three axes of this frame of the parent, at most so far each, and a rotation.
    Floating { place: usize, turned: Mat3, bound: f64 },
}

/// One joint that moves, prepared.
#[derive(Debug, Clone)]
struct PreparedJoint {
    /// The frame it hangs on.
    parent: usize,
    /// Rotation that does not depend on the position.
    constant: Matrix,
    origin: [f32; 3],
    motion: Motion,
}

/// Where a link is: fixed to a frame that moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carrier {
    /// The frame: zero is the root, the others are those behind the joints that move.
    pub frame: usize,
    /// The link in it.
    pub pose: Pose,
    /// How many joints that move are above it.
    pub depth: f64,
    /// How far these reach together.
    pub lever: f64,
    /// Origin of the first joint that moves, which stands still in the frame of the root, and how far from it the frame gets.
    pub pivot: Vec3,
    pub reach: f64,
}

/// A robot, prepared.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    joints: Vec<PreparedJoint>,
    /// One for each link.
    pub carriers: Vec<Carrier>,
}

impl Chain {
    /// Prepares a robot.
    pub fn new(model: &RobotModel) -> Self {
        let mut joints = Vec::new();
        let mut carriers = vec![Carrier {
            frame: 0,
            pose: Pose::identity(),
            depth: 0.0,
            lever: 0.0,
            pivot: Vec3::zeros(),
            reach: 0.0,
        }];
        for joint in model.joints() {
            let above = carriers[joint.parent.index()];
            let at = above.pose * joint.origin;
            let (place, factor, offset) = match joint.coupling {
                Coupling::Independent { position, .. } => (position, 1.0, 0.0),
                Coupling::Mimic { leader, multiplier, offset } => {
                    (model.first_position(leader), multiplier, offset)
                }
            };
            let source = Source { place, factor, offset };
            let turned = at.rotation.to_rotation_matrix().into_inner();
            let along = turned * (joint.axis * joint.axis.transpose());
            let (sine, cosine) = (turned * joint.axis.cross_matrix(), turned - along);
            let (sine, cosine) = (rounded(&sine), rounded(&cosine));
            let limits = joint.limits.lower.abs().max(joint.limits.upper.abs());
            let bound = if limits.is_finite() { limits } else { UNLIMITED_SLIDE };
            let (constant, motion, slide) = match joint.kind {
                JointKind::Fixed => {
                    carriers.push(Carrier { pose: at, ..above });
                    continue;
                }
                JointKind::Revolute | JointKind::Continuous => {
                    (along, Motion::Turn { source, sine, cosine }, 0.0)
                }
                JointKind::Prismatic => {
                    let axis = rounded_vector(&(turned * joint.axis));
                    (turned, Motion::Slide { source, axis, bound }, bound)
                }
                JointKind::Planar => {
                    let (u, v) = tangent_basis(&joint.axis);
                    let axes = [u, v].map(|axis| rounded_vector(&(turned * axis)));
                    let bound = UNLIMITED_SLIDE;
                    (along, Motion::Planar { place, axes, bound, sine, cosine }, 2.0 * bound)
                }
                JointKind::Floating => {
                    let bound = UNLIMITED_SLIDE;
                    (turned, Motion::Floating { place, turned, bound }, 2.0 * bound)
                }
            };
            let origin = at.translation.vector;
            let lever = above.lever + origin.norm() + slide;
            let (parent, constant, origin) =
                (above.frame, rounded(&constant), rounded_vector(&origin));
            joints.push(PreparedJoint { parent, constant, origin, motion });
            let (frame, depth) = (joints.len(), above.depth + 1.0);
            let is_first = above.frame == 0;
            let pivot = if is_first { at.translation.vector } else { above.pivot };
            let offset = if is_first { 0.0 } else { at.translation.vector.norm() };
            let reach = above.reach + offset + slide;
            carriers.push(Carrier { frame, pose: Pose::identity(), depth, lever, pivot, reach });
        }
        Self { joints, carriers }
    }

    /// Whether the bound on the error holds for this state: no angle is so large that its reduction is inaccurate, and
    /// nothing slides farther than the levers say. Not so for numbers that are not finite.
    pub fn covers(&self, positions: &[f64]) -> bool {
        positions.iter().all(|x| x.abs() <= MAX_ANGLE)
            && self.joints.iter().all(|joint| match &joint.motion {
                Motion::Turn { source, .. } => source.value(positions).abs() <= MAX_ANGLE,
                Motion::Slide { source, bound, .. } => source.value(positions).abs() <= *bound,
                Motion::Planar { place, bound, .. } => {
                    let [x, y, angle] = [0, 1, 2].map(|k| positions[place + k].abs());
                    x <= *bound && y <= *bound && angle <= MAX_ANGLE
                }
                Motion::Floating { place, bound, .. } => {
                    let is_near = positions[*place..place + 3].iter().all(|x| x.abs() <= *bound);
                    is_near && is_unit(&positions[place + 3..place + 7])
                }
            })
    }

    /// Poses of all frames in eight states.
    #[inline(always)]
    pub fn poses<S: Simd>(&self, states: [&[f64]; LANES], poses: &mut Vec<LanePose>) {
        let (zero, one) = (F32x8([0.0; LANES]), F32x8([1.0; LANES]));
        let identity = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
        poses.clear();
        poses.push(LanePose { rotation: identity, origin: [zero; 3] });
        for joint in &self.joints {
            let parent = poses[joint.parent];
            let (motion, shift) = joint.local::<S>(states);
            poses.push(product::<S>(&parent, &motion, &shift));
        }
    }
}

impl PreparedJoint {
    /// Rotation and origin of the child in the parent.
    #[inline(always)]
    fn local<S: Simd>(&self, states: [&[f64]; LANES]) -> ([[S::F32x8; 3]; 3], [S::F32x8; 3]) {
        let mut shift = splat::<S>(&self.origin);
        let mut rotation = xyz!(|row| splat::<S>(&self.constant[row]));
        let turn = match &self.motion {
            Motion::Turn { source, sine, cosine } => {
                Some((states.map(|positions| source.value(positions)), sine, cosine))
            }
            Motion::Slide { source, axis, .. } => {
                let length: S::F32x8 = F32x8(states.map(|q| source.value(q) as f32)).into();
                shift = xyz!(|k| length.mul_add(S::F32x8::splat(axis[k].into()), shift[k]));
                None
            }
            Motion::Planar { place, axes, sine, cosine, .. } => {
                for (number, axis) in axes.iter().enumerate() {
                    let length: S::F32x8 = F32x8(states.map(|q| q[place + number] as f32)).into();
                    shift = xyz!(|k| length.mul_add(S::F32x8::splat(axis[k].into()), shift[k]));
                }
                Some((states.map(|positions| positions[place + 2]), sine, cosine))
            }
            Motion::Floating { place, turned, .. } => {
                return floating::<S>(states.map(|q| &q[*place..place + 7]), turned, &shift);
            }
        };
        if let Some((angles, by_sine, by_cosine)) = turn {
            let (sin, cos) = sin_cos::<S>(angles);
            rotation = xyz!(|row| {
                let (by_sine, by_cosine) = (splat::<S>(&by_sine[row]), splat::<S>(&by_cosine[row]));
                xyz!(|column| {
                    let turned = by_sine[column].mul_add(sin, rotation[row][column]);
                    by_cosine[column].mul_add(cos, turned)
                })
            });
        }
        (rotation, shift)
    }
}

/// Whether the four numbers are a unit quaternion to the tolerance of the exact question, which refuses all others.
fn is_unit(numbers: &[f64]) -> bool {
    let norm = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
    (norm - 1.0).abs() <= 0.5 * QUATERNION_TOLERANCE
}

/// Rotation and origin behind a floating joint in one state.
fn floating_pose(numbers: &[f64], turned: &Mat3) -> (Matrix, [f32; 3]) {
    let [x, y, z, i, j, k, w] = std::array::from_fn(|n| numbers[n]);
    let turn = UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, k));
    let rotation = turned * turn.to_rotation_matrix().into_inner();
    (rounded(&rotation), rounded_vector(&(turned * Vec3::new(x, y, z))))
}

/// Rotation and origin behind a floating joint. Most often it is in the same place in all states.
#[inline(always)]
fn floating<S: Simd>(
    numbers: [&[f64]; LANES],
    turned: &Mat3,
    shift: &[S::F32x8; 3],
) -> ([[S::F32x8; 3]; 3], [S::F32x8; 3]) {
    let mut poses = [floating_pose(numbers[0], turned); LANES];
    for lane in 1..LANES {
        poses[lane] = if numbers[lane] == numbers[lane - 1] {
            poses[lane - 1]
        } else {
            floating_pose(numbers[lane], turned)
        };
    }
    let rotation = xyz!(|row| xyz!(|column| {
        S::F32x8::from(F32x8(poses.map(|(rotation, _)| rotation[row][column])))
    }));
    let origin = xyz!(|k| S::F32x8::from(F32x8(poses.map(|(_, origin)| origin[k]))) + shift[k]);
    (rotation, origin)
}

/// Sine and cosine to 4 · 2⁻²⁴: the angle is reduced to [−π/4, π/4] in double precision, the rest is their Taylor series.
#[inline(always)]
fn sin_cos<S: Simd>(angles: [f64; LANES]) -> (S::F32x8, S::F32x8) {
    let mut rests = [0.0f32; LANES];
    // sin(r + kπ/2) = a sin r + b cos r, cos(r + kπ/2) = a cos r − b sin r; without branches, so that the loop is vectors.
    let (mut a, mut b) = ([0.0f32; LANES], [0.0f32; LANES]);
    for (lane, angle) in angles.into_iter().enumerate() {
        let quarters = (angle * std::f64::consts::FRAC_2_PI).round_ties_even();
        rests[lane] = (angle - quarters * std::f64::consts::FRAC_PI_2) as f32;
        let k = quarters - 4.0 * (0.25 * quarters).floor();
        let odd = k - 2.0 * (0.5 * k).floor();
        // k = 0, 1, 2, 3 gives a = 1, 0, −1, 0 and b = 0, 1, 0, −1.
        (a[lane], b[lane]) = (((1.0 - k) * (1.0 - odd)) as f32, ((2.0 - k) * odd) as f32);
    }
    let rest: S::F32x8 = F32x8(rests).into();
    let (a, b): (S::F32x8, S::F32x8) = (F32x8(a).into(), F32x8(b).into());
    let square = rest * rest;
    let odd = series(square, [-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0]);
    let sin = (odd * square).mul_add(rest, rest);
    let even = series(square, [-0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0]);
    let cos = even.mul_add(square, S::F32x8::splat(1.0));
    (a * sin + b * cos, a * cos - b * sin)
}

/// c₀ + c₁x + c₂x² + c₃x³.
#[inline(always)]
fn series<L: Lanes>(x: L, [c0, c1, c2, c3]: [f64; 4]) -> L {
    let sum = L::splat(c3).mul_add(x, L::splat(c2));
    sum.mul_add(x, L::splat(c1)).mul_add(x, L::splat(c0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::simd::{Kernel, Level};

    struct SinCos([f64; LANES]);

    impl Kernel for SinCos {
        type Output = [[f32; LANES]; 2];

        #[inline(always)]
        fn run<S: Simd>(self) -> Self::Output {
            let (sin, cos) = sin_cos::<S>(self.0);
            let (sin, cos): (F32x8, F32x8) = (sin.into(), cos.into());
            [sin.0, cos.0]
        }
    }

    #[test]
    fn sine_and_cosine_are_right_to_four_units() {
        let mut worst = 0.0f64;
        for k in 0..200_000 {
            let angles = std::array::from_fn(|lane| {
                let share = f64::from(k * 8 + lane as i32) / 1.6e6 - 0.5;
                if k % 7 == 0 { share * 2.0 * MAX_ANGLE } else { share * 20.0 }
            });
            let [sin, cos] = Level::detect().run(SinCos(angles));
            for (lane, angle) in angles.into_iter().enumerate() {
                worst = worst.max((f64::from(sin[lane]) - angle.sin()).abs());
                worst = worst.max((f64::from(cos[lane]) - angle.cos()).abs());
            }
        }
        assert!(worst <= 4.0 * f64::exp2(-24.0), "{worst}");
    }
}
