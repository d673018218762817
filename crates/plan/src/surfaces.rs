//! The convex surfaces of a scene and the pairs of them that may not touch, listed from what the scene says about
//! itself. The checks of the scene have lists of their own; a certificate is verified against this one.

use std::collections::HashMap;

use smooth_scene_geometry::math::{Mat3, Pose, Vec3};
use smooth_scene_geometry::{ConvexSurface, Shape};
use smooth_scene_robot::{JointId, LinkId};
use smooth_scene_scene::{LinkSize, PlanningScene, SceneError};

/// A convex surface of a link, an attached object or an object of the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurfaceName {
    /// Name of the body.
    pub body: String,
    /// Which of its convex surfaces, compounds taken apart.
    pub part: u32,
}

/// One convex surface.
pub(crate) struct Surface {
    pub name: SurfaceName,
    /// The link it moves with; the root for objects of the world.
    pub link: LinkId,
    /// Its pose in that link.
    pub pose: Pose,
    pub shape: Shape,
    /// Middle of the shape, in its own frame.
    pub center: Vec3,
    /// Radius of a ball around it that contains the shape; infinite for a half-space.
    pub radius: f64,
    /// The farthest of its points from the origin of the link.
    pub reach: f64,
}

/// A surface seen from a link above it.
pub(crate) struct Side {
    pub surface: usize,
    /// The link it is seen from.
    pub ancestor: LinkId,
    /// The joints between them, the nearest to the surface first.
    pub chain: Vec<JointId>,
}

/// Two surfaces that may not touch.
pub(crate) struct Pair {
    pub a: usize,
    pub b: usize,
    /// Paddings and margin of the pair together, m.
    pub growth: f64,
    /// The surfaces seen from the last link above both, by their places in the list of sides.
    pub sides: [usize; 2],
}

/// All surfaces and pairs of one snapshot of a scene.
pub(crate) struct SurfacePairs {
    pub surfaces: Vec<Surface>,
    pub pairs: Vec<Pair>,
    pub sides: Vec<Side>,
}

/// A body and its surfaces.
struct Owner<'a> {
    name: &'a str,
    kind: OwnerKind<'a>,
    size: LinkSize,
    surfaces: std::ops::Range<usize>,
}

#[derive(Clone, Copy)]
enum OwnerKind<'a> {
    Link(LinkId),
    Attached { link: LinkId, touch_links: &'a [LinkId] },
    Object,
}

impl SurfacePairs {
    pub fn new(scene: &PlanningScene) -> Result<Self, SceneError> {
        let (model, sizes) = (scene.model(), scene.sizes());
        let mut surfaces = Vec::new();
        let mut owners = Vec::new();
        for id in model.link_ids() {
            let link = model.link(id);
            let size = sizes.link(&link.name);
            let shapes = link.collisions.iter().map(|c| (c.pose_in_link, &c.shape));
            let range = collect(&mut surfaces, &link.name, id, size.scale, shapes)?;
            let kind = OwnerKind::Link(id);
            owners.push(Owner { name: &link.name, kind, size, surfaces: range });
        }
        for item in scene.attached() {
            let (object, link) = (&item.object, item.link);
            let size = LinkSize { scale: 1.0, ..sizes.link(&model.link(link).name) };
            let shapes = object.shapes().map(|(pose, shape)| (object.pose() * pose, shape));
            let range = collect(&mut surfaces, object.name(), link, 1.0, shapes)?;
            let kind = OwnerKind::Attached { link, touch_links: &item.touch_links };
            owners.push(Owner { name: object.name(), kind, size, surfaces: range });
        }
        for (_, object) in scene.world().iter() {
            let shapes = object.shapes().map(|(pose, shape)| (object.pose() * pose, shape));
            let range = collect(&mut surfaces, object.name(), model.root(), 1.0, shapes)?;
            let (kind, size) = (OwnerKind::Object, LinkSize::default());
            owners.push(Owner { name: object.name(), kind, size, surfaces: range });
        }
        let (mut pairs, mut sides) = (Vec::new(), Vec::new());
        let mut known = HashMap::new();
        for (place, one) in owners.iter().enumerate() {
            for other in &owners[place + 1..] {
                let Some(growth) = growth(scene, one, other) else { continue };
                for (a, b) in
                    one.surfaces.clone().flat_map(|a| other.surfaces.clone().map(move |b| (a, b)))
                {
                    let ancestor = model.common_link(surfaces[a].link, surfaces[b].link);
                    let side = |surface: usize| {
                        *known.entry((surface, ancestor)).or_insert_with(|| {
                            let chain = model.joints_up_to(surfaces[surface].link, ancestor);
                            sides.push(Side { surface, ancestor, chain });
                            sides.len() - 1
                        })
                    };
                    let sides = [a, b].map(side);
                    pairs.push(Pair { a, b, growth, sides });
                }
            }
        }
        Ok(Self { surfaces, pairs, sides })
    }

    pub fn names(&self) -> Vec<SurfaceName> {
        self.surfaces.iter().map(|surface| surface.name.clone()).collect()
    }
}

/// Adds the convex parts of a body; compounds are taken apart.
fn collect<'a>(
    surfaces: &mut Vec<Surface>,
    body: &str,
    link: LinkId,
    scale: f64,
    shapes: impl Iterator<Item = (Pose, &'a Shape)>,
) -> Result<std::ops::Range<usize>, SceneError> {
    let first = surfaces.len();
    for (pose, shape) in shapes {
        let refused = |source| SceneError::Shape { name: body.into(), source };
        let scaled = if scale == 1.0 {
            shape.clone()
        } else {
            shape.mapped(&(Mat3::identity() * scale)).map_err(refused)?
        };
        let parts = match &scaled {
            Shape::Compound(compound) => compound.parts().to_vec(),
            other => vec![(Pose::identity(), other.clone())],
        };
        for (local, shape) in parts {
            let pose = pose * local;
            let ball = shape.bounding_sphere();
            let reach = (pose * nalgebra::Point3::from(ball.center)).coords.norm() + ball.radius;
            let name = SurfaceName { body: body.into(), part: (surfaces.len() - first) as u32 };
            let (center, radius) = (ball.center, ball.radius);
            surfaces.push(Surface { name, link, pose, center, radius, shape, reach });
        }
    }
    Ok(first..surfaces.len())
}

/// What two bodies are grown by together; nothing for bodies that may touch.
fn growth(scene: &PlanningScene, one: &Owner, other: &Owner) -> Option<f64> {
    let paddings = match (one.kind, other.kind) {
        // Objects of the world do not move.
        (OwnerKind::Object, _) => return None,
        (_, OwnerKind::Object) => one.size.padding,
        (OwnerKind::Link(link), OwnerKind::Attached { touch_links, .. })
        | (OwnerKind::Attached { touch_links, .. }, OwnerKind::Link(link))
            if touch_links.contains(&link) =>
        {
            return None;
        }
        (OwnerKind::Attached { link: a, .. }, OwnerKind::Attached { link: b, .. }) if a == b => {
            return None;
        }
        _ => one.size.self_padding + other.size.self_padding,
    };
    let allowed = scene.acm().decide(one.name, other.name).allowed;
    (!allowed).then(|| paddings + scene.sizes().margin(one.name, other.name))
}
