//! What a simulation prints.

use super::energy_plot::EnergyAt;
use crate::command_line::table::Table;
use crate::dynamics::Simulation;
use crate::robot::RobotModel;
use serde_json::{Map, Value, json};

/// Contacts that are listed for people.
const MOST_LISTED: usize = 20;

fn energy(at: Option<&EnergyAt>) -> Value {
    match at {
        None => Value::Null,
        Some(at) => {
            let energy = &at.energy;
            json!({"kinetic": energy.kinetic, "potential": energy.potential, "stored": at.stored})
        }
    }
}

/// One object for programs.
pub(crate) fn json(simulation: &Simulation, model: &RobotModel, energies: &[EnergyAt]) -> Value {
    let system = simulation.system();
    let contacts: Vec<Value> = simulation
        .begun()
        .iter()
        .map(|begun| {
            let [a, b] = system.pair_names(begun.pair);
            json!({"time": begun.time, "body_a": a, "body_b": b, "speed": begun.speed})
        })
        .collect();
    let state = simulation.state();
    let names = model.variable_names().iter().zip(&state.positions);
    let positions: Map<String, Value> =
        names.map(|(name, value)| (name.clone(), json!(value))).collect();
    let mut objects = Map::new();
    for (body, at) in system.bodies().iter().zip(&state.bodies) {
        let pose = body.pose(at);
        let value = json!({
            "mass": body.mass,
            "xyz": pose.translation.vector.as_slice(),
            "quat": pose.rotation.coords.as_slice(),
        });
        objects.insert(body.name.clone(), value);
    }
    json!({
        "seconds": simulation.time(),
        "steps": simulation.steps(),
        "residual": simulation.solver_record().residual,
        "sweeps": simulation.solver_record().sweeps,
        "energy": {"start": energy(energies.first()), "end": energy(energies.last())},
        "contacts": contacts,
        "positions": positions,
        "objects": objects,
    })
}

/// The same for people.
pub(crate) fn text(simulation: &Simulation, model: &RobotModel, energies: &[EnergyAt]) -> String {
    let system = simulation.system();
    let mut text = format!(
        "{:.3} s in {} steps: {} joints of `{}`, {} free objects, {} pairs of surfaces\n",
        simulation.time(),
        simulation.steps(),
        model.velocity_count(),
        model.name(),
        system.bodies().len(),
        system.pair_count(),
    );
    let solver = simulation.solver_record();
    if solver.sweeps > 0 {
        let sweeps = solver.sweeps as f64 / simulation.steps() as f64;
        text += &format!(
            "rigid contacts: residual at most {:.1e} m/s, {sweeps:.1} sweeps per step\n",
            solver.residual
        );
    }
    if let (Some(first), Some(last)) = (energies.first(), energies.last()) {
        let mut table = Table::new(&["energy/J", "kinetic", "potential", "stored", "total"], 1);
        for (name, at) in [("start", first), ("end", last)] {
            let total = at.energy.total() + at.stored;
            let numbers = [at.energy.kinetic, at.energy.potential, at.stored, total];
            let mut cells = vec![name.to_owned()];
            cells.extend(numbers.iter().map(|x| format!("{x:.6}")));
            table.row(cells);
        }
        text += &format!("\n{}", table.text());
    }
    let begun = simulation.begun();
    text += &format!("\n{} contacts began\n", begun.len());
    if !begun.is_empty() {
        let mut table = Table::new(&["time/s", "speed/(m/s)", "bodies"], 0);
        for contact in begun.iter().take(MOST_LISTED) {
            let [a, b] = system.pair_names(contact.pair);
            let time = format!("{:.6}", contact.time);
            table.row(vec![time, format!("{:.4}", contact.speed), format!("{a} {b}")]);
        }
        text += &table.text();
        if begun.len() > MOST_LISTED {
            text += &format!("… and {} more; --json lists all\n", begun.len() - MOST_LISTED);
        }
    }
    text
}
