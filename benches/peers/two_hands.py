"""Two hands: ours against Coal and Pinocchio on the same states, pairs and surfaces. Run by two_hands.sh.

Both sides run on one core, in turns, and count their own CPU time; the least of the rounds stands in the table. Loops
over pairs are Pinocchio's, in C++; Python makes one call for each state, about 2 µs. Coal sees each surface as a convex
mesh (hill climbing over its neighbours), we see the smooth surface.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from itertools import product

import coal
import numpy as np
import pinocchio as pin

ROUNDS = 3
# States a setting of Coal is tried on before the best one is chosen.
TRIAL_STATES = 60
# Meshes as triangles are slow: every so manyeth state.
TRIANGLES_EVERY = 20
QUESTIONS = {
    "yes_no": "collision, yes or no",
    "contacts": "every contact with depth",
    "near": "every pair within 5 cm, with distance",
    "distances": "all pairs, with distance",
}


def load(path):
    with open(path) as file:
        whole = json.load(file)
    model = pin.buildModelFromUrdf(whole["urdf"])
    order = [model.joints[model.getJointId(name)].idx_q for name in whole["variables"]]
    states = {}
    for name, rows in whole["states"].items():
        states[name] = np.zeros((len(rows), model.nq))
        states[name][:, order] = rows
    return whole, model, states


def meshes(whole, as_hull):
    """Coal's geometries of the surfaces: hulls, or trees of triangles."""
    for surface in whole["surfaces"]:
        vertices, triangles = np.array(surface["vertices"]), np.array(surface["triangles"])
        mesh = coal.BVHModelOBBRSS()
        mesh.beginModel(len(triangles), len(vertices))
        mesh.addVertices(vertices)
        mesh.addTriangles(triangles)
        mesh.endModel()
        if as_hull:
            mesh.buildConvexHull(True, "Qt")
            mesh = mesh.convex
        yield mesh


def geometry_of(whole, model, as_hull):
    geometry = pin.GeometryModel()
    for k, (surface, mesh) in enumerate(zip(whole["surfaces"], meshes(whole, as_hull))):
        frame = model.getFrameId(surface["link"])
        turn = np.array(surface["rotation_rows"]).reshape(3, 3)
        at = model.frames[frame].placement * pin.SE3(turn, np.array(surface["translation"]))
        joint = model.frames[frame].parentJoint
        geometry.addGeometryObject(pin.GeometryObject(f"surface_{k}", joint, frame, at, mesh))
    for a, b in whole["pairs"]:
        geometry.addCollisionPair(pin.CollisionPair(a, b))
    return geometry


class Coal:
    """One question with one setting, ready to be asked."""

    def __init__(self, model, geometry, question, near, setting=None):
        self.model, self.geometry, self.question = model, geometry, question
        self.data, self.placed = model.createData(), geometry.createData()
        self.manager = None
        requests = self.placed.distanceRequests if question == "distances" else self.placed.collisionRequests
        for request in requests:
            if question in ("contacts", "near"):
                request.enable_contact = True
            if question == "near":
                request.security_margin = near
            if setting is not None:
                request.gjk_variant, request.gjk_initial_guess = setting[0], setting[1]
        if setting is not None and setting[2] == "tree":
            kind = pin.BroadPhaseManager_DynamicAABBTreeCollisionManager
            self.manager = kind(model, geometry, self.placed)

    def ask(self, q):
        stop = self.question == "yes_no"
        if self.question == "distances":
            return pin.computeDistances(self.model, self.data, self.geometry, self.placed, q)
        if self.manager is not None:
            return pin.computeCollisions(self.model, self.data, self.manager, q, stop)
        return pin.computeCollisions(self.model, self.data, self.geometry, self.placed, q, stop)

    def micros(self, states):
        """Mean CPU time of a state."""
        ask = self.ask
        start = time.thread_time()
        for q in states:
            ask(q)
        return (time.thread_time() - start) * 1e6 / len(states)

    def found(self, states):
        """How many answers there are, as in our table; not timed."""
        count = 0
        for q in states:
            for result in self.placed.collisionResults:
                result.clear()
            hit = self.ask(q)
            if self.question == "yes_no":
                count += bool(hit)
            elif self.question == "distances":
                count += len(self.geometry.collisionPairs)
            else:
                count += sum(result.isCollision() for result in self.placed.collisionResults)
        return count


def settings(question):
    variants = coal.GJKVariant.DefaultGJK, coal.GJKVariant.PolyakAcceleration, coal.GJKVariant.NesterovAcceleration
    guesses = coal.GJKInitialGuess.DefaultGuess, coal.GJKInitialGuess.CachedGuess, coal.GJKInitialGuess.BoundingVolumeGuess
    ways = ["pairs"] if question == "distances" else ["pairs", "tree"]
    return list(product(variants, guesses, ways))


def best_setting(model, geometry, question, near, states):
    # Runs of states that follow each other, for the warm starts.
    starts = [len(states) * part // 6 for part in (1, 3, 5)]
    some = np.vstack([states[start : start + TRIAL_STATES // 3] for start in starts])
    cost = {}
    for setting in settings(question):
        cost[setting] = Coal(model, geometry, question, near, setting).micros(some)
    return min(cost, key=cost.get)


def ours(binary):
    return json.loads(subprocess.run([binary, "measure"], check=True, capture_output=True).stdout)


def name_of(setting):
    variant, guess, way = setting
    return f"{variant.name}, {guess.name}, {'AABB tree' if way == 'tree' else 'all pairs'}"


def cpu_name():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.processor()


def keep_least(table, key, value):
    table[key] = min(value, table.get(key, value))


def main():
    binary = sys.argv[1]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hands.json")
        subprocess.run([binary, "export", path], check=True)
        whole, model, states = load(path)
    hulls, triangles = geometry_of(whole, model, True), geometry_of(whole, model, False)
    sizes = [item.geometry.num_points for item in hulls.geometryObjects]
    cells = [(name, question) for name in states for question in QUESTIONS]
    near = whole["near"]
    default = {cell: Coal(model, hulls, cell[1], near) for cell in cells}
    chosen = {(n, q): best_setting(model, hulls, q, near, states[n]) for n, q in cells}
    tuned = {cell: Coal(model, hulls, cell[1], near, chosen[cell]) for cell in cells}
    mesh = {cell: Coal(model, triangles, cell[1], near) for cell in cells if cell[1] != "near"}

    micros, found = {}, {}
    for _ in range(ROUNDS):
        answer = ours(binary)
        for name, question in cells:
            for start, row in answer[name].items():
                keep_least(micros, (name, question, start), row[question]["micros"])
                found[name, question, start] = row[question]["found"]
            keep_least(micros, (name, question, "default"), default[name, question].micros(states[name]))
            keep_least(micros, (name, question, "tuned"), tuned[name, question].micros(states[name]))
    for (name, question), asked in mesh.items():
        micros[name, question, "triangles"] = asked.micros(states[name][::TRIANGLES_EVERY])
    for cell in cells:
        found[(*cell, "default")] = default[cell].found(states[cell[0]])
        found[(*cell, "tuned")] = tuned[cell].found(states[cell[0]])
    report(states, micros, found, chosen, sizes, len(whole["pairs"]))


def report(states, micros, found, chosen, sizes, pairs):
    versions = f"Coal {coal.__version__}, Pinocchio {pin.__version__}"
    print(f"{cpu_name()}, one core, {versions}; {len(sizes)} surfaces, {pairs} pairs, meshes of")
    print(f"{min(sizes)} to {max(sizes)} vertices; µs of CPU time per state, least of {ROUNDS} rounds.\n")
    print("| states | question | ours cold | ours warm | Coal, Pinocchio's setting | Coal, best setting | "
          "best / ours | ours cold, gap 1e-6 | warm, gap 1e-6 | best / ours, gap 1e-6 | Coal, triangles | "
          "found: ours | Coal | Coal, best |")
    print("|---|---|" + "---:|" * 12)
    for name, rows in states.items():
        for question, words in QUESTIONS.items():
            get = lambda kind: micros.get((name, question, kind))
            show = lambda value: "" if value is None else f"{value:.1f}"
            best = min(get("tuned"), get("default"))
            ratio = lambda kinds: f"{best / min(get(kind) for kind in kinds if get(kind) is not None):.1f}×"
            tight, loose = ("cold", "warm"), ("cold, Coal's gap", "warm, Coal's gap")
            counts = [found[name, question, kind] for kind in ("cold", "default", "tuned")]
            cells = [f"{len(rows)} {name}", words, *(show(get(kind)) for kind in tight), show(get("default")),
                     show(get("tuned")), ratio(tight), *(show(get(kind)) for kind in loose), ratio(loose),
                     show(get("triangles")), *map(str, counts)]
            print("| " + " | ".join(cells) + " |")
    print("\nBest settings of Coal, of three variants of GJK, three initial guesses, all pairs or a tree of boxes:\n")
    for (name, question), setting in chosen.items():
        print(f"- {name}, {QUESTIONS[question]}: {name_of(setting)}")


if __name__ == "__main__":
    main()
