//! The tables in `urdf/source/`.

use std::collections::BTreeMap;
use std::error::Error;
use std::f64::consts::{FRAC_PI_2, PI};
use std::path::Path;

use serde::Deserialize;

use super::{Carrier, Fingers, Representation};

/// A joint and the link it moves.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointRow {
    pub joint: String,
    /// Names of joint and link in the source, where they come from it.
    pub source: Option<[String; 2]>,
    pub kind: String,
    pub parent: String,
    pub child: String,
    pub xyz: [f64; 3],
    pub rpy: [f64; 3],
    pub axis: Option<[f64; 3]>,
    pub lower: Option<f64>,
    pub upper: Option<f64>,
}

/// A joint that follows another, names without the side.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FollowRow {
    pub joint: String,
    pub follows: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointTables {
    pub effort: f64,
    pub velocity: f64,
    pub torso: Vec<JointRow>,
    pub right_arm: Vec<JointRow>,
    pub left_arm: Vec<JointRow>,
    pub right_hand: Vec<JointRow>,
    pub left_hand: Vec<JointRow>,
    pub coupling: Vec<FollowRow>,
}

/// A superovoid, or a superellipsoid when it has no taper, in its link's frame.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceRow {
    pub radii: [f64; 3],
    pub exponent_xy: f64,
    pub exponent_z: f64,
    pub taper: Option<[f64; 2]>,
    pub xyz: [f64; 3],
    pub rpy: [f64; 3],
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkSurfaces {
    pub superellipsoid: SurfaceRow,
    pub superovoid: SurfaceRow,
    pub tip_superovoid: Option<SurfaceRow>,
}

/// All numbers.
pub struct Source {
    pub joints: JointTables,
    pub surfaces: BTreeMap<String, LinkSurfaces>,
}

impl Source {
    pub fn read(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let text = |name: &str| std::fs::read_to_string(folder.join(name));
        Ok(Self {
            joints: serde_yaml::from_str(&text("icub_joints.yaml")?)?,
            surfaces: serde_yaml::from_str(&text("icub_surfaces.yaml")?)?,
        })
    }

    /// The surface of a link, if it has one.
    pub fn surface(&self, link: &str, representation: Representation) -> Option<&SurfaceRow> {
        let all = self.surfaces.get(link)?;
        Some(match representation {
            Representation::Superellipsoid => &all.superellipsoid,
            Representation::Superovoid => &all.superovoid,
            Representation::Mixed => match &all.tip_superovoid {
                Some(tip) => tip,
                None if link.ends_with("_palm") => &all.superovoid,
                None => &all.superellipsoid,
            },
        })
    }

    /// The joint that this one follows, if it does.
    pub fn leader(&self, row: &JointRow, fingers: Fingers) -> Option<String> {
        let (side, name) = row.joint.split_at_checked(2)?;
        let follow = self.joints.coupling.iter().find(|follow| follow.joint == name)?;
        (fingers == Fingers::Coupled).then(|| format!("{side}{}", follow.follows))
    }

    /// The root link and all joints of a robot, parents first.
    pub fn robot(&self, carrier: Carrier) -> (&'static str, Vec<JointRow>) {
        let JointTables { torso, right_arm, left_arm, right_hand, left_hand, .. } = &self.joints;
        match carrier {
            Carrier::SixJoints => {
                let (right, left) = (six_joints("r", 1.0), six_joints("l", -1.0));
                ("world", [&right[..], right_hand, &left, left_hand].concat())
            }
            Carrier::Arms => {
                let arms = [&torso[..], right_arm, right_hand, left_arm, left_hand];
                ("base_link", arms.concat())
            }
        }
    }
}

/// palm = Trans(x, y, z) · Rz(yaw) · Ry(pitch) · Rx(roll) · Rx(±π/2): at zero the fingers point along −x, the palms face
/// each other and the thumbs are up.
fn six_joints(side: &str, mount: f64) -> Vec<JointRow> {
    let axes = [
        ("x", "prismatic", [1.0, 0.0, 0.0], 1.0),
        ("y", "prismatic", [0.0, 1.0, 0.0], 1.0),
        ("z", "prismatic", [0.0, 0.0, 1.0], 1.0),
        ("yaw", "revolute", [0.0, 0.0, 1.0], PI),
        ("pitch", "revolute", [0.0, 1.0, 0.0], 1.5),
        ("roll", "revolute", [1.0, 0.0, 0.0], PI),
    ];
    let mut parent = "world".to_string();
    let mut rows = Vec::new();
    for (name, kind, axis, limit) in axes {
        let child = format!("{side}_hand_{name}_link");
        rows.push(JointRow {
            joint: format!("{side}_hand_{name}"),
            source: None,
            kind: kind.into(),
            parent: std::mem::replace(&mut parent, child.clone()),
            child,
            xyz: [0.0; 3],
            rpy: [0.0; 3],
            axis: Some(axis),
            lower: Some(-limit),
            upper: Some(limit),
        });
    }
    rows.push(JointRow {
        joint: format!("{side}_hand_mount"),
        source: None,
        kind: "fixed".into(),
        parent,
        child: format!("{side}_palm"),
        xyz: [0.0; 3],
        rpy: [mount * FRAC_PI_2, 0.0, 0.0],
        axis: None,
        lower: None,
        upper: None,
    });
    rows
}
