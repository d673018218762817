#!/usr/bin/env bash
# How well superquadrics are found in synthetic clouds, ours and EMS (Liu et al., CVPR 2022) on the same clouds: the table of
# docs/clouds.md. EMS_CHECKOUT is a copy of https://github.com/bmlklwx/EMS-superquadric_fitting; without it only ours is printed.
# Options: CLOUDS (60), SEED (1001), PYTHON (python3 with NumPy, SciPy and Numba).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
clouds="${CLOUDS:-60}"
seed="${SEED:-1001}"
work=target/peers/clouds
rm -rf "$work"
mkdir -p "$work"
cargo build --release --locked -p smooth_scene_fit --example fit_clouds
run=(target/release/examples/fit_clouds "$clouds" "$seed")
"${run[@]}" write "$work"
echo "ours"
"${run[@]}"
if [[ -n "${EMS_CHECKOUT:-}" ]]; then
  "${PYTHON:-python3}" benches/peers/ems.py "$EMS_CHECKOUT" "$work" "$work/ems.txt"
  "${run[@]}" score "$work/ems.txt"
else
  echo "EMS_CHECKOUT is not set: EMS was not run" >&2
fi
