//! The matrix of pairs that may touch.
//!
//! A message of MoveIt is a full table: for every two names it says yes or no. What it says is merged into what is
//! known: an entry is made only where the table differs from what holds already, so that reasons are kept and pairs
//! that the table does not name stay as they are. MoveIt forgets these, with what the SRDF said about them.

use std::collections::BTreeSet;

use crate::convert::Refusal;
use crate::interfaces::moveit_msgs::msg::{AllowedCollisionEntry, AllowedCollisionMatrix};
use crate::scene::{Allowance, AllowedCollisionMatrix as CoreMatrix, PlanningScene, Reason};

/// What is known, and what the message says on top.
pub fn merged(known: &CoreMatrix, message: &AllowedCollisionMatrix) -> Result<CoreMatrix, Refusal> {
    check(message)?;
    let mut matrix = known.clone();
    let entry = |allowed| Some(Allowance { allowed, reason: Reason::User });
    for (name, &allowed) in message.default_entry_names.iter().zip(&message.default_entry_values) {
        if matrix.default_entry(name).is_none_or(|known| known.allowed != allowed) {
            matrix.set_default(name, entry(allowed));
        }
    }
    let names = &message.entry_names;
    for (i, row) in message.entry_values.iter().enumerate() {
        for (j, &allowed) in row.enabled.iter().enumerate().skip(i + 1) {
            if matrix.decide(&names[i], &names[j]).allowed != allowed {
                matrix.set(&names[i], &names[j], entry(allowed));
            }
        }
    }
    Ok(matrix)
}

/// Refuses a table that is not square or not symmetric.
fn check(message: &AllowedCollisionMatrix) -> Result<(), Refusal> {
    let refused =
        |reason: String| Err(Refusal::bad_request(format!("allowed_collision_matrix: {reason}")));
    let (names, rows) = (message.entry_names.len(), message.entry_values.len());
    if names != rows {
        return refused(format!("{names} entry_names and {rows} entry_values"));
    }
    let (defaults, values) =
        (message.default_entry_names.len(), message.default_entry_values.len());
    if defaults != values {
        return refused(format!(
            "{defaults} default_entry_names and {values} default_entry_values"
        ));
    }
    for (i, row) in message.entry_values.iter().enumerate() {
        let count = row.enabled.len();
        if count != names {
            let name = &message.entry_names[i];
            return refused(format!("the row of `{name}` has {count} values, must have {names}"));
        }
        for j in 0..i {
            if row.enabled[j] != message.entry_values[j].enabled[i] {
                let [a, b] = [i, j].map(|k| &message.entry_names[k]);
                return refused(format!("`{a}`, `{b}` and `{b}`, `{a}` differ"));
            }
        }
    }
    Ok(())
}

/// The matrix as a full table over all links with shapes, and all names that an entry mentions. A name that has none but
/// stands in the scene is left out: nothing is known about it but defaults. Refused when the table would have more than
/// `max_bytes` values.
pub fn matrix_message(
    scene: &PlanningScene,
    max_bytes: usize,
) -> Result<AllowedCollisionMatrix, Refusal> {
    let matrix = scene.acm();
    let solid = scene.model().links().iter().filter(|link| !link.collisions.is_empty());
    let mut names: BTreeSet<&str> = solid.map(|link| link.name.as_str()).collect();
    names.extend(matrix.entries().flat_map(|(a, b, _)| [a, b]));
    let names: Vec<&str> = names.into_iter().collect();
    if names.len().saturating_mul(names.len()) > max_bytes {
        let reason = format!("the matrix of {} names does not fit into a message", names.len());
        return Err(Refusal::bad_request(reason));
    }
    let row = |a: &&str| AllowedCollisionEntry {
        enabled: names.iter().map(|b| a != b && matrix.decide(a, b).allowed).collect(),
    };
    let entry_values = names.iter().map(row).collect();
    let (default_entry_names, default_entry_values) =
        matrix.defaults().map(|(name, entry)| (name.to_string(), entry.allowed)).unzip();
    Ok(AllowedCollisionMatrix {
        entry_names: names.iter().map(ToString::to_string).collect(),
        entry_values,
        default_entry_names,
        default_entry_values,
    })
}
