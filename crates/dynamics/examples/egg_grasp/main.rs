//! The bundled iCub hands close around an egg: many poses are tried, the fingers close until they touch it, and the grasps are
//! ranked; first of the right hand, then of both hands together. With a folder as argument, writes the egg as a world file and the
//! states as comma-separated values, for `smooth_scene grasp`.
//!
//! `cargo run --release -p smooth_scene_dynamics --example egg_grasp`

mod hands;
mod two_hands;

use std::error::Error;
use std::path::{Path, PathBuf};

use hands::{Hands, Missed};
use smooth_scene_dynamics::GraspQuality;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::RobotState;
use smooth_scene_scene::{ObjectPlace, WorldChange, WorldFile, WorldObject};
use smooth_scene_test_support::families::Rng;

/// Poses of the egg that are tried.
const POSES: usize = 3000;

/// A grasp and how good it is.
struct Grasp {
    egg: Pose,
    state: RobotState,
    contacts: usize,
    quality: GraspQuality,
}

/// Grasps of the right hand, the best first.
fn right_hand(hands: &mut Hands, open: &RobotState) -> Result<Vec<Grasp>, Box<dyn Error>> {
    let mut rng = Rng::new(1);
    let palm = hands.scene.frame("r_palm", &open.link_poses()?)?;
    let mut grasps: Vec<Grasp> = Vec::new();
    let mut tried = 0;
    for _ in 0..POSES {
        let around =
            Vec3::new(rng.uniform(-0.12, 0.12), rng.uniform(-0.12, 0.12), rng.uniform(-0.12, 0.12));
        let egg = palm * Pose::from_parts(around.into(), rng.rotation());
        hands.scene.apply(WorldChange::Move { name: "egg".into(), pose: egg })?;
        let distance = hands.distance(open, &["r_hand".into()])?;
        if !(0.0..0.02).contains(&distance) {
            continue;
        }
        tried += 1;
        let mut state = open.clone();
        hands.close(&mut state, "r", Missed::StaysClosed)?;
        if hands.touches_itself(&state)? {
            continue;
        }
        let (contacts, quality) = hands.judge(&state, &["r_hand"])?;
        grasps.push(Grasp { egg, state, contacts, quality });
    }
    grasps.sort_by(|a, b| b.quality.epsilon.total_cmp(&a.quality.epsilon));
    let closed = grasps.iter().filter(|grasp| grasp.quality.closure.is_closed()).count();
    println!(
        "right hand: {tried} poses of the egg near it, {} grasps, {closed} with force closure",
        grasps.len()
    );
    Ok(grasps)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut hands = Hands::new()?;
    let mut open = RobotState::new(hands.scene.model().clone());
    open.merge(
        &["l_hand_x", "l_hand_y", "r_thumb_oppose", "l_thumb_oppose"],
        &[0.5, 0.5, 1.2, 1.2],
    )?;
    let grasps = right_hand(&mut hands, &open)?;
    grasps.iter().take(5).for_each(|grasp| print_line(grasp.contacts, &grasp.quality));
    let best = grasps.first().ok_or("no grasp")?;
    // The egg stays where the right hand holds it best, and both hands come to it.
    hands.scene.apply(WorldChange::Move { name: "egg".into(), pose: best.egg })?;
    let both = two_hands::search(&mut hands, &open, &best.egg)?;
    if let Some(folder) = std::env::args_os().nth(1) {
        let folder = PathBuf::from(folder);
        let object = hands.scene.world().by_name("egg").expect("it is in the world").clone();
        let place = ObjectPlace::World { frame: String::new() };
        let world = WorldFile::of_objects(vec![WorldObject { object, place }]);
        std::fs::write(folder.join("egg.yaml"), world.to_yaml()?)?;
        write_states(&folder.join("egg_grasps.csv"), &[&open, &best.state])?;
        let states: Vec<&RobotState> = both.iter().collect();
        write_states(&folder.join("egg_two_hands.csv"), &states)?;
    }
    Ok(())
}

fn write_states(file: &Path, states: &[&RobotState]) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for state in states {
        if text.is_empty() {
            text = format!("{}\n", state.model().variable_names().join(","));
        }
        let numbers: Vec<String> = state.positions().iter().map(|x| format!("{x:.6}")).collect();
        text += &format!("{}\n", numbers.join(","));
    }
    Ok(std::fs::write(file, text)?)
}

fn print_line(contacts: usize, quality: &GraspQuality) {
    let weakest: Vec<String> = quality.weakest.iter().map(|x| format!("{x:.2}")).collect();
    println!(
        "  {contacts} contacts, closed {}, ε {:.4}, volume {:.2e}, weakest {}",
        quality.closure.is_closed(),
        quality.epsilon,
        quality.volume,
        weakest.join(" ")
    );
}
