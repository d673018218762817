//! The commands in the documents exist, and print what the documents show.

use std::path::Path;
use std::process::{Command, Output};

use smooth_scene_test_support::repository_file;

/// A line of a code block that is a command, and what is shown below it.
struct Documented {
    /// File and line, for messages.
    place: String,
    command: String,
    shown: Vec<String>,
}

/// README and all of `docs`.
fn documents() -> Vec<(String, String)> {
    let folder = repository_file("docs");
    let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let pages = entries.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let mut files: Vec<_> = pages.chain([repository_file("README.md")]).collect();
    files.sort();
    let text = |path: &Path| std::fs::read_to_string(path).unwrap();
    files.iter().map(|path| (path.display().to_string(), text(path))).collect()
}

/// The commands of the code blocks with one of these languages. In blocks with prompts (`$ `) other lines are what was
/// printed; a command goes on until its quotes are closed, or after a backslash.
fn commands(languages: &[&str]) -> Vec<Documented> {
    let mut found: Vec<Documented> = Vec::new();
    for (file, text) in documents() {
        let mut inside = None;
        let mut has_prompts = false;
        for (number, line) in text.lines().enumerate() {
            match (inside, line.strip_prefix("```")) {
                (None, Some(language)) => {
                    inside = Some(languages.contains(&language));
                    let block = text.lines().skip(number + 1).take_while(|line| *line != "```");
                    has_prompts = block.into_iter().any(|line| line.starts_with("$ "));
                    continue;
                }
                (Some(_), Some(_)) => {
                    inside = None;
                    continue;
                }
                (Some(true), None) => {}
                (_, None) => continue,
            }
            let open = found.last_mut().filter(|last| is_open(&last.command));
            if let Some(last) = open {
                last.command = last.command.trim_end_matches('\\').to_owned() + "\n" + line;
            } else if !has_prompts || line.starts_with("$ ") {
                let command = line.strip_prefix("$ ").unwrap_or(line).to_owned();
                let place = format!("{file}:{}", number + 1);
                found.push(Documented { place, command, shown: Vec::new() });
            } else {
                found.last_mut().unwrap().shown.push(line.to_owned());
            }
        }
    }
    found
}

/// Comments may hold an apostrophe.
fn is_open(command: &str) -> bool {
    let code = command.split(" #").next().expect("a split text has a first part");
    code.matches('\'').count() % 2 == 1 || code.ends_with('\\')
}

/// Runs a line of a shell in the root of the repository, with our programs on the path.
fn shell(command: &str) -> Output {
    let programs = Path::new(env!("CARGO_BIN_EXE_smooth_scene")).parent().unwrap().display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).env("PATH", path).current_dir(repository_file("."));
    shell.output().unwrap()
}

/// Whether a line is the one that is shown, up to times and what `…` stands for.
fn is_shown(line: &str, shown: &str) -> bool {
    let without_time = |text: &str| match text.split_once("\"micros\":") {
        Some((before, after)) => {
            before.to_owned() + after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
        }
        None => text.to_owned(),
    };
    let (line, shown) = (without_time(line), without_time(shown));
    match shown.split_once('…') {
        Some((start, end)) => line.starts_with(start) && line.ends_with(end),
        None => line == shown,
    }
}

#[test]
fn commands_print_what_the_documents_show() {
    let mut compared = 0;
    for Documented { place, command, shown } in commands(&["console"]) {
        let needs_baselines = command.contains("--map ");
        let is_ours = command.starts_with("smooth_scene ") || command.starts_with("echo ");
        if shown.is_empty() || !is_ours || (needs_baselines && cfg!(not(feature = "baselines"))) {
            continue;
        }
        let output = shell(&command);
        let printed = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = printed.lines().collect();
        let same = lines.len() == shown.len()
            && lines.iter().zip(&shown).all(|(line, shown)| is_shown(line, shown));
        assert!(same, "{place}: {command}\nprints\n{printed}");
        compared += 1;
    }
    assert!(compared >= 4, "{compared}");
}

/// With `--help` at its end a command line is read, and nothing is done.
#[test]
fn every_option_in_the_documents_exists() {
    let mut read = 0;
    for Documented { place, command, .. } in commands(&["console", "sh"]) {
        if !command.starts_with("smooth_scene ") {
            continue;
        }
        let ends = [" --ros-args", " | ", " > ", "  #", " # "];
        let end = ends.iter().filter_map(|end| command.find(end)).min().unwrap_or(command.len());
        let needs_baselines = command.contains("--map ");
        if needs_baselines && cfg!(not(feature = "baselines")) {
            continue;
        }
        let output = shell(&format!("{} --help", command[..end].replace('\n', " ")));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{place}: {command}\n{said}");
        read += 1;
    }
    assert!(read >= 30, "{read}");
}
