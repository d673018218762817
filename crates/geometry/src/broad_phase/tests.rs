//! The tree against its brute-force twin, and the invariants of the tree after every change.

use super::tree_node::{Child, ChildKind, NO_PARENT, OuterBox, Place, fits_tree};
use super::*;
use crate::math::Vec3;
use proptest::prelude::*;
use smooth_scene_test_support::random::properties;
use std::collections::BTreeSet;

fn cube(center: [f64; 3], half: f64) -> Aabb {
    Aabb { min: Vec3::from(center).add_scalar(-half), max: Vec3::from(center).add_scalar(half) }
}

/// Checks everything the tree promises about itself.
fn check_invariants(tree: &AabbTree) {
    let mut seen = BTreeSet::new();
    let mut inner = 0;
    let mut open: Vec<(Child, u32)> = tree.root.map(|root| (root, NO_PARENT)).into_iter().collect();
    while let Some((child, parent)) = open.pop() {
        match child.kind() {
            ChildKind::Object(id) => {
                let root = parent == NO_PARENT;
                let place = if root { Place::Root } else { Place::Below(parent) };
                assert_eq!(tree.slots[id as usize].place, place);
                assert!(fits_tree(&tree.slots[id as usize].aabb) && seen.insert(id));
            }
            ChildKind::Inner(index) => {
                inner += 1;
                let node = &tree.nodes[index as usize];
                assert_eq!(node.parent, parent);
                let heights = node.children.map(|child| tree.height_of(child));
                assert!(heights[0].abs_diff(heights[1]) <= 1, "heights {heights:?}");
                assert_eq!(node.height, heights[0].max(heights[1]) + 1);
                for side in 0..2 {
                    let bounds = match node.children[side].kind() {
                        ChildKind::Object(id) => OuterBox::new(&tree.slots[id as usize].aabb),
                        ChildKind::Inner(below) => tree.nodes[below as usize].bounds(),
                    };
                    assert_eq!(node.boxes[side], bounds);
                    open.push((node.children[side], index));
                }
            }
        }
    }
    assert_eq!(inner, tree.nodes.len());
    for (position, &id) in tree.unbounded.iter().enumerate() {
        assert_eq!(tree.slots[id as usize].place, Place::Unbounded(position as u32));
        assert!(!fits_tree(&tree.slots[id as usize].aabb) && seen.insert(id));
    }
    let ids: BTreeSet<u32> = tree.iter().map(|(id, _)| id).collect();
    assert_eq!((seen.len(), &seen), (tree.len(), &ids));
}

fn near(set: &impl BroadPhase, aabb: &Aabb, limit: f64) -> Vec<(u32, f64)> {
    let mut found = Vec::new();
    set.for_each_near(aabb, limit, |id, distance| {
        found.push((id, distance));
        limit
    });
    found.sort_by_key(|&(id, _)| id);
    found
}

fn nearest(set: &impl BroadPhase, aabb: &Aabb, limit: f64, count: usize) -> Vec<(u32, f64)> {
    let mut found = Vec::new();
    set.for_each_nearest(aabb, limit, |id, distance| {
        found.push((id, distance));
        if found.len() == count { STOP } else { limit }
    });
    found
}

fn pairs<S: BroadPhase>(set: &S, other: Option<&S>, limit: f64) -> Vec<(u32, u32, f64)> {
    let mut found = Vec::new();
    let visit = |a, b, distance| {
        found.push((a, b, distance));
        limit
    };
    match other {
        Some(other) => set.for_each_pair_with(other, limit, visit),
        None => set.for_each_pair(limit, visit),
    }
    found.sort_by_key(|&(a, b, _)| (a, b));
    found
}

/// Distance of the nearest pair by branch and bound, and how many pairs were looked at.
fn nearest_pair(set: &impl BroadPhase) -> (f64, usize) {
    let (mut best, mut looked_at) = (f64::INFINITY, 0);
    set.for_each_pair(best, |_, _, distance| {
        looked_at += 1;
        best = best.min(distance);
        best
    });
    (best, looked_at)
}

fn check_searches(tree: &AabbTree, twin: &BruteForce, aabb: &Aabb, limit: f64) {
    assert_eq!(near(tree, aabb, limit), near(twin, aabb, limit));
    for count in [1, 3, usize::MAX] {
        assert_eq!(nearest(tree, aabb, limit, count), nearest(twin, aabb, limit, count));
    }
    assert_eq!(pairs(tree, None, limit), pairs(twin, None, limit));
    assert_eq!(nearest_pair(tree).0, nearest_pair(twin).0);
    let mut overlaps = BTreeSet::new();
    tree.for_each_overlap(aabb, |id| overlaps.insert(id));
    let expected: BTreeSet<u32> =
        tree.iter().filter(|(_, other)| aabb.overlaps(other)).map(|(id, _)| id).collect();
    assert_eq!(overlaps, expected);
}

#[derive(Debug, Clone)]
enum Change {
    Insert(u32, Aabb),
    Update(u32, Aabb),
    Remove(u32),
    UpdateMany(Vec<(u32, Aabb)>),
    Rebuild,
}

/// Boxes in a crowd with ties, at extreme sizes and places, without bounds, and some that are no boxes.
fn any_box() -> impl Strategy<Value = Aabb> {
    let crowd = (prop::array::uniform3(-3i32..4), 0i32..3)
        .prop_map(|(center, half)| cube(center.map(f64::from), 0.5 * f64::from(half)));
    let scale = || (-9.0..9.0).prop_map(|exponent: f64| 10f64.powf(exponent));
    let extreme = (prop::array::uniform3(-1.0..1.0), scale(), scale())
        .prop_map(|(direction, far, half)| cube(direction.map(|x: f64| x * far), half));
    let end = || prop_oneof![Just(f64::INFINITY), Just(1e300), -3.0..3.0];
    let unbounded = prop::array::uniform6(end()).prop_map(|e: [f64; 6]| Aabb {
        min: Vec3::new(-e[0], -e[1], -e[2]),
        max: Vec3::new(e[3], e[4], e[5]),
    });
    let not_a_number = (crowd.clone(), 0usize..3).prop_map(|(mut aabb, axis)| {
        aabb.max[axis] = f64::NAN;
        aabb
    });
    prop_oneof![8 => crowd, 6 => extreme, 2 => unbounded, 1 => not_a_number]
}

fn any_change() -> impl Strategy<Value = Change> {
    let id = || prop_oneof![40 => 0u32..40, 1 => Just(MAX_ID + 1), 1 => Just(u32::MAX)];
    prop_oneof![
        6 => (id(), any_box()).prop_map(|(id, aabb)| Change::Insert(id, aabb)),
        4 => (id(), any_box()).prop_map(|(id, aabb)| Change::Update(id, aabb)),
        3 => id().prop_map(Change::Remove),
        1 => prop::collection::vec((id(), any_box()), 0..12).prop_map(Change::UpdateMany),
        1 => Just(Change::Rebuild),
    ]
}

/// Applies a change to both; they must agree on whether it is refused and why.
fn apply(tree: &mut AabbTree, twin: &mut BruteForce, change: &Change) {
    match change {
        Change::Insert(id, aabb) => {
            assert_eq!(text(tree.insert(*id, aabb)), text(twin.insert(*id, aabb)));
        }
        Change::Update(id, aabb) => {
            assert_eq!(text(tree.update(*id, aabb)), text(twin.update(*id, aabb)));
        }
        Change::Remove(id) => assert_eq!(tree.remove(*id), twin.remove(*id)),
        Change::UpdateMany(moves) => {
            let mut changed = twin.clone();
            let expected = moves.iter().try_for_each(|(id, aabb)| changed.update(*id, aabb));
            assert_eq!(text(tree.update_many(moves)), text(expected.clone()));
            if expected.is_ok() {
                *twin = changed;
            }
        }
        Change::Rebuild => tree.rebuild(),
    }
}

/// As text, since a NaN in an error does not equal itself.
fn text(result: Result<(), BroadPhaseError>) -> Option<String> {
    result.err().map(|error| error.to_string())
}

fn some_box() -> impl Strategy<Value = Aabb> {
    any_box().prop_filter("a box", |aabb| check_box(0, aabb).is_ok())
}

fn some_limit() -> impl Strategy<Value = f64> {
    let scale = (-10.0..10.0).prop_map(|exponent: f64| 10f64.powf(exponent));
    prop_oneof![Just(0.0), Just(f64::INFINITY), Just(1.0), Just(-1.0), Just(f64::NAN), scale]
}

proptest! {
    #![proptest_config(properties(400, 1))]

    #[test]
    fn tree_and_twin_agree_after_any_changes(
        changes in prop::collection::vec(any_change(), 1..120),
        questions in prop::collection::vec((some_box(), some_limit()), 3),
    ) {
        let (mut tree, mut twin) = (AabbTree::new(), BruteForce::default());
        for (step, change) in changes.iter().enumerate() {
            apply(&mut tree, &mut twin, change);
            check_invariants(&tree);
            prop_assert_eq!(tree.len(), twin.len());
            if step % 16 == 0 {
                let (aabb, limit) = &questions[0];
                check_searches(&tree, &twin, aabb, *limit);
            }
        }
        for (aabb, limit) in &questions {
            check_searches(&tree, &twin, aabb, *limit);
        }
    }

    #[test]
    fn pairs_of_two_trees_agree_with_the_twin(
        first in prop::collection::vec(some_box(), 0..40),
        second in prop::collection::vec(some_box(), 0..40),
        limit in some_limit(),
    ) {
        let number = |boxes: &[Aabb]| (0..).zip(boxes.iter().copied()).collect::<Vec<_>>();
        let trees = [&first, &second].map(|boxes| AabbTree::from_boxes(number(boxes)).unwrap());
        let mut twins = [BruteForce::default(), BruteForce::default()];
        for (twin, boxes) in twins.iter_mut().zip([&first, &second]) {
            for (id, aabb) in number(boxes) {
                twin.insert(id, &aabb).unwrap();
            }
        }
        trees.iter().for_each(check_invariants);
        let [expected, found] = [
            pairs(&twins[0], Some(&twins[1]), limit),
            pairs(&trees[0], Some(&trees[1]), limit),
        ];
        prop_assert_eq!(found, expected);
    }
}

/// Height of an AVL tree of n leaves is at most 1.4405 log₂ n.
fn check_height(tree: &AabbTree) {
    let bound = 1.4405 * (tree.len().max(2) as f64).log2();
    assert!(tree.height() as f64 <= bound, "{} > {bound}", tree.height());
}

#[test]
fn a_hundred_thousand_equal_points_stay_balanced() {
    let point = cube([0.3, -0.2, 0.7], 0.0);
    let mut tree = AabbTree::new();
    for id in 0..100_000 {
        tree.insert(id, &point).unwrap();
    }
    check_invariants(&tree);
    check_height(&tree);
    assert_eq!(near(&tree, &point, 0.0).len(), 100_000);
    // An early end is early although every pair has distance zero.
    let mut first = None;
    tree.for_each_pair(1.0, |a, b, _| {
        assert_eq!(first, None);
        first = Some((a, b));
        STOP
    });
    assert!(first.is_some());
    for id in (0..100_000).filter(|id| id % 3 != 0) {
        tree.remove(id).unwrap();
    }
    check_invariants(&tree);
    tree.rebuild();
    check_invariants(&tree);
    check_height(&tree);
}

#[test]
fn sorted_and_growing_sequences_stay_balanced() {
    let line = |i: u32| cube([f64::from(i), 0.0, 0.0], 0.4);
    let nested = |i: u32| cube([0.0; 3], 1.001f64.powi(i as i32));
    let away = |i: u32| cube([1.002f64.powi(i as i32), 0.0, 0.0], 0.1);
    let shapes: [&dyn Fn(u32) -> Aabb; 3] = [&line, &nested, &away];
    for shape in shapes {
        let mut tree = AabbTree::new();
        for id in 0..10_000 {
            tree.insert(id, &shape(id)).unwrap();
            if id.is_power_of_two() {
                check_invariants(&tree);
            }
        }
        check_invariants(&tree);
        check_height(&tree);
        // From the front: the tree shrinks on one side only.
        for id in 0..9_990 {
            tree.remove(id).unwrap();
        }
        check_invariants(&tree);
    }
}

#[test]
fn memory_stays_small_while_growing() {
    let mut tree = AabbTree::new();
    for id in 0..20_000u32 {
        let at = |k: u32| f64::from(id.wrapping_mul(k) % 10_007);
        tree.insert(id, &cube([at(7919), at(104_729), at(31)], 0.5)).unwrap();
        if id > 1000 {
            assert!(tree.memory_bytes() <= 137 * tree.len());
        }
    }
    let copy = tree.clone();
    assert!(copy.memory_bytes() <= 121 * tree.len());
    let built = AabbTree::from_boxes(tree.iter().map(|(id, aabb)| (id, *aabb))).unwrap();
    assert!(built.memory_bytes() <= 121 * tree.len());
}

#[test]
fn a_copy_does_not_follow_the_original() {
    let mut tree =
        AabbTree::from_boxes((0..50).map(|i| (i, cube([f64::from(i); 3], 0.3)))).unwrap();
    let copy = tree.clone();
    for id in 0..50 {
        tree.update(id, &cube([-5.0; 3], 0.1)).unwrap();
    }
    check_invariants(&copy);
    assert_eq!(near(&copy, &cube([7.0; 3], 0.0), 0.0), [(7, 0.0)]);
    assert_eq!(near(&tree, &cube([7.0; 3], 0.0), 0.0), []);
}

#[test]
fn what_is_refused_says_why() {
    let mut tree = AabbTree::new();
    let unit = cube([0.0; 3], 1.0);
    tree.insert(5, &unit).unwrap();
    let swapped = Aabb { min: unit.max, max: unit.min };
    let at_infinity = Aabb { min: Vec3::repeat(f64::INFINITY), max: Vec3::repeat(f64::INFINITY) };
    let range = "must be min ≤ max, with min < ∞ and max > −∞";
    for (result, message) in [
        (tree.insert(5, &unit), "object id 5 is taken".into()),
        (tree.update(6, &unit), "no object has id 6".into()),
        (tree.remove(4).map(drop), "no object has id 4".into()),
        (
            tree.insert(1 << 24, &unit),
            "object id 16777216 is too large, must be at most 16777215".into(),
        ),
        (tree.insert(1, &swapped), format!("box of object 1: x from 1 to -1, {range}")),
        (tree.update(5, &at_infinity), format!("box of object 5: x from inf to inf, {range}")),
    ] {
        assert_eq!(result.unwrap_err().to_string(), message);
    }
    assert_eq!((tree.len(), tree.get(5)), (1, Some(&unit)));
    let twice = AabbTree::from_boxes([(1, unit), (1, unit)]);
    assert_eq!(twice.unwrap_err(), BroadPhaseError::DuplicateId { id: 1 });
}

/// The nearest pair of a grid of thousands is found by looking at few pairs.
#[test]
fn branch_and_bound_looks_at_few_pairs() {
    let tree = AabbTree::from_boxes((0..8000u32).map(|i| {
        let at = |k: u32| f64::from(i / k % 20) + 1e-3 * f64::from(i.wrapping_mul(k + 77) % 97);
        (i, cube([at(1), at(20), at(400)], 0.3))
    }))
    .unwrap();
    let (_, looked_at) = nearest_pair(&tree);
    assert!(looked_at < 400, "{looked_at}");
}
