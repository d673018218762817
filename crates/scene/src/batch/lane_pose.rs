//! Poses in eight states at once, in single precision.

use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::simd::{F32x8, Lanes, Simd, dot};
use smooth_scene_geometry::xyz;

/// Entries by rows.
pub(super) type Matrix = [[f32; 3]; 3];

/// In single precision.
pub(super) fn rounded(matrix: &Mat3) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| matrix[(row, column)] as f32))
}

/// In single precision.
pub(super) fn rounded_vector(vector: &Vec3) -> [f32; 3] {
    std::array::from_fn(|k| vector[k] as f32)
}

/// Rotation by rows, then origin, of one frame in eight states.
#[derive(Debug, Clone, Copy)]
pub(super) struct LanePose {
    pub rotation: [[F32x8; 3]; 3],
    pub origin: [F32x8; 3],
}

/// A vector that is the same in all states.
#[inline(always)]
pub(super) fn splat<S: Simd>(vector: &[f32; 3]) -> [S::F32x8; 3] {
    xyz!(|k| S::F32x8::splat(vector[k].into()))
}

/// A vector as it is stored.
#[inline(always)]
pub(super) fn loaded<S: Simd>(vector: &[F32x8; 3]) -> [S::F32x8; 3] {
    xyz!(|k| S::F32x8::from(vector[k]))
}

/// Parent times child.
#[inline(always)]
pub(super) fn product<S: Simd>(
    parent: &LanePose,
    rotation: &[[S::F32x8; 3]; 3],
    shift: &[S::F32x8; 3],
) -> LanePose {
    let rows = xyz!(|row| xyz!(|k| S::F32x8::from(parent.rotation[row][k])));
    LanePose {
        rotation: xyz!(|row| xyz!(|column| {
            let sum = rows[row][0] * rotation[0][column];
            let sum = rows[row][1].mul_add(rotation[1][column], sum);
            rows[row][2].mul_add(rotation[2][column], sum).into()
        })),
        origin: xyz!(|row| transformed::<S>(rows[row], parent.origin[row], shift).into()),
    }
}

/// One row of a rotation times a vector, and an origin.
#[inline(always)]
fn transformed<S: Simd>(row: [S::F32x8; 3], origin: F32x8, point: &[S::F32x8; 3]) -> S::F32x8 {
    let sum = row[0].mul_add(point[0], origin.into());
    let sum = row[1].mul_add(point[1], sum);
    row[2].mul_add(point[2], sum)
}

/// A pose that is the same in all states, by rows.
#[derive(Debug, Clone)]
pub(super) struct FixedPose {
    rotation: Matrix,
    origin: [f32; 3],
}

impl FixedPose {
    pub fn new(pose: &Pose) -> Self {
        let rotation = rounded(&pose.rotation.to_rotation_matrix().into_inner());
        Self { rotation, origin: rounded_vector(&pose.translation.vector) }
    }
}

impl LanePose {
    /// Where something fixed to the frame is in the world.
    #[inline(always)]
    pub fn fixed<S: Simd>(&self, pose: &FixedPose) -> LanePose {
        let rotation = xyz!(|row| splat::<S>(&pose.rotation[row]));
        product::<S>(self, &rotation, &splat::<S>(&pose.origin))
    }

    #[inline(always)]
    fn columns<S: Simd>(&self) -> [[S::F32x8; 3]; 3] {
        xyz!(|k| xyz!(|row| S::F32x8::from(self.rotation[row][k])))
    }

    /// Another pose as seen from this one: rows of the rotation, and origin.
    #[inline(always)]
    pub fn sees<S: Simd>(&self, other: &LanePose) -> ([[S::F32x8; 3]; 3], [S::F32x8; 3]) {
        let offset = xyz!(|k| S::F32x8::from(other.origin[k]) - S::F32x8::from(self.origin[k]));
        let (own, columns) = (self.columns::<S>(), other.columns::<S>());
        let rotation = xyz!(|row| xyz!(|k| dot(&own[row], &columns[k])));
        (rotation, xyz!(|row| dot(&own[row], &offset)))
    }

    /// Where a point of the frame is in the world.
    #[inline(always)]
    pub fn point<S: Simd>(&self, point: &[f32; 3]) -> [F32x8; 3] {
        let point = splat::<S>(point);
        xyz!(|row| {
            let axis = xyz!(|k| S::F32x8::from(self.rotation[row][k]));
            transformed::<S>(axis, self.origin[row], &point).into()
        })
    }
}

impl LanePose {
    /// How a vector of the frame is turned.
    #[inline(always)]
    pub fn vector<S: Simd>(&self, vector: &[f32; 3]) -> [F32x8; 3] {
        let vector = splat::<S>(vector);
        xyz!(|row| dot(&xyz!(|k| S::F32x8::from(self.rotation[row][k])), &vector).into())
    }
}
