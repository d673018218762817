//! Ctrl-C for programs that a test has started.

use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Long enough for a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(60);
/// The bit of SIGINT in the masks of `/proc/PID/status`.
const INTERRUPT_BIT: u64 = 1 << 1;

/// Waits until a program watches for Ctrl-C: before that, the signal would end it as any other program.
///
/// # Panics
/// The program has ended, or does not watch for it within a minute.
pub fn wait_until_it_watches(child: &Child) {
    let begin = Instant::now();
    let file = format!("/proc/{}/status", child.id());
    while !std::fs::read_to_string(&file).is_ok_and(|status| catches_interrupts(&status)) {
        assert!(begin.elapsed() < PATIENCE, "process {} does not watch for Ctrl-C", child.id());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal, named as for `kill`: "INT", "TERM".
///
/// # Panics
/// The program has ended.
pub fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "process {} is gone", child.id());
}

/// Ctrl-C, as soon as the program watches for it.
///
/// # Panics
/// As its two steps.
pub fn interrupt(child: &Child) {
    wait_until_it_watches(child);
    send(child, "INT");
}

fn catches_interrupts(status: &str) -> bool {
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & INTERRUPT_BIT != 0)
}
