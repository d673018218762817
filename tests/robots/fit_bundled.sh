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

mkdir -p "$output"
grep -v '^#' "$here/fitted.txt" | while read -r name file surfaces from options; do
  if (($#)) && [[ " $* " != *" $name "* ]]; then continue; fi
  report="$(mktemp -d)"
  # shellcheck disable=SC2086 # options are words
  "$binary" fit "$robots/$file" --package-path "$share" -o "$output/$name.yaml" --force \
    --surfaces "$surfaces" --from "$from" --report "$report" $options
  # The pictures stay where they are: they show meshes of others.
  sed '/^## Pictures/,$d' "$report/report.md" >"$output/$name.md"
  rm -r "$report"
done
