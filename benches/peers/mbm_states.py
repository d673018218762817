#!/usr/bin/env python3
"""Asks about random states of a robot among the scenes of `smooth_scene plan benchmark DIR`: ours against Coal on the meshes.

    mbm_states.py DIR [--states 70000] [--program target/release/smooth_scene]

DIR is the folder of the benchmark: one *.urdf, one *.srdf, the meshes, and the problems in folders below it. The states are
divided evenly among the kinds of scene, and asked about by `smooth_scene check` and by Coal on the meshes as they are. Exit code 1 when one is
called free that collides by the meshes. Coal also calls meshes colliding that are less than its tolerance of 1e-6 m apart: those
whose distance is positive by Coal itself stand in a column of their own.

Needs Pinocchio, Coal and PyYAML: tests/robots/install.sh installs them.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import coal
import numpy
import pinocchio

sys.path.insert(0, str(Path(__file__).parents[2] / "src/command_line/plan"))
from check_meshes import Checker, load_world, only  # noqa: E402

# Scenes of each kind that random states are asked about in.
SCENES_OF_A_KIND = 10


def is_apart(checker, q, world, names):
    """Whether the two that touch, by their names, have a positive distance all the same, by Coal."""
    pinocchio.updateGeometryPlacements(checker.model, checker.data, checker.geometry, checker.geometry_data, q)
    poses = [coal.Transform3s(m.rotation, m.translation) for m in checker.geometry_data.oMg]
    one = [(g, p) for g, p, link in zip(checker.shapes, poses, checker.links) if link == names[0]]
    other = [(g, p) for g, p, link in zip(checker.shapes, poses, checker.links) if link == names[1]]
    other += [(shape, placement) for name, shape, placement in world if name == names[1]]
    request = coal.DistanceRequest()
    return all(coal.distance(a, at, b, there, request, coal.DistanceResult()) > 0 for a, at in one for b, there in other)


def our_answers(program, folder, scene, names, rows):
    """Whether each state is in collision, by `smooth_scene check`."""
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "states.csv")
        numpy.savetxt(path, rows, delimiter=",", header=",".join(names), comments="", fmt="%.17g")
        command = [program, "check", only(folder, "urdf"), "--srdf", only(folder, "srdf"), "--world", scene]
        run = subprocess.run([*command, "--states", path, "--json"], capture_output=True, text=True)
    # 1: some state is in collision.
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    answers = [json.loads(line)["in_collision"] for line in run.stdout.splitlines()]
    if len(answers) != len(rows):
        sys.exit(f"{len(answers)} answers to {len(rows)} states")
    return answers


def check_states(checker, folder, program, count):
    """Prints how our answers about random states differ from those of the meshes."""
    model, random = checker.model, numpy.random.default_rng(1)
    names = [str(name) for name in model.names[1:]]
    if model.nq != len(names):
        sys.exit("only robots of joints with one position each")
    kinds = {}
    for scene in sorted(folder.rglob("scene*.yaml")):
        kinds.setdefault(scene.parent.name, []).append(scene)
    each = math.ceil(count / (len(kinds) * SCENES_OF_A_KIND))
    columns = "states", "collide by the meshes", "called free of these", "within Coal's tolerance", "called colliding of the others"
    print("| scenes | " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * len(columns))
    whole = numpy.zeros(5, int)
    for kind, scenes in kinds.items():
        row = numpy.zeros(5, int)
        for scene in scenes[:: math.ceil(len(scenes) / SCENES_OF_A_KIND)]:
            rows = random.uniform(model.lowerPositionLimit, model.upperPositionLimit, (each, model.nq))
            world = load_world(scene)
            ours = our_answers(program, folder, scene, names, rows)
            for q, called_colliding in zip(rows, ours, strict=True):
                contact = checker.contact(q, world)
                called_free = bool(contact) and not called_colliding
                within = called_free and all(is_apart(checker, q, world, found) for found in checker.contacts(q, world))
                collides = bool(contact) and not within
                row += [1, collides, called_free and not within, within, called_colliding and not collides]
                if called_free and not within:
                    print(f"{scene}: {contact[0]} and {contact[1]}, depth {contact[2]:.6f} m, at {q.tolist()}", file=sys.stderr)
        print(f"| {kind} | " + " | ".join(map(str, row)) + " |", flush=True)
        whole += row
    print("| all | " + " | ".join(map(str, whole)) + " |")
    sys.exit(1 if whole[2] else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--states", type=int, default=70_000, help="70000")
    parser.add_argument("--program", default="target/release/smooth_scene", help="target/release/smooth_scene")
    arguments = parser.parse_args()
    folder = arguments.folder
    checker = Checker(only(folder, "urdf"), only(folder, "srdf"), [folder])
    check_states(checker, folder, arguments.program, arguments.states)


main()
