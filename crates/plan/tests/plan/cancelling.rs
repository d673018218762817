//! Whoever plans is asked often enough whether to stop: between two questions no planner computes for 100 ms. Computing time of
//! the thread, so that other programs on the machine change nothing.

use crate::scenes::{add_box, free_state, plane_arm, shelf};
use cpu_time::ThreadTime;
use smooth_scene_geometry::math::Pose;
use smooth_scene_plan::{
    PlanError, PlanOptions, PoseGoal, Roadmap, SceneChecker, Stop, plan, plan_anytime,
    state_for_pose,
};
use smooth_scene_robot::StateSampler;
use smooth_scene_scene::PlanningScene;
use std::cell::Cell;
use std::time::Duration;

const LONGEST: Duration = Duration::from_millis(100);
/// How long a planner is let to work before it is stopped.
const WORK: Duration = Duration::from_millis(600);

/// How a planner ended.
struct Ended {
    /// With an answer, and not with an error.
    is_answered: bool,
    /// It had to be stopped.
    is_stopped: bool,
}

/// Runs a planner, stops it after a while, and checks the time between two questions, before the first and after the last.
fn check<T>(name: &str, plans: impl FnOnce(Stop) -> Result<T, PlanError>) -> Ended {
    let begin = ThreadTime::now();
    let (last, longest) = (Cell::new(begin), Cell::new(Duration::ZERO));
    let look = || {
        longest.set(longest.get().max(last.get().elapsed()));
        last.set(ThreadTime::now());
        begin.elapsed() > WORK
    };
    let is_answered = plans(&look).is_ok();
    let is_stopped = look();
    println!("{name}: at most {:?} without a question", longest.get());
    assert!(longest.get() < LONGEST, "{name}: {:?}", longest.get());
    Ended { is_answered, is_stopped }
}

/// An arm whose second link cannot leave the gap between two walls.
fn caged() -> PlanningScene {
    let mut scene = plane_arm(2, "revolute");
    add_box(&mut scene, "left", [0.45, 0.12, 0.0], [0.3, 0.04, 0.2]);
    add_box(&mut scene, "right", [0.45, -0.12, 0.0], [0.3, 0.04, 0.2]);
    scene
}

#[test]
fn every_planner_asks_often_whether_to_stop() {
    let (scene, options) =
        (caged(), PlanOptions { max_states: u64::MAX / 2, ..PlanOptions::default() });
    let (from, to) = ([0.0; 2], [1.6, 0.0]);
    let trees = check("RRT-Connect", |stop| plan(&scene, None, &from, &to, &options, stop));
    assert!(trees.is_stopped);
    let roadmap = check("roadmap", |stop| {
        Roadmap::new(&scene, None, &from, &options).unwrap().plan(&from, &to, stop)
    });
    assert!(roadmap.is_stopped);

    let shelf = shelf();
    let mut sampler = StateSampler::new(shelf.model(), 4);
    let [from, to] = [0, 1].map(|_| free_state(&shelf, &mut sampler));
    // It ends by itself when it finds no more points that could help.
    let anytime = check("anytime", |stop| {
        plan_anytime(&shelf, Some("arm"), &from, &to, &options, &mut |_| {}, stop)
    });
    assert!(anytime.is_answered || anytime.is_stopped);
    let pose = check("pose out of reach", |stop| {
        let pose = Pose::translation(3.0, 0.0, 0.5);
        let goal = PoseGoal { link: "link6".into(), pose, starts: u32::MAX, seed: 3 };
        let mut checker = SceneChecker::new(&shelf).unwrap();
        state_for_pose(&shelf, Some("arm"), &from, &goal, &mut checker, stop)
    });
    assert!(pose.is_stopped);
}
