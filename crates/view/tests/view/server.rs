//! The view without a browser: what it sends, what it does when told, and what it refuses.

use smooth_scene_test_support::viewer;
use std::time::{Duration, Instant};

use serde_json::Value;
use smooth_scene_scene::{NearestRequest, Workspace};
use smooth_scene_test_support::viewer::{PATIENCE, Viewer, get, post, serve};
use smooth_scene_view::{ViewOptions, ViewServer};
use tungstenite::Message;

fn own_host(address: std::net::SocketAddr) -> String {
    format!("Host: {address}\r\n")
}

#[test]
fn the_page_is_served_and_nothing_else() {
    let (_store, view) = serve(|_| {});
    let host = own_host(view.address());
    let page = get(view.address(), "/", &host);
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<!doctype html>"), "{page}");
    assert!(page.contains("content-security-policy: default-src 'self'"), "{page}");
    let shaders = get(view.address(), "/draw/shaders.js", &host);
    assert!(shaders.contains("content-type: text/javascript; charset=utf-8"), "{shaders:.300}");
    assert!(shaders.ends_with(include_str!("../../web/draw/shaders.js")));
    assert!(get(view.address(), "/../Cargo.toml", &host).starts_with("HTTP/1.1 404"));
}

#[test]
fn a_viewer_gets_the_picture_the_state_and_the_curve() {
    let (store, view) = serve(|_| {});
    let mut viewer = Viewer::connect(view.address());
    let picture = viewer.wait_for("scene", |_| true);
    let links = picture["links"].as_array().unwrap();
    let surfaces: usize = links.iter().map(|l| l["surfaces"].as_array().unwrap().len()).sum();
    assert_eq!(surfaces, 44);
    let frame = viewer.wait_for("frame", |_| true);
    assert_eq!(frame["links"].as_array().unwrap().len(), links.len());
    assert_eq!(frame["in_collision"], false);

    // The same numbers as from the scene itself.
    let scene = store.snapshot().unwrap().scene.clone();
    let positions: Vec<f64> =
        frame["positions"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let mut request = NearestRequest { max_results: 12, ..NearestRequest::default() };
    request.check.between.a = scene.body_set(&["r_hand"]).unwrap();
    request.check.between.b = scene.body_set(&["l_hand"]).unwrap();
    let mut found = Vec::new();
    scene.nearest(&positions, &request, &mut Workspace::cold(), &mut found).unwrap();
    assert_eq!(frame["table"]["between"], serde_json::json!([["r_hand"], ["l_hand"]]));
    let pairs = frame["table"]["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 12);
    for (sent, own) in pairs.iter().zip(&found) {
        let names = [&sent["a"], &sent["b"]];
        assert_eq!(names, [scene.body_name(own.body_a), scene.body_name(own.body_b)]);
        let distance = sent["distance"].as_f64().unwrap();
        assert!((distance - own.distance.distance).abs() < 1e-9, "{sent}");
    }

    // Of everything, the fingers of one hand are nearest to each other.
    let least = frame["least"].as_f64().unwrap();
    assert_eq!(frame["pairs"][0]["distance"], least);
    assert!(least > 0.0 && least < 0.001, "{least}");

    let curve = viewer.wait_for("curve", |_| true);
    let first = pairs[0]["distance"].as_f64().unwrap();
    for (distances, first) in [(&curve["distances"], least), (&curve["table"]["distances"], first)]
    {
        let distances = distances.as_array().unwrap();
        assert_eq!(distances.len(), 401);
        assert!((distances[0].as_f64().unwrap() - first).abs() < 1e-6);
        assert!(distances.last().unwrap().as_f64().unwrap() < 0.0);
    }
}

#[test]
fn the_movement_plays_and_stops_where_it_is_told_to() {
    let (_store, view) = serve(|_| {});
    let mut viewer = Viewer::connect(view.address());
    viewer.send(r#"{"do":"seek","time":6.0}"#);
    let frame = viewer.wait_for("frame", |frame| frame["time"] == 6.0);
    assert_eq!((&frame["in_collision"], &frame["playing"]), (&Value::from(true), &false.into()));
    assert!(frame["pairs"][0]["contact"].as_bool().unwrap());
    assert!(!frame["pairs"][0]["points"].as_array().unwrap().is_empty());
    viewer.send(r#"{"do":"play"}"#);
    viewer.wait_for("frame", |frame| frame["time"].as_f64().unwrap() > 6.1);
    viewer.send(r#"{"do":"pause"}"#);
    let paused = viewer.wait_for("frame", |frame| frame["playing"] == false);
    assert_eq!(paused["source"], "movement");
    let reason = viewer.refusal_of(r#"{"do":"seek","time":11.0}"#);
    assert_eq!(reason, "time is 11, must be in [0, 10] s");
    assert_eq!(viewer.refusal_of(r#"{"do":"follow"}"#), "there is nothing to follow");
}

#[test]
fn a_slider_moves_a_finger_within_its_limits() {
    let (_store, view) = serve(|_| {});
    let mut viewer = Viewer::connect(view.address());
    let picture = viewer.wait_for("scene", |_| true);
    let joint = picture["joints"].as_array().unwrap().iter();
    let joint = joint.clone().find(|joint| joint["name"] == "r_index_flex_1").unwrap();
    let before = viewer.wait_for("frame", |_| true);
    let upper = joint["upper"].as_f64().unwrap();
    viewer.send(&format!(r#"{{"do":"set_joint","name":"r_index_flex_1","value":{upper}}}"#));
    let after = viewer.wait_for("frame", |frame| frame["source"] == "manual");
    let place = joint["place"].as_u64().unwrap() as usize;
    assert_eq!(after["positions"][place], upper);
    assert_ne!(before["links"], after["links"]);
    let reason = viewer.refusal_of(r#"{"do":"set_joint","name":"r_index_flex_1","value":9}"#);
    assert!(reason.starts_with("joint `r_index_flex_1` is 9, must be in ["), "{reason}");
}

fn shape_of(picture: &Value, link: &str) -> Value {
    let links = picture["links"].as_array().unwrap();
    links.iter().find(|l| l["name"] == link).unwrap()["surfaces"][0]["shape"].clone()
}

fn edit_shape(link: &str, shape: &Value, gesture: u32) -> String {
    let edit = serde_json::json!({"of": "surface_shape", "link": link, "index": 0, "shape": shape});
    serde_json::json!({"do": "edit", "gesture": gesture, "edit": edit}).to_string()
}

#[test]
fn an_edited_exponent_changes_distance_and_urdf_and_undo_restores_both() {
    let (_store, view) = serve(|_| {});
    let address = view.address();
    let mut viewer = Viewer::connect(address);
    let body = |text: String| text.split_once("\r\n\r\n").unwrap().1.to_owned();
    let original = body(get(address, "/robot.urdf", &own_host(address)));
    assert_eq!(original, include_str!("../../../../urdf/icub_hands_mixed.urdf"));
    let picture = viewer.wait_for("scene", |_| true);
    let before = viewer.wait_for("frame", |_| true);
    let distance = |frame: &Value| frame["table"]["pairs"][0]["distance"].as_f64().unwrap();

    // Three steps of one gesture are one step back.
    let mut shape = shape_of(&picture, "r_thumb_4");
    for exponent in [0.5, 0.3, 0.11] {
        shape["exponent_z"] = exponent.into();
        viewer.send(&edit_shape("r_thumb_4", &shape, 1));
    }
    let edited = viewer.wait_for("scene", |p| shape_of(p, "r_thumb_4")["exponent_z"] == 0.11);
    assert_eq!((&edited["undo"], &edited["redo"]), (&1.into(), &0.into()));
    let after = viewer.wait_for("frame", |frame| frame["revision"] == edited["revision"]);
    assert!(
        distance(&after) < distance(&before) - 1e-5,
        "{} {}",
        distance(&after),
        distance(&before)
    );
    let text = body(get(address, "/robot.urdf", &own_host(address)));
    let changed: Vec<_> = text.lines().filter(|line| !original.contains(line)).collect();
    assert!(changed.iter().any(|line| line.contains("exponent_z=\"0.11\"")), "{changed:?}");
    assert!(changed.len() <= 2, "{changed:?}");

    viewer.send(r#"{"do":"undo"}"#);
    let undone = viewer.wait_for("scene", |p| p["undo"] == 0 && p["redo"] == 1);
    assert_eq!(shape_of(&undone, "r_thumb_4"), shape_of(&picture, "r_thumb_4"));
    let again = viewer.wait_for("frame", |frame| frame["revision"] == undone["revision"]);
    assert!((distance(&again) - distance(&before)).abs() < 1e-9);
    assert_eq!(body(get(address, "/robot.urdf", &own_host(address))), original);
    viewer.send(r#"{"do":"redo"}"#);
    viewer.wait_for("scene", |p| shape_of(p, "r_thumb_4")["exponent_z"] == 0.11);
    assert_eq!(viewer.refusal_of(r#"{"do":"redo"}"#), "there is nothing to redo");
}

#[test]
fn surfaces_and_objects_come_and_go() {
    let (store, view) = serve(|_| {});
    let mut viewer = Viewer::connect(view.address());
    let pose = r#"{"xyz":[-0.2,0.05,0.1],"quat":[0,0,0,1]}"#;
    let ball = r#"{"type":"sphere","radius":0.02}"#;
    let edit = |edit: &str| format!(r#"{{"do":"edit","edit":{edit}}}"#);
    viewer.send(&edit(&format!(
        r#"{{"of":"add_object","name":"ball","pose":{pose},"shape":{ball}}}"#
    )));
    let picture = viewer.wait_for("scene", |p| p["objects"][0]["name"] == "ball");
    assert_eq!(picture["objects"][0]["surfaces"][0]["shape"]["radius"], 0.02);
    viewer.send(&edit(r#"{"of":"attach_object","name":"ball","link":"l_palm"}"#));
    viewer.wait_for("scene", |p| p["objects"][0]["link"] == "l_palm");
    viewer.send(&edit(r#"{"of":"detach_object","name":"ball"}"#));
    let picture = viewer.wait_for("scene", |p| p["objects"][0]["link"].is_null());
    let back: Vec<f64> =
        serde_json::from_value(picture["objects"][0]["pose"]["xyz"].clone()).unwrap();
    assert!((back[0] + 0.2).abs() < 1e-9 && (back[1] - 0.05).abs() < 1e-9, "{back:?}");
    viewer.send(&edit(r#"{"of":"remove_object","name":"ball"}"#));
    viewer.wait_for("scene", |p| p["objects"].as_array().unwrap().is_empty());

    viewer.send(&edit(&format!(
        r#"{{"of":"add_surface","link":"l_palm","pose":{pose},"shape":{ball}}}"#
    )));
    viewer.wait_for("scene", |p| p["undo"] == 5);
    assert_eq!(store.snapshot().unwrap().scene.robot_size().0, 45);
    viewer.send(&edit(r#"{"of":"remove_surface","link":"l_palm","index":1}"#));
    viewer.wait_for("scene", |p| p["undo"] == 6);
    for _ in 0..6 {
        viewer.send(r#"{"do":"undo"}"#);
    }
    viewer.wait_for("scene", |p| p["undo"] == 0 && p["redo"] == 6);
    assert_eq!(store.snapshot().unwrap().scene.robot_size().0, 44);
}

#[test]
fn what_makes_no_sense_is_refused_with_a_reason_and_the_server_lives_on() {
    let (store, view) = serve(|_| {});
    let mut viewer = Viewer::connect(view.address());
    let revision = store.snapshot().unwrap().revision;
    let edit = |edit: &str| format!(r#"{{"do":"edit","edit":{edit}}}"#);
    let pose = r#"{"xyz":[0,0,0],"quat":[0,0,0,1]}"#;
    let shape = r#"{"type":"sphere","radius":0.02}"#;
    let cases = [
        ("", "not a command: EOF while parsing"),
        ("nonsense", "not a command: expected"),
        (&"[".repeat(5000), "not a command: "),
        (r#"{"do":"explode"}"#, "not a command: unknown variant `explode`"),
        (r#"{"do":"seek"}"#, "not a command: missing field `time`"),
        (r#"{"do":"seek","time":1,"speed":2}"#, "not a command: unknown field `speed`"),
        (r#"{"do":"seek","time":NaN}"#, "not a command: "),
        (r#"{"do":"seek","time":1e999}"#, "not a command: number out of range"),
        (r#"{"do":"seek","time":null}"#, "not a command: invalid type: null"),
        (r#"{"do":"speed","factor":0}"#, "speed is 0, must be in [0.01, 10]"),
        (r#"{"do":"close_distance","distance":-1}"#, "close distance is -1, must be in [0, 1] m"),
        (r#"{"do":"between","a":["nobody"],"b":[]}"#, "there is no link, object or group `nobody`"),
        (r#"{"do":"set_joint","name":"r_tail","value":0}"#, "`r_tail`: no such joint or variable"),
        (
            &edit(r#"{"of":"remove_surface","link":"r_palm","index":7}"#),
            "there is no surface `r_palm[7]`",
        ),
        (&edit(r#"{"of":"remove_surface","link":"tail","index":0}"#), "there is no link `tail`"),
        (&edit(r#"{"of":"remove_object","name":"ball"}"#), "the world has no object `ball`"),
        (
            &edit(r#"{"of":"attach_object","name":"ball","link":"r_palm"}"#),
            "the world has no object `ball`",
        ),
        (
            &edit(&format!(
                r#"{{"of":"add_object","name":"r_palm","pose":{pose},"shape":{shape}}}"#
            )),
            "the name `r_palm` is taken by a link of the robot",
        ),
        (
            &edit(&format!(r#"{{"of":"add_object","name":"","pose":{pose},"shape":{shape}}}"#)),
            "an object may not be named \"\": it is empty",
        ),
        (
            &edit(&format!(
                r#"{{"of":"add_object","name":"x","pose":{pose},"shape":{{"type":"sphere","radius":-1}}}}"#
            )),
            "sphere: radius is -1, must be",
        ),
        (
            &edit(&format!(
                r#"{{"of":"add_object","name":"x","pose":{{"xyz":[0,0,0],"quat":[0,0,0,0]}},"shape":{shape}}}"#
            )),
            "norm of the quaternion is 0, must be near 1",
        ),
        (
            &edit(&format!(
                r#"{{"of":"add_object","name":"x","pose":{{"xyz":[1e300,0,0],"quat":[0,0,0,1]}},"shape":{shape}}}"#
            )),
            "pose of `x` is at [",
        ),
        (
            &edit(
                r#"{"of":"surface_shape","link":"r_palm","index":0,"shape":{"type":"superellipsoid","radii":[1,1,1],"exponent_xy":2.5,"exponent_z":1}}"#,
            ),
            "superellipsoid: exponent_xy is 2.5, must be",
        ),
        (
            &edit(&format!(
                r#"{{"of":"add_object","name":"x","pose":{pose},"shape":{{"type":"mesh","of":"x","vertices":[],"normals":[],"triangles":[]}}}}"#
            )),
            "not a command: shape: unknown type `mesh`",
        ),
        (
            &edit(r#"{"of":"enclose_surface","link":"r_palm","index":0,"kind":"half_space"}"#),
            "there is no kind of shape to enclose with `half_space`",
        ),
        (
            &edit(r#"{"of":"enclose_object","name":"ball","kind":"box"}"#),
            "there is no object `ball`",
        ),
        (r#"{"do":"load_world","text":"[]"}"#, "not a command: unknown variant `load_world`"),
        (r#"{"do":"undo"}"#, "there is nothing to undo"),
    ];
    for (message, expected) in cases {
        let reason = viewer.refusal_of(message);
        assert!(reason.starts_with(expected), "{message:.80}: {reason}");
        // Good commands in between, so that the connection is not given up.
        viewer.send(r#"{"do":"pause"}"#);
    }
    assert_eq!(store.snapshot().unwrap().revision, revision, "nothing was changed");
    viewer.socket.send(Message::binary(vec![0u8; 10])).unwrap();
    let reason = viewer.wait_for("refused", |_| true)["reason"].clone();
    assert_eq!(reason, "not a command: it is binary");
    viewer.send(r#"{"do":"seek","time":5.0}"#);
    viewer.wait_for("frame", |frame| frame["time"] == 5.0);
}

/// Reads until the connection is closed.
fn is_closed(viewer: &mut Viewer) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        match viewer.socket.read() {
            Ok(Message::Close(_)) | Err(_) => return true,
            Ok(_) => {}
        }
    }
    false
}

#[test]
fn a_message_that_is_too_large_and_a_flood_of_nonsense_end_the_connection_only() {
    let (_store, view) = serve(|options| options.max_message_bytes = 10_000);
    let mut large = Viewer::connect(view.address());
    let mut noisy = Viewer::connect(view.address());
    let mut good = Viewer::connect(view.address());
    let _ = large.socket.send(Message::text("x".repeat(20_000)));
    assert!(is_closed(&mut large));
    for _ in 0..30 {
        let _ = noisy.socket.send(Message::text("{}"));
    }
    assert!(is_closed(&mut noisy));
    good.send(r#"{"do":"seek","time":5.0}"#);
    good.wait_for("frame", |frame| frame["time"] == 5.0);
    assert_eq!(view.viewers(), 1);
}

#[test]
fn bytes_that_are_no_http_do_not_disturb() {
    use std::io::{Read, Write};
    let (_store, view) = serve(|_| {});
    for bytes in [&b"\x16\x03\x01\x02\x00"[..], b"GET", &[0; 4096], b"GET / HTTP/1.1\r\n\r\n"] {
        let mut stream = std::net::TcpStream::connect(view.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answer = [0; 64];
        let count = stream.read(&mut answer).unwrap_or(0);
        assert!(!answer[..count].starts_with(b"HTTP/1.1 200"));
    }
    Viewer::connect(view.address()).wait_for("scene", |_| true);
}

#[test]
fn pages_of_other_sites_may_not_connect() {
    let (_store, view) = serve(|_| {});
    let address = view.address();
    for origin in ["http://evil.example", "https://127.0.0.1", "null"] {
        let refused = Viewer::connect_from(address, Some(origin)).err().unwrap();
        assert!(refused.contains("403"), "{origin}: {refused}");
    }
    assert!(Viewer::connect_from(address, Some(&format!("http://{address}"))).is_ok());
    // A name that resolves to this machine but is not its own.
    for path in ["/", "/robot.urdf", "/view"] {
        let answer = get(address, path, "Host: evil.example\r\n");
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
        assert!(answer.contains("`evil.example` is not a name of this machine"), "{answer}");
    }
}

#[test]
fn only_so_many_may_look_and_editing_can_be_switched_off() {
    let (store, view) = serve(|options| {
        options.max_viewers = 2;
        options.editing = false;
    });
    let mut first = Viewer::connect(view.address());
    let second = Viewer::connect(view.address());
    let refused = Viewer::connect_from(view.address(), None).err().unwrap();
    assert!(refused.contains("503"), "{refused}");
    assert_eq!(first.wait_for("scene", |_| true)["editing"], false);
    let edit = r#"{"do":"edit","edit":{"of":"remove_surface","link":"r_palm","index":0}}"#;
    assert_eq!(first.refusal_of(edit), "editing is switched off");
    assert_eq!(first.refusal_of(r#"{"do":"undo"}"#), "editing is switched off");
    assert_eq!(store.snapshot().unwrap().revision, 1);
    drop(second);
    let start = Instant::now();
    while view.viewers() > 1 && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Viewer::connect_from(view.address(), None).is_ok(), "a place was given back");
}

/// One viewer reads nothing while the movement plays; the other sees every moment of it, and the first is dropped.
#[test]
fn a_viewer_that_stalls_is_dropped_and_not_waited_for() {
    let (_store, view) = serve(|options| {
        options.stall_time = Duration::from_millis(300);
        options.rate = 200.0;
    });
    let stalled = Viewer::connect(view.address());
    let mut other = Viewer::connect(view.address());
    other.send(r#"{"do":"play"}"#);
    let start = Instant::now();
    let (mut last, mut longest) = (Instant::now(), Duration::ZERO);
    while view.viewers() > 1 && start.elapsed() < PATIENCE {
        other.wait_for("frame", |_| true);
        longest = longest.max(last.elapsed());
        last = Instant::now();
    }
    assert_eq!(view.viewers(), 1, "the stalled viewer is gone");
    assert!(longest < Duration::from_secs(20), "the other waited {longest:?}");
    drop(stalled);
}

#[test]
fn two_viewers_see_the_same_and_changes_from_elsewhere() {
    let (store, view) = serve(|_| {});
    let mut one = Viewer::connect(view.address());
    let mut other = Viewer::connect(view.address());
    one.send(r#"{"do":"seek","time":2.5}"#);
    let frames = [&mut one, &mut other].map(|v| v.wait_for("frame", |f| f["time"] == 2.5));
    assert_eq!(frames[0], frames[1]);
    // As a service of the node would.
    use smooth_scene_geometry::Shape;
    use smooth_scene_geometry::math::Pose;
    use smooth_scene_scene::{NoRobot, SceneObject, WorldChange};
    let ball = Shape::sphere(0.03).unwrap();
    let table = SceneObject::simple("table", Pose::translation(1.0, 0.0, 0.0), ball).unwrap();
    store
        .change(|scene| {
            scene.apply(WorldChange::Add(table.clone())).unwrap();
            Ok::<_, NoRobot>(())
        })
        .unwrap();
    for viewer in [&mut one, &mut other] {
        viewer.wait_for("scene", |p| p["objects"][0]["name"] == "table");
    }
}

#[test]
fn a_robot_that_comes_later_and_moves_by_itself_is_shown() {
    use smooth_scene_scene::SceneStore;
    use smooth_scene_view::ViewHost;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    let store = Arc::new(SceneStore::default());
    let known = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&known);
    let host = ViewHost {
        live: Some(Arc::new(move |scene| {
            if heard.load(Ordering::Relaxed) {
                Ok(vec![0.05; scene.model().position_count()])
            } else {
                Err("no joint state yet".into())
            }
        })),
        ..ViewHost::new(Arc::clone(&store))
    };
    let view = ViewServer::start(host, ViewOptions::default()).unwrap();
    let mut viewer = Viewer::connect(view.address());
    let (hands, _) = viewer::hands("icub_hands_mixed_coupled.urdf");
    store.replace_robot(hands.snapshot().unwrap().scene.clone());
    let picture = viewer.wait_for("scene", |_| true);
    assert_eq!((&picture["can_follow"], &picture["can_export"]), (&true.into(), &false.into()));
    let joints = picture["joints"].as_array().unwrap();
    assert!(joints.iter().any(|joint| joint["mimic"]["leader"].is_string()));
    viewer.wait_for("frame", |frame| frame["notice"] == "no joint state yet");
    known.store(true, Ordering::Relaxed);
    let frame = viewer.wait_for("frame", |frame| frame["notice"].is_null());
    assert_eq!((&frame["source"], &frame["positions"][0]), (&"live".into(), &0.05.into()));
    let export = get(view.address(), "/robot.urdf", &own_host(view.address()));
    assert!(export.starts_with("HTTP/1.1 409"), "{export}");
}

/// `scene_node` starts and ends its view on the runtime that waits for signals.
#[test]
fn a_view_can_be_started_and_ended_on_a_runtime_of_somebody_else() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let address = runtime.block_on(async {
        let (_store, view) = serve(|_| {});
        Viewer::connect(view.address()).wait_for("scene", |_| true);
        let (_, host) = viewer::hands("icub_hands_mixed.urdf");
        let options = ViewOptions { address: view.address(), ..ViewOptions::default() };
        let refused = ViewServer::start(host, options).expect_err("the port is taken");
        assert!(refused.to_string().starts_with("cannot listen on 127.0.0.1:"), "{refused}");
        view.address()
    });
    let start = Instant::now();
    while std::net::TcpStream::connect(address).is_ok() {
        assert!(start.elapsed() < PATIENCE, "it is still served");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_world_is_posted_by_our_own_page_where_editing_is_allowed_only() {
    let world = "- id: ball\n  shape: {type: sphere, radius: 0.02}\n";
    let (store, view) = serve(|_| {});
    let address = view.address();
    let count = || store.snapshot().unwrap().scene.world().len();
    let foreign = format!("{}Origin: http://evil.example\r\n", own_host(address));
    let answer = post(address, "/world.yaml", &foreign, world);
    assert!(answer.starts_with("HTTP/1.1 403") && count() == 0, "{answer}");
    let answer = post(address, "/world.yaml", &own_host(address), "- id: ball\n");
    assert!(answer.starts_with("HTTP/1.1 400") && count() == 0, "{answer}");
    assert!(answer.contains("the world file: "), "{answer}");
    let own = format!("{}Origin: http://{address}\r\n", own_host(address));
    let answer = post(address, "/world.yaml", &own, world);
    assert!(answer.starts_with("HTTP/1.1 204") && count() == 1, "{answer}");

    let (store, view) = serve(|options| options.editing = false);
    let answer = post(view.address(), "/world.yaml", &own_host(view.address()), world);
    assert!(answer.ends_with("editing is switched off"), "{answer}");
    assert!(store.snapshot().unwrap().scene.world().is_empty());
}

#[test]
fn a_filter_is_of_one_viewer_and_leaves_with_it() {
    let (_store, view) = serve(|_| {});
    let (mut one, mut other) = (Viewer::connect(view.address()), Viewer::connect(view.address()));
    one.send(r#"{"do":"between","a":["r_index"],"b":[]}"#);
    let filtered = one.wait_for("frame", |frame| frame["table"]["between"][0][0] == "r_index");
    let names = |pair: &Value| [pair["a"].as_str().unwrap(), pair["b"].as_str().unwrap()].concat();
    let pairs = filtered["table"]["pairs"].as_array().unwrap();
    assert!(pairs.len() == 12 && pairs.iter().all(|pair| names(pair).contains("r_index")));
    other.send(r#"{"do":"seek","time":6.0}"#);
    let frame = other.wait_for("frame", |frame| frame["time"] == 6.0);
    assert_eq!(frame["table"]["between"], serde_json::json!([["r_hand"], ["l_hand"]]));
    // Contacts are counted whatever a table lists.
    let filtered = one.wait_for("frame", |frame| frame["time"] == 6.0);
    assert_eq!(filtered["contacts"], frame["contacts"]);
    assert!(frame["contacts"].as_u64().unwrap() > 5);
    drop(one);
    let again = Viewer::connect(view.address()).wait_for("frame", |_| true);
    assert_eq!(again["table"]["between"], serde_json::json!([["r_hand"], ["l_hand"]]));
}
