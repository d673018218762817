//! The convex hull of wrenches in six dimensions, by quickhull [Barber 1996].
//!
//! The edges of one friction cone lie in a plane, so many facets of the exact hull have more than six corners. The points are
//! therefore moved by up to [`JOGGLE`] of the largest one, at random but always the same way, which moves the hull by no more than
//! that. Afterwards every point is checked against every facet.

use std::collections::HashMap;

use nalgebra::{Matrix6, Vector6};

/// How far points are moved, relative to the largest.
pub(crate) const JOGGLE: f64 = 1e-8;
/// Distance from a facet, relative to the largest point, from which a point is outside it.
const OUTSIDE: f64 = 1e-13;
/// Distance by which a point may lie outside the finished hull, relative to the largest.
const CONTAINED: f64 = 1e-9;
/// Facets of one hull, at most.
const MAX_FACETS: usize = 2_000_000;

const D: usize = 6;

/// A facet of the hull: n·x ≤ offset.
#[derive(Debug, Clone)]
pub(crate) struct Facet {
    pub normal: Vector6<f64>,
    pub offset: f64,
    corners: [u32; D],
    /// Across from each corner.
    neighbours: [u32; D],
    outside: Vec<u32>,
    is_alive: bool,
}

impl Facet {
    /// The points it is spanned by.
    pub(crate) fn corners(&self) -> &[u32] {
        &self.corners
    }
}

/// The hull of moved points.
pub(crate) struct Hull {
    facets: Vec<Facet>,
    points: Vec<Vector6<f64>>,
    inside: Vector6<f64>,
    /// Largest distance by which a point was moved.
    pub moved: f64,
}

impl Hull {
    /// The hull; `None` when the points span no volume, or rounding defeats it.
    pub(crate) fn new(points: &[Vector6<f64>]) -> Option<Hull> {
        let scale = points.iter().map(|p| p.norm()).fold(0f64, f64::max);
        if points.len() <= D || scale <= 0.0 {
            return None;
        }
        // A second sequence where the first one happens to fail.
        (1..=3u64).find_map(|seed| {
            let mut noise = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let moved: Vec<Vector6<f64>> = points
                .iter()
                .map(|point| {
                    point.map(|x| {
                        noise = noise
                            .wrapping_mul(6364136223846793005)
                            .wrapping_add(1442695040888963407);
                        let unit = (noise >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
                        x + JOGGLE * scale / (D as f64).sqrt() * unit
                    })
                })
                .collect();
            let hull = Hull::of_moved(moved, scale)?;
            let holds = |point: &Vector6<f64>| {
                hull.facets()
                    .all(|facet| facet.normal.dot(point) - facet.offset <= CONTAINED * scale)
            };
            hull.points.iter().all(holds).then_some(hull)
        })
    }

    /// The facets.
    pub(crate) fn facets(&self) -> impl Iterator<Item = &Facet> {
        self.facets.iter().filter(|facet| facet.is_alive)
    }

    /// The volume: simplices of each facet with a point inside.
    pub(crate) fn volume(&self) -> f64 {
        self.facets().map(|facet| self.simplex_volume(facet)).sum()
    }

    /// The derivative of the volume with respect to each point: Σ over the facets at it of area/6 times the normal, with area/6 the volume
    /// of the facet's simplex over its height.
    pub(crate) fn volume_covectors(&self) -> Vec<Vector6<f64>> {
        let mut covectors = vec![Vector6::zeros(); self.points.len()];
        for facet in self.facets() {
            let height = facet.offset - facet.normal.dot(&self.inside);
            let share = facet.normal * (self.simplex_volume(facet) / height);
            facet.corners.iter().for_each(|corner| covectors[*corner as usize] += share);
        }
        covectors
    }

    /// The volume of the simplex between a facet and the point inside.
    fn simplex_volume(&self, facet: &Facet) -> f64 {
        let factorial = 720.0;
        let columns = facet.corners.map(|k| self.points[k as usize] - self.inside);
        Matrix6::from_columns(&columns).determinant().abs() / factorial
    }

    fn of_moved(points: Vec<Vector6<f64>>, scale: f64) -> Option<Hull> {
        let first = first_simplex(&points)?;
        let inside =
            first.iter().map(|k| points[*k as usize]).sum::<Vector6<f64>>() / (D + 1) as f64;
        let mut hull = Hull { facets: Vec::new(), points, inside, moved: JOGGLE * scale };
        for left_out in 0..=D {
            let mut corners = [0; D];
            let others = (0..=D).filter(|k| *k != left_out);
            others.zip(&mut corners).for_each(|(k, corner)| *corner = first[k]);
            // The facet across from a corner is the one that leaves it out; facets stand in the order of what they leave out.
            let mut neighbours = [0; D];
            let others = (0..=D).filter(|k| *k != left_out);
            others.zip(&mut neighbours).for_each(|(k, n)| *n = k as u32);
            let facet = hull.facet(corners, neighbours)?;
            hull.facets.push(facet);
        }
        let rest: Vec<u32> = (0..hull.points.len() as u32).filter(|k| !first.contains(k)).collect();
        hull.assign(&rest, 0, scale);
        let mut next = 0;
        while next < hull.facets.len() {
            if !hull.facets[next].is_alive || hull.facets[next].outside.is_empty() {
                next += 1;
                continue;
            }
            hull.grow(next, scale)?;
            // Facets before this one have no points outside: points move to new facets only.
            if hull.facets.len() > MAX_FACETS {
                return None;
            }
        }
        Some(hull)
    }

    fn height(&self, facet: &Facet, point: u32) -> f64 {
        facet.normal.dot(&self.points[point as usize]) - facet.offset
    }

    /// Gives each point to the first facet, from `from` on, that it is outside of.
    fn assign(&mut self, points: &[u32], from: usize, scale: f64) {
        for &point in points {
            let found = (from..self.facets.len()).find(|k| {
                self.facets[*k].is_alive && self.height(&self.facets[*k], point) > OUTSIDE * scale
            });
            if let Some(place) = found {
                self.facets[place].outside.push(point);
            }
        }
    }

    /// Adds the farthest point outside a facet.
    fn grow(&mut self, start: usize, scale: f64) -> Option<()> {
        let facet = &self.facets[start];
        let heights = facet.outside.iter().map(|k| (self.height(facet, *k), *k));
        let (_, apex) = heights.max_by(|a, b| a.0.total_cmp(&b.0)).expect("a point is outside");
        // 1. All facets that see the point, and the ridges around them.
        let mut seen = vec![start as u32];
        self.facets[start].is_alive = false;
        let mut horizon: Vec<(u32, usize)> = Vec::new();
        let mut place = 0;
        while place < seen.len() {
            let neighbours = self.facets[seen[place] as usize].neighbours;
            for (across, &other) in neighbours.iter().enumerate() {
                let next = &self.facets[other as usize];
                if !next.is_alive {
                    continue;
                }
                if self.height(next, apex) > OUTSIDE * scale {
                    self.facets[other as usize].is_alive = false;
                    // Ridges towards it that were taken for the horizon are inside now.
                    seen.push(other);
                } else {
                    horizon.push((seen[place], across));
                }
            }
            place += 1;
        }
        horizon.retain(|(facet, across)| {
            let other = self.facets[*facet as usize].neighbours[*across];
            self.facets[other as usize].is_alive
        });
        // 2. A new facet on each ridge; neighbours share the ridge but for one corner.
        let from = self.facets.len();
        let mut open: HashMap<[u32; D - 1], (u32, usize)> = HashMap::new();
        for (old, across) in horizon {
            let Facet { corners, neighbours, .. } = &self.facets[old as usize];
            let beyond = neighbours[across];
            let mut corners = *corners;
            corners[across] = apex;
            let number = self.facets.len() as u32;
            let mut own = [u32::MAX; D];
            own[across] = beyond;
            let mut facet = self.facet(corners, own)?;
            let back = self.facets[beyond as usize].neighbours.iter().position(|n| *n == old)?;
            self.facets[beyond as usize].neighbours[back] = number;
            for k in (0..D).filter(|k| *k != across) {
                let mut ridge = [0; D - 1];
                let others = corners.iter().enumerate().filter(|(l, _)| *l != k);
                others.zip(&mut ridge).for_each(|((_, corner), slot)| *slot = *corner);
                ridge.sort_unstable();
                match open.remove(&ridge) {
                    Some((other, side)) => {
                        facet.neighbours[k] = other;
                        self.facets[other as usize].neighbours[side] = number;
                    }
                    None => {
                        open.insert(ridge, (number, k));
                    }
                }
            }
            self.facets.push(facet);
        }
        if !open.is_empty() {
            return None;
        }
        // 3. Points that were outside the facets that are gone.
        for old in seen {
            let points = std::mem::take(&mut self.facets[old as usize].outside);
            let points: Vec<u32> = points.into_iter().filter(|k| *k != apex).collect();
            self.assign(&points, from, scale);
        }
        Some(())
    }

    /// The plane through six points, with the inside below it.
    fn facet(&self, corners: [u32; D], neighbours: [u32; D]) -> Option<Facet> {
        let points = corners.map(|k| self.points[k as usize]);
        let normal = normal_of(&points)?;
        let offset = points.iter().map(|p| normal.dot(p)).sum::<f64>() / D as f64;
        let is_below = normal.dot(&self.inside) < offset;
        let sign = if is_below { 1.0 } else { -1.0 };
        let (normal, offset) = (normal * sign, offset * sign);
        Some(Facet { normal, offset, corners, neighbours, outside: Vec::new(), is_alive: true })
    }
}

/// The unit normal of the plane through six points: Gaussian elimination with full pivoting on their differences.
fn normal_of(points: &[Vector6<f64>; D]) -> Option<Vector6<f64>> {
    let mut rows: Vec<Vector6<f64>> = points[1..].iter().map(|p| p - points[0]).collect();
    let mut columns = [0, 1, 2, 3, 4, 5];
    for k in 0..D - 1 {
        let (mut best, mut at) = (0f64, (k, k));
        for (row, values) in rows.iter().enumerate().skip(k) {
            for (column, &place) in columns.iter().enumerate().skip(k) {
                if values[place].abs() > best {
                    (best, at) = (values[place].abs(), (row, column));
                }
            }
        }
        if best <= 0.0 {
            return None;
        }
        rows.swap(k, at.0);
        columns.swap(k, at.1);
        for row in k + 1..D - 1 {
            let factor = rows[row][columns[k]] / rows[k][columns[k]];
            let pivot = rows[k];
            rows[row] -= pivot * factor;
        }
    }
    let mut normal = Vector6::zeros();
    normal[columns[D - 1]] = 1.0;
    for k in (0..D - 1).rev() {
        let known: f64 = columns[k + 1..].iter().map(|&c| rows[k][c] * normal[c]).sum();
        normal[columns[k]] = -known / rows[k][columns[k]];
    }
    Some(normal.normalize())
}

/// Seven points that span a simplex, each the farthest from the space of those before.
fn first_simplex(points: &[Vector6<f64>]) -> Option<[u32; D + 1]> {
    let mut chosen = [0u32; D + 1];
    let mut basis: Vec<Vector6<f64>> = Vec::new();
    let origin = points[0];
    let scale = points.iter().map(|p| (p - origin).norm()).fold(0f64, f64::max);
    for slot in chosen.iter_mut().skip(1) {
        let rest = |point: &Vector6<f64>| {
            basis.iter().fold(point - origin, |left, axis| left - axis * axis.dot(&left))
        };
        let lengths = points.iter().enumerate().map(|(k, point)| (rest(point).norm(), k));
        let (length, place) = lengths.max_by(|a, b| a.0.total_cmp(&b.0))?;
        // Points that are flat but for the joggle have no volume.
        if length <= 10.0 * JOGGLE * scale {
            return None;
        }
        let axis = rest(&points[place]) / length;
        basis.push(axis);
        *slot = place as u32;
    }
    Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_and_cross_polytopes_have_the_volume_of_the_books() {
        let cube: Vec<Vector6<f64>> = (0..64u32)
            .map(|k| Vector6::from_fn(|row, _| if k >> row & 1 == 0 { -1.0 } else { 1.0 }))
            .collect();
        let hull = Hull::new(&cube).unwrap();
        assert!((hull.volume() - 64.0).abs() < 1e-5, "{}", hull.volume());
        let nearest = hull.facets().map(|facet| facet.offset).fold(f64::INFINITY, f64::min);
        assert!((nearest - 1.0).abs() < 1e-6, "{nearest}");

        let cross: Vec<Vector6<f64>> = (0..12)
            .map(|k| {
                Vector6::from_fn(
                    |row, _| if row == k / 2 { 1.0 - 2.0 * (k % 2) as f64 } else { 0.0 },
                )
            })
            .collect();
        let hull = Hull::new(&cross).unwrap();
        assert_eq!(hull.facets().count(), 64);
        assert!((hull.volume() - 64.0 / 720.0).abs() < 1e-7);
        let nearest = hull.facets().map(|facet| facet.offset).fold(f64::INFINITY, f64::min);
        assert!((nearest - (1.0f64 / 6.0).sqrt()).abs() < 1e-7, "{nearest}");
    }

    #[test]
    fn flat_points_have_no_hull() {
        let flat: Vec<Vector6<f64>> =
            (0..32u32).map(|k| Vector6::from_fn(|row, _| f64::from(k >> row & 1))).collect();
        assert!(Hull::new(&flat).is_none());
        assert!(Hull::new(&flat[..3]).is_none());
    }
}
