//! A cloth over the two hands of the iCub, which stand and then move as in the thesis, against the exact point query.

use smooth_scene_dynamics::{Cloth, ClothBody, ClothOptions, ClothSheet, cloth_bodies};
use smooth_scene_geometry::Aabb;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_query::{QueryOptions, point_distance};
use smooth_scene_scene::PlanningScene;
use smooth_scene_test_support::movement::{bundled, two_hand_grasp};

const FRAME: f64 = 1.0 / 60.0;
/// Frames in which it falls on the hands.
const FALL: usize = 40;
/// Frames in which they move. From the hundredth on they go through each other.
const MOVE: usize = 360;
const THICKNESS: f64 = 0.001;

/// The least distance of a vertex from a surface, by a query that shares no plane with the cloth, and how many vertices are inside one.
///
/// None may be, unless another body is so near that the gap between both is less than the cloth needs.
fn nearest(cloth: &Cloth, bodies: &[ClothBody], frame: usize) -> (f64, usize) {
    let options = QueryOptions::default();
    let bounds: Vec<Aabb> =
        bodies.iter().map(|body| body.shape.aabb(&body.pose).inflated(2.0 * THICKNESS)).collect();
    let (mut least, mut inside) = (f64::INFINITY, 0);
    for (vertex, point) in cloth.positions().enumerate() {
        let distance = |body: &ClothBody| point_distance(&body.shape, &body.pose, &point, &options);
        let near = bodies.iter().zip(&bounds).filter(|(_, bounds)| bounds.contains(&point));
        let found: Vec<_> = near.map(|(body, _)| (body, distance(body))).collect();
        for (a, at_a) in found.iter().filter(|(_, at)| at.lower <= 0.0) {
            // They may be farther away than the boxes reach where the vertex is deep inside.
            let closes = |b: &ClothBody| at_a.lower + distance(b).lower < 2.0 * THICKNESS;
            assert!(
                bodies.iter().any(|b| !std::ptr::eq(*a, b) && closes(b)),
                "frame {frame}: vertex {vertex} is inside `{}` by {} m",
                a.name,
                -at_a.lower
            );
            inside += 1;
        }
        least = found.iter().fold(least, |least, (_, at)| least.min(at.lower));
    }
    (least, inside)
}

#[test]
fn no_vertex_ends_inside_the_hands_unless_they_close_on_it() {
    let model = bundled("icub_hands_mixed.urdf");
    let scene = PlanningScene::new(model.clone(), None).unwrap();
    let states = two_hand_grasp(&model);
    let bodies = |step: usize| cloth_bodies(&scene, states[step].positions()).unwrap();
    let start = bodies(0);
    let bounds = start.iter().map(|body| body.shape.aabb(&body.pose));
    let all = bounds.reduce(|a, b| a.merged(&b)).unwrap();
    let Aabb { min, max } = all;
    let pose = Pose::translation(0.5 * (min.x + max.x), 0.5 * (min.y + max.y), max.z + 0.005);
    let sheet = ClothSheet { rows: 31, columns: 31, size: [0.4, 0.4], pose };
    let options = ClothOptions { thickness: THICKNESS, ..ClothOptions::default() };
    let mut cloth = Cloth::new(sheet, options, &start).unwrap();
    let (mut touched, mut all_inside) = (false, 0);
    for frame in 0..FALL + MOVE {
        let now = bodies(frame.saturating_sub(FALL));
        for (k, body) in now.iter().enumerate() {
            cloth.move_body(k, &body.pose).unwrap();
        }
        cloth.step(FRAME).unwrap();
        let (least, inside) = nearest(&cloth, &now, frame);
        assert!(inside == 0 || frame > FALL + 90, "nothing closes in frame {frame}");
        touched |= least < 2.0 * THICKNESS;
        all_inside += inside;
    }
    assert!(touched, "it lies on the hands");
    println!("vertices between two bodies that close, summed over the frames: {all_inside}");
    let highest = cloth.positions().map(|p: Vec3| p.z).fold(f64::NEG_INFINITY, f64::max);
    assert!(highest > min.z, "{highest}");
}
