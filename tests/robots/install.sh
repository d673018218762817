#!/usr/bin/env bash
# Installs the robots, reference libraries and ROS 2 peers that the feature `external-tests` compares with, pinned, into
# target/robots-venv (or $ROBOTS_VENV); and urdfdom's check_urdf, rosidl, Cyclone DDS and Fast DDS. Needs Python 3.11 or newer. On Debian and Ubuntu missing
# packages are installed, with sudo unless run as root; elsewhere they have to be there. Does nothing when already done.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
venv="${ROBOTS_VENV:-$here/../../target/robots-venv}"
stamp="$venv/installed-requirements.txt"

packages=()
command -v check_urdf >/dev/null || packages+=(liburdfdom-tools)
# The browser of the view's tests.
command -v "${CHROMIUM:-chromium}" >/dev/null || packages+=(chromium)
python3 -c 'import ensurepip' 2>/dev/null || packages+=(python3-venv)
# Builds the interfaces: the real rosidl under ament and colcon.
[[ -d /usr/share/ament_cmake/cmake ]] || packages+=(ament-cmake)
[[ -d /usr/share/rosidl_generator_cpp/cmake ]] || packages+=(rosidl-generator-c-cpp)
command -v cmake >/dev/null || packages+=(cmake)
command -v g++ >/dev/null || packages+=(g++ make)
# Emulated CPUs.
command -v qemu-x86_64 >/dev/null || packages+=(qemu-user)
# Two machines in network namespaces.
command -v ip >/dev/null || packages+=(iproute2)
# PyTorch for the Python package. The wheel would bring 3 GB of CUDA.
[[ -d /usr/lib/python3/dist-packages/torch ]] || packages+=(python3-torch)
# Peers of the node.
[[ -e /usr/include/dds/dds.h ]] || packages+=(cyclonedds-dev)
[[ -d /usr/include/fastdds ]] || packages+=(libfastrtps-dev)
if ((${#packages[@]})); then
  if ! command -v apt-get >/dev/null; then
    echo "missing: ${packages[*]} (names of the Debian packages); install them and run this again" >&2
    exit 1
  fi
  as_root=()
  if ((EUID)); then as_root=(sudo); fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi

if cmp -s "$here/requirements.txt" "$stamp"; then
  exit 0
fi
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
cp "$here/requirements.txt" "$stamp"
