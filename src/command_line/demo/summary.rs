//! Summary of the demo: contacts, nearest pairs, and query times.

use std::fmt::Write;
use std::time::Instant;

use crate::robot::{RobotState, Trajectory};
use crate::scene::{
    Between, CheckRequest, NearestRequest, PairDistance, PlanningScene, SceneError, Workspace,
};

use super::bundled::Bundle;
use super::failure::DemoFailure;
use crate::command_line::table::Table;

/// One moment of the movement.
struct Moment {
    time: f64,
    contacts: usize,
    nearest: Option<PairDistance>,
    check_micros: f64,
    nearest_micros: f64,
}

/// Replays a movement once, queries each state, and returns the summary.
pub(crate) fn replay(bundle: &Bundle, movement: &Trajectory) -> Result<String, DemoFailure> {
    let scene = &bundle.described.scene;
    let [a, b] = &bundle.between;
    let between = Between { a: scene.body_set(a)?, b: scene.body_set(b)? };
    let steps = movement.steps;
    let states = movement.sampled(scene.model(), steps)?;
    let [start, end] = movement.time_range();
    let mut workspace = Workspace::warm();
    let mut moments = Vec::with_capacity(states.len());
    for (step, state) in states.iter().enumerate() {
        let time = start + (end - start) * step as f64 / steps as f64;
        moments.push(ask(scene, state, time, &between, &mut workspace)?);
    }
    Ok(summary(bundle, &moments))
}

fn ask(
    scene: &PlanningScene,
    state: &RobotState,
    time: f64,
    between: &Between,
    workspace: &mut Workspace,
) -> Result<Moment, SceneError> {
    let check = CheckRequest { between: between.clone(), ..CheckRequest::default() };
    let request = NearestRequest { check: check.clone(), max_results: 1, ..Default::default() };
    let mut found = Vec::new();
    let started = Instant::now();
    scene.in_collision(state.positions(), &check, workspace)?;
    let check_micros = micros_since(started);
    let started = Instant::now();
    scene.nearest(state.positions(), &request, workspace, &mut found)?;
    let nearest_micros = micros_since(started);
    let nearest = found.first().copied();
    scene.contacts(state.positions(), &check, Default::default(), workspace, &mut found)?;
    Ok(Moment { time, contacts: found.len(), nearest, check_micros, nearest_micros })
}

fn micros_since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}

fn summary(bundle: &Bundle, moments: &[Moment]) -> String {
    let mut text = String::new();
    let scene = &bundle.described.scene;
    let (surfaces, pairs) = scene.robot_size();
    let touching = moments.iter().filter(|moment| moment.contacts > 0).count();
    let duration = moments.last().map_or(0.0, |last| last.time);
    writeln!(
        text,
        "{}: {surfaces} surfaces, {pairs} pairs that may not touch\n\
         {} states in {duration} s, {touching} of them in contact",
        scene.model().name(),
        moments.len(),
    )
    .expect("a string takes any text");
    let first = moments.iter().find(|moment| moment.contacts > 0);
    let most = moments.iter().max_by_key(|moment| moment.contacts);
    let distance = |moment: &&Moment| moment.nearest.map_or(f64::INFINITY, |n| n.distance.distance);
    let deepest = moments.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let mut table = Table::new(&["", "pair", "time, s", "contacts", "distance, mm"], 2);
    for (name, moment) in [
        ("start", moments.first()),
        ("first contact", first),
        ("most contacts", most),
        ("deepest contact", deepest),
    ] {
        let Some(moment) = moment else { continue };
        let pair = moment.nearest.map_or_else(String::new, |nearest| {
            let name = |body| scene.body_name(body);
            format!("{} – {}", name(nearest.body_a), name(nearest.body_b))
        });
        table.row(vec![
            name.into(),
            pair,
            format!("{:.3}", moment.time),
            moment.contacts.to_string(),
            format!("{:.3}", 1e3 * distance(&moment)),
        ]);
    }
    text += &table.text();
    let mut times = Table::new(&["time of a question, µs", "median", "99 %", "longest"], 1);
    for (name, of) in [
        ("in collision?", (|m: &Moment| m.check_micros) as fn(&Moment) -> f64),
        ("nearest pair", |m| m.nearest_micros),
    ] {
        let mut all: Vec<f64> = moments.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        let at = |share: f64| all.get((share * (all.len() - 1) as f64).round() as usize);
        let cell = |share| at(share).map_or_else(String::new, |time| format!("{time:.1}"));
        table_row(&mut times, name, [cell(0.5), cell(0.99), cell(1.0)]);
    }
    text + &times.text()
}

fn table_row(table: &mut Table, name: &str, cells: [String; 3]) {
    table.row(std::iter::once(name.to_owned()).chain(cells).collect());
}
