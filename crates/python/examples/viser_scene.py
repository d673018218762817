"""A scene in viser: the surfaces of the links and objects as meshes, and the nearest pair as a line.

pip install viser; python crates/python/examples/viser_scene.py [urdf]
"""

import sys
import time

import numpy as np
import viser
from viser.transforms import SE3

import smooth_scene as ss


def draw(server, scene, q):
    """Draws links in their places in the state q, and objects in theirs."""
    robot = scene.robot
    places = {link: (pose, robot.shapes(link)) for link, pose in zip(robot.link_names, robot.fk(q))}
    places |= {name: (scene.pose(name), scene.shapes(name)) for name in scene.objects}
    for name, (pose, shapes) in places.items():
        for number, (shape, within) in enumerate(shapes):
            vertices, triangles = shape.mesh(0.001)
            at = SE3.from_matrix(pose @ within)
            server.scene.add_mesh_simple(
                f"/{name}/{number}", vertices, triangles, wxyz=at.rotation().wxyz, position=at.translation()
            )
    nearest = scene.nearest(q)
    line = np.stack([nearest.point_a, nearest.point_b], axis=1)
    server.scene.add_line_segments("/nearest", line, colors=(0, 200, 0))
    return nearest


def main(urdf="urdf/icub_hands_mixed.urdf"):
    scene = ss.Scene(ss.Robot.load(urdf))
    scene.add("ball", ss.sphere(0.04), [0.15, 0.0, 0.1])
    server = viser.ViserServer(host="127.0.0.1", port=0)
    print(draw(server, scene, scene.robot.default))
    return server


if __name__ == "__main__":
    main(*sys.argv[1:])
    while True:
        time.sleep(1.0)
