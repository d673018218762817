//! The rules: a marked body that is touched by the hand is caught; any other that is touched, or a marked one that falls past the
//! hand's room, costs a life.

use super::bodies::Body;
use super::hand::Hand;
use crate::error::ViewError;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_robot::StateSampler;
use smooth_scene_scene::{
    CheckRequest, PairDistance, PairLevel, PlanningScene, SceneChange, Workspace, WorldChange,
};

/// Length of a step, s.
pub(crate) const STEP: f64 = 1.0 / 60.0;
/// Lives at the start, catches per level, and points of a catch in the first level.
const LIVES: u32 = 3;
const PER_LEVEL: u32 = 5;
const POINTS: u32 = 10;
/// In the first level: speed of the hand and of the bodies, in reaches per s, and steps between two bodies.
const HAND_SPEED: f64 = 1.2;
const FALL_SPEED: f64 = 0.25;
const BETWEEN: f64 = 110.0;
/// Each level is faster by this.
const FASTER: f64 = 1.15;
/// How far above the room bodies begin and below it they end, in reaches.
pub(crate) const ABOVE: f64 = 0.35;
/// Bodies at once.
const MAX_BODIES: usize = 8;
/// The share of bodies that are marked.
const WANTED: f64 = 0.5;

/// What the player does: directions of y and z from −1 to 1.
pub(crate) type Steering = [f64; 2];

/// A game that is being played.
#[derive(Debug)]
pub(crate) struct Game {
    /// The robot and the bodies; objects of the world are left out, they would be in the way.
    scene: PlanningScene,
    pub hand: Hand,
    pub positions: Vec<f64>,
    pub bodies: Vec<Body>,
    pub score: u32,
    pub lives: u32,
    pub caught: u32,
    pub steps: u64,
    made: u64,
    next_body: u64,
    random: StateSampler,
    workspace: Workspace,
    contacts: Vec<PairDistance>,
}

impl Game {
    pub fn new(
        scene: &PlanningScene,
        positions: &[f64],
        link: Option<&str>,
        seed: u64,
    ) -> Result<Self, ViewError> {
        let hand = Hand::new(scene, positions, link)?;
        let mut scene = scene.clone();
        let names: Vec<String> =
            scene.world().iter().map(|(_, object)| object.name().to_owned()).collect();
        let removals = names.into_iter().map(|name| WorldChange::Remove { name });
        scene.apply(SceneChange::several(removals))?;
        let random = StateSampler::new(scene.model(), seed);
        Ok(Self {
            hand,
            positions: positions.to_vec(),
            bodies: Vec::new(),
            score: 0,
            lives: LIVES,
            caught: 0,
            steps: 0,
            made: 0,
            next_body: 1,
            random,
            workspace: Workspace::default(),
            contacts: Vec::new(),
            scene,
        })
    }

    pub fn level(&self) -> u32 {
        1 + self.caught / PER_LEVEL
    }

    pub fn is_over(&self) -> bool {
        self.lives == 0
    }

    /// One step of time.
    pub fn step(&mut self, steering: Steering) -> Result<(), ViewError> {
        if self.is_over() {
            return Ok(());
        }
        self.steps += 1;
        // 1. The hand follows the player.
        let pace = HAND_SPEED * self.hand.reach * STEP;
        let [y, z] = steering.map(|way| if way.is_finite() { way.clamp(-1.0, 1.0) } else { 0.0 });
        if self.hand.steer(pace * y, pace * z) {
            self.positions = self.hand.follow(&self.scene, &self.positions)?;
        }
        // 2. Bodies fall, and one more may appear.
        let speed = FALL_SPEED * self.hand.reach * faster(self.level());
        self.bodies.iter_mut().for_each(|body| body.fall(speed, STEP));
        let moves = self
            .bodies
            .iter()
            .map(|body| WorldChange::Move { name: body.name.clone(), pose: body.pose });
        self.scene.apply(SceneChange::several(moves))?;
        if self.steps >= self.next_body && self.bodies.len() < MAX_BODIES {
            self.drop_body()?;
        }
        // 3. What is touched, and what has fallen past.
        self.judge_touched()?;
        self.judge_fallen()
    }

    fn drop_body(&mut self) -> Result<(), ViewError> {
        let [sides, heights] = self.hand.room;
        let y = sides[0] + (sides[1] - sides[0]) * self.random.uniform();
        let z = heights[1] + ABOVE * self.hand.reach;
        let at = Vec3::new(self.hand.goal.translation.vector.x, y, z);
        // There is always one to reach for.
        let none = !self.bodies.iter().any(|body| body.wanted);
        let wanted = self.random.uniform() < WANTED || none;
        self.made += 1;
        let (made, reach, level) = (self.made, self.hand.reach, self.level());
        let body = Body::random(made, at, reach, level, wanted, &mut self.random)?;
        self.scene.apply(SceneChange::from(WorldChange::Add(body.object()?)))?;
        self.bodies.push(body);
        self.next_body = self.steps + (BETWEEN / faster(self.level())) as u64;
        Ok(())
    }

    fn judge_touched(&mut self) -> Result<(), ViewError> {
        let against_world = CheckRequest { robot: false, ..CheckRequest::default() };
        self.scene.contacts(
            &self.positions,
            &against_world,
            PairLevel::Bodies,
            &mut self.workspace,
            &mut self.contacts,
        )?;
        let touched: Vec<[String; 2]> = self
            .contacts
            .iter()
            .map(|pair| [pair.body_a, pair.body_b].map(|b| self.scene.body_name(b).to_owned()))
            .collect();
        for names in touched {
            let is_touched = |body: &Body| names.contains(&body.name);
            let Some(index) = self.bodies.iter().position(is_touched) else { continue };
            let wanted = self.bodies[index].wanted;
            let by_hand = names.iter().any(|name| self.hand.has(self.scene.model(), name));
            if wanted && !by_hand {
                // An arm does not catch.
                continue;
            }
            if wanted {
                self.score += POINTS * self.level();
                self.caught += 1;
            } else {
                self.lives = self.lives.saturating_sub(1);
            }
            self.remove(index)?;
        }
        Ok(())
    }

    fn judge_fallen(&mut self) -> Result<(), ViewError> {
        let floor = self.hand.room[1][0] - ABOVE * self.hand.reach;
        let fallen = |body: &Body| body.pose.translation.vector.z < floor;
        while let Some(index) = self.bodies.iter().position(fallen) {
            if self.bodies[index].wanted {
                self.lives = self.lives.saturating_sub(1);
            }
            self.remove(index)?;
        }
        Ok(())
    }

    fn remove(&mut self, index: usize) -> Result<(), ViewError> {
        let name = self.bodies.remove(index).name;
        self.scene.apply(SceneChange::from(WorldChange::Remove { name }))?;
        Ok(())
    }
}

/// How much faster a level is than the first.
fn faster(level: u32) -> f64 {
    (1..level.min(20)).fold(1.0, |factor, _| factor * FASTER)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_robot::{LoadOptions, RobotState, parse_urdf};
    use std::sync::Arc;

    /// A ball that slides along y and z.
    const SLIDER: &str = r#"<robot name="slider"><link name="base"/>
        <link name="beam"/><link name="hand"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
        <joint name="y" type="prismatic"><parent link="base"/><child link="beam"/><axis xyz="0 1 0"/>
            <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
        <joint name="z" type="prismatic"><parent link="beam"/><child link="hand"/><axis xyz="0 0 1"/>
            <limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>"#;

    fn game(seed: u64) -> Game {
        let robot = parse_urdf(SLIDER, "slider", &LoadOptions::default()).unwrap();
        let model = Arc::new(robot.model);
        let rest = RobotState::new(Arc::clone(&model));
        let scene = PlanningScene::new(model, None).unwrap();
        Game::new(&scene, rest.positions(), None, seed).unwrap()
    }

    /// Towards the lowest marked body, and away from what is near and not marked.
    fn player(game: &Game) -> Steering {
        let at = game.hand.goal.translation.vector;
        let gap = |body: &Body| body.pose.translation.vector - at;
        let lowest = |body: &&Body| body.wanted;
        let target = game.bodies.iter().filter(lowest).min_by(|a, b| gap(a).z.total_cmp(&gap(b).z));
        let mut way = target.map_or([0.0; 2], |body| [gap(body).y * 60.0, gap(body).z * 20.0]);
        for body in game.bodies.iter().filter(|body| !body.wanted) {
            let gap = gap(body);
            if gap.norm() < 0.12 {
                way = [-gap.y.signum(), -gap.z.signum()];
            }
        }
        way
    }

    /// A whole game: score, lives, steps, and the bits of where the hand was.
    fn played(seed: u64, player: impl Fn(&Game) -> Steering, steps: u64) -> (u32, u32, u64, u64) {
        let mut game = game(seed);
        let mut bits = 0;
        while !game.is_over() && game.steps < steps {
            let way = player(&game);
            game.step(way).unwrap();
            bits =
                game.positions.iter().fold(bits, |bits: u64, x| bits.rotate_left(7) ^ x.to_bits());
        }
        (game.score, game.lives, game.steps, bits)
    }

    #[test]
    fn the_same_seed_and_input_give_the_same_game_and_another_seed_another() {
        let first = played(7, player, 3000);
        assert_eq!(first, played(7, player, 3000));
        assert_ne!(first, played(8, player, 3000));
    }

    #[test]
    fn who_reaches_scores_and_who_does_nothing_loses() {
        let (score, ..) = played(7, player, 3000);
        let (idle, lives, steps, _) = played(7, |_| [0.0; 2], 20_000);
        assert_eq!(lives, 0);
        assert!(steps < 20_000, "marked bodies that fall past end the game");
        assert!(score >= 5 * POINTS && score > idle, "{score} {idle}");
    }

    #[test]
    fn levels_are_faster_and_the_hand_stays_in_its_room() {
        assert!(faster(3) > faster(2) && faster(1) == 1.0 && faster(1000) < 20.0);
        let mut game = game(1);
        for _ in 0..200 {
            game.step([1.0, f64::NAN]).unwrap();
        }
        let [[_, most], _] = game.hand.room;
        assert_eq!(game.hand.goal.translation.vector.y, most);
        // Five times as wide as the ball, which could go further.
        assert_eq!(most, 5.0 * 0.05);
        let unknown = Game::new(&game.scene, &game.positions, Some("tail"), 1).unwrap_err();
        assert_eq!(unknown.to_string(), "there is no link `tail`");
        let base = Game::new(&game.scene, &game.positions, Some("base"), 1).unwrap_err();
        assert!(base.to_string().contains("hardly moves"), "{base}");
    }
}
