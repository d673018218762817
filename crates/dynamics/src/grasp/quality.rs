//! How good is a grasp? Force closure, the largest wrench that is resisted in every direction, and the volume of the wrench space.

use nalgebra::Vector6;

use crate::grasp::closure::{ForceClosure, force_closure};
use crate::grasp::hull::Hull;
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
    let closure = force_closure(&wrenches);
    let hull = Hull::new(&wrenches);
    let volume = hull.as_ref().map_or(0.0, Hull::volume);
    let nearest = hull.as_ref().and_then(|hull| {
        let facets = hull.facets().map(|facet| (facet.offset, facet.normal));
        let (offset, normal) = facets.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((offset - hull.moved, normal))
    });
    Ok(match (&closure, nearest) {
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
    })
}
