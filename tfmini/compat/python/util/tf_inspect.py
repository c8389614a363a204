"""`tensorflow.python.util.tf_inspect`: a variant of `inspect` that sees through TensorFlow's decorators."""

from __future__ import annotations

import functools
import inspect as _inspect
from collections import namedtuple
from collections.abc import Callable
from inspect import (
    FullArgSpec,
    currentframe,
    getframeinfo,
    getmodule,
    getmro,
    isbuiltin,
    isframe,
    isgenerator,
    isgeneratorfunction,
    ismethod,
    ismodule,
    stack,
)
from typing import Any

from tfmini.compat.python.util.tf_decorator import unwrap

__all__ = [
    "ArgSpec",
    "FullArgSpec",
    "_inspect",
    "currentframe",
    "getargspec",
    "getcallargs",
    "getdoc",
    "getfile",
    "getframeinfo",
    "getfullargspec",
    "getmembers",
    "getmodule",
    "getmro",
    "getsource",
    "getsourcefile",
    "getsourcelines",
    "isbuiltin",
    "isclass",
    "isframe",
    "isfunction",
    "isgenerator",
    "isgeneratorfunction",
    "ismethod",
    "ismodule",
    "isroutine",
    "stack",
]

_PACKAGE = __name__.partition(".")[0]

ArgSpec = namedtuple("ArgSpec", ["args", "varargs", "keywords", "defaults"])


def getfullargspec(obj: Any) -> FullArgSpec:
    """Returns the arguments of a function, method, class or callable, below its decorators."""
    decorators, target = unwrap(obj)
    for decorator in decorators:
        if decorator.decorator_argspec is not None:
            return _full(decorator.decorator_argspec)
    if str(getattr(target, "__module__", "")).partition(".")[0] != _PACKAGE:
        return _inspect.getfullargspec(target)
    # tfmini's own decorators and annotations do not exist in TensorFlow.
    return _inspect.getfullargspec(_inspect.unwrap(target))._replace(annotations={})


def getargspec(obj: Any) -> ArgSpec:
    """Same as `getfullargspec`, without the parts specific to Python 3; keywords of a partial become defaults.

    Raises:
      ValueError: if arguments of a partial without defaults follow arguments with defaults.
    """
    if isinstance(obj, functools.partial):
        return _of_partial(obj)
    spec = getfullargspec(obj)
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


def _full(spec: Any) -> FullArgSpec:
    if isinstance(spec, FullArgSpec):
        return spec
    return FullArgSpec(spec.args, spec.varargs, spec.keywords, spec.defaults, [], None, {})


def _of_partial(obj: functools.partial) -> ArgSpec:
    spec = getargspec(obj.func)
    args = spec.args[len(obj.args) :]
    own_defaults = spec.defaults or ()
    defaults = dict(zip(spec.args[len(spec.args) - len(own_defaults) :], own_defaults))
    defaults.update((name, value) for name, value in obj.keywords.items() if name in args)
    first = next((n for n, name in enumerate(args) if name in defaults), len(args))
    without = [name for name in args[first:] if name not in defaults]
    if without:
        raise ValueError(
            f"Some arguments {without} do not have default value, but they are positioned after those with "
            "default values. This can not be expressed with ArgSpec."
        )
    values = tuple(defaults[name] for name in args[first:])
    return ArgSpec(args, spec.varargs, spec.keywords, values or None)


def getcallargs(*func_and_positional: Any, **named: Any) -> dict[str, Any]:
    """Returns the argument values of a call, by the argument names that the decorators declare."""
    target, *positional = func_and_positional
    decorators, innermost = unwrap(target)
    if all(decorator.decorator_argspec is None for decorator in decorators):
        return _inspect.getcallargs(innermost, *positional, **named)
    spec = getfullargspec(target)
    values = dict(named)
    values.update(zip((name for name in spec.args if name not in named), positional))
    own_defaults = spec.defaults or ()
    defaults = dict(zip(spec.args[len(spec.args) - len(own_defaults) :], own_defaults))
    return {**defaults, **(spec.kwonlydefaults or {}), **values}


def getdoc(object: Any) -> str | None:
    """Returns the docstring without its indentation."""
    return _inspect.getdoc(object)


def getmembers(object: Any, predicate: Callable | None = None) -> list[tuple[str, Any]]:
    """Returns the names and values of an object's members."""
    return _inspect.getmembers(object, predicate)


def _through(function: Callable) -> Callable:
    @functools.wraps(function)
    def look(object: Any) -> Any:
        return function(unwrap(object)[1])

    return look


getfile = _through(_inspect.getfile)
getsource = _through(_inspect.getsource)
getsourcefile = _through(_inspect.getsourcefile)
getsourcelines = _through(_inspect.getsourcelines)
isclass = _through(_inspect.isclass)
isfunction = _through(_inspect.isfunction)
isroutine = _through(_inspect.isroutine)
