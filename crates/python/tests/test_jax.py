"""Gradients in JAX against finite differences and against the scene."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import smooth_scene as ss
import smooth_scene.jax

jax.config.update("jax_enable_x64", True)


def test_values_and_gradients_are_those_of_the_scene(scene, arm):
    function = ss.jax.distance(scene)
    states = arm.random(50, seed=3)
    expected = scene.gradient(states)
    np.testing.assert_array_equal(function(states), expected.distance)
    np.testing.assert_array_equal(jax.jit(function)(states), expected.distance)
    np.testing.assert_array_equal(jax.vmap(function)(states), expected.distance)
    each = jax.vmap(jax.grad(function))(states)
    np.testing.assert_array_equal(each, expected.gradient)
    total = jax.grad(lambda q: jnp.sum(jnp.sin(function(q))))(jnp.asarray(states))
    np.testing.assert_allclose(total, np.cos(expected.distance)[:, None] * expected.gradient, atol=1e-12)


def test_gradients_agree_with_finite_differences(scene, arm):
    function, step, compared = ss.jax.distance(scene), 1e-6, 0
    for state in arm.random(40, seed=5):
        at = scene.gradient(state)
        if at.distance < 1e-3 or any(
            scene.gradient(state + step * end).bodies != at.bodies for end in (*np.eye(2), *-np.eye(2))
        ):
            continue  # Depths, and states in which another pair becomes the nearest, have kinks.
        numeric = [(function(state + step * e) - function(state - step * e)) / (2 * step) for e in np.eye(2)]
        np.testing.assert_allclose(jax.grad(function)(jnp.asarray(state)), numeric, atol=1e-4)
        compared += 1
    assert compared > 15


def test_the_function_keeps_the_scene_it_was_made_for(scene):
    function, q = ss.jax.distance(scene), jnp.array([0.1, 0.0])
    before = function(q)
    scene.remove("post")
    assert function(q) == before != scene.gradient(q).distance


def test_single_precision_stays_single(scene):
    found = ss.jax.distance(scene)(jnp.array([1.0, 0.3], dtype=jnp.float32))
    assert found.dtype == jnp.float32


def test_what_is_no_state_is_refused(scene):
    function = ss.jax.distance(scene)
    with pytest.raises(Exception, match=r"q has shape \(3,\), must be \(..., 2\)"):
        function(jnp.zeros(3))
    with pytest.raises(Exception, match="NaN"):
        function(jnp.array([0.0, jnp.nan]))


def test_floating_joints_are_refused():
    urdf = '<robot name="r"><link name="a"/><link name="b"/><joint name="f" type="floating"><parent link="a"/><child link="b"/></joint></robot>'
    with pytest.raises(ValueError, match="floating"):
        ss.jax.distance(ss.Scene(ss.Robot.parse(urdf)))
