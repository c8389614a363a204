"""Python 2 in a program: syntax, and functions, methods and modules that Python 3 lacks."""

from __future__ import annotations

from tfmini._src.base.names.python2 import CONVERT, is_python2
from tfmini._src.programs.check.findings import Problem

BUILTINS = {
    "basestring": "str",
    "execfile": "exec(open(file).read())",
    "long": "int",
    "raw_input": "input",
    "reduce": "functools.reduce",
    "unichr": "chr",
    "unicode": "str",
    "xrange": "range",
}

MODULES = {
    "BaseHTTPServer": "http.server",
    "ConfigParser": "configparser",
    "HTMLParser": "html.parser",
    "Queue": "queue",
    "SocketServer": "socketserver",
    "StringIO": "io",
    "Tkinter": "tkinter",
    "__builtin__": "builtins",
    "cPickle": "pickle",
    "cStringIO": "io",
    "commands": "subprocess",
    "copy_reg": "copyreg",
    "httplib": "http.client",
    "urllib2": "urllib.request",
    "urlparse": "urllib.parse",
}

# Names in modules that are still there; lib2to3 leaves those of `string`.
MEMBERS = {
    "itertools": {
        "ifilter": "filter",
        "imap": "map",
        "izip": "zip",
        "izip_longest": "itertools.zip_longest",
    },
    "os": {"getcwdu": "os.getcwd"},
    "string": {
        "letters": "string.ascii_letters",
        "lowercase": "string.ascii_lowercase",
        "maketrans": "str.maketrans",
        "uppercase": "string.ascii_uppercase",
    },
    "sys": {"maxint": "sys.maxsize"},
}

# Methods of a dict, by name and number of arguments.
METHODS = {
    ("has_key", 1): "key in dict",
    ("iteritems", 0): "dict.items",
    ("iterkeys", 0): "dict.keys",
    ("itervalues", 0): "dict.values",
}


def syntax(error: SyntaxError) -> Problem:
    """Problem of a file that does not parse."""
    if is_python2(error):
        shown = (error.text or error.msg).strip()
        return Problem("Python 2", shown if len(shown) <= 50 else shown[:47] + "...", CONVERT)
    return Problem("unreadable", "no Python", error.msg or "invalid syntax")


def builtin(name: str) -> Problem:
    """Problem of using a built-in function of Python 2."""
    return Problem("Python 2", name, f"{BUILTINS[name]} in Python 3; {CONVERT}")


def module(name: str) -> Problem:
    """Problem of importing a module of Python 2's library."""
    return Problem("Python 2", name, f"{MODULES[name]} in Python 3; {CONVERT}")


def member(module: str, name: str) -> Problem | None:
    """Problem of a name in a module that Python 3 still has."""
    new = MEMBERS.get(module, {}).get(name)
    return Problem("Python 2", f"{module}.{name}", f"{new} in Python 3") if new else None


def method(name: str, arguments: int) -> Problem | None:
    """Problem of calling a method that dicts had."""
    new = METHODS.get((name, arguments))
    return Problem("Python 2", f"dict.{name}", f"{new} in Python 3; {CONVERT}") if new else None


def print_to_file() -> Problem:
    """Problem of `print >>file, x`, which parses but fails at run time."""
    return Problem("Python 2", "print >>", f"print(x, file=file) in Python 3; {CONVERT}")
