#!/usr/bin/env bash
# Installs the robots and reference libraries that the feature `external-tests` compares with, pinned, into
# target/robots-venv (or $ROBOTS_VENV). Needs Python 3.11 or newer with venv. Does nothing when already done.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
venv="${ROBOTS_VENV:-$here/../../target/robots-venv}"
stamp="$venv/installed-requirements.txt"
if cmp -s "$here/requirements.txt" "$stamp"; then
  exit 0
fi
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
cp "$here/requirements.txt" "$stamp"
