"""Restores methods, arguments and conversions removed from Python, numpy and matplotlib.

`array.tostring()`, `plt.hist(normed=True)`, `float(np.array([1.0]))`, `open(name, "rU")`, `random.sample(a_set, n)`,
`np.vstack(map(...))`, `np.sum(x for ...)`: each gets its old behavior instead of an error. Tuples of arrays returned by
NumPy 2, as by `np.meshgrid`, become lists.
"""

from __future__ import annotations

import builtins
import math
import random
import re
import sys
from collections.abc import Callable, Iterator, Set
from types import GeneratorType
from typing import Any

import numpy as np

from tfmini._src.programs.hook.warn_once import warn_once
from tfmini._src.programs.runner import tensor_element_shims
from tfmini._src.programs.runner.single_element_shims import single_element, warn_single_element

_ARRAYS = ("numpy.ndarray", "numpy.generic")
_ELEMENTS = ("xml.etree.ElementTree.Element", "xml.etree.ElementTree.ElementTree")
_MESHES = ("matplotlib.collections.QuadMesh", "matplotlib.collections.PolyQuadMesh")
_NUMBERS = (float, int, complex, np.arange)
_SEVERAL = (np.meshgrid, np.broadcast_arrays, np.atleast_1d, np.atleast_2d, np.atleast_3d)
_STACKS = (np.vstack, np.hstack, np.dstack, np.stack, np.column_stack)


def _itemset(array: np.ndarray, *args: Any) -> None:
    *index, value = args
    where: Any = index[0] if len(index) == 1 else tuple(index)
    if isinstance(where, int):
        array.flat[where] = value
    else:
        array[where] = value


def _get_array(mesh: Any) -> Any:
    """Returns the values of the drawn cells, in a vector as in older matplotlib."""
    values = mesh.get_array()
    if getattr(values, "ndim", 1) != 2:
        return values
    return values.compressed() if isinstance(values, np.ma.MaskedArray) else values.ravel()


# By method name: the classes that had it, and its replacement, itself by name if it was removed.
METHODS: dict[str, tuple[tuple[str, ...], Callable, str]] = {
    "fromstring": (("array.array",), lambda x, s: x.frombytes(s), "frombytes"),
    "get_array": (_MESHES, _get_array, ""),
    "getchildren": (_ELEMENTS[:1], list, "list"),
    "getiterator": (_ELEMENTS, lambda x, tag=None: list(x.iter(tag)), "iter"),
    "itemset": (_ARRAYS[:1], _itemset, "an assignment"),
    "newbyteorder": (
        _ARRAYS,
        lambda x, new_order="S": x.view(x.dtype.newbyteorder(new_order)),
        "a view",
    ),
    "ptp": (_ARRAYS, np.ptp, "np.ptp"),
    "tostring": ((*_ARRAYS, "array.array"), lambda x, *args: x.tobytes(*args), "tobytes"),
}

# By argument name: the library, the function (any if ""), and the current name; None for an argument to be dropped.
OLD_KEYWORDS: dict[str, tuple[tuple[str, str, str | None], ...]] = {
    "axisbg": (("matplotlib", "", "facecolor"),),
    "basex": (("matplotlib", "", "base"),),
    "basey": (("matplotlib", "", "base"),),
    "b": (("matplotlib", "grid", "visible"),),
    "encoding": (("json", "load", None), ("json", "loads", None)),
    "frameon": (("matplotlib", "savefig", None),),
    "hold": (("matplotlib", "", None),),
    "interpolation": tuple(
        ("numpy", name, "method")
        for name in ("percentile", "quantile", "nanpercentile", "nanquantile")
    ),
    "nonposx": (("matplotlib", "", "nonpositive"),),
    "nonposy": (("matplotlib", "", "nonpositive"),),
    "normed": (
        ("matplotlib", "hist", "density"),
        *(("numpy", name, "density") for name in ("histogram", "histogram2d", "histogramdd")),
    ),
    "sparse": (("sklearn", "OneHotEncoder", "sparse_output"),),
    "warn": (("matplotlib", "use", None),),
}
_RENAMED_FUNCTIONS = {name for rows in OLD_KEYWORDS.values() for _, name, _ in rows} - {""}
_UNIVERSAL_KEYWORDS = {
    word for word, rows in OLD_KEYWORDS.items() if any(not name for _, name, _ in rows)
}


def split(pattern: Any, string: Any, maxsplit: int = 0, flags: int = 0) -> list:
    """Implements `re.split` without splits at empty matches."""
    expression = re.compile(pattern, flags)
    if not expression.fullmatch(string[:0]):
        return expression.split(string, maxsplit)
    warn_once("split", "re.split splits at empty matches since Python 3.7, but not here.")
    parts: list[Any] = []
    position = 0
    for match in expression.finditer(string):
        if match[0] and not (maxsplit and len(parts) >= maxsplit * (1 + expression.groups)):
            parts += [string[position : match.start()], *match.groups()]
            position = match.end()
    return [*parts, string[position:]]


def has_old_word(function: str, words: list[str | None]) -> bool:
    """Whether a call of this function with these keywords may include a removed argument."""
    if function == "gca":
        return "projection" in words
    return not _UNIVERSAL_KEYWORDS.isdisjoint(words) or (
        function in _RENAMED_FUNCTIONS and any(word in OLD_KEYWORDS for word in words)
    )


def method(value: Any, name: str, call: Callable, /, *args: Any, **kwargs: Any) -> Any:
    """Calls `value.name(*args, **kwargs)` through `call`, or the replacement of a removed or changed method."""
    classes, function, replacement = METHODS[name]
    if not replacement or not hasattr(value, name):
        for owner_class in type(value).__mro__:
            if f"{owner_class.__module__}.{owner_class.__qualname__}" in classes:
                if replacement:
                    text = (
                        f"{owner_class.__qualname__}.{name} was removed; {replacement} replaces it."
                    )
                    warn_once(f".{name}", text)
                return function(value, *args, **kwargs)
    return call(getattr(value, name), *args, **kwargs)


def current_keywords(function: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Returns the keywords under their current names, without obsolete ones."""
    obsolete_words = [word for word in kwargs if word in OLD_KEYWORDS]
    if not obsolete_words:
        return kwargs
    library = (getattr(function, "__module__", "") or "").partition(".")[0]
    function_name = getattr(function, "__name__", "")
    keywords = dict(kwargs)
    for word in obsolete_words:
        for owner_name, name, new in OLD_KEYWORDS[word]:
            if owner_name != library or name not in ("", function_name):
                continue
            value = keywords.pop(word)
            remedy = f"{new}=... replaces it" if new else "it is left out"
            warn_once(
                f"{function_name} {word}", f"{function_name}({word}=...) was removed; {remedy}."
            )
            if new:
                keywords[new] = value
            break
    return keywords


def is_handled(function: Any) -> bool:
    """Whether `call` handles the function."""
    return (
        function in _NUMBERS
        or function is builtins.open
        or function in _STACKS
        or function is np.expand_dims
        or function in _SEVERAL
        or getattr(function, "__module__", "") == "math"
        or getattr(function, "__self__", None) is random.shuffle.__self__  # type: ignore[attr-defined]
    )


def call(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Calls `function(*args, **kwargs)`, a function accepted by `is_handled`."""
    if function is builtins.open:
        return _open(args, kwargs)
    if function in _STACKS:
        return _stack_sequence(function, args, kwargs)
    if function is np.expand_dims:
        return _expand_dims(*args, **kwargs)
    if function in _SEVERAL:
        arrays = function(*args, **kwargs)
        return list(arrays) if isinstance(arrays, tuple) else arrays
    name = function.__name__
    if name == "sample" and args and isinstance(args[0], Set):
        warn_once(
            "sample", "random.sample no longer accepts a set; it is converted to a sequence here."
        )
        return function(tuple(args[0]), *args[1:], **kwargs)
    if name == "shuffle" and len(args) == 2:
        return _shuffle(*args)
    try:
        return function(*args, **kwargs)
    except TypeError as error:
        # The latter where Python requires an index: `random` from 3.12 on.
        if not any(words in str(error) for words in ("0-dimensional", "integer scalar arrays")):
            raise
        converted = tuple(map(single_element, args))
    warn_single_element()
    return function(*converted, **kwargs)


def _open(args: tuple, kwargs: dict[str, Any]) -> Any:
    """Opens a file without the mode flag `U`: universal newlines are the default."""
    mode = args[1] if len(args) > 1 else kwargs.get("mode")
    if not isinstance(mode, str) or "U" not in mode:
        return open(*args, **kwargs)
    warn_once("open U", f"open no longer accepts mode {mode!r}; U is dropped here.")
    plain = mode.replace("U", "")
    plain = plain if "r" in plain else f"r{plain}"
    if len(args) > 1:
        return open(args[0], plain, *args[2:], **kwargs)
    return open(*args, **{**kwargs, "mode": plain})


def _stack_sequence(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Stacks arrays, which may come from a generator."""
    if args and isinstance(args[0], Iterator):
        text = f"np.{function.__name__} no longer accepts a generator: pass a list of arrays."
        warn_once(f"np.{function.__name__}", text)
        args = (list(args[0]), *args[1:])
    return function(*args, **kwargs)


def _expand_dims(a: Any, axis: Any) -> Any:
    """Inserts a dimension, at the end if `axis` is beyond the last one."""
    rank = np.ndim(a)
    if isinstance(axis, int) and axis > rank:
        text = f"np.expand_dims no longer accepts axis {axis} of {rank} dimensions."
        warn_once("expand_dims", text)
        axis = rank
    return np.expand_dims(a, axis)


def sum_generator(function: Callable, /, *args: Any, **kwargs: Any) -> Any:
    """Calls `function(*args, **kwargs)`; `np.sum` accepts generators and lists with tensors."""
    if function is not np.sum or not args or not isinstance(args[0], GeneratorType):
        return tensor_element_shims.call(function, args, kwargs)
    warn_once("np.sum", "np.sum no longer accepts a generator; Python's sum is used here.")
    total = sum(args[0])
    out = args[3] if len(args) > 3 else kwargs.get("out")
    if out is None:
        return total
    out[...] = total
    return out


def _shuffle(x: list, draw: Callable[[], float]) -> None:
    """Shuffles `x` with a function that returns random numbers in [0, 1)."""
    warn_once("shuffle", "random.shuffle no longer accepts a second argument; it is honored here.")
    for i in reversed(range(1, len(x))):
        j = math.floor(draw() * (i + 1))
        x[i], x[j] = x[j], x[i]


def axes(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Implements `gca(projection=...)`: returns the current axes if they have this projection, else new ones."""
    if not (getattr(function, "__module__", "") or "").startswith("matplotlib"):
        return function(*args, **kwargs)
    warn_once("gca", "gca(projection=...) was removed; add_subplot replaces it.")
    figure = getattr(function, "__self__", None) or sys.modules["matplotlib.pyplot"].gcf()
    if figure.axes and figure.gca().name == kwargs["projection"]:
        return figure.gca()
    return figure.add_subplot(*args, **kwargs)
