//! Where points are with respect to the scene.

use std::collections::HashMap;

use super::question::certified;
use crate::convert::frames::frame;
use crate::convert::pose::{point, point_message, vector_message};
use crate::convert::{Refusal, Status};
use crate::interfaces::geometry_msgs::msg::Point;
use crate::interfaces::srv::{self, QueryPointsRequest, QueryPointsResponse};
use crate::math::Vec3;
use crate::node::{Context, Service};
use crate::scene::{BodyId, NearestToPoint, PlanningScene, PointQuery};

/// The place of the nearest body where there is none.
const FAR: i32 = -1;

/// Largest coordinate of a point in the frame of the root, m; that of objects.
const FARTHEST: f64 = 1e6;

/// `~/query_points`.
#[derive(Debug, Clone, Copy, Default)]
pub struct QueryPoints;

impl Service for QueryPoints {
    type Type = srv::QueryPoints;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: QueryPointsRequest,
    ) -> Result<QueryPointsResponse, Refusal> {
        let snapshot = context.snapshot()?;
        let scene = &snapshot.scene;
        check(context, &request)?;
        let named = |error| Refusal::bad_request(format!("bodies: {error}"));
        let bodies = scene.body_set(&request.bodies).map_err(named)?;
        let poses = context.link_poses(scene, &request.joint_state);
        let field = || "header.frame_id".to_owned();
        let at = frame(scene, &request.header, &context.frames(&poses), &field)?;
        let positions = context.positions(&snapshot, &request.joint_state)?;
        let options = if request.certify { certified(context.query) } else { *context.query };
        let query = PointQuery::new(scene, &positions, bodies.as_ref(), &options)?;
        let in_root = |(k, message): (usize, &Point)| {
            let given = point(message, &|| format!("points[{k}]"))?;
            in_reach(at.transform_point(&given.into()).coords, k)
        };
        let points = request.points.iter().enumerate().map(in_root);
        let points = points.collect::<Result<Vec<Vec3>, Refusal>>()?;
        let mut response = QueryPointsResponse { revision: snapshot.revision, ..Default::default() };
        let mut places = HashMap::new();
        for mut found in query.nearest_to_each(&points, request.max_distance) {
            if let Some(found) = &mut found {
                let answer = &mut found.projection;
                answer.projection_w = at.inverse_transform_point(&answer.projection_w.into()).coords;
                answer.normal_w = at.inverse_transform_vector(&answer.normal_w);
            }
            add(&mut response, scene, &mut places, found);
        }
        response.status = Status::Ok as u8;
        Ok(response)
    }

    fn refuse(&self, refusal: Refusal) -> QueryPointsResponse {
        QueryPointsResponse {
            status: refusal.status as u8,
            message: refusal.message,
            ..QueryPointsResponse::default()
        }
    }

    fn refusal(response: &QueryPointsResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}

fn check(context: &Context<'_>, request: &QueryPointsRequest) -> Result<(), Refusal> {
    let (count, most) = (request.points.len(), context.limits.cloud_points);
    if count > most {
        let reason = format!("points has {count} points, must be at most {most}");
        return Err(Refusal::bad_request(reason));
    }
    let farthest = request.max_distance;
    if farthest.is_nan() || farthest < 0.0 {
        let reason = format!("max_distance is {farthest}, must be 0 or more");
        return Err(Refusal::bad_request(reason));
    }
    Ok(())
}

/// A point seen from the root, unless it is farther away than objects may be: distances from there could overflow.
fn in_reach(point: Vec3, index: usize) -> Result<Vec3, Refusal> {
    if point.iter().all(|x| x.abs() <= FARTHEST) {
        return Ok(point);
    }
    let [x, y, z]: [f64; 3] = point.into();
    let place = format!("points[{index}] is at [{x:e}, {y:e}, {z:e}] in the frame of the root");
    Err(Refusal::bad_request(format!("{place}, must be within {FARTHEST:e} m of it")))
}

/// Adds the answer about one point.
fn add(
    response: &mut QueryPointsResponse,
    scene: &PlanningScene,
    places: &mut HashMap<BodyId, i32>,
    found: Option<NearestToPoint>,
) {
    let Some(NearestToPoint { body, part, projection }) = found else {
        response.body.push(FAR);
        response.part.push(0);
        for numbers in [&mut response.distance, &mut response.lower, &mut response.upper] {
            numbers.push(f64::NAN);
        }
        response.nearest.push(point_message(&Vec3::repeat(f64::NAN)));
        response.normal.push(vector_message(&Vec3::repeat(f64::NAN)));
        return;
    };
    let place = *places.entry(body).or_insert_with(|| {
        response.names.push(scene.body_name(body).to_owned());
        i32::try_from(response.names.len() - 1).expect("a scene has fewer bodies, see limits")
    });
    response.body.push(place);
    response.part.push(part);
    response.distance.push(projection.distance);
    response.lower.push(projection.lower);
    response.upper.push(projection.upper);
    response.nearest.push(point_message(&projection.projection_w));
    response.normal.push(vector_message(&projection.normal_w));
}
