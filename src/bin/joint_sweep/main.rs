//! `joint_sweep`: replays a movement, times every query, checks every answer.

mod args;
mod benchmark;
mod compare;
mod contact_space;
mod failure;
mod figures;
mod grasp;
mod grasp_tables;
mod grid;
mod machine;
mod measure;
mod methods;
mod pair;
#[cfg(feature = "peers")]
mod parry;
mod peer_files;
mod progress;
mod random_pairs;
mod replay;
mod resolution;
mod results;
mod robots;
mod statistics;
mod svg;

use args::{CommandLine, Task};
use clap::Parser;
use failure::Failure;
use grasp::Run;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(CommandLine::parse()) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("joint_sweep: {failure}");
            ExitCode::from(2)
        }
    }
}

fn run(line: CommandLine) -> Result<ExitCode, Failure> {
    match line.task {
        Some(Task::Tables(a)) => {
            let stopped = || false;
            let run = Run { sweeps: a.sweeps as usize, stopped: &stopped, peers: a.peers.as_deref() };
            benchmark::run(a.out.as_deref(), a.random as usize, &run)?;
        }
        Some(Task::Export { folder, random }) => benchmark::export(&folder, random as usize)?,
        Some(Task::Compare { before, after }) => {
            return Ok(ExitCode::from(u8::from(compare::run(&before, &after)?)));
        }
        _ => {}
    }
    Ok(ExitCode::SUCCESS)
}
