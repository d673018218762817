"""Writes a URDF of the iCub's upper body with meshes, as input for `smooth_scene fit`; fit_icub.sh runs it.

    icub_meshes.py ICUB_MODELS HAND_MESHES OUT.urdf

Kinematics of torso, arms and hands are those of urdf/icub_arms_hands_mixed.urdf. The neck, and the meshes of torso, arms and head,
come from ICUB_MODELS, a checkout of robotology/icub-models; those of the hands from HAND_MESHES, OBJ files named after the links of
vislab-tecnico-lisboa/icub-moveit. Both robots are iCubs of different versions: joint axes agree in direction, and lengths to a few
millimetres. Each mesh is moved so that the axes of the joints at its ends are those of our URDF, in the sense of least squares.
Then both robots are put into 1000 random states, and the largest differences between the two poses of each mesh are printed.
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pinocchio as pin

ROOT = Path(__file__).resolve().parents[2]
OURS = ROOT / "urdf/icub_arms_hands_mixed.urdf"
THEIRS = "iCub/robots/iCubGazeboV2_5/model.urdf"

# Our link: its links there, the joints at its ends.
BODY = {
    "base_link": (["root_link"], ["torso_pitch"]),
    "torso_1": (["torso_1"], ["torso_pitch", "torso_roll"]),
    "torso_2": (["torso_2"], ["torso_roll", "torso_yaw"]),
    "chest": (["chest"], ["torso_yaw", "r_shoulder_pitch", "l_shoulder_pitch"]),
}
for side in "rl":
    BODY |= {
        f"{side}_arm_1": ([f"{side}_shoulder_1"], [f"{side}_shoulder_pitch", f"{side}_shoulder_roll"]),
        f"{side}_arm_2": ([f"{side}_shoulder_2"], [f"{side}_shoulder_roll", f"{side}_shoulder_yaw"]),
        f"{side}_arm_3": ([f"{side}_shoulder_3", f"{side}_upper_arm"], [f"{side}_shoulder_yaw", f"{side}_elbow"]),
        f"{side}_arm_4": ([f"{side}_elbow_1"], [f"{side}_elbow", f"{side}_wrist_roll"]),
        f"{side}_arm_5": ([f"{side}_forearm"], [f"{side}_wrist_roll", f"{side}_wrist_pitch"]),
        f"{side}_arm_6": ([f"{side}_wrist_1"], [f"{side}_wrist_pitch", f"{side}_wrist_yaw"]),
    }
# Parent, joint, child, axis in the frame of the chest at zero. They have the same names there.
NECK = [
    ("chest", "neck_pitch", "neck_1"),
    ("neck_1", "neck_roll", "neck_2"),
    ("neck_2", "neck_yaw", "head"),
]
# Joints with other names there, and our zero there.
OTHER_NAMES = {"r_wrist_roll": "r_wrist_prosup", "l_wrist_roll": "l_wrist_prosup"}
ZEROS = {"r_shoulder_yaw": np.deg2rad(15), "l_shoulder_yaw": np.deg2rad(15)}


def their_joint(joint):
    return OTHER_NAMES.get(joint, joint)


class Robot:
    def __init__(self, path):
        self.tree = ET.parse(path).getroot()
        self.model = pin.buildModelFromUrdf(str(path))
        self.data = self.model.createData()

    def move(self, values):
        q = pin.neutral(self.model)
        for joint, value in values.items():
            q[self.model.joints[self.model.getJointId(joint)].idx_q] = value
        pin.forwardKinematics(self.model, self.data, q)
        pin.computeJointJacobians(self.model, self.data, q)
        pin.updateFramePlacements(self.model, self.data)

    def pose(self, link):
        return self.data.oMf[self.model.getFrameId(link, pin.FrameType.BODY)].copy()

    def axis(self, joint):
        """Direction of a joint's axis, and its point nearest to the origin."""
        index = self.model.getJointId(joint)
        column = pin.getJointJacobian(self.model, self.data, index, pin.ReferenceFrame.WORLD)
        column = column[:, self.model.joints[index].idx_v]
        return column[3:], np.cross(column[3:], column[:3])

    def limits(self, joint):
        index = self.model.joints[self.model.getJointId(joint)].idx_q
        return self.model.lowerPositionLimit[index], self.model.upperPositionLimit[index]


def shift(ours, theirs, joints):
    """The shift of their mesh with which their axes meet ours best, and what is left."""
    rows, values = [], []
    for joint in joints:
        direction, point = ours.axis(joint)
        other_direction, other = theirs.axis(their_joint(joint))
        angle = np.arccos(np.clip(direction @ other_direction, -1, 1))
        assert angle < 1e-3, f"{joint}: the axes differ by {angle} rad"
        across = np.eye(3) - np.outer(direction, direction)
        rows.append(across)
        values.append(across @ (point - other))
    rows, values = np.concatenate(rows), np.concatenate(values)
    move = np.linalg.lstsq(rows, values, rcond=1e-6)[0]
    left = (rows @ move - values).reshape(-1, 3)
    return move, max(np.linalg.norm(left, axis=1))


def numbers(values):
    return " ".join(f"{round(float(value), 6) + 0.0:g}" for value in values)


def origin(pose):
    return ET.Element("origin", xyz=numbers(pose.translation), rpy=numbers(pin.rpy.matrixToRpy(pose.rotation)))


def collision(pose, path, scale):
    element = ET.Element("collision")
    element.append(origin(pose))
    ET.SubElement(ET.SubElement(element, "geometry"), "mesh", filename=str(path), scale=scale)
    return element


def their_meshes(theirs, models, link):
    element = next(e for e in theirs.tree.findall("link") if e.get("name") == link)
    for part in element.findall("collision"):
        at, mesh = part.find("origin"), part.find("geometry/mesh")
        xyz, rpy = ([float(x) for x in at.get(name).split()] for name in ("xyz", "rpy"))
        place = pin.SE3(pin.rpy.rpyToMatrix(*rpy), np.array(xyz))
        yield place, models / mesh.get("filename").removeprefix("package://"), mesh.get("scale")


def sources(text):
    """Our link: its name in icub-moveit, from the comment at the head of our URDF."""
    pairs = (line.split(",")[0].split("=") for line in text.split("-->")[0].splitlines() if " = " in line and "," in line)
    return {ours.strip(): theirs.strip() for ours, theirs in pairs}


def add_neck(tree, ours, theirs, move):
    """The neck, as it is there beside their chest; frames parallel to the base at zero."""
    parent_pose = ours.pose("chest")
    for parent, joint, child in NECK:
        direction, point = theirs.axis(joint)
        # A point of the axis at the height and place of the joint before it, so that the frames lie on the neck.
        place = point + move + direction * (direction @ (theirs.data.oMi[theirs.model.getJointId("neck_roll")].translation - point))
        pose = pin.SE3(np.eye(3), place)
        element = ET.SubElement(tree, "joint", name=joint, type="revolute")
        element.append(origin(parent_pose.actInv(pose)))
        ET.SubElement(element, "parent", link=parent)
        ET.SubElement(element, "child", link=child)
        ET.SubElement(element, "axis", xyz=numbers(direction))
        lower, upper = theirs.limits(joint)
        ET.SubElement(element, "limit", lower=f"{lower:.4f}", upper=f"{upper:.4f}", effort="1000", velocity="0.5")
        ET.SubElement(tree, "link", name=child)
        parent_pose = pose


def compare(ours, theirs, placed):
    """The largest distance and angle between the poses of each mesh in both robots, over random states."""
    random = np.random.default_rng(1)
    joints = [name for name in ours.model.names[1:] if theirs.model.existJointName(their_joint(name))]
    worst = {}
    for _ in range(1000):
        state = {joint: random.uniform(*ours.limits(joint)) for joint in joints}
        ours.move(state)
        theirs.move({their_joint(j): value + ZEROS.get(j, 0.0) for j, value in state.items()})
        for (link, their_link), (place, residual) in placed.items():
            difference = theirs.pose(their_link).actInv(ours.pose(link) * place)
            angle = np.linalg.norm(pin.log3(difference.rotation))
            before = worst.get(link, (0.0, 0.0, residual))
            worst[link] = (max(before[0], np.linalg.norm(difference.translation)), max(before[1], angle), residual)
    print(f"{'link':10} {'axes mm':>8} {'moved mm':>9} {'turned rad':>11}")
    for link, (distance, angle, residual) in worst.items():
        print(f"{link:10} {1e3 * residual:8.2f} {1e3 * distance:9.2f} {angle:11.6f}")
        assert angle < 2e-3, f"{link} does not turn as it does there"


HEADER = """ The upper body of the iCub: torso, neck, head, arms and hands. Written by tests/robots/fit_icub.sh; do not edit.

  Kinematics of torso, arms and hands, and the meshes of the hands: vislab-tecnico-lisboa/icub-moveit @ 845496fc, licence tag "BSD" in
  its manifest; urdf/source/ says what differs from it, and urdf/icub_arms_hands_mixed.urdf what the links are called there.
  Kinematics of the neck, and the meshes of torso, arms and head: robotology/icub-models @ dca8c618, CC BY-SA 4.0.
  The surfaces are numbers of our own: `smooth_scene fit` proved that they contain every triangle of these meshes.
  The box or cylinder of a collision contains the surface; it is for programs that do not know the scs elements.
"""


def main():
    models, hands, out = (Path(word).resolve() for word in sys.argv[1:])
    ours, theirs = Robot(OURS), Robot(models / THEIRS)
    text = OURS.read_text()
    tree = ours.tree
    tree.set("name", "icub_upper_body")
    for link in tree.findall("link"):
        for part in link.findall("visual") + link.findall("collision"):
            link.remove(part)
    for material in tree.findall("material"):
        tree.remove(material)
    ours.move({})
    theirs.move({their_joint(joint): zero for joint, zero in ZEROS.items()})
    chest, _ = shift(ours, theirs, BODY["chest"][1])
    add_neck(tree, ours, theirs, chest)
    ET.indent(tree)
    out.write_text(ET.tostring(tree, encoding="unicode"))
    # With the neck.
    ours = Robot(out)
    ours.move({})
    tree = ours.tree
    body = BODY | {child: ([child], [joint]) for _, joint, child in NECK}
    links = {link.get("name"): link for link in tree.findall("link")}
    placed = {}
    for link, (their_links, joints) in body.items():
        move, residual = shift(ours, theirs, joints)
        if link in ("neck_1", "neck_2", "head"):
            move = chest
        for their_link in their_links:
            place = ours.pose(link).actInv(pin.SE3(np.eye(3), move) * theirs.pose(their_link))
            placed[link, their_link] = (place, residual)
            for in_link, path, scale in their_meshes(theirs, models, their_link):
                links[link].append(collision(place * in_link, path, scale))
    for link, their_link in sources(text).items():
        mesh = hands / f"{their_link}.obj"
        if mesh.exists():
            links[link].append(collision(pin.SE3.Identity(), mesh, "1 1 1"))
    compare(ours, theirs, placed)
    ET.indent(tree)
    out.write_text(f'<?xml version="1.0"?>\n<!--{HEADER}-->\n{ET.tostring(tree, encoding="unicode")}\n')


if __name__ == "__main__":
    main()
