//! How good is a grasp? Force closure, the largest wrench that is resisted in every direction, and the volume of the wrench space.

use nalgebra::Vector6;

use crate::grasp::closure::{ForceClosure, force_closure};
use crate::grasp::hull::Hull;
use crate::grasp::slopes::{GraspSlopes, slopes};
use crate::grasp::wrenches::{GraspContact, GraspError, GraspOptions, contact_wrenches};

/// The quality of a grasp. Wrenches are (force, moment/length); contacts together push with a normal force of one in all.
#[derive(Debug, Clone, PartialEq)]
pub struct GraspQuality {
    /// Whether every wrench can be resisted, with its certificate.
    pub closure: ForceClosure,
    /// ε of [Ferrari 1992]: radius of the largest ball around zero in the hull of the wrenches. Zero without force closure.
    pub epsilon: f64,
    /// Proven lower bound on ε.
    pub epsilon_lower: f64,
    /// The unit wrench that the grasp can make least of: ε along it. Without force closure minus the separating wrench: none at all.
    pub weakest: Vector6<f64>,
    /// Volume of the hull; zero when the wrenches span fewer than six dimensions.
    pub volume: f64,
}

/// The quality of contacts.
///
/// ε is found on the hull of the wrenches, each moved by up to 1e-8 of the largest, and then evaluated for the wrenches themselves in the
/// direction found: an upper bound on the true one, at most twice that distance above the lower bound that is returned with it.
pub fn grasp_quality(
    contacts: &[GraspContact],
    options: &GraspOptions,
) -> Result<GraspQuality, GraspError> {
    let wrenches = contact_wrenches(contacts, options)?;
    Ok(judge(&wrenches, Hull::new(&wrenches).as_ref()))
}

/// The quality of contacts, and how it changes when they move.
pub fn grasp_slopes(
    contacts: &[GraspContact],
    options: &GraspOptions,
) -> Result<(GraspQuality, GraspSlopes), GraspError> {
    let wrenches = contact_wrenches(contacts, options)?;
    let hull = Hull::new(&wrenches);
    let quality = judge(&wrenches, hull.as_ref());
    let mut found = GraspSlopes { epsilon: Vec::new(), volume: Vec::new() };
    if let Some(hull) = &hull {
        found = slopes(contacts, options, &wrenches, hull);
    }
    if !quality.closure.is_closed() {
        found.epsilon.clear();
    }
    Ok((quality, found))
}

fn judge(wrenches: &[Vector6<f64>], hull: Option<&Hull>) -> GraspQuality {
    let closure = force_closure(wrenches);
    let volume = hull.map_or(0.0, Hull::volume);
    let nearest = hull.and_then(|hull| {
        let facets = hull.facets().map(|facet| (facet.offset, facet.normal));
        let (offset, normal) = facets.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((offset - hull.moved, normal))
    });
    match (&closure, nearest) {
        (ForceClosure::Closed { .. }, Some((lower, weakest))) => {
            let reach = wrenches.iter().map(|w| w.dot(&weakest)).fold(f64::NEG_INFINITY, f64::max);
            let (epsilon, epsilon_lower) = (reach.max(0.0), lower.clamp(0.0, reach.max(0.0)));
            GraspQuality { closure, epsilon, epsilon_lower, weakest, volume }
        }
        // Closed, but so flat that the hull is lost in rounding: nothing is promised.
        (ForceClosure::Closed { .. }, None) => {
            let weakest = Vector6::zeros();
            GraspQuality { closure, epsilon: 0.0, epsilon_lower: 0.0, weakest, volume }
        }
        (ForceClosure::Open { separating }, _) => {
            let weakest = -separating;
            GraspQuality { closure, epsilon: 0.0, epsilon_lower: 0.0, weakest, volume }
        }
    }
}

#[cfg(test)]
mod tests {
    use smooth_scene_geometry::math::{Vec3, tangent_basis};

    use super::*;
    use crate::grasp::slopes::ContactSlope;

    /// Four contacts with friction around a centre, checked by differences of the quality itself.
    #[test]
    fn slopes_are_differences_of_epsilon_and_volume() {
        let contact = |p: [f64; 3], n: [f64; 3]| GraspContact {
            point_w: Vec3::from(p),
            normal_w: Vec3::from(n).normalize(),
            friction: 0.4,
        };
        let contacts = [
            contact([1.0, 0.1, 0.0], [-1.0, 0.1, 0.2]),
            contact([-0.6, 0.8, 0.1], [0.5, -0.9, 0.1]),
            contact([-0.5, -0.7, -0.2], [0.6, 0.8, 0.3]),
            contact([0.1, 0.2, 0.9], [0.0, -0.1, -1.0]),
        ];
        let options = GraspOptions { center_w: Vec3::zeros(), length: 1.2, edges: 7 };
        let (quality, slopes) = grasp_slopes(&contacts, &options).unwrap();
        assert!(quality.epsilon > 0.01 && slopes.epsilon.len() == 1, "{quality:?}");
        let h = 1e-4;
        for k in 0..contacts.len() {
            let (u, v) = tangent_basis(&contacts[k].normal_w);
            let moves = [
                (Vec3::x(), Vec3::zeros()),
                (Vec3::y(), Vec3::zeros()),
                (Vec3::z(), Vec3::zeros()),
                (Vec3::zeros(), u),
                (Vec3::zeros(), v),
            ];
            for (point, normal) in moves {
                let [more, less] = [h, -h].map(|h| {
                    let mut moved = contacts;
                    moved[k].point_w += point * h;
                    moved[k].normal_w = (moved[k].normal_w + normal * h).normalize();
                    grasp_slopes(&moved, &options).unwrap().0
                });
                let of = |slope: &ContactSlope| slope.point.dot(&point) + slope.normal.dot(&normal);
                let epsilon = (more.epsilon - less.epsilon) / (2.0 * h);
                let expected = of(&slopes.epsilon[0][k]);
                // The wrenches of the hull are moved by 1e-8, which the difference divides by 2e-4.
                assert!((epsilon - expected).abs() < 2e-4, "{k}: {epsilon} {expected}");
                let volume = (more.volume - less.volume) / (2.0 * h);
                let expected = of(&slopes.volume[k]);
                let scale = quality.volume * 1e-3;
                assert!((volume - expected).abs() < scale, "{k}: {volume} {expected}");
            }
        }
    }
}
