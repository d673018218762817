//! Scenes that are pushed and played, against closed forms.

use std::sync::Arc;
use std::time::Duration;

use smooth_scene_dynamics::{
    PlayFrame, PlayOrder, PlayState, Push, STANDARD_GRAVITY, SceneSimulation, SceneSimulationError,
    SceneSimulationOptions, SimulationPlayer,
};
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_geometry::{Shape, Sphere};
use smooth_scene_robot::{LoadOptions, RobotState, parse_urdf, physics};
use smooth_scene_scene::{PlanningScene, SceneObject, WorldChange};

/// A bob on a rod without mass, 0.3 m below a hinge about y.
const PENDULUM: &str = r#"<robot name="pendulum"><link name="base"/>
  <link name="bob"><inertial><origin xyz="0 0 -0.3"/><mass value="2"/>
    <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.002"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="bob"/><origin xyz="0 0 2"/><axis xyz="0 1 0"/></joint></robot>"#;
const RADIUS: f64 = 0.1;
const HEIGHT: f64 = 5.0;

fn scene(urdf: &str) -> Prepared {
    let robot = parse_urdf(urdf, "robot", &LoadOptions::default()).unwrap();
    let masses = physics(&robot.document).unwrap();
    let model = Arc::new(robot.model);
    let mut scene = PlanningScene::new(Arc::clone(&model), None).unwrap();
    let ball: Shape = Sphere::new(RADIUS).unwrap().into();
    let ball = SceneObject::simple("ball", Pose::translation(1.0, 0.0, HEIGHT), ball).unwrap();
    scene.apply(WorldChange::Add(ball)).unwrap();
    Prepared { scene, masses, state: RobotState::new(model) }
}

struct Prepared {
    scene: PlanningScene,
    masses: smooth_scene_robot::UrdfPhysics,
    state: RobotState,
}

impl Prepared {
    fn simulate(
        &self,
        options: &SceneSimulationOptions,
    ) -> Result<SceneSimulation, SceneSimulationError> {
        SceneSimulation::new(&self.scene, &self.masses, &self.state, options)
    }
}

fn falling() -> SceneSimulation {
    let options = SceneSimulationOptions { hold: None, ..SceneSimulationOptions::default() };
    scene(PENDULUM).simulate(&options).unwrap()
}

fn mass() -> f64 {
    1000.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3)
}

#[test]
fn an_impulse_gives_a_ball_its_velocity_and_its_spin() {
    let mut simulation = falling();
    let impulse = Vec3::new(1.0, 2.0, -0.5);
    simulation.kick("ball", &Vec3::new(0.0, 0.0, RADIUS), &impulse).unwrap();
    let body = simulation.simulation().state().bodies[0];
    assert!((body.velocity_w - impulse / mass()).norm() < 1e-12);
    assert!((body.momentum_w - Vec3::new(0.0, 0.0, RADIUS).cross(&impulse)).norm() < 1e-12);
}

/// I about the hinge is that about the bob's centre and m l²; the impulse turns it by l J / I.
#[test]
fn an_impulse_on_a_link_turns_its_joint() {
    let mut simulation = falling();
    simulation.kick("bob", &Vec3::new(0.0, 0.0, -0.3), &Vec3::new(0.5, 3.0, 7.0)).unwrap();
    // About +y, what hangs below goes to −x.
    let expected = -0.3 * 0.5 / (0.002 + 2.0 * 0.3 * 0.3);
    let found = simulation.simulation().state().velocities[0];
    assert!((found - expected).abs() < 1e-12, "{found} {expected}");
}

#[test]
fn a_force_accelerates_while_it_lasts() {
    let mut simulation = falling();
    let push = |seconds| Push {
        body: "ball".into(),
        point_b: Vec3::zeros(),
        force_w: Vec3::new(3.0, 0.0, 0.0),
        seconds,
    };
    // The second takes the place of the first.
    simulation.push(push(9.0)).unwrap();
    simulation.push(push(0.0255)).unwrap();
    simulation.advance_to(0.1, &|| false).unwrap();
    let body = simulation.simulation().state().bodies[0];
    let expected = Vec3::new(3.0 * 0.0255 / mass(), 0.0, 0.1 * STANDARD_GRAVITY.z);
    assert!((body.velocity_w - expected).norm() < 1e-9, "{} {expected}", body.velocity_w);
    assert!(simulation.simulation().time() == 0.1);
    simulation.reset();
    assert_eq!(simulation.simulation().time(), 0.0);
    assert_eq!(simulation.simulation().state().bodies[0].velocity_w, Vec3::zeros());
}

#[test]
fn what_cannot_be_simulated_says_why() {
    let pendulum = scene(PENDULUM);
    let reason =
        |options: SceneSimulationOptions| pendulum.simulate(&options).unwrap_err().to_string();
    let usual = SceneSimulationOptions::default;
    assert_eq!(
        reason(SceneSimulationOptions { density: f64::NAN, ..usual() }),
        "density is NaN, must be positive and finite"
    );
    assert_eq!(
        reason(SceneSimulationOptions { hold: Some(0.0), ..usual() }),
        "hold is 0, must be positive and finite"
    );
    assert_eq!(
        reason(SceneSimulationOptions { fixed: vec!["bal".into()], ..usual() }),
        "the world has no object `bal`"
    );
    let massless =
        scene(&PENDULUM.replace("mass value=\"2\"", "mass value=\"0\"").replace("0.002", "0"));
    let reason = massless.simulate(&usual()).unwrap_err().to_string();
    assert!(reason.contains("stopped at 0 s: joint `hinge`"), "{reason}");
    let mut still = scene(r#"<robot name="post"><link name="base"/></robot>"#);
    still.scene.apply(WorldChange::Remove { name: "ball".into() }).unwrap();
    let reason = still.simulate(&usual()).unwrap_err().to_string();
    assert!(reason.starts_with("nothing moves"), "{reason}");
    let mut simulation = falling();
    let push =
        Push { body: "nose".into(), point_b: Vec3::zeros(), force_w: Vec3::x(), seconds: 1.0 };
    let reason = simulation.push(push.clone()).unwrap_err().to_string();
    assert_eq!(reason, "`nose` is no link and no object that moves");
    let reason = simulation.push(Push { body: "ball".into(), seconds: 0.0, ..push });
    assert_eq!(
        reason.unwrap_err().to_string(),
        "duration of the push is 0, must be positive and finite"
    );
}

const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_player_steps_pushes_plays_and_resets() {
    let player = SimulationPlayer::start(falling(), Box::new(|_, _| Ok(()))).unwrap();
    let still = |frame: &PlayFrame| frame.state == PlayState::Paused;
    let order = |order| {
        assert!(player.order(order));
        player.settled(PATIENCE, still).expect("the orders are carried out")
    };
    let frame = order(PlayOrder::Step(0.1));
    assert_eq!((frame.time, frame.state), (0.1, PlayState::Paused));
    let [kinetic, potential, stored] = frame.energies;
    // What the ball has lost in height it has in speed; the pendulum hangs.
    let fallen = 0.5 * 9.80665 * 0.01;
    assert!((kinetic - mass() * 9.80665 * fallen).abs() < 1e-6, "{kinetic} {potential} {stored}");
    let kick = PlayOrder::Kick {
        body: "ball".into(),
        point_b: Vec3::zeros(),
        impulse_w: Vec3::new(0.0, 0.0, mass() * 9.80665 * 0.1),
    };
    let frame = order(kick);
    // Stopped in the air.
    assert!(frame.energies[0] < 1e-6 && frame.time == 0.1, "{frame:?}");
    assert!(player.order(PlayOrder::Play));
    let playing = player.settled(PATIENCE, |frame| frame.time > 0.12).unwrap();
    assert_eq!(playing.state, PlayState::Playing);
    let paused = order(PlayOrder::Pause);
    assert!(paused.time >= playing.time);
    assert_eq!(order(PlayOrder::Pause).time, paused.time);
    let frame = order(PlayOrder::Reset);
    assert_eq!((frame.time, frame.steps), (0.0, 0));
    assert!(player.quit(PATIENCE));
    assert!(!player.order(PlayOrder::Play), "the thread has ended");
}

#[test]
fn a_listener_that_refuses_ends_a_simulation_with_its_reason() {
    let refuse = |simulation: &SceneSimulation, _: &PlayFrame| {
        if simulation.simulation().time() < 0.05 { Ok(()) } else { Err("enough".to_owned()) }
    };
    let player = SimulationPlayer::start(falling(), Box::new(refuse)).unwrap();
    assert!(player.order(PlayOrder::Step(0.06)));
    let failed = |frame: &PlayFrame| matches!(frame.state, PlayState::Failed(_));
    let frame = player.settled(PATIENCE, failed).unwrap();
    assert_eq!(frame.state, PlayState::Failed("stopped at 0.06 s: enough".into()));
    // Only the start leads on.
    assert!(player.order(PlayOrder::Play));
    assert!(failed(&player.settled(PATIENCE, |_| true).unwrap()));
    assert!(player.order(PlayOrder::Reset));
    let frame = player.settled(PATIENCE, |_| true).unwrap();
    assert_eq!((frame.state, frame.time), (PlayState::Paused, 0.0));
}
