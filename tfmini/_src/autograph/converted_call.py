"""Calls from converted code: decides whether a function is converted or called directly."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import unittest
import weakref
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from tfmini._src.autograph.converters.transpiler import compile_converted, converted_codes
from tfmini._src.autograph.operators.builtins import OVERLOADS
from tfmini._src.autograph.operators.operator_namespace import Operators
from tfmini._src.autograph.operators.print_tensors import print_
from tfmini._src.autograph.options import ConversionOptions, Feature
from tfmini._src.autograph.verbosity import log
from tfmini._src.base import logs

_PACKAGE = __name__.partition(".")[0]

# Modules whose functions, and their submodules', are called directly.
_UNCONVERTED_TYPES = (
    *("numpy", "mock", "ipdb", "tensorflow", "tensorflow_probability"),
    *("tensorflow_datasets.core", "wrapt", _PACKAGE),
)

_unconvertible_codes: weakref.WeakSet[Any] = (
    weakref.WeakSet()
)  # code of functions whose conversion failed
_operators: dict[ConversionOptions, Operators] = {}


def operators(options: ConversionOptions) -> Operators:
    """Returns the namespace in which converted functions with these options look up operators."""
    if options not in _operators:
        inner = options.callee_options()
        _operators[options] = Operators(options, lambda function: callee(function, inner))
    return _operators[options]


def callee(function: Any, options: ConversionOptions) -> Any:
    """Returns the replacement of a called function: its conversion, an operator, or the function itself."""
    cls = type(function)
    if cls is BuiltinFunctionType or cls is type:
        if function is print:
            return print_ if options.uses(Feature.BUILTIN_FUNCTIONS) else print
        return OVERLOADS.get(function, function)
    if inspect.isclass(function) or not options.recursive and not options.user_requested:
        return function
    if cls is functools.partial:
        inner = callee(function.func, options)
        return functools.partial(inner, *function.args, **function.keywords)
    args: tuple = ()
    if cls is MethodType:
        target, args = function.__func__, (function.__self__,)
    elif cls is FunctionType:
        target = function
    else:
        target, args = vars(_defining_class(cls)).get("__call__"), (function,)
    if type(target) is not FunctionType or target.__code__ in _unconvertible_codes:
        return function
    if target.__code__ in converted_codes:
        return function  # defined in a converted function
    if hasattr(target, "__ag_compiled") or hasattr(target, "autograph_info__"):
        return function
    if not options.user_requested and _is_called_directly(target, args):
        log(2, "Whitelisted: %s", function)
        return function
    log(1, "Converted call: %s", function)
    try:
        result = compile_converted(target, options, operators(options))
    except Exception as error:
        if int(os.environ.get("AUTOGRAPH_STRICT_CONVERSION", "0")) > 0:
            raise
        _unconvertible_codes.add(target.__code__)
        logs.warning(
            "Entity %s could not be transformed and will be executed as-is. Please report this to the AutoGraph team. "
            "When filing the bug, set the verbosity to 10 (on Linux, `export AUTOGRAPH_VERBOSITY=10`) and attach the "
            "full output. Cause: %s",
            function,
            error,
        )
        return function
    return MethodType(result, *args) if args else result


def _defining_class(cls: type) -> type:
    """Returns the class that defines `__call__` for instances of this class."""
    return next((base for base in cls.__mro__ if "__call__" in vars(base)), cls)


def _is_called_directly(target: FunctionType, args: tuple) -> bool:
    """Whether a function is called directly: a library's, a generator, a test case's, or one compiled from a string."""
    module = target.__module__ or ""
    if is_of_library(module):
        return True
    if module.partition(".")[0] in sys.stdlib_module_names and module != "__main__":
        return True
    if target.__code__.co_filename == "<string>":
        return True
    if args and isinstance(args[0], unittest.TestCase):
        return True
    if inspect.isgeneratorfunction(target):
        logs.warning(
            "Entity %s appears to be a generator function. It will not be converted by AutoGraph.",
            target,
        )
        _unconvertible_codes.add(target.__code__)
        return True
    return False


def is_of_library(module: str) -> bool:
    """Whether a module is at or below a module whose functions are called directly."""
    return module.startswith(_UNCONVERTED_TYPES) and any(
        module == name or module.startswith(name + ".") for name in _UNCONVERTED_TYPES
    )
