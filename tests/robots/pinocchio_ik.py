"""Inverse kinematics by Pinocchio: closed-loop, damped, from random states.

Reads one JSON object: {"urdf": path, "link": name, "joints": [names], "starts": n, "seed": n, "poses": [{"rotation": [9 numbers
by rows], "translation": [3], "ours": [numbers] or null}]}. Joints that are not named stay at zero. Writes one: for every pose
{"error": of ours, by Pinocchio's forward kinematics, m and rad, "solutions": [numbers of the joints, within their limits]}.
"""

import json
import sys

import numpy as np
import pinocchio as pin

STEPS = 200
DAMPING = 1e-6
TOLERANCE = 1e-8


def main():
    request = json.load(sys.stdin)
    model = pin.buildModelFromUrdf(request["urdf"])
    data = model.createData()
    frame = model.getFrameId(request["link"])
    places = [model.joints[model.getJointId(name)].idx_q for name in request["joints"]]
    lower, upper = model.lowerPositionLimit[places], model.upperPositionLimit[places]
    random = np.random.default_rng(request["seed"])

    def configuration(numbers):
        q = pin.neutral(model)
        q[places] = numbers
        return q

    def error(numbers, target):
        pin.framesForwardKinematics(model, data, configuration(numbers))
        return data.oMf[frame].actInv(target)

    def descend(numbers, target):
        for _ in range(STEPS):
            left = error(numbers, target)
            twist = pin.log6(left).vector
            if np.linalg.norm(twist) < TOLERANCE:
                return numbers
            local = pin.computeFrameJacobian(model, data, configuration(numbers), frame)[:, places]
            jacobian = -pin.Jlog6(left.inverse()) @ local
            square = jacobian @ jacobian.T + DAMPING * np.eye(6)
            numbers = np.clip(numbers - jacobian.T @ np.linalg.solve(square, twist), lower, upper)
        return None

    answers = []
    for pose in request["poses"]:
        target = pin.SE3(np.reshape(pose["rotation"], (3, 3)), np.array(pose["translation"]))
        left = None
        if pose["ours"] is not None:
            left = float(np.linalg.norm(pin.log6(error(np.array(pose["ours"]), target)).vector))
        starts = (random.uniform(lower, upper) for _ in range(request["starts"]))
        found = (descend(start, target) for start in starts)
        solutions = [numbers.tolist() for numbers in found if numbers is not None]
        answers.append({"error": left, "solutions": solutions})
    print(json.dumps(answers))


main()
