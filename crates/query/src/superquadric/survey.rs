//! Where the climbs for the depth of two superquadrics start: the peaks of f.
//!
//! 1. f is ranked on a grid of directions in the frame of A, and along the axes of B, so that the faces of either body are met
//!    exactly. Both senses of an axis come from one evaluation. Where the exponents permit, no powers are taken: a blend of
//!    norms is right to a percent.
//! 2. Between smooth bodies a peak of the grid stands for every maximum. Bodies that are nearly boxes or pinched, or whose
//!    support values are only guessed because of their taper, have maxima close together: there the highest directions that
//!    are apart from each other are taken. Without taper they have a search of their own (`angular.rs`).
//! 3. Unless both bodies are round, each place is moved to the top of a parabola through directions around it.
//! 4. Between smooth bodies it is then climbed from by Newton's method (`newton_f32.rs`); between others it is moved to the
//!    top of a smaller parabola. Those that end close to a higher one, or far below the highest, are not climbed from again.
//!
//! All this is in single precision, for it only ranks: what is kept is climbed.

use crate::superquadric::angular::angular_peaks;
use crate::superquadric::bodies::Parameters;
use crate::superquadric::direction_grid::{DirectionGrid, GRID, LANES, dot};
use crate::superquadric::landscape::{GridValues, Landscape, array, highest_of, load};
use crate::superquadric::newton_f32::ClimbsF32;
use crate::superquadric::peaks::{Peak, Peaks, Places};
use crate::superquadric::support_f32::{ApproximateSupport, BlendedSupport};
use crate::superquadric::tuning::single::MOST_ROUNDS;
use crate::superquadric::tuning::survey::{
    APART, LONGEST_STEP, MARGIN, MOST_PEAKS, QUICK_EXPONENTS, RADII, ROUND_EXPONENTS,
    ROUND_TOP_MARGIN, SAME, SMOOTH_EXPONENTS, STRONG_TAPER, TOP_MARGIN, WIDE_MARGIN,
};
use smooth_scene_geometry::math::{Mat3, Vec3};
use smooth_scene_geometry::simd::{F32x4, F32x8, Lanes, Simd, tangent_basis, unit};
use smooth_scene_geometry::xyz;

/// Directions on a ring; the eighth lane is its centre.
const RING: usize = 7;
const COS: [f32; LANES] =
    [1.0, 0.623_489_8, -0.222_520_93, -0.900_968_9, -0.900_968_9, -0.222_520_93, 0.623_489_8, 0.0];
const SIN: [f32; LANES] =
    [0.0, 0.781_831_5, 0.974_927_9, 0.433_883_74, -0.433_883_74, -0.974_927_9, -0.781_831_5, 0.0];
/// Cosine and sine of twice the angle.
const COS_TWICE: [f32; LANES] =
    [1.0, -0.222_520_93, -0.900_968_9, 0.623_489_8, 0.623_489_8, -0.900_968_9, -0.222_520_93, 0.0];
const SIN_TWICE: [f32; LANES] =
    [0.0, 0.974_927_9, -0.433_883_74, -0.781_831_5, 0.781_831_5, 0.433_883_74, -0.974_927_9, 0.0];
const ON_RING: [f32; LANES] = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0];

/// The peaks of f of two superquadrics. `offset` is the origin of B in the frame of A.
#[inline(always)]
pub(crate) fn peaks<S: Simd>(
    [a, b]: [&Parameters; 2],
    rotation_ab: &Mat3,
    offset: &Vec3,
    size: f64,
) -> Peaks {
    let guessed = is_strongly_tapered(a) || is_strongly_tapered(b);
    let smooth = are_within(SMOOTH_EXPONENTS, [a, b]) && !guessed;
    let round = are_within(ROUND_EXPONENTS, [a, b]) && !guessed;
    let [margin, face_margin] = match (smooth, guessed) {
        (_, true) => [f32::INFINITY; 2],
        (true, false) => [MARGIN; 2],
        (false, false) => [WIDE_MARGIN, MARGIN],
    };
    let land = Landscape::<S>::new(rotation_ab, offset, size, are_straight([a, b]));
    if is_angular([a, b]) {
        return angular_peaks([a, b], rotation_ab, offset, size, &land);
    }
    let grid = &*GRID;
    let axes = axes_of_b(rotation_ab);
    let (mut values, along_axes) = if are_within(QUICK_EXPONENTS, [a, b]) && !guessed {
        let bodies = [BlendedSupport::new(a, size), BlendedSupport::new(b, size)];
        (land.on_grid(&bodies, grid), land.along_axes(&bodies, &axes))
    } else {
        let bodies = [ApproximateSupport::new(a, size), ApproximateSupport::new(b, size)];
        (land.on_grid(&bodies, grid), land.along_axes(&bodies, &axes))
    };
    let highest = highest_of::<S>(&values).max(highest_of::<S>(&along_axes));

    let mut places = Places::none();
    let mut add = |value: f32, normal: [f32; 3]| places.add(value, normal);
    if smooth {
        for_each_peak::<S>(grid, &values, highest - margin, &mut add);
    } else {
        for_highest(grid, &mut values, highest - margin, &mut add);
    }
    for (sign, values) in [1.0, -1.0].into_iter().zip(along_axes) {
        for (k, &value) in values.iter().enumerate().take(3) {
            if value > highest - face_margin {
                add(value, axes.map(|c| sign * c.0[k]));
            }
        }
    }
    if !round {
        let bodies = [ApproximateSupport::new(a, size), ApproximateSupport::new(b, size)];
        let rings = if smooth { &RADII[..1] } else { &RADII[..] };
        for place in places.as_mut_slice() {
            for radius in rings {
                *place = place.moved_up(*radius, &land, &bodies);
            }
        }
    }
    let mut peaks = Peaks::none(SAME);
    if smooth {
        let climbs = ClimbsF32::<S>::new([a, b], rotation_ab, offset, size, round);
        places.as_mut_slice().sort_unstable_by(|a, b| b.value.total_cmp(&a.value));
        peaks = Peaks::of_climbs(&climbs, places.as_slice(), MOST_ROUNDS, SAME);
        peaks.set_low_aside(if round { ROUND_TOP_MARGIN } else { TOP_MARGIN });
    } else {
        places.as_slice().iter().for_each(|place| peaks.add(*place));
        peaks.set_low_aside(margin);
    }
    peaks.add_shoulder(places.as_slice());
    peaks
}

/// The axes of B, on three lanes and again on the others.
fn axes_of_b(rotation_ab: &Mat3) -> [F32x8; 3] {
    [0, 1, 2].map(|i| {
        let [x, y, z] = [0, 1, 2].map(|k| rotation_ab[(i, k)] as f32);
        F32x8([x, y, z, x, y, z, x, y])
    })
}

/// Whether all exponents are in a range.
fn are_within(range: [f64; 2], bodies: [&Parameters; 2]) -> bool {
    bodies.into_iter().all(|body| body.has_exponents_within(range))
}

fn are_straight(bodies: [&Parameters; 2]) -> bool {
    bodies.into_iter().all(|body| body.taper == [0.0; 2])
}

/// Whether neither has a taper and one is nearly a box, or pinched.
pub(super) fn is_angular(bodies: [&Parameters; 2]) -> bool {
    are_straight(bodies) && !are_within(SMOOTH_EXPONENTS, bodies)
}

fn is_strongly_tapered(body: &Parameters) -> bool {
    body.taper.iter().any(|taper| taper.abs() > STRONG_TAPER)
}

/// The places of the grid that are higher than `least` and than all around them.
#[inline(always)]
fn for_each_peak<S: Simd>(
    grid: &DirectionGrid,
    values: &GridValues,
    least: f32,
    mut visit: impl FnMut(f32, [f32; 3]),
) {
    let flat = values.as_flattened();
    for (row, of_row) in values.iter().enumerate() {
        let mut high = load::<S>(of_row).simd_gt(S::F32x8::splat(least.into())).to_bitmask();
        while high != 0 {
            let place = row * LANES + high.trailing_zeros() as usize;
            high &= high - 1;
            if grid.is_peak(flat, place) {
                visit(flat[place], grid.direction(place));
            }
        }
    }
}

/// The highest places of the grid, down to `least`, that are apart from each other; takes the values away.
fn for_highest(
    grid: &DirectionGrid,
    values: &mut GridValues,
    least: f32,
    mut visit: impl FnMut(f32, [f32; 3]),
) {
    let flat = values.as_flattened_mut();
    let mut taken = [[0.0; 3]; MOST_PEAKS];
    let mut count = 0;
    while count < MOST_PEAKS {
        let place = (1..flat.len()).fold(0, |top, k| if flat[k] > flat[top] { k } else { top });
        let value = std::mem::replace(&mut flat[place], f32::MIN);
        if value == f32::MIN || value < least {
            return;
        }
        let normal = grid.direction(place);
        if taken[..count].iter().all(|other| dot(other, &normal) < APART) {
            taken[count] = normal;
            count += 1;
            visit(value, normal);
        }
    }
}

impl Peak {
    /// Looks at a ring around a peak, and moves it to the top of the parabola through it
    ///
    /// ```text
    /// f(x) = f₀ + g·x + ½ xᵀHx,    x = r(cos θ, sin θ):
    /// Σ f cos θ = ½N·r·g₁,  Σ f cos 2θ = ⅛N·r²(H₁₁ − H₂₂),  Σ f sin 2θ = ¼N·r²H₁₂,  mean f − f₀ = ¼r²(H₁₁ + H₂₂)
    /// ```
    ///
    /// or to the highest direction on the ring where that is higher, or the parabola has no top.
    #[inline(always)]
    fn moved_up<S: Simd>(
        &self,
        radius: f32,
        land: &Landscape<S>,
        bodies: &[ApproximateSupport<S::F32x8>; 2],
    ) -> Self {
        let splat = S::F32x8::splat;
        let n = xyz!(|i| splat(self.normal[i].into()));
        let (u, v) = tangent_basis(&n);
        let (cos, sin) = (load::<S>(&COS), load::<S>(&SIN));
        // All on the ring have the same length, and the centre has length one.
        let shorten = 1.0 / (1.0 + radius * radius).sqrt() - 1.0;
        let to_unit = load::<S>(&ON_RING).mul_add(splat(shorten.into()), splat(1.0));
        let (cos_r, sin_r) = (splat(radius.into()) * cos, splat(radius.into()) * sin);
        let around = xyz!(|i| to_unit * (n[i] + u[i] * cos_r + v[i] * sin_r));
        let f = land.at(bodies, &around);
        let values = array::<S>(f);
        let centre = values[RING];
        let g =
            [2.0 * mean_on_ring::<S>(f, &COS) / radius, 2.0 * mean_on_ring::<S>(f, &SIN) / radius];
        let square = radius * radius;
        let trace = 4.0 * (mean_on_ring::<S>(f, &ON_RING) - centre) / square;
        let difference = 8.0 * mean_on_ring::<S>(f, &COS_TWICE) / square;
        let xy = 4.0 * mean_on_ring::<S>(f, &SIN_TWICE) / square;
        let [xx, yy] = [0.5 * (trace + difference), 0.5 * (trace - difference)];
        let determinant = xx * yy - xy * xy;

        let top = (1..RING).fold(0, |top, k| if values[k] > values[top] { k } else { top });
        let (mut value, mut step) = (values[top], [radius * COS[top], radius * SIN[top]]);
        if determinant > 0.0 && xx < 0.0 {
            let whole =
                [(xy * g[1] - yy * g[0]) / determinant, (xy * g[0] - xx * g[1]) / determinant];
            let length = (whole[0] * whole[0] + whole[1] * whole[1]).sqrt();
            let part = (LONGEST_STEP * radius / length.max(f32::MIN_POSITIVE)).min(1.0);
            let predicted =
                centre + (1.0 - 0.5 * part) * part * (g[0] * whole[0] + g[1] * whole[1]);
            if predicted >= value {
                (value, step) = (predicted, whole.map(|x| part * x));
            }
        } else if centre >= value {
            (value, step) = (centre, [0.0; 2]);
        }
        let (x, y) = (splat(step[0].into()), splat(step[1].into()));
        let moved = unit(&xyz!(|i| n[i] + x * u[i] + y * v[i]));
        let gained = (value - centre).abs();
        Peak { gained, ..Peak::at(value, xyz!(|i| array::<S>(moved[i])[0])) }
    }
}

/// The weighted mean of f over a ring. Halves are added first, so that the order is the same on all instruction sets.
#[inline(always)]
fn mean_on_ring<S: Simd>(f: S::F32x8, weights: &[f32; LANES]) -> f32 {
    let [low, high] = S::halves(f * load::<S>(weights));
    let four = low + high;
    let two: F32x4 = (four + S::swap_pairs(four)).into();
    (two.0[0] + two.0[1]) * (1.0 / RING as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::core_shape::CoreShape;
    use crate::solve::separation::SeparationFunction;
    use crate::superquadric::pair::{SuperquadricPair, parameters};
    use smooth_scene_geometry::Shape;
    use smooth_scene_geometry::math::Pose;
    use smooth_scene_geometry::simd::{Kernel, Level, Portable};

    struct Shortfall<'a> {
        shapes: [&'a Shape; 2],
        pose_ab: &'a Pose,
    }

    impl Kernel for Shortfall<'_> {
        type Output = f64;

        #[inline(always)]
        fn run<S: Simd>(self) -> f64 {
            let Self { shapes, pose_ab } = self;
            let [pa, pb] = shapes.map(|shape| parameters(shape).unwrap());
            let rotation_ab = pose_ab.rotation.to_rotation_matrix().into_inner();
            let (offset, size) = (pose_ab.translation.vector, 2.0);
            let found = peaks::<S>([&pa, &pb], &rotation_ab, &offset, size);
            let cores = shapes.map(CoreShape::Surface);
            let pair = SuperquadricPair::<S>::new(&cores, &rotation_ab, &offset).unwrap();
            let high = |all: &mut dyn Iterator<Item = Vec3>| {
                all.map(|n| pair.at(&n).value).fold(f64::NEG_INFINITY, f64::max)
            };
            let mut spiral = (0..20_000).map(|k| {
                let (z, turn) = (1.0 - f64::from(k) / 10_000.0, f64::from(k) * 2.399_963);
                let ring = (1.0 - z * z).sqrt();
                Vec3::new(ring * turn.cos(), ring * turn.sin(), z)
            });
            let mut starts =
                found.starts(&rotation_ab).take(found.promising()).map(|start| start.normal);
            (high(&mut spiral) - high(&mut starts)) / size
        }
    }

    /// How far below the highest of many directions the highest of the starts is, in multiples of the size.
    fn shortfall(a: &Shape, b: &Shape, pose_ab: &Pose) -> f64 {
        Level::detect().run(Shortfall { shapes: [a, b], pose_ab })
    }

    #[test]
    fn the_highest_start_is_close_to_the_highest_maximum() {
        let poses = (0..60).map(|k| {
            let t = f64::from(k);
            let offset = Vec3::new((1.3 * t).sin(), (2.1 * t).sin(), (0.7 * t).cos()) * 0.4;
            Pose::new(offset, Vec3::new((0.9 * t).cos(), (1.7 * t).sin(), (0.3 * t).cos()))
        });
        let body = |xy: f64, z: f64| Shape::superellipsoid([1.0, 0.8, 2.0], xy, z).unwrap();
        let ovoid = Shape::superovoid([1.0, 0.8, 2.0], 0.9, 0.7, [0.1, -0.05]).unwrap();
        let shapes = [body(1.0, 0.7), body(0.9, 1.2), ovoid];
        for pose in poses {
            for a in &shapes {
                for b in &shapes {
                    let shortfall = shortfall(a, b, &pose);
                    assert!(shortfall < 0.01, "{shortfall} {a:?} {b:?} {pose:?}");
                }
            }
        }
    }

    #[test]
    fn starts_that_are_not_climbed_to_leave_the_planes_of_symmetry() {
        let tapered = Shape::superovoid([1.0, 2.0, 3.0], 0.1, 0.1, [0.1, 0.1]).unwrap();
        let p = parameters(&tapered).unwrap();
        let found = peaks::<Portable>([&p, &p], &Mat3::identity(), &Vec3::zeros(), 3.0);
        assert!(found.len > 0);
        assert!(found.starts(&Mat3::identity()).all(|start| start.normal.amin() > 1e-3));
    }
}
