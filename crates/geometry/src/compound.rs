//! Compounds: unions of posed shapes.

use super::error::{LENGTH_RANGE, ShapeError};
use super::shape::{Compound, Shape};
use super::surface::{BoundingSphere, ConvexSurface, Support, SupportJet};
use crate::math::{Pose, Vec3};

/// The most parts a compound may have.
const MAX_PARTS: usize = 100_000;

impl Compound {
    /// The union of at least one part. Parts may not be compounds (list their parts instead) or half-spaces (which
    /// have no bounds).
    pub fn new(parts: Vec<(Pose, Shape)>) -> Result<Self, ShapeError> {
        let degenerate = |reason| Err(ShapeError::Degenerate { shape: "compound", reason });
        if parts.is_empty() || parts.len() > MAX_PARTS {
            return degenerate(format!("{} parts, must be 1 to {MAX_PARTS}", parts.len()));
        }
        for (k, (pose, shape)) in parts.iter().enumerate() {
            if matches!(shape, Shape::Compound(_) | Shape::HalfSpace(_)) {
                return degenerate(format!(
                    "part {k} is a {}, must be bounded and simple",
                    shape.kind()
                ));
            }
            let translation = pose.translation.vector;
            if !translation.iter().all(|x| x.abs() <= *LENGTH_RANGE.end()) {
                let [x, y, z]: [f64; 3] = translation.into();
                return degenerate(format!(
                    "part {k} has its origin at [{x}, {y}, {z}], must be in [-1e6, 1e6] m"
                ));
            }
            let norm = pose.rotation.norm();
            if norm.is_nan() || (norm - 1.0).abs() > 1e-6 {
                return degenerate(format!("part {k} has a quaternion of norm {norm}, must be 1"));
            }
        }
        Ok(Self { parts })
    }

    /// The parts with their poses in the frame of the compound.
    pub fn parts(&self) -> &[(Pose, Shape)] {
        &self.parts
    }

    /// The part that reaches farthest along `dir`, `dir` in its frame, and how far it reaches there.
    fn highest(&self, dir: &Vec3) -> (&(Pose, Shape), Vec3, Support) {
        let support_of = |part: &(Pose, Shape)| {
            let dir_part = part.0.inverse_transform_vector(dir);
            let mut support = part.1.support(&dir_part);
            support.value += part.0.translation.vector.dot(dir);
            (dir_part, support)
        };
        let mut best_part = &self.parts[0];
        let mut best = support_of(best_part);
        for part in &self.parts[1..] {
            let candidate = support_of(part);
            if candidate.1.value > best.1.value {
                (best_part, best) = (part, candidate);
            }
        }
        (best_part, best.0, best.1)
    }
}

impl ConvexSurface for Compound {
    fn support(&self, dir: &Vec3) -> Support {
        let ((pose, _), _, Support { value, point }) = self.highest(dir);
        Support { value, point: pose.rotation * point + pose.translation.vector }
    }

    /// That of the part that reaches farthest; where two parts reach equally far, of one of them.
    fn support_jet(&self, dir: &Vec3) -> SupportJet {
        let ((pose, shape), dir_part, Support { value, .. }) = self.highest(dir);
        let jet = shape.support_jet(&dir_part);
        let rotation = pose.rotation.to_rotation_matrix();
        SupportJet {
            value,
            point: pose.rotation * jet.point + pose.translation.vector,
            hessian: rotation.matrix() * jet.hessian * rotation.matrix().transpose(),
        }
    }

    /// The smallest over the parts: inside the union when inside one of them.
    fn inside_outside(&self, point: &Vec3) -> f64 {
        let of_part = |(pose, shape): &(Pose, Shape)| {
            shape.inside_outside(&(pose.rotation.inverse() * (point - pose.translation.vector)))
        };
        self.parts.iter().map(of_part).fold(f64::INFINITY, f64::min)
    }

    /// The smallest r of the parts. If every part is Kᵢ = Lᵢ + rB with a ball B, then so is the hull of their union:
    /// it is hull(∪ Lᵢ) + rB.
    fn min_radius_of_curvature(&self) -> f64 {
        let radii = self.parts.iter().map(|(_, shape)| shape.min_radius_of_curvature());
        radii.fold(f64::INFINITY, f64::min)
    }

    fn bounding_radius(&self) -> f64 {
        self.reach_from(&Vec3::zeros())
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        let aabb = self.local_aabb();
        let center = aabb.center();
        BoundingSphere { center, radius: self.reach_from(&center).min(aabb.half_extents().norm()) }
    }
}

impl Compound {
    /// Upper bound on the distance of any point of the union from `center`, from the bounding spheres of the parts.
    fn reach_from(&self, center: &Vec3) -> f64 {
        let reach = |(pose, shape): &(Pose, Shape)| {
            let sphere = shape.bounding_sphere();
            let center_part = pose.rotation * sphere.center + pose.translation.vector;
            (center_part - center).norm() + sphere.radius
        };
        self.parts.iter().map(reach).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Translation3, UnitQuaternion};

    use super::super::testing::{directions, smallest_sampled_radius};
    use super::*;

    fn dumbbell() -> Compound {
        let tilt = UnitQuaternion::from_euler_angles(0.4, -0.2, 1.0);
        let parts = vec![
            (Pose::translation(-1.0, 0.0, 0.0), Shape::sphere(0.5).unwrap()),
            (
                Pose::from_parts(Translation3::new(1.0, 0.3, 0.0), tilt),
                Shape::ellipsoid([0.3, 0.4, 0.6]).unwrap(),
            ),
        ];
        Compound::new(parts).unwrap()
    }

    #[test]
    fn support_is_the_highest_of_the_parts() {
        let compound = dumbbell();
        let sphere = compound.bounding_sphere();
        for dir in directions(200) {
            let support = compound.support(&dir);
            let jet = compound.support_jet(&dir);
            assert!((support.point.dot(&dir) - support.value).abs() < 1e-14);
            assert!((support.value - jet.value).abs() < 1e-14);
            assert!((support.point - jet.point).norm() < 1e-14);
            assert!(compound.inside_outside(&support.point).abs() < 1e-13);
            assert!((support.point - sphere.center).norm() <= sphere.radius);
            assert!((jet.hessian * dir).norm() < 1e-14);
            for (pose, shape) in compound.parts() {
                let part = shape.support(&pose.inverse_transform_vector(&dir));
                assert!(
                    (pose * nalgebra::Point3::from(part.point)).coords.dot(&dir)
                        <= support.value + 1e-14
                );
            }
        }
        assert!(compound.inside_outside(&Vec3::zeros()) > 0.0);
        assert!(compound.inside_outside(&Vec3::new(-1.2, 0.0, 0.0)) < 0.0);
    }

    #[test]
    fn the_radius_of_curvature_is_bounded_by_the_sharpest_part() {
        let compound = dumbbell();
        let (bound, sampled) =
            (compound.min_radius_of_curvature(), smallest_sampled_radius(&compound));
        assert!(bound <= sampled && sampled < 1.5 * bound, "{bound} {sampled}");
    }

    #[test]
    fn bad_parts_are_refused_by_number() {
        let ball = Shape::sphere(1.0).unwrap();
        let message = |parts| Compound::new(parts).unwrap_err().to_string();
        assert_eq!(message(vec![]), "compound: 0 parts, must be 1 to 100000");
        let inner = Shape::compound(vec![(Pose::identity(), ball.clone())]).unwrap();
        assert_eq!(
            message(vec![(Pose::identity(), ball.clone()), (Pose::identity(), inner)]),
            "compound: part 1 is a compound, must be bounded and simple"
        );
        let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
        assert_eq!(
            message(vec![(Pose::identity(), floor)]),
            "compound: part 0 is a half_space, must be bounded and simple"
        );
        assert_eq!(
            message(vec![(Pose::translation(0.0, f64::NAN, 0.0), ball)]),
            "compound: part 0 has its origin at [0, NaN, 0], must be in [-1e6, 1e6] m"
        );
    }
}
