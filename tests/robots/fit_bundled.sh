#!/usr/bin/env bash
# Fits the robots of PyPI example-robot-data and writes config/fitted/NAME.yaml (surfaces) and NAME.md (report):
#
#   cargo build --release && tests/robots/fit_bundled.sh [NAME…]
#
# Needs tests/robots/install.sh. SMOOTH_SCENE names another binary.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
venv="${ROBOTS_VENV:-$here/../../target/robots-venv}"
binary="${SMOOTH_SCENE:-$here/../../target/release/smooth_scene}"
output="$here/../../config/fitted"
share="$(echo "$venv"/lib/python3*/site-packages/cmeel.prefix/share)"
robots="$share/example-robot-data/robots"

# Name, file, surfaces, which meshes.
models=(
  "panda panda_description/urdf/panda.urdf 33 collision"
  "ur5 ur_description/urdf/ur5_robot.urdf 21 collision"
  "tiago tiago_description/robots/tiago.urdf 90 collision"
  "talos talos_data/robots/talos_reduced.urdf 141 collision"
  "allegro allegro_hand_description/urdf/allegro_right_hand.urdf 42 visual"
)

mkdir -p "$output"
for model in "${models[@]}"; do
  read -r name file surfaces from <<<"$model"
  if (($#)) && [[ " $* " != *" $name "* ]]; then continue; fi
  report="$(mktemp -d)"
  "$binary" fit "$robots/$file" --package-path "$share" -o "$output/$name.yaml" --force \
    --surfaces "$surfaces" --from "$from" --report "$report"
  # The pictures stay where they are: they show meshes of others.
  sed '/^## Pictures/,$d' "$report/report.md" >"$output/$name.md"
  rm -r "$report"
done
