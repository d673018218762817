//! On which side of a surface the nodes of a grid are.

/// Room for the rounding of distances.
const ROUNDING: f64 = 1e-9;

/// Whether each node of a grid is inside, x fastest. A node knows only how far it is from the surface; `is_inside` tells the side of one
/// node and is asked as seldom as possible.
///
/// The ball around a node with its distance as radius holds no part of the surface. Where the balls of two nodes overlap,
/// no surface is between them, and both are on the same side:
///
/// ```text
/// d(p) + d(q) > |p − q|
/// ```
pub(super) fn insides(
    distances: &[f64],
    counts: [usize; 3],
    spacing: f64,
    is_inside: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut sides: Vec<Option<bool>> = vec![None; distances.len()];
    let mut open = Vec::new();
    for start in 0..distances.len() {
        if sides[start].is_some() {
            continue;
        }
        let side = is_inside(start);
        sides[start] = Some(side);
        open.push(start);
        while let Some(node) = open.pop() {
            for_each_neighbour(node, counts, |next, steps| {
                let way = spacing * f64::from(steps).sqrt() * (1.0 + ROUNDING);
                if sides[next].is_none() && distances[node] + distances[next] > way {
                    sides[next] = Some(side);
                    open.push(next);
                }
            });
        }
    }
    sides.into_iter().map(|side| side.expect("every node was started from or reached")).collect()
}

/// The nodes one step away along one, two or three axes, and along how many.
fn for_each_neighbour(node: usize, [nx, ny, nz]: [usize; 3], mut visit: impl FnMut(usize, u32)) {
    let at = [node % nx, node / nx % ny, node / (nx * ny)];
    let around = |k: usize, count: usize| {
        let [least, most] = [at[k].saturating_sub(1), (at[k] + 1).min(count - 1)];
        least..=most
    };
    for z in around(2, nz) {
        for y in around(1, ny) {
            for x in around(0, nx) {
                let steps = [x != at[0], y != at[1], z != at[2]].map(u32::from).iter().sum();
                if steps > 0 {
                    visit(x + nx * (y + ny * z), steps);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Nodes around a shell between two balls: three regions, of which two are outside.
    #[test]
    fn every_side_is_right_and_few_nodes_are_asked() {
        const COUNT: usize = 41;
        let spacing = 0.1;
        let radius = |node: usize| {
            let at = [node % COUNT, node / COUNT % COUNT, node / (COUNT * COUNT)];
            at.map(|k| (k as f64 * spacing - 2.0).powi(2)).iter().sum::<f64>().sqrt()
        };
        // Positive within the shell.
        let within = |node: usize| (radius(node) - 0.8).min(1.6 - radius(node));
        let distances: Vec<f64> = (0..COUNT.pow(3)).map(|node| within(node).abs()).collect();
        let asked = Cell::new(0);
        let found = insides(&distances, [COUNT; 3], spacing, |node| {
            asked.set(asked.get() + 1);
            within(node) > 0.0
        });
        for (node, side) in found.iter().enumerate() {
            assert_eq!(*side, within(node) > 0.0, "node {node}");
        }
        assert!((3..500).contains(&asked.get()), "{} of {} asked", asked.get(), found.len());
    }
}
