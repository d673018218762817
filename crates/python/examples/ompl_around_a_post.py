"""An arm of two joints goes around a post: by OMPL with our checks, and by our own planner.

python crates/python/examples/ompl_around_a_post.py
"""

import numpy as np

import smooth_scene as ss
from smooth_scene.ompl import positions, simple_setup

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><collision><origin xyz="0.25 0 0" rpy="0 1.5707963267948966 0"/>
    <geometry><cylinder radius="0.04" length="0.4"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.2 0 0"/><geometry><box size="0.36 0.06 0.06"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 0 1"/><limit lower="-3" upper="3" velocity="1" effort="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.5 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-2.5" upper="2.5" velocity="1" effort="1"/></joint>
</robot>"""

robot = ss.Robot.parse(ARM)
scene = ss.Scene(robot)
scene.add("post", ss.cylinder(radius=0.05, length=1.0), [0.7, 0.0, 0.0])
start, goal = [1.0, 0.3], [-1.0, -0.3]
print("straight:", scene.check_motion(start, goal))

setup = simple_setup(scene, start, goal)
assert setup.solve(30.0), "OMPL found no path"
path = np.array([positions(state, robot.position_count) for state in setup.getSolutionPath().getStates()])
print("OMPL:", len(path), "waypoints,", scene.check_path(path, closest=True))

plan = scene.plan(start, goal, margin=0.01)
print("ours:", plan)
assert scene.check_path(path).is_free and scene.check_path(plan.waypoints).is_free
