//! A point cloud over the wire.

use smooth_scene::interfaces::msg::Surface;
use smooth_scene::interfaces::srv::{
    FitCloudRequest, FitCloudResponse, GetSceneRequest, GetSceneResponse,
};

use super::node::Node;
use super::peer::{Peer, VENDORS};
use crate::services::clouds::{ball, message};

#[test]
fn all_fit_a_cloud_and_find_the_ball_in_the_scene() {
    let node = Node::hands();
    for vendor in VENDORS {
        let mut peer = Peer::start(vendor, node.domain);
        let request = FitCloudRequest {
            cloud: message("", &ball(1.3, 0.3, 0.6)),
            action: FitCloudRequest::REPLACE,
            set: format!("{vendor:?}"),
            keep_robot: true,
            table_share: 2.0,
            ..FitCloudRequest::default()
        };
        let answer: FitCloudResponse =
            peer.ask("/scene_node/fit_cloud", "smooth_scene/srv/FitCloud", &request);
        assert_eq!(answer.status, FitCloudResponse::OK, "{vendor:?}: {}", answer.message);
        let [found] = &answer.objects[..] else { panic!("{vendor:?}: {answer:?}") };
        let surface = &found.object.surfaces[0];
        assert_eq!(surface.kind, Surface::SPHERE, "{vendor:?}");
        assert!((surface.dimensions[0] - 0.05).abs() < 1e-5, "{vendor:?}: {surface:?}");
        let scene: GetSceneResponse = peer.ask(
            "/scene_node/get_scene",
            "smooth_scene/srv/GetScene",
            &GetSceneRequest::default(),
        );
        assert!(scene.objects.contains(&found.object), "{vendor:?}: {:?}", scene.objects);
    }
}
