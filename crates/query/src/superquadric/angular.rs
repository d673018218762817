//! Where the climbs for the depth start between bodies without taper that are not smooth: nearly boxes, or pinched.
//!
//! Their maxima are close together, so that a grid of directions alone misses some. The highest maximum of two boxes is along
//! one of the fifteen axes of the separating axis theorem: the normals of their faces, and the cross products of their edges.
//! That of bodies with rounded edges is near one of these, or between them.
//!
//! 1. f is ranked on the grid, without powers where the exponents permit, and the highest places that are apart are kept.
//! 2. f is evaluated there and along the fifteen axes in both senses.
//! 3. The highest few are moved to the highest place on a ring around them, where that is higher: on a plane of symmetry f may
//!    be level and yet rise on both sides.
//! 4. The highest of all these are climbed from by Newton's method in single precision (`newton_f32.rs`).
//!
//! A maximum may be so sharp that every climb leads past it. The highest direction that was looked at is therefore kept: if all
//! climbs in double precision end lower, the maximum next to it is climbed to as along a ridge (`penetration.rs`).

use crate::solve::starts::Seen;
use crate::superquadric::bodies::Parameters;
use crate::superquadric::direction_grid::{GRID, LANES, dot};
use crate::superquadric::landscape::{Landscape, array, highest_apart, highest_of, load};
use crate::superquadric::newton_f32::ClimbsF32;
use crate::superquadric::peaks::{Peak, Peaks, Places};
use crate::superquadric::support_f32::{ApproximateSupport, BlendedSupport};
use crate::superquadric::tuning::angular::{
    BLENDED_EXPONENTS, GRID_MARGIN, MARGIN, MOST_CLIMBED, MOST_ROUNDS, PARALLEL, PINCHED, RADII,
    RINGED, ROUNDING, SAME, SAME_TOP, TOP_MARGIN, WIDER,
};
use smooth_scene_geometry::math::{Mat3, Vec3};
use smooth_scene_geometry::simd::{F32x8, Lanes, Simd, tangent_basis, unit};
use smooth_scene_geometry::xyz;

/// Axes of two boxes, on two rows of lanes: three of A, three of B, nine cross products, and one again.
const AXES: usize = 2 * LANES;
/// Candidates at most: places of the grid, and the axes in both senses.
const MOST_CANDIDATES: usize = LANES + 2 * AXES;
/// Eight directions on a ring.
const COS: [f32; LANES] = [1.0, DIAGONAL, 0.0, -DIAGONAL, -1.0, -DIAGONAL, 0.0, DIAGONAL];
const SIN: [f32; LANES] = [0.0, DIAGONAL, 1.0, DIAGONAL, 0.0, -DIAGONAL, -1.0, -DIAGONAL];
const DIAGONAL: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// The peaks of f. `offset` is the origin of B in the frame of A.
#[inline(always)]
pub(super) fn angular_peaks<S: Simd>(
    bodies: [&Parameters; 2],
    rotation_ab: &Mat3,
    offset: &Vec3,
    size: f64,
    land: &Landscape<S>,
) -> Peaks {
    let mut candidates = candidates(bodies, rotation_ab, size, land);
    let exact = bodies.map(|body| ApproximateSupport::new(body, size));
    move_up(candidates.as_mut_slice(), land, &exact);
    let climbs = ClimbsF32::<S>::new(bodies, rotation_ab, offset, size, false);
    let mut peaks = Peaks::of_climbs(&climbs, candidates.as_slice(), MOST_ROUNDS, SAME_TOP);
    peaks.add_unreached(candidates.as_slice());
    peaks.set_low_aside(TOP_MARGIN);
    peaks.add_shoulder(candidates.as_slice());
    peaks.seen = candidates.as_slice().first().map(|highest| Seen {
        normal: Vec3::from(highest.normal.map(f64::from)).normalize(),
        value: size * (f64::from(highest.value) - ROUNDING),
    });
    peaks
}

/// Moves the highest candidates to higher places on rings around them, and sorts all again.
#[inline(always)]
fn move_up<S: Simd>(
    candidates: &mut [Peak],
    land: &Landscape<S>,
    bodies: &[ApproximateSupport<S::F32x8>; 2],
) {
    for place in candidates.iter_mut().take(RINGED) {
        for radius in RADII {
            *place = highest_on_ring(place, radius, land, bodies);
        }
    }
    candidates.sort_unstable_by(|a, b| b.value.total_cmp(&a.value));
}

/// The highest of eight directions around a place, or the place where that is higher.
#[inline(always)]
fn highest_on_ring<S: Simd>(
    place: &Peak,
    radius: f32,
    land: &Landscape<S>,
    bodies: &[ApproximateSupport<S::F32x8>; 2],
) -> Peak {
    let n = xyz!(|i| S::F32x8::splat(place.normal[i].into()));
    let (u, v) = tangent_basis(&n);
    let radius = S::F32x8::splat(radius.into());
    let (cos, sin) = (radius * load::<S>(&COS), radius * load::<S>(&SIN));
    let around = unit(&xyz!(|i| n[i] + u[i] * cos + v[i] * sin));
    let values = array::<S>(land.at(bodies, &around));
    let top = (1..LANES).fold(0, |top, k| if values[k] > values[top] { k } else { top });
    if values[top] > place.value {
        Peak::at(values[top], xyz!(|i| array::<S>(around[i])[top]))
    } else {
        *place
    }
}

/// A number that f exceeds along one of the axes of the separating axis theorem.
#[inline(always)]
pub(super) fn highest_along_axes<S: Simd>(
    [a, b]: [&Parameters; 2],
    rotation_ab: &Mat3,
    offset: &Vec3,
    size: f64,
) -> f64 {
    let land = Landscape::<S>::new(rotation_ab, offset, size, true);
    let bodies = [ApproximateSupport::new(a, size), ApproximateSupport::new(b, size)];
    let mut high = S::F32x8::splat(f32::MIN.into());
    for axes in axes_of_boxes(rotation_ab).as_chunks().0 {
        let [up, down] = land.both_senses(&bodies, &on_lanes::<S>(axes));
        high = high.max(up.max(down));
    }
    let highest = array::<S>(high).into_iter().fold(f32::MIN, f32::max);
    size * (f64::from(highest) - ROUNDING)
}

/// The directions to climb from, highest first.
#[inline(always)]
fn candidates<S: Simd>(
    [a, b]: [&Parameters; 2],
    rotation_ab: &Mat3,
    size: f64,
    land: &Landscape<S>,
) -> Places {
    let exact = [ApproximateSupport::new(a, size), ApproximateSupport::new(b, size)];
    let can_blend = [a, b].iter().all(|body| body.has_exponents_within(BLENDED_EXPONENTS));
    let mut values = if can_blend {
        land.on_grid(&[BlendedSupport::new(a, size), BlendedSupport::new(b, size)], &GRID)
    } else {
        land.on_grid(&exact, &GRID)
    };
    let is_pinched = [a, b].iter().all(|body| body.exponent_xy.max(body.exponent_z) > PINCHED);
    let wider = if is_pinched { WIDER } else { 1.0 };
    let least = highest_of::<S>(&values) - wider * GRID_MARGIN;
    let places = highest_apart::<S>(&GRID, &mut values, least);
    let mut sorted = Sorted::new(wider * MARGIN);
    let [up, _] = land.both_senses(&exact, &on_lanes::<S>(&places));
    sorted.add(&array::<S>(up), &places, 1.0);
    for axes in axes_of_boxes(rotation_ab).as_chunks().0 {
        let [up, down] = land.both_senses(&exact, &on_lanes::<S>(axes));
        sorted.add(&array::<S>(up), axes, 1.0);
        sorted.add(&array::<S>(down), axes, -1.0);
    }
    sorted.apart()
}

/// The axes of the separating axis theorem. Of parallel edges the cross product is replaced by one of them.
fn axes_of_boxes(rotation_ab: &Mat3) -> [[f32; 3]; AXES] {
    let column = |m: &Mat3, k: usize| Vec3::from(m.column(k));
    let mut axes = [Vec3::x(); AXES];
    for i in 0..3 {
        let edge_a = Vec3::ith(i, 1.0);
        (axes[i], axes[3 + i]) = (edge_a, column(rotation_ab, i));
        for k in 0..3 {
            let cross = edge_a.cross(&column(rotation_ab, k));
            let length = cross.norm();
            axes[6 + 3 * i + k] = if length > PARALLEL { cross / length } else { edge_a };
        }
    }
    axes.map(|axis| axis.map(|x| x as f32).into())
}

#[inline(always)]
fn on_lanes<S: Simd>(directions: &[[f32; 3]; LANES]) -> [S::F32x8; 3] {
    xyz!(|i| F32x8(std::array::from_fn(|lane| directions[lane][i])).into())
}

/// Directions by value, highest first.
struct Sorted {
    all: [Peak; MOST_CANDIDATES],
    len: usize,
    /// Those farther below the highest are left out.
    margin: f32,
}

impl Sorted {
    fn new(margin: f32) -> Self {
        Self { all: [Peak::at(f32::MIN, [0.0; 3]); MOST_CANDIDATES], len: 0, margin }
    }

    /// Adds a row of directions, or of their opposites.
    #[inline(always)]
    fn add(&mut self, values: &[f32; LANES], directions: &[[f32; 3]; LANES], sense: f32) {
        for (value, direction) in values.iter().zip(directions) {
            if *value < self.all[0].value - self.margin {
                continue;
            }
            let mut place = self.len;
            while place > 0 && self.all[place - 1].value < *value {
                self.all[place] = self.all[place - 1];
                place -= 1;
            }
            self.all[place] = Peak::at(*value, direction.map(|x| sense * x));
            self.len += 1;
        }
    }

    /// The highest that are apart from each other.
    #[inline(always)]
    fn apart(&self) -> Places {
        let mut places = Places::none();
        let least = self.all[0].value - self.margin;
        for peak in self.all[..self.len].iter().take_while(|peak| peak.value >= least) {
            let is_apart = |other: &Peak| dot(&other.normal, &peak.normal) < SAME;
            if places.as_slice().iter().all(is_apart) {
                places.add(peak.value, peak.normal);
                if places.as_slice().len() == MOST_CLIMBED {
                    break;
                }
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_candidates_as_there_can_be_are_sorted() {
        let mut sorted = Sorted::new(100.0);
        for row in 0..MOST_CANDIDATES / LANES {
            let values = std::array::from_fn(|lane| ((7 * (LANES * row + lane)) % 40) as f32);
            let sense = if row % 2 == 0 { 1.0 } else { -1.0 };
            sorted.add(&values, &[[0.6, 0.0, 0.8]; LANES], sense);
        }
        assert_eq!(sorted.len, MOST_CANDIDATES);
        let expected: [f32; MOST_CANDIDATES] =
            std::array::from_fn(|k| (MOST_CANDIDATES - 1 - k) as f32);
        assert_eq!(sorted.all.map(|peak| peak.value), expected);
        // All are one direction or its opposite.
        let apart = sorted.apart();
        let [one, other] = apart.as_slice() else { panic!("{:?}", apart.as_slice()) };
        assert_eq!(one.value, 39.0);
        assert_eq!(one.normal, other.normal.map(|x| -x));
    }

    #[test]
    fn candidates_far_below_the_highest_are_left_out() {
        let axes = std::array::from_fn(|lane| {
            let angle = std::f32::consts::FRAC_PI_4 * lane as f32;
            [angle.cos(), angle.sin(), 0.0]
        });
        let mut sorted = Sorted::new(0.5);
        sorted.add(&[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], &axes, 1.0);
        sorted.add(&[0.1; LANES], &axes, -1.0);
        let values = sorted.apart().as_slice().iter().map(|peak| peak.value).collect::<Vec<_>>();
        assert_eq!(values, [0.7, 0.6, 0.5, 0.4, 0.3, 0.2]);
    }
}
