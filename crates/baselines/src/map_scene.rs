//! Signed distance maps as obstacles around a robot [lecture, "Signed Distance Maps"].
//!
//! A [`MapScene`] is a planning scene and mapped bodies beside it, which need not be convex. It is asked about one state at a time. Like
//! those of a scene, its answers are proven: a surface of the robot is free of a map when the lower bound of its clearance is above
//! zero, and nothing else counts as free.

use crate::distance_map::{DistanceMap, MapClearance, MapSearch};
use smooth_scene_geometry::ConvexSurface;
use smooth_scene_geometry::math::Pose;
use smooth_scene_scene::{BodyId, PlanningScene, RobotSurface, SceneError};

/// A mapped body that stands around the robot.
#[derive(Debug, Clone)]
pub struct MapObstacle {
    /// Its name, by which the scene's matrix of allowed collisions and its margins know it.
    pub name: String,
    /// Its signed distances, in its own frame.
    pub map: DistanceMap,
    /// Where it is, in the frame of the robot's root.
    pub pose_w: Pose,
}

/// How near a surface of the robot comes to a mapped body. A padding of the link and a margin of the pair are subtracted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObstacleClearance {
    /// The link or the attached object.
    pub body: BodyId,
    /// Which of its convex surfaces, compounds taken apart.
    pub part: u32,
    /// Place of the mapped body among the obstacles.
    pub obstacle: usize,
    /// Bounds, and the nearest point of the surface without its padding.
    pub clearance: MapClearance,
}

impl ObstacleClearance {
    /// Whether the surface is proven to be apart from the obstacle. What is not proven is not free.
    pub fn is_free(&self) -> bool {
        self.clearance.lower > 0.0
    }

    /// Whether the surface is proven to touch the obstacle.
    pub fn touches(&self) -> bool {
        self.clearance.upper <= 0.0
    }
}

/// A robot in its world, and mapped bodies around it.
#[derive(Debug, Clone)]
pub struct MapScene {
    scene: PlanningScene,
    obstacles: Vec<MapObstacle>,
}

/// A surface and an obstacle that may not touch, before they are looked at closely.
struct Candidate<'a> {
    surface: RobotSurface<'a>,
    obstacle: usize,
    /// What padding and margin take from the clearance.
    growth: f64,
    /// The clearance is not below this.
    lower: f64,
}

impl MapScene {
    /// A scene and mapped bodies around its robot, whose names nothing else has.
    pub fn new(scene: PlanningScene, obstacles: Vec<MapObstacle>) -> Result<Self, SceneError> {
        for (place, MapObstacle { name, pose_w, .. }) in obstacles.iter().enumerate() {
            let taken = |by| SceneError::NameTaken { name: name.clone(), by };
            if scene.body(name).is_some() {
                return Err(taken("a link or an object"));
            }
            if obstacles[..place].iter().any(|other| other.name == *name) {
                return Err(taken("another map"));
            }
            let numbers = pose_w.translation.vector.iter().chain(pose_w.rotation.coords.iter());
            if let Some(bad) = numbers.copied().find(|x| !x.is_finite()) {
                let (what, name, value) = ("the pose", name.clone(), bad.to_string());
                return Err(SceneError::BadPose { what, name, value, range: "finite" });
            }
        }
        Ok(Self { scene, obstacles })
    }

    /// The scene without the maps.
    pub fn scene(&self) -> &PlanningScene {
        &self.scene
    }

    /// The mapped bodies.
    pub fn obstacles(&self) -> &[MapObstacle] {
        &self.obstacles
    }

    /// Whether the robot is proven free of all maps at these positions. Whether it is free of itself and of the rest of the world
    /// is a question for [`scene`](Self::scene).
    pub fn is_free(&self, positions: &[f64]) -> Result<bool, SceneError> {
        let decided = MapSearch { max_distance: 0.0, ..MapSearch::default() };
        Ok(self.clearances(positions, 0, &decided)?.is_empty())
    }

    /// Every pair of a surface of the robot and an obstacle that is not proven free, then the `nearest` others, each group by its lower
    /// bounds. Of pairs that may touch nothing is said.
    pub fn clearances(
        &self,
        positions: &[f64],
        nearest: usize,
        search: &MapSearch,
    ) -> Result<Vec<ObstacleClearance>, SceneError> {
        let (mut open, mut free) = (Vec::new(), Vec::new());
        for candidate in self.candidates(positions)? {
            // Only a pair nearer than the last of those listed has to be looked at.
            let last = nearest.checked_sub(1).and_then(|last| free.get(last));
            let known = match last {
                Some(last) => upper_of(last),
                None if nearest > 0 => f64::INFINITY,
                None => 0.0,
            };
            let limit = known.min(search.max_distance.max(0.0));
            if candidate.lower > limit {
                continue;
            }
            let found = self.look_at(&candidate, &MapSearch { max_distance: limit, ..*search });
            if !found.is_free() {
                open.push(found);
            } else if found.clearance.lower <= limit {
                let place = free.partition_point(|other| upper_of(other) <= upper_of(&found));
                free.insert(place, found);
                free.truncate(nearest);
            }
        }
        for group in [&mut open, &mut free] {
            group.sort_by(|p, q| {
                let order = p.clearance.lower.total_cmp(&q.clearance.lower);
                order.then((p.body, p.part, p.obstacle).cmp(&(q.body, q.part, q.obstacle)))
            });
        }
        open.append(&mut free);
        Ok(open)
    }

    /// The pairs that may not touch, nearest balls first.
    fn candidates(&self, positions: &[f64]) -> Result<Vec<Candidate<'_>>, SceneError> {
        let mut found = Vec::new();
        for surface in self.scene.robot_surfaces(positions)? {
            let name = self.scene.body_name(surface.body);
            let ball = surface.shape.bounding_sphere();
            let center_w = surface.pose_w.transform_point(&ball.center.into());
            for (obstacle, at) in self.obstacles.iter().enumerate() {
                if self.scene.acm().decide(name, &at.name).allowed {
                    continue;
                }
                let growth = surface.padding + self.scene.sizes().margin(name, &at.name);
                let center = at.pose_w.inverse_transform_point(&center_w).coords;
                // A half-space has no ball.
                let lower = at.map.at(&center).lower - ball.radius - growth;
                let lower = if lower.is_nan() { f64::NEG_INFINITY } else { lower };
                found.push(Candidate { surface: surface.clone(), obstacle, growth, lower });
            }
        }
        found.sort_by(|p, q| p.lower.total_cmp(&q.lower));
        Ok(found)
    }

    fn look_at(&self, candidate: &Candidate, search: &MapSearch) -> ObstacleClearance {
        let Candidate { surface, obstacle, growth, .. } = candidate;
        let at = &self.obstacles[*obstacle];
        let search = MapSearch { max_distance: search.max_distance + growth, ..*search };
        let mut clearance = at.map.clearance(&at.pose_w, surface.shape, &surface.pose_w, &search);
        clearance.lower -= growth;
        clearance.upper -= growth;
        ObstacleClearance { body: surface.body, part: surface.part, obstacle: *obstacle, clearance }
    }
}

fn upper_of(found: &ObstacleClearance) -> f64 {
    found.clearance.upper
}

#[cfg(test)]
mod tests {
    use super::*;
    use smooth_scene_geometry::math::Vec3;
    use smooth_scene_geometry::{Shape, tessellate};
    use smooth_scene_robot::{LoadOptions, parse_urdf};
    use smooth_scene_scene::{Allowance, LinkSize, MatrixChange, Reason, RobotChange, SceneObject};
    use std::sync::Arc;

    /// A ball of 0.1 m on a slide along x, and a box at its base.
    const ROBOT: &str = r#"<robot name="slide">
        <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
        <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="x" type="prismatic"><parent link="base"/><child link="ball"/><axis xyz="1 0 0"/>
          <origin xyz="0 0 1"/><limit lower="-5" upper="5" effort="1" velocity="1"/></joint>
        </robot>"#;

    fn scene() -> PlanningScene {
        let loaded = parse_urdf(ROBOT, "slide", &LoadOptions::default()).unwrap();
        PlanningScene::new(Arc::new(loaded.model), None).unwrap()
    }

    /// A ring around the z axis as a box with a square hole, from 0.5 m to 1 m, at this height: four beams as one mesh.
    fn ring(name: &str, height: f64) -> MapObstacle {
        let beams = [[0.75, 0.0], [-0.75, 0.0], [0.0, 0.75], [0.0, -0.75]];
        let mut triangles = Vec::new();
        for [x, y] in beams {
            let long = |at: f64| if at == 0.0 { 1.0 } else { 0.25 };
            let beam = tessellate(&Shape::cuboid([long(x), long(y), 0.2]).unwrap(), 1e-9);
            let corner = |v: u32| beam.vertices[v as usize] + Vec3::new(x, y, 0.0);
            triangles.extend(beam.triangles.iter().map(|t| t.map(corner)));
        }
        let map = DistanceMap::of_triangles(&triangles, 0.05, 0.2).unwrap();
        MapObstacle { name: name.into(), map, pose_w: Pose::translation(0.0, 0.0, height) }
    }

    fn among(obstacles: Vec<MapObstacle>) -> MapScene {
        MapScene::new(scene(), obstacles).unwrap()
    }

    fn name(scene: &MapScene, found: &ObstacleClearance) -> String {
        scene.scene().body_name(found.body).into()
    }

    /// The ball passes from the hole through the beam to the outside; its hull would never be free.
    #[test]
    fn a_ball_is_free_in_the_hole_of_a_ring_touches_the_ring_and_is_free_beyond() {
        let maps = among(vec![ring("ring", 1.0)]);
        let cases = [(0.0, 0.4), (0.3, 0.1), (0.45, -0.05), (0.75, -0.2), (1.2, 0.1), (3.0, 1.9)];
        for (x, exact) in cases {
            let all = maps.clearances(&[x], 2, &MapSearch::default()).unwrap();
            let ball = all.iter().find(|found| name(&maps, found) == "ball").unwrap();
            let MapClearance { lower, upper, .. } = ball.clearance;
            assert!(lower <= exact && exact <= upper, "{x}: {exact} not in {lower} to {upper}");
            assert_eq!((ball.is_free(), ball.touches()), (exact > 0.0, exact < 0.0), "{x}");
            assert_eq!(maps.is_free(&[x]).unwrap(), exact > 0.0, "{x}");
        }
    }

    #[test]
    fn what_is_not_free_comes_first_and_of_the_rest_only_as_many_as_asked_for() {
        let maps = among(vec![ring("low", 0.0), ring("high", 1.0)]);
        let found = |nearest| {
            let all = maps.clearances(&[0.45], nearest, &MapSearch::default()).unwrap();
            let of = |one: &ObstacleClearance| {
                (name(&maps, one), maps.obstacles()[one.obstacle].name.clone())
            };
            all.iter().map(of).collect::<Vec<_>>()
        };
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        assert_eq!(found(0), [pair("ball", "high")]);
        assert_eq!(found(1), [pair("ball", "high"), pair("base", "low")]);
        assert_eq!(found(9).len(), 4, "every link with every ring");
    }

    #[test]
    fn padding_margin_permission_and_carried_objects_count() {
        let obstacle = ring("ring", 1.0);
        let clearance = |scene: PlanningScene, x: f64| {
            let maps = MapScene::new(scene, vec![obstacle.clone()]).unwrap();
            maps.clearances(&[x], 9, &MapSearch::default()).unwrap()
        };
        let plain = clearance(scene(), 0.3)[0].clearance;
        let mut grown = scene();
        let size = LinkSize { padding: 0.15, ..LinkSize::default() };
        grown.apply(RobotChange::SetLinkSize { link: "ball".into(), size }).unwrap();
        let padded = clearance(grown, 0.3)[0].clearance;
        assert!((plain.lower - padded.lower - 0.15).abs() < 0.03, "{plain:?} {padded:?}");
        assert!(padded.upper < 0.0, "0.1 m of room and 0.15 m of padding");

        let mut permitted = scene();
        let entry = Some(Allowance::allow(Reason::User));
        let (a, b) = ("ball".into(), "ring".into());
        permitted.apply(MatrixChange::SetEntry { a, b, entry }).unwrap();
        let found = clearance(permitted, 0.75);
        assert!(found.iter().all(|one| one.is_free()), "the ball may touch: {found:?}");

        let mut carrying = scene();
        let stick = (Pose::translation(0.5, 0.0, 0.0), Shape::sphere(0.05).unwrap());
        let object = SceneObject::new("stick", Pose::identity(), vec![stick]).unwrap();
        let (link, touch_links) = ("ball".into(), Vec::new());
        carrying.apply(RobotChange::Attach { object, link, touch_links }).unwrap();
        let found = clearance(carrying, 0.2);
        assert!(matches!(found[0].body, BodyId::Attached(_)) && found[0].touches(), "{found:?}");
    }

    #[test]
    fn names_that_are_taken_and_poses_that_are_none_are_refused() {
        let refused = |obstacles| MapScene::new(scene(), obstacles).unwrap_err().to_string();
        let taken = "the name `ball` is taken by a link or an object";
        assert_eq!(refused(vec![ring("ball", 0.0)]), taken);
        let twice = vec![ring("ring", 0.0), ring("ring", 1.0)];
        assert_eq!(refused(twice), "the name `ring` is taken by another map");
        let nowhere = refused(vec![ring("ring", f64::NAN)]);
        assert_eq!(nowhere, "the pose of `ring` is NaN, must be finite");
        let maps = among(vec![ring("ring", 1.0)]);
        assert!(maps.is_free(&[f64::NAN]).is_err(), "a joint position that is no number");
    }

    /// The triangles of a mesh that was loaded corner by corner have a map as well.
    #[test]
    fn triangles_that_do_not_share_their_corners_are_joined() {
        let mesh = tessellate(&Shape::cuboid([0.5, 0.4, 0.3]).unwrap(), 1e-9);
        let loose: Vec<_> =
            mesh.triangles.iter().map(|t| t.map(|v| mesh.vertices[v as usize])).collect();
        let (one, other) = (
            DistanceMap::of_triangles(&loose, 0.1, 0.1).unwrap(),
            DistanceMap::of_mesh(&mesh, 0.1, 0.1).unwrap(),
        );
        let point = Vec3::new(0.1, 0.2, 0.25);
        assert_eq!(one.at(&point), other.at(&point));
    }
}
