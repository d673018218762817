//! Grasps of both hands at once. Each hand is tried alone first; the egg is round about its axis, so a hand may then be turned
//! about that axis without another look at its fingers. Of all pairs those remain in which the hands do not meet.

use std::error::Error;

use super::hands::{Hands, Missed};
use super::print_line;
use smooth_scene_dynamics::GraspQuality;
use smooth_scene_geometry::math::{Pose, Vec3, rotation_from_vector};
use smooth_scene_robot::{RobotState, StateError};
use smooth_scene_scene::WorldChange;
use smooth_scene_test_support::families::Rng;

/// Poses of each palm around the egg, and pairs of them, that are tried.
const POSES: usize = 3000;
const PAIRS: usize = 8000;
/// Contacts that each hand has at least.
const LEAST_CONTACTS: usize = 2;
/// Grasps that are kept.
const BEST: usize = 3;

/// A hand that touches the egg: its fingers, and the egg in the frame of its palm.
struct Touch {
    fingers: RobotState,
    egg_in_palm: Pose,
}

/// The best grasps of an egg that stays where it is, best first.
pub fn search(
    hands: &mut Hands,
    open: &RobotState,
    egg: &Pose,
) -> Result<Vec<RobotState>, Box<dyn Error>> {
    let mut rng = Rng::new(2);
    let [right, left] =
        [touches(hands, open, "r", &mut rng)?, touches(hands, open, "l", &mut rng)?];
    hands.scene.apply(WorldChange::Move { name: "egg".into(), pose: *egg })?;
    let mut found: Vec<(RobotState, usize, GraspQuality)> = Vec::new();
    for _ in 0..PAIRS {
        let [r, l] = [&right, &left].map(|all| &all[(rng.unit() * all.len() as f64) as usize]);
        let turn = rotation_from_vector(&(Vec3::z() * rng.uniform(0.0, std::f64::consts::TAU)));
        let turn = Pose::from_parts(Vec3::zeros().into(), turn);
        let mut state = r.fingers.clone();
        copy_fingers(&l.fingers, &mut state, "l")?;
        let places =
            [("r", egg * r.egg_in_palm.inverse()), ("l", egg * turn * l.egg_in_palm.inverse())];
        for (side, palm) in places {
            place_palm(&mut state, side, &palm)?;
        }
        if !state.limit_breaches().is_empty() || hands.touches_itself(&state)? {
            continue;
        }
        let (contacts, quality) = hands.judge(&state, &["r_hand", "l_hand"])?;
        found.push((state, contacts, quality));
    }
    found.sort_by(|a, b| b.2.epsilon.total_cmp(&a.2.epsilon));
    let closed = found.iter().filter(|one| one.2.closure.is_closed()).count();
    println!(
        "both hands: {} and {} ways to touch the egg, {} pairs that do not meet, {closed} with force closure",
        right.len(),
        left.len(),
        found.len()
    );
    found.truncate(BEST);
    found.iter().for_each(|(_, contacts, quality)| print_line(*contacts, quality));
    Ok(found.into_iter().map(|(state, ..)| state).collect())
}

/// Ways in which one hand may touch the egg, with fingers that miss it open.
fn touches(
    hands: &mut Hands,
    open: &RobotState,
    side: &str,
    rng: &mut Rng,
) -> Result<Vec<Touch>, Box<dyn Error>> {
    let palm = hands.scene.frame(&format!("{side}_palm"), &open.link_poses()?)?;
    let hand = format!("{side}_hand");
    let mut found = Vec::new();
    for _ in 0..POSES {
        let around =
            Vec3::new(rng.uniform(-0.16, 0.16), rng.uniform(-0.16, 0.16), rng.uniform(-0.16, 0.16));
        let egg_in_palm = Pose::from_parts(around.into(), rng.rotation());
        let pose = palm * egg_in_palm;
        hands.scene.apply(WorldChange::Move { name: "egg".into(), pose })?;
        if !(0.0..0.03).contains(&hands.distance(open, std::slice::from_ref(&hand))?) {
            continue;
        }
        let mut fingers = open.clone();
        hands.close(&mut fingers, side, Missed::Opens)?;
        if !hands.touches_itself(&fingers)? && hands.judge(&fingers, &[&hand])?.0 >= LEAST_CONTACTS
        {
            found.push(Touch { fingers, egg_in_palm });
        }
    }
    Ok(found)
}

/// Takes the joints of the fingers of one side over.
fn copy_fingers(from: &RobotState, to: &mut RobotState, side: &str) -> Result<(), StateError> {
    for finger in ["thumb", "index", "middle", "ring", "little"] {
        for joint in ["oppose", "flex_1", "flex_2", "flex_3"] {
            let name = format!("{side}_{finger}_{joint}");
            let Some(id) = from.model().joint_id(&name) else { continue };
            if let Some(value) = from.joint_position(id) {
                to.set_joint(&name, &[value])?;
            }
        }
    }
    Ok(())
}

/// Moves a free hand to where its palm is at a pose of the world.
fn place_palm(state: &mut RobotState, side: &str, palm: &Pose) -> Result<(), StateError> {
    let mount = std::f64::consts::FRAC_PI_2 * if side == "r" { 1.0 } else { -1.0 };
    let turned = rotation_from_vector(&(Vec3::x() * -mount));
    let (roll, pitch, yaw) = (palm.rotation * turned).euler_angles();
    let at = palm.translation.vector;
    let values =
        [("x", at.x), ("y", at.y), ("z", at.z), ("yaw", yaw), ("pitch", pitch), ("roll", roll)];
    for (joint, value) in values {
        state.set_joint(&format!("{side}_hand_{joint}"), &[value])?;
    }
    Ok(())
}
