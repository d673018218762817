#!/usr/bin/env bash
# Everything that has to pass, with a Rust toolchain and nothing else. The unit and end-to-end tests come last, so that
# their summary is the last thing on the screen.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*"; }

step "format"
cargo fmt --check

step "lints"
cargo clippy --locked --all-targets -- -D warnings
cargo clippy --locked --all-targets --all-features -- -D warnings

step "documentation"
# With private items, because the formulas live there; so a link to a private item is not a dead one.
RUSTDOCFLAGS="-D warnings -A rustdoc::private-intra-doc-links" \
    cargo doc --locked --no-deps --all-features --document-private-items

step "the bundled query"
cargo run --locked --release -- query examples/pairs.jsonl

step "examples"
cargo run --locked --release --example accuracy -- 100

step "fuzzing, 20 seconds"
cargo run --locked --release --example fuzz -- --seconds 20 --seed 1 --each-answer-alone

step "tests"
cargo test --locked --test cli
cargo test --locked --all-features
