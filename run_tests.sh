#!/usr/bin/env bash
# Everything that has to pass, on a fresh clone with a Rust toolchain. Goes on after a failure; the last lines say which
# steps failed and how long each took, and the exit code is 1 if any failed.
#
# Options, as environment variables:
#   SEED=fresh      new random cases in every random test; a number repeats the run that printed it
#   PROPTEST_CASES  cases of each property test, instead of the number it has by itself
#   ROBOTS_VENV     where the robots and libraries to compare with are installed (target/robots-venv)
#
# Every crate is compiled twice and no more: once to be checked (Clippy, rustdoc, r2r) and once to be run, in the one
# profile `dev` and with the one set of features for the whole workspace. So programs and examples are started from the
# target folder: `cargo run` would choose features for one package and build its dependencies again.
set -uo pipefail
cd "$(dirname "$0")"

# Not all features: r2r needs a ROS 2 installation.
features=baselines,external-tests
built="${CARGO_TARGET_DIR:-target}/debug"
summary=()
failures=0

# step NAME COMMAND...: runs it, and remembers how it ended and how long it took.
step() {
    local name="$1" begin=$SECONDS result=ok
    shift
    printf '\n== %s\n' "$name"
    "$@" || { result=FAILED; failures=$((failures + 1)); }
    summary+=("$(printf '%-6s %5d s  %s' "$result" $((SECONDS - begin)) "$name")")
}

documentation() {
    # With private items, because the formulas live there; so a link to a private item is not a dead one.
    RUSTDOCFLAGS="-D warnings -A rustdoc::private-intra-doc-links" \
        cargo doc --locked --workspace --no-deps --features "$features" --document-private-items
}

# Python packages are downloaded while the crates compile.
install_log="$(mktemp)"
trap 'rm -f "$install_log"' EXIT
tests/robots/install.sh >"$install_log" 2>&1 &
install=$!
installed() {
    wait "$install"
    local status=$?
    cat "$install_log"
    return "$status"
}

step "format" cargo fmt --all --check
step "lints" cargo clippy --locked --workspace --all-targets --features "$features" -- -D warnings
# Nothing can be linked without ROS 2, but types are checked against the bindings that come with r2r.
step "the node through rcl" \
    cargo check --locked --workspace --lib --bins --features "$features,r2r,r2r/doc-only"
step "documentation" documentation
step "build" cargo test --locked --workspace --features "$features" --no-run
step "robots and libraries to compare with" installed

step "the bundled query" "$built/smooth_scene" query examples/pairs.jsonl
step "the bundled hands" \
    "$built/smooth_scene" check urdf/icub_arms_hands_mixed.urdf --srdf urdf/icub_arms_hands.srdf
step "the demo, once" "$built/smooth_scene" demo --once
for example in distance batch gradients motion kinematics robot_in_scene states_and_motions around_a_post node; do
    step "example $example" "$built/examples/$example"
done
step "example accuracy" "$built/examples/accuracy" 100
step "example picture" "$built/examples/picture" "$built/hands.png"
step "example v_clip" "$built/examples/v_clip" 1000
step "example view_pictures" "$built/examples/view_pictures" "$built"
step "example contact_pictures" "$built/examples/contact_pictures" "$built"
step "fuzzing, 20 seconds" "$built/examples/fuzz" --seconds 20 --seed 1 --each-answer-alone
step "fuzzing the DDS layer, 20 seconds" "$built/examples/fuzz_datagrams" 20 1

# The package as `pip install .` makes it, with the tools that tests/robots/install.sh installed.
python_package() {
    local venv="${ROBOTS_VENV:-target/robots-venv}"
    PATH="$(cd "$venv" && pwd)/bin:$PATH" "$venv/bin/pip" install --quiet --disable-pip-version-check \
        --no-build-isolation --no-deps --force-reinstall . &&
        "$venv/bin/python" -m pytest -q -p no:cacheprovider crates/python/tests
}
step "the Python package" python_package

# The other crates keep their features, so that they are not compiled again.
others=smooth_scene_dynamics/external-tests,smooth_scene_fit/external-tests,smooth_scene_plan/external-tests,smooth_scene_robot/external-tests,smooth_scene_scene/external-tests,smooth_scene_view/external-tests
step "tests without optional features" \
    cargo test --locked --workspace --no-default-features --features "$others" --no-fail-fast \
    --test smooth_scene -- cli:: demo_bag:: joint_sweep::
step "tests" cargo test --locked --workspace --features "$features" --no-fail-fast
# Without compiling the packages once more: what they hold and that their manifests are complete.
step "packages" cargo package --locked --workspace --allow-dirty --no-verify --quiet

printf '\n== summary, %d s\n' "$SECONDS"
printf '%s\n' "${summary[@]}"
((failures == 0)) || { printf '%d steps failed\n' "$failures"; exit 1; }
