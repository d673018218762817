//! Spatial vectors: the six numbers of a motion or a force, and the inertia between them [Featherstone 2008, ch. 2].
//!
//! Rotation comes first: a motion is (ω, v) with v the velocity of the point at the origin of the frame, a force is (n, f)
//! with n the moment about that origin. With R, p the pose of a child's frame in its parent's,
//!
//! ```text
//! motion  parent → child    ω' = Rᵀω,            v' = Rᵀ(v + ω × p)
//! force   child → parent    f  = R f',           n  = R n' + p × f
//! ```

use nalgebra::{Matrix6, Vector6};
use smooth_scene_geometry::math::{Mat3, Pose, Vec3};

/// A velocity or an acceleration of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Angular part ω.
    pub angular: Vec3,
    /// Linear part v, of the point at the origin.
    pub linear: Vec3,
}

/// A force on a body, or a momentum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Force {
    /// Moment n about the origin.
    pub moment: Vec3,
    /// Force f.
    pub force: Vec3,
}

impl Motion {
    /// At rest.
    pub const ZERO: Motion =
        Motion { angular: Vec3::new(0.0, 0.0, 0.0), linear: Vec3::new(0.0, 0.0, 0.0) };

    /// The motion of the parent's frame as the child's frame sees it.
    pub fn into_child(&self, pose: &Pose) -> Motion {
        let carried = self.linear + self.angular.cross(&pose.translation.vector);
        Motion {
            angular: pose.rotation.inverse_transform_vector(&self.angular),
            linear: pose.rotation.inverse_transform_vector(&carried),
        }
    }

    /// The rate at which `other` changes in a frame that moves with `self`: (ω×ω', ω×v' + v×ω').
    pub fn cross(&self, other: &Motion) -> Motion {
        Motion {
            angular: self.angular.cross(&other.angular),
            linear: self.angular.cross(&other.linear) + self.linear.cross(&other.angular),
        }
    }

    /// The rate at which a force changes in a frame that moves with `self`: (ω×n + v×f, ω×f).
    pub fn cross_force(&self, force: &Force) -> Force {
        Force {
            moment: self.angular.cross(&force.moment) + self.linear.cross(&force.force),
            force: self.angular.cross(&force.force),
        }
    }

    /// Power of a force on this motion.
    pub fn dot(&self, force: &Force) -> f64 {
        self.angular.dot(&force.moment) + self.linear.dot(&force.force)
    }

    /// The six numbers, rotation first.
    pub fn to_vector(&self) -> Vector6<f64> {
        let (w, v) = (&self.angular, &self.linear);
        Vector6::new(w.x, w.y, w.z, v.x, v.y, v.z)
    }

    /// A motion of six numbers, rotation first.
    pub fn from_vector(v: &Vector6<f64>) -> Motion {
        Motion { angular: Vec3::new(v[0], v[1], v[2]), linear: Vec3::new(v[3], v[4], v[5]) }
    }
}

impl std::ops::Add for Motion {
    type Output = Motion;

    fn add(self, other: Motion) -> Motion {
        Motion { angular: self.angular + other.angular, linear: self.linear + other.linear }
    }
}

impl std::ops::Mul<f64> for Motion {
    type Output = Motion;

    fn mul(self, factor: f64) -> Motion {
        Motion { angular: self.angular * factor, linear: self.linear * factor }
    }
}

impl Force {
    /// None.
    pub const ZERO: Force =
        Force { moment: Vec3::new(0.0, 0.0, 0.0), force: Vec3::new(0.0, 0.0, 0.0) };

    /// A force through a point that is `arm` from the origin.
    pub fn at(arm: &Vec3, force: Vec3) -> Force {
        Force { moment: arm.cross(&force), force }
    }

    /// A force in the child's frame as the parent's frame sees it.
    pub fn into_parent(&self, pose: &Pose) -> Force {
        let force = pose.rotation * self.force;
        let moment = pose.rotation * self.moment + pose.translation.vector.cross(&force);
        Force { moment, force }
    }

    /// The six numbers, moment first.
    pub fn to_vector(&self) -> Vector6<f64> {
        let (n, f) = (&self.moment, &self.force);
        Vector6::new(n.x, n.y, n.z, f.x, f.y, f.z)
    }

    /// A force of six numbers, moment first.
    pub fn from_vector(v: &Vector6<f64>) -> Force {
        Force { moment: Vec3::new(v[0], v[1], v[2]), force: Vec3::new(v[3], v[4], v[5]) }
    }
}

impl std::ops::Add for Force {
    type Output = Force;

    fn add(self, other: Force) -> Force {
        Force { moment: self.moment + other.moment, force: self.force + other.force }
    }
}

impl std::ops::Sub for Force {
    type Output = Force;

    fn sub(self, other: Force) -> Force {
        Force { moment: self.moment - other.moment, force: self.force - other.force }
    }
}

impl std::ops::AddAssign for Force {
    fn add_assign(&mut self, other: Force) {
        *self = *self + other;
    }
}

/// Mass, centre of mass and moments of inertia about the *origin* of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpatialInertia {
    /// Mass, kg.
    pub mass: f64,
    /// Mass times centre of mass, kg·m.
    pub first_moment: Vec3,
    /// Moments of inertia about the origin, kg·m².
    pub inertia: Mat3,
}

impl SpatialInertia {
    /// A frame without mass.
    pub const ZERO: SpatialInertia = SpatialInertia {
        mass: 0.0,
        first_moment: Vec3::new(0.0, 0.0, 0.0),
        inertia: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// From the moments about the centre of mass, by the parallel axis theorem: `I − m c× c×`.
    pub fn new(mass: f64, center: &Vec3, central_inertia: &Mat3) -> Self {
        let c = center.cross_matrix();
        Self { mass, first_moment: center * mass, inertia: central_inertia - c * c * mass }
    }

    /// Momentum at a velocity: (Iω + h × v, mv − h × ω), h the first moment.
    pub fn times(&self, motion: &Motion) -> Force {
        let Motion { angular, linear } = motion;
        Force {
            moment: self.inertia * angular + self.first_moment.cross(linear),
            force: linear * self.mass - self.first_moment.cross(angular),
        }
    }

    /// ½ v·Iv, J.
    pub fn kinetic_energy(&self, motion: &Motion) -> f64 {
        0.5 * motion.dot(&self.times(motion))
    }

    /// The inertia as a matrix from motions to forces.
    pub fn to_matrix(&self) -> Matrix6<f64> {
        let h = self.first_moment.cross_matrix();
        let mut matrix = Matrix6::zeros();
        matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.inertia);
        matrix.fixed_view_mut::<3, 3>(0, 3).copy_from(&h);
        matrix.fixed_view_mut::<3, 3>(3, 0).copy_from(&h.transpose());
        matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&(Mat3::identity() * self.mass));
        matrix
    }
}

/// The matrix of [`Motion::into_child`].
pub(crate) fn motion_matrix(pose: &Pose) -> Matrix6<f64> {
    let back = pose.rotation.to_rotation_matrix().into_inner().transpose();
    let mut matrix = Matrix6::zeros();
    matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&back);
    matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&back);
    // v + ω × p = v − [p]ω.
    let shifted = -(back * pose.translation.vector.cross_matrix());
    matrix.fixed_view_mut::<3, 3>(3, 0).copy_from(&shifted);
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose() -> Pose {
        Pose::new(Vec3::new(0.3, -0.4, 0.7), Vec3::new(0.2, 0.9, -0.5))
    }

    #[test]
    fn power_does_not_depend_on_the_frame() {
        let motion =
            Motion { angular: Vec3::new(1.0, 2.0, -0.5), linear: Vec3::new(-0.3, 0.4, 2.0) };
        let force_c = Force { moment: Vec3::new(0.1, -0.7, 0.4), force: Vec3::new(3.0, 1.0, -2.0) };
        let here = motion.dot(&force_c.into_parent(&pose()));
        let there = motion.into_child(&pose()).dot(&force_c);
        assert!((here - there).abs() < 1e-14);
        let by_matrix = motion_matrix(&pose()) * motion.to_vector();
        assert!((by_matrix - motion.into_child(&pose()).to_vector()).amax() < 1e-15);
    }

    #[test]
    fn energy_of_a_point_mass_is_half_its_mass_times_its_speed_squared() {
        let center = Vec3::new(0.5, -0.2, 0.1);
        let inertia = SpatialInertia::new(2.0, &center, &Mat3::zeros());
        let motion =
            Motion { angular: Vec3::new(0.3, -1.0, 2.0), linear: Vec3::new(1.0, 0.5, -0.4) };
        let speed = motion.linear + motion.angular.cross(&center);
        assert!((inertia.kinetic_energy(&motion) - speed.norm_squared()).abs() < 1e-14);
        let by_matrix = inertia.to_matrix() * motion.to_vector();
        assert!((by_matrix - inertia.times(&motion).to_vector()).amax() < 1e-15);
    }
}
