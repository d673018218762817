//! Machine, versions and commit of a run.

use std::process::Command;

/// Name of the processor.
pub(crate) fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_string());
    name.unwrap_or_else(|| std::env::consts::ARCH.into())
}

fn output(program: &str, words: &[&str]) -> Option<String> {
    let output = Command::new(program).args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_string())
}

/// The commit of the working folder, marked when files are changed.
pub(crate) fn commit() -> String {
    output("git", &["describe", "--always", "--dirty", "--abbrev=12"])
        .unwrap_or_else(|| "not in a repository".into())
}

/// What every run records with its results.
pub(crate) fn circumstances() -> Vec<(String, String)> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let system = output("uname", &["-sr"]).unwrap_or_else(|| std::env::consts::OS.into());
    let compiler = output("rustc", &["--version"]).unwrap_or_else(|| "rustc unknown".into());
    let pairs = [
        ("machine", format!("{}, {cores} cores, {system}", processor())),
        ("version", format!("smooth_scene {}, {compiler}", env!("CARGO_PKG_VERSION"))),
        ("commit", commit()),
    ];
    pairs.map(|(name, value)| (name.to_string(), value)).to_vec()
}
