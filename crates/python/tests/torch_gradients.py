"""Gradients in PyTorch against finite differences and against the scene. Run by test_torch.py, by whichever Python has PyTorch."""

import numpy as np
import torch

import smooth_scene as ss
import smooth_scene.torch

ARM = open("arm.urdf").read()


def main() -> None:
    robot = ss.Robot.parse(ARM)
    scene = ss.Scene(robot)
    scene.add("post", ss.cylinder(radius=0.05, length=1.0), [0.7, 0.0, 0.2])
    function = ss.torch.distance(scene)

    # Values and gradients are those of the scene, for any shape of the batch.
    states = robot.random(60, seed=3)
    expected = scene.gradient(states)
    q = torch.tensor(states.reshape(3, 20, 2), requires_grad=True)
    found = function(q)
    assert found.shape == (3, 20) and found.dtype == torch.float64
    np.testing.assert_array_equal(found.detach().numpy().ravel(), expected.distance)
    torch.sin(found).sum().backward()
    chained = np.cos(expected.distance)[:, None] * expected.gradient
    np.testing.assert_allclose(q.grad.numpy().reshape(60, 2), chained, atol=1e-12)

    # PyTorch's own comparison with finite differences, where one pair stays the nearest and bodies are apart: depths have kinks.
    step, compared = 1e-6, 0
    for state in robot.random(40, seed=5):
        at = scene.gradient(state)
        ends = [scene.gradient(state + step * end).bodies for end in (*np.eye(2), *-np.eye(2))]
        if at.distance < 1e-3 or any(bodies != at.bodies for bodies in ends):
            continue
        # The error of a central difference: the gap of two distances over the step.
        assert torch.autograd.gradcheck(function, (torch.tensor(state, requires_grad=True),), eps=step, atol=1e-4, rtol=0)
        compared += 1
    assert compared > 15

    # A step against the gradient of an optimiser brings the arm nearer to the post.
    q = torch.tensor([1.0, 0.3], requires_grad=True, dtype=torch.float64)
    optimizer = torch.optim.SGD([q], lr=0.1)
    before = function(q)
    before.backward()
    optimizer.step()
    assert function(q) < before

    # Types and layouts.
    single = torch.tensor([[1.0, 0.3]], dtype=torch.float32, requires_grad=True)
    assert function(single).dtype == torch.float32
    function(single).sum().backward()
    assert single.grad.dtype == torch.float32
    turned = torch.tensor(states.T.copy()).T
    assert not turned.is_contiguous()
    np.testing.assert_array_equal(function(turned).numpy(), expected.distance)
    assert function(torch.zeros(0, 2)).shape == (0,)

    # The function keeps the scene it was made for.
    q = torch.tensor([0.1, 0.0])
    before = function(q)
    scene.remove("post")
    assert function(q) == before

    for wrong in [torch.zeros(3), torch.full((2,), float("nan"))]:
        try:
            function(wrong)
        except ValueError as error:
            assert "q has shape (3,)" in str(error) or "NaN" in str(error)
            continue
        raise AssertionError(wrong)
    floating = '<robot name="r"><link name="a"/><link name="b"/><joint name="f" type="floating"><parent link="a"/><child link="b"/></joint></robot>'
    try:
        ss.torch.distance(ss.Scene(ss.Robot.parse(floating)))
    except ValueError as error:
        assert "floating" in str(error)
    else:
        raise AssertionError("a floating joint was accepted")
    print("compared", compared, "torch", torch.__version__, "numpy", np.__version__)


main()
