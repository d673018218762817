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
/// Frames in which they move: the first part of the movement.
const MOVE: usize = 60;

/// The least distance of a vertex from a surface, by a query that shares no plane with the cloth; of those within a box around it.
fn nearest(cloth: &Cloth, bodies: &[ClothBody]) -> f64 {
    let options = QueryOptions::default();
    let mut least = f64::INFINITY;
    for body in bodies {
        let bounds = body.shape.aabb(&body.pose).inflated(0.01);
        for point in cloth.positions().filter(|point| bounds.contains(point)) {
            least = least.min(point_distance(&body.shape, &body.pose, &point, &options).lower);
        }
    }
    least
}

#[test]
fn no_vertex_ends_inside_the_hands_while_they_stand_and_while_they_move() {
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
    let options = ClothOptions { thickness: 0.001, ..ClothOptions::default() };
    let mut cloth = Cloth::new(sheet, options, &start).unwrap();
    let mut touched = false;
    for frame in 0..FALL + MOVE {
        let now = bodies(frame.saturating_sub(FALL));
        for (k, body) in now.iter().enumerate() {
            cloth.move_body(k, &body.pose).unwrap();
        }
        cloth.step(FRAME).unwrap();
        let least = nearest(&cloth, &now);
        assert!(least > 0.0, "frame {frame}: {least} m");
        touched |= least < 0.002;
    }
    assert!(touched, "it lies on the hands");
    let highest = cloth.positions().map(|p: Vec3| p.z).fold(f64::NEG_INFINITY, f64::max);
    assert!(highest > min.z, "{highest}");
}
