//! How ε and the volume of a grasp change when its contacts move.
//!
//! **ε** is the least distance of a facet of the hull from zero. Let a be the unit normal of the nearest facet and εa the foot on it, an
//! affine combination of the wrenches on the facet, εa = Σ λᵢwᵢ with Σ λᵢ = 1. By the envelope theorem only the wrenches count, not the turn
//! of the normal:
//!
//! ```text
//! dε = Σ λᵢ a·dwᵢ
//! ```
//!
//! A facet may hold all edges of a cone. They move as the affine image of a regular polygon, so the facet stays one and every choice of λ
//! gives the same dε. Where several facets are nearest, ε is the least of several smooth functions: it has a derivative along each direction,
//! the least of theirs.
//!
//! **Volume.** With the boundary cut into simplices F of area A_F and unit normal a_F, a corner that moves by dwᵢ sweeps a sixth of the
//! prism below it:
//!
//! ```text
//! dV = Σ_F A_F/6 Σ_{i in F} a_F·dwᵢ
//! ```
//!
//! **Wrenches.** With r = (p − c)/L and f = n + μ(cos φ u(n) + sin φ v(n)), a covector (α, β) of the wrench (f, r × f) is
//!
//! ```text
//! α·df + β·d(r × f) = (α + β × r)·df + (f × β)·dr
//! ```
//!
//! and df follows from the derivative of the tangent basis u(n), v(n). The basis jumps where the normal's z changes its sign, and the pyramid
//! with it: there the slopes are those of the side the normal is on.

use nalgebra::{DMatrix, DVector, Vector6};
use smooth_scene_geometry::math::{Mat3, Vec3, sin_cos, tangent_basis};

use crate::grasp::hull::Hull;
use crate::grasp::wrenches::{GraspContact, GraspOptions};

/// Facets whose distance exceeds the least by no more than this count as nearest too, in multiples of how far the wrenches of the hull
/// were moved.
const TIE: f64 = 4.0;
/// Wrenches within this distance of a facet, relative to the largest, lie on it.
const ON_FACET: f64 = 1e-7;
/// Smallest singular value of the wrenches on a facet, relative to the largest, from which they determine it.
const RANK: f64 = 1e-6;
/// Facets whose unit normals differ by less are one.
const SAME_NORMAL: f64 = 1e-5;

/// The derivative of a number with respect to one contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSlope {
    /// With respect to the point, 1/m.
    pub point: Vec3,
    /// With respect to the normal, of which only turns count.
    pub normal: Vec3,
}

/// How the quality of a grasp changes with its contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct GraspSlopes {
    /// Of ε, with a slope for each contact; several where several facets are nearest. Empty where ε is zero.
    pub epsilon: Vec<Vec<ContactSlope>>,
    /// Of the volume, a slope for each contact; empty where the wrenches have no hull. It holds while no wrench enters or leaves a facet that
    /// others span.
    pub volume: Vec<ContactSlope>,
}

/// The slopes of a closed grasp with this hull.
pub(crate) fn slopes(
    contacts: &[GraspContact],
    options: &GraspOptions,
    wrenches: &[Vector6<f64>],
    hull: &Hull,
) -> GraspSlopes {
    let to_contacts = |covectors: &[Vector6<f64>]| contact_slopes(contacts, options, covectors);
    let nearest = nearest_facets(wrenches, hull);
    GraspSlopes {
        epsilon: nearest.iter().map(|facet| to_contacts(facet)).collect(),
        volume: to_contacts(&hull.volume_covectors()),
    }
}

/// For each nearest facet the covector λᵢa of every wrench.
fn nearest_facets(wrenches: &[Vector6<f64>], hull: &Hull) -> Vec<Vec<Vector6<f64>>> {
    let least = hull.facets().map(|facet| facet.offset).fold(f64::INFINITY, f64::min);
    let mut normals: Vec<Vector6<f64>> = Vec::new();
    let mut found = Vec::new();
    for facet in hull.facets().filter(|facet| facet.offset <= least + TIE * hull.moved) {
        let Some((normal, weights)) = exact_facet(wrenches, &facet.normal, facet.corners()) else {
            continue;
        };
        if normals.iter().all(|other| (other - normal).norm() > SAME_NORMAL) {
            normals.push(normal);
            found.push(weights.iter().map(|weight| normal * *weight).collect());
        }
    }
    found
}

/// The facet of the wrenches themselves where the hull of moved ones has one: its unit normal and the weight of each wrench in its foot.
/// `None` where the wrenches on it do not determine it.
fn exact_facet(
    wrenches: &[Vector6<f64>],
    about: &Vector6<f64>,
    corners: &[u32],
) -> Option<(Vector6<f64>, Vec<f64>)> {
    let scale = wrenches.iter().map(|w| w.norm()).fold(0f64, f64::max);
    let reach = wrenches.iter().map(|w| w.dot(about)).fold(f64::NEG_INFINITY, f64::max);
    let is_on = |k: &usize| {
        wrenches[*k].dot(about) >= reach - ON_FACET * scale || corners.contains(&(*k as u32))
    };
    let on: Vec<usize> = (0..wrenches.len()).filter(is_on).collect();
    // Columns of zeros make room for six singular values; there are at least six corners anyhow.
    let matrix = DMatrix::from_fn(6, on.len(), |row, column| wrenches[on[column]][row]);
    let svd = matrix.clone().svd(true, true);
    if svd.singular_values.min() <= RANK * svd.singular_values.max() {
        return None;
    }
    // 1. x with w·x = 1 for all wrenches on the facet: a = x/|x|, ε = 1/|x|. With W = UΣVᵀ, x = UΣ⁻¹Vᵀ1.
    let (u, v_t) = (svd.u.as_ref()?, svd.v_t.as_ref()?);
    let mut scaled = v_t * DVector::repeat(on.len(), 1.0);
    scaled.component_div_assign(&svd.singular_values);
    let x = u * scaled;
    let x = Vector6::from_iterator(x.iter().copied());
    let (normal, epsilon) = (x.normalize(), 1.0 / x.norm());
    // 2. The plane must still have all wrenches below it.
    if wrenches.iter().any(|w| w.dot(&normal) > epsilon + 10.0 * ON_FACET * scale) {
        return None;
    }
    // 3. The foot as a combination of the wrenches: the least λ with Wλ = εa.
    let foot = DVector::from_iterator(6, (normal * epsilon).iter().copied());
    let least = svd.solve(&foot, 0.0).ok()?;
    let mut weights = vec![0.0; wrenches.len()];
    on.iter().zip(least.iter()).for_each(|(k, weight)| weights[*k] = *weight);
    Some((normal, weights))
}

/// Covectors of the wrenches, in the order of [`contact_wrenches`](crate::contact_wrenches), as slopes of the contacts.
fn contact_slopes(
    contacts: &[GraspContact],
    options: &GraspOptions,
    covectors: &[Vector6<f64>],
) -> Vec<ContactSlope> {
    let mut rest = covectors.iter();
    let slope = |contact: &GraspContact| {
        let mut slope = ContactSlope { point: Vec3::zeros(), normal: Vec3::zeros() };
        let arm = (contact.point_w - options.center_w) / options.length;
        let (u, v) = tangent_basis(&contact.normal_w);
        let [du, dv] = tangent_basis_rates(&contact.normal_w);
        let edges = if contact.friction == 0.0 { 1 } else { options.edges };
        for edge in 0..edges {
            let angle = std::f64::consts::TAU * f64::from(edge) / f64::from(options.edges);
            let (sin, cos) = sin_cos(angle);
            let force = contact.normal_w + (u * cos + v * sin) * contact.friction;
            let turn = Mat3::identity() + (du * cos + dv * sin) * contact.friction;
            let covector = rest.next().expect("every edge has a wrench");
            let alpha = Vec3::new(covector[0], covector[1], covector[2]);
            let beta = Vec3::new(covector[3], covector[4], covector[5]);
            slope.normal += turn.transpose() * (alpha + beta.cross(&arm));
            slope.point += force.cross(&beta) / options.length;
        }
        slope
    };
    contacts.iter().map(slope).collect()
}

/// ∂u/∂n and ∂v/∂n of [`tangent_basis`]: with s the sign of z and a = −1/(s + z), u = (1 + sx²a, sxya, −sx) and v = (xya, s + y²a, −y).
fn tangent_basis_rates(n: &Vec3) -> [Mat3; 2] {
    let (x, y) = (n.x, n.y);
    let s = 1f64.copysign(n.z);
    let a = -1.0 / (s + n.z);
    let b = a * a;
    let of_u = Mat3::new(
        2.0 * s * x * a,
        0.0,
        s * x * x * b,
        s * y * a,
        s * x * a,
        s * x * y * b,
        -s,
        0.0,
        0.0,
    );
    let of_v = Mat3::new(y * a, x * a, x * y * b, 0.0, 2.0 * y * a, y * y * b, 0.0, -1.0, 0.0);
    [of_u, of_v]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_the_tangent_basis_are_its_differences() {
        for n in [Vec3::new(0.6, -0.48, 0.64), Vec3::new(-0.3, 0.5, -0.7).normalize()] {
            let [du, dv] = tangent_basis_rates(&n);
            let (t, s) = tangent_basis(&n);
            for along in [t, s] {
                let h = 1e-6;
                let [more, less] = [h, -h].map(|h| tangent_basis(&(n + along * h).normalize()));
                assert!(((more.0 - less.0) / (2.0 * h) - du * along).norm() < 1e-9);
                assert!(((more.1 - less.1) / (2.0 * h) - dv * along).norm() < 1e-9);
            }
        }
    }
}
