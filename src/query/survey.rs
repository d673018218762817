//! Where the climbs for the depth of two superquadrics start: the peaks of f.
//!
//! 1. f is ranked on a grid of directions in the frame of A, and along the axes of B, so that the faces of either body are met
//!    exactly. Both senses of an axis come from one evaluation. Where the exponents permit, no powers are taken: a blend of
//!    norms is right to a percent.
//! 2. Between smooth bodies a peak of the grid stands for every maximum. Bodies that are nearly boxes or pinched, or whose
//!    support values are only guessed because of their taper, have maxima close together: there the highest directions that
//!    are apart from each other are taken.
//! 3. Each is moved twice to the top of a parabola through directions around it. Those that end close to a higher one, or
//!    far below the highest, are dropped.
//!
//! All this is in single precision, for it only ranks: what is kept is climbed.

use super::direction_grid::{DirectionGrid, GRID, LANES, ROWS, dot};
use super::single_precision::{QuickBody, RoughBody};
use super::superquadric_lanes::Parameters;
use crate::math::{Mat3, Vec3};
use wide::f32x8;

/// Exponents of bodies that are smooth: their maxima are farther apart than the directions of the grid.
const SMOOTH_EXPONENTS: [f64; 2] = [0.15, 1.3];
/// Taper from which the support values are only guesses.
const STRONG_TAPER: f64 = 0.5;
/// Peaks that are kept.
const MOST_PEAKS: usize = 7;
/// Peaks that are lower than the highest by more than this, in multiples of the size, are not refined, and not kept if they
/// are so after that: between smooth bodies and along the axes of B, and between others. Where the taper makes values guesses,
/// all are kept.
const MARGIN: f32 = 0.1;
const WIDE_MARGIN: f32 = 0.2;
/// Exponents of bodies whose support values without powers, right to one percent, rank the directions of the grid.
const QUICK_EXPONENTS: [f64; 2] = [0.15, 1.2];
/// By how many times its last gain a refined peak may still rise.
const DOUBT: f32 = 4.0;
/// Directions of the grid that are closer than this (cosine) are not both taken between bodies that are not smooth.
const APART: f32 = 0.95;
/// Refined peaks closer than this (cosine) are one.
const SAME: f32 = 0.99;
/// |n·d|/|d| below which both senses of an axis are looked at although bodies without taper are nearer along one.
const NEAR_EQUATOR: f32 = 0.35;
/// Radii, in radians, of the rings by which a peak is refined, and the longest step in radii.
const RADII: [f32; 2] = [0.12, 0.04];
const LONGEST_STEP: f32 = 1.5;
/// Component of a direction, in the frame of a body, below which it lies on one of its planes of symmetry, and how starts
/// are moved off it: across all planes.
const ON_A_PLANE: f64 = 2e-3;
const ASIDE: Vec3 = Vec3::new(0.007, -0.011, 0.009);

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

/// Peaks of f, highest first.
pub(crate) struct Peaks {
    all: [Peak; MOST_PEAKS],
    len: usize,
}

/// A direction in the frame of A, about how high the maximum near by is, and how much that changed when it was refined.
#[derive(Debug, Clone, Copy)]
struct Peak {
    value: f32,
    normal: [f32; 3],
    gained: f32,
}

impl Peaks {
    fn none() -> Self {
        let nowhere = Peak { value: f32::MIN, normal: [0.0; 3], gained: 0.0 };
        Self { all: [nowhere; MOST_PEAKS], len: 0 }
    }

    /// Where to climb from. On a plane of symmetry of a body f is stationary across it, at a minimum as at a maximum: a
    /// start on one is moved a little, so that the climb leaves it if it goes up.
    pub fn starts(&self, rotation_ab: &Mat3) -> impl Iterator<Item = Vec3> + '_ {
        let rotation_ba = rotation_ab.transpose();
        self.all[..self.len].iter().map(move |peak| {
            let mut normal = Vec3::from(peak.normal.map(f64::from));
            if normal.amin() < ON_A_PLANE || (rotation_ba * normal).amin() < ON_A_PLANE {
                normal += ASIDE;
            }
            normal.normalize()
        })
    }

    /// Puts a peak where it belongs. Of two that are close the higher is kept, and of too many the highest.
    fn add(&mut self, peak: Peak) {
        let is_close = |other: &Peak| dot(&other.normal, &peak.normal) > SAME;
        if let Some(k) = self.all[..self.len].iter().position(is_close) {
            if self.all[k].value >= peak.value {
                return;
            }
            self.all.copy_within(k + 1..self.len, k);
            self.len -= 1;
        }
        let place = self.all[..self.len].partition_point(|other| other.value >= peak.value);
        if place < MOST_PEAKS {
            self.len = (self.len + 1).min(MOST_PEAKS);
            self.all.copy_within(place..self.len - 1, place + 1);
            self.all[place] = peak;
        }
    }

    /// Drops the peaks from which the highest is out of reach.
    fn drop_low(&mut self, margin: f32) {
        let least = self.all[0].value - margin;
        let mut kept = 0;
        for k in 0..self.len {
            if self.all[k].value + DOUBT * self.all[k].gained >= least {
                self.all[kept] = self.all[k];
                kept += 1;
            }
        }
        self.len = kept;
    }
}

/// The peaks of f of two superquadrics. `offset` is the origin of B in the frame of A.
pub(crate) fn peaks(
    [a, b]: [&Parameters; 2],
    rotation_ab: &Mat3,
    offset: &Vec3,
    size: f64,
) -> Peaks {
    let smooth = are_within(SMOOTH_EXPONENTS, [a, b]);
    let guessed = is_strongly_tapered(a) || is_strongly_tapered(b);
    let [margin, face_margin] = match (smooth, guessed) {
        (_, true) => [f32::INFINITY; 2],
        (true, false) => [MARGIN; 2],
        (false, false) => [WIDE_MARGIN, MARGIN],
    };
    let land = Landscape {
        quick: [QuickBody::new(a, size), QuickBody::new(b, size)],
        a: RoughBody::new(a, size),
        b: RoughBody::new(b, size),
        rotation_ab: [0, 1, 2].map(|i| [0, 1, 2].map(|k| f32x8::splat(rotation_ab[(i, k)] as f32))),
        offset: [0, 1, 2].map(|i| f32x8::splat((offset[i] / size) as f32)),
        is_symmetric: a.taper == [0.0; 2] && b.taper == [0.0; 2],
        equator: f32x8::splat(NEAR_EQUATOR * (offset.norm() / size) as f32),
    };
    let grid = &*GRID;
    let quick = are_within(QUICK_EXPONENTS, [a, b]) && !guessed;
    let mut values = land.on_grid(grid, quick);
    let (axes, along_axes) = land.on_axes_of_b(rotation_ab, quick);
    let high = values.iter().chain(&along_axes).fold(f32x8::splat(f32::MIN), |a, b| a.fast_max(*b));
    let highest = high.as_array().iter().fold(f32::MIN, |a, b| a.max(*b));

    let mut peaks = Peaks::none();
    let mut add = |value: f32, normal: [f32; 3]| {
        let place = Peak { value, normal, gained: 0.0 };
        peaks.add(RADII.iter().fold(place, |peak, radius| peak.moved_up(*radius, |n| land.at(n))));
    };
    if smooth && !guessed {
        for_each_peak(grid, &values, highest - margin, &mut add);
    } else {
        for_highest(grid, &mut values, highest - margin, &mut add);
    }
    for (sign, values) in [1.0, -1.0].into_iter().zip(along_axes) {
        for k in 0..3 {
            let value = values.as_array()[k];
            if value > highest - face_margin {
                add(value, axes.map(|c| sign * c.as_array()[k]));
            }
        }
    }
    peaks.drop_low(margin);
    peaks
}

/// Whether all exponents are in a range.
fn are_within([least, most]: [f64; 2], bodies: [&Parameters; 2]) -> bool {
    let exponents = bodies.into_iter().flat_map(|body| [body.exponent_xy, body.exponent_z]);
    exponents.into_iter().all(|exponent| (least..=most).contains(&exponent))
}

fn is_strongly_tapered(body: &Parameters) -> bool {
    body.taper.iter().any(|taper| taper.abs() > STRONG_TAPER)
}

/// The places of the grid that are higher than `least` and than all around them.
fn for_each_peak(
    grid: &DirectionGrid,
    values: &[f32x8; 2 * ROWS],
    least: f32,
    mut visit: impl FnMut(f32, [f32; 3]),
) {
    let flat: &[f32] = bytemuck::cast_slice(values);
    for (row, of_row) in values.iter().enumerate() {
        let mut high = of_row.simd_gt(f32x8::splat(least)).to_bitmask();
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
    values: &mut [f32x8; 2 * ROWS],
    least: f32,
    mut visit: impl FnMut(f32, [f32; 3]),
) {
    let flat: &mut [f32] = bytemuck::cast_slice_mut(values);
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
    fn moved_up(&self, radius: f32, f: impl Fn(&[f32x8; 3]) -> f32x8) -> Self {
        let n = self.normal;
        let (u, v) = tangent_basis(&n);
        let (cos, sin) = (f32x8::new(COS), f32x8::new(SIN));
        // All on the ring have the same length, and the centre has length one.
        let shorten = 1.0 / (1.0 + radius * radius).sqrt() - 1.0;
        let to_unit = f32x8::new(ON_RING).mul_add(f32x8::splat(shorten), f32x8::splat(1.0));
        let around = [0, 1, 2].map(|i| {
            let [u, v] = [u[i], v[i]].map(|x| f32x8::splat(radius * x));
            to_unit * (f32x8::splat(n[i]) + u * cos + v * sin)
        });
        let f = f(&around);
        let values = f.as_array();
        let centre = values[RING];
        let per = 1.0 / RING as f32;
        let mean = |weights: [f32; LANES]| (f * f32x8::new(weights)).reduce_add() * per;
        let g = [COS, SIN].map(|weights| 2.0 * mean(weights) / radius);
        let square = radius * radius;
        let trace = 4.0 * (mean(ON_RING) - centre) / square;
        let [difference, xy] = [8.0 * mean(COS_TWICE) / square, 4.0 * mean(SIN_TWICE) / square];
        let [xx, yy] = [0.5 * (trace + difference), 0.5 * (trace - difference)];
        let determinant = xx * yy - xy * xy;

        let top = (1..RING).fold(0, |top, k| if values[k] > values[top] { k } else { top });
        let (mut value, mut step) = (values[top], [radius * COS[top], radius * SIN[top]]);
        if determinant > 0.0 && xx < 0.0 {
            let whole =
                [(xy * g[1] - yy * g[0]) / determinant, (xy * g[0] - xx * g[1]) / determinant];
            let length = (whole[0] * whole[0] + whole[1] * whole[1]).sqrt();
            let part = (LONGEST_STEP * radius / length.max(f32::MIN_POSITIVE)).min(1.0);
            let foretold = centre + (1.0 - 0.5 * part) * part * (g[0] * whole[0] + g[1] * whole[1]);
            if foretold >= value {
                (value, step) = (foretold, whole.map(|x| part * x));
            }
        } else if centre >= value {
            (value, step) = (centre, [0.0; 2]);
        }
        let moved = [0, 1, 2].map(|i| n[i] + step[0] * u[i] + step[1] * v[i]);
        let inverse = 1.0 / dot(&moved, &moved).sqrt();
        let gained = (value - centre).abs();
        Peak { value, normal: moved.map(|x| x * inverse), gained }
    }
}

/// f of a pair, in units of its size.
struct Landscape {
    /// For the grid.
    quick: [QuickBody; 2],
    /// For what is close to a peak.
    a: RoughBody,
    b: RoughBody,
    rotation_ab: [[f32x8; 3]; 3],
    offset: [f32x8; 3],
    /// Whether h(−n) = h(n) for both bodies, so that f is higher on the side of the offset.
    is_symmetric: bool,
    /// |n·d| up to which both sides are looked at all the same.
    equator: f32x8,
}

impl Landscape {
    /// About f at every place of the grid; that of the wrong side of symmetric bodies is as low as can be.
    fn on_grid(&self, grid: &DirectionGrid, quick: bool) -> [f32x8; 2 * ROWS] {
        let mut values = [f32x8::splat(f32::MIN); 2 * ROWS];
        for (row, n) in grid.axes.iter().enumerate() {
            let mut senses = self.both_senses(n, quick);
            if self.is_symmetric {
                let (along, low) = (self.along(n), f32x8::splat(f32::MIN));
                senses[0] = along.simd_ge(-self.equator).bitselect(senses[0], low);
                senses[1] = along.simd_lt(self.equator).bitselect(senses[1], low);
            }
            [values[row], values[row + ROWS]] = senses;
        }
        values
    }

    /// The axes of B, on three lanes and again on the others, and f along them and along their opposites.
    fn on_axes_of_b(&self, rotation_ab: &Mat3, quick: bool) -> ([f32x8; 3], [f32x8; 2]) {
        let axes = [0, 1, 2].map(|i| {
            let [x, y, z] = [0, 1, 2].map(|k| rotation_ab[(i, k)] as f32);
            f32x8::new([x, y, z, x, y, z, x, y])
        });
        (axes, self.both_senses(&axes, quick))
    }

    /// n·d.
    #[inline(always)]
    fn along(&self, n: &[f32x8; 3]) -> f32x8 {
        n[0] * self.offset[0] + n[1] * self.offset[1] + n[2] * self.offset[2]
    }

    #[inline(always)]
    fn turned_into_b(&self, n: &[f32x8; 3]) -> [f32x8; 3] {
        let r = &self.rotation_ab;
        [0, 1, 2].map(|k| r[0][k] * n[0] + r[1][k] * n[1] + r[2][k] * n[2])
    }

    /// About f along n and along −n: of bodies whose exponents permit it without powers.
    #[inline(always)]
    fn both_senses(&self, n: &[f32x8; 3], quick: bool) -> [f32x8; 2] {
        if quick {
            self.quick_senses(n)
        } else {
            self.sum(n, self.a.first_order(n), |m| self.b.first_order(m))
        }
    }

    #[inline(always)]
    fn quick_senses(&self, n: &[f32x8; 3]) -> [f32x8; 2] {
        self.sum(n, self.quick[0].support(n), |m| self.quick[1].support(m))
    }

    /// f along n and along −n, given support values and what the taper adds to them on the upper side.
    #[inline(always)]
    fn sum(
        &self,
        n: &[f32x8; 3],
        (value_a, added_a): (f32x8, f32x8),
        of_b: impl Fn(&[f32x8; 3]) -> (f32x8, f32x8),
    ) -> [f32x8; 2] {
        let in_b = self.turned_into_b(n);
        let (value_b, added_b) = of_b(&in_b);
        let signed = |added: f32x8, up: f32x8| added ^ (up & f32x8::splat(-0.0));
        // B is seen from the other side.
        let odd = self.along(n) - signed(added_a, n[2]) + signed(added_b, in_b[2]);
        let even = value_a + value_b;
        [odd - even, -odd - even]
    }

    /// f along n.
    #[inline(always)]
    fn at(&self, n: &[f32x8; 3]) -> f32x8 {
        let opposite = self.turned_into_b(n).map(|x| -x);
        self.along(n) - self.a.support(n) - self.b.support(&opposite)
    }
}

/// `math::tangent_basis` in single precision.
fn tangent_basis(n: &[f32; 3]) -> ([f32; 3], [f32; 3]) {
    let sign = 1f32.copysign(n[2]);
    let a = -1.0 / (sign + n[2]);
    let b = n[0] * n[1] * a;
    ([1.0 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]], [b, sign + n[1] * n[1] * a, -n[1]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Shape;
    use crate::math::Pose;
    use crate::query::core_shape::CoreShape;
    use crate::query::separation::SeparationFunction;
    use crate::query::superquadric_pair::{SuperquadricPair, parameters};

    /// How far below the highest of many directions the highest of the starts is, in multiples of the size.
    fn shortfall(a: &Shape, b: &Shape, pose_ab: &Pose) -> f64 {
        let [pa, pb] = [a, b].map(|shape| parameters(shape).unwrap());
        let rotation_ab = pose_ab.rotation.to_rotation_matrix().into_inner();
        let size = 2.0;
        let found = peaks([&pa, &pb], &rotation_ab, &pose_ab.translation.vector, size);
        let cores = [CoreShape::Surface(a), CoreShape::Surface(b)];
        let pair = SuperquadricPair::new(&cores[0], &cores[1], pose_ab).unwrap();
        let high = |all: &mut dyn Iterator<Item = Vec3>| {
            all.map(|n| pair.at(&n).value).fold(f64::NEG_INFINITY, f64::max)
        };
        let mut spiral = (0..20_000).map(|k| {
            let (z, turn) = (1.0 - f64::from(k) / 10_000.0, f64::from(k) * 2.399_963);
            let ring = (1.0 - z * z).sqrt();
            Vec3::new(ring * turn.cos(), ring * turn.sin(), z)
        });
        (high(&mut spiral) - high(&mut found.starts(&rotation_ab))) / size
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
    fn starts_leave_the_planes_of_symmetry() {
        let p = parameters(&Shape::superellipsoid([1.0, 2.0, 3.0], 0.5, 0.5).unwrap()).unwrap();
        let found = peaks([&p, &p], &Mat3::identity(), &Vec3::zeros(), 3.0);
        assert!(found.len > 0);
        assert!(found.starts(&Mat3::identity()).all(|n| n.amin() > 1e-3));
    }

    #[test]
    fn of_close_peaks_the_higher_is_kept_and_of_many_the_highest() {
        let mut peaks = Peaks::none();
        let mut add = |value: f32, angle: f32| {
            peaks.add(Peak { value, normal: [angle.cos(), angle.sin(), 0.0], gained: 0.0 });
        };
        add(1.0, 0.0);
        add(2.0, 0.05);
        add(0.5, 0.02);
        (1..10).for_each(|k| add(-(k as f32), 0.5 * k as f32));
        let values: Vec<f32> = peaks.all[..peaks.len].iter().map(|peak| peak.value).collect();
        assert_eq!(values, [2.0, -1.0, -2.0, -3.0, -4.0, -5.0, -6.0]);
    }
}
