#!/usr/bin/env bash
# Fits the upper body of the iCub and writes urdf/icub_upper_body.urdf, urdf/icub_upper_body.srdf and config/fitted/icub_upper_body.md:
#
#   cargo build --release && tests/robots/fit_icub.sh ICUB_MODELS HAND_MESHES
#
# ICUB_MODELS is a checkout of github.com/robotology/icub-models @ dca8c618. HAND_MESHES is a folder with the hand meshes of
# github.com/vislab-tecnico-lisboa/icub-moveit @ 845496fc as OBJ files in metres, in the frames of its URDF's links, named after the links.
# Needs tests/robots/install.sh. SMOOTH_SCENE names another binary.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$here/../.."
venv="${ROBOTS_VENV:-$root/target/robots-venv}"
binary="${SMOOTH_SCENE:-$root/target/release/smooth_scene}"
output="$root/urdf/icub_upper_body"
work="$(mktemp -d)"
trap 'rm -r "$work"' EXIT

"$venv/bin/python" "$here/icub_meshes.py" "$1" "$2" "$work/icub.urdf"
# The hands first: beside the torso they would get one surface a link. Links that touch in every state are in the SRDF.
links() { python3 - "$work/icub.urdf" "$1" <<'PYTHON'
import re, sys
import xml.etree.ElementTree as ET
links = [link.get("name") for link in ET.parse(sys.argv[1]).getroot().findall("link") if link.find("collision") is not None]
is_hand = lambda name: re.search("_(palm|thumb|index|middle|ring|little)(_|$)", name) is not None
print(",".join(name for name in links if is_hand(name) == (sys.argv[2] == "hands")))
PYTHON
}
"$binary" fit "$work/icub.urdf" -o "$work/hands.urdf" --links "$(links hands)" --surfaces 92 --let-touch --report "$work/hands"
"$binary" fit "$work/hands.urdf" -o "$output.urdf" --force --links "$(links body)" --surfaces 64 --let-touch --report "$work/body"
"$binary" srdf "$output.urdf" -o "$output.srdf" --force
# The pictures stay where they are: they show meshes of others.
{
  printf '# Surfaces of the iCub\n\nHands, then torso, head and arms. Every triangle is proven to lie inside the surfaces of its link.\n\n'
  for part in hands body; do sed -n '/^| link | kinds/,/^| total/p' "$work/$part/report.md"; echo; done
} >"$root/config/fitted/icub_upper_body.md"
if [[ -n "${PICTURES:-}" ]]; then mkdir -p "$PICTURES"; cp "$work"/{hands,body}/*.svg "$PICTURES"; fi
