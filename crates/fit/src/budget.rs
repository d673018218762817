//! How a number of surfaces is shared out.

use crate::levels::Level;
use crate::link_fit::Group;
use crate::measure::Outward;

/// Which model every group gets: the least sum of outward distance times area within the budget, by dynamic programming over
/// the groups; `None` for those that keep their hull. Below the tolerance nothing is gained; of equal sums the one with fewer
/// surfaces wins.
pub(crate) fn allocate(
    groups: &[Group],
    weights: &[f64],
    budget: Option<usize>,
    tolerance: Option<f64>,
) -> Vec<Option<usize>> {
    let least = tolerance.unwrap_or(0.0);
    let cost = |weight: f64, level: &Level| {
        let Outward { area, mean, .. } = level.outward;
        weight * area * mean.max(least)
    };
    let most: usize =
        groups.iter().map(|group| group.links.len() * group.levels.len()).sum::<usize>();
    let budget = budget.unwrap_or(most).min(most);
    // best[n]: the least cost of the groups so far with at most n surfaces, and their levels.
    let mut best: Vec<Option<(f64, Vec<usize>)>> = vec![Some((0.0, Vec::new())); budget + 1];
    for (group, &weight) in groups.iter().zip(weights).filter(|(group, _)| group.hull.is_none()) {
        let mut next: Vec<Option<(f64, Vec<usize>)>> = vec![None; budget + 1];
        for (n, slot) in next.iter_mut().enumerate() {
            for (index, level) in group.levels.iter().enumerate() {
                let used = level.len() * group.links.len();
                let Some(Some((before, levels))) = n.checked_sub(used).map(|rest| &best[rest])
                else {
                    continue;
                };
                let total = before + cost(weight, level);
                if slot.as_ref().is_none_or(|(least, _)| total < *least) {
                    let mut levels = levels.clone();
                    levels.push(index);
                    *slot = Some((total, levels));
                }
            }
        }
        best = next;
    }
    let (_, levels) = best[budget].take().expect("one surface for each link is within the budget");
    let mut levels = levels.into_iter();
    let level = |group: &Group| match group.hull {
        Some(_) => None,
        None => Some(levels.next().expect("every group with models has got one")),
    };
    groups.iter().map(level).collect()
}
