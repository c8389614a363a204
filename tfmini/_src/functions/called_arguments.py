"""Arguments of a function call in canonical form, as TensorFlow orders them before tracing."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from typing import Any

from tfmini._src.base.package import PACKAGE_DIRECTORY


def python_signature(function: Callable) -> inspect.Signature:
    """Returns a function's own signature, ignoring functions it wraps; raises TypeError for objects without one."""
    code = getattr(function, "__code__", None)
    is_own_code = code is None or code.co_filename.startswith(PACKAGE_DIRECTORY + os.sep)
    try:
        return inspect.signature(function, follow_wrapped=is_own_code)
    except (TypeError, ValueError):
        raise TypeError("unsupported callable") from None


def positional_signature(signature: inspect.Signature) -> inspect.Signature:
    """Returns the signature without keyword-only parameters: parameters bound by a partial function, and later ones."""
    parameters = signature.parameters.values()
    return signature.replace(parameters=[p for p in parameters if p.kind is not p.KEYWORD_ONLY])


def positional_names(signature: inspect.Signature) -> list[str]:
    """Returns the names of the parameters that can be passed by position."""
    parameters = signature.parameters.values()
    positional = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    return [parameter.name for parameter in parameters if parameter.kind in positional]


def canonical(
    signature: inspect.Signature, args: tuple, kwargs: dict[str, Any]
) -> tuple[tuple, dict[str, Any]]:
    """Returns a call's arguments with defaults: positional ones in order, then the keywords.

    Excess, missing and repeated arguments are left to the Python function, which raises TypeError for them.

    Raises:
      AssertionError: if neither `args` nor a default exists for an argument, unless keywords are used.
    """
    names = positional_names(signature)
    defaults = {
        position: signature.parameters[name].default
        for position, name in enumerate(names)
        if signature.parameters[name].default is not inspect.Parameter.empty
    }
    if not kwargs and defaults and min(defaults) > len(args):
        raise AssertionError(f"Not enough arguments ({args}, {[*defaults]}, {names})")
    positional_defaults = {
        position: value for position, value in defaults.items() if position >= len(args)
    }
    keywords = {}
    for name, value in kwargs.items():
        if name in names:
            positional_defaults[names.index(name)] = value
        else:
            keywords[name] = value
    return (
        *args,
        *(positional_defaults[position] for position in sorted(positional_defaults)),
    ), keywords
