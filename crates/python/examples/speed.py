"""How long questions take: the Panda and a table, one state at a time and in batches, beside Pinocchio with Coal.

python crates/python/examples/speed.py panda.urdf [package folder ...]

Times are the least of several repetitions, on one thread. Both sides check the same pairs of links against each other (as convex hulls
of their meshes) and against the same box, in the same states, and have to agree.
"""

import sys
import time

import numpy as np

import smooth_scene as ss


def least(question, repetitions=7):
    times = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        question()
        times.append(time.perf_counter() - begin)
    return min(times)


def call_overhead():
    """A question with nothing to compute, µs."""
    empty = ss.Scene(ss.Robot.parse('<robot name="r"><link name="l"/></robot>'))
    state = np.zeros(0)
    return least(lambda: [empty.is_free(state) for _ in range(10_000)]) / 10_000 * 1e6


def peer(urdf, packages, scene, states):
    """Answers of Pinocchio and Coal, and a function that asks them again."""
    import coal
    import pinocchio

    model = pinocchio.buildModelFromUrdf(urdf)
    geometry = pinocchio.buildGeomFromUrdf(model, urdf, pinocchio.GeometryType.COLLISION, package_dirs=packages)
    for body in geometry.geometryObjects:
        if isinstance(body.geometry, coal.BVHModelBase):
            body.geometry.buildConvexHull(True, "Qt")
            body.geometry = body.geometry.convex
    links = [model.frames[body.parentFrame].name for body in geometry.geometryObjects]
    (shape, _), = scene.shapes("table")
    at = pinocchio.SE3(scene.pose("table"))
    table = geometry.addGeometryObject(pinocchio.GeometryObject("table", 0, at, coal.Box(*TABLE)))
    assert shape == ss.box(TABLE)
    for a in range(len(links)):
        geometry.addCollisionPair(pinocchio.CollisionPair(a, table))
        for b in range(a):
            if links[a] != links[b] and not scene.is_allowed(links[a], links[b]):
                geometry.addCollisionPair(pinocchio.CollisionPair(b, a))
    data, geometry_data = model.createData(), geometry.createData()
    # A joint that follows another has a position in Pinocchio: the fingers of the Panda.
    own = [scene.robot.joint_names.index(n) if n in scene.robot.joint_names else -1 for n in list(model.names)[1:]]
    wide = np.ascontiguousarray(states[:, own])

    def ask():
        return [not pinocchio.computeCollisions(model, data, geometry, geometry_data, q, True) for q in wide]

    return np.array(ask()), ask


TABLE = [1.0, 1.0, 0.1]


def main(urdf, packages):
    robot = ss.Robot.load(urdf, package_paths=packages)
    scene = ss.Scene(robot)
    scene.add("table", ss.box(TABLE), [0.6, 0.0, -0.1])
    # The first link stands on the ground that the table is part of.
    scene.allow("table", robot.link_names[0])
    states = robot.random(1000, seed=1)
    free = scene.is_free(states, threads=1)
    batch = least(lambda: scene.is_free(states, threads=1)) / len(states) * 1e6
    single = least(lambda: [scene.is_free(q) for q in states]) / len(states) * 1e6
    print(f"{robot}, {free.mean():.0%} of 1000 states free")
    print(f"overhead of a call            {call_overhead():8.2f} µs")
    print(f"is_free, 1000 states a call   {batch:8.2f} µs a state")
    print(f"is_free, one state a call     {single:8.2f} µs a state")
    print(f"clearance, 1000 states        {least(lambda: scene.clearance(states, threads=1)) / 1000 * 1e6:8.2f} µs a state")
    print(f"gradient, 1000 states         {least(lambda: scene.gradient(states, threads=1)) / 1000 * 1e6:8.2f} µs a state")
    theirs, ask = peer(urdf, packages, scene, states)
    differences = int((theirs != free).sum())
    their_time = least(ask, 3) / len(states) * 1e6
    print(f"Pinocchio and Coal            {their_time:8.2f} µs a state, {their_time / batch:.1f} times as long; {differences} answers differ")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
