//! No allocation in pair queries, nor in questions to a scene with buffers that have been used, and little in an edit of
//! a large world with snapshots: a counting allocator watches.

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::Pose;
use smooth_scene_query::{PairQuery, QueryOptions, distance};
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{LinkPoses, LoadOptions, StateSampler, load_trajectory, load_urdf};
use smooth_scene_scene::{
    CheckRequest, NearestRequest, PairLevel, PlanningScene, SceneChange, SceneObject, SceneStore,
    Workspace, WorldChange,
};
use smooth_scene_test_support::families::{FAMILIES, PosedPair, Rng, family_pair};
use smooth_scene_test_support::repository_file;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::error::Error;
use std::sync::Arc;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

#[allow(unsafe_code)]
// SAFETY: every call is passed on to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        BYTES.with(|bytes| bytes.set(bytes.get() + layout.size()));
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
        let query = PairQuery::new(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
        std::hint::black_box(query.options(&options).collides());
    }
    ALLOCATIONS.with(Cell::get) - before
}

/// A thread keeps the memory of its first certified depth for all later ones; nothing else allocates, ever.
#[test]
fn pair_queries_do_not_allocate() {
    let (cylinder, here) = (Shape::cylinder(0.4, 1.0).unwrap(), Pose::identity());
    distance(&cylinder, &here, &cylinder, &here, &QueryOptions::certified());
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
    let path = repository_file("urdf/icub_arms_hands_mixed_coupled.urdf");
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

/// The two hands with some objects between them.
fn scene_of_hands() -> PlanningScene {
    let folder = repository_file("urdf");
    let urdf = folder.join("icub_hands_mixed.urdf");
    let model = Arc::new(load_urdf(urdf, &LoadOptions::default()).unwrap().model);
    let srdf = Srdf::load(folder.join("icub_hands.srdf")).unwrap();
    let semantics = srdf.resolve(&model).unwrap().0;
    let mut scene = PlanningScene::new(model, Some(semantics)).unwrap();
    for k in 0..20 {
        let pose = Pose::translation(0.05 * f64::from(k) - 0.5, 0.03 * f64::from(k % 5), 0.3);
        let shape = Shape::cuboid([0.01, 0.02, 0.015]).unwrap();
        let object = SceneObject::simple(&format!("box_{k}"), pose, shape).unwrap();
        scene.apply(WorldChange::Add(object)).unwrap();
    }
    scene
}

/// The second time the same states are asked about, every buffer is as large as it has to be.
#[test]
fn questions_to_a_scene_do_not_allocate_once_the_buffers_are_there() {
    let scene = scene_of_hands();
    let path = repository_file("config/two_hand_grasp.yaml");
    let movement = load_trajectory(path, scene.model()).unwrap().sampled(scene.model(), 40);
    let states: Vec<Vec<f64>> =
        movement.unwrap().iter().map(|state| state.positions().to_vec()).collect();
    let check = CheckRequest::default();
    let near = NearestRequest { max_distance: 0.05, ..NearestRequest::default() };
    let few = NearestRequest { max_results: 5, ..NearestRequest::default() };
    let mut out = Vec::new();
    for fresh in [Workspace::cold, Workspace::warm] {
        let mut ws = fresh();
        let mut counts = [0; 4];
        for round in 0..2 {
            counts = [0; 4];
            let mut found = 0;
            for q in &states {
                let marks = |counts: &mut [u64; 4], place: usize, before: u64| {
                    counts[place] += ALLOCATIONS.with(Cell::get) - before;
                };
                let before = ALLOCATIONS.with(Cell::get);
                found += usize::from(scene.in_collision(q, &check, &mut ws).unwrap());
                marks(&mut counts, 0, before);
                let before = ALLOCATIONS.with(Cell::get);
                scene.contacts(q, &check, PairLevel::Bodies, &mut ws, &mut out).unwrap();
                marks(&mut counts, 1, before);
                let before = ALLOCATIONS.with(Cell::get);
                scene.nearest(q, &near, &mut ws, &mut out).unwrap();
                marks(&mut counts, 2, before);
                let before = ALLOCATIONS.with(Cell::get);
                scene.nearest(q, &few, &mut ws, &mut out).unwrap();
                marks(&mut counts, 3, before);
            }
            assert!(found > 0 && found < states.len(), "{round}: {found}");
        }
        assert_eq!(counts, [0; 4], "in_collision, contacts, nearest by distance, by number");
    }
}

/// A world of 20 000 objects takes seven megabytes. An edit while somebody holds a snapshot copies what it touches, and
/// once in some hundred edits the tree of boxes.
#[test]
fn an_edit_of_a_large_world_with_snapshots_copies_little() {
    let shape = Shape::cuboid([0.01, 0.02, 0.015]).unwrap();
    let at = |k: usize| Pose::translation(0.1 * (k % 141) as f64, 0.1 * (k / 141) as f64, 9.0);
    let mut scene = scene_of_hands();
    let objects = (0..20_000).map(|k| {
        let object = SceneObject::simple(&format!("object_{k}"), at(k), shape.clone()).unwrap();
        WorldChange::Add(object)
    });
    scene.apply(SceneChange::several(objects)).unwrap();
    let store = SceneStore::default();
    let mut snapshot = store.replace_robot(scene);
    const EDITS: usize = 2000;
    let before = BYTES.with(Cell::get);
    for k in 0..EDITS {
        let name = format!("object_{}", 7 * k);
        let change = match k % 3 {
            0 => WorldChange::Move { name, pose: at(k + 1) },
            1 => WorldChange::Remove { name },
            _ => {
                let name = format!("new_{k}");
                WorldChange::Add(SceneObject::simple(&name, at(k), shape.clone()).unwrap())
            }
        };
        let changed = store.change(|scene| scene.apply(change).map_err(Box::<dyn Error>::from));
        let (_, next) = changed.unwrap();
        // As the node does: whoever answers a question holds the snapshot of before.
        assert_eq!(snapshot.revision + 1, next.revision);
        snapshot = next;
    }
    let bytes = (BYTES.with(Cell::get) - before) / EDITS;
    println!("{bytes} bytes an edit, world {}", snapshot.scene.world().memory_bytes());
    assert!(bytes < 100_000, "{bytes}");
}
