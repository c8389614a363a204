"""Names missing in Python 3, and the detection and conversion of Python 2 source code."""

from __future__ import annotations

import re

INSTALL = "pip install 'tfmini-runtime[python2]'"
NEEDS = f"`{INSTALL}` lets tfmini run execute it as it is, without --strict"

_MESSAGES = re.compile(
    r"Missing parentheses in call to '(print|exec)'"
    r"|multiple exception types must be parenthesized"
    r"|leading zeros in decimal integer literals"
    r"|inconsistent use of tabs"
)
_LINE = re.compile(
    r"^\s*print\b(?!\s*[(=.])|^\s*exec\s+[^\s=(]|^\s*raise\s+[\w.]+\s*,|^\s*except\s+[\w.]+\s*,|<>|`[^`]+`"
    r"|\b(\d+|0[xX][\da-fA-F]+)[lL]\b|\b[uU][rR]['\"]|\bdef\s+\w+\s*\([^:]*[(,]\s*\(|\bdef\s+\w+\s*\(\s*\("
    r"|\blambda\s*\(|\blambda\b[^:]*,\s*\("
)

BUILTINS = {
    "apply": "f(*arguments)",
    "basestring": "str",
    "cmp": "(a > b) - (a < b)",
    "execfile": "exec(open(file).read())",
    "file": "open",
    "intern": "sys.intern",
    "long": "int",
    "raw_input": "input",
    "reduce": "functools.reduce",
    "reload": "importlib.reload",
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

# Removed names of modules that still exist; lib2to3 does not convert the ones of `string`.
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


def is_python2(error: SyntaxError) -> bool:
    """Whether source code that does not parse is Python 2."""
    return bool(_MESSAGES.search(error.msg or "") or _LINE.search(error.text or ""))
