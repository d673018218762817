"""How fast the package is: beside the same questions from Rust, beside Pinocchio with Coal from Python, and over Dask.

    python crates/python/benches/speed.py [--states N] [--rounds N] [--skip rust dask]

The Panda of example-robot-data, as convex hulls of its meshes, and a table: every link against the table and against each other, except
those that meet in a joint. All sides get the same states, and their answers have to agree. Sides take turns, and each is timed by
the least of its rounds. The Rust side is benches/throughput.rs, started by cargo and driven line by line.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pinocchio

import smooth_scene as ss

REPOSITORY = Path(__file__).resolve().parents[3]
# All packages of cmeel share one prefix.
SHARE = Path(pinocchio.__file__).parents[4] / "share"
PANDA = SHARE / "example-robot-data/robots/panda_description/urdf/panda.urdf"
TABLE = [1.0, 1.0, 0.1]
AT = [0.6, 0.0, -0.1]


def seconds(question):
    begin = time.perf_counter()
    question()
    return time.perf_counter() - begin


def in_turns(rounds, *questions):
    """The least time of each, in seconds; a question may time itself and return that."""
    times = [[] for _ in questions]
    for _ in range(rounds):
        for own, question in zip(times, questions):
            own.append(question())
    return [min(own) for own in times]


def panda_scene():
    robot = ss.Robot.load(PANDA, package_paths=[SHARE])
    scene = ss.Scene(robot)
    scene.add("table", ss.box(TABLE), AT)
    # The first link stands on the ground that the table is part of.
    scene.allow("table", robot.link_names[0])
    return scene


def call_overhead(rounds):
    """A question with nothing to compute, s."""
    empty, state = ss.Scene(ss.Robot.parse('<robot name="r"><link name="l"/></robot>')), np.zeros(0)
    (least,) = in_turns(rounds, lambda: seconds(lambda: [empty.is_free(state) for _ in range(10_000)]))
    return least / 10_000


class Rust:
    """The same questions, asked by a program in Rust."""

    def __init__(self, states):
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name) / "states.f64"
        states.tofile(file)
        command = ["cargo", "bench", "--quiet", "--locked", "-p", "smooth_scene_python", "--bench", "throughput", "--"]
        table = [str(number) for number in (*TABLE, *AT)]
        self.program = subprocess.Popen(
            [*command, str(PANDA), str(SHARE), str(file), *table],
            cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        assert self.program.stdout.readline().split() == ["ready", str(len(states))]

    def ask(self, question):
        """Seconds, and a number that all answers have a part in."""
        print(question, file=self.program.stdin, flush=True)
        time_taken, total = self.program.stdout.readline().split()
        return float(time_taken), float(total)

    def close(self):
        self.program.stdin.close()
        assert self.program.wait() == 0
        self.folder.cleanup()


def beside_rust(scene, states, rounds):
    rust, rows = Rust(states), {}
    sums = {"is_free": lambda a: float(a.sum()), "clearance": lambda a: float(a.sum()), "gradient": lambda a: float(a.gradient.sum())}
    for threads in (1, None):
        for name, total in sums.items():
            question = lambda: getattr(scene, name)(states, threads=threads)
            asked = f"{name} {'one' if threads else 'all'}"
            assert np.isclose(rust.ask(asked)[1], total(question()), rtol=1e-9), name
            rows[asked] = in_turns(rounds, lambda: rust.ask(asked)[0], lambda: seconds(question))
    rust.close()
    print(f"\n{'question, threads':22} {'Rust, µs':>10} {'Python, µs':>11} {'share':>7}   ({len(states)} states a call, per state)")
    for name, (theirs, ours) in rows.items():
        print(f"{name:22} {theirs / len(states) * 1e6:10.2f} {ours / len(states) * 1e6:11.2f} {theirs / ours:7.1%}")


def pinocchio_and_coal(scene, states):
    """A function that answers with Pinocchio and Coal, one state after the other."""
    import coal

    model = pinocchio.buildModelFromUrdf(str(PANDA))
    geometry = pinocchio.buildGeomFromUrdf(model, str(PANDA), pinocchio.GeometryType.COLLISION, package_dirs=[str(SHARE)])
    for body in geometry.geometryObjects:
        if isinstance(body.geometry, coal.BVHModelBase):
            body.geometry.buildConvexHull(True, "Qt")
            body.geometry = body.geometry.convex
    links = [model.frames[body.parentFrame].name for body in geometry.geometryObjects]
    at = pinocchio.SE3(scene.pose("table"))
    table = geometry.addGeometryObject(pinocchio.GeometryObject("table", 0, at, coal.Box(*TABLE)))
    for a in range(len(links)):
        if not scene.is_allowed(links[a], "table"):
            geometry.addCollisionPair(pinocchio.CollisionPair(a, table))
        for b in range(a):
            if links[a] != links[b] and not scene.is_allowed(links[a], links[b]):
                geometry.addCollisionPair(pinocchio.CollisionPair(b, a))
    data, geometry_data = model.createData(), geometry.createData()
    # A joint that follows another has a position in Pinocchio: the fingers of the Panda.
    names = scene.robot.joint_names
    own = [names.index(name) if name in names else -1 for name in list(model.names)[1:]]
    wide = np.ascontiguousarray(states[:, own])
    # Stops at the first contact of a state, as is_free does.
    return lambda: [not pinocchio.computeCollisions(model, data, geometry, geometry_data, q, True) for q in wide]


def beside_pinocchio(scene, states, rounds):
    theirs = pinocchio_and_coal(scene, states)
    free = scene.is_free(states, threads=1)
    differences = int((np.array(theirs()) != free).sum())
    single = lambda: [scene.is_free(q) for q in states]
    least = in_turns(
        rounds,
        lambda: seconds(theirs),
        lambda: seconds(single),
        lambda: seconds(lambda: scene.is_free(states, threads=1)),
        lambda: seconds(lambda: scene.is_free(states)),
    )
    print(f"\n{len(states)} states of the Panda and a table, {free.mean():.0%} free; {differences} answers differ")
    names = ["Pinocchio and Coal", "is_free, one state a call", "is_free, one call", "is_free, one call, all cores"]
    for name, time_taken in zip(names, least):
        print(f"{name:30} {time_taken / len(states) * 1e6:8.2f} µs a state {least[0] / time_taken:8.1f} ×")
    print(f"{'overhead of a call':30} {call_overhead(rounds) * 1e6:8.2f} µs")
    print(f"{'one state a call − one call':30} {(least[1] - least[2]) / len(states) * 1e6:8.2f} µs a state")


def over_dask(scene, rounds):
    from distributed import Client, LocalCluster

    import smooth_scene.dask

    # Clearance is the question with the most work a state, and so the one for which people take a cluster.
    states = scene.robot.random(40_000, seed=2)
    expected = scene.clearance(states)
    clusters = [
        LocalCluster(
            n_workers=n, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs="ERROR"
        )
        for n in (1, 2)
    ]
    clients = [Client(cluster) for cluster in clusters]

    def ask(client):
        answers = []
        time_taken = seconds(lambda: answers.append(ss.dask.clearance(client, scene, states, block=2000)))
        np.testing.assert_allclose(answers[0], expected, atol=1e-9)
        return time_taken

    for client in clients:
        ask(client)
    one, two = in_turns(rounds, *(lambda c=client: ask(c) for client in clients))
    for client, cluster in zip(clients, clusters):
        client.close()
        cluster.close()
    print(f"\nDask, clearance of {len(states)} states: one process {one:.2f} s, two {two:.2f} s, {one / two:.2f} ×")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--skip", nargs="*", choices=["rust", "dask"], default=[])
    options = parser.parse_args()
    scene = panda_scene()
    states = scene.robot.random(options.states, seed=1)
    beside_pinocchio(scene, states, options.rounds)
    if "rust" not in options.skip:
        beside_rust(scene, states, options.rounds)
    if "dask" not in options.skip:
        over_dask(scene, min(options.rounds, 5))


if __name__ == "__main__":
    sys.exit(main())
