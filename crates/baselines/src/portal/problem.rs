//! Objective, constraints and start.

use super::optimize::{Unknowns, UnknownsProblem};
use crate::superquadric::Superquadric;
use smooth_scene_geometry::math::{Pose, Vec3, sign};

/// Which constraints are imposed besides h₁ and h₂, that the points lie on their surfaces: the sets a to h of section 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintSet {
    /// None: of bodies that overlap the points then meet where the surfaces intersect.
    A,
    /// n_A × n_B = 0 [eq. 24–26].
    B,
    /// B, and n_A along the way from A to B [eq. 29].
    C,
    /// B, and n_B against it [eq. 30].
    D,
    /// n_A·n_B = −1 [eq. 28].
    E,
    /// E, and n_A along the way.
    F,
    /// E, and n_B against it.
    G,
    /// n_A along the way and n_B against it.
    H,
}

impl ConstraintSet {
    /// All of them, in the order of tables 4 and 5.
    pub const ALL: [ConstraintSet; 8] = {
        use ConstraintSet::*;
        [A, B, C, D, E, F, G, H]
    };

    /// Cross product, dot product, n_A along the way, n_B against it.
    fn parts(self) -> [bool; 4] {
        match self {
            ConstraintSet::A => [false, false, false, false],
            ConstraintSet::B => [true, false, false, false],
            ConstraintSet::C => [true, false, true, false],
            ConstraintSet::D => [true, false, false, true],
            ConstraintSet::E => [false, true, false, false],
            ConstraintSet::F => [false, true, true, false],
            ConstraintSet::G => [false, true, false, true],
            ConstraintSet::H => [false, false, true, true],
        }
    }
}

/// Two superellipsoids, everything in the frame of A.
pub(super) struct Problem {
    a: Superquadric,
    b: Superquadric,
    pose_ab: Pose,
    set: ConstraintSet,
}

/// The point of A and the point of B.
pub(super) fn points(x: &Unknowns) -> (Vec3, Vec3) {
    (Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]))
}

impl Problem {
    pub(super) fn new(
        a: Superquadric,
        b: Superquadric,
        pose_ab: &Pose,
        set: ConstraintSet,
    ) -> Self {
        Self { a, b, pose_ab: *pose_ab, set }
    }

    fn in_b(&self, point: &Vec3) -> Vec3 {
        self.pose_ab.inverse_transform_vector(&(point - self.pose_ab.translation.vector))
    }

    pub(super) fn normal_a(&self, point: &Vec3) -> Vec3 {
        normal(&self.a, point)
    }

    fn normal_b(&self, point: &Vec3) -> Vec3 {
        self.pose_ab.rotation * normal(&self.b, &self.in_b(point))
    }

    /// The fractions δ of the line between the centres at which it leaves A and B [eq. 33–34]. The source solves for them
    /// numerically; the function is homogeneous, so F(δr) = δ^(2/ε_z)·F(r) gives them.
    pub(super) fn fractions(&self) -> [f64; 2] {
        let line = self.pose_ab.translation.vector;
        let towards_a = self.pose_ab.inverse_transform_vector(&-line);
        [self.a.fraction_inside(&line), self.b.fraction_inside(&towards_a)]
    }

    /// The points there [eq. 32]; `None` for concentric bodies.
    pub(super) fn start(&self) -> Option<Unknowns> {
        let line = self.pose_ab.translation.vector;
        let [delta_a, delta_b] = self.fractions();
        if !(delta_a.is_finite() && delta_b.is_finite()) {
            return None;
        }
        let (a, b) = (delta_a * line, (1.0 - delta_b) * line);
        Some(Unknowns::new(a.x, a.y, a.z, b.x, b.y, b.z))
    }
}

/// The unit normal [eq. 10–12]. On the z axis the formulas are 0·∞ when the section is squarer than the profile; the normal
/// is z there, and case 3 starts at that point.
fn normal(surface: &Superquadric, point: &Vec3) -> Vec3 {
    if point.x == 0.0 && point.y == 0.0 {
        return Vec3::z() * sign(point.z);
    }
    surface.implicit_normal(point)
}

impl UnknownsProblem for Problem {
    /// |r_B − r_A|² [eq. 19].
    fn objective(&self, x: &Unknowns) -> f64 {
        let (a, b) = points(x);
        (b - a).norm_squared()
    }

    fn gradient(&self, x: &Unknowns) -> Unknowns {
        let (a, b) = points(x);
        let g = 2.0 * (b - a);
        Unknowns::new(-g.x, -g.y, -g.z, g.x, g.y, g.z)
    }

    /// h₁, h₂ [eq. 21, 22], and those of the set. Eq. 30 prints n_B·r_AB = 1 and eq. 31 prints −1; outward normals of bodies
    /// that are apart have −1.
    fn constraints(&self, x: &Unknowns) -> Vec<f64> {
        let (a, b) = points(x);
        let mut all = vec![self.a.implicit(&a), self.b.implicit(&self.in_b(&b))];
        let [cross, dot, along_a, against_b] = self.set.parts();
        let (n_a, n_b) = (self.normal_a(&a), self.normal_b(&b));
        if cross {
            all.extend(n_a.cross(&n_b).iter());
        }
        if dot {
            all.push(n_a.dot(&n_b) + 1.0);
        }
        let way = (b - a).normalize();
        if along_a {
            all.push(n_a.dot(&way) - 1.0);
        }
        if against_b {
            all.push(n_b.dot(&way) + 1.0);
        }
        all
    }
}
