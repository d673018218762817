#!/usr/bin/env bash
# Steps per second of three scenes, ours against Rapier and MuJoCo in one run, one thread each: prints a Markdown table.
# Installs MuJoCo as tests/robots/install.sh does. Takes about a minute after building; the argument is the time for each engine
# and scene in seconds.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
[ -n "${ROBOTS_VENV:-}" ] || tests/robots/install.sh
python="$(realpath --no-symlinks "${ROBOTS_VENV:-target/robots-venv}/bin/python")"
exec cargo bench --package smooth_scene_dynamics --features peers --bench simulation -- "$python" "${1:-3}"
