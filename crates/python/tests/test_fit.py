"""Surfaces for meshes: their proof is checked against the meshes by other means."""

import pickle

import coal
import numpy as np
import pytest

import smooth_scene as ss
from conftest import ctrl_c_after

# A wedge: no box, no ball, and small enough to be fitted in a moment.
WEDGE = np.array([[0, 0, 0], [0.2, 0, 0], [0.2, 0.1, 0], [0, 0.1, 0], [0, 0, 0.08], [0, 0.1, 0.08]])
FACES = [[0, 2, 1], [0, 3, 2], [0, 4, 5], [0, 5, 3], [0, 1, 4], [3, 5, 2], [1, 2, 5], [1, 5, 4]]
URDF = """<robot name="wedges"><link name="base"><collision><geometry><mesh filename="wedge.obj"/></geometry></collision>
    <collision><origin xyz="0 0 -0.1"/><geometry><box size="0.1 0.1 0.02"/></geometry></collision></link>
  <link name="tip"><collision><origin xyz="0.1 0 0" rpy="0.3 0 0"/><geometry><mesh filename="wedge.obj" scale="1 1 2"/></geometry>
    </collision></link>
  <link name="bare"/>
  <joint name="turn" type="revolute"><parent link="base"/><child link="tip"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2" upper="2" velocity="1" effort="1"/></joint>
  <joint name="hold" type="fixed"><parent link="tip"/><child link="bare"/></joint></robot>"""


@pytest.fixture(scope="module")
def urdf(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wedges")
    lines = [f"v {x} {y} {z}" for x, y, z in WEDGE] + ["f " + " ".join(str(k + 1) for k in face) for face in FACES]
    (folder / "wedge.obj").write_text("\n".join(lines))
    (folder / "wedges.urdf").write_text(URDF)
    return folder / "wedges.urdf"


@pytest.fixture(scope="module")
def fitted(urdf):
    return ss.fit(urdf, surfaces=4)


def points_of_the_wedge(rng, count):
    """Random points of the surface of the wedge."""
    weights = rng.dirichlet([1, 1, 1], size=count)
    return np.einsum("nk,nkd->nd", weights, WEDGE[np.array(FACES)][rng.integers(len(FACES), size=count)])


def test_the_surfaces_contain_the_mesh(fitted, rng):
    """Points of the mesh are small balls that never are outside of all surfaces of their link."""
    robot = fitted.robot()
    scene, points = ss.Scene(robot), points_of_the_wedge(rng, 300)
    radius = 1e-4
    for point in points:
        scene.add("point", ss.sphere(radius), point)
        # Inside or on the surface: at most the radius away, and what is proven less.
        assert scene.nearest([1.0], 1, a=["base"], b=["point"]).distance[0] <= -radius + 1e-9
        scene.remove("point")


def test_the_report_says_what_there_is(fitted):
    assert fitted.links == ["base", "tip"] and len(fitted) == 2
    assert fitted.triangles == [8, 8] and sum(fitted.surfaces) <= 4 == fitted.total["surfaces"]
    assert [len(kinds) for kinds in fitted.kinds] == fitted.surfaces and fitted.hull == [None, None]
    # The volume of the wedge is half of that of its box.
    assert fitted.total["volume_over_mesh"] >= 1 and (fitted.volume_over_hull >= 1).all()
    assert (0 < fitted.mean_outward).all() and (fitted.mean_outward < fitted.max_outward).all()
    assert fitted.total["max_outward"] == fitted.max_outward.max()
    table = fitted.to_pandas()
    assert list(table["link"]) == fitted.links and list(table["kinds"]) == fitted.kinds
    assert repr(fitted).startswith(f"Fit(2 links, {sum(fitted.surfaces)} surfaces, every triangle contained; mean ")


def test_volumes_of_the_report_are_those_of_other_libraries(fitted):
    hull = coal.StdVec_Vec3s()
    hull.extend(list(WEDGE))
    volume = coal.Convex.convexHull(hull, True, "Qt").computeVolume()
    assert volume == pytest.approx(0.2 * 0.1 * 0.08 / 2)
    # All links are prisms: hull and mesh have the same volume.
    np.testing.assert_allclose(fitted.volume_over_mesh, fitted.volume_over_hull, rtol=1e-9)


def test_a_sidecar_loads_and_keeps_what_was_beside_the_mesh(fitted, urdf, tmp_path):
    fitted.save(tmp_path / "surfaces.yaml")
    robot = ss.Robot.load(urdf, surfaces=tmp_path / "surfaces.yaml")
    assert ss.Scene(robot) == ss.Scene(fitted.robot())
    scene = ss.Scene(robot)
    # The box below the wedge of the base stays.
    scene.add("below", ss.sphere(0.01), [0, 0, -0.2])
    found = scene.nearest([1.0], 1, a=["base"], b=["below"])
    assert found.distance[0] == pytest.approx(0.1 - 0.01 - 0.01, abs=1e-9)


def test_the_same_seed_gives_the_same_surfaces_on_any_number_of_threads(fitted, urdf):
    steps = []
    again = ss.fit(urdf, surfaces=4, threads=1, progress=lambda done, of: steps.append((done, of)))
    assert again.sidecar == fitted.sidecar
    assert steps and steps[-1][0] == steps[-1][1] and [done for done, _ in steps] == list(range(1, len(steps) + 1))


def test_fits_survive_pickling(fitted):
    again = pickle.loads(pickle.dumps(fitted))
    assert repr(again) == repr(fitted) and again.sidecar == fitted.sidecar and again.total == fitted.total
    assert ss.Scene(again.robot()) == ss.Scene(fitted.robot())


def test_one_mesh(urdf):
    alone = ss.fit(urdf.parent / "wedge.obj", surfaces=1, kinds=["superellipsoid"])
    assert alone.links == ["wedge"] and alone.kinds == [["superellipsoid"]]
    with pytest.raises(ss.Error, match="one mesh was fitted, which is no robot"):
        alone.robot()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"surfaces": 1}, "1 surfaces for 2 links with meshes, must be at least one for each"),
        ({"tolerance": -1.0}, "tolerance is -1, must be above 0 m"),
        ({"kinds": ["torus"]}, "kinds: `torus` must be one of: sphere, capsule,"),
        ({"kinds": ["hull"]}, "kinds: only hull is allowed"),
        ({"links": ["nose"]}, "links: no link `nose` with a <collision>"),
        ({"links": ["bare"]}, "links: no link `bare` with a <collision>"),
        ({"source": "visual"}, "no link has a mesh in its <visual>"),
        ({"source": "sound"}, 'source is "sound"'),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_what_cannot_be_fitted_is_refused(urdf, options, message):
    with pytest.raises(ss.Error, match=message):
        ss.fit(urdf, **options)


def test_files_that_are_none_are_named(urdf, tmp_path):
    with pytest.raises(ss.Error, match="nowhere.urdf: No such file"):
        ss.fit(tmp_path / "nowhere.urdf")
    with pytest.raises(ss.Error, match="nowhere.stl"):
        ss.fit(tmp_path / "nowhere.stl")
    with pytest.raises(ss.Error, match="ending `txt` is not known, must be urdf, stl, obj, dae or ply"):
        ss.fit(tmp_path / "robot.txt")


def test_an_error_of_the_progress_stops_the_fit(urdf):
    def progress(done, of):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        ss.fit(urdf, surfaces=4, progress=progress)


def test_a_fit_stops_at_ctrl_c(panda_urdf):
    with pytest.raises(KeyboardInterrupt), ctrl_c_after(1.0):
        ss.fit(panda_urdf, package_paths=[panda_urdf.parents[4]])
