//! The right hand of the bundled iCub closes around an egg: many poses of the egg are tried, the fingers close until they touch it, and the grasps are
//! ranked. With a folder as argument, writes the egg as a world file and the
//! states as comma-separated values, for `smooth_scene grasp`.
//!
//! `cargo run --release -p smooth_scene_dynamics --example egg_grasp`

use std::error::Error;
use std::sync::Arc;

use smooth_scene_dynamics::{GraspQuality, grasp_quality, object_options, scene_contacts};
use smooth_scene_geometry::Shape;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_robot::srdf::Srdf;
use smooth_scene_robot::{LoadOptions, RobotState, load_urdf};
use smooth_scene_scene::{
    Between, BodyId, BodySet, CheckRequest, NearestRequest, ObjectPlace, PlanningScene,
    SceneObject, Workspace, WorldChange, WorldFile, WorldObject,
};
use smooth_scene_test_support::families::Rng;
use smooth_scene_test_support::repository_file;

/// Poses of the egg that are tried.
const POSES: usize = 3000;
/// Surfaces this near count as touching, m.
const MARGIN: f64 = 1e-3;
const FRICTION: f64 = 0.5;
/// How far a finger closes between two looks, and at most, rad.
const STEP: f64 = 0.02;
const CLOSED: f64 = 1.4;

struct Hand {
    scene: PlanningScene,
    ws: Workspace,
    egg: BodyId,
}

/// A grasp and how good it is.
struct Grasp {
    egg: Pose,
    state: RobotState,
    contacts: usize,
    quality: GraspQuality,
}

impl Hand {
    fn new() -> Result<Self, Box<dyn Error>> {
        let robot =
            load_urdf(repository_file("urdf/icub_hands_mixed.urdf"), &LoadOptions::default())?;
        let srdf = Srdf::load(repository_file("urdf/icub_hands.srdf"))?;
        let (semantics, _) = srdf.resolve(&robot.model)?;
        let mut scene = PlanningScene::new(Arc::new(robot.model), Some(semantics))?;
        let egg = Shape::superovoid([0.022, 0.022, 0.03], 1.0, 1.0, [0.2, 0.2])?;
        scene.apply(WorldChange::Add(SceneObject::simple("egg", Pose::identity(), egg)?))?;
        let egg = scene.body("egg").expect("it was just added");
        Ok(Self { scene, ws: Workspace::cold(), egg })
    }

    fn distance(&mut self, state: &RobotState, names: &[String]) -> Result<f64, Box<dyn Error>> {
        let a = self.scene.body_set(names)?;
        let between = Between { a, b: Some(BodySet::of([self.egg])) };
        let check = CheckRequest { between, ..CheckRequest::default() };
        let request = NearestRequest { check, max_results: 1, ..NearestRequest::default() };
        let mut near = Vec::new();
        self.scene.nearest(state.positions(), &request, &mut self.ws, &mut near)?;
        Ok(near.first().map_or(f64::INFINITY, |pair| pair.distance.distance))
    }

    /// Closes the fingers of a side until each touches the egg or is closed.
    fn close(&mut self, state: &mut RobotState, side: &str) -> Result<(), Box<dyn Error>> {
        for finger in ["thumb", "index", "middle", "ring", "little"] {
            let names = [format!("{side}_{finger}")];
            let joints = [1, 2, 3].map(|k| format!("{side}_{finger}_flex_{k}"));
            let mut angle = 0.0;
            while angle < CLOSED && self.distance(state, &names)? > 0.5 * MARGIN {
                angle += STEP;
                let before = state.clone();
                for joint in &joints {
                    let id = state.model().joint_id(joint).expect("a joint of the hand");
                    let upper = state.model().joint(id).limits.upper;
                    state.set_joint(joint, &[angle.min(upper)])?;
                }
                // Not deeper than the margin.
                if self.distance(state, &names)? < -MARGIN {
                    *state = before;
                    break;
                }
            }
        }
        Ok(())
    }

    fn judge(
        &mut self,
        state: &RobotState,
        hands: &[&str],
    ) -> Result<(usize, GraspQuality), Box<dyn Error>> {
        let hand = self.scene.body_set(hands)?.expect("at least one name");
        let positions = state.positions();
        let found = scene_contacts(
            &self.scene,
            positions,
            &hand,
            self.egg,
            MARGIN,
            FRICTION,
            &mut self.ws,
        )?;
        let object = self.scene.world().by_name("egg").expect("it is in the world");
        let options = object_options(object, 8)?;
        Ok((found.contacts.len(), grasp_quality(&found.contacts, &options)?))
    }

    fn touches_itself(&mut self, state: &RobotState) -> Result<bool, Box<dyn Error>> {
        let request = CheckRequest { world: false, ..CheckRequest::default() };
        Ok(self.scene.in_collision(state.positions(), &request, &mut self.ws)?)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut hand = Hand::new()?;
    let mut rng = Rng::new(1);
    let mut open = RobotState::new(hand.scene.model().clone());
    open.merge(
        &["l_hand_x", "l_hand_y", "r_thumb_oppose", "l_thumb_oppose"],
        &[0.5, 0.5, 1.2, 1.2],
    )?;
    let palm = hand.scene.frame("r_palm", &open.link_poses()?)?;

    let mut grasps: Vec<Grasp> = Vec::new();
    let mut tried = 0;
    for _ in 0..POSES {
        let around =
            Vec3::new(rng.uniform(-0.12, 0.12), rng.uniform(-0.12, 0.12), rng.uniform(-0.12, 0.12));
        let egg = palm * Pose::from_parts(around.into(), rng.rotation());
        hand.scene.apply(WorldChange::Move { name: "egg".into(), pose: egg })?;
        let distance = hand.distance(&open, &["r_hand".into()])?;
        if !(0.0..0.02).contains(&distance) {
            continue;
        }
        tried += 1;
        let mut state = open.clone();
        hand.close(&mut state, "r")?;
        if hand.touches_itself(&state)? {
            continue;
        }
        let (contacts, quality) = hand.judge(&state, &["r_hand"])?;
        grasps.push(Grasp { egg, state, contacts, quality });
    }
    grasps.sort_by(|a, b| b.quality.epsilon.total_cmp(&a.quality.epsilon));
    let closed = grasps.iter().filter(|grasp| grasp.quality.closure.is_closed()).count();
    println!(
        "right hand: {tried} poses of the egg near it, {} grasps, {closed} with force closure",
        grasps.len()
    );
    grasps.iter().take(5).for_each(|grasp| print_line(grasp.contacts, &grasp.quality));
    let best = grasps.first().ok_or("no grasp")?;

    hand.scene.apply(WorldChange::Move { name: "egg".into(), pose: best.egg })?;
    if let Some(folder) = std::env::args_os().nth(1) {
        let folder = std::path::PathBuf::from(folder);
        let object = hand.scene.world().by_name("egg").expect("it is in the world").clone();
        let place = ObjectPlace::World { frame: String::new() };
        let world = WorldFile::of_objects(vec![WorldObject { object, place }]);
        std::fs::write(folder.join("egg.yaml"), world.to_yaml()?)?;
        let mut text = format!("{}\n", hand.scene.model().variable_names().join(","));
        for state in [&open, &best.state] {
            let numbers: Vec<String> =
                state.positions().iter().map(|x| format!("{x:.6}")).collect();
            text += &format!("{}\n", numbers.join(","));
        }
        std::fs::write(folder.join("egg_grasps.csv"), text)?;
    }
    Ok(())
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
