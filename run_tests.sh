#!/usr/bin/env bash
# Everything that has to pass. Needs a Rust toolchain; robots and libraries to compare with (Pinocchio, Coal, urdfdom) are
# installed by tests/robots/install.sh. The unit and end-to-end tests come last, so that their summary is the last thing
# on the screen.
set -euo pipefail
cd "$(dirname "$0")"

# Not all features: r2r needs a ROS 2 installation.
features=baselines,external-tests

step() { printf '\n== %s\n' "$*"; }

step "format"
cargo fmt --all --check

step "lints"
cargo clippy --locked --workspace --all-targets -- -D warnings
cargo clippy --locked --workspace --all-targets --features "$features" -- -D warnings

step "the node through rcl, against the bindings that come with r2r"
# Nothing can be linked without ROS 2, but types are checked.
cargo check --locked --lib --bins --features r2r,r2r/doc-only

step "documentation"
# With private items, because the formulas live there; so a link to a private item is not a dead one.
RUSTDOCFLAGS="-D warnings -A rustdoc::private-intra-doc-links" \
    cargo doc --locked --no-deps --features "$features" --document-private-items

step "the bundled query"
cargo run --locked --release -- query examples/pairs.jsonl

step "the bundled hands"
cargo run --locked --release -- check urdf/icub_arms_hands_mixed.urdf --srdf urdf/icub_arms_hands.srdf

step "the demo, once"
cargo run --locked --release -- demo --once

step "examples"
cargo run --locked --release -p smooth_scene_query --example accuracy -- 100
cargo run --locked --release --example picture -- target/hands.png
for example in distance motion batch gradients; do
    cargo run --locked --release -p smooth_scene_query --example "$example"
done
cargo run --locked --release -p smooth_scene_scene --example robot_in_scene
cargo run --locked --release --example node

step "fuzzing, 20 seconds"
cargo run --locked --release -p smooth_scene_query --example fuzz -- --seconds 20 --seed 1 --each-answer-alone

step "robots and libraries to compare with"
tests/robots/install.sh

step "tests"
cargo test --locked --test smooth_scene cli
cargo test --locked --workspace --features "$features"
