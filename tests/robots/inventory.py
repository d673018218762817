"""What is in the URDFs of example-robot-data, counted without our code.

Prints JSON lines: for every URDF its links, joints and collisions by xml.etree; for every collision mesh and scale
its extents by Coal's loader (assimp), over all vertices.
"""

import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import coal
import numpy as np

share = Path(sys.argv[1])
loader = coal.MeshLoader()
meshes = {}
for urdf in sorted((share / "example-robot-data/robots").rglob("*.urdf")):
    root = ET.parse(urdf).getroot()
    print(json.dumps({
        "urdf": str(urdf.relative_to(share)),
        "links": len(root.findall("link")),
        "joints": len(root.findall("joint")),
        "collisions": len(root.findall("link/collision")),
    }))
    for mesh in root.findall("link/collision/geometry/mesh"):
        file = mesh.get("filename").split("://")[1].lstrip("/")
        meshes[file, mesh.get("scale", "1 1 1")] = None
for file, scale in sorted(meshes):
    factors = np.array([float(word) for word in scale.split()])
    mesh = loader.load(str(share / file), factors)
    mesh.computeLocalAABB()
    box = mesh.aabb_local
    print(json.dumps({
        "mesh": file,
        "scale": list(factors),
        "min": list(box.min_),
        "max": list(box.max_),
    }))
