"""The functions of `tf.autograph`: convert functions, show converted code, or exempt functions from conversion."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable
from types import CellType
from typing import Any

from tfmini._src.autograph.converted_call import callee, is_of_library, operators
from tfmini._src.autograph.converters.transpiler import compile_converted, rewrite
from tfmini._src.autograph.errors import ConversionError, translate_error
from tfmini._src.autograph.options import ConversionOptions, Feature, as_features
from tfmini._src.graph.autograph_status import Status, conversion

_FAILURES = (ValueError, AttributeError, KeyError, NameError, AssertionError)


def convert_on_call(function: Callable, user_requested: bool, features: Any) -> Callable:
    """Returns a function that converts `function` when called; errors refer to the program's lines.

    Args:
      function: the program's function.
      user_requested: whether tfmini's own functions are also converted.
      features: additional Features, or None.
    """
    return _converting(function, ConversionOptions(True, user_requested, as_features(features)))


def _converting(function: Callable, options: ConversionOptions) -> Callable:
    def call(*args: Any, **kwargs: Any) -> Any:
        python = callee(function, options)
        try:
            return python(*args, **kwargs)
        except Exception as error:
            trace = error.__traceback__
            result = translate_error(error, is_call=not (trace and trace.tb_next))
            if result is error:
                raise
            raise result.with_traceback(error.__traceback__) from None

    return call


def convert(
    recursive: bool = False, optional_features: Any = None, user_requested: bool = True
) -> Callable:
    """Decorates a function, which is converted when it is called.

    Args:
      recursive: whether called functions are also converted.
      optional_features: None, a Feature or several.
      user_requested: whether library functions are also converted.

    Example:
      @tf.contrib.autograph.convert(recursive=True)
      def absolute(x):
          return x if x > 0 else -x
    """
    options = ConversionOptions(recursive, user_requested, as_features(optional_features))

    def decorator(function: Callable) -> Callable:
        return _mark_converted(function, _converting(function, options))

    return decorator


def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Decorates a function to exempt it and its callees from conversion.

    Args:
      func: the function; if omitted, the decorator itself is returned.

    Example: `@tf.autograph.experimental.do_not_convert` on a function called by a converted one.
    """
    if func is None:
        return do_not_convert

    def call(*args: Any, **kwargs: Any) -> Any:
        with conversion(Status.DISABLED):
            return func(*args, **kwargs)

    return _mark_converted(func, call)


def _mark_converted(function: Callable, call: Any) -> Callable:
    if inspect.isfunction(function) or inspect.ismethod(function):
        functools.update_wrapper(call, function)
    call.__ag_compiled = True
    return call


def to_graph(
    entity: Callable[..., Any],
    recursive: bool = True,
    arg_values: dict[str, Any] | None = None,
    arg_types: dict[str, Any] | None = None,
    experimental_optional_features: object = None,
) -> Any:
    """Returns the converted function, which accepts tensors in place of Python values.

    Args:
      entity: a function; a method, which becomes a function with `self` first; or a class with library bases only,
        whose methods are converted and everything else omitted, as in TensorFlow.
      recursive: whether called functions are also converted.
      arg_values, arg_types: ignored since TensorFlow 1.14.
      experimental_optional_features: None, a `tf.autograph.experimental.Feature` or several.

    Returns:
      A function that adds nodes to the default graph when called. For a class `Name`, a class `TfName`.

    Raises:
      ConversionError: if `entity` has no source, or is a class without methods.
      NotImplementedError: for generators, objects, and classes with a base class of the program.

    Example:
      def collatz(n):
          count = 0
          while n > 1:
              n = n // 2 if n % 2 < 1 else 3 * n + 1
              count += 1
          return count
      steps = tf.autograph.to_graph(collatz)(tf.constant(7))
    """
    if inspect.isclass(entity):
        options = ConversionOptions(recursive, True, as_features(experimental_optional_features))
        return _convert_class(entity, options)
    function, options = _function_and_options(entity, recursive, experimental_optional_features)
    try:
        result = compile_converted(function, options, operators(options))
    except _FAILURES as error:
        raise ConversionError(f"converting {entity}: {type(error).__name__}: {error}") from error
    result.__name__ = f"tf__{'lambda' if function.__name__ == '<lambda>' else function.__name__}"
    return result


def _convert_class(entity: type, options: ConversionOptions) -> type:
    """Returns a class with converted methods, in which the class's name and `super` refer to the new class."""
    if not inspect.getmembers(entity, lambda m: inspect.isfunction(m) or inspect.ismethod(m)):
        text = f"cannot convert {entity}: no member methods"
        raise ConversionError(f"converting {entity}: ValueError: {text}")
    if not all(base is object or is_of_library(base.__module__) for base in entity.__bases__):
        raise NotImplementedError(
            "Conversion of classes that do not directly extend classes from whitelisted modules is temporarily "
            "suspended. If this breaks existing code please notify the AutoGraph team immediately."
        )
    cell = CellType()
    variables = {entity.__name__: cell, "__class__": cell}
    members: dict[str, Any] = {"__module__": entity.__module__}
    for name, member in vars(entity).items():
        function = getattr(member, "__func__", member)  # a staticmethod's or classmethod's
        if inspect.isfunction(function):
            try:
                members[name] = compile_converted(function, options, operators(options), variables)
            except _FAILURES as error:
                text = f"converting {entity}: {type(error).__name__}: {error}"
                raise ConversionError(text) from error
    cell.cell_contents = result = type(entity)(f"Tf{entity.__name__}", entity.__bases__, members)
    return result


def to_code(
    entity: Callable[..., Any],
    recursive: bool = True,
    arg_values: dict[str, Any] | None = None,
    arg_types: dict[str, Any] | None = None,
    indentation: str = "  ",
    experimental_optional_features: object = None,
) -> str:
    """Returns the source of `to_graph`'s result, equivalent to TensorFlow's but with different text.

    Args:
      entity, recursive, experimental_optional_features: as in `to_graph`.
      arg_values, arg_types, indentation: ignored since TensorFlow 1.14.

    Returns:
      Python source; `ag__` in it is the operator namespace.

    Raises:
      ConversionError, NotImplementedError: as in `to_graph`.
      OSError: for classes, which TensorFlow converts but cannot show.

    Example: `print(tf.autograph.to_code(lambda x: x if x > 0 else -x))`.
    """
    if inspect.isclass(entity):
        to_graph(entity, recursive)  # raises these errors first
        raise OSError("could not find class definition")
    function, options = _function_and_options(entity, recursive, experimental_optional_features)
    try:
        tree = rewrite(function, options)
    except _FAILURES as error:
        raise ConversionError(f"converting {entity}: {type(error).__name__}: {error}") from error
    tree.name = f"tf__{'lambda' if function.__name__ == '<lambda>' else function.__name__}"
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _function_and_options(
    entity: Any, recursive: bool, features: Any
) -> tuple[Any, ConversionOptions]:
    options = ConversionOptions(recursive, True, as_features(features))
    function = entity.__func__ if inspect.ismethod(entity) else entity
    if not inspect.isfunction(function):
        raise NotImplementedError(
            f'cannot convert entity "{entity}": object conversion is not yet supported.'
        )
    return function, options


__all__ = ["Feature", "convert", "convert_on_call", "do_not_convert", "to_code", "to_graph"]
