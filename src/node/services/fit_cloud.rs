//! A point cloud into smooth objects.

use std::sync::Arc;

use crate::convert::change::check_object_count;
use crate::convert::frames::frame;
use crate::convert::object::object_message;
use crate::convert::point_cloud::points;
use crate::convert::{Refusal, Status};
use crate::fit::SurfaceKind;
use crate::fit::cloud::{CloudError, FoundScene, PointCloud, SceneOptions, find_objects};
use crate::geometry::Shape;
use crate::interfaces::msg::FoundObject;
use crate::interfaces::srv::{self, FitCloudRequest, FitCloudResponse};
use crate::math::{Pose, Vec3};
use crate::node::{Context, Service};
use crate::robot::LinkPoses;
use crate::scene::{PlanningScene, SceneObject, Snapshot, WorldChange};

/// The set of objects if the request names none.
const DEFAULT_SET: &str = "cloud";

/// `~/fit_cloud`.
#[derive(Debug, Clone, Copy, Default)]
pub struct FitCloud;

/// What to do with what is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Return,
    Add,
    Replace,
}

impl Service for FitCloud {
    type Type = srv::FitCloud;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: FitCloudRequest,
    ) -> Result<FitCloudResponse, Refusal> {
        let work = context.fitting.begin();
        let snapshot = context.snapshot()?;
        let action = action(&request)?;
        let set = set_name(&request)?;
        let options = options(&request)?;
        let scene = &snapshot.scene;
        let (cloud, robot) = seen(context, scene, &request)?;
        let surfaces: Vec<(Pose, &Shape)> = robot.iter().map(|(at, shape)| (*at, shape)).collect();
        let found = in_own_threads(|| {
            let is_cancelled = || work.cancelled().is_some();
            find_objects(cloud.points(), &surfaces, &options, &|_, _| {}, &is_cancelled)
        })?;
        let found = found.map_err(|error| match (error, work.cancelled()) {
            (CloudError::Cancelled, Some(reason)) => Refusal::failed(format!("cancelled: {reason}")),
            (error, _) => Refusal::bad_request(error),
        })?;
        let (objects, revision) = match action {
            Action::Return => (named(scene, &set, action, &found)?, snapshot.revision),
            Action::Add | Action::Replace => apply(context, &snapshot, &set, action, &found)?,
        };
        Ok(response(scene, &cloud, &found, &objects, revision))
    }

    fn refuse(&self, refusal: Refusal) -> FitCloudResponse {
        FitCloudResponse {
            status: refusal.status as u8,
            message: refusal.message,
            ..FitCloudResponse::default()
        }
    }

    fn refusal(response: &FitCloudResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}

fn action(request: &FitCloudRequest) -> Result<Action, Refusal> {
    match request.action {
        FitCloudRequest::RETURN => Ok(Action::Return),
        FitCloudRequest::ADD => Ok(Action::Add),
        FitCloudRequest::REPLACE => Ok(Action::Replace),
        other => Err(Refusal::bad_request(format!("action is {other}, must be 1 to 3"))),
    }
}

/// The set and the slash behind it: the beginning of the ids of its objects.
fn set_name(request: &FitCloudRequest) -> Result<String, Refusal> {
    let set = &request.set;
    if set.contains('/') {
        return Err(Refusal::bad_request(format!("set is `{set}`, must not contain a slash")));
    }
    Ok(format!("{}/", if set.is_empty() { DEFAULT_SET } else { set }))
}

/// The options of the request; zeros stand for the defaults.
fn options(request: &FitCloudRequest) -> Result<SceneOptions, Refusal> {
    let given = |number: f64, default: f64| if number == 0.0 { default } else { number };
    let mut options = SceneOptions::default();
    options.robot_padding = given(request.robot_margin, options.robot_padding);
    options.gap = given(request.gap, options.gap);
    options.table_share = given(request.table_share, options.table_share);
    if request.min_points > 0 {
        options.min_points = request.min_points as usize;
    }
    if request.seed > 0 {
        options.closest.seed = request.seed;
    }
    if !request.kinds.is_empty() {
        let kind = |(k, name): (usize, &String)| {
            SurfaceKind::by_name(name)
                .ok_or_else(|| Refusal::bad_request(format!("kinds[{k}]: no kind `{name}`")))
        };
        options.closest.kinds = request.kinds.iter().enumerate().map(kind).collect::<Result<_, _>>()?;
    }
    options.check().map_err(Refusal::bad_request)?;
    Ok(options)
}

/// The cloud and the surfaces of the robot that may be in it, both in the root.
fn seen(
    context: &Context<'_>,
    scene: &PlanningScene,
    request: &FitCloudRequest,
) -> Result<(PointCloud, Vec<(Pose, Shape)>), Refusal> {
    let poses = context.link_poses(scene, &request.joint_state);
    let field = || "cloud.header.frame_id".to_owned();
    let at = frame(scene, &request.cloud.header, &context.frames(&poses), &field)?;
    let in_root = |point: Vec3| at.rotation * point + at.translation.vector;
    let points = points(&request.cloud, context.limits)?.into_iter().map(in_root).collect();
    let cloud = PointCloud::new(points).map_err(|why| Refusal::bad_request(why).within("cloud"))?;
    if cloud.points().is_empty() {
        let count = cloud.skipped();
        let reason = format!("cloud has no point with finite coordinates ({count} without)");
        return Err(Refusal::bad_request(reason));
    }
    let robot = match request.keep_robot {
        true => Vec::new(),
        false => robot_surfaces(scene, poses.get().as_ref().map_err(Clone::clone)?),
    };
    Ok((cloud, robot))
}

/// The surfaces of all links and of what they carry, in the root.
fn robot_surfaces(scene: &PlanningScene, poses: &LinkPoses) -> Vec<(Pose, Shape)> {
    let model = scene.model();
    let mut surfaces = Vec::new();
    for id in model.link_ids() {
        let of_link = model.link(id).collisions.iter();
        surfaces.extend(of_link.map(|s| (poses[id] * s.pose_in_link, s.shape.clone())));
    }
    for attached in scene.attached() {
        let at = poses[attached.link] * attached.object.pose();
        attached.object.for_each_part(|part, shape| surfaces.push((at * part, shape.clone())));
    }
    surfaces
}

/// Does the work in threads of its own, half as many as there are cores: those that all share must stay free for requests
/// that take milliseconds.
fn in_own_threads<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Refusal> {
    let cores = std::thread::available_parallelism().map_err(Refusal::failed)?;
    let threads = cores.get().div_ceil(2);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool.map_err(Refusal::failed)?.install(work))
}

/// The found objects with ids that are free in this scene, or will be when the set is replaced.
fn named(
    scene: &PlanningScene,
    set: &str,
    action: Action,
    found: &FoundScene,
) -> Result<Vec<SceneObject>, Refusal> {
    let is_free = |id: &str| match scene.body(id) {
        None => true,
        Some(_) => action == Action::Replace && scene.world().by_name(id).is_some(),
    };
    let mut next = 0;
    let mut object_id = || loop {
        let id = format!("{set}object_{next}");
        next += 1;
        if is_free(&id) {
            return id;
        }
    };
    let table_id = || {
        let first = format!("{set}table");
        let others = (1u64..).map(|k| format!("{set}table_{k}"));
        let mut all = std::iter::once(first).chain(others);
        all.find(|id| is_free(id)).expect("a scene has fewer objects than there are numbers")
    };
    let table = found.table.iter();
    let table = table.map(|table| (table_id(), Pose::identity(), table.shape.clone()));
    let table: Vec<_> = table.collect();
    let others = found.objects.iter().map(|object| {
        (object_id(), object.surface.pose(), object.surface.shape.clone())
    });
    let object = |(id, at, shape): (String, Pose, Shape)| {
        Ok(SceneObject::simple(&id, at, shape)?)
    };
    table.into_iter().chain(others).map(object).collect()
}

/// Puts what was found into the scene as it is by now.
fn apply(
    context: &Context<'_>,
    seen: &Arc<Snapshot>,
    set: &str,
    action: Action,
    found: &FoundScene,
) -> Result<(Vec<SceneObject>, u64), Refusal> {
    let root = |scene: &PlanningScene| {
        let model = scene.model();
        model.link(model.root()).name.clone()
    };
    let changed = context.store.change(|scene| {
        if root(scene) != root(&seen.scene) {
            return Err(Refusal::bad_request("the robot was replaced meanwhile; ask again"));
        }
        let objects = named(scene, set, action, found)?;
        if action == Action::Replace {
            let world = scene.world().iter().map(|(_, object)| object.name().to_owned());
            let old: Vec<String> = world.filter(|id| id.starts_with(set)).collect();
            for name in old {
                scene.apply(WorldChange::Remove { name })?;
            }
        }
        for object in &objects {
            check_object_count(scene, context.limits)?;
            scene.apply(WorldChange::Add(object.clone()))?;
        }
        Ok(objects)
    });
    let (objects, snapshot) = changed?;
    Ok((objects, snapshot.revision))
}

fn response(
    scene: &PlanningScene,
    cloud: &PointCloud,
    found: &FoundScene,
    objects: &[SceneObject],
    revision: u64,
) -> FitCloudResponse {
    let count = |count: usize| u32::try_from(count).expect("a cloud has fewer points, see limits");
    let table = found.table.iter().map(|table| FoundObject {
        points: count(table.points),
        explained: 1.0,
        ..FoundObject::default()
    });
    let others = found.objects.iter().map(|object| FoundObject {
        points: count(object.points),
        explained: object.explained,
        mean_distance: object.mean_distance,
        reason: object.reason.as_ref().map_or_else(String::new, ToString::to_string),
        ..FoundObject::default()
    });
    let with_object = |(facts, object): (FoundObject, &SceneObject)| FoundObject {
        object: object_message(scene, object),
        ..facts
    };
    FitCloudResponse {
        message: String::new(),
        revision,
        objects: table.chain(others).zip(objects).map(with_object).collect(),
        not_finite: count(cloud.skipped()),
        of_robot: count(found.of_robot),
        scattered: count(found.scattered),
        status: Status::Ok as u8,
    }
}
