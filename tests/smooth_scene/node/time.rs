//! Simulated time, and a clock that jumps.

use super::rig::{Rig, receive, until};
use smooth_scene::cdr;
use smooth_scene::interfaces::builtin_interfaces::msg::Time;
use smooth_scene::interfaces::msg::ProximityArray;
use smooth_scene::interfaces::rosgraph_msgs;
use smooth_scene::interfaces::srv::GetDistanceResponse as Response;
use smooth_scene::transport::{Publisher, Qos};

fn tick(publisher: &dyn Publisher, rig: &Rig, seconds: i32) {
    let clock = Time { sec: seconds, nanosec: 0 };
    publisher.publish(&cdr::encode(&rosgraph_msgs::msg::Clock { clock })).unwrap();
    until("the time is heard", || rig.node.clock().now() == i64::from(seconds) * 1_000_000_000);
}

fn say(rig: &Rig) {
    rig.publish_joints(&["left_x", "right_x"], &[0.0, 0.0]);
}

#[test]
fn ages_are_measured_in_simulated_time_and_start_again_when_it_jumps_back() {
    for qos in [Qos::best_effort(1), Qos::reliable(10)] {
        let rig = Rig::bare(&["use_sim_time:=true", "max_state_age:=5.0"]);
        let clock = rig.publisher("/clock", "rosgraph_msgs/msg/Clock", qos);
        let _held = rig.publish_text("robot_description", super::rig::TWO_BALLS);
        tick(&*clock, &rig, 100);
        say(&rig);
        until("the state is known", || rig.distance().status == Response::OK);
        tick(&*clock, &rig, 105);
        assert_eq!(rig.distance().status, Response::OK);
        tick(&*clock, &rig, 106);
        let stale = rig.distance();
        assert_eq!(stale.status, Response::NO_STATE);
        assert!(
            stale.message.contains("left_x") && stale.message.contains('6'),
            "{}",
            stale.message
        );
        say(&rig);
        until("the state is known", || rig.distance().status == Response::OK);

        // A bag starts again. What was heard belongs to another time, what comes now counts.
        tick(&*clock, &rig, 3);
        assert_eq!(rig.distance().status, Response::NO_STATE);
        say(&rig);
        until("the state is known again", || rig.distance().status == Response::OK);
        tick(&*clock, &rig, 8);
        assert_eq!(rig.distance().status, Response::OK);
        tick(&*clock, &rig, 9);
        assert_eq!(rig.distance().status, Response::NO_STATE);
    }
}

#[test]
fn publishing_goes_on_after_a_jump_with_stamps_of_the_new_time() {
    let rig = Rig::bare(&["use_sim_time:=true", "publish_rate:=200.0"]);
    let clock = rig.publisher("/clock", "rosgraph_msgs/msg/Clock", Qos::reliable(10));
    let _held = rig.publish_text("robot_description", super::rig::TWO_BALLS);
    let messages = rig.listen::<ProximityArray>(
        "/scene_node/proximities",
        "smooth_scene/msg/ProximityArray",
        Qos::best_effort(5),
    );
    for seconds in [1000, 1001, 10, 11] {
        tick(&*clock, &rig, seconds);
        until("the state is known", || {
            say(&rig);
            rig.distance().status == Response::OK
        });
        let message = receive(&messages, "a message of this time", |m| {
            m.header.stamp.sec == seconds && m.status != ProximityArray::NOT_COMPUTED
        });
        assert_eq!(message.header.frame_id, "base");
    }
}

#[test]
fn simulated_time_is_switched_on_and_off_while_running() {
    let rig = Rig::with_balls(&[]);
    let clock = rig.publisher("/clock", "rosgraph_msgs/msg/Clock", Qos::reliable(10));
    let set = |on: bool| {
        let value = smooth_scene::interfaces::rcl_interfaces::msg::ParameterValue {
            type_: 1,
            bool_value: on,
            ..Default::default()
        };
        let name = "use_sim_time".to_string();
        let change = smooth_scene::interfaces::rcl_interfaces::msg::Parameter { name, value };
        rig.node.set_parameters(&[change]).unwrap();
    };
    set(true);
    tick(&*clock, &rig, 77);
    assert_eq!(rig.distance().status, Response::NO_STATE);
    say(&rig);
    until("the state is known", || rig.distance().status == Response::OK);
    set(false);
    assert!(rig.node.clock().now() > 1_600_000_000_000_000_000);
    assert_eq!(rig.distance().status, Response::NO_STATE);
    say(&rig);
    until("the state is known", || rig.distance().status == Response::OK);
}
