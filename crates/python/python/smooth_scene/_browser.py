"""Where a view is shown: in the browser, or in a notebook by the frame that the notebook makes of it."""

from __future__ import annotations

import sys
import webbrowser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from smooth_scene._core import View

# Views live until they are closed, also when nobody keeps them.
_open: set[View] = set()


def opened(view: View, show: bool) -> None:
    _open.add(view)
    if show and not in_notebook():
        webbrowser.open(view.url)


def closed(view: View) -> None:
    _open.discard(view)


def in_notebook() -> bool:
    """Whether a notebook displays what is returned; a terminal of IPython does not."""
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"
