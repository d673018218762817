#!/usr/bin/env bash
# Tries a node on a real ROS 2 with clients of rcl, beside a plain server of rcl with none of our code. Needs a sourced workspace
# in which this package was built; goes through whatever RMW_IMPLEMENTATION says, on the loopback interface.
#
#   tests/rcl/run.sh SCENE_NODE...      one or more programs, such as those of two backends; prints a Markdown table
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
work="$(mktemp -d)"
server=
trap '[[ -z "$server" ]] || kill "$server"; rm -rf "$work"' EXIT
export ROS_DOMAIN_ID="${ROS_DOMAIN_ID:-77}" ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
cmake -S . -B "$work" -DCMAKE_BUILD_TYPE=Release >"$work/build.log" && make -C "$work" >>"$work/build.log" ||
  { cat "$work/build.log" >&2; exit 1; }

# clients SERVICE COUNT ROUNDS CALLS AT_ONCE DEPTH: what all of them counted, and the middle one of their medians.
clients() {
  for _ in $(seq "$3"); do
    local running=()
    for _ in $(seq "$2"); do
      "$work/client" "$1" "$4" "$5" "$6" >>"$work/counts" 2>>"$work/errors" &
      running+=($!)
    done
    wait "${running[@]}"
  done
  sort -k8n "$work/counts" | awk '{ answered += $1; refused += $3; lost += $5; median[NR] = $8 }
    END { printf "%d | %d | %d | %d |\n", answered, refused, lost, median[int((NR + 1) / 2)] }'
  rm "$work/counts"
}

rows() {
  echo "| $1 | 1 client, one call at a time | $(clients "$2" 1 1 5000 1 10)"
  echo "| $1 | 4 clients, one call at a time, depth 10 | $(clients "$2" 4 5 1000 1 10)"
  echo "| $1 | 4 clients, one call at a time, depth 1000 | $(clients "$2" 4 5 1000 1 1000)"
  echo "| $1 | bursts of 100, depth 1000 | $(clients "$2" 1 5 2000 100 1000)"
  echo "| $1 | bursts of 2000, depth 4000 | $(clients "$2" 1 5 10000 2000 4000)"
}

echo "| server | calls | answered | refused | lost | median of a call or burst, µs |"
echo "|---|---|---:|---:|---:|---:|"
"$work/server" 2>"$work/server.log" & server=$!
rows "plain rcl" /stock/get_scene
kill "$server"; wait "$server"; server=
echo
tail -n 1 "$work/server.log" | sed 's/^/plain rcl: /' >"$work/remarks"
hands=../../urdf
for node in "$@"; do
  "$node" --urdf "$hands/icub_hands_mixed.urdf" --srdf "$hands/icub_hands.srdf" >"$work/node.log" 2>&1 & server=$!
  rows "$node" /scene_node/get_scene
  kill -INT "$server"; wait "$server"; server=
done
echo; cat "$work/remarks"
