"""The scenes of `benches/peers/simulation.sh` with MuJoCo, one thread, its default solver.

Reads {"seconds", "scenes": [{"step", "steps", "bodies": [{"kind", "size", "position", "quaternion"}], "links", "density", "friction",
"link", "start"}]}; writes for each scene the steps per second and the height of the highest body after the first round, m.
"""

import json
import sys
import time

import mujoco


def numbers(values):
    return " ".join(repr(float(x)) for x in values)


def arm(scene):
    length, half, mass = scene["link"]
    across = mass / 12 * (length**2 + 4 * half**2)
    inertia = numbers([across, across, mass / 1.5 * half**2])
    text, end = "", ""
    for k in range(scene["links"]):
        text += (
            f'<body pos="0 0 {0 if k == 0 else -length}"><joint type="hinge" axis="{"0 1 0" if k % 2 == 0 else "1 0 0"}"/>'
            f'<inertial pos="0 0 {-0.5 * length}" mass="{mass}" diaginertia="{inertia}"/>'
        )
        end += "</body>"
    return text + end


def model_of(scene):
    bodies = "".join(
        f'<body pos="{numbers(b["position"])}" quat="{numbers(b["quaternion"])}"><freejoint/>'
        f'<geom type="{b["kind"]}" size="{numbers(b["size"])}" density="{scene["density"]}"/></body>'
        for b in scene["bodies"]
    )
    floor = "" if scene["links"] else '<geom type="plane" size="50 50 1"/>'
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{scene["step"]!r}" gravity="0 0 -9.80665"/><size memory="200M"/>'
        f'<default><geom friction="{scene["friction"]} 0.005 0.0001"/></default>'
        f"<worldbody>{floor}{bodies}{arm(scene)}</worldbody></mujoco>"
    )


def run(scene, seconds):
    model = model_of(scene)
    rounds, highest, begin = 0, 0.0, time.perf_counter()
    while rounds == 0 or time.perf_counter() - begin < seconds:
        data = mujoco.MjData(model)
        if scene["links"]:
            data.qpos[0] = scene["start"]
        mujoco.mj_step(model, data, nstep=scene["steps"])
        if rounds == 0 and scene["bodies"]:
            highest = float(max(data.xpos[1:, 2]))
        rounds += 1
    return [rounds * scene["steps"] / (time.perf_counter() - begin), highest]


def main():
    request = json.load(sys.stdin)
    print(json.dumps([run(scene, request["seconds"]) for scene in request["scenes"]]))


if __name__ == "__main__":
    main()
