"""Falling and colliding ellipsoids by MuJoCo.

Reads one JSON object: {"gravity": number, "floor": bool, "step": s, "until": s, "probe": s, "times": [s], "bodies": [{"radii",
"density", "position", "quaternion" (w x y z), "velocity" (world), "spin" (frame of the body)}]}. Writes masses, moments of inertia,
states at the time `probe` (position, quaternion, velocity, spin), the time of the first step with a contact, or null, and of all bodies
together at each of `times`: the centre of mass, the linear momentum, and the angular momentum about the centre of mass.
"""

import json
import sys

import mujoco
import numpy as np


def total(model, data):
    """Of the world's subtree, which is all bodies."""
    mujoco.mj_subtreeVel(model, data)
    momentum = model.body_subtreemass[0] * data.subtree_linvel[0]
    return [*data.subtree_com[0], *momentum, *data.subtree_angmom[0]]


def main():
    request = json.load(sys.stdin)
    numbers = lambda values: " ".join(repr(float(x)) for x in values)
    bodies = "".join(
        f'<body pos="{numbers(b["position"])}" quat="{numbers(b["quaternion"])}"><freejoint/>'
        f'<geom type="ellipsoid" size="{numbers(b["radii"])}" density="{b["density"]!r}"/></body>'
        for b in request["bodies"]
    )
    floor = '<geom type="plane" size="10 10 1"/>' if request["floor"] else ""
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{request["step"]!r}" integrator="RK4" gravity="0 0 {-request["gravity"]!r}"/>'
        f"<worldbody>{floor}{bodies}</worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    for k, body in enumerate(request["bodies"]):
        data.qvel[6 * k : 6 * k + 6] = [*body["velocity"], *body["spin"]]
    states, first, totals = None, None, []
    times = iter([round(time / request["step"]) for time in request["times"]])
    next_time = next(times, None)
    for step in range(round(request["until"] / request["step"])):
        if states is None and data.time >= request["probe"] - 0.5 * request["step"]:
            state = lambda k: [*data.qpos[7 * k : 7 * k + 7], *data.qvel[6 * k : 6 * k + 6]]
            states = [state(k) for k in range(len(request["bodies"]))]
        mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        # Contacts within MuJoCo's margin of zero: the bodies overlap.
        if first is None and any(contact.dist < 0 for contact in data.contact):
            first = data.time
        if step + 1 == next_time:
            totals.append(total(model, data))
            next_time = next(times, None)
    answer = {
        "mass": list(model.body_mass[1:]),
        "inertia": [list(np.sort(row)) for row in model.body_inertia[1:]],
        "states": states,
        "first": first,
        "totals": totals,
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
