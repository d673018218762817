//! States in blocks: every answer is that of the exact question. `BATCH_STATES` sets how many random states of each robot are
//! asked about; the full count is
//! `BATCH_STATES=1000000 cargo test --release -p smooth_scene_scene --features external-tests --test scene batch -- --nocapture`.

use std::sync::Arc;

use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector};
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{LoadOptions, StateSampler, parse_urdf};
use smooth_scene_scene::{
    Allowance, BatchChecker, CheckRequest, LinkSize, MatrixChange, PlanningScene, Reason,
    RobotChange, SceneChange, SceneObject, Workspace, WorldChange,
};
use smooth_scene_test_support::hands;
use smooth_scene_test_support::movement::bundled;
use smooth_scene_test_support::random::seed;
use smooth_scene_test_support::repository_file;

/// A cart with an arm, planar or floating: joints of all kinds, a mimic joint, and every kind of surface.
fn cart_with_arm(drive: &str) -> PlanningScene {
    let link = |name: &str, xyz: &str, surface: &str| {
        format!(
            r#"<link name="{name}"><collision><origin xyz="{xyz}" rpy="0.1 0.2 0.3"/>
            <geometry><box size="0.1 0.1 0.1"/></geometry>{surface}</collision></link>"#
        )
    };
    let joint = |name: &str, kind: &str, parent: &str, child: &str, more: &str| {
        format!(
            r#"<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
            <origin xyz="0.05 0.02 0.16" rpy="0.3 -0.2 0.5"/><axis xyz="0.6 0 0.8"/>
            <limit lower="-2.5" upper="2.5" effort="1" velocity="1"/>{more}</joint>"#
        )
    };
    let urdf = [
        r#"<robot name="cart" xmlns:scs="urn:smooth-scene:scs:1"><link name="world"/>"#.to_owned(),
        link("cart", "0 0 0", ""),
        link("upper", "0 0 0.08", r#"<scs:capsule radius="0.04" length="0.12"/>"#),
        link(
            "fore",
            "0 0 0.1",
            r#"<scs:superellipsoid radii="0.03 0.04 0.1" exponent_xy="0.5" exponent_z="0.3"/>"#,
        ),
        link(
            "wrist",
            "0 0 0.1",
            r#"<scs:superovoid radii="0.04 0.04 0.09" exponent_xy="1" exponent_z="0.8" taper="0.2 0.1"/>"#,
        ),
        link("tip", "0 0 0.1", r#"<scs:poly_ellipsoid radii="0.03 0.02 0.04 0.03 0.08 0.05"/>"#),
        format!(
            r#"<joint name="drive" type="{drive}"><parent link="world"/><child link="cart"/><axis xyz="0 0 1"/></joint>"#
        ),
        joint("shoulder", "revolute", "cart", "upper", ""),
        joint("elbow", "continuous", "upper", "fore", ""),
        joint("slide", "prismatic", "fore", "wrist", "").replace("2.5", "0.1"),
        joint(
            "hand",
            "revolute",
            "wrist",
            "tip",
            r#"<mimic joint="shoulder" multiplier="-0.7" offset="0.2"/>"#,
        ),
        "</robot>".to_owned(),
    ];
    let model = parse_urdf(&urdf.concat(), "cart.urdf", &LoadOptions::default()).unwrap().model;
    let mut scene = PlanningScene::new(Arc::new(model), None).unwrap();
    let shapes = [
        Shape::cuboid([0.3, 0.2, 0.02]).unwrap(),
        Shape::cylinder(0.1, 0.2).unwrap(),
        Shape::superellipsoid([0.2, 0.1, 0.1], 0.4, 0.7).unwrap(),
        Shape::convex_mesh(&[Vec3::zeros(), Vec3::x() * 0.3, Vec3::y() * 0.3, Vec3::z() * 0.3])
            .unwrap(),
        Shape::half_space([0.0, 0.1, 1.0], -0.25).unwrap(),
    ];
    for (k, shape) in shapes.into_iter().enumerate() {
        let turn = rotation_from_vector(&Vec3::new(0.3 * k as f64, 0.2, -0.4));
        let at = Vec3::new(0.5 - 0.25 * k as f64, 0.6 - 0.3 * k as f64, 0.3);
        let pose = match shape {
            Shape::HalfSpace(_) => Pose::identity(),
            _ => Pose::from_parts(at.into(), turn),
        };
        let object = SceneObject::simple(&format!("object{k}"), pose, shape).unwrap();
        scene.apply(SceneChange::World(WorldChange::Add(object))).unwrap();
    }
    let rod = Shape::capsule(0.01, 0.12).unwrap();
    let rod = SceneObject::simple("rod", Pose::translation(0.0, 0.05, 0.2), rod).unwrap();
    let touch_links = vec!["tip".to_owned(), "wrist".to_owned()];
    let size = LinkSize { padding: 0.02, self_padding: 0.01, scale: 1.1 };
    let may_touch = |a: &str, b: &str| {
        let entry = Some(Allowance::allow(Reason::User));
        MatrixChange::SetEntry { a: a.into(), b: b.into(), entry }.into()
    };
    let changes: Vec<SceneChange> = vec![
        RobotChange::Attach { object: rod, link: "tip".into(), touch_links }.into(),
        RobotChange::SetLinkSize { link: "fore".into(), size }.into(),
        RobotChange::SetMargin { a: "tip".into(), b: "object1".into(), margin: 0.03 }.into(),
        RobotChange::SetMargin { a: "rod".into(), b: "upper".into(), margin: 0.02 }.into(),
        may_touch("rod", "object3"),
        may_touch("cart", "object4"),
        may_touch("upper", "wrist"),
    ];
    scene.apply(SceneChange::Several(changes)).unwrap();
    scene
}

/// How many random states: of `BATCH_STATES`, or these.
fn count(usual: usize) -> usize {
    match std::env::var("BATCH_STATES") {
        Ok(text) => text.parse().expect("BATCH_STATES is a number"),
        Err(_) => usual,
    }
}

/// States next to a contact: the middle between a free state and one in collision, again and again.
fn states_near_contact(scene: &PlanningScene, states: &[Vec<f64>], wanted: usize) -> Vec<Vec<f64>> {
    let mut ws = Workspace::cold();
    let mut collides =
        |state: &[f64]| scene.in_collision(state, &CheckRequest::default(), &mut ws).unwrap();
    let mut near = Vec::new();
    for ends in states.windows(2) {
        let (mut free, mut contact) = (ends[0].clone(), ends[1].clone());
        // Where it stands does not change: the middle of two unit quaternions is none.
        let drive = scene.model().joints()[0].kind.position_count();
        if drive == 7 {
            contact[..drive].copy_from_slice(&free[..drive]);
        }
        if collides(&free) || !collides(&contact) {
            continue;
        }
        for _ in 0..24 {
            let middle: Vec<f64> = free.iter().zip(&contact).map(|(a, b)| 0.5 * (a + b)).collect();
            near.push(middle.clone());
            if collides(&middle) { contact = middle } else { free = middle }
        }
        if near.len() >= wanted {
            break;
        }
    }
    near
}

/// Compares blocks with single questions for random states and for states next to contacts.
fn compare_all(name: &str, scene: &PlanningScene, states: &[Vec<f64>]) {
    let colliding = compare(scene, states);
    let near = states_near_contact(scene, states, states.len() / 10);
    assert!(!near.is_empty(), "{name}: no state next to a contact");
    compare(scene, &near);
    let (all, close) = (states.len(), near.len());
    println!("{name}: {all} states, {colliding} collide; {close} next to a contact");
    assert!(colliding > 0 && colliding < all, "{name}: {colliding} of {all} collide");
}

/// Compares blocks with single questions; returns how many states collide.
fn compare(scene: &PlanningScene, states: &[Vec<f64>]) -> usize {
    let mut batch = BatchChecker::new(scene);
    let mut ws = Workspace::cold();
    let flat: Vec<f64> = states.concat();
    let answers = batch.in_collision(&flat).unwrap();
    assert_eq!(answers.len(), states.len());
    for (state, answer) in states.iter().zip(&answers) {
        let exact = scene.in_collision(state, &CheckRequest::default(), &mut ws).unwrap();
        assert_eq!(*answer, exact, "{state:?}");
    }
    let width = scene.model().position_count();
    for (block, answers) in flat.chunks(5 * width).zip(answers.chunks(5)) {
        let any = batch.any_in_collision(block).unwrap();
        assert_eq!(any, answers.iter().any(|&colliding| colliding), "{block:?}");
    }
    let found = batch.statistics();
    // The last block of a slice may be a state alone.
    assert!(found.whole <= 2 && found.exact < found.states, "balls decide nothing: {found:?}");
    for (state, answer) in states.iter().zip(&answers).take(200) {
        assert_eq!(batch.any_in_collision(state).unwrap(), *answer, "{state:?} alone");
    }
    answers.iter().filter(|&&colliding| colliding).count()
}

fn drawn(scene: &PlanningScene, default_seed: u64, usual: usize) -> Vec<Vec<f64>> {
    let mut sampler = StateSampler::new(scene.model(), seed(default_seed));
    (0..count(usual)).map(|_| sampler.draw()).collect()
}

#[test]
fn blocks_answer_as_single_questions_do() {
    for drive in ["planar", "floating"] {
        let scene = cart_with_arm(drive);
        // No multiple of eight.
        let states = drawn(&scene, 21, 4003);
        compare_all(&format!("cart with arm, {drive}"), &scene, &states);
    }
}

#[test]
fn blocks_of_two_hands_answer_as_single_questions_do() {
    let model = Arc::new(hands::two_hands(0.12));
    let scene = PlanningScene::new(model.clone(), None).unwrap();
    let states = hands::random_states(&model, count(1000), seed(22));
    compare_all("two hands", &scene, &states);
}

#[test]
fn blocks_of_the_icubs_hands_answer_as_single_questions_do() {
    let model = bundled("icub_hands_mixed.urdf");
    let srdf = repository_file("urdf/icub_hands.srdf");
    let text = std::fs::read_to_string(srdf).unwrap();
    let (semantics, _) = Srdf::parse(&text, "icub_hands.srdf").unwrap().resolve(&model).unwrap();
    let scene = PlanningScene::new(model, Some(semantics)).unwrap();
    compare_all("hands of the iCub", &scene, &drawn(&scene, 26, 2000));
}

#[test]
fn many_states_in_one_call_are_answered_as_one_by_one() {
    let model = Arc::new(hands::two_hands(0.12));
    let scene = PlanningScene::new(model.clone(), None).unwrap();
    let (request, mut ws) = (CheckRequest::default(), Workspace::cold());
    let mut states = hands::random_states(&model, 1003, seed(25));
    let expected: Vec<bool> =
        states.iter().map(|state| scene.in_collision(state, &request, &mut ws).unwrap()).collect();
    assert_eq!(scene.states_in_collision(&states, &request).unwrap(), expected);
    let refused = |states: &[Vec<f64>]| scene.states_in_collision(states, &request).unwrap_err();
    states[900][3] = f64::NAN;
    let not_finite = refused(&states).to_string();
    // Of several errors that of the first state.
    states[950].pop();
    assert_eq!(refused(&states).to_string(), not_finite);
    states[5].pop();
    assert_ne!(refused(&states).to_string(), not_finite);
}

/// The Panda with the surfaces that were fitted to it and with the hulls of its meshes, between boxes and cylinders, with a
/// clearance as planners use it.
#[cfg(feature = "external-tests")]
#[test]
fn blocks_of_a_panda_answer_as_single_questions_do() {
    use smooth_scene_robot::{Sidecar, load_urdf};
    use smooth_scene_test_support::robots_venv::share;
    let path = share().join("example-robot-data/robots/panda_description/urdf/panda.urdf");
    let fitted = Some(Sidecar::File(repository_file("config/fitted/panda.yaml")));
    for (name, sidecar) in [("panda, fitted", fitted), ("panda, hulls", None)] {
        let options = LoadOptions {
            package_paths: vec![share()],
            use_environment: false,
            sidecar,
            ..Default::default()
        };
        let model = Arc::new(load_urdf(&path, &options).unwrap().model);
        let mut scene = PlanningScene::new(model, None).unwrap();
        for k in 0..12 {
            let angle = 0.6 * f64::from(k);
            let at = Vec3::new(0.6 * angle.cos(), 0.6 * angle.sin(), 0.1 * f64::from(k % 5));
            let shape = match k % 3 {
                0 => Shape::cuboid([0.1, 0.03, 0.1]),
                1 => Shape::cylinder(0.04, 0.12),
                _ => Shape::sphere(0.06),
            };
            let turn = rotation_from_vector(&Vec3::new(0.2 * f64::from(k), 0.1, angle));
            let pose = Pose::from_parts(at.into(), turn);
            let object = SceneObject::simple(&format!("object{k}"), pose, shape.unwrap()).unwrap();
            scene.apply(SceneChange::World(WorldChange::Add(object))).unwrap();
        }
        let sizes: Vec<SceneChange> = scene
            .model()
            .links()
            .iter()
            .map(|link| {
                let size = LinkSize { padding: 1e-4, self_padding: 5e-5, ..LinkSize::default() };
                RobotChange::SetLinkSize { link: link.name.clone(), size }.into()
            })
            .collect();
        // Without an SRDF links that always touch have to be allowed.
        let entry = Some(Allowance::allow(Reason::User));
        let always = [("panda_link5", "panda_link7"), ("panda_link7", "panda_hand")];
        let allowed = always.map(|(a, b)| {
            MatrixChange::SetEntry { a: a.into(), b: b.into(), entry: entry.clone() }.into()
        });
        scene.apply(SceneChange::Several([sizes, allowed.to_vec()].concat())).unwrap();
        let states = drawn(&scene, 23, 3000);
        compare_all(name, &scene, &states);
    }
}

#[test]
fn a_change_of_size_changes_the_balls() {
    let mut scene = cart_with_arm("planar");
    let states = drawn(&scene, 24, 500);
    BatchChecker::new(&scene).in_collision(&states.concat()).unwrap();
    let size = LinkSize { scale: 1.6, ..LinkSize::default() };
    scene.apply(RobotChange::SetLinkSize { link: "fore".into(), size }).unwrap();
    compare(&scene, &states);
    scene.apply(RobotChange::Detach { name: "rod".into() }).unwrap();
    compare(&scene, &states);
}

#[test]
fn states_just_apart_and_just_touching_are_told_apart() {
    // A ball that slides towards a box: apart at more than 1, touching at less.
    let urdf = r#"<robot name="slider"><link name="world"/>
        <link name="ball"><collision><geometry><sphere radius="0.25"/></geometry></collision></link>
        <joint name="slide" type="prismatic"><parent link="world"/><child link="ball"/><axis xyz="1 0 0"/>
        <limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>"#;
    let model = parse_urdf(urdf, "slider.urdf", &LoadOptions::default()).unwrap().model;
    let mut scene = PlanningScene::new(Arc::new(model), None).unwrap();
    let wall = SceneObject::simple("wall", Pose::identity(), Shape::cuboid([0.75; 3]).unwrap());
    scene.apply(SceneChange::World(WorldChange::Add(wall.unwrap()))).unwrap();
    let mut batch = BatchChecker::new(&scene);
    for step in [1e-9, 1e-7, 1e-5, 1e-3] {
        let answers = batch.in_collision(&[1.0 + step, 1.0 - step]).unwrap();
        assert_eq!(answers, [false, true], "{step}");
    }
    let found = batch.statistics();
    assert!(found.exact > 0 && found.exact < found.states, "{found:?}");
}

#[test]
fn bad_states_are_refused_and_far_ones_are_asked_on_their_own() {
    let scene = cart_with_arm("planar");
    let mut batch = BatchChecker::new(&scene);
    let width = scene.model().position_count();
    assert!(batch.in_collision(&[]).unwrap().is_empty());
    assert!(batch.in_collision(&vec![0.0; width + 1]).is_err());
    let mut states = vec![0.0; 3 * width];
    states[width] = 500.0;
    let answers = batch.in_collision(&states).unwrap();
    assert_eq!(batch.statistics().whole, 1);
    let mut ws = Workspace::cold();
    for (state, answer) in states.chunks(width).zip(answers) {
        let exact = scene.in_collision(state, &CheckRequest::default(), &mut ws).unwrap();
        assert_eq!(exact, answer);
    }
    states[2 * width] = f64::NAN;
    assert!(batch.any_in_collision(&states[width..]).is_err());
}
