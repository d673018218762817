//! The area of a superovoid, and how it changes with radii, exponents and taper.
//!
//! With radii a, b, c, g the norm of the surface with unit radii, and n = ∇g: over the faces x = 1, y = 1 and z = 1 of the cube
//! (by symmetry a quarter of each, 0 ≤ s, t ≤ 1), whose rays meet every point of an octant once,
//!
//! ```text
//! A = 8 ∫∫ |(b·c·n_x, a·c·n_y, a·b·n_z)| / g³ ds dt
//! ```
//!
//! because ∇g/g³ ds dt is the vector of the area that the ray cuts out of the surface with unit radii, and a scaling of the
//! axes multiplies the vector of an area by the cofactors. With a taper T the point (u, v, w) of the surface with unit radii is moved
//! to (a·s·u, b·s·v, c·w), s = 1 + T·w, and the cofactors of that map make the vector
//!
//! ```text
//! (b·c·s·n_u, a·c·s·n_v, a·b·s·(s·n_w − T·(u·n_u + v·n_v)))
//! ```
//!
//! The halves above and below w = 0 then differ, and each counts once. Gauss and Legendre with [`NODES`]² nodes for each face: exact for
//! boxes and octahedra, else within 1 % (see the test).

use super::model::{EXPONENT_XY, EXPONENT_Z, Model, RADII, Step, TAPER, norm};
use nalgebra::Vector3;
use smooth_scene_geometry::math::Vec3;

/// Nodes along an edge of a face.
const NODES: usize = 6;
/// Nodes and weights of Gauss and Legendre on [0, 1], the lower half; the others are mirrored.
const HALF_RULE: [(f64, f64); NODES / 2] = [
    (0.033_765_242_898_424_03, 0.085_662_246_189_585_14),
    (0.169_395_306_766_867_76, 0.180_380_786_524_069_36),
    (0.380_690_406_958_401_56, 0.233_956_967_286_345_52),
];
/// Step of the differences for exponents and taper.
const DIFFERENCE: f64 = 1e-4;

fn rule() -> impl Iterator<Item = (f64, f64)> + Clone {
    HALF_RULE.into_iter().flat_map(|(node, weight)| [(node, weight), (1.0 - node, weight)])
}

/// The area.
pub(super) fn area(model: &Model) -> f64 {
    integral(model).0
}

/// The logarithm of the area, and its derivative.
pub(super) fn log_area(model: &Model) -> (f64, Step) {
    let (area, by_radii) = integral(model);
    let value = libm::log(area);
    let slope = |other: Model| (libm::log(integral(&other).0) - value) / DIFFERENCE;
    let mut by = Step::zeros();
    for k in 0..3 {
        by[RADII + k] = by_radii[k] / area;
    }
    by[EXPONENT_XY] = slope(Model { exponent_xy: model.exponent_xy + DIFFERENCE, ..*model });
    by[EXPONENT_Z] = slope(Model { exponent_z: model.exponent_z + DIFFERENCE, ..*model });
    // Without taper the area has its extremum: a taper and its opposite give mirror images.
    if model.taper != 0.0 {
        by[TAPER] = slope(Model { taper: model.taper + DIFFERENCE, ..*model });
    }
    (value, by)
}

/// The area, and its derivatives by the logarithms of the radii.
fn integral(model: &Model) -> (f64, Vec3) {
    let Model { radii, exponent_xy, exponent_z, taper, .. } = *model;
    let cofactors = Vec3::new(radii.y * radii.z, radii.x * radii.z, radii.x * radii.y);
    // Both halves are alike without taper.
    let halves: &[f64] = if taper == 0.0 { &[0.0] } else { &[taper, -taper] };
    let octants = 8.0 / halves.len() as f64;
    let (mut sum, mut by) = (0.0, Vec3::zeros());
    for (s, weight_s) in rule() {
        for (t, weight_t) in rule() {
            for (x, y, z) in [(1.0, s, t), (s, 1.0, t), (s, t, 1.0)] {
                let (m, m_x, m_y, _) = norm(x, y, exponent_xy);
                let (g, g_m, g_z, _) = norm(m, z, exponent_z);
                let weight = octants * weight_s * weight_t / (g * g * g);
                for taper in halves {
                    let section = 1.0 + taper * z / g;
                    // u·n_u + v·n_v = m·g_m/g, because m is homogeneous.
                    let lean = section * g_z - taper * m * g_m / g;
                    let vector = Vector3::new(g_m * m_x, g_m * m_y, lean) * section;
                    let vector = vector.component_mul(&cofactors);
                    let squares = vector.component_mul(&vector);
                    let length = libm::sqrt(squares.sum());
                    sum += weight * length;
                    // A cofactor holds two of the radii.
                    by += (Vec3::repeat(squares.sum()) - squares) * (weight / length);
                }
            }
        }
    }
    (sum, by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::UnitQuaternion;
    use smooth_scene_geometry::tessellate_with_vertex_count;

    fn model(radii: [f64; 3], exponent_xy: f64, exponent_z: f64, taper: f64) -> Model {
        Model {
            center: Vec3::zeros(),
            rotation: UnitQuaternion::identity(),
            radii: radii.into(),
            exponent_xy,
            exponent_z,
            taper,
        }
    }

    fn area_of_triangles(model: &Model) -> f64 {
        let mesh = tessellate_with_vertex_count(&model.shape().unwrap(), 5_000);
        let corner = |k: u32| mesh.vertices[k as usize];
        let twice = |t: &[u32; 3]| {
            (corner(t[1]) - corner(t[0])).cross(&(corner(t[2]) - corner(t[0]))).norm()
        };
        0.5 * mesh.triangles.iter().map(twice).sum::<f64>()
    }

    #[test]
    fn area_is_that_of_many_triangles() {
        let exponents = [0.1, 0.3, 0.6, 1.0, 1.4, 1.9];
        for radii in [[1.0, 1.0, 1.0], [1.0, 2.0, 3.0], [0.5, 1.5, 0.7]] {
            for (xy, z) in exponents.iter().flat_map(|xy| exponents.map(|z| (*xy, z))) {
                let model = model(radii, xy, z, 0.0);
                let (found, expected) = (area(&model), area_of_triangles(&model));
                assert!((found / expected - 1.0).abs() < 0.01, "{xy} {z}: {found} {expected}");
            }
        }
    }

    #[test]
    fn area_with_a_taper_is_that_of_many_triangles() {
        for radii in [[1.0, 1.0, 1.0], [1.0, 2.0, 3.0], [1.5, 0.7, 0.5]] {
            for (xy, z) in [(0.3, 0.4), (1.0, 0.2), (1.0, 1.0), (0.6, 0.8)] {
                for taper in [-0.7, 0.3, 0.5] {
                    let model = model(radii, xy, z, taper);
                    let (found, expected) = (area(&model), area_of_triangles(&model));
                    let case = format!("{radii:?} {xy} {z} {taper}: {found} {expected}");
                    assert!((found / expected - 1.0).abs() < 0.01, "{case}");
                }
            }
        }
    }

    #[test]
    fn area_of_a_sphere_is_four_pi() {
        let found = area(&model([1.0; 3], 1.0, 1.0, 0.0));
        assert!((found / (4.0 * std::f64::consts::PI) - 1.0).abs() < 1e-6, "{found}");
    }

    #[test]
    fn derivative_is_that_of_differences() {
        for taper in [0.0, 0.4] {
            let model = model([0.8, 1.1, 1.7], 0.4, 1.3, taper);
            let (_, by) = log_area(&model);
            for k in RADII..=TAPER {
                let h = 1e-5;
                let mut step = Step::zeros();
                step[k] = h;
                let log = |step: &Step| libm::log(area(&model.moved(step, 1.0)));
                let difference = (log(&step) - log(&-step)) / (2.0 * h);
                assert!((difference - by[k]).abs() < 1e-3, "{k}: {difference} {}", by[k]);
            }
        }
    }
}
