//! A peer on our own DDS layer, as `peer.hpp` describes peers; it has clients that ask what is in files, and no more. `RMW_IMPLEMENTATION` says how it asks.

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use smooth_scene::transport::ros_args::RosArgs;
use smooth_scene::transport::{Client, connect};

fn milliseconds(text: &str) -> Duration {
    Duration::from_millis(text.parse().expect("a number"))
}

/// Asks everything in a file, one after the other. How many were not answered.
fn call_all(client: &dyn Client, at_most: Duration, questions: &str, answers: &str) -> usize {
    let questions = std::fs::read(questions).expect("a file with questions");
    let mut answers = std::io::BufWriter::new(std::fs::File::create(answers).expect("a new file"));
    let (mut rest, mut lost) = (&questions[..], 0);
    while let Some((length, after)) = rest.split_first_chunk() {
        let (question, after) = after.split_at(u32::from_le_bytes(*length) as usize);
        rest = after;
        let begin = Instant::now();
        let answer = client.call(question, at_most);
        let micros = begin.elapsed().as_secs_f64() * 1e6;
        if let Err(error) = &answer {
            eprintln!("{error}");
            lost += 1;
        }
        let answer = answer.unwrap_or_default();
        let length = u32::try_from(answer.len()).expect("answers are small");
        for bytes in [&micros.to_le_bytes()[..], &length.to_le_bytes(), &answer] {
            answers.write_all(bytes).expect("a disk with room");
        }
    }
    answers.flush().expect("a disk with room");
    lost
}

fn main() {
    let arguments = RosArgs::default();
    let name = format!("peer_{}", std::process::id());
    let transport = connect(&name, &arguments).expect("a domain to join");
    let mut clients = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        let words: Vec<&str> = line.split(' ').collect();
        let answer = match words[..] {
            ["client", name, type_name, ms] => {
                let client = transport.client(name, type_name).expect("a name and a type");
                let is_there = client.wait_for_server(milliseconds(ms));
                clients.push(client);
                if is_there { "ok".to_owned() } else { "timeout".to_owned() }
            }
            ["calls", client, ms, questions, answers] => {
                let client = &clients[client.parse::<usize>().expect("a number")];
                match call_all(&**client, milliseconds(ms), questions, answers) {
                    0 => "done".to_owned(),
                    lost => format!("timeout {lost}"),
                }
            }
            _ => panic!("unknown command: {line}"),
        };
        println!("{answer}");
    }
}
