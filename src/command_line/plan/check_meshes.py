#!/usr/bin/env python3
"""Checks the paths of `smooth_scene plan benchmark DIR --paths FILE` against the robot's collision meshes, with Coal.

    check_meshes.py DIR FILE [--urdf FILE] [--srdf FILE] [--package-path DIR] [--step 0.01] [--json]

`smooth_scene plan benchmark` runs it where Pinocchio, Coal and PyYAML are installed; tests/robots/install.sh installs them.
DIR is the folder of the benchmark, with the problems in it or in folders below. The robot is the one *.urdf and the one *.srdf there,
unless others are named. Every path is sampled so that no joint moves by more than the step from one state to the next. The links
are their meshes as they are, not convex hulls; poses are Pinocchio's. Prints how many paths collide, and the deepest contact.
Exit code 1 when one does, 2 when the paths could not be checked: joints that the paths do not move or that turn without limits, joints
that mimic others, and scenes with meshes are not handled.
"""
import argparse
import json
import math
import multiprocessing
import os
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import coal
import numpy
import pinocchio
import yaml


def refuse(reason):
    print(reason, file=sys.stderr)
    sys.exit(2)


def only(folder, ending):
    found = sorted(folder.glob(f"*.{ending}"))
    if len(found) != 1:
        refuse(f"{folder} has {len(found)} files *.{ending}, must have one")
    return found[0]


def load_robot(urdf, srdf, packages):
    """The model, its meshes, and the pairs of links that may not touch."""
    model = pinocchio.buildModelFromUrdf(str(urdf))
    geometry = pinocchio.buildGeomFromUrdf(
        model, str(urdf), pinocchio.GeometryType.COLLISION, package_dirs=[str(folder) for folder in packages]
    )
    allowed = set()
    for entry in ElementTree.parse(srdf).getroot().iter("disable_collisions"):
        allowed.add(frozenset((entry.get("link1"), entry.get("link2"))))
    links = [model.frames[g.parentFrame].name for g in geometry.geometryObjects]
    pairs = [
        (a, b)
        for a in range(len(links))
        for b in range(a + 1, len(links))
        if links[a] != links[b] and frozenset((links[a], links[b])) not in allowed
    ]
    if model.nq != model.nv:
        refuse(f"{urdf}: joints that turn without limits, planar and floating ones are not handled")
    for joint in ElementTree.parse(urdf).getroot().findall("joint"):
        if joint.get("type") != "fixed" and joint.find("mimic") is not None:
            refuse(f"{urdf}: joint {joint.get('name')} mimics another one, which is not handled")
    return model, geometry, links, pairs


def load_world(path):
    """Boxes, cylinders and spheres of a MoveIt scene as YAML: name, shape, pose."""
    found = []
    scene = yaml.load(path.read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    for item in scene["world"]["collision_objects"]:
        for shape, pose in zip(item["primitives"], item["primitive_poses"], strict=True):
            size = shape["dimensions"]
            if shape["type"] == "box":
                geometry = coal.Box(*size)
            elif shape["type"] == "cylinder":
                geometry = coal.Cylinder(size[1], size[0])
            elif shape["type"] == "sphere":
                geometry = coal.Sphere(size[0])
            else:
                refuse(f"{path}: shape {shape['type']}")
            rotation = pinocchio.Quaternion(numpy.array(pose["orientation"], float)).matrix()
            placement = coal.Transform3s(rotation, numpy.array(pose["position"], float))
            found.append((item["id"], geometry, placement))
        if item.get("meshes"):
            refuse(f"{path}: object {item['id']} has meshes")
    return found


def states(path, step):
    for start, end in zip(path, path[1:]):
        start, end = numpy.array(start), numpy.array(end)
        count = max(1, math.ceil(numpy.abs(end - start).max() / step))
        for k in range(count + 1):
            yield start + (end - start) * (k / count)


class Checker:
    def __init__(self, urdf, srdf, packages):
        self.model, self.geometry, self.links, self.pairs = load_robot(urdf, srdf, packages)
        self.data = self.model.createData()
        self.geometry_data = self.geometry.createData()
        self.request = coal.CollisionRequest()
        self.shapes = [g.geometry for g in self.geometry.geometryObjects]
        for shape in self.shapes:
            shape.computeLocalAABB()

    def depth(self, a, pose_a, b, pose_b):
        """Penetration depth of two geometries, or none."""
        result = coal.CollisionResult()
        if not coal.collide(a, pose_a, b, pose_b, self.request, result):
            return None
        return max((abs(c.penetration_depth) for c in result.getContacts()), default=0.0)

    def contact(self, q, world):
        """The first contact of a state: two names and a depth."""
        return next(self.contacts(q, world), None)

    def contacts(self, q, world):
        """The contacts of a state: two names and a depth each."""
        pinocchio.updateGeometryPlacements(self.model, self.data, self.geometry, self.geometry_data, q)
        poses = [coal.Transform3s(m.rotation, m.translation) for m in self.geometry_data.oMg]
        for a, b in self.pairs:
            depth = self.depth(self.shapes[a], poses[a], self.shapes[b], poses[b])
            if depth is not None:
                yield self.links[a], self.links[b], depth
        balls = [(p.transform(g.aabb_center), g.aabb_radius) for g, p in zip(self.shapes, poses)]
        for name, shape, placement in world:
            shape.computeLocalAABB()
            reach = shape.aabb_radius
            middle = placement.getTranslation()
            for k, (center, radius) in enumerate(balls):
                if numpy.linalg.norm(center - middle) > reach + radius:
                    continue
                depth = self.depth(self.shapes[k], poses[k], shape, placement)
                if depth is not None:
                    yield self.links[k], name, depth

    def configuration(self, joints, values):
        moved, all_joints = set(joints), set(self.model.names[1:])
        if moved != all_joints:
            refuse(f"joints that the paths do not move are not handled: {', '.join(sorted(moved ^ all_joints))}")
        q = pinocchio.neutral(self.model)
        for name, value in zip(joints, values, strict=True):
            q[self.model.joints[self.model.getJointId(name)].idx_q] = value
        return q


def on_all_cores(function, items):
    """The function of each item, in order: one process on each core, each of which takes every n-th item."""
    count, parent = os.cpu_count() or 1, os.getpid()
    pipes, results = [], [None] * len(items)
    for first in range(count):
        ours, theirs = multiprocessing.Pipe(duplex=False)
        # A copy of this process, which has the robot already.
        if os.fork() == 0:
            code = 1
            try:
                theirs.send([function(item) for item in items[first::count] if os.getppid() == parent])
                code = 0
            except SystemExit:
                pass  # It has said why.
            except BaseException as error:
                print(f"{type(error).__name__}: {error}", file=sys.stderr)
            finally:
                os._exit(code)
        theirs.close()
        pipes.append(ours)
    for first, pipe in enumerate(pipes):
        try:
            results[first::count] = pipe.recv()
        except EOFError:
            sys.exit(2)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("paths", type=Path)
    parser.add_argument("--urdf", type=Path)
    parser.add_argument("--srdf", type=Path)
    parser.add_argument("--package-path", type=Path, action="append", default=[])
    parser.add_argument("--step", type=float, default=0.01, help="rad or m, 0.01")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    arguments = parser.parse_args()
    folder = arguments.folder
    checker = Checker(
        arguments.urdf or only(folder, "urdf"),
        arguments.srdf or only(folder, "srdf"),
        [folder, *arguments.package_path],
    )
    answers = [json.loads(line) for line in arguments.paths.read_text().splitlines()]
    solved = [answer for answer in answers if answer["solved"]]

    def check(answer):
        """How many states of a path were looked at, and its first contact."""
        world, count = load_world(folder / answer["scene"]), 0
        for values in states(answer["path"], arguments.step):
            count += 1
            contact = checker.contact(checker.configuration(answer["joints"], values), world)
            if contact:
                problem = {"problem": answer["problem"], "index": answer["index"]}
                return count, {**problem, "bodies": contact[:2], "depth": contact[2]}
        return count, None

    results = on_all_cores(check, solved)
    checked, refused = len(solved), len(answers) - len(solved)
    sampled = sum(count for count, _ in results)
    colliding = [found for _, found in results if found]
    deepest = max((found["depth"] for found in colliding), default=None)
    if arguments.json:
        by = f"Coal {coal.__version__}, Pinocchio {pinocchio.__version__}"
        whole = {"paths": checked, "states": sampled, "colliding": len(colliding), "deepest": deepest}
        print(json.dumps({**whole, "step": arguments.step, "by": by, "collisions": colliding}))
    else:
        for found in colliding:
            a, b = found["bodies"]
            print(f"{found['problem']} {found['index']}: {a} and {b}, depth {found['depth']:.6f} m")
        print(f"paths checked {checked}, states {sampled}, not solved {refused}")
        print(f"paths that collide with the meshes: {len(colliding)}")
        if colliding:
            print(f"deepest first contact {deepest:.6f} m")
    if colliding:
        sys.exit(1)


if __name__ == "__main__":
    main()
