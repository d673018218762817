"""Whether a robot touches itself or the world, by Coal on the meshes themselves, poses by Pinocchio.

Reads one JSON object from standard input: {"urdf": path, "share": folder of the packages, "allowed": [[link, link]],
"objects": [{"box": [x, y, z]} or {"sphere": r}, with "pose": [x, y, z, qx, qy, qz, qw]], "joints": [names of the numbers of a
state], "states": [[number]]}. Joints that mimic are worked out. Writes one object: {"pairs": number of pairs compared,
"touching": [bool for each state], "seconds": time of all states}.
"""

import json
import sys
import time
from itertools import combinations

import coal
import numpy as np
import pinocchio as pin
from pinocchio_fk import followers, value


def scene(request):
    model = pin.buildModelFromUrdf(request["urdf"])
    geometry = pin.buildGeomFromUrdf(
        model, request["urdf"], pin.GeometryType.COLLISION, package_dirs=[request["share"]]
    )
    robot = geometry.ngeoms
    links = [model.frames[item.parentFrame].name for item in geometry.geometryObjects]
    for number, item in enumerate(request["objects"]):
        shape = coal.Box(np.array(item["box"])) if "box" in item else coal.Sphere(item["sphere"])
        pose = pin.XYZQUATToSE3(np.array(item["pose"]))
        geometry.addGeometryObject(pin.GeometryObject(f"object{number}", 0, pose, shape))
    allowed = {tuple(sorted(pair)) for pair in request["allowed"]}
    geometry.removeAllCollisionPairs()
    for a, b in combinations(range(geometry.ngeoms), 2):
        if a >= robot:
            continue
        if b < robot and (links[a] == links[b] or tuple(sorted((links[a], links[b]))) in allowed):
            continue
        geometry.addCollisionPair(pin.CollisionPair(a, b))
    return model, geometry


def main():
    request = json.loads(sys.stdin.read())
    model, geometry = scene(request)
    data, placed = model.createData(), geometry.createData()
    mimics = followers(request["urdf"])
    configurations = []
    for state in request["states"]:
        numbers = {name: [x] for name, x in zip(request["joints"], state)}
        q = pin.neutral(model)
        for index in range(1, model.njoints):
            q[model.joints[index].idx_q] = value(model.names[index], numbers, mimics, 1.0)[0]
        configurations.append(q)
    touching = []
    begin = time.perf_counter()
    for q in configurations:
        touching.append(pin.computeCollisions(model, data, geometry, placed, q, True))
    seconds = time.perf_counter() - begin
    print(json.dumps({"pairs": len(geometry.collisionPairs), "touching": touching, "seconds": seconds}))


if __name__ == "__main__":
    main()
