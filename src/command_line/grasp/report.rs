//! What `grasp` prints.

use super::Judged;
use crate::command_line::table::Table;
use crate::convert::joints::velocity_names;
use crate::dynamics::{ForceClosure, GraspDetail};
use crate::query::PrincipalCurvatures;
use crate::scene::PlanningScene;
use serde_json::{Value, json};

/// Slopes of one state that are printed for people, the largest ones.
const SLOPES: usize = 6;

/// For people.
pub(super) fn table(scene: &PlanningScene, judged: &[Judged], detail: GraspDetail) -> String {
    let headings = ["state", "contacts", "closed", "epsilon", "volume", "weakest (force, moment)"];
    let mut table = Table::new(&headings, 0);
    for one in judged {
        let quality = &one.grasp.quality;
        let weakest: Vec<String> = quality.weakest.iter().map(|x| format!("{x:.2}")).collect();
        table.row(vec![
            one.state.to_string(),
            one.grasp.contacts.contacts.len().to_string(),
            if quality.closure.is_closed() { "yes" } else { "no" }.to_owned(),
            format!("{:.5}", quality.epsilon),
            format!("{:.3e}", quality.volume),
            weakest.join(" "),
        ]);
    }
    let mut text = table.text();
    if detail == GraspDetail::Gradient {
        text += &slopes(scene, judged);
    }
    text
}

/// The largest slopes of ε of each state.
fn slopes(scene: &PlanningScene, judged: &[Judged]) -> String {
    let names = velocity_names(scene.model());
    let mut table = Table::new(&["state", "slope", "joint"], 0);
    for one in judged {
        let state = || one.state.to_string();
        let rows = one.grasp.gradient.as_ref().map_or(&[][..], |gradient| &gradient.epsilon);
        if rows.is_empty() {
            table.row(vec![state(), "-".into(), "no derivative".into()]);
        }
        for row in rows {
            let mut largest: Vec<(f64, &String)> = row.iter().copied().zip(&names).collect();
            largest.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
            for (slope, name) in largest.iter().take(SLOPES).filter(|(slope, _)| *slope != 0.0) {
                table.row(vec![state(), format!("{slope:+.5}"), (*name).clone()]);
            }
        }
    }
    format!("\nslopes of epsilon, the largest of each state, per rad or m\n{}", table.text())
}

/// One JSON object a line.
pub(super) fn lines(scene: &PlanningScene, judged: &[Judged], detail: GraspDetail) -> String {
    let names = velocity_names(scene.model());
    let mut text = String::new();
    for one in judged {
        let quality = &one.grasp.quality;
        let mut value = json!({
            "state": one.state, "line": one.line, "contacts": contacts(scene, one),
            "closed": quality.closure.is_closed(), "epsilon": quality.epsilon,
            "epsilon_lower": quality.epsilon_lower, "volume": quality.volume,
            "weakest": quality.weakest.as_slice(),
        });
        match &quality.closure {
            ForceClosure::Closed { weights } => value["weights"] = json!(weights),
            ForceClosure::Open { separating } => value["separating"] = json!(separating.as_slice()),
        }
        if detail == GraspDetail::Gradient {
            let gradient = one.grasp.gradient.as_ref().filter(|found| !found.epsilon.is_empty());
            value["joints"] = json!(names);
            value["epsilon_gradient"] = json!(gradient.map(|found| &found.epsilon));
            value["volume_gradient"] = json!(gradient.map(|found| &found.volume));
        }
        text += &format!("{value}\n");
    }
    text
}

fn contacts(scene: &PlanningScene, one: &Judged) -> Vec<Value> {
    let found = &one.grasp.contacts;
    let numbers = |curvatures: &PrincipalCurvatures| json!(curvatures.values);
    let contact = |k: usize| {
        let (contact, geometry) = (&found.contacts[k], &one.grasp.geometry[k]);
        json!({
            "link": scene.body_name(found.bodies[k]), "point": contact.point_w.as_slice(),
            "normal": contact.normal_w.as_slice(), "distance": found.pairs[k].distance.distance,
            "hand_curvatures": numbers(&geometry.hand), "object_curvatures": numbers(&geometry.object),
        })
    };
    (0..found.contacts.len()).map(contact).collect()
}
