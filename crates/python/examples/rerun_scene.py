"""A recording in Rerun: surfaces of the links as meshes that move, and the distance of the nearest pair over time.

pip install rerun-sdk; python crates/python/examples/rerun_scene.py [bag] [file.rrd]
"""

import sys

import rerun as rr

import smooth_scene as ss


def main(bag="config/two_hand_grasp_bag", file="grasp.rrd"):
    recording = ss.read_bag(bag)
    robot = recording.robot
    scene = ss.Scene(robot)
    rr.init("smooth_scene")
    rr.save(file)
    for link in robot.link_names:
        for number, (shape, pose) in enumerate(robot.shapes(link)):
            vertices, triangles = shape.mesh(0.0005)
            place = f"robot/{link}/{number}"
            rr.log(place, rr.Transform3D(translation=pose[:3, 3], mat3x3=pose[:3, :3]), static=True)
            rr.log(place, rr.Mesh3D(vertex_positions=vertices, triangle_indices=triangles), static=True)
    nearest = scene.nearest(recording.states)
    for row, (seconds, poses) in enumerate(zip(recording.times, robot.fk(recording.states))):
        rr.set_time("time", duration=seconds)
        for link, pose in zip(robot.link_names, poses):
            rr.log(f"robot/{link}", rr.Transform3D(translation=pose[:3, 3], mat3x3=pose[:3, :3]))
        rr.log("nearest", rr.LineStrips3D([[nearest.point_a[row], nearest.point_b[row]]], colors=[0, 200, 0]))
        rr.log("distance", rr.Scalars(nearest.distance[row]))
    rr.disconnect()
    print(f"{file}: {len(recording)} states, {len(robot.link_names)} links")


if __name__ == "__main__":
    main(*sys.argv[1:])
