//! What an edit costs: an object of the world is moved by the library, and by `~/apply_scene` as the node calls it, from the
//! bytes of the request to the bytes of the answer. `cargo bench --bench edits` prints Markdown.
//!
//! The two take turns; a figure is the best of many turns. `-- library 1000 20000` and `-- node 1000 20000` only edit: so many
//! objects, so many edits, for `valgrind --tool=callgrind`.

use std::sync::Arc;
use std::time::Instant;

use smooth_scene::cdr;
use smooth_scene::convert::Limits;
use smooth_scene::geometry::{Shape, Sphere};
use smooth_scene::interfaces::msg::SceneChange;
use smooth_scene::interfaces::sensor_msgs::msg::JointState;
use smooth_scene::interfaces::srv::{ApplySceneRequest, ApplySceneResponse};
use smooth_scene::math::Pose;
use smooth_scene::node::services::ApplyScene;
use smooth_scene::node::{Cancellation, Context, JointMonitor, SecondModel, Service, Simulator};
use smooth_scene::query::QueryOptions;
use smooth_scene::robot::{LoadOptions, parse_urdf};
use smooth_scene::scene::{
    NoRobot, PlanningScene, SceneObject, SceneStore, Workspace, WorldChange,
};
use smooth_scene::transforms::Transforms;

const TURNS: usize = 200;
const EDITS: usize = 200;

/// The two hands with so many objects around them.
struct Scene {
    store: SceneStore,
    joints: JointMonitor,
    objects: usize,
    edits: usize,
}

impl Scene {
    fn new(objects: usize) -> Self {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/urdf/icub_hands_mixed.urdf");
        let text = std::fs::read_to_string(file).expect("bundled");
        let model = parse_urdf(&text, file, &LoadOptions::default()).expect("bundled").model;
        let model = Arc::new(model);
        let mut scene = PlanningScene::new(Arc::clone(&model), None).expect("a valid robot");
        for number in 0..objects {
            let ball = Shape::Sphere(Sphere::new(0.01).expect("a radius above zero"));
            let pose = Pose::translation(number as f64, 3.0, 0.0);
            let object = SceneObject::simple(&name(number), pose, ball).expect("a valid name");
            scene.apply(WorldChange::Add(object)).expect("a new name");
        }
        let store = SceneStore::default();
        store.replace_robot(scene);
        let joints = JointMonitor::default();
        let names = model.variable_names().to_vec();
        let position = vec![0.0; names.len()];
        let state = JointState { name: names, position, ..JointState::default() };
        joints.update(&state, 1).expect("joints of the robot");
        Self { store, joints, objects, edits: 0 }
    }

    /// The object whose turn it is, and where it goes.
    fn next(&mut self) -> (String, f64) {
        self.edits += 1;
        (name(self.edits % self.objects), self.edits as f64)
    }

    fn edit_by_library(&mut self) {
        let (name, y) = self.next();
        let pose = Pose::translation(1.0, y, 0.0);
        let moved = self.store.change(|scene| {
            scene.apply(WorldChange::Move { name, pose }).expect("an object of the scene");
            Ok::<_, NoRobot>(())
        });
        moved.expect("there is a robot");
    }

    fn edit_by_node(&mut self) {
        let (name, y) = self.next();
        let mut change = SceneChange { operation: SceneChange::MOVE, ..SceneChange::default() };
        change.object.id = name;
        change.object.pose.position.x = 1.0;
        change.object.pose.position.y = y;
        let bytes = cdr::encode(&ApplySceneRequest { changes: vec![change] });
        let request = cdr::decode(&bytes).expect("encoded above");
        let (transforms, limits) = (Transforms::default(), Limits::default());
        let mut context = Context {
            store: &self.store,
            joints: &self.joints,
            transforms: &transforms,
            now: 1,
            max_state_age: i64::MAX,
            limits: &limits,
            query: &QueryOptions::default(),
            planning: &Cancellation::default(),
            fitting: &Cancellation::default(),
            second_model: &SecondModel::default(),
            simulator: &Simulator::default(),
            workspace: &mut Workspace::cold(),
        };
        let answer = ApplyScene.handle(&mut context, request).expect("a valid edit");
        assert_eq!(answer.status, ApplySceneResponse::OK);
        assert!(!cdr::encode(&answer).is_empty());
    }
}

fn name(number: usize) -> String {
    format!("object_{number}")
}

/// Microseconds of one edit.
fn micros(scene: &mut Scene, edit: fn(&mut Scene)) -> f64 {
    let begin = Instant::now();
    for _ in 0..EDITS {
        edit(scene);
    }
    begin.elapsed().as_secs_f64() * 1e6 / EDITS as f64
}

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [who, objects, edits] = &arguments[..] {
        let edit = match who.as_str() {
            "library" => Scene::edit_by_library,
            "node" => Scene::edit_by_node,
            other => panic!("`{other}` is neither library nor node"),
        };
        let mut scene = Scene::new(objects.parse().expect("a number of objects"));
        for _ in 0..edits.parse().expect("a number of edits") {
            edit(&mut scene);
        }
        return;
    }
    println!(
        "| objects in the world | library, µs per edit | node, µs per edit |\n|---:|---:|---:|"
    );
    for objects in [1, 100, 1000] {
        let (mut library, mut node) = (f64::INFINITY, f64::INFINITY);
        let mut scene = Scene::new(objects);
        for _ in 0..TURNS {
            library = library.min(micros(&mut scene, Scene::edit_by_library));
            node = node.min(micros(&mut scene, Scene::edit_by_node));
        }
        println!("| {objects} | {library:.2} | {node:.2} |");
    }
}
