//! Markers, as a viewer that keeps what it was sent sees them.

use std::collections::{BTreeMap, BTreeSet};

use smooth_scene::cdr;
use smooth_scene::geometry::Shape;
use smooth_scene::interfaces::builtin_interfaces::msg::Time;
use smooth_scene::interfaces::visualization_msgs::msg::{Marker, MarkerArray};
use smooth_scene::markers::MarkerSwitches;
use smooth_scene::markers::{MAX_MESSAGE_BYTES, MarkerBuilder, View};
use smooth_scene::math::{Pose, Vec3};
use smooth_scene::scene::{
    NearestRequest, SceneObject, SceneStore, Snapshot, Workspace, WorldChange,
};

use super::bench;
use smooth_scene_test_support::hands;
use smooth_scene_test_support::random::seed;

const ALL: MarkerSwitches =
    MarkerSwitches { surfaces: true, contacts: true, distances: true, normals: true, labels: true };

/// What RViz would show.
#[derive(Default)]
struct Viewer {
    shown: BTreeMap<(String, i32), Marker>,
}

impl Viewer {
    /// Takes messages over and returns how many markers of each namespace were added or deleted.
    fn take(&mut self, arrays: &[MarkerArray]) -> BTreeMap<(String, bool), usize> {
        let mut counts = BTreeMap::new();
        let mut named = BTreeSet::new();
        for array in arrays {
            assert!(cdr::encode(array).len() <= MAX_MESSAGE_BYTES, "{}", cdr::encode(array).len());
            for marker in &array.markers {
                let key = (marker.ns.clone(), marker.id);
                assert!(named.insert(key.clone()), "{key:?} twice");
                match marker.action {
                    Marker::DELETEALL => self.shown.clear(),
                    Marker::DELETE => {
                        assert!(self.shown.remove(&key).is_some(), "{key:?} was never there")
                    }
                    _ => {
                        check_finite(marker);
                        self.shown.insert(key, marker.clone());
                    }
                }
                *counts.entry((marker.ns.clone(), marker.action == Marker::ADD)).or_default() += 1;
            }
        }
        counts
    }

    fn of(&self, ns: &str) -> Vec<&Marker> {
        self.shown.values().filter(|marker| marker.ns == ns).collect()
    }
}

fn check_finite(marker: &Marker) {
    let (p, q, s) = (&marker.pose.position, &marker.pose.orientation, &marker.scale);
    let numbers = [p.x, p.y, p.z, q.x, q.y, q.z, q.w, s.x, s.y, s.z];
    assert!(numbers.iter().all(|x| x.is_finite()));
    assert!(marker.points.iter().all(|p| p.x.is_finite() && p.y.is_finite() && p.z.is_finite()));
    let norm = (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).sqrt();
    assert!((norm - 1.0).abs() < 1e-9, "{norm}");
    assert!(!marker.header.frame_id.is_empty() && marker.color.a > 0.0);
}

fn build(
    builder: &mut MarkerBuilder,
    snapshot: &Snapshot,
    positions: &[f64],
    switches: MarkerSwitches,
) -> Vec<MarkerArray> {
    let request = NearestRequest { max_distance: 0.05, ..NearestRequest::default() };
    let mut proximities = Vec::new();
    snapshot.scene.nearest(positions, &request, &mut Workspace::cold(), &mut proximities).unwrap();
    let stamp = Time { sec: 7, nanosec: 9 };
    builder.build(&View {
        snapshot,
        proximities: &proximities,
        close_distance: 0.01,
        switches,
        stamp: &stamp,
    })
}

#[test]
fn surfaces_are_sent_once_and_again_when_they_change_color_or_place() {
    let store = SceneStore::default();
    let first = store.replace_robot(bench::arm());
    let (mut builder, mut viewer) = (MarkerBuilder::default(), Viewer::default());
    let open = [0.3, 0.7, 0.03];
    let sent = viewer.take(&build(&mut builder, &first, &open, ALL));
    assert_eq!(sent[&("surfaces".to_string(), true)], 6);
    for marker in viewer.of("surfaces") {
        assert_eq!((marker.type_, marker.frame_locked), (Marker::TRIANGLE_LIST, true));
        assert!(!marker.points.is_empty() && marker.points.len() % 3 == 0);
    }
    let frames: BTreeSet<_> =
        viewer.of("surfaces").iter().map(|m| m.header.frame_id.clone()).collect();
    assert_eq!(
        frames.into_iter().collect::<Vec<_>>(),
        ["base", "fore", "hand", "left", "right", "upper"]
    );
    // Nothing changed, though the arm moved.
    let again = viewer.take(&build(&mut builder, &first, &[0.2, 0.7, 0.03], ALL));
    assert!(!again.contains_key(&("surfaces".to_string(), true)), "{again:?}");
    // Fingers close: orange, then red, and back; only these two.
    let color = |viewer: &Viewer, frame: &str| {
        let marker =
            viewer.of("surfaces").into_iter().find(|m| m.header.frame_id == frame).unwrap().clone();
        [marker.color.r, marker.color.g, marker.color.b]
    };
    let free = color(&viewer, "left");
    for (grip, red) in [(0.008, [1.0, 0.55, 0.0]), (0.004, [0.9, 0.1, 0.1]), (0.03, free)] {
        let sent = viewer.take(&build(&mut builder, &first, &[0.2, 0.7, grip], ALL));
        assert_eq!(sent[&("surfaces".to_string(), true)], 2);
        assert_eq!(
            [color(&viewer, "left"), color(&viewer, "right"), color(&viewer, "base")],
            [red, red, free]
        );
    }
    // Objects come, move, and go.
    let change = |change: WorldChange| {
        store
            .change(|scene| {
                scene
                    .apply(change)
                    .map_err(|e| panic!("{e}"))
                    .map_err(|_: ()| smooth_scene::scene::NoRobot)
            })
            .unwrap()
            .1
    };
    let ball =
        SceneObject::simple("ball", Pose::translation(3.0, 0.0, 0.0), Shape::sphere(0.1).unwrap())
            .unwrap();
    let with = change(WorldChange::Add(ball));
    assert_eq!(
        viewer.take(&build(&mut builder, &with, &open, ALL))[&("surfaces".to_string(), true)],
        1
    );
    let moved =
        change(WorldChange::Move { name: "ball".into(), pose: Pose::translation(4.0, 0.0, 0.0) });
    assert_eq!(
        viewer.take(&build(&mut builder, &moved, &open, ALL))[&("surfaces".to_string(), true)],
        1
    );
    assert!(
        viewer
            .of("surfaces")
            .iter()
            .any(|m| m.pose.position.x == 4.0 && m.header.frame_id == "base")
    );
    let gone = change(WorldChange::RemoveAll);
    let sent = viewer.take(&build(&mut builder, &gone, &open, ALL));
    assert_eq!(
        (sent.get(&("surfaces".to_string(), false)), viewer.of("surfaces").len()),
        (Some(&1), 6)
    );
    // Somebody new listens: all of it again, with the same numbers.
    let before = viewer.shown.clone();
    builder.send_all_again();
    let sent = viewer.take(&build(&mut builder, &gone, &open, ALL));
    assert_eq!(sent[&("surfaces".to_string(), true)], 6);
    assert_eq!(viewer.shown.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    // Everything off leaves nothing.
    let none = MarkerSwitches {
        surfaces: false,
        contacts: false,
        distances: false,
        normals: false,
        labels: false,
    };
    viewer.take(&build(&mut builder, &gone, &open, none));
    assert!(viewer.shown.is_empty());
    assert!(build(&mut builder, &gone, &open, none).is_empty());
}

#[test]
fn what_is_shown_is_what_was_found_along_a_movement() {
    let scene = hands::scene(0.1);
    let store = SceneStore::default();
    let snapshot = store.replace_robot(scene.clone());
    let (mut builder, mut viewer) = (MarkerBuilder::default(), Viewer::default());
    let mut seen = [0; 2];
    for positions in hands::random_states(scene.model(), 60, seed(5)) {
        viewer.take(&build(&mut builder, &snapshot, &positions, ALL));
        let request = NearestRequest { max_distance: 0.05, ..NearestRequest::default() };
        let mut pairs = Vec::new();
        scene.nearest(&positions, &request, &mut Workspace::cold(), &mut pairs).unwrap();
        let contacts = pairs.iter().filter(|pair| pair.is_contact()).count();
        let points = |ns: &str| viewer.of(ns).iter().map(|m| m.points.len()).sum::<usize>();
        assert_eq!(
            (points("contacts"), points("distances")),
            (contacts, 2 * (pairs.len() - contacts))
        );
        assert_eq!(
            (viewer.of("normals").len(), viewer.of("labels").len()),
            (contacts, pairs.len())
        );
        seen[0] = seen[0].max(contacts);
        seen[1] = seen[1].max(pairs.len() - contacts);
        let root = &scene.model().link(scene.model().root()).name;
        for marker in viewer.of("distances") {
            assert_eq!(
                (&marker.header.frame_id, marker.header.stamp.sec, marker.type_),
                (root, 7, Marker::LINE_LIST)
            );
            // The first line joins the nearest pair that is apart.
            let nearest = pairs.iter().find(|pair| !pair.is_contact()).unwrap();
            let length = |a: usize, b: usize| {
                let [a, b] = [a, b].map(|k| &marker.points[k]).map(|p| Vec3::new(p.x, p.y, p.z));
                (a - b).norm()
            };
            assert!((length(0, 1) - nearest.distance.distance).abs() < 1e-9);
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0);
}

#[test]
fn a_large_mesh_and_many_objects_are_split_into_messages_that_arrive() {
    let store = SceneStore::default();
    let mut scene = bench::arm();
    let points: Vec<Vec3> = (0..3000)
        .map(|k| {
            let (z, turn) = (1.0 - 2.0 * (f64::from(k) + 0.5) / 3000.0, 2.4 * f64::from(k));
            let r = (1.0 - z * z).sqrt();
            Vec3::new(r * turn.cos(), r * turn.sin(), z)
        })
        .collect();
    let mesh = SceneObject::simple(
        "mesh",
        Pose::translation(9.0, 0.0, 0.0),
        Shape::convex_mesh(&points).unwrap(),
    )
    .unwrap();
    scene.apply(WorldChange::Add(mesh)).unwrap();
    for k in 0..100 {
        let pose = Pose::translation(20.0 + f64::from(k), 0.0, 0.0);
        let shape = Shape::superovoid([0.1, 0.2, 0.3], 0.5, 0.7, [0.1, 0.1]).unwrap();
        scene
            .apply(WorldChange::Add(SceneObject::simple(&format!("o{k}"), pose, shape).unwrap()))
            .unwrap();
    }
    let floor = Shape::half_space([0.0, 0.0, 1.0], -2.0).unwrap();
    scene
        .apply(WorldChange::Add(SceneObject::simple("floor", Pose::identity(), floor).unwrap()))
        .unwrap();
    let snapshot = store.replace_robot(scene);
    let (mut builder, mut viewer) = (MarkerBuilder::default(), Viewer::default());
    let arrays = build(&mut builder, &snapshot, &[0.3, 0.7, 0.03], ALL);
    assert!(arrays.len() > 5);
    viewer.take(&arrays);
    assert!(viewer.of("surfaces").len() >= 6 + 100 + 2);
}
