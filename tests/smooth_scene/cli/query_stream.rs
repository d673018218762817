//! `query` as a stream: ids, order, memory, and readers that wait or leave.

use super::{SPHERE, command, lines, pair, query};
use std::io::{BufRead, BufReader, Write};

#[test]
fn ids_are_echoed_and_blank_lines_skipped() {
    let body = format!(r#""a":{SPHERE},"b":{SPHERE}"#);
    let input = format!(
        "\u{feff}{{\"id\":\"\\u00e9\\n\",{body}}}\r\n\n  \t\n{{\"id\":-2.5,{body}}}\n{{{body}}}\n{{\"id\":18446744073709551615,{body}}}"
    );
    let output = query(input, &[]);
    assert_eq!(output.status.code(), Some(0));
    let ids: Vec<_> = lines(&output).iter().map(|line| line["id"].to_string()).collect();
    assert_eq!(ids, ["\"é\\n\"", "-2.5", "5", "18446744073709551615"]);
}

#[test]
fn an_answer_comes_before_the_next_question_is_asked() {
    for threads in ["1", "2"] {
        let mut child = command(&["-", "--threads", threads]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        for _ in 0..3 {
            writeln!(stdin, "{}", pair(SPHERE, SPHERE)).unwrap();
            let mut answer = String::new();
            stdout.read_line(&mut answer).unwrap();
            assert!(answer.contains("\"distance\":-2.0"), "{answer}");
        }
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn several_threads_keep_the_order() {
    let body = format!(r#""a":{SPHERE},"b":{SPHERE}"#);
    let input: String = (0..5000).map(|id| format!("{{\"id\":{id},{body}}}\n")).collect();
    let output = query(input, &["--threads", "2"]);
    let ids: Vec<_> = lines(&output).iter().map(|line| line["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (0..5000).collect::<Vec<_>>());
}

/// A long stream must not need more memory than a short one.
#[cfg(target_os = "linux")]
#[test]
fn memory_stays_flat_over_two_hundred_thousand_lines() {
    for threads in ["1", "2"] {
        let mut child = command(&["-", "--threads", threads]).spawn().unwrap();
        let (pid, mut stdin) = (child.id(), child.stdin.take().unwrap());
        let stdout = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || BufReader::new(stdout).split(b'\n').count());
        let line = pair(SPHERE, SPHERE) + "\n";
        let resident = || {
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
            let text = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
            text.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
        };
        let block = line.repeat(1000);
        let mut after_warm_up = 0;
        for block_number in 0..200 {
            stdin.write_all(block.as_bytes()).unwrap();
            if block_number == 20 {
                after_warm_up = resident();
            }
        }
        let at_the_end = resident();
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0));
        assert_eq!(reader.join().unwrap(), 200_000);
        // In kB. Without streaming the answers alone are 40 MB.
        assert!(at_the_end < after_warm_up + 8192, "{after_warm_up} kB, then {at_the_end} kB");
    }
}

#[test]
fn a_reader_that_leaves_ends_the_run_quietly() {
    let mut child = command(&["-"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let block = (pair(SPHERE, SPHERE) + "\n").repeat(1000);
    while stdin.write_all(block.as_bytes()).is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
