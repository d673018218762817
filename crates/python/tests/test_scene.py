"""Changes of a scene and questions about states."""

import coal
import numpy as np
import pinocchio
import pytest

import smooth_scene as ss


def test_objects_come_and_go(scene, arm):
    assert scene.objects == ["post"] and repr(scene) == 'Scene("arm", 1 objects, 0 attached)'
    assert not scene.is_free([0, 0]) and scene.is_free([1.5, 0])
    before = scene.copy()
    scene.move("post", [-5, 0, 0])
    np.testing.assert_array_equal(scene.pose("post")[:3, 3], [-5, 0, 0])
    assert scene.is_free([0, 0]) and not before.is_free([0, 0])
    scene.remove("post")
    assert scene.objects == [] and scene == ss.Scene(arm) and scene != before


def test_an_object_of_several_shapes(arm):
    scene = ss.Scene(arm)
    scene.add("two", [ss.sphere(0.1), (ss.box([0.2, 0.2, 0.2]), [0.8, 0, 0.15])], [0, 0, 2])
    (ball, at), (box, there) = scene.shapes("two")
    assert (ball, box) == (ss.sphere(0.1), ss.box([0.2, 0.2, 0.2]))
    np.testing.assert_array_equal(at, np.eye(4))
    np.testing.assert_array_equal(there[:3, 3], [0.8, 0, 0.15])
    assert scene.is_free([0, 0])
    scene.move("two", [0, 0, 0])
    assert not scene.is_free([0, 0])


def test_attached_objects_go_with_the_robot(scene):
    q = [1.5, 0.0]
    scene.add("tool", ss.capsule(0.02, 0.3), [0.07, 0.95, 0.15])
    world = scene.pose("tool")
    scene.attach("tool", "lower", touch_links=["upper"], q=q)
    assert scene.attached == {"tool": "lower"} and scene.objects == ["post"]
    pose = scene.robot.fk(q, ["lower"])[0] @ scene.pose("tool")
    np.testing.assert_allclose(pose, world, atol=1e-12)
    scene.detach("tool", q)
    np.testing.assert_allclose(scene.pose("tool"), world, atol=1e-12)
    scene.remove("tool")
    scene.attach("tool", "lower", ss.sphere(0.05), [0.4, 0, 0])
    assert scene.nearest(q, 1, a=["tool"], b=["post"]).body_a == ["tool"]
    scene.remove("tool")
    assert scene.attached == {}
    with pytest.raises(ss.Error, match="attach takes a shape"):
        scene.attach("post", "lower")


def test_allowed_pairs_are_not_looked_at(scene):
    assert not scene.is_free([0, 0])
    scene.allow("lower", "post")
    assert scene.is_allowed("post", "lower") and scene.is_free([0, 0])
    scene.allow("lower", "post", allowed=None)
    assert not scene.is_free([0, 0])
    scene.allow("post")
    assert scene.is_free([0, 0])
    with pytest.raises(ss.Error, match="there is no link or object `pots`"):
        scene.allow("lower", "pots")


def test_padding_and_margins_are_subtracted(scene):
    q = [1.0, 0.3]
    distance = scene.clearance(q)
    nearest = scene.nearest(q, 1, a=["lower", "upper"], b=["post"]).distance[0]
    scene.pad(0.02)
    assert scene.nearest(q, 1, b=["post"]).distance[0] == pytest.approx(nearest - 0.02, abs=1e-9)
    scene.pad(0.0, link="lower")
    scene.pad(0.0)
    assert scene.clearance(q) == pytest.approx(distance, abs=1e-12)
    body_a, body_b = scene.gradient(q).bodies
    scene.margin(body_a, body_b, 0.03)
    assert scene.nearest(q, 1, a=[body_a], b=[body_b]).distance[0] == pytest.approx(distance - 0.03, abs=1e-9)
    with pytest.raises(ss.Error, match="padding of `base` is -1"):
        scene.pad(-1)
    with pytest.raises(ss.Error, match="the robot has no link `hand`"):
        scene.pad(0.1, link="hand")


def test_a_refused_change_changes_nothing(scene):
    before = scene.copy()
    for change in [
        lambda: scene.add("post", ss.sphere(1)),
        lambda: scene.add("lower", ss.sphere(1)),
        lambda: scene.move("nothing", [0, 0, 0]),
        lambda: scene.remove("nothing"),
        lambda: scene.attach("post", "hand", q=[0, 0]),
        lambda: scene.detach("post", [0, 0]),
        lambda: scene.pad(0.1, self_padding=-1),
        lambda: scene.add("far", ss.sphere(1), [1e9, 0, 0]),
    ]:
        with pytest.raises(ss.Error):
            change()
        assert scene == before


def test_world_files(scene, tmp_path):
    scene.attach("cup", "lower", ss.cone(0.03, 0.1), [0.4, 0, 0], touch_links=["upper"])
    path = tmp_path / "world.yaml"
    scene.save(path)
    other = ss.Scene(scene.robot)
    other.add("gone", ss.sphere(0.1), [3, 3, 3])
    assert other.load(path) == [] and other == scene
    assert path.read_text() == scene.to_yaml()
    scene.clear()
    assert scene.objects == [] and scene.attached == {}
    path.write_text("- id: x\n  shape: {type: torus}\n")
    with pytest.raises(ss.Error, match="world.yaml.*torus"):
        other.load(path)


def test_answers_agree_with_each_other(hands):
    scene = ss.Scene(hands)
    states = hands.random(300, seed=5)
    states[::2] = hands.default  # Half of them free.
    free, clearance = scene.is_free(states), scene.clearance(states)
    assert 0 < free.sum() < 300
    np.testing.assert_array_equal(free, clearance > 0)
    nearest = scene.nearest(states, 1)
    np.testing.assert_array_equal(nearest.state, np.arange(300))
    np.testing.assert_array_equal(nearest.lower, clearance)
    contacts = scene.contacts(states)
    np.testing.assert_array_equal(np.unique(contacts.state), np.flatnonzero(~free))
    assert (contacts.lower <= 0).all()
    for k in range(3):
        assert scene.is_free(states[k]) == free[k] and scene.clearance(states[k]) == clearance[k]
    table = contacts.to_pandas()
    assert list(table["body_a"]) == contacts.body_a and len(table) == len(contacts)
    assert repr(contacts).startswith(f"Pairs({len(contacts)})")


def test_nearest_pairs_come_in_order_and_within_the_limit(hands):
    scene = ss.Scene(hands)
    pairs = scene.nearest(hands.default, 50)
    assert len(pairs) == 50 and (np.diff(pairs.distance) >= 0).all()
    limit = pairs.distance[20]
    assert len(scene.nearest(hands.default, 1000, max_distance=limit)) in (20, 21)
    hand = scene.nearest(hands.default, 5, a=["r_thumb"], b=["l_hand"])
    assert all(a.startswith("r_thumb") or a.startswith("l_") for a in hand.body_a)


def test_panda_contacts_are_those_of_pinocchio_and_coal(panda, panda_urdf):
    """Every pair of links of the Panda, as convex hulls of their meshes, in random states."""
    share = str(panda_urdf.parents[4])
    model = pinocchio.buildModelFromUrdf(str(panda_urdf))
    geometry = pinocchio.buildGeomFromUrdf(model, str(panda_urdf), pinocchio.GeometryType.COLLISION, package_dirs=[share])
    for body in geometry.geometryObjects:
        if isinstance(body.geometry, coal.BVHModelBase):
            body.geometry.buildConvexHull(True, "Qt")
            body.geometry = body.geometry.convex
    geometry.addAllCollisionPairs()
    data, geometry_data = model.createData(), geometry.createData()
    scene = ss.Scene(panda)
    link_of = {body.name: model.frames[body.parentFrame].name for body in geometry.geometryObjects}
    states = panda.random(100, seed=9)
    decided = collided = 0
    for state in states:
        pinocchio.updateGeometryPlacements(model, data, geometry, geometry_data, np.append(state, state[-1]))
        ours = scene.contacts(state)
        ours = {frozenset(pair) for pair in zip(ours.body_a, ours.body_b)}
        theirs = {}
        for index, pair in enumerate(geometry.collisionPairs):
            names = [link_of[geometry.geometryObjects[k].name] for k in (pair.first, pair.second)]
            if scene.is_allowed(*names) or names[0] == names[1]:
                continue
            distance = pinocchio.computeDistance(geometry, geometry_data, index).min_distance
            theirs[frozenset(names)] = min(distance, theirs.get(frozenset(names), np.inf))
        for names, distance in theirs.items():
            # Coal's distances are good to 1e-6 m.
            if abs(distance) > 1e-5:
                assert (names in ours) == (distance < 0), (names, distance)
                decided += 1
                collided += distance < 0
    assert decided > 500 and collided > 5


def test_gradient_is_the_derivative_of_the_clearance(hands):
    scene = ss.Scene(hands)
    scene.add("ball", ss.ellipsoid([0.05, 0.04, 0.06]), [0.25, 0.05, 0.1])
    rng = np.random.default_rng(2)
    states = hands.default + rng.uniform(-0.02, 0.02, size=(20, hands.position_count))
    found = scene.gradient(states)
    assert found.gradient.shape == (20, hands.dof) and len(found.bodies) == 20
    np.testing.assert_array_equal(found.lower, scene.clearance(states))
    step, compared = 1e-6, 0
    for k, state in enumerate(states):
        direction = rng.normal(size=hands.position_count)
        ends = [scene.gradient(state + sign * step * direction) for sign in (-1, 1)]
        if ends[0].bodies != found.bodies[k] or ends[1].bodies != found.bodies[k]:
            continue
        numeric = (ends[1].distance - ends[0].distance) / (2 * step)
        assert numeric == pytest.approx(found.gradient[k] @ direction, abs=1e-4)
        compared += 1
    assert compared >= 15


def test_nothing_to_touch_is_infinitely_far():
    lonely = ss.Scene(ss.Robot.parse('<robot name="r"><link name="l"/></robot>'))
    assert lonely.robot.dof == 0
    assert lonely.clearance(np.zeros((3, 0))).tolist() == [np.inf] * 3
    assert lonely.is_free([]) is True and lonely.gradient([]).bodies is None
    assert len(lonely.nearest([], 3)) == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_many_states_are_answered_as_one_by_one(scene, threads):
    states = scene.robot.random(3000, seed=8)

    def check():
        many = scene.is_free(states, threads=threads)
        assert many.tolist() == [scene.is_free(q) for q in states]
        return int(many.sum())

    free = [check()]
    scene.move("post", [0.4, 0.1, 0.2])
    free.append(check())
    scene.pad(0.05)
    free.append(check())
    scene.add("egg", ss.superellipsoid([0.1, 0.2, 0.15], 0.6, 1.2), [-0.6, 0.2, 0.1])
    free.append(check())
    scene.attach("tool", "lower", ss.sphere(0.05), [0.4, 0, 0])
    free.append(check())
    scene.remove("post")
    free.append(check())
    assert len(set(free)) == len(free), "every change shows"
    states[1234, 0] = np.nan
    with pytest.raises(ss.Error, match="NaN|finite"):
        scene.is_free(states, threads=threads)


def test_many_states_of_a_robot_without_joints():
    scene = ss.Scene(ss.Robot.parse('<robot name="r"><link name="l"/></robot>'))
    assert scene.is_free(np.zeros((500, 0))).all()
