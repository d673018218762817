//! The surfaces of links and attached objects, prepared once per change of the robot: compounds taken apart, scales
//! applied, permitted contacts left out.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use crate::acm::{Allowance, AllowedCollisionMatrix, Reason};
use crate::attached::AttachedObject;
use crate::body::BodyId;
use crate::error::SceneError;
use crate::object::for_each_part_of;
use crate::pair_table::PairTable;
use crate::robot_shape::RobotShape;
use crate::sizes::{LinkSize, Sizes};
use smooth_scene_geometry::broad_phase::PairFilter;
use smooth_scene_geometry::math::{Mat3, Pose};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_query::SuperquadricX8;
use smooth_scene_robot::{LinkId, RobotModel};

/// Everything about the robot that a query needs and that does not depend on its state.
#[derive(Debug, Clone)]
pub(crate) struct RobotShapes {
    /// Sorted by body.
    pub shapes: Vec<RobotShape>,
    /// The checked pairs: those of shapes that may not touch.
    pub filter: PairFilter,
    /// The same pairs, sorted.
    pub pairs: Vec<(u32, u32)>,
    /// What is known about the distance of each of them, prepared when it is first asked for; none for pairs that depend on
    /// more than two joints. Scenes that have the same pair share it.
    pub tables: Vec<Arc<OnceLock<Option<PairTable>>>>,
    /// Margins between bodies of the robot.
    margins: HashMap<(BodyId, BodyId), f64>,
    /// The largest of these.
    pub largest_margin: f64,
    /// Whether an entry or a margin mentions a name that is neither a link nor attached: only then do objects of the
    /// world have to be looked up by name.
    pub names_objects: bool,
    /// The largest margin of any pair, objects of the world included.
    pub largest_object_margin: f64,
}

/// A link or an attached object while the pairs are sorted out.
struct Owner<'a> {
    body: BodyId,
    name: &'a str,
    link: LinkId,
    touch_links: &'a [LinkId],
}

impl RobotShapes {
    pub fn new(
        model: &RobotModel,
        acm: &AllowedCollisionMatrix,
        sizes: &Sizes,
        attached: &BTreeMap<Box<str>, AttachedObject>,
    ) -> Result<Self, SceneError> {
        let mut shapes = Vec::new();
        let mut owners = Vec::new();
        for id in model.link_ids() {
            let link = model.link(id);
            owners.push(Owner {
                body: BodyId::Link(id),
                name: &link.name,
                link: id,
                touch_links: &[],
            });
            let size = sizes.link(&link.name);
            let list = link.collisions.iter().map(|c| (c.pose_in_link, &c.shape));
            collect(&mut shapes, BodyId::Link(id), id, &link.name, size, list)?;
        }
        for (place, item) in (0u32..).zip(attached.values()) {
            let (body, name) = (BodyId::Attached(place), item.object.name());
            owners.push(Owner { body, name, link: item.link, touch_links: &item.touch_links });
            // An attached object keeps its size, and has the paddings of its link.
            let size = LinkSize { scale: 1.0, ..sizes.link(&model.link(item.link).name) };
            let list = item.object.shapes().map(|(pose, shape)| (item.object.pose() * pose, shape));
            collect(&mut shapes, body, item.link, name, size, list)?;
        }
        let pairs = checked_pairs(&shapes, &owners, acm);
        let body_of = |name: &str| owners.iter().find(|o| o.name == name).map(|o| o.body);
        let mut margins = HashMap::new();
        let mut names_objects =
            acm.names().any(|name| model.link_id(name).is_none() && !attached.contains_key(name));
        for (a, b, margin) in sizes.margins() {
            match (body_of(a), body_of(b)) {
                (Some(a), Some(b)) => {
                    margins.insert((a.min(b), a.max(b)), margin);
                }
                (None, _) | (_, None) => names_objects = true,
            }
        }
        // A default of a link reaches objects that are mentioned nowhere.
        names_objects |= acm.defaults().next().is_some();
        let robot = Self {
            filter: PairFilter::new(shapes.len(), pairs.iter().copied())?,
            pairs: pairs.iter().map(|&(a, b)| (a as u32, b as u32)).collect(),
            tables: pairs.iter().map(|_| Arc::default()).collect(),
            shapes,
            largest_margin: margins.values().copied().fold(0.0, f64::max),
            margins,
            names_objects,
            largest_object_margin: sizes.largest_margin(),
        };
        robot.check_paddings(&owners, sizes)?;
        Ok(robot)
    }

    /// Takes over what was found about shapes and pairs that are as they were in the same robot before.
    pub fn keep_findings_of(&mut self, before: &RobotShapes) {
        let mut places = Vec::new();
        for shape in &mut self.shapes {
            let same = before
                .shapes
                .binary_search_by_key(&(shape.body, shape.part), |other| (other.body, other.part));
            let same = same.ok().filter(|&place| before.shapes[place].shape == shape.shape);
            if let Some(place) = same {
                shape.balls = Arc::clone(&before.shapes[place].balls);
            }
            let is_there = |place: &usize| before.shapes[*place].pose_in_link == shape.pose_in_link;
            places.push(same.filter(is_there).map(|place| place as u32));
        }
        for (&(a, b), table) in self.pairs.iter().zip(&mut self.tables) {
            if let (Some(a), Some(b)) = (places[a as usize], places[b as usize])
                && let Ok(place) = before.pairs.binary_search(&(a, b))
            {
                *table = Arc::clone(&before.tables[place]);
            }
        }
    }

    /// Refuses paddings and margins that a surface cannot be grown by: motion checks grow the first surface of a pair by
    /// what both are grown by.
    fn check_paddings(&self, owners: &[Owner], sizes: &Sizes) -> Result<(), SceneError> {
        let mut largest = vec![0.0f64; self.shapes.len()];
        for &(a, b) in &self.pairs {
            let [one, other] = [a, b].map(|k| &self.shapes[k as usize]);
            let growth = self.inflation(one, other).iter().sum();
            largest[a as usize] = largest[a as usize].max(growth);
        }
        for (shape, in_robot) in self.shapes.iter().zip(largest) {
            let owner = owners.iter().find(|owner| owner.body == shape.body);
            let name = owner.expect("every surface has an owner").name;
            let in_world = shape.padding + sizes.largest_margin_of(name);
            shape.padded(in_robot.max(in_world), name)?;
        }
        Ok(())
    }

    /// What the bodies of two shapes of the robot are grown by together.
    pub fn inflation(&self, a: &RobotShape, b: &RobotShape) -> [f64; 2] {
        let margin = if self.margins.is_empty() {
            0.0
        } else {
            let pair = (a.body.min(b.body), a.body.max(b.body));
            self.margins.get(&pair).copied().unwrap_or(0.0)
        };
        [a.self_padding + 0.5 * margin, b.self_padding + 0.5 * margin]
    }
}

/// Adds the shapes of one body.
fn collect<'a>(
    out: &mut Vec<RobotShape>,
    body: BodyId,
    link: LinkId,
    name: &str,
    size: LinkSize,
    list: impl Iterator<Item = (Pose, &'a Shape)>,
) -> Result<(), SceneError> {
    let mut part = 0;
    for (pose, shape) in list {
        let scaled = if size.scale == 1.0 {
            shape.clone()
        } else {
            let refused = |source| SceneError::Shape { name: name.into(), source };
            shape.mapped(&(Mat3::identity() * size.scale)).map_err(refused)?
        };
        for_each_part_of(&pose, &scaled, &mut |pose, shape| {
            let aabb = shape.local_aabb();
            let ball = shape.bounding_sphere();
            let center = aabb.center();
            out.push(RobotShape {
                body,
                part,
                link,
                pose_in_link: *pose,
                shape: shape.clone(),
                center,
                half_extents: aabb.half_extents(),
                radius: ball.radius + (ball.center - center).norm(),
                core_radius: aabb.half_extents().min(),
                solid: SuperquadricX8::new(shape),
                padding: size.padding,
                self_padding: size.self_padding,
                balls: Arc::default(),
            });
            part += 1;
        });
    }
    Ok(())
}

fn checked_pairs(
    shapes: &[RobotShape],
    owners: &[Owner],
    acm: &AllowedCollisionMatrix,
) -> Vec<(usize, usize)> {
    // First and last shape of every body; the shapes are sorted by body.
    let ranges: Vec<std::ops::Range<usize>> = owners
        .iter()
        .map(|owner| {
            let start = shapes.partition_point(|shape| shape.body < owner.body);
            let end = shapes.partition_point(|shape| shape.body <= owner.body);
            start..end
        })
        .collect();
    let mut pairs = Vec::new();
    for (i, one) in owners.iter().enumerate() {
        for (j, other) in owners.iter().enumerate().skip(i + 1) {
            if ranges[i].is_empty() || ranges[j].is_empty() || decide(acm, one, other).allowed {
                continue;
            }
            pairs.extend(ranges[i].clone().flat_map(|a| ranges[j].clone().map(move |b| (a, b))));
        }
    }
    pairs
}

fn decide(acm: &AllowedCollisionMatrix, one: &Owner, other: &Owner) -> Allowance {
    let attached = |owner: &Owner| !owner.touch_links.is_empty();
    let touches =
        |carried: &Owner, link: &Owner| !attached(link) && carried.touch_links.contains(&link.link);
    let together = attached(one) && attached(other) && one.link == other.link;
    if touches(one, other) || touches(other, one) || together {
        return Allowance::allow(Reason::TouchLink);
    }
    acm.decide(one.name, other.name)
}
