//! Cloth over bodies: never inside one, never through one, the same bits every time, and clear refusals.

use smooth_scene_dynamics::{Cloth, ClothBody, ClothContacts, ClothOptions, ClothSheet};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};

const FRAME: f64 = 1.0 / 60.0;

pub fn body(name: &str, shape: Shape, pose: Pose) -> ClothBody {
    ClothBody { name: name.to_owned(), shape, pose }
}

pub fn floor() -> ClothBody {
    body("floor", Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap(), Pose::identity())
}

pub fn square(vertices: usize, size: f64, height: f64) -> ClothSheet {
    let pose = Pose::translation(0.0, 0.0, height);
    ClothSheet { rows: vertices, columns: vertices, size: [size; 2], pose }
}

/// The value of the implicit function at a point of the world: below zero inside. Not what contacts are made with, which is the
/// support function.
fn implicit(body: &ClothBody, point: &Vec3) -> f64 {
    body.shape.inside_outside(&body.pose.inverse_transform_point(&(*point).into()).coords)
}

/// No vertex inside a body, by the implicit functions.
fn assert_vertices_outside(cloth: &Cloth, bodies: &[ClothBody], frame: usize) {
    for (vertex, point) in cloth.positions().enumerate() {
        for body in bodies {
            let value = implicit(body, &point);
            assert!(value > 0.0, "frame {frame}: vertex {vertex} in {}: {value}", body.name);
        }
    }
}

/// No point of a triangle inside a body, by the implicit functions at points all over it.
fn deepest_on_triangles(cloth: &Cloth, bodies: &[ClothBody]) -> f64 {
    const CUTS: usize = 12;
    let (rows, columns) = (cloth.sheet().rows, cloth.sheet().columns);
    let mut deepest = f64::INFINITY;
    for (i, j) in (1..rows).flat_map(|i| (1..columns).map(move |j| (i, j))) {
        let [a, b] = [cloth.position(i - 1, j - 1), cloth.position(i, j)];
        for c in [cloth.position(i, j - 1), cloth.position(i - 1, j)] {
            for s in 0..=CUTS {
                for t in 0..=CUTS - s {
                    let (s, t) = (s as f64 / CUTS as f64, t as f64 / CUTS as f64);
                    let point = a + (b - a) * s + (c - a) * t;
                    for body in bodies {
                        deepest = deepest.min(implicit(body, &point));
                    }
                }
            }
        }
    }
    deepest
}

/// One body of each convex kind, on the floor, some turned.
fn all_kinds() -> Vec<ClothBody> {
    let shapes = [
        Shape::sphere(0.1),
        Shape::ellipsoid([0.1, 0.07, 0.12]),
        Shape::superellipsoid([0.1, 0.08, 0.12], 0.5, 0.7),
        Shape::superellipsoid([0.1, 0.1, 0.12], 1.6, 1.5),
        Shape::superovoid([0.08, 0.1, 0.12], 0.9, 0.8, [0.2, -0.3]),
        Shape::superovoid([0.08, 0.1, 0.12], 0.8, 0.5, [0.3, -0.3]),
        Shape::poly_ellipsoid([0.1, 0.05, 0.08, 0.1, 0.12, 0.06]),
        Shape::cuboid([0.08, 0.06, 0.1]),
        Shape::cylinder(0.08, 0.1),
        Shape::capsule(0.05, 0.08),
        Shape::cone(0.1, 0.1),
        Shape::convex_mesh(
            &[[0.1, 0.0, 0.0], [-0.1, 0.05, 0.0], [0.0, -0.1, 0.02], [0.0, 0.0, 0.12]]
                .map(Vec3::from),
        ),
        Shape::cuboid([0.06, 0.06, 0.06]).unwrap().padded(0.02),
        Shape::sphere(0.08)
            .unwrap()
            .mapped(&nalgebra::Matrix3::new(1.0, 0.3, 0.0, 0.0, 1.0, 0.2, 0.0, 0.0, 1.3)),
        Shape::compound(vec![
            (Pose::translation(0.05, 0.0, 0.0), Shape::sphere(0.06).unwrap()),
            (Pose::translation(-0.05, 0.0, 0.05), Shape::capsule(0.03, 0.05).unwrap()),
        ]),
    ];
    let mut bodies = vec![floor()];
    for (k, shape) in shapes.into_iter().enumerate() {
        let (column, row) = (k % 4, k / 4);
        let place = Vec3::new(0.27 * (column as f64 - 1.5), 0.27 * (row as f64 - 1.5), 0.08);
        let turn = Vec3::new(0.3, -0.2, 0.5) * (k % 3) as f64;
        bodies.push(body(&format!("body {k}"), shape.unwrap(), Pose::new(place, turn)));
    }
    bodies
}

/// The claim of the crate's documentation, for every convex kind of shape: after every frame no vertex and no triangle is inside.
#[test]
fn no_vertex_and_no_triangle_ends_inside_any_kind_of_body() {
    let bodies = all_kinds();
    let mut cloth = Cloth::new(square(31, 1.1, 0.35), ClothOptions::default(), &bodies).unwrap();
    for frame in 0..90 {
        cloth.step(FRAME).unwrap();
        assert_vertices_outside(&cloth, &bodies, frame);
        if frame % 10 == 9 {
            let deepest = deepest_on_triangles(&cloth, &bodies);
            assert!(deepest > 0.0, "frame {frame}: {deepest}");
        }
    }
    let highest = cloth.positions().map(|point| point.z).fold(0.0, f64::max);
    assert!((0.1..0.3).contains(&highest), "it lies on the bodies: {highest}");
}

/// A mesh of 0.1 m falls on a ball of 0.04 m that is under the middle of its middle cell (figure 6.2 of the thesis is this case).
/// Vertices alone fall past it.
#[test]
fn a_ball_that_fits_between_vertices_is_passed_by_vertices_and_held_by_triangles() {
    let ball = body("ball", Shape::sphere(0.02).unwrap(), Pose::identity());
    let bodies = [ball];
    let fallen = |contacts| {
        let options =
            ClothOptions { contacts, friction: 1.0, damping: 0.0, ..ClothOptions::default() };
        let mut cloth = Cloth::new(square(6, 0.5, 0.05), options, &bodies).unwrap();
        for frame in 0..60 {
            cloth.step(FRAME).unwrap();
            assert_vertices_outside(&cloth, &bodies, frame);
            if contacts == ClothContacts::Triangles {
                let deepest = deepest_on_triangles(&cloth, &bodies);
                assert!(deepest > 0.0, "frame {frame}: {deepest}");
            }
        }
        cloth.positions().map(|point| point.z).fold(f64::NEG_INFINITY, f64::max)
    };
    // What falls freely for a second falls 4.9 m.
    let passed = fallen(ClothContacts::Vertices);
    let held = fallen(ClothContacts::Triangles);
    println!("highest vertex after a second: {passed} with vertices, {held} with triangles");
    assert!(passed < -4.0, "{passed}");
    assert!(held > 0.0, "{held}");
}

/// The same ball is pushed up through a held cloth, and lifts it.
#[test]
fn a_ball_that_moves_lifts_the_triangles_of_a_held_cloth() {
    let [from, to] = [-0.04, 0.08].map(|z| Pose::translation(0.035, 0.06, z));
    let lifted = |contacts| {
        let bodies = [body("ball", Shape::sphere(0.02).unwrap(), from)];
        let options = ClothOptions { contacts, ..ClothOptions::default() };
        let mut cloth = Cloth::new(square(6, 0.5, 0.0), options, &bodies).unwrap();
        [[0, 0], [0, 5], [5, 0], [5, 5]].iter().for_each(|&[i, j]| cloth.pin(i, j).unwrap());
        for frame in 1..=60 {
            let share = f64::from(frame) / 60.0;
            let z = from.translation.z + share * (to.translation.z - from.translation.z);
            cloth.move_body(0, &Pose::translation(0.035, 0.06, z)).unwrap();
            cloth.step(FRAME).unwrap();
            if contacts == ClothContacts::Triangles {
                let now =
                    [body("ball", Shape::sphere(0.02).unwrap(), Pose::translation(0.035, 0.06, z))];
                let deepest = deepest_on_triangles(&cloth, &now);
                assert!(deepest > 0.0, "frame {frame}: {deepest}");
            }
        }
        [[2, 3], [3, 3], [3, 4], [2, 2]]
            .map(|[i, j]| cloth.position(i, j).z)
            .into_iter()
            .fold(-1.0, f64::max)
    };
    let (passed, held) = (lifted(ClothContacts::Vertices), lifted(ClothContacts::Triangles));
    println!("highest vertex around the ball: {passed} with vertices, {held} with triangles");
    assert!(passed < 0.0 && held > 0.05, "{passed} {held}");
}

/// A vertex that falls at 50 m/s moves 8 cm in a substep, and meets a plate of 4 mm.
#[test]
fn nothing_falls_through_a_thin_plate_however_fast() {
    let plate = body("plate", Shape::cuboid([0.5, 0.5, 0.002]).unwrap(), Pose::identity());
    let bodies = [plate];
    let mut cloth = Cloth::new(square(11, 0.4, 1.0), ClothOptions::default(), &bodies).unwrap();
    cloth.set_velocity(|_| Vec3::new(0.0, 0.0, -50.0)).unwrap();
    for frame in 0..20 {
        cloth.step(FRAME).unwrap();
        assert_vertices_outside(&cloth, &bodies, frame);
        assert!(cloth.positions().all(|point| point.z > 0.002), "frame {frame}");
    }
}

/// A pin is dragged into a ball and stays in front of it; released, the cloth lies on it.
#[test]
fn a_pin_that_is_dragged_into_a_body_stops_at_its_surface() {
    let bodies =
        [floor(), body("ball", Shape::sphere(0.2).unwrap(), Pose::translation(0.0, 0.0, 0.2))];
    let mut cloth = Cloth::new(square(15, 0.8, 0.5), ClothOptions::default(), &bodies).unwrap();
    for frame in 0..40 {
        cloth.drag(7, 7, &Vec3::new(0.0, 0.0, 0.5 - 0.01 * f64::from(frame))).unwrap();
        cloth.step(FRAME).unwrap();
        assert_vertices_outside(&cloth, &bodies, frame as usize);
    }
    assert_eq!(cloth.pins().collect::<Vec<_>>(), [[7, 7]]);
    assert!(cloth.release(7, 7).unwrap() && !cloth.release(7, 7).unwrap());
    for frame in 0..30 {
        cloth.step(FRAME).unwrap();
        assert_vertices_outside(&cloth, &bodies, frame);
    }
}

#[test]
fn the_same_cloth_has_the_same_bits_whatever_else_runs() {
    let run = || {
        let bodies = all_kinds();
        let mut cloth = Cloth::new(square(16, 1.1, 0.3), ClothOptions::default(), &bodies).unwrap();
        cloth.pin(0, 0).unwrap();
        (0..30).for_each(|_| cloth.step(FRAME).unwrap());
        cloth
            .positions()
            .flat_map(|p| [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()])
            .collect::<Vec<_>>()
    };
    let alone = run();
    let many: Vec<_> = (0..3).map(|_| std::thread::spawn(run)).collect();
    for thread in many {
        assert!(thread.join().unwrap() == alone);
    }
}

#[test]
fn what_makes_no_cloth_is_refused_with_names_and_values() {
    let sheet = square(5, 1.0, 1.0);
    let options = ClothOptions::default();
    let of = |sheet, options| Cloth::new(sheet, options, &[]).unwrap_err().to_string();
    let sheets = [
        (ClothSheet { rows: 1, ..sheet }, "cloth: rows is 1, must be 2 to 1000"),
        (ClothSheet { columns: 0, ..sheet }, "cloth: columns is 0, must be 1 to 1000"),
        (
            ClothSheet { size: [0.0, 1.0], ..sheet },
            "cloth: size[0] is 0, must be above 0, at most 1e6",
        ),
        (
            ClothSheet { size: [1.0, f64::NAN], ..sheet },
            "cloth: size[1] is NaN, must be above 0, at most 1e6",
        ),
        (
            ClothSheet { pose: Pose::translation(f64::NAN, 0.0, 0.0), ..sheet },
            "cloth: position is NaN, must be in [-1e6, 1e6]",
        ),
    ];
    for (sheet, message) in sheets {
        assert_eq!(of(sheet, options), message);
    }
    let bad = [
        (ClothOptions { mass: 0.0, ..options }, "cloth: mass is 0, must be above 0, at most 1e6"),
        (ClothOptions { thickness: 0.0, ..options }, "cloth: thickness is 0, must be in [1e-6, 1]"),
        (ClothOptions { substeps: 0, ..options }, "cloth: substeps is 0, must be 1 to 1000"),
        (ClothOptions { friction: -1.0, ..options }, "cloth: friction is -1, must be in [0, 1e6]"),
        (
            ClothOptions { gravity: Vec3::new(0.0, f64::INFINITY, 0.0), ..options },
            "cloth: gravity is inf, must be in [-1e4, 1e4]",
        ),
    ];
    for (options, message) in bad {
        assert_eq!(of(sheet, options), message);
    }
    let mut cloth = Cloth::new(sheet, options, &[floor()]).unwrap();
    let message = "cloth: there is no vertex [5, 0] in 5 rows and 5 columns";
    assert_eq!(cloth.pin(5, 0).unwrap_err().to_string(), message);
    assert_eq!(cloth.release(5, 0).unwrap_err().to_string(), message);
    let message = "cloth: target of a pin is NaN, must be in [-1e6, 1e6]";
    assert_eq!(cloth.drag(0, 0, &Vec3::new(0.0, f64::NAN, 0.0)).unwrap_err().to_string(), message);
    let message = "cloth: step is 0, must be above 0, at most 1 s";
    assert_eq!(cloth.step(0.0).unwrap_err().to_string(), message);
    let message = "cloth: there is no body 1 of 1";
    assert_eq!(cloth.move_body(1, &Pose::identity()).unwrap_err().to_string(), message);
}

#[test]
fn a_cloth_that_begins_in_a_body_is_refused() {
    let ball = body("ball", Shape::sphere(0.5).unwrap(), Pose::identity());
    let message =
        Cloth::new(square(5, 1.0, 0.4), ClothOptions::default(), &[ball]).unwrap_err().to_string();
    assert!(message.starts_with("cloth: vertex [1, 2] is -0.02"), "{message}");
    assert!(message.ends_with("from the surface of `ball`, must be 0.002 m or more"), "{message}");
    let spike = body("spike", Shape::capsule(0.01, 0.3).unwrap(), Pose::translation(0.1, 0.1, 0.3));
    let message =
        Cloth::new(square(5, 1.0, 0.4), ClothOptions::default(), &[spike]).unwrap_err().to_string();
    assert_eq!(message, "cloth: `spike` sticks through a triangle at vertex [2, 2]");
}

/// The scene changes under the cloth: a ball appears in the middle of it.
#[test]
fn vertices_inside_a_new_body_are_put_in_front_of_it_at_rest() {
    let options = ClothOptions { gravity: Vec3::zeros(), ..ClothOptions::default() };
    let mut cloth = Cloth::new(square(21, 1.0, 0.1), options, &[]).unwrap();
    let bodies = [body("ball", Shape::sphere(0.3).unwrap(), Pose::identity())];
    cloth.set_bodies(&bodies).unwrap();
    assert_vertices_outside(&cloth, &bodies, 0);
    assert_eq!(cloth.energy().kinetic, 0.0);
    for frame in 1..30 {
        cloth.step(FRAME).unwrap();
        assert_vertices_outside(&cloth, &bodies, frame);
    }
}

/// Each body pushes what is in it into the other: only several pushes bring a vertex out of both.
#[test]
fn vertices_inside_two_new_bodies_are_put_in_front_of_both() {
    let options = ClothOptions { gravity: Vec3::zeros(), ..ClothOptions::default() };
    let ball = |name, x| body(name, Shape::sphere(0.3).unwrap(), Pose::translation(x, 0.0, 0.0));
    let bodies = [ball("left", -0.29), ball("right", 0.29)];
    let mut cloth = Cloth::new(square(21, 0.5, 0.02), options, &[]).unwrap();
    cloth.set_bodies(&bodies).unwrap();
    assert_vertices_outside(&cloth, &bodies, 0);
}

/// Between walls that are nearer to each other than a cloth is thick there is no place.
#[test]
fn bodies_that_leave_no_place_are_refused_and_change_nothing() {
    let half = |name: &str, z: f64, offset: f64| {
        body(name, Shape::half_space([0.0, 0.0, z], offset).unwrap(), Pose::identity())
    };
    let options = ClothOptions { gravity: Vec3::zeros(), ..ClothOptions::default() };
    let mut cloth = Cloth::new(square(3, 0.5, 0.1), options, &[]).unwrap();
    let before: Vec<Vec3> = cloth.positions().collect();
    let message =
        cloth.set_bodies(&[half("floor", 1.0, 0.1), half("lid", -1.0, -0.101)]).unwrap_err();
    let expected = "cloth: vertex [0, 0] finds no place in front of `lid` and the bodies around it";
    assert_eq!(message.to_string(), expected);
    assert!(cloth.positions().eq(before));
    cloth.step(FRAME).unwrap();
}

/// A ball that rises beside pinned corners turns the triangle about them: the free corner is thrown much farther than the ball moves,
/// into the column above it.
#[test]
fn a_corner_that_is_thrown_by_a_push_ends_outside_of_what_it_meets() {
    for share in [0.001, 0.002, 0.005, 0.01, 0.02, 0.05] {
        let column = Shape::cuboid([0.06, 0.06, 1.0]).unwrap();
        let options = ClothOptions { gravity: Vec3::zeros(), ..ClothOptions::default() };
        let bare = Cloth::new(square(2, 0.5, 0.0), options, &[]).unwrap();
        // On the edge between pinned corners, towards the free one by a small share.
        let side = 0.5 * (bare.position(0, 0) + bare.position(1, 0));
        let free = bare.position(1, 1);
        let mut at = side + (free - side) * share;
        at.z = -0.023;
        let above = Pose::translation(free.x, free.y, 1.14);
        let mut bodies = [
            body("ball", Shape::sphere(0.02).unwrap(), Pose::from(at)),
            body("column", column, above),
        ];
        let mut cloth = Cloth::new(square(2, 0.5, 0.0), options, &bodies).unwrap();
        [[0, 0], [0, 1], [1, 0]].iter().for_each(|&[i, j]| cloth.pin(i, j).unwrap());
        for frame in 0..10 {
            at.z += 0.01;
            bodies[0].pose = Pose::from(at);
            cloth.move_body(0, &bodies[0].pose).unwrap();
            cloth.step(FRAME).unwrap();
            let value = implicit(&bodies[1], &cloth.position(1, 1));
            assert!(value > 0.0, "share {share}, frame {frame}: {value}");
        }
    }
}
