//! f of two superquadrics in single precision, at many directions: a landscape over the sphere.

use crate::superquadric::direction_grid::{DirectionGrid, LANES, ROWS};
use crate::superquadric::support_f32::{ApproximateSupport, FirstOrder};
use crate::superquadric::tuning::survey::{APART, NEAR_EQUATOR};
use smooth_scene_geometry::math::{Mat3, Vec3};
use smooth_scene_geometry::simd::{F32x8, Lanes, Simd};
use smooth_scene_geometry::xyz;

/// About f at every place of the grid, a row for each eight places.
pub(super) type GridValues = [[f32; LANES]; 2 * ROWS];

#[inline(always)]
pub(super) fn load<S: Simd>(row: &[f32; LANES]) -> S::F32x8 {
    F32x8(*row).into()
}

#[inline(always)]
pub(super) fn array<S: Simd>(lanes: S::F32x8) -> [f32; LANES] {
    let stored: F32x8 = lanes.into();
    stored.0
}

/// Where B is, in units of the size of the pair.
pub(super) struct Landscape<S: Simd> {
    rotation_ab: [[S::F32x8; 3]; 3],
    offset: [S::F32x8; 3],
    /// Whether h(−n) = h(n) for both bodies, so that f is higher on the side of the offset.
    is_symmetric: bool,
    /// |n·d| up to which both sides are looked at all the same.
    equator: S::F32x8,
}

impl<S: Simd> Landscape<S> {
    /// `offset` is the origin of B in the frame of A.
    #[inline(always)]
    pub fn new(rotation_ab: &Mat3, offset: &Vec3, size: f64, is_symmetric: bool) -> Self {
        Self {
            rotation_ab: xyz!(|i| xyz!(|k| S::F32x8::splat(rotation_ab[(i, k)]))),
            offset: xyz!(|i| S::F32x8::splat(offset[i] / size)),
            is_symmetric,
            equator: S::F32x8::splat(NEAR_EQUATOR * offset.norm() / size),
        }
    }

    /// About f at every place of the grid, that of the wrong side of symmetric bodies as low as can be.
    #[inline(always)]
    pub fn on_grid(
        &self,
        bodies: &[impl FirstOrder<S::F32x8>; 2],
        grid: &DirectionGrid,
    ) -> GridValues {
        let mut values = [[f32::MIN; LANES]; 2 * ROWS];
        for (row, n) in grid.axes.iter().enumerate() {
            let n = xyz!(|i| n[i].into());
            let mut senses = self.both_senses(bodies, &n);
            if self.is_symmetric {
                let (along, low) = (self.along(&n), S::F32x8::splat(f32::MIN.into()));
                senses[0] = along.simd_ge(-self.equator).select(senses[0], low);
                senses[1] = along.simd_lt(self.equator).select(senses[1], low);
            }
            values[row] = array::<S>(senses[0]);
            values[row + ROWS] = array::<S>(senses[1]);
        }
        values
    }

    /// About f along some axes and their opposites.
    #[inline(always)]
    pub fn along_axes(
        &self,
        bodies: &[impl FirstOrder<S::F32x8>; 2],
        axes: &[F32x8; 3],
    ) -> [[f32; LANES]; 2] {
        let [up, down] = self.both_senses(bodies, &xyz!(|i| axes[i].into()));
        [array::<S>(up), array::<S>(down)]
    }

    /// n·d.
    #[inline(always)]
    fn along(&self, n: &[S::F32x8; 3]) -> S::F32x8 {
        n[0] * self.offset[0] + n[1] * self.offset[1] + n[2] * self.offset[2]
    }

    #[inline(always)]
    fn turned_into_b(&self, n: &[S::F32x8; 3]) -> [S::F32x8; 3] {
        let r = &self.rotation_ab;
        xyz!(|k| r[0][k] * n[0] + r[1][k] * n[1] + r[2][k] * n[2])
    }

    /// About f along n and along −n.
    #[inline(always)]
    pub fn both_senses(
        &self,
        [a, b]: &[impl FirstOrder<S::F32x8>; 2],
        n: &[S::F32x8; 3],
    ) -> [S::F32x8; 2] {
        let in_b = self.turned_into_b(n);
        let ((value_a, added_a), (value_b, added_b)) = (a.first_order(n), b.first_order(&in_b));
        let sign = S::F32x8::splat(-0.0);
        // B is seen from the other side.
        let odd = self.along(n) - (added_a ^ (n[2] & sign)) + (added_b ^ (in_b[2] & sign));
        let even = value_a + value_b;
        [odd - even, -odd - even]
    }

    /// f along n.
    #[inline(always)]
    pub fn at(&self, [a, b]: &[ApproximateSupport<S::F32x8>; 2], n: &[S::F32x8; 3]) -> S::F32x8 {
        let in_b = self.turned_into_b(n);
        let opposite = xyz!(|i| -in_b[i]);
        self.along(n) - a.support(n) - b.support(&opposite)
    }
}

/// The highest value.
#[inline(always)]
pub(super) fn highest_of<S: Simd>(rows: &[[f32; LANES]]) -> f32 {
    let mut high = S::F32x8::splat(f32::MIN.into());
    for row in rows {
        high = high.max(load::<S>(row));
    }
    array::<S>(high).into_iter().fold(f32::MIN, f32::max)
}

/// The highest directions of the grid, down to `least`, that are apart from each other; takes the values away. Spare ones are
/// the highest again.
#[inline(always)]
pub(super) fn highest_apart<S: Simd>(
    grid: &DirectionGrid,
    values: &mut GridValues,
    least: f32,
) -> [[f32; 3]; LANES] {
    let mut found = [[0.0; 3]; LANES];
    for k in 0..LANES {
        let highest = highest_of::<S>(values);
        let splat = S::F32x8::splat(highest.into());
        let place = values.iter().enumerate().find_map(|(row, of_row)| {
            let is_highest = load::<S>(of_row).simd_ge(splat).to_bitmask();
            (is_highest != 0).then(|| row * LANES + is_highest.trailing_zeros() as usize)
        });
        let Some(place) = place.filter(|_| highest > f32::MIN && highest >= least) else {
            found[k] = found[0];
            continue;
        };
        found[k] = grid.direction(place);
        take_away_around::<S>(grid, values, &found[k]);
    }
    found
}

/// Takes away the values at the directions that are not apart from this one.
#[inline(always)]
fn take_away_around<S: Simd>(grid: &DirectionGrid, values: &mut GridValues, normal: &[f32; 3]) {
    let n = xyz!(|i| S::F32x8::splat(normal[i].into()));
    let (apart, low) = (S::F32x8::splat(APART.into()), S::F32x8::splat(f32::MIN.into()));
    for (row, axes) in grid.axes.iter().enumerate() {
        let axes: [S::F32x8; 3] = xyz!(|i| axes[i].into());
        let cosine = axes[0] * n[0] + axes[1] * n[1] + axes[2] * n[2];
        let up = cosine.simd_lt(apart).select(load::<S>(&values[row]), low);
        let down = cosine.simd_gt(-apart).select(load::<S>(&values[row + ROWS]), low);
        values[row] = array::<S>(up);
        values[row + ROWS] = array::<S>(down);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::superquadric::direction_grid::{GRID, dot};
    use smooth_scene_geometry::simd::Portable;

    /// Three places of the grid that are apart, of both senses, one beside the first, and one that is too low.
    #[test]
    fn spare_places_are_the_highest_again() {
        let all = || 0..2 * ROWS * LANES;
        let is_apart = |from: &[usize], place: usize| {
            from.iter().all(|&p| dot(&GRID.direction(p), &GRID.direction(place)) < APART - 0.1)
        };
        let mut apart = vec![0];
        while apart.len() < 4 {
            // The last place first: opposites of the axes, too.
            apart.push(all().rev().find(|&place| is_apart(&apart, place)).unwrap());
        }
        let is_beside = |&place: &usize| {
            let cosine = dot(&GRID.direction(0), &GRID.direction(place));
            cosine > APART && cosine < 0.999
        };
        let beside = all().find(is_beside).unwrap();
        let mut values = [[f32::MIN; LANES]; 2 * ROWS];
        for (place, value) in
            [(apart[0], 0.9), (beside, 0.8), (apart[1], 0.7), (apart[2], 0.6), (apart[3], 0.1)]
        {
            values[place / LANES][place % LANES] = value;
        }
        let found = highest_apart::<Portable>(&GRID, &mut values, 0.5);
        let expected = [0, 1, 2, 0, 0, 0, 0, 0].map(|k: usize| GRID.direction(apart[k]));
        assert_eq!(found, expected);
    }
}
