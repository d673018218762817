//! Drawing and the game without a browser: what is saved, used and refused.

use smooth_scene_test_support::viewer::{Viewer, get, serve, serve_nothing};

#[test]
fn a_sketch_is_saved_and_used_when_it_is_a_robot() {
    let (store, view) = serve_nothing();
    let host = format!("Host: {}\r\n", view.address());
    let file = |name: &str| get(view.address(), name, &host);
    for name in ["/sketch.urdf", "/sketch.srdf"] {
        let answer = file(name);
        assert!(answer.starts_with("HTTP/1.1 409"), "{answer}");
        assert!(answer.ends_with("nothing is drawn yet: draw a bone first"), "{answer}");
    }
    let mut viewer = Viewer::connect(view.address());
    let add = |name: &str| {
        format!(
            r#"{{"do":"sketch","ask":"edit","edit":{{"of":"preset","name":"{name}","at":null}}}}"#
        )
    };
    viewer.send(&add("finger"));
    viewer.wait_for("sketch", |sketch| sketch["undo"] == 1 && sketch["problem"].is_null());
    assert!(file("/sketch.urdf").contains("attachment; filename=\"sketch.urdf\""));
    assert!(file("/sketch.srdf").contains("<group name=\"distal_chain\">"));
    // A second one that hangs on nothing.
    viewer.send(&add("finger"));
    let sketch = viewer.wait_for("sketch", |sketch| sketch["undo"] == 2);
    assert_eq!(
        sketch["problem"],
        "`knuckle_2` does not hang on `knuckle`: draw a bone that joins them, or remove it"
    );
    assert!(viewer.refusal_of(r#"{"do":"sketch","ask":"use"}"#).starts_with("`knuckle_2`"));
    viewer.send(r#"{"do":"sketch","ask":"undo"}"#);
    viewer.send(r#"{"do":"sketch","ask":"use"}"#);
    viewer.wait_for("scene", |scene| scene["links"].as_array().unwrap().len() == 5);
    assert_eq!(store.snapshot().unwrap().scene.model().position_count(), 3);
    let body = |text: String| text.split_once("\r\n\r\n").unwrap().1.to_owned();
    assert_eq!(body(file("/robot.urdf")), body(file("/sketch.urdf")));
    assert!(viewer.refusal_of(r#"{"do":"sketch","ask":"sing"}"#).starts_with("not a command"));
}

#[test]
fn who_may_not_edit_may_not_draw() {
    let (_store, view) = serve(|options| options.editing = false);
    let mut viewer = Viewer::connect(view.address());
    let clear = r#"{"do":"sketch","ask":"edit","edit":{"of":"clear"}}"#;
    assert_eq!(viewer.refusal_of(clear), "editing is switched off");
}

#[test]
fn a_game_ends_with_its_robot_and_needs_a_hand() {
    let (_store, view) = serve_nothing();
    let mut viewer = Viewer::connect(view.address());
    let start = r#"{"do":"game","ask":"start","seed":1}"#;
    assert!(viewer.refusal_of(start).contains("no link moves enough"));
    let arm = r#"{"do":"sketch","ask":"edit","edit":{"of":"preset","name":"arm","at":null}}"#;
    let clear = r#"{"do":"sketch","ask":"edit","edit":{"of":"clear"}}"#;
    let finger = r#"{"do":"sketch","ask":"edit","edit":{"of":"preset","name":"finger","at":null}}"#;
    let put = r#"{"do":"sketch","ask":"use"}"#;
    viewer.send(arm);
    viewer.send(put);
    viewer.send(start);
    let game = viewer.wait_for("game", |game| game["steps"].as_u64() > Some(3));
    assert_eq!(game["hand"], "hand");
    viewer.send(r#"{"do":"game","ask":"pause","paused":true}"#);
    viewer.wait_for("game", |game| game["paused"] == true);
    for command in [clear, finger, put] {
        viewer.send(command);
    }
    viewer.wait_for("game", |game| game["stopped"] == true);
}
