//! Force closure, ε and volume of random grasps against linear programmes and Qhull of scipy. Behind the feature `external-tests`.
//! `GRASP_SETS=10000` asks for more sets than the 500 that every run compares.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};
use smooth_scene_dynamics::{
    ForceClosure, GraspContact, GraspOptions, contact_wrenches, grasp_quality,
};
use smooth_scene_geometry::math::Vec3;
use smooth_scene_test_support::families::Rng;
use smooth_scene_test_support::random::seed;
use smooth_scene_test_support::robots_venv::start_script;

/// Every so many sets the hull is compared too.
const HULL_EVERY: usize = 10;

/// Two to six contacts on a ball or a box-like body, with normals tilted at random.
fn random_contacts(rng: &mut Rng) -> Vec<GraspContact> {
    let count = 2 + (rng.next_u64() % 5) as usize;
    let friction = rng.uniform(0.1, 1.0);
    (0..count)
        .map(|_| {
            let point_w = rng.direction() * rng.uniform(0.5, 1.0);
            let normal_w =
                (-point_w.normalize() + rng.direction() * rng.uniform(0.0, 0.8)).normalize();
            GraspContact { point_w, normal_w, friction }
        })
        .collect()
}

#[test]
fn random_grasps_are_judged_as_by_linear_programmes() {
    let sets = match std::env::var("GRASP_SETS") {
        Ok(text) => text.parse().expect("GRASP_SETS is a number"),
        Err(_) => 500,
    };
    let mut rng = Rng::new(seed(31));
    let options = GraspOptions { center_w: Vec3::zeros(), length: 1.0, edges: 8 };
    let mut child = start_script("grasp_scipy.py", &[]);
    let mut requests = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let (mut closed, mut hulls, mut least) = (0, 0, f64::INFINITY);
    let (mut worst_epsilon, mut worst_volume, mut worst_sum) = (0f64, 0f64, 0f64);
    for set in 0..sets {
        let contacts = random_contacts(&mut rng);
        let wrenches = contact_wrenches(&contacts, &options).unwrap();
        let quality = grasp_quality(&contacts, &options).unwrap();
        let rows: Vec<&[f64]> = wrenches.iter().map(|w| w.as_slice()).collect();
        // Two point contacts span five dimensions: no hull.
        let has_hull = set % HULL_EVERY == 0 && contacts.len() > 2;
        writeln!(requests, "{}", json!({"wrenches": rows, "hull": has_hull})).unwrap();
        let line = answers.next().unwrap().unwrap();
        let theirs: Value = serde_json::from_str(&line).unwrap();
        // The programme has no solution, or a least weight of zero, when the grasp is open.
        let t = theirs["t"].as_f64();
        let is_closed = theirs["rank"] == 6 && t.is_some_and(|t| t > 1e-9);
        if let Some(t) = t.filter(|t| *t > 0.0) {
            least = least.min(t);
        }
        assert_eq!(quality.closure.is_closed(), is_closed, "set {set}: {t:?} {contacts:?}");
        // The certificates are checked by themselves.
        match &quality.closure {
            ForceClosure::Closed { weights } => {
                closed += 1;
                assert!(weights.iter().all(|x| *x > 0.5), "set {set}");
                let sum: nalgebra::Vector6<f64> =
                    wrenches.iter().zip(weights).map(|(w, x)| w * *x).sum();
                worst_sum = worst_sum.max(sum.amax() / weights.iter().sum::<f64>());
            }
            ForceClosure::Open { separating } => {
                assert!((separating.norm() - 1.0).abs() < 1e-12);
                assert!(wrenches.iter().all(|w| w.dot(separating) > -1e-9), "set {set}");
                assert_eq!(quality.epsilon, 0.0);
            }
        }
        if has_hull {
            hulls += 1;
            let epsilon = theirs["epsilon"].as_f64().unwrap();
            let volume = theirs["volume"].as_f64().unwrap();
            worst_epsilon = worst_epsilon.max((quality.epsilon - epsilon).abs());
            worst_volume = worst_volume.max((quality.volume / volume - 1.0).abs());
            assert!(quality.epsilon_lower <= epsilon + 1e-9, "set {set}");
        }
    }
    drop(requests);
    assert!(child.wait().unwrap().success());
    println!(
        "{sets} sets: {closed} closed, 0 judged differently, least weight of a programme {least:.1e}; certificates add up to {worst_sum:.1e}; \
         {hulls} hulls: ε differs by {worst_epsilon:.1e}, volume by {worst_volume:.1e}"
    );
    assert!(closed > sets / 20 && closed < sets - sets / 20);
    // Wrenches are moved by up to 1e-8 of the largest, which is below 3.
    assert!(worst_epsilon < 1e-7 && worst_sum < 1e-13, "{worst_epsilon:e} {worst_sum:e}");
    assert!(worst_volume < 1e-5, "{worst_volume:e}");
}
