//! Derivatives of ε and volume in the joints of the iCub's hand around an egg, against central differences of what Qhull (scipy) finds on the
//! wrenches of the moved hand. Behind the feature `external-tests`.

use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;

use serde_json::{Value, json};
use smooth_scene_dynamics::{
    GraspDetail, GraspQuestion, contact_wrenches, judge_grasp, object_options, scene_contacts,
};
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{LoadOptions, load_urdf};
use smooth_scene_scene::{BodyId, PlanningScene, Workspace, WorldFile};
use smooth_scene_test_support::families::Rng;
use smooth_scene_test_support::random::seed;
use smooth_scene_test_support::repository_file;
use smooth_scene_test_support::robots_venv::start_script;

/// Half the width of a difference, rad or m.
const STEP: f64 = 2e-5;
/// Slopes on both sides that differ by more than this share of the largest slope are of different facets.
const KINK: f64 = 2e-2;
/// Share of the largest slope by which a difference may be off: distances are found to some 1e-9 m, which the step divides.
const CLOSE: f64 = 2e-3;
/// States around the grasp.
const STATES: usize = 4;

fn egg_in_hand() -> (PlanningScene, Vec<f64>) {
    let robot =
        load_urdf(repository_file("urdf/icub_hands_mixed.urdf"), &LoadOptions::default()).unwrap();
    let srdf = Srdf::load(repository_file("urdf/icub_hands.srdf")).unwrap();
    let (semantics, _) = srdf.resolve(&robot.model).unwrap();
    let mut scene = PlanningScene::new(Arc::new(robot.model), Some(semantics)).unwrap();
    WorldFile::load(repository_file("examples/files/egg.yaml"))
        .unwrap()
        .add_to(&mut scene)
        .unwrap();
    let text = std::fs::read_to_string(repository_file("examples/files/egg_grasps.csv")).unwrap();
    let numbers = text.lines().nth(2).unwrap().split(',');
    (scene, numbers.map(|number| number.parse().unwrap()).collect())
}

#[test]
fn gradients_in_the_joints_are_differences_of_qhull() {
    let (scene, grasp) = egg_in_hand();
    let hand = scene.body_set(&["r_hand"]).unwrap().unwrap();
    let object = scene.world().find("egg").unwrap();
    // Wide enough that no contact comes or goes within a difference.
    let question = GraspQuestion {
        hand,
        object,
        margin: 3e-3,
        friction: 0.5,
        edges: 8,
        detail: GraspDetail::Gradient,
    };
    let options = object_options(scene.world().get(object).unwrap(), 8).unwrap();
    let mut child = start_script("grasp_scipy.py", &[]);
    let mut requests = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ws = Workspace::cold();
    let mut qhull = |positions: &[f64]| -> (usize, f64, f64) {
        let (hand, id) = (&question.hand, BodyId::Object(object));
        let found =
            scene_contacts(&scene, positions, hand, id, question.margin, 0.5, &mut ws).unwrap();
        let wrenches = contact_wrenches(&found.contacts, &options).unwrap();
        let rows: Vec<&[f64]> = wrenches.iter().map(|w| w.as_slice()).collect();
        writeln!(requests, "{}", json!({"wrenches": rows, "hull": true, "programme": false}))
            .unwrap();
        let theirs: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        let number = |name: &str| theirs[name].as_f64().unwrap();
        (found.contacts.len(), number("epsilon"), number("volume"))
    };
    let mut rng = Rng::new(seed(41));
    let mut ws_here = Workspace::cold();
    let (mut worst, mut compared, mut kinks) = ([0f64; 2], 0, 0);
    for state in 0..STATES {
        let shift = if state == 0 { 0.0 } else { 5e-3 };
        let positions: Vec<f64> =
            grasp.iter().map(|q| q + rng.uniform(-1.0, 1.0) * shift).collect();
        let judged = judge_grasp(&scene, &question, &positions, &mut ws_here).unwrap();
        let gradient = judged.gradient.as_ref().expect("smooth surfaces have derivatives");
        if gradient.epsilon.is_empty() {
            assert!(!judged.quality.closure.is_closed());
            continue;
        }
        assert_eq!(gradient.epsilon.len(), 1, "facets tie by chance");
        let slopes = [&gradient.epsilon[0], &gradient.volume];
        let scales = slopes.map(|row| row.iter().fold(0f64, |most, x| most.max(x.abs())));
        let here = qhull(&positions);
        for (joint, name) in scene.model().variable_names().iter().enumerate() {
            if name.starts_with("l_") {
                assert_eq!(slopes.map(|row| row[joint]), [0.0; 2], "{name}");
                continue;
            }
            let at = |shift: f64| {
                let mut moved = positions.clone();
                moved[joint] += shift;
                moved
            };
            let (more, less) = (qhull(&at(STEP)), qhull(&at(-STEP)));
            if (more.0, less.0) != (here.0, here.0) {
                // A contact came or went.
                continue;
            }
            let values = [[less.1, here.1, more.1], [less.2, here.2, more.2]];
            for (kind, [less, here, more]) in values.into_iter().enumerate() {
                let (slope, scale) = (slopes[kind][joint], scales[kind]);
                let (before, after) = ((here - less) / STEP, (more - here) / STEP);
                if (before - after).abs() > KINK * scale {
                    // Another facet is the nearest on one side. ε is the least of smooth functions, so it falls below each tangent.
                    kinks += 1;
                    let is_below = after < slope + KINK * scale && before > slope - KINK * scale;
                    assert!(kind == 1 || is_below, "{name}: {before} {slope} {after}");
                    continue;
                }
                compared += 1;
                let off = (0.5 * (before + after) - slope).abs() / scale;
                // At a kink that is smaller the slope is between both sides.
                let between = 0.5 * (before - after).abs() / scale;
                assert!(off < CLOSE + between, "{name}, number {kind}: {before} {slope} {after}");
                worst[kind] = worst[kind].max(off);
            }
        }
    }
    drop(requests);
    assert!(child.wait().unwrap().success());
    let [epsilon, volume] = worst;
    println!(
        "{compared} differences, {kinks} across kinks: of the largest slope, ε differs by {epsilon:.1e}, volume by {volume:.1e}"
    );
    assert!(compared > 40 && kinks < compared / 4);
}
