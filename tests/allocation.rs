//! No allocation in a pair query: a counting allocator watches one.

#[path = "support/families.rs"]
mod families;

use families::{FAMILIES, PosedPair, Rng, family_pair};
use smooth_scene::query::{QueryOptions, WarmStart, collide, distance};
use smooth_scene::robot::{LinkPoses, LoadOptions, StateSampler, load_urdf};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

#[allow(unsafe_code)]
// SAFETY: every call is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations_of(pair: &PosedPair) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    for options in [QueryOptions::default(), QueryOptions::certified()] {
        let found = distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &options);
        std::hint::black_box(found);
        let warm = WarmStart::default();
        std::hint::black_box(collide(
            &pair.a,
            &pair.pose_a,
            &pair.b,
            &pair.pose_b,
            &options,
            &warm,
        ));
    }
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn pair_queries_do_not_allocate() {
    for family in FAMILIES {
        let mut rng = Rng::new(3);
        for k in 0..20 {
            let pair = family_pair(family, &mut rng);
            assert_eq!(allocations_of(&pair), 0, "{family} {k}: {pair:?}");
        }
    }
}

#[test]
fn forward_kinematics_into_reused_poses_does_not_allocate() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/urdf/icub_arms_hands_mixed_coupled.urdf");
    let model = load_urdf(path, &LoadOptions::default()).unwrap().model;
    let mut sampler = StateSampler::new(&model, 3);
    let (mut poses, mut positions) = (LinkPoses::new(), Vec::new());
    sampler.draw_into(&mut positions);
    poses.update(&model, &positions).unwrap();
    let before = ALLOCATIONS.with(Cell::get);
    for _ in 0..10 {
        sampler.draw_into(&mut positions);
        poses.update(&model, &positions).unwrap();
    }
    assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
}
