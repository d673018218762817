//! `/tf` and `/tf_static` of real peers: requests in frames that only they know.

use smooth_scene::interfaces::geometry_msgs::msg::{Quaternion, TransformStamped};
use smooth_scene::interfaces::msg::{SceneChange, SceneObject, Surface};
use smooth_scene::interfaces::srv::{
    ApplySceneRequest, ApplySceneResponse, GetSceneRequest, GetSceneResponse,
};
use smooth_scene::interfaces::tf2_msgs::msg::TFMessage;

use super::node::Node;
use super::peer::{Handle, Peer, VENDORS};

const TF: &str = "tf2_msgs/msg/TFMessage";

/// `child` is this far along y in `parent`, at this second.
fn along_y(parent: &str, child: &str, sec: i32, y: f64) -> TFMessage {
    let mut transform = TransformStamped { child_frame_id: child.into(), ..Default::default() };
    transform.header.frame_id = parent.into();
    transform.header.stamp.sec = sec;
    transform.transform.translation.y = y;
    transform.transform.rotation = Quaternion { w: 1.0, ..Quaternion::default() };
    TFMessage { transforms: vec![transform] }
}

fn add(peer: &mut Peer, client: Handle, id: &str, frame: &str, sec: i32) -> ApplySceneResponse {
    let surface = Surface { kind: Surface::SPHERE, dimensions: vec![0.01], ..Surface::default() };
    let mut object =
        SceneObject { id: id.into(), surfaces: vec![surface], ..SceneObject::default() };
    object.header.frame_id = frame.into();
    object.header.stamp.sec = sec;
    let change = SceneChange { operation: SceneChange::ADD, object, ..SceneChange::default() };
    peer.call(client, &ApplySceneRequest { changes: vec![change] })
}

#[test]
fn frames_of_all_vendors_are_followed_and_unknown_ones_refused() {
    for vendor in VENDORS {
        let node = Node::hands();
        let mut peer = Peer::start(vendor, node.domain);
        let apply = peer.client("/scene_node/apply_scene", "smooth_scene/srv/ApplyScene");
        let get = peer.client("/scene_node/get_scene", "smooth_scene/srv/GetScene");
        let scene: GetSceneResponse = peer.call(get, &GetSceneRequest::default());
        let root = scene.frame;
        // Published before anybody asks; latched ones are there for whoever comes later.
        let fixed = peer.advertise("/tf_static", TF, "latched");
        peer.publish(fixed, &along_y("map", "shelf", 0, 0.25));
        let moving = peer.advertise("/tf", TF, "reliable");
        for (sec, y) in [(100, 1.0), (102, 3.0)] {
            peer.publish(moving, &along_y("map", &root, sec, y));
        }
        for (id, frame, sec, y) in
            [("then", "map", 101, -2.0), ("latest", "map", 0, -3.0), ("shelved", "shelf", 0, -2.75)]
        {
            let added = add(&mut peer, apply, id, frame, sec);
            assert_eq!(added.status, ApplySceneResponse::OK, "{vendor:?} {id}: {}", added.message);
            let asked = GetSceneRequest { ids: vec![id.into()], ..GetSceneRequest::default() };
            let scene: GetSceneResponse = peer.call(get, &asked);
            let at = &scene.objects[0].pose.position;
            assert_eq!((at.x, at.y, at.z), (0.0, y, 0.0), "{vendor:?} {id}");
        }
        let refused = add(&mut peer, apply, "lost", "attic", 0);
        assert_eq!(refused.status, ApplySceneResponse::NO_TRANSFORM, "{vendor:?}");
        let reason = format!("no transform from `attic` to `{root}`: frame `attic` is unknown");
        assert!(refused.message.contains(&reason), "{vendor:?}: {}", refused.message);
    }
}
