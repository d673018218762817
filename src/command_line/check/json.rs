//! What `check` found, as one JSON object.

use super::failure::CheckFailure;
use super::finding::Finding;
use super::loaded::{Checked, Loaded};
use super::maps::{MapDescription, MapFinding};
use crate::command_line::status_name::status_name;
use crate::robot::{Coupling, Joint, LimitBreach, RobotModel, RobotState};
use crate::scene::{PairDistance, PlanningScene};
use serde_json::{Map, Value, json};

/// The whole report, one line.
pub(crate) fn report(checked: &Checked) -> String {
    let Checked { loaded, breaches, finding } = checked;
    let semantics = loaded.scene.semantics();
    let model = loaded.model();
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
    let report = json!({
        "robot": robot(loaded),
        "warnings": loaded.notes,
        "groups": groups,
        "states": states,
        "allowed": allowed(loaded),
        "state": state(loaded, breaches),
        "in_collision": finding.in_collision(),
        "contacts": pairs(&loaded.scene, &finding.contacts),
        "nearest": pairs(&loaded.scene, &finding.nearest),
        "maps": loaded.maps.descriptions.iter().map(description).collect::<Vec<_>>(),
        "map_clearances": finding.maps.iter().map(map_clearance).collect::<Vec<_>>(),
    });
    format!("{report}\n")
}

/// What was found in one of many states, one line.
pub(crate) fn state_line(
    loaded: &Loaded,
    number: usize,
    line: u64,
    state: &RobotState,
    finding: &Finding,
) -> String {
    let report = json!({
        "state": number,
        "line": line,
        "in_collision": finding.in_collision(),
        "contacts": pairs(&loaded.scene, &finding.contacts),
        "nearest": pairs(&loaded.scene, &finding.nearest),
        "map_clearances": finding.maps.iter().map(map_clearance).collect::<Vec<_>>(),
        "limit_breaches": limit_breaches(loaded.model(), &state.limit_breaches()),
    });
    format!("{report}\n")
}

/// Why there is no report, one line.
pub(crate) fn failure(failure: &CheckFailure) -> String {
    format!("{}\n", json!({"error": failure.to_string()}))
}

fn robot(loaded: &Loaded) -> Value {
    let model = loaded.model();
    let dented: Vec<Value> = loaded
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
        "file": loaded.file,
        "links": links,
        "joints": model.joints().iter().map(|one| joint(model, one)).collect::<Vec<_>>(),
        "variables": model.variable_names(),
        "surfaces": loaded.surface_kinds(),
        "dented": dented,
        "surface_pairs": loaded.scene.robot_size().1,
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

fn allowed(loaded: &Loaded) -> Value {
    let acm = loaded.scene.acm();
    let pairs: Vec<Value> = acm
        .entries()
        .filter(|(.., entry)| entry.allowed)
        .map(|(a, b, entry)| json!({"a": a, "b": b, "reason": entry.reason.name()}))
        .collect();
    let defaults: Vec<&str> =
        acm.defaults().filter(|(_, entry)| entry.allowed).map(|(name, _)| name).collect();
    json!({"by_reason": loaded.allowed_by_reason(), "pairs": pairs, "defaults": defaults})
}

fn state(loaded: &Loaded, breaches: &[LimitBreach]) -> Value {
    let names = loaded.model().variable_names().iter();
    let positions: Map<String, Value> = names
        .zip(loaded.state.positions())
        .map(|(name, &position)| (name.clone(), position.into()))
        .collect();
    let breaches = limit_breaches(loaded.model(), breaches);
    json!({"positions": positions, "limit_breaches": breaches})
}

fn limit_breaches(model: &RobotModel, breaches: &[LimitBreach]) -> Vec<Value> {
    breaches
        .iter()
        .map(|breach| {
            let joint = model.joint(breach.joint);
            json!({
                "joint": joint.name,
                "position": breach.position,
                "lower": joint.limits.lower,
                "upper": joint.limits.upper,
                "excess": breach.excess,
            })
        })
        .collect()
}

fn description(map: &MapDescription) -> Value {
    let MapDescription { name, file, spacing, nodes, node_error } = map;
    json!({
        "name": name,
        "file": file,
        "spacing": spacing,
        "nodes": nodes,
        "node_error": node_error,
    })
}

fn map_clearance(found: &MapFinding) -> Value {
    json!({
        "body": found.body,
        "part": found.part,
        "map": found.map,
        "verdict": found.verdict(),
        "lower": found.lower,
        "upper": found.upper,
        "point": found.point,
    })
}

fn pairs(scene: &PlanningScene, list: &[PairDistance]) -> Vec<Value> {
    list.iter().map(|pair| proximity(scene, pair)).collect()
}

fn proximity(scene: &PlanningScene, pair: &PairDistance) -> Value {
    let found = &pair.distance;
    let vector = |v: crate::math::Vec3| -> [f64; 3] { v.into() };
    json!({
        "body_a": scene.body_name(pair.body_a),
        "body_b": scene.body_name(pair.body_b),
        "part_a": pair.part_a,
        "part_b": pair.part_b,
        "distance": found.distance,
        "lower": found.lower,
        "upper": found.upper,
        "point_a": vector(found.witness_a_w),
        "point_b": vector(found.witness_b_w),
        "normal": vector(found.normal_ab_w),
        "status": status_name(found.status),
        "of_hull": found.of_hull,
    })
}
