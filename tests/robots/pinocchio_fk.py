"""Link poses and velocities by Pinocchio.

Reads one JSON object a line: {"urdf": path, "states": [{"q": {joint: [numbers]}, "v": {joint: [numbers]}}]}. Joints that
mimic are not named: their numbers are worked out here, from the XML. Writes one line each: for every state a map from link
to [rotation matrix by rows (9), translation (3), linear (3) and angular velocity (3) in the world frame].
"""

import json
import math
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pinocchio as pin


def followers(path):
    """Joint name -> (leader, multiplier, offset), from the file, one step of the chain."""
    found = {}
    for joint in ET.parse(path).getroot().findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None:
            factor = float(mimic.get("multiplier", "1"))
            found[joint.get("name")] = (mimic.get("joint"), factor, float(mimic.get("offset", "0")))
    return found


def value(name, numbers, mimics, with_offset):
    """The numbers of a joint, through chains of mimics."""
    if name not in mimics:
        return numbers[name]
    leader, factor, offset = mimics[name]
    return [factor * value(leader, numbers, mimics, with_offset)[0] + offset * with_offset]


def vectors(model, state, mimics):
    q, v = pin.neutral(model), np.zeros(model.nv)
    for index in range(1, model.njoints):
        joint, name = model.joints[index], model.names[index]
        here = value(name, state["q"], mimics, 1.0)
        speed = value(name, state["v"], mimics, 0.0)
        kind = joint.shortname()
        if "Planar" in kind:
            x, y, theta = here
            here = [x, y, math.cos(theta), math.sin(theta)]
            # Pinocchio's planar velocities are in the frame of the child.
            c, s = here[2], here[3]
            speed = [c * speed[0] + s * speed[1], -s * speed[0] + c * speed[1], speed[2]]
        elif joint.nq == 2 and joint.nv == 1:
            here = [math.cos(here[0]), math.sin(here[0])]
        q[joint.idx_q : joint.idx_q + joint.nq] = here
        v[joint.idx_v : joint.idx_v + joint.nv] = speed
    return q, v


def main():
    for line in sys.stdin:
        request = json.loads(line)
        model = pin.buildModelFromUrdf(request["urdf"])
        data = model.createData()
        mimics = followers(request["urdf"])
        answers = []
        for state in request["states"]:
            q, v = vectors(model, state, mimics)
            pin.forwardKinematics(model, data, q, v)
            pin.updateFramePlacements(model, data)
            links = {}
            for index, frame in enumerate(model.frames):
                if frame.type != pin.FrameType.BODY:
                    continue
                pose = data.oMf[index]
                world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
                speed = pin.getFrameVelocity(model, data, index, world)
                numbers = [*pose.rotation.flatten(), *pose.translation]
                links[frame.name] = [*numbers, *speed.linear, *speed.angular]
            answers.append(links)
        print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    main()
