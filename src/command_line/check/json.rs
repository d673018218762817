//! What `check` found, as one JSON object.

use super::{CheckFailure, Checked};
use crate::query::SolveStatus;
use crate::robot::{Coupling, Joint, RobotModel};
use crate::scene::PairDistance;
use serde_json::{Map, Value, json};

/// The whole report, one line.
pub(crate) fn report(checked: &Checked) -> String {
    let semantics = checked.scene.semantics();
    let model = checked.model();
    let groups: Vec<Value> = semantics
        .groups
        .iter()
        .map(|group| {
            let joints: Vec<&str> =
                group.joints.iter().map(|&id| model.joint(id).name.as_str()).collect();
            let links: Vec<&str> =
                group.links.iter().map(|&id| model.link(id).name.as_str()).collect();
            json!({"name": group.name, "joints": joints, "links": links})
        })
        .collect();
    let states: Vec<Value> = semantics
        .states
        .iter()
        .map(|state| json!({"name": state.name, "group": state.group}))
        .collect();
    let pairs = |list: &[PairDistance]| -> Vec<Value> {
        list.iter().map(|pair| proximity(checked, pair)).collect()
    };
    let report = json!({
        "robot": robot(checked),
        "warnings": checked.notes,
        "groups": groups,
        "states": states,
        "allowed": allowed(checked),
        "state": state(checked),
        "in_collision": checked.in_collision(),
        "contacts": pairs(&checked.contacts),
        "nearest": pairs(&checked.nearest),
    });
    format!("{report}\n")
}

/// Why there is no report, one line.
pub(crate) fn failure(failure: &CheckFailure) -> String {
    format!("{}\n", json!({"error": failure.to_string()}))
}

fn robot(checked: &Checked) -> Value {
    let model = checked.model();
    let dented: Vec<Value> = checked
        .dented()
        .map(|(link, collision)| json!({"link": link, "collision": collision}))
        .collect();
    let links: Vec<Value> = model
        .links()
        .iter()
        .map(|link| {
            let kinds: Vec<&str> = link.collisions.iter().map(|c| c.shape.kind()).collect();
            json!({"name": link.name, "surfaces": kinds})
        })
        .collect();
    json!({
        "name": model.name(),
        "file": checked.file,
        "links": links,
        "joints": model.joints().iter().map(|one| joint(model, one)).collect::<Vec<_>>(),
        "variables": model.variable_names(),
        "surfaces": checked.surface_kinds(),
        "dented": dented,
        "surface_pairs": checked.scene.robot_size().1,
    })
}

fn joint(model: &RobotModel, joint: &Joint) -> Value {
    let mimic = match joint.coupling {
        Coupling::Independent { .. } => Value::Null,
        Coupling::Mimic { leader, multiplier, offset } => {
            let leader = &model.joint(leader).name;
            json!({"joint": leader, "multiplier": multiplier, "offset": offset})
        }
    };
    json!({
        "name": joint.name,
        "kind": joint.kind.name(),
        "parent": model.link(joint.parent).name,
        "child": model.link(joint.child).name,
        "lower": joint.limits.lower,
        "upper": joint.limits.upper,
        "mimic": mimic,
    })
}

fn allowed(checked: &Checked) -> Value {
    let acm = checked.scene.acm();
    let pairs: Vec<Value> = acm
        .entries()
        .filter(|(.., entry)| entry.allowed)
        .map(|(a, b, entry)| json!({"a": a, "b": b, "reason": entry.reason.name()}))
        .collect();
    let defaults: Vec<&str> =
        acm.defaults().filter(|(_, entry)| entry.allowed).map(|(name, _)| name).collect();
    json!({"by_reason": checked.allowed_by_reason(), "pairs": pairs, "defaults": defaults})
}

fn state(checked: &Checked) -> Value {
    let names = checked.model().variable_names().iter();
    let positions: Map<String, Value> = names
        .zip(checked.state.positions())
        .map(|(name, &position)| (name.clone(), position.into()))
        .collect();
    let breaches: Vec<Value> = checked
        .breaches
        .iter()
        .map(|breach| {
            let joint = checked.model().joint(breach.joint);
            json!({
                "joint": joint.name,
                "position": breach.position,
                "lower": joint.limits.lower,
                "upper": joint.limits.upper,
                "excess": breach.excess,
            })
        })
        .collect();
    json!({"positions": positions, "limit_breaches": breaches})
}

fn proximity(checked: &Checked, pair: &PairDistance) -> Value {
    let found = &pair.distance;
    let vector = |v: crate::math::Vec3| -> [f64; 3] { v.into() };
    json!({
        "body_a": checked.scene.body_name(pair.body_a),
        "body_b": checked.scene.body_name(pair.body_b),
        "part_a": pair.part_a,
        "part_b": pair.part_b,
        "distance": found.distance,
        "lower": found.lower,
        "upper": found.upper,
        "point_a": vector(found.witness_a_w),
        "point_b": vector(found.witness_b_w),
        "normal": vector(found.normal_ab_w),
        "status": match found.status {
            SolveStatus::Certified => "certified",
            SolveStatus::DepthUnproven => "depth_unproven",
            SolveStatus::BudgetExhausted => crate::command_line::query::continuous::BUDGET_EXHAUSTED,
        },
        "of_hull": found.of_hull,
    })
}
