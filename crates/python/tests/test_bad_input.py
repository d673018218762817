"""Arrays that are not what they should be: the right answer or a clear exception, never a crash."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import smooth_scene as ss
from conftest import ARM

ROBOT = ss.Robot.parse(ARM)
SCENE = ss.Scene(ROBOT)
SCENE.add("post", ss.cylinder(radius=0.05, length=1.0), [0.7, 0.0, 0.2])
QUESTIONS = [
    SCENE.is_free,
    SCENE.clearance,
    SCENE.nearest,
    SCENE.contacts,
    SCENE.gradient,
    SCENE.check_path,
    ROBOT.fk,
    lambda q: SCENE.check_motion(q, q),
    lambda q: SCENE.plan(q, q),
    lambda q: SCENE.detach("post", q),
]
STATES = ROBOT.random(64, seed=4)
FREE = SCENE.is_free(STATES)


def test_any_layout_gives_the_same_answer():
    wide = np.zeros((64, 6))
    wide[:, ::3] = STATES
    shifted = np.frombuffer(b"x" + STATES.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    layouts = [
        np.asfortranarray(STATES),
        wide[:, ::3],
        STATES[::-1][::-1],
        STATES.astype(">f8"),
        STATES.tolist(),
        tuple(map(tuple, STATES)),
        shifted.reshape(64, 2),
        np.broadcast_to(STATES, (64, 2)),
        memoryview(STATES),
        np.ma.array(STATES),
    ]
    read_only = STATES.copy()
    read_only.flags.writeable = False
    for layout in [*layouts, read_only]:
        np.testing.assert_array_equal(SCENE.is_free(layout), FREE)
    np.testing.assert_array_equal(SCENE.is_free(STATES[::2]), FREE[::2])
    np.testing.assert_array_equal(SCENE.is_free(np.float32(STATES)), SCENE.is_free(np.float64(np.float32(STATES))))
    assert SCENE.is_free(np.array([1, 0])) == SCENE.is_free([1.0, 0.0])


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize(
    "wrong",
    [
        STATES[0].astype(complex),
        STATES[0].astype(str),
        STATES[0].astype(object),
        STATES[0] > 0,
        STATES[0].astype(np.longdouble),
        STATES[0].astype("M8[s]"),
        np.zeros(2, dtype=[("x", "f8")]),
        None,
        "q",
        {"shoulder": 1},
        object(),
    ],
)
def test_a_wrong_type_is_a_type_error(question, wrong):
    with pytest.raises((TypeError, ss.Error), match="dtype|shape"):
        question(wrong)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("shape", [(), (0,), (1,), (3,), (2, 3), (2, 1), (0, 3), (2, 2, 2), (1, 1, 1, 2)])
def test_a_wrong_shape_is_named(question, shape):
    with pytest.raises(ss.Error, match=r"has shape \("):
        question(np.zeros(shape))


@pytest.mark.parametrize(
    "question", [q for q in QUESTIONS if q != SCENE.check_path] + [lambda q: SCENE.check_path([[1.0, 0.0], q])]
)
@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_none_is_named_with_its_joint(question, number):
    with pytest.raises(ss.Error, match=r"positions\[1\] \(`elbow`\) is|no object `post` is attached"):
        question([0.5, number])


def test_the_first_bad_state_of_a_batch_is_named():
    states = np.tile(STATES, (100, 1))
    states[4321, 0] = states[5000, 1] = np.nan
    for threads in [1, 4]:
        with pytest.raises(ss.Error, match=r"^state 4321: positions\[0\] \(`shoulder`\) is NaN, must be finite$"):
            SCENE.is_free(states, threads=threads)


def test_batches_without_states_have_answers_without_states():
    none = np.zeros((0, 2))
    assert SCENE.is_free(none).shape == (0,) and SCENE.is_free(none).dtype == bool
    assert SCENE.clearance(none).shape == (0,)
    assert len(SCENE.nearest(none)) == 0 and len(SCENE.contacts(none)) == 0
    assert SCENE.gradient(none).gradient.shape == (0, 2)
    assert ROBOT.fk(none).shape == (0, 3, 4, 4)
    assert SCENE.check_motion(none, none).is_free.shape == (0,)
    with pytest.raises(ss.Error, match="at least two waypoints, 0 given"):
        SCENE.check_path(none)


@pytest.mark.parametrize(
    "pose, message",
    [
        (np.ones((4, 4)), "is not a rigid motion"),
        (np.diag([1, 1, -1, 1]), "is not a rigid motion"),
        (np.full((4, 4), np.nan), "is NaN|not a rigid"),
        ([0, 0, np.nan], "is NaN"),
        ([0, 0, 0, 0, 0, 0, 0], "must be finite and not zero"),
        ([0, 0, 2e6], r"must be in \[-1e6, 1e6\] m"),
        (np.zeros((2, 3)), "is 2 poses, must be one"),
        (np.zeros(5), r"has shape \(5,\)"),
        (([0, 0, 0], [0, 0, 1]), r"shapes \(3,\) and \(3,\)"),
        (([[0, 0, 0]], [0, 0, 0, 1]), "shapes"),
    ],
)
def test_what_is_no_pose_is_refused(pose, message):
    with pytest.raises(ss.Error, match=message):
        SCENE.move("post", pose)


def test_batches_of_different_lengths():
    with pytest.raises(ss.Error, match="poses_a has 2 poses and poses_b has 3"):
        ss.distance(ss.sphere(1), np.zeros((2, 3)), ss.sphere(1), np.zeros((3, 3)))
    with pytest.raises(ss.Error, match="q0 has 2 states and q1 has 3"):
        SCENE.check_motion(STATES[:2], STATES[:3])
    with pytest.raises(ss.Error, match=r"poses_b\[1\]"):
        ss.distance(ss.sphere(1), np.zeros(3), ss.sphere(1), [[0, 0, 0], [0, 0, np.inf]])


@pytest.mark.parametrize("threads", [0, -1, 2000])
def test_a_number_of_threads_that_makes_no_sense(threads):
    with pytest.raises(ss.Error, match=f"threads is {threads}"):
        SCENE.is_free(STATES, threads=threads)


def test_huge_numbers_of_states_are_refused():
    with pytest.raises((ss.Error, MemoryError, OverflowError)):
        ROBOT.random(2**63 - 1)
    with pytest.raises(ss.Error, match="more than fits into memory"):
        ROBOT.random(10**13)


def test_a_margin_of_a_body_that_is_not_there_is_refused():
    with pytest.raises(ss.Error, match="there is no link or object `pots`"):
        SCENE.copy().margin("post", "pots", 0.1)


@settings(max_examples=300, deadline=None)
@given(
    arrays.arrays(
        dtype=st.one_of(arrays.scalar_dtypes(), arrays.array_dtypes(max_size=2)),
        shape=arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
    ),
    st.sampled_from(QUESTIONS),
)
def test_no_array_crashes_a_question(array, question):
    try:
        question(array)
    except (ss.Error, ss.NoPathError, TypeError, ValueError) as error:
        assert str(error)


@settings(max_examples=300, deadline=None)
@given(st.recursive(st.one_of(st.none(), st.floats(), st.text(), st.integers()), st.lists, max_leaves=12))
def test_no_object_crashes_a_pose(value):
    try:
        SCENE.copy().move("post", value)
    except (ss.Error, TypeError, ValueError, OverflowError) as error:
        assert str(error)
