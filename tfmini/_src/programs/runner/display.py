"""`IPython.display` for notebooks without an installed IPython: prints the displayed objects.

A notebook runs from the first cell to the last without a page; IPython in a terminal prints the same lines.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

_DISPLAY_CLASSES = (
    *("Audio", "Code", "FileLink", "FileLinks", "GeoJSON", "HTML", "IFrame", "Image", "JSON"),
    *("Javascript", "Latex", "Markdown", "Math", "Pretty", "SVG", "Video", "VimeoVideo"),
    "YouTubeVideo",
)
_FORMATS = (
    "html",
    "javascript",
    "jpeg",
    "json",
    "latex",
    "markdown",
    "pdf",
    "png",
    "pretty",
    "svg",
)


def display(*values: Any, **options: Any) -> None:
    """Prints each value like interactive Python; page options are ignored."""
    for value in values:
        print(repr(value))


def clear_output(wait: bool = False) -> None:
    """Does nothing: printed output stays, as in a log."""


class DisplayObject:
    """An object to be shown on a page.

    Attributes:
      data: its text or bytes, possibly read from the file.
      url, filename: its location, or None.

    Raises:
      FileNotFoundError: if the file does not exist.
    """

    def __init__(
        self, data: Any = None, url: str | None = None, filename: str | None = None, **options: Any
    ) -> None:
        self.data = data
        self.url = url
        self.filename = filename
        if filename is not None:
            with open(filename, "rb") as file:
                self.data = file.read()

    def __repr__(self) -> str:
        return f"<IPython.core.display.{type(self).__name__} object>"


def supply(get_ipython: Callable[[], Any]) -> None:
    """Makes `import IPython` find these classes if IPython is not installed."""
    if "IPython" in sys.modules or importlib.util.find_spec("IPython") is not None:
        return
    display_module = ModuleType("IPython.display", __doc__)
    display_module.__dict__.update(
        display=display, clear_output=clear_output, DisplayObject=DisplayObject
    )
    for name in _DISPLAY_CLASSES:
        setattr(
            display_module,
            name,
            type(name, (DisplayObject,), {"__module__": "IPython.core.display"}),
        )
    for format_of_page in _FORMATS:
        setattr(display_module, f"display_{format_of_page}", display)
    core = ModuleType("IPython.core", "Where `IPython.core.display` is.")
    package = ModuleType("IPython", "The part of IPython that is about a page, by tfmini.")
    core.__dict__.update(display=display_module, __path__=[])
    package.__dict__.update(
        display=display_module,
        core=core,
        get_ipython=get_ipython,
        version_info=(8, 24, 0),  # from this version on, Matplotlib does not query a GUI event loop
        __path__=[],
    )
    sys.modules.update(
        {
            "IPython": package,
            "IPython.core": core,
            "IPython.core.display": display_module,
            "IPython.display": display_module,
        }
    )
