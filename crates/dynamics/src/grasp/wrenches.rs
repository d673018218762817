//! The wrenches that contacts can put on an object.

use nalgebra::Vector6;
use smooth_scene_geometry::math::{Vec3, sin_cos, tangent_basis};

/// A contact on an object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraspContact {
    /// The point, world frame.
    pub point_w: Vec3,
    /// Unit normal into the object, world frame.
    pub normal_w: Vec3,
    /// Coefficient of friction.
    pub friction: f64,
}

/// How contacts become wrenches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraspOptions {
    /// The point that moments are about, world frame: usually the object's centre of mass.
    pub center_w: Vec3,
    /// Moments are divided by this length, m, so that they compare with forces: usually the object's bounding radius.
    pub length: f64,
    /// Edges of the pyramid that stands for a friction cone, inscribed in it; at least three.
    pub edges: u32,
}

/// Contacts or options that make no wrenches.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{what} is {value}, must be {range}")]
pub struct GraspError {
    what: String,
    value: String,
    range: &'static str,
}

/// Most contacts of one grasp.
const MAX_CONTACTS: usize = 100;
/// Most edges of a friction cone.
const MAX_EDGES: u32 = 64;

/// Force and scaled moment along every edge of every friction cone, each with a unit normal force: (f, m/length). Without friction a
/// contact has one.
pub fn contact_wrenches(
    contacts: &[GraspContact],
    options: &GraspOptions,
) -> Result<Vec<Vector6<f64>>, GraspError> {
    let refused = |what: String, value: String, range| Err(GraspError { what, value, range });
    // Written so that NaN is refused too.
    if !(options.length > 0.0 && options.length.is_finite()) {
        return refused("length".into(), options.length.to_string(), "positive and finite");
    }
    if !(3..=MAX_EDGES).contains(&options.edges) {
        return refused("edges".into(), options.edges.to_string(), "3 to 64");
    }
    if contacts.len() > MAX_CONTACTS {
        return refused("number of contacts".into(), contacts.len().to_string(), "at most 100");
    }
    let mut wrenches = Vec::new();
    for (place, contact) in contacts.iter().enumerate() {
        let of = |field: &str| format!("contacts[{place}].{field}");
        let GraspContact { point_w, normal_w, friction } = contact;
        if !point_w.iter().all(|x| x.is_finite()) {
            return refused(of("point"), format!("{:?}", point_w.as_slice()), "finite");
        }
        let is_unit = (normal_w.norm() - 1.0).abs() < 1e-6;
        if !is_unit {
            return refused(of("normal"), format!("{:?}", normal_w.as_slice()), "a unit vector");
        }
        if !(*friction >= 0.0 && friction.is_finite()) {
            return refused(of("friction"), friction.to_string(), "zero or more and finite");
        }
        let arm = (point_w - options.center_w) / options.length;
        let mut add = |force: Vec3| {
            let moment = arm.cross(&force);
            wrenches.push(Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z));
        };
        if *friction == 0.0 {
            add(*normal_w);
            continue;
        }
        let (u, v) = tangent_basis(normal_w);
        for edge in 0..options.edges {
            let angle = std::f64::consts::TAU * f64::from(edge) / f64::from(options.edges);
            let (sin, cos) = sin_cos(angle);
            add(normal_w + (u * cos + v * sin) * *friction);
        }
    }
    Ok(wrenches)
}
