#!/usr/bin/env bash
# Two hands, ours against Coal and Pinocchio on the same states, pairs and surfaces, one core: prints a Markdown table.
# Installs Coal and Pinocchio as tests/robots/install.sh does. Takes about five minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
tests/robots/install.sh
ours="$(cargo bench --bench two_hands --no-run --message-format=json |
  sed -n 's/.*"name":"two_hands".*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)"
exec "${ROBOTS_VENV:-target/robots-venv}/bin/python" benches/peers/two_hands.py "$ours"
