//! `query` on bodies that move.

use super::{BALLS, FLOOR, SPHERE, answer, assert_all_close, assert_close, body, pair};
use serde_json::Value;

#[test]
fn moving_spheres_meet_at_the_root_of_a_quadratic() {
    // Centres at (-4 + 8t, 1): |c|² = 4 where (8t - 4)² = 3.
    let moving =
        r#"{"shape":{"type":"sphere","radius":1},"pose":{"xyz":[-4,1,0]},"to":{"xyz":[4,1,0]}}"#;
    let expected = 0.5 - 3f64.sqrt() / 8.0;
    for arguments in [&[][..], &["--repeat", "3"], &["--certify"]] {
        let found = answer(pair(SPHERE, moving), arguments);
        assert_close(&found["time"], expected, 1e-9);
        assert_close(&found["closest_time"], expected, 1e-9);
        assert_close(&found["free_until"], expected, 1e-8);
        assert!(found["free_until"].as_f64().unwrap() <= expected);
        assert_close(&found["distance"], 0.0, 1e-9);
        assert_all_close(&found["point_a"], &[-(0.75f64.sqrt()), 0.5, 0.0], 1e-7);
        assert_eq!(found["status"], "certified");
    }
    let passing =
        r#"{"shape":{"type":"sphere","radius":1},"pose":{"xyz":[-4,3,0]},"to":{"xyz":[4,3,0]}}"#;
    let found = answer(pair(SPHERE, passing), &["--gradient"]);
    assert_eq!((&found["time"], &found["free_until"]), (&Value::Null, &Value::from(1.0)));
    assert_close(&found["closest_time"], 0.5, 1e-3);
    assert_close(&found["distance"], 1.0, 1e-6);
    assert!(found["motion_lower"].as_f64().unwrap() <= 1.0);
    assert_close(&found["motion_lower"], 1.0, 1e-5);
    // At the closest moment the gradient is that of two spheres side by side.
    assert_all_close(&found["gradient_b"], &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0], 1e-3);
    // Overlap at the start is contact at time zero.
    let inside =
        r#"{"shape":{"type":"sphere","radius":1},"pose":{"xyz":[1,0,0]},"to":{"xyz":[9,0,0]}}"#;
    let found = answer(pair(SPHERE, inside), &[]);
    assert_eq!((&found["time"], &found["free_until"]), (&Value::from(0.0), &Value::from(0.0)));
    assert_close(&found["distance"], -1.0, 1e-12);
}

#[test]
fn half_spaces_and_compounds_may_take_part_in_a_motion() {
    let falling = r#"{"shape":{"type":"sphere","radius":1},"pose":{"xyz":[0,0,9]},"to":{"xyz":[0,0,-7],"quat":[1,0,0,1]}}"#;
    // From height 9 by 16 downwards, first contact at height 1.5.
    let found = answer(pair(&body(FLOOR, [3.0, 0.0, 0.0]), falling), &[]);
    assert_close(&found["time"], 7.5 / 16.0, 1e-9);
    let rising =
        r#"{"shape":{"type":"half_space","normal":[0,0,1],"offset":0},"to":{"xyz":[1,0,4]}}"#;
    let found =
        answer(pair(rising, &body(r#"{"type":"sphere","radius":1}"#, [0.0, 0.0, 3.0])), &[]);
    assert_close(&found["time"], 0.5, 1e-9);
    // Between the parts, which the convex hull of the compound would not let pass.
    let found = answer(pair(&body(BALLS, [0.0; 3]), falling), &[]);
    assert_eq!((&found["time"], &found["free_until"]), (&Value::Null, &Value::from(1.0)));
    assert_close(&found["distance"], 1.5, 1e-5);
    // Onto the ball: contact of 1 + 0.5 at height 1.5.
    let found = answer(pair(&body(BALLS, [0.0, -3.0, 0.0]), falling), &[]);
    assert_close(&found["time"], 7.5 / 16.0, 1e-8);
}
