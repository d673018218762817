//! The contacts of a hand and an object in a planning scene.

use crate::grasp::wrenches::{GraspContact, GraspOptions};
use crate::mass::{MassError, Moments};
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::{Pose, Vec3};
use smooth_scene_scene::{
    Between, BodyId, BodySet, CheckRequest, NearestRequest, PairDistance, PairLevel, PlanningScene,
    SceneError, SceneObject, Workspace,
};

/// Contacts of one state, with the bodies of the hand that they are on.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneContacts {
    /// Links or attached objects of the hand, one for each contact.
    pub bodies: Vec<BodyId>,
    /// The contacts.
    pub contacts: Vec<GraspContact>,
    /// What the scene found of each: surfaces, distance, witnesses.
    pub pairs: Vec<PairDistance>,
}

/// Where surfaces of a hand are within `margin` of an object of the world, m, each pair of convex surfaces once: the point midway between the
/// witnesses, with the normal into the object. Pairs that the scene allows to touch are not looked at.
pub fn scene_contacts(
    scene: &PlanningScene,
    positions: &[f64],
    hand: &BodySet,
    object: BodyId,
    margin: f64,
    friction: f64,
    ws: &mut Workspace,
) -> Result<SceneContacts, SceneError> {
    let between = Between { a: Some(hand.clone()), b: Some(BodySet::of([object])) };
    let request = NearestRequest {
        check: CheckRequest { between, ..CheckRequest::default() },
        max_distance: margin,
        level: PairLevel::Surfaces,
        ..NearestRequest::default()
    };
    let mut near = Vec::new();
    scene.nearest(positions, &request, ws, &mut near)?;
    let mut found = SceneContacts { bodies: Vec::new(), contacts: Vec::new(), pairs: Vec::new() };
    for pair in near {
        let distance = &pair.distance;
        let point_w = 0.5 * (distance.witness_a_w + distance.witness_b_w);
        // From A to B; the object may be either.
        let (body, normal_w) = match pair.body_b == object {
            true => (pair.body_a, distance.normal_ab_w),
            false => (pair.body_b, -distance.normal_ab_w),
        };
        found.bodies.push(body);
        found.contacts.push(GraspContact { point_w, normal_w, friction });
        found.pairs.push(pair);
    }
    Ok(found)
}

/// The options for an object: moments about its centre of volume, in multiples of the largest distance that a part of it has from there.
pub fn object_options(object: &SceneObject, edges: u32) -> Result<GraspOptions, MassError> {
    let mut sum: Option<Moments> = None;
    let mut balls: Vec<(Vec3, f64)> = Vec::new();
    let mut failed = None;
    object.for_each_part(|local: &Pose, shape| {
        let pose = object.pose() * local;
        match Moments::of(shape) {
            Ok(moments) => {
                let moments = moments.posed(&pose);
                sum = Some(sum.map_or(moments, |sum| sum.plus(&moments)));
                let ball = shape.bounding_sphere();
                let center = pose.rotation * ball.center + pose.translation.vector;
                balls.push((center, ball.radius));
            }
            Err(error) => failed = Some(error),
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let center_w = sum.expect("an object has at least one shape").center();
    let reach = |(center, radius): &(Vec3, f64)| (center - center_w).norm() + radius;
    let length = balls.iter().map(reach).fold(0f64, f64::max);
    Ok(GraspOptions { center_w, length, edges })
}
