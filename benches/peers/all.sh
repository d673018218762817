#!/usr/bin/env bash
# Every benchmark of docs/benchmarks.md in one run: builds the programs of the mesh libraries and of Ipopt, gives them the
# same pairs, runs ours, the solvers of the papers and Parry, and writes docs/benchmarks.md, docs/benchmarks/*.csv, *.svg,
# *.png and results.json. FCL and Ipopt come from Debian (libfcl-dev, coinor-libipopt-dev), Coal from PyPI
# (tests/robots/install.sh); without one of them its rows say so. On two quiet cores a run takes about 20 minutes and the
# build before it up to 10: Ipopt 10 (some ten milliseconds a pair, so it answers once), FCL and Coal 3, the rest 5. Options:
#   OUT           folder for the results (docs)
#   SWEEPS        how often each query is repeated (5)
#   IPOPT_SWEEPS  the same for Ipopt (1)
#   RANDOM_PAIRS  pairs of each kind (10000, as the paper has)
#   INSTALL=0     install nothing
#   PEERS_ONLY=1  stop after the programs of the libraries, before our own part and the tables
#   KEEP=1        keep what the programs of the libraries answered in an earlier run, if pairs, program and sweeps are the same: an
#                 interrupted run goes on where it stopped, and a long one can be made in parts
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
out="${OUT:-docs}"
sweeps="${SWEEPS:-5}"
ipopt_sweeps="${IPOPT_SWEEPS:-1}"
random="${RANDOM_PAIRS:-10000}"
work=target/peers
venv="$(realpath -m "${ROBOTS_VENV:-target/robots-venv}")"
mkdir -p "$work"
# Nothing of an earlier run: answers to other pairs would be taken for answers to these. With KEEP each is compared below.
rm -f "$work"/*.txt "$work"/*_pairs "$work"/*.part
if [[ "${KEEP:-0}" == 0 ]]; then rm -f "$work"/*.csv "$work"/*.of; fi

if [[ "${INSTALL:-1}" != 0 ]]; then
  tests/robots/install.sh ||
    echo "tests/robots/install.sh failed: without Coal its rows will say so" >&2
  if command -v apt-get >/dev/null; then
    as_root=()
    if ((EUID)); then as_root=(sudo); fi
    missing=()
    [[ -e /usr/include/fcl/fcl.h ]] || missing+=(libfcl-dev)
    compgen -G '/usr/include/coin*/IpTNLP.hpp' >/dev/null || missing+=(coinor-libipopt-dev)
    [[ -d /usr/share/fonts/truetype/dejavu ]] || missing+=(fonts-dejavu-core)
    for package in ${missing[@]+"${missing[@]}"}; do
      ${as_root[@]+"${as_root[@]}"} apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
        echo "$package could not be installed: the rows that need it will say so" >&2
    done
  fi
fi

# Compiles a program if its library is there.
peers=()
compile() {
  local name="$1"
  shift
  if c++ -O3 -DNDEBUG -std=c++17 "benches/peers/${name}_pairs.cpp" -o "$work/${name}_pairs" \
    -I/usr/include/eigen3 "$@" 2>"$work/$name.log"; then
    peers+=("$name")
  else
    echo "$name is not there or does not build (see $work/$name.log): its rows will say so" >&2
  fi
}
compile fcl -lfcl -lccd
compile ipopt -I/usr/include/coin -I/usr/include/coin-or -lipopt
prefix="$(echo "$venv"/lib/python3*/site-packages/cmeel.prefix)"
compile coal -I"$prefix/include" -L"$prefix/lib" -Wl,-rpath,"$prefix/lib" -lcoal

started=$SECONDS
cargo build --release --locked --features peers --bin joint_sweep
echo "build: $((SECONDS - started)) s" >&2
started=$SECONDS
target/release/joint_sweep export "$work" --random "$random"
echo "pairs: $((SECONDS - started)) s" >&2
# What an answer depends on: the program, the pairs and the sweeps.
fingerprint() {
  cat "$work/$1_pairs" "$2" | sha256sum | cut -d' ' -f1
  echo "$3 sweeps"
}
valid=()
for peer in ${peers[@]+"${peers[@]}"}; do
  started=$SECONDS
  for file in "$work"/*.txt; do
    # Ipopt answers for the random pairs alone: other surfaces than theirs have no line in the files.
    if [[ $peer == ipopt && $file != */random_* ]]; then continue; fi
    answers="${file%.txt}.$peer.csv"
    repeat="$sweeps"
    if [[ $peer == ipopt ]]; then repeat="$ipopt_sweeps"; fi
    of="$(fingerprint "$peer" "$file" "$repeat")"
    valid+=("$answers")
    if [[ -e $answers && -e $answers.of && $(<"$answers.of") == "$of" ]]; then
      echo "$answers: kept from an earlier run" >&2
      continue
    fi
    rm -f "$answers" "$answers.of"
    # Half an answer is none.
    if "$work/${peer}_pairs" "$file" "$repeat" >"$answers.part"; then
      mv "$answers.part" "$answers"
      echo "$of" >"$answers.of"
    else
      rm -f "$answers.part"
      echo "$peer failed on $file: its rows will say so" >&2
    fi
  done
  echo "$peer: $((SECONDS - started)) s" >&2
done
# Answers of a library that is gone, or to pairs that are no longer asked about.
for answers in "$work"/*.csv; do
  if [[ ! " ${valid[*]-} " == *" $answers "* ]]; then rm -f "$answers" "$answers.of"; fi
done
if [[ "${PEERS_ONLY:-0}" != 0 ]]; then exit; fi
exec target/release/joint_sweep tables --peers "$work" --out "$out" --sweeps "$sweeps" --random "$random"
