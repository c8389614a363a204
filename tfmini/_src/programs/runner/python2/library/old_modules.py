"""Modules that were renamed or removed."""

from __future__ import annotations

import _thread
import collections
import configparser
import warnings
from collections.abc import Mapping
from typing import Any

from tfmini._src.programs.runner.python2.files import StringIO

_RENAMED_MODULES = {
    "BaseHTTPServer": "http.server",
    "CGIHTTPServer": "http.server",
    "Cookie": "http.cookies",
    "HTMLParser": "html.parser",
    "Queue": "queue",
    "SimpleHTTPServer": "http.server",
    "SocketServer": "socketserver",
    "Tkinter": "tkinter",
    "UserList": "collections",
    "UserString": "collections",
    "cookielib": "http.cookiejar",
    "copy_reg": "copyreg",
    "dummy_thread": "_thread",
    "htmlentitydefs": "html.entities",
    "httplib": "http.client",
    "repr": "reprlib",
    "robotparser": "urllib.robotparser",
    "tkFileDialog": "tkinter.filedialog",
    "tkFont": "tkinter.font",
    "tkMessageBox": "tkinter.messagebox",
    "ttk": "tkinter.ttk",
    "xmlrpclib": "xmlrpc.client",
}


def _interpolation() -> configparser.Interpolation:
    """Returns Python 2's interpolation, which was removed in Python 3.13 and deprecated before."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return getattr(configparser, "LegacyInterpolation", configparser.BasicInterpolation)()


class ConfigParser(configparser.RawConfigParser):
    """A configuration parser that interpolates `%(name)s`."""

    _DEFAULT_INTERPOLATION = _interpolation()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"strict": False, **kwargs})

    def readfp(self, fp: Any, filename: str | None = None) -> None:
        self.read_file(fp, filename)


_STREAMS = {"StringIO": StringIO}

MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    **{old: ((new,), {"__name__": old}) for old, new in _RENAMED_MODULES.items()},
    "ConfigParser": (
        ("configparser",),
        {"ConfigParser": ConfigParser, "SafeConfigParser": ConfigParser},
    ),
    "StringIO": ((), _STREAMS),
    "UserDict": (("collections",), {"IterableUserDict": collections.UserDict}),
    "__builtin__": (("builtins",), {}),
    "cStringIO": ((), {**_STREAMS, "InputType": StringIO, "OutputType": StringIO}),
    "exceptions": (("builtins",), {"StandardError": Exception}),
    "sets": ((), {"ImmutableSet": frozenset, "Set": set}),
    "thread": (("_thread",), {"start_new": _thread.start_new_thread}),
}
