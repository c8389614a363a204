"""The real CuPy's API: names, parameters and ufunc loops, from signatures.txt."""

import functools
import pathlib

PATH = pathlib.Path(__file__).with_name("signatures.txt")


class Row:
    """An API entry: its kind, its parameters as text, and a ufunc's loops or a value's repr."""

    __slots__ = ("kind", "parameters", "extra")

    def __init__(self, kind, parameters="", extra=""):
        self.kind = kind
        self.parameters = parameters
        self.extra = extra


@functools.cache
def table():
    """Full name -> Row."""
    rows = {}
    for line in PATH.read_text().splitlines():
        if not line.startswith("#"):
            name, *fields = line.split("\t")
            rows[name] = Row(*fields)
    return rows


@functools.cache
def checker(name):
    """A no-op function with the real function's parameters; None if they are unknown."""
    row = table()[name]
    if row.parameters == "?":
        return None
    return eval(f"lambda {row.parameters}: None")


def names(module):
    """The public names of a module: name -> Row."""
    prefix = module + "."
    return {
        name[len(prefix) :]: row
        for name, row in table().items()
        if name.startswith(prefix) and "." not in name[len(prefix) :]
    }
