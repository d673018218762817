//! A cloud takes seconds: other questions are answered meanwhile.

use super::lifecycle::change;
use super::rig::{PATIENCE, Rig, TWO_BALLS, quoted};
use smooth_scene::cdr;
use smooth_scene::geometry::{Shape, tessellate};
use smooth_scene::interfaces::sensor_msgs::msg::{PointCloud2, PointField};
use smooth_scene::interfaces::srv::{FitCloudRequest, FitCloudResponse, GetDistanceResponse};
use smooth_scene::transport::Transport;
use std::sync::atomic::{AtomicBool, Ordering};

const SERVICE: &str = "/scene_node/fit_cloud";
const TYPE: &str = "smooth_scene/srv/FitCloud";

/// Boxes with rounded edges in a row, half a metre apart, above the balls of the robot.
fn boxes(count: u32) -> PointCloud2 {
    let shape = Shape::superellipsoid([0.05, 0.08, 0.11], 0.3, 0.4).unwrap();
    let vertices = tessellate(&shape, 2e-4).vertices;
    let mut data = Vec::new();
    for k in 0..count {
        for v in &vertices {
            let point = [v.x + 0.5 * f64::from(k), v.y, v.z + 1.0];
            point.iter().for_each(|x| data.extend(x.to_le_bytes()));
        }
    }
    let field = |(k, name): (u32, &str)| PointField {
        name: name.into(),
        offset: 8 * k,
        datatype: PointField::FLOAT64,
        count: 1,
    };
    PointCloud2 {
        height: 1,
        width: count * vertices.len() as u32,
        fields: (0..3).zip(["x", "y", "z"]).map(field).collect(),
        point_step: 24,
        row_step: data.len() as u32,
        data,
        ..PointCloud2::default()
    }
}

#[test]
fn distances_are_answered_while_clouds_are_fitted() {
    let rig = Rig::with_balls(&["worker_threads:=2", "max_state_age:=0.0"]);
    let request = FitCloudRequest {
        cloud: boxes(4),
        action: FitCloudRequest::ADD,
        table_share: 2.0,
        // The vertices of flat faces are far apart.
        gap: 0.2,
        ..FitCloudRequest::default()
    };
    let request = cdr::encode(&request);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let fits = (0..3).map(|_| {
            scope.spawn(|| {
                let client = rig.peer.client(SERVICE, TYPE).unwrap();
                assert!(client.wait_for_server(PATIENCE));
                let answer = client.call(&request, 6 * PATIENCE).unwrap();
                done.store(true, Ordering::SeqCst);
                cdr::decode::<FitCloudResponse>(&answer).unwrap()
            })
        });
        let fits: Vec<_> = fits.collect();
        let mut answered = 0;
        while !done.load(Ordering::SeqCst) {
            assert_eq!(rig.distance().status, GetDistanceResponse::OK);
            answered += usize::from(!done.load(Ordering::SeqCst));
        }
        assert!(answered > 0, "no distance before the first cloud");
        let mut ids = Vec::new();
        for fit in fits {
            let answer = fit.join().unwrap();
            assert_eq!(answer.status, FitCloudResponse::OK, "{}", answer.message);
            ids.extend(answer.objects.iter().map(|found| found.object.id.clone()));
        }
        // Each of the three added its own.
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 12);
    });
}

#[test]
fn a_fit_ends_when_the_node_is_deactivated() {
    let description = format!("robot_description:={}", quoted(TWO_BALLS));
    let rig = Rig::bare(&[&description, "lifecycle:=true"]);
    assert!(change(&rig, "configure") && change(&rig, "activate"));
    // So many that the answer would take minutes.
    let request = FitCloudRequest {
        cloud: boxes(200),
        action: FitCloudRequest::ADD,
        keep_robot: true,
        table_share: 2.0,
        gap: 0.2,
        ..FitCloudRequest::default()
    };
    let request = cdr::encode(&request);
    std::thread::scope(|scope| {
        let fit = scope.spawn(|| {
            let client = rig.peer.client(SERVICE, TYPE).unwrap();
            assert!(client.wait_for_server(PATIENCE));
            cdr::decode::<FitCloudResponse>(&client.call(&request, 3 * PATIENCE).unwrap()).unwrap()
        });
        assert!(change(&rig, "deactivate"));
        // Whether it was under way or came later: the caller is told.
        let answer = fit.join().unwrap();
        assert!(answer.message.contains("active"), "{}", answer.message);
        assert_ne!(answer.status, FitCloudResponse::OK);
    });
    assert_eq!(rig.node.store().snapshot().unwrap().scene.world().len(), 0);
}
