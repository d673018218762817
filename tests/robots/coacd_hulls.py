"""Convex parts of meshes by CoACD, with its default options, on one thread.

Reads one JSON object from standard input: {name: [x, y, z of every corner of every triangle]}. Writes one object: {"seconds": time of all,
"hulls": {name: [[[x, y, z] of every corner of a part]]}}.
"""

import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"

import coacd
import numpy as np


def main():
    meshes = json.loads(sys.stdin.read())
    coacd.set_log_level("error")
    hulls = {}
    begin = time.perf_counter()
    for name, numbers in meshes.items():
        corners, triangles = np.unique(np.array(numbers).reshape(-1, 3), axis=0, return_inverse=True)
        parts = coacd.run_coacd(coacd.Mesh(corners, triangles.reshape(-1, 3)))
        hulls[name] = [np.asarray(part[0]).tolist() for part in parts]
    print(json.dumps({"seconds": time.perf_counter() - begin, "hulls": hulls}))


if __name__ == "__main__":
    main()
