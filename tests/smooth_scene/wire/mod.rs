//! Every message and service on our wire is encoded byte for byte as PyPI `rosbags` encodes it, has the fields `rosbags`
//! knows by name, order and type, and is read in either byte order. Behind the feature `external-tests`; needs what
//! `tests/robots/install.sh` installs.

use smooth_scene_test_support::hex;
use smooth_scene_test_support::robots_venv;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};
use smooth_scene::cdr;
use smooth_scene::interfaces::{Message, MessageVisitor, for_each_message};

mod schema;

use crate::random_message::random_message;
use schema::schema;

/// Random messages of each type.
const CASES: u64 = 60;

/// The program that knows `rosbags`.
struct Rosbags {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Rosbags {
    fn start() -> Self {
        let mut process = robots_venv::start_python("tests/smooth_scene/wire/compare.py", &[]);
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self { process, input, output }
    }

    fn check<T: Message>(&mut self) {
        let name = T::TYPE_NAME;
        let mut messages = vec![T::default()];
        messages.extend((0..CASES).map(random_message::<T>));
        let mut cases = Vec::new();
        for message in &messages {
            let bytes = cdr::encode(message);
            assert_eq!(&cdr::decode::<T>(&bytes).unwrap(), message, "{name}");
            cases.push(json!({"value": message, "bytes": hex::encode(&bytes)}));
        }
        let question = json!({"type": name, "schema": schema::<T>(), "cases": cases, "hash": T::DEFINITION.hash});
        writeln!(self.input, "{question}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("{name}: {line}"));
        assert_eq!(answer.get("error"), None, "{}", answer["error"].as_str().unwrap_or_default());
        let swapped = answer["big_endian"].as_array().unwrap();
        assert_eq!(swapped.len(), messages.len());
        for (bytes, message) in swapped.iter().zip(&messages) {
            let bytes = hex::decode(bytes.as_str().unwrap());
            assert_eq!(&cdr::decode::<T>(&bytes).unwrap(), message, "{name}, big endian");
        }
    }
}

impl Drop for Rosbags {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Checks every type, and counts them.
struct CheckAll {
    rosbags: Rosbags,
    count: usize,
}

impl MessageVisitor for CheckAll {
    fn visit<M: Message>(&mut self) {
        self.rosbags.check::<M>();
        self.count += 1;
    }
}

#[test]
fn every_message_and_service_has_the_bytes_fields_and_hash_of_rosbags() {
    let mut all = CheckAll { rosbags: Rosbags::start(), count: 0 };
    for_each_message(&mut all);
    // Eight messages and five services of ours, and the standard ones.
    assert!(all.count >= 80, "{} types", all.count);
}
