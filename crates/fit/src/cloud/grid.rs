//! Points in cells of a grid: thinning, and groups of points that are near each other.

use std::collections::HashMap;

use smooth_scene_geometry::math::Vec3;

/// The cell of a point. Coordinates up to 1e6 m and cells from 1e-6 m on fit.
fn cell(point: &Vec3, size: f64) -> [i64; 3] {
    let index = |x: f64| (x / size).floor() as i64;
    [index(point.x), index(point.y), index(point.z)]
}

/// The mean of the points of every cell, in the order in which cells first appear.
pub(super) fn thinned(points: &[Vec3], size: f64) -> Vec<Vec3> {
    let mut slots: HashMap<[i64; 3], usize> = HashMap::new();
    let mut sums: Vec<(Vec3, f64)> = Vec::new();
    for point in points {
        let next = sums.len();
        let slot = *slots.entry(cell(point, size)).or_insert(next);
        if slot == next {
            sums.push((Vec3::zeros(), 0.0));
        }
        sums[slot].0 += point;
        sums[slot].1 += 1.0;
    }
    sums.into_iter().map(|(sum, count)| sum / count).collect()
}

/// Groups of points connected by steps of at most `reach`: the numbers of their points in rising order, the largest group
/// first, of equal ones that with the first point.
pub(super) fn clusters(points: &[Vec3], reach: f64) -> Vec<Vec<usize>> {
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    for (index, point) in points.iter().enumerate() {
        cells.entry(cell(point, reach)).or_default().push(index);
    }
    let mut seen = vec![false; points.len()];
    let mut groups = Vec::new();
    for first in 0..points.len() {
        if seen[first] {
            continue;
        }
        seen[first] = true;
        let mut group = vec![first];
        let mut next = 0;
        while next < group.len() {
            let point = points[group[next]];
            next += 1;
            let [x, y, z] = cell(&point, reach);
            for k in 0..27 {
                let neighbour = [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1];
                // What is taken leaves the cell, so that dense cells are not searched again and again.
                if let Some(left) = cells.get_mut(&neighbour) {
                    left.retain(|other| {
                        let is_near = (points[*other] - point).norm_squared() <= reach * reach;
                        if is_near && !seen[*other] {
                            seen[*other] = true;
                            group.push(*other);
                        }
                        !is_near
                    });
                }
            }
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn clusters_are_those_of_all_pairs() {
        let mut random = Random::new(11);
        let mut point = || Vec3::new(random.uniform(), random.uniform(), random.uniform());
        let points: Vec<Vec3> = (0..400).map(|_| point()).collect();
        let reach = 0.09;
        // Slow: labels spread over all pairs until nothing changes.
        let mut label: Vec<usize> = (0..points.len()).collect();
        loop {
            let before = label.clone();
            for a in 0..points.len() {
                for b in 0..points.len() {
                    if (points[a] - points[b]).norm() <= reach {
                        label[a] = label[a].min(label[b]);
                    }
                }
            }
            if label == before {
                break;
            }
        }
        let groups = clusters(&points, reach);
        assert!(groups.len() > 3 && groups[0].len() > 3, "{}", groups.len());
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), points.len());
        for group in &groups {
            assert!(group.iter().all(|k| label[*k] == group[0]));
        }
        assert!(groups.windows(2).all(|pair| pair[0].len() >= pair[1].len()));
    }

    #[test]
    fn thinning_keeps_one_point_a_cell() {
        let points = [[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.3, 0.0, 0.0]].map(Vec3::from);
        let thin = thinned(&points, 1.0);
        assert_eq!(thin.len(), 2);
        assert!((thin[0].x - 0.2).abs() < 1e-15);
    }
}
