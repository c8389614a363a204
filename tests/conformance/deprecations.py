"""The deprecation notices of all public names, as written by TensorFlow's decorators.

Runs under TensorFlow 1.15.5 on Python 3.7 (`ci/record deprecations` writes tests/golden/deprecations.json.xz
with it); `tests/conformance/test_deprecations.py` looks for the notices in tfmini's docstrings. TensorFlow's docstrings
would not do: some are overwritten after a decorator wrote its notice there, and some are copied from elsewhere.

    "tf.arg_max": ["THIS FUNCTION IS DEPRECATED. It will be removed ...\nInstructions for updating:\n..."]
"""

import inspect
import types

from tests.conformance import public_names
from tests.support import goldens

PATH = goldens.golden_path("deprecations.json.xz")

# Dunder methods that carry notices.
SPECIAL = {"__init__", "__new__", "__call__"}


def values(tf, namespaces):
    """Names and values of all functions, classes and class members in `namespaces`."""
    parts = [
        (part, getattr(getattr(tf, "contrib", None), part, None)) for part in public_names.CONTRIB
    ]
    modules = [("tf", tf), *(("tf.contrib." + part, module) for part, module in parts if module)]
    while modules:
        path, module = modules.pop()
        for name, value in public_names.public(module):
            full = path + "." + name
            if isinstance(value, types.ModuleType):
                if full in namespaces:
                    modules.append((full, value))
            elif isinstance(value, type):
                yield full, value
                for member, found in members(value):
                    yield full + "." + member, found
            elif callable(value):
                yield full, value


def members(cls):
    """Names and functions of a class's methods and properties that TensorFlow defines."""
    for name in dir(cls):
        owner = next((c for c in cls.__mro__ if name in vars(c)), None)
        if owner is None or (name.startswith("_") and name not in SPECIAL):
            continue
        if not owner.__module__.startswith(("tensorflow", "tfmini", "/")):
            continue
        value = vars(owner)[name]
        if isinstance(value, (classmethod, staticmethod)):
            value = value.__func__
        yield name, value.fget if isinstance(value, property) else value


def notices(value):
    """The notices of TensorFlow's decorators on a function or class, the outermost first."""
    if isinstance(value, type):
        alias = of_decorator(vars(value).get("__init__")).get("name")
        first = "THIS CLASS IS DEPRECATED. It will be removed in a future version. "
        return [f"{first}\nPlease use {alias} instead."] if alias else []
    found = []
    while value is not None:
        found += notice(of_decorator(value))
        value = getattr(value, "__wrapped__", None)
    return found


def of_decorator(function):
    """The closure variables of a function inside a decorator of tensorflow/python/util/deprecation.py."""
    if not inspect.isfunction(function) or not function.__code__.co_filename.endswith(
        "deprecation.py"
    ):
        return {}
    return inspect.getclosurevars(function).nonlocals


def notice(given):
    """The notice of one decorator in a list; empty for other closure variables, or a class's."""
    date, instructions = given.get("date"), given.get("instructions")
    if "deprecated_name" in given and "_NewClass" not in given:
        instructions = f"Please use {given['name']} instead."
    if not instructions:
        return []
    when = "in a future version" if date is None else "after " + date
    if "deprecated_arg_names" in given:
        names = sorted(given["deprecated_arg_names"])
        first = (
            f"SOME ARGUMENTS ARE DEPRECATED: `({', '.join(names)})`. They will be removed {when}."
        )
    elif "deprecated_kwargs" in given:
        pairs = [f"{name}={value!r}" for name, value in sorted(given["deprecated_kwargs"].items())]
        first = f"SOME ARGUMENT VALUES ARE DEPRECATED: `({', '.join(pairs)})`. They will be removed {when}."
    else:
        first = f"THIS FUNCTION IS DEPRECATED. It will be removed {when}."
    return [f"{first}\nInstructions for updating:\n{instructions}"]


def write(tf):
    found = {name: notices(value) for name, value in values(tf, public_names.read())}
    goldens.write(PATH, {name: said for name, said in found.items() if said}, sort_keys=True)


def read():
    return goldens.read(PATH)
