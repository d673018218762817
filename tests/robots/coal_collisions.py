"""Which links touch, by Coal on convex hulls, poses by Pinocchio.

Reads one JSON object a line: {"urdf": path, "share": folder of the packages, "states": [{"q": {joint: [numbers]},
"v": {joint: [numbers]}}]}. Meshes become their convex hulls (Qhull), primitives stay as they are. Every two links are
compared, adjacent ones too. Writes one line each:
{"geometries": [link of each], "pairs": number compared, "states": [[link, link] for each that touches, per state]}.
"""

import json
import sys
from itertools import combinations

import coal
import pinocchio as pin
from pinocchio_fk import followers, vectors


def hull_geometry(model, request):
    """The collision geometry, every mesh replaced by its hull, and every pair of links."""
    geometry = pin.buildGeomFromUrdf(
        model, request["urdf"], pin.GeometryType.COLLISION, package_dirs=[request["share"]]
    )
    for item in geometry.geometryObjects:
        if isinstance(item.geometry, coal.BVHModelBase):
            item.geometry.buildConvexHull(True, "Qt")
            item.geometry = item.geometry.convex
    geometry.removeAllCollisionPairs()
    for a, b in combinations(range(geometry.ngeoms), 2):
        one, other = geometry.geometryObjects[a], geometry.geometryObjects[b]
        if one.parentFrame != other.parentFrame:
            geometry.addCollisionPair(pin.CollisionPair(a, b))
    return geometry


def touching(model, geometry, request):
    """The pairs of links that touch, state by state."""
    data, placed = model.createData(), geometry.createData()
    for query in placed.collisionRequests:
        # Without contacts Coal stops when its simplex is within the tolerance of the origin, and then says "apart"
        # even of bodies 9 cm deep in each other (Talos, leg_right_2_link and leg_right_3_link). With them it goes on
        # to the depth, and that depth decides.
        query.enable_contact = True
    mimics = followers(request["urdf"])
    links = [model.frames[item.parentFrame].name for item in geometry.geometryObjects]
    ends = [sorted((links[pair.first], links[pair.second])) for pair in geometry.collisionPairs]
    found = []
    for state in request["states"]:
        q, _ = vectors(model, state, mimics)
        pin.computeCollisions(model, data, geometry, placed, q, False)
        hits = {tuple(ends[k]) for k, hit in enumerate(placed.collisionResults) if hit.isCollision()}
        found.append(sorted(hits))
    return {"geometries": links, "pairs": len(ends), "states": found}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        model = pin.buildModelFromUrdf(request["urdf"])
        geometry = hull_geometry(model, request)
        print(json.dumps(touching(model, geometry, request)), flush=True)


if __name__ == "__main__":
    main()
