#!/usr/bin/env bash
# Instructions per query on a fixed set, the intersecting pairs of the grasp with mixed surfaces, counted by valgrind:
# the same on a busy machine as on a quiet one. Prints a Markdown table. Takes about five minutes. Option: JOINT_SWEEP, a
# program that is built already, such as one of another commit to compare with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
program="${JOINT_SWEEP:-target/release/joint_sweep}"
if [[ -z "${JOINT_SWEEP:-}" ]]; then cargo build --release --locked --quiet --bin joint_sweep; fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# Instructions of the whole program when it asks this question of every pair. One thread: others spin while they wait, and
# their instructions would be counted too.
count() {
  RAYON_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file="$work/$1.out" "$program" fixed-set "$1" \
    >"$work/$1.txt" 2>"$work/$1.log" || { cat "$work/$1.log" >&2; return 1; }
  sed -n 's/^summary: \([0-9]*\).*/\1/p; s/^totals: \([0-9]*\).*/\1/p' "$work/$1.out" | head -n 1
}

empty="$(count nothing)"
pairs="$(sed -n 's/^\([0-9]*\) pairs.*/\1/p' "$work/nothing.txt")"
echo "$pairs pairs, commit $(git describe --always --dirty --abbrev=12)"
echo
echo "| question | instructions per query |"
echo "|---|---:|"
for question in yes-no depth warm certified; do
  whole="$(count "$question")"
  echo "| $question | $(((whole - empty) / pairs)) |"
done
