#!/usr/bin/env python3
"""Checks the paths of `smooth_scene plan benchmark DIR --paths FILE` against the robot's collision meshes, with Coal.

    mbm_coal.py DIR FILE [--step 0.01]

DIR is the folder of the benchmark: one *.urdf, one *.srdf, the meshes, and the problems in folders below it. Every path is
sampled so that no joint moves by more than the step from one state to the next. The links are their meshes as they are, not
convex hulls; poses are Pinocchio's. Prints how many paths collide, and the deepest contact. Exit code 1 when one does.

Needs Pinocchio, Coal and PyYAML: tests/robots/install.sh installs them.
"""
import argparse
import json
import math
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import coal
import numpy
import pinocchio
import yaml


def only(folder, ending):
    found = sorted(folder.glob(f"*.{ending}"))
    if len(found) != 1:
        sys.exit(f"{folder} has {len(found)} files *.{ending}, must have one")
    return found[0]


def load_robot(folder):
    """The model, its meshes, and the pairs of links that may not touch."""
    urdf = only(folder, "urdf")
    model = pinocchio.buildModelFromUrdf(str(urdf))
    geometry = pinocchio.buildGeomFromUrdf(
        model, str(urdf), pinocchio.GeometryType.COLLISION, package_dirs=[str(folder)]
    )
    allowed = set()
    for entry in ElementTree.parse(only(folder, "srdf")).getroot().iter("disable_collisions"):
        allowed.add(frozenset((entry.get("link1"), entry.get("link2"))))
    links = [model.frames[g.parentFrame].name for g in geometry.geometryObjects]
    pairs = [
        (a, b)
        for a in range(len(links))
        for b in range(a + 1, len(links))
        if links[a] != links[b] and frozenset((links[a], links[b])) not in allowed
    ]
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
                sys.exit(f"{path}: shape {shape['type']}")
            rotation = pinocchio.Quaternion(numpy.array(pose["orientation"], float)).matrix()
            placement = coal.Transform3s(rotation, numpy.array(pose["position"], float))
            found.append((item["id"], geometry, placement))
        if item.get("meshes"):
            sys.exit(f"{path}: object {item['id']} has meshes")
    return found


def states(path, step):
    for start, end in zip(path, path[1:]):
        start, end = numpy.array(start), numpy.array(end)
        count = max(1, math.ceil(numpy.abs(end - start).max() / step))
        for k in range(count + 1):
            yield start + (end - start) * (k / count)


class Checker:
    def __init__(self, folder):
        self.model, self.geometry, self.links, self.pairs = load_robot(folder)
        self.data = self.model.createData()
        self.geometry_data = self.geometry.createData()
        self.request = coal.CollisionRequest()
        self.boxes = [g.geometry for g in self.geometry.geometryObjects]
        for mesh in self.boxes:
            mesh.computeLocalAABB()

    def depth(self, a, pose_a, b, pose_b):
        """Penetration depth of two geometries, or none."""
        result = coal.CollisionResult()
        if not coal.collide(a, pose_a, b, pose_b, self.request, result):
            return None
        return max((abs(c.penetration_depth) for c in result.getContacts()), default=0.0)

    def contact(self, q, world):
        """The first contact of a state: two names and a depth."""
        pinocchio.updateGeometryPlacements(self.model, self.data, self.geometry, self.geometry_data, q)
        poses = [coal.Transform3s(m.rotation, m.translation) for m in self.geometry_data.oMg]
        for a, b in self.pairs:
            depth = self.depth(self.boxes[a], poses[a], self.boxes[b], poses[b])
            if depth is not None:
                return self.links[a], self.links[b], depth
        balls = [(p.transform(g.aabb_center), g.aabb_radius) for g, p in zip(self.boxes, poses)]
        for name, shape, placement in world:
            shape.computeLocalAABB()
            reach = shape.aabb_radius
            middle = placement.getTranslation()
            for k, (center, radius) in enumerate(balls):
                if numpy.linalg.norm(center - middle) > reach + radius:
                    continue
                depth = self.depth(self.boxes[k], poses[k], shape, placement)
                if depth is not None:
                    return self.links[k], name, depth
        return None

    def configuration(self, joints, values):
        q = pinocchio.neutral(self.model)
        for name, value in zip(joints, values, strict=True):
            q[self.model.joints[self.model.getJointId(name)].idx_q] = value
        return q


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("paths", type=Path)
    parser.add_argument("--step", type=float, default=0.01, help="rad or m, 0.01")
    arguments = parser.parse_args()
    checker = Checker(arguments.folder)
    scenes = {}
    for scene in arguments.folder.rglob("scene*.yaml"):
        scenes[scene.parent.name, int(scene.stem.removeprefix("scene"))] = scene
    checked = sampled = 0
    colliding = []
    refused = 0
    for line in arguments.paths.read_text().splitlines():
        answer = json.loads(line)
        key = answer["problem"], answer["index"]
        if not answer["solved"]:
            refused += 1
            print(f"{key[0]} {key[1]}: not solved: {answer['reason']}")
            continue
        world = load_world(scenes[key])
        checked += 1
        for values in states(answer["path"], arguments.step):
            sampled += 1
            q = checker.configuration(answer["joints"], values)
            contact = checker.contact(q, world)
            if contact:
                colliding.append(contact[2])
                print(f"{key[0]} {key[1]}: {contact[0]} and {contact[1]}, depth {contact[2]:.6f} m")
                break
    print(f"paths checked {checked}, states {sampled}, not solved {refused}")
    print(f"paths that collide with the meshes: {len(colliding)}")
    if colliding:
        print(f"deepest first contact {max(colliding):.6f} m")
        sys.exit(1)


main()
