//! What `check` found, as text for people.

use super::loaded::{Checked, Loaded};
use super::maps::MapDescription;
use crate::command_line::table::Table;
use crate::query::SolveStatus;
use crate::robot::JointKind;
use crate::scene::PairDistance;
use std::collections::BTreeMap;
use std::fmt::Display;

/// Names in a list before the rest is only counted.
const LISTED: usize = 12;

/// The whole report.
pub(crate) fn report(checked: &Checked) -> String {
    let Checked { loaded, finding, .. } = checked;
    let mut text = robot(loaded);
    if !loaded.notes.is_empty() {
        text.push_str(&format!("\nwarnings: {}\n", loaded.notes.len()));
        for note in &loaded.notes {
            text.push_str(&format!("  {note}\n"));
        }
    }
    text.push_str(&breaches(checked));
    let unit = Unit::for_pairs(finding.contacts.iter().chain(&finding.nearest));
    let contacts = finding.contacts.len();
    text.push_str(&format!("\ncontacts: {contacts}\n"));
    if contacts > 0 {
        text.push_str(&pairs(loaded, &finding.contacts, unit));
    }
    if !finding.nearest.is_empty() {
        text.push_str("\nnearest pairs apart\n");
        text.push_str(&pairs(loaded, &finding.nearest, unit));
    }
    text.push_str(&maps(checked));
    let verdict = if finding.in_collision() { "in collision" } else { "free" };
    text.push_str(&format!("\n{verdict}\n"));
    text
}

/// The mapped meshes, and how near the robot comes to them.
fn maps(checked: &Checked) -> String {
    let mut text = String::new();
    for map in &checked.loaded.maps.descriptions {
        let (MapDescription { name, file, nodes, .. }, spacing) = (map, 1e3 * map.spacing);
        text.push_str(&format!("\nmap {name} ({file}): {nodes} nodes, {spacing:.3} mm apart\n"));
    }
    if checked.finding.maps.is_empty() {
        return text;
    }
    let mut table = Table::new(&["body", "map", "verdict", "at least/mm", "at most/mm"], 3);
    for found in &checked.finding.maps {
        let bounds = [found.lower, found.upper].map(|metres| format!("{:.4}", 1e3 * metres + 0.0));
        let [lower, upper] = bounds;
        let verdict = found.verdict().to_owned();
        table.row(vec![found.body.clone(), found.map.clone(), verdict, lower, upper]);
    }
    text + &table.text()
}

fn robot(checked: &Loaded) -> String {
    let model = checked.model();
    let solid = model.links().iter().filter(|link| !link.collisions.is_empty()).count();
    let (surfaces, pairs) = checked.scene.robot_size();
    let links = format!("{}, {solid} of them with surfaces", model.links().len());
    let joints = counted(model.joints().len(), &joint_kinds(checked));
    let surface_kinds = counted(surface_count(checked), &checked.surface_kinds());
    let mut lines = vec![
        ("links", links),
        ("joints", joints),
        ("positions", model.position_count().to_string()),
        ("surfaces", surface_kinds),
    ];
    let dented: Vec<&str> = checked.dented().map(|(link, _)| link).collect();
    if !dented.is_empty() {
        let names = listed(&dented);
        lines.push(("not convex", format!("{}, their hulls are used: {names}", dented.len())));
    }
    let groups: Vec<&str> =
        checked.scene.semantics().groups.iter().map(|group| group.name.as_str()).collect();
    if checked.has_srdf {
        lines.push(("groups", format!("{}: {}", groups.len(), listed(&groups))));
    }
    let reasons = checked.allowed_by_reason();
    let defaults = checked.scene.acm().defaults().filter(|(_, entry)| entry.allowed).count();
    let mut allowed = counted(reasons.values().sum(), &reasons);
    if defaults > 0 {
        allowed.push_str(&format!("; {defaults} links may touch everything"));
    }
    if !checked.has_srdf {
        allowed.push_str(" (no SRDF given)");
    }
    lines.push(("pairs allowed", allowed));
    lines.push(("pairs checked", format!("{pairs} of {surfaces} convex surfaces")));
    let (world, attached) = (checked.scene.world().len(), checked.scene.attached().len());
    if world + attached > 0 {
        lines.push(("objects", format!("{world} in the world, {attached} attached")));
    }
    let mut text = format!("robot {} ({})\n", model.name(), checked.file);
    for (label, value) in lines {
        text.push_str(&format!("  {label:<14} {value}\n"));
    }
    text
}

fn surface_count(checked: &Loaded) -> usize {
    checked.model().links().iter().map(|link| link.collisions.len()).sum()
}

fn joint_kinds(checked: &Loaded) -> BTreeMap<&'static str, usize> {
    let mut kinds = BTreeMap::new();
    for joint in checked.model().joints() {
        *kinds.entry(joint.kind.name()).or_default() += 1;
    }
    kinds
}

/// A total and what it consists of.
fn counted(total: usize, parts: &BTreeMap<impl Display, usize>) -> String {
    let parts: Vec<String> = parts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    if parts.is_empty() { total.to_string() } else { format!("{total}: {}", parts.join(", ")) }
}

/// The first names, and how many more there are.
fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn breaches(checked: &Checked) -> String {
    if checked.breaches.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&["joint", "unit", "position", "lower", "upper", "outside by"], 2);
    for breach in &checked.breaches {
        let joint = checked.loaded.model().joint(breach.joint);
        let unit = if joint.kind == JointKind::Prismatic { "m" } else { "rad" };
        let numbers =
            [breach.position, joint.limits.lower, joint.limits.upper, breach.excess.abs()];
        let mut cells = vec![joint.name.clone(), unit.to_owned()];
        cells.extend(numbers.iter().map(|number| format!("{number:.6}")));
        table.row(cells);
    }
    format!("\njoints outside their limits: {}\n{}", checked.breaches.len(), table.text())
}

/// The unit of the distances of a report.
#[derive(Debug, Clone, Copy)]
struct Unit {
    name: &'static str,
    per_metre: f64,
    decimals: usize,
}

impl Unit {
    /// Millimetres, unless a pair is a metre apart or more.
    fn for_pairs<'a>(pairs: impl Iterator<Item = &'a PairDistance>) -> Self {
        let largest = pairs.map(|pair| pair.distance.distance.abs()).fold(0.0, f64::max);
        if largest < 1.0 {
            return Self { name: "mm", per_metre: 1e3, decimals: 4 };
        }
        Self { name: "m", per_metre: 1.0, decimals: 6 }
    }

    fn show(&self, metres: f64) -> String {
        // Adding zero turns −0 into 0.
        format!("{:.*}", self.decimals, metres * self.per_metre + 0.0)
    }
}

fn pairs(checked: &Loaded, pairs: &[PairDistance], unit: Unit) -> String {
    let distance = format!("distance/{}", unit.name);
    let mut table = Table::new(&["body", "body", "status", &distance, "at least", "at most"], 3);
    for pair in pairs {
        let found = &pair.distance;
        let mut status = match found.status {
            SolveStatus::Certified => "certified",
            SolveStatus::DepthUnproven => "depth unproven",
            SolveStatus::BudgetExhausted => "budget exhausted",
        }
        .to_owned();
        if found.of_hull {
            status.push_str(", of hull");
        }
        table.row(vec![
            checked.scene.body_name(pair.body_a).to_owned(),
            checked.scene.body_name(pair.body_b).to_owned(),
            status,
            unit.show(found.distance),
            unit.show(found.lower),
            unit.show(found.upper),
        ]);
    }
    table.text()
}
