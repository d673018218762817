//! Movements as files.
//!
//! YAML, one document per robot, each a trajectory_msgs/JointTrajectory with three fields of ours:
//!
//! ```yaml
//! model: icub_hands              # name of the robot; without it the movement is for any that has the joints
//! steps: 400                     # the movement is sampled at steps + 1 moments; without it at 400 or all its points
//! constant: {r_thumb_flex_1: 0.15}   # joints that do not move; optional
//! joint_names: [r_hand_x, r_hand_y]
//! points:
//!   - {time_from_start: 0, positions: [0.1, 0.2]}
//!   - {time_from_start: {sec: 2, nanosec: 500000000}, positions: [0.0, 0.2]}
//! ```
//!
//! So what `ros2 topic echo` prints of such a message can be played as it is: `header`, `velocities`, `accelerations` and
//! `effort` are taken and not used.

use std::path::Path;
use std::sync::Arc;

use super::RobotModel;
use super::text_file;
use super::trajectory::{MAX_STEPS, Trajectory, TrajectoryError, TrajectoryPoint};
use super::values::{Fields, Refusal, Value, WHOLE_FILE, read_yaml_documents};

/// Largest file, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// Least steps of a movement that does not say how many.
const USUAL_STEPS: usize = 400;
/// Most documents in a file.
const MAX_DOCUMENTS: usize = 1000;

/// Loads the movement for this robot from a file, and checks its joints: the one that names the robot, or else one that
/// names none.
pub fn load_trajectory(
    path: impl AsRef<Path>,
    model: &Arc<RobotModel>,
) -> Result<Trajectory, TrajectoryError> {
    let file = path.as_ref().display().to_string();
    let text = text_file::read(path.as_ref(), MAX_BYTES)
        .map_err(|reason| TrajectoryError::Unreadable { file: file.clone(), reason })?;
    let mut all = parse_trajectories(&text, &file)?;
    let of = |name: &str| all.iter().position(|trajectory| trajectory.model == name);
    let Some(place) = of(model.name()).or_else(|| of(ANY_ROBOT)) else {
        let known = all.into_iter().map(|trajectory| trajectory.model).collect();
        return Err(TrajectoryError::OtherRobots { file, robot: model.name().into(), known });
    };
    let mut trajectory = all.swap_remove(place);
    trajectory.model = model.name().into();
    trajectory.check(model)?;
    Ok(trajectory)
}

/// The name of the robot in a movement that names none.
const ANY_ROBOT: &str = "";

/// Reads every movement of a text. `file` is its name in error messages. A movement that names no robot has an empty
/// name.
pub fn parse_trajectories(text: &str, file: &str) -> Result<Vec<Trajectory>, TrajectoryError> {
    let refused = |refusal: Refusal| TrajectoryError::Field {
        file: file.into(),
        path: refusal.path,
        reason: refusal.reason,
    };
    if text.len() as u64 > MAX_BYTES {
        let reason = text_file::too_large(MAX_BYTES);
        return Err(TrajectoryError::Unreadable { file: file.into(), reason });
    }
    let documents = read_yaml_documents(text, MAX_DOCUMENTS).map_err(refused)?;
    let mut all: Vec<Trajectory> = Vec::new();
    // What stands before the first `---`, comments alone, counts as an empty document.
    let documents = documents.iter().filter(|value| !matches!(value, Value::Null)).enumerate();
    for (index, document) in documents {
        let path = format!("document {}", index + 1);
        let read = trajectory(&path, document).map_err(refused)?;
        if all.iter().any(|other| other.model == read.model) {
            let robot = match read.model.as_str() {
                ANY_ROBOT => "any robot".to_string(),
                name => format!("`{}`", text_file::quote(name)),
            };
            let reason = format!("a second movement for {robot}");
            return Err(refused(Refusal::new(&format!("{path}.model"), reason)));
        }
        all.push(read);
    }
    if all.is_empty() {
        return Err(refused(Refusal::new(WHOLE_FILE, "there is no movement in it")));
    }
    Ok(all)
}

fn trajectory(path: &str, document: &Value) -> Result<Trajectory, Refusal> {
    let known = ["header", "model", "steps", "constant", "joint_names", "points"];
    let fields = Fields::of(path, document, &known)?;
    let model = match fields.optional("model") {
        Some(name) => name.text(&fields.path("model"))?,
        None => ANY_ROBOT,
    };
    let given_steps = fields.optional("steps");
    let constant = match fields.optional("constant") {
        Some(value) => constant(&fields.path("constant"), value)?,
        None => Vec::new(),
    };
    let names_path = fields.path("joint_names");
    let joint_names = fields
        .required("joint_names")?
        .each_item(&names_path)?
        .map(|(path, name)| Ok(name.text(&path)?.to_string()))
        .collect::<Result<Vec<String>, Refusal>>()?;
    let points_path = fields.path("points");
    let points = fields
        .required("points")?
        .each_item(&points_path)?
        .map(|(path, value)| point(&path, value, joint_names.len()))
        .collect::<Result<Vec<TrajectoryPoint>, Refusal>>()?;
    check_times(&points_path, &points)?;
    let steps = match given_steps {
        Some(value) => {
            let path = fields.path("steps");
            steps(value.number(&path)?, &path)?
        }
        None => USUAL_STEPS.max(points.len() - 1).min(MAX_STEPS),
    };
    Ok(Trajectory { model: model.into(), joint_names, constant, points, steps })
}

fn steps(number: f64, path: &str) -> Result<usize, Refusal> {
    if number.fract() == 0.0 && (1.0..=MAX_STEPS as f64).contains(&number) {
        return Ok(number as usize);
    }
    Err(Refusal::new(path, format!("is {number}, must be a whole number from 1 to {MAX_STEPS}")))
}

fn constant(path: &str, value: &Value) -> Result<Vec<(String, f64)>, Refusal> {
    let one = |(name, value): &(String, Value)| {
        Ok((name.clone(), finite(value, &format!("{path}.{}", text_file::quote(name)))?))
    };
    value.entries(path)?.iter().map(one).collect()
}

fn point(path: &str, value: &Value, joints: usize) -> Result<TrajectoryPoint, Refusal> {
    let known = ["time_from_start", "positions", "velocities", "accelerations", "effort"];
    let fields = Fields::of(path, value, &known)?;
    let time_from_start =
        time(fields.required("time_from_start")?, &fields.path("time_from_start"))?;
    let positions = numbers(fields.required("positions")?, &fields.path("positions"))?;
    check_length(&positions, joints, &fields.path("positions"))?;
    // Not used; but a message in which they do not fit is not what it seems.
    for name in ["velocities", "accelerations", "effort"] {
        let Some(value) = fields.optional(name) else { continue };
        let values = numbers(value, &fields.path(name))?;
        if !values.is_empty() {
            check_length(&values, joints, &fields.path(name))?;
        }
    }
    Ok(TrajectoryPoint { time_from_start, positions })
}

/// Seconds: a number, or a builtin_interfaces/Duration.
fn time(value: &Value, path: &str) -> Result<f64, Refusal> {
    let Value::Map(_) = value else { return finite(value, path) };
    let fields = Fields::of(path, value, &["sec", "nanosec"])?;
    let sec = finite(fields.required("sec")?, &fields.path("sec"))?;
    let nanosec = finite(fields.required("nanosec")?, &fields.path("nanosec"))?;
    Ok(sec + nanosec * 1e-9)
}

fn numbers(value: &Value, path: &str) -> Result<Vec<f64>, Refusal> {
    value.each_item(path)?.map(|(path, value)| finite(value, &path)).collect()
}

fn check_length(numbers: &[f64], joints: usize, path: &str) -> Result<(), Refusal> {
    if numbers.len() == joints {
        return Ok(());
    }
    Err(Refusal::new(path, format!("has {} entries, must have {joints}", numbers.len())))
}

fn finite(value: &Value, path: &str) -> Result<f64, Refusal> {
    match value.number(path)? {
        number if number.is_finite() => Ok(number),
        number => Err(Refusal::new(path, format!("is {number}, must be finite"))),
    }
}

fn check_times(path: &str, points: &[TrajectoryPoint]) -> Result<(), Refusal> {
    let Some(first) = points.first() else {
        return Err(Refusal::new(path, "is empty, must have at least one point"));
    };
    if first.time_from_start < 0.0 {
        let reason = format!("is {}, must not be negative", first.time_from_start);
        return Err(Refusal::new(&format!("{path}[0].time_from_start"), reason));
    }
    for (index, pair) in points.windows(2).enumerate() {
        let [before, time] = [pair[0].time_from_start, pair[1].time_from_start];
        if time <= before {
            let path = format!("{path}[{}].time_from_start", index + 1);
            return Err(Refusal::new(&path, format!("is {time}, must be later than {before}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{joint, model};
    use crate::{JointKind, JointSpec, MimicSpec};
    use smooth_scene_geometry::math::{Pose, Vec3};

    const GOOD: &str = "model: test\nsteps: 4\nconstant: {b: 0.5}\njoint_names: [a]\npoints:\n  \
        - {time_from_start: 1, positions: [0]}\n  - {time_from_start: 2, positions: [1]}\n  \
        - {time_from_start: 5, positions: [-2]}\n";

    fn robot() -> Arc<RobotModel> {
        let turn =
            |name, parent| joint(JointKind::Revolute, name, parent, Pose::identity(), Vec3::z());
        let twice = MimicSpec { joint: "a".into(), multiplier: 2.0, offset: 0.0 };
        let follower = JointSpec { mimic: Some(twice), ..turn("c", "b_link") };
        Arc::new(model(vec![turn("a", "root"), turn("b", "a_link"), follower]))
    }

    fn only(text: &str) -> Result<Trajectory, TrajectoryError> {
        parse_trajectories(text, "f").map(|mut all| all.remove(0))
    }

    #[test]
    fn joints_move_on_straight_lines_between_points_and_stand_still_outside() {
        let (robot, path) = (robot(), only(GOOD).unwrap());
        path.check(&robot).unwrap();
        let at = |time| path.state_at(&robot, time).unwrap().positions().to_vec();
        assert_eq!(at(0.0), [0.0, 0.5]);
        assert_eq!(at(1.25), [0.25, 0.5]);
        assert_eq!(at(2.0), [1.0, 0.5]);
        assert_eq!(at(3.0), [0.0, 0.5]);
        assert_eq!(at(9.0), [-2.0, 0.5]);
        let states = path.sampled(&robot, path.steps).unwrap();
        let first: Vec<f64> = states.iter().map(|state| state.positions()[0]).collect();
        assert_eq!(first, [0.0, 1.0, 0.0, -1.0, -2.0]);
        for steps in [0, usize::MAX] {
            assert!(matches!(path.sampled(&robot, steps), Err(TrajectoryError::Steps { .. })));
        }
    }

    #[test]
    fn faults_are_named_with_file_and_field() {
        let cases = [
            ("steps: 4", "steps: 0", "f: document 1.steps: is 0, must be a whole number from 1"),
            ("steps: 4", "steps: .inf", "f: document 1.steps: is inf"),
            ("steps: 4", "steps: 1.5", "f: document 1.steps: is 1.5"),
            ("steps: 4", "step: 4", "f: document 1: unknown field `step`, must be one of: header"),
            ("[a]\npoints", "[a]\npoint", "f: document 1: unknown field `point`"),
            (
                "start: 2",
                "start: {sec: 2}",
                "points[1].time_from_start: field `nanosec` is missing",
            ),
            (
                "positions: [1]",
                "positions: [1], velocities: [1, 2]",
                "points[1].velocities: has 2 entries, must have 1",
            ),
            ("steps: 4", "steps: 4\nspeed: 1", "f: document 1: unknown field `speed`"),
            ("{b: 0.5}", "{b: .nan}", "f: document 1.constant.b: is NaN, must be finite"),
            ("{b: 0.5}", "[0.5]", "f: document 1.constant: is a list, must be a map"),
            (
                "positions: [1]",
                "positions: [1, 2]",
                "points[1].positions: has 2 entries, must have 1",
            ),
            ("positions: [1]", "positions: [.nan]", "points[1].positions[0]: is NaN"),
            ("positions: [1]", "positions: [x]", "points[1].positions[0]: is a string"),
            ("start: 2", "start: 1", "points[1].time_from_start: is 1, must be later than 1"),
            ("start: 1", "start: -1", "points[0].time_from_start: is -1, must not be negative"),
            ("[a]", "a", "f: document 1.joint_names: is a string, must be a list"),
            ("model: test", "model: [", "f: whole file: "),
            (GOOD, "", "f: whole file: there is no movement in it"),
        ];
        for (good, bad, message) in cases {
            let error = only(&GOOD.replacen(good, bad, 1)).unwrap_err().to_string();
            assert!(error.contains(message), "{bad}: {error}");
        }
        let twice = format!("{GOOD}---\n{GOOD}");
        let error = only(&twice).unwrap_err().to_string();
        assert_eq!(error, "f: document 2.model: a second movement for `test`");
    }

    /// As `ros2 topic echo` prints a message: without our fields, with all of its own, and a line between messages.
    const ECHOED: &str = "header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: ''\njoint_names:\n- a\n- b\n\
        points:\n- positions:\n  - 0.0\n  - 0.0\n  velocities: []\n  accelerations: []\n  effort: []\n  \
        time_from_start:\n    sec: 0\n    nanosec: 0\n- positions:\n  - 1.0\n  - 2.0\n  velocities:\n  - 0.0\n  \
        - 0.0\n  accelerations: []\n  effort: []\n  time_from_start:\n    sec: 1\n    nanosec: 500000000\n---\n";

    #[test]
    fn a_message_as_it_is_printed_is_a_movement_of_any_robot_with_its_joints() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("echoed.yaml");
        std::fs::write(&file, ECHOED).unwrap();
        let path = load_trajectory(&file, &robot()).unwrap();
        assert_eq!((path.model.as_str(), path.steps), ("test", USUAL_STEPS));
        assert_eq!(path.time_range(), [0.0, 1.5]);
        assert_eq!(path.state_at(&robot(), 0.75).unwrap().positions(), [0.5, 1.0]);

        // One that names the robot comes first; two for any robot are one too many.
        std::fs::write(&file, format!("{ECHOED}{GOOD}")).unwrap();
        assert_eq!(load_trajectory(&file, &robot()).unwrap().steps, 4);
        let error = only(&format!("{ECHOED}{ECHOED}")).unwrap_err().to_string();
        assert_eq!(error, "f: document 2.model: a second movement for any robot");
    }

    #[test]
    fn joints_that_the_robot_does_not_have_are_named() {
        let cases = [
            ("[a]", "[x]", "movement of `test`: points[0]: `x`: no such joint or variable"),
            ("{b:", "{y:", "movement of `test`: constant: `y`: no such joint or variable"),
            ("{b:", "{a:", "movement of `test`: constant: `a`: is constant and moves"),
            ("{b:", "{c:", "movement of `test`: constant: joint `c` follows `a`"),
        ];
        for (good, bad, message) in cases {
            let path = only(&GOOD.replacen(good, bad, 1)).unwrap();
            let error = path.check(&robot()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    /// Aliases of a long list, again and again: a small file that stands for 10¹⁰ numbers.
    #[test]
    fn aliases_that_grow_are_refused() {
        let list = format!("&l [{}]", "0,".repeat(10_000));
        let bomb = format!("model: {list}\nsteps: [{}]", "*l,".repeat(1_000_000));
        let error = only(&bomb).unwrap_err().to_string();
        assert!(error.contains("more than 1000000 values"), "{error}");
        let many = "---\n{}\n".repeat(2000);
        assert!(only(&many).unwrap_err().to_string().contains("more than 1000 documents"));
    }
}
