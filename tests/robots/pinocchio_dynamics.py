"""Forward and inverse dynamics by Pinocchio.

Reads one JSON object a line: {"urdf": path, "states": [{"q", "v", "a", "tau": {joint: [numbers]}, "link": name,
"wrench": [moment and force on that link about its origin, world axes]}]}. Joints that mimic are not named. Writes one
line each: for every state {"accelerations": {joint: [numbers]}, "forces": {joint: [numbers]}}, the first with, the
second without the wrench.

Pinocchio knows nothing of followers here: the columns of its mass matrix that belong to one leader are added up.
"""

import json
import sys

import numpy as np
import pinocchio as pin
from pinocchio_fk import followers, value, vectors


def planar_turns(model, q):
    """For each planar joint its first velocity and the rotation from the child's frame to the joint's."""
    for joint in model.joints:
        if joint.shortname() == "JointModelPlanar":
            c, s = q[joint.idx_q + 2 : joint.idx_q + 4]
            yield joint.idx_v, np.array([[c, -s], [s, c]])


def spread(model, numbers, mimics):
    """Numbers by joint, as a vector in the order of the velocities."""
    found = np.zeros(model.nv)
    for index in range(1, model.njoints):
        joint = model.joints[index]
        found[joint.idx_v : joint.idx_v + joint.nv] = value(model.names[index], numbers, mimics, 0.0)
    return found


def columns(model, mimics):
    """The matrix from the velocities of joints that lead to those of all joints, and the places of the former."""
    places, count = {}, 0
    for index in range(1, model.njoints):
        if model.names[index] not in mimics:
            places[model.names[index]] = count
            count += model.joints[index].nv
    matrix = np.zeros((model.nv, count))
    for index in range(1, model.njoints):
        joint, name, factor = model.joints[index], model.names[index], 1.0
        while name in mimics:
            factor *= mimics[name][1]
            name = mimics[name][0]
        for k in range(joint.nv):
            matrix[joint.idx_v + k, places[name] + k] = factor
    return matrix, places


def wrench_forces(model, data, state):
    forces = pin.StdVec_Force()
    for _ in range(model.njoints):
        forces.append(pin.Force.Zero())
    frame_id = model.getFrameId(state["link"], pin.FrameType.BODY)
    frame = model.frames[frame_id]
    back = data.oMf[frame_id].rotation.T
    moment, force = np.array(state["wrench"][:3]), np.array(state["wrench"][3:])
    forces[frame.parentJoint] = frame.placement.act(pin.Force(back @ force, back @ moment))
    return forces


def answer(model, data, mimics, state):
    q, v = vectors(model, state, mimics)
    pin.forwardKinematics(model, data, q, v)
    pin.updateFramePlacements(model, data)
    tau = np.zeros(model.nv)
    for index in range(1, model.njoints):
        joint, name = model.joints[index], model.names[index]
        if name not in mimics:
            tau[joint.idx_v : joint.idx_v + joint.nv] = state["tau"][name]
    wanted = spread(model, state["a"], mimics)
    # Pinocchio's planar velocities and forces are in the frame of the child, ours in that of the joint.
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    for at, turn in planar_turns(model, q):
        tau[at : at + 2] = turn.T @ tau[at : at + 2]
        spin = v[at + 2] * quarter @ v[at : at + 2]
        wanted[at : at + 2] = turn.T @ wanted[at : at + 2] - spin
    external = wrench_forces(model, data, state)
    matrix, places = columns(model, mimics)
    if mimics:
        mass = pin.crba(model, data, q)
        mass = np.triu(mass) + np.triu(mass, 1).T
        bias = pin.rnea(model, data, q, v, np.zeros(model.nv), external)
        right = matrix.T @ (tau - bias)
        found = np.linalg.solve(matrix.T @ mass @ matrix, right)
    else:
        found = pin.aba(model, data, q, v, tau, external)
    forces = matrix.T @ pin.rnea(model, data, q, v, wanted)
    for at, turn in planar_turns(model, q):
        place = int(np.flatnonzero(matrix[at])[0])
        spin = v[at + 2] * quarter @ v[at : at + 2]
        found[place : place + 2] = turn @ (found[place : place + 2] + spin)
        forces[place : place + 2] = turn @ forces[place : place + 2]
    joints = [(model.names[i], model.joints[i].nv) for i in range(1, model.njoints)]
    by_joint = lambda vector: {n: list(vector[places[n] : places[n] + c]) for n, c in joints if n in places}
    return {"accelerations": by_joint(found), "forces": by_joint(forces)}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        model = pin.buildModelFromUrdf(request["urdf"])
        model.gravity.linear = np.array([0.0, 0.0, -9.80665])
        data = model.createData()
        mimics = {k: m for k, m in followers(request["urdf"]).items() if model.existJointName(k)}
        print(json.dumps([answer(model, data, mimics, state) for state in request["states"]]), flush=True)


if __name__ == "__main__":
    main()
