"""The browser view: a viewer without a browser, and Chromium with the page in a frame of another server."""

import asyncio
import functools
import gc
import http.server
import json
import os
import pickle
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import webbrowser

import numpy as np
import pytest
from tornado.websocket import websocket_connect

import smooth_scene as ss

PATIENCE = 60
HERE = {"quat": [0, 0, 0, 1]}


def talk(view, *commands, until):
    """Sends commands, and returns the first frame of which `until` is true."""

    async def run():
        connection = await websocket_connect(view.url.replace("http", "ws") + "view")
        for command in commands:
            await connection.write_message(json.dumps(command))
        while True:
            text = await asyncio.wait_for(connection.read_message(), PATIENCE)
            assert text is not None, "the view has ended"
            message = json.loads(text)
            assert message["kind"] != "refused", message
            if message["kind"] == "frame" and until(message):
                connection.close()
                return message

    return asyncio.run(run())


def wait_for(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_viewers_see_the_state_and_every_change(scene):
    q = [1.5, 0.25]
    with scene.show(q, open=False) as view:
        assert view.is_open and view.viewers == 0
        frame = talk(view, until=lambda frame: frame["positions"] == q)
        assert not frame["in_collision"] and frame["least"] == pytest.approx(scene.gradient(q).distance, abs=1e-9)
        scene.add("ball", ss.sphere(0.3), scene.robot.fk(q, ["lower"])[0][:3, 3])
        assert talk(view, until=lambda frame: frame["in_collision"])["contacts"] >= 1
        view.q = [0.5, -0.25]
        talk(view, until=lambda frame: frame["positions"] == [0.5, -0.25])
    assert not view.is_open and view.viewers == 0 and repr(view) == "View(closed)"


def test_what_a_viewer_does_comes_back(scene):
    with scene.show(open=False) as view:
        talk(
            view,
            {"do": "set_joint", "name": "elbow", "value": 0.75},
            {"do": "edit", "edit": {"of": "add_object", "name": "new", "pose": {"xyz": [0, 0, 2], **HERE}, "shape": {"type": "sphere", "radius": 0.1}}},
            {"do": "edit", "edit": {"of": "surface_pose", "link": "lower", "index": 0, "pose": {"xyz": [0.2, 0, 0.5], **HERE}}},
            until=lambda frame: frame["positions"][1] == 0.75,
        )
        wait_for(lambda: view.q[1] == 0.75 and "new" in scene.objects)
        np.testing.assert_array_equal(scene.pose("new")[:3, 3], [0, 0, 2])
        before = ss.Scene(ss.Robot.parse(__import__("conftest").ARM))
        wait_for(lambda: ss.Scene(scene.robot) != before)
        # The edited robot goes with the scene to other processes.
        scene.remove("post")
        states = scene.robot.random(50, seed=1)
        again = pickle.loads(pickle.dumps(scene))
        assert again == scene and ss.Scene(again.robot) == ss.Scene(scene.robot)
        np.testing.assert_array_equal(again.clearance(states), scene.clearance(states))
        assert (scene.clearance(states) != before.clearance(states)).any()


def test_a_path_plays(scene):
    path, times = [[1.0, 0.0], [2.0, 0.5], [2.0, 1.0]], [0.0, 0.2, 0.4]
    with scene.show(path=path, times=times, open=False) as view:
        late = talk(view, until=lambda frame: frame["time"] > 0.2 and frame["source"] == "movement")
        assert late["positions"][0] == pytest.approx(2.0) and 0.5 < late["positions"][1] <= 1.0
        wait_for(lambda: view.q[0] > 1.0)


def test_viewers_may_be_kept_from_editing(scene):
    with scene.show(open=False, editing=False) as view:
        remove = {"do": "edit", "edit": {"of": "remove_object", "name": "post"}}

        async def run():
            connection = await websocket_connect(view.url.replace("http", "ws") + "view")
            await connection.write_message(json.dumps(remove))
            while True:
                message = json.loads(await asyncio.wait_for(connection.read_message(), PATIENCE))
                if message["kind"] == "refused":
                    return message["reason"]

        assert "edit" in asyncio.run(run()) and scene.objects == ["post"]


def test_a_view_opens_the_browser_and_lives_until_it_is_closed(scene, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    url = scene.show().url
    assert opened == [url]
    gc.collect()
    assert b"<html" in urllib.request.urlopen(url).read()
    from smooth_scene import _browser

    (view,) = (view for view in _browser._open if view.url == url)
    assert repr(view) == f'View("{url}")' and f'<iframe src="{url}"' in view._repr_html_()
    waiting = threading.Thread(target=view.wait)
    waiting.start()
    view.close()
    view.close()
    waiting.join(PATIENCE)
    assert not waiting.is_alive() and view not in _browser._open and "closed" in view._repr_html_()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(url)


def test_a_notebook_shows_the_page_in_a_frame(scene, tmp_path):
    """A page of another server on this machine has the view in a frame, as notebooks do; a viewer comes."""
    with scene.show(open=False) as view:
        (tmp_path / "index.html").write_text(f"<!doctype html><body>{view._repr_html_()}</body>")
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path)
        handler.log_message = lambda *_: None
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            browser = subprocess.Popen(
                [
                    os.environ.get("CHROMIUM", "chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                    "--disable-background-networking", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                    f"--user-data-dir={tmp_path / 'profile'}", "--remote-debugging-port=0",
                    f"http://localhost:{server.server_address[1]}/",
                ],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            try:
                wait_for(lambda: view.viewers == 1)
            finally:
                browser.kill()
                browser.wait()
                server.shutdown()


def test_only_pages_of_this_machine_may_have_it_in_a_frame(scene):
    with scene.show(open=False) as view:
        policy = urllib.request.urlopen(view.url).headers["content-security-policy"]
        (ancestors,) = (part.strip() for part in policy.split(";") if "frame-ancestors" in part)
        assert ancestors == "frame-ancestors http://localhost:* http://127.0.0.1:* vscode-webview:"


def test_two_scenes_have_two_pages(scene, hands):
    with scene.show(open=False) as one, ss.Scene(hands).show(open=False) as other:
        assert one.url != other.url
        port = int(one.url.rstrip("/").rsplit(":", 1)[1])
        with pytest.raises(ss.Error, match=f"127.0.0.1:{port}"):
            scene.show(port=port, open=False)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"q": [0.0]}, r"q has shape \(1,\)"),
        ({"q": [0.0, np.nan]}, r"q: positions\[1\] \(`elbow`\) is NaN"),
        ({"path": np.zeros((0, 2))}, "path has no states"),
        ({"path": [[0.0, np.inf]]}, r"path\[0\]: positions\[1\]"),
        ({"path": [[0.0, 0.0]], "times": [0.0, 1.0]}, r"times has shape \(2,\), must be \(1,\)"),
        ({"path": [[0.0, 0.0]] * 2, "times": [1.0, 0.0]}, r"times\[1\] is 0, less than the one before"),
        ({"path": [[0.0, 0.0]] * 2, "times": [0.0, np.nan]}, r"times\[1\] is NaN, must be finite"),
        ({"path": [[0.0, 0.0]], "times": [np.inf]}, r"times\[0\] is inf, must be finite"),
        ({"times": [0.0]}, "times are those of a path, and none is given"),
        ({"close_distance": -1.0}, "close_distance is -1"),
    ],
)
def test_what_cannot_be_shown_is_refused(scene, options, message):
    with pytest.raises(ss.Error, match=message):
        scene.show(**options, open=False)


def test_a_program_ends_although_a_view_is_open():
    program = "import smooth_scene as ss; ss.Scene(ss.Robot.parse('<robot name=\"r\"><link name=\"l\"/></robot>')).show(open=False)"
    subprocess.run([sys.executable, "-c", program], timeout=PATIENCE, check=True)
