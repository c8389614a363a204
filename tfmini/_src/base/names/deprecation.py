"""Deprecated names and arguments: a warning when used, and a note in the docstring.

A function warns once, at the line of its first use, in the program or in tfmini itself. If an
argument has an old and a new name, `deprecated_argument_lookup` returns the one passed and rejects both together.
"""

import contextlib
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from tfmini._src.base import logs
from tfmini._src.base.names.public import first_missing_prefix, public_name
from tfmini._src.base.names.user_line import calling_line

Function = TypeVar("Function", bound=Callable[..., Any])

# Whether eager mode is active, where arguments do not cause warnings; None in programs without eager execution.
executing_eagerly: Callable[[], bool] | None = None

_warn = True
_warned: set[Any] = set()


class DeprecatedNamesAlreadySet(Exception):
    """`deprecated_endpoints` was applied twice to one symbol."""


class HiddenTfApiAttribute(property):
    """Hides an inherited attribute: reading it raises AttributeError with this message."""

    def __init__(self, deprecation_message: str) -> None:
        def raise_deprecation_error(_: Any) -> Any:
            raise AttributeError(deprecation_message)

        super().__init__(raise_deprecation_error)


hide_attribute_from_api = HiddenTfApiAttribute


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Context manager that disables deprecation warnings."""
    global _warn
    previous_warn, _warn = _warn, False
    try:
        yield
    finally:
        _warn = previous_warn


def deprecated(
    date: str | None, instructions: str, warn_once: bool = True
) -> Callable[[Function], Function]:
    """Decorates a deprecated function.

    Args:
      date: "YYYY-MM-DD", after which it may be removed, or None for some future version.
      instructions: the replacement to use.
      warn_once: whether to warn only on the first call.

    Raises:
      ValueError: if the date is malformed or `instructions` is empty.
    """
    when = _date_phrase(date, instructions)

    def decorate(function: Any) -> Any:
        check_callable(function, "deprecated")

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if _warn and function not in _warned and _is_warning_due(function, warn_once):
                logs.warning(
                    "From %s: %s is deprecated and will be removed %s.\n%s\n%s",
                    *(
                        calling_line(),
                        _describe_function(function),
                        when,
                        _UPDATING,
                        _append_remedy(instructions),
                    ),
                )
            return function(*args, **kwargs)

        notice = f"THIS FUNCTION IS DEPRECATED. It will be removed {when}."
        return _insert_notice(wrapper, "FUNCTION", "(deprecated)", notice, instructions)

    return decorate


def deprecated_alias(
    deprecated_name: str, name: str, func_or_class: Any, warn_once: bool = True
) -> Any:
    """Creates an alias that does the same and warns, by default once, that `deprecated_name` is now `name`."""

    def warn(key: Any, location: str) -> None:
        if _is_warning_due(key, warn_once):
            text = "From %s: The name %s is deprecated. Please use %s instead.\n"
            logs.warning(text, location, deprecated_name, name)

    advice = f"Please use {name} instead."
    if not inspect.isclass(func_or_class):
        check_callable(func_or_class, "deprecated")

        @functools.wraps(func_or_class)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            warn(wrapper, calling_line())
            return func_or_class(*args, **kwargs)

        notice = "THIS FUNCTION IS DEPRECATED. It will be removed in a future version."
        return _insert_notice(wrapper, "FUNCTION", "(deprecated)", notice, advice)

    class Alias(func_or_class):
        @functools.wraps(func_or_class.__init__)  # type: ignore[misc]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            warn(Alias, calling_line())
            super().__init__(*args, **kwargs)

    Alias.__init__.__signature__ = inspect.signature(func_or_class.__init__)
    Alias.__name__ = func_or_class.__name__
    Alias.__doc__ = func_or_class.__doc__
    notice = "THIS CLASS IS DEPRECATED. It will be removed in a future version. "
    return _insert_notice(Alias, "CLASS", "(deprecated)", notice, advice, heading=False)


def deprecated_args(
    date: str | None, instructions: str, *deprecated_arg_names_or_tuples: Any, **kwargs: Any
) -> Callable[[Function], Function]:
    """Decorates a function with deprecated arguments: warns in graph mode when they are used.

    Args:
      date: "YYYY-MM-DD", after which they may be removed, or None for some future version.
      instructions: the replacement to use.
      *deprecated_arg_names_or_tuples: argument names, or pairs of a name and a value that does
        not trigger a warning.
      **kwargs: `warn_once` (default True), whether each argument warns only once.

    Raises:
      ValueError: if the date is malformed, `instructions` or the argument names are missing, the
        function has no such argument, or a keyword is unknown.
    """
    when = _date_phrase(date, instructions)
    if not deprecated_arg_names_or_tuples:
        raise ValueError("Specify which argument is deprecated.")
    warn_once = kwargs.pop("warn_once", True)
    if kwargs:
        raise ValueError(f"Illegal argument to deprecated_args: {kwargs}")
    silent_values: dict[str, Any] = {}  # values that do not trigger a warning
    for entry in deprecated_arg_names_or_tuples:
        name, value = entry if isinstance(entry, tuple) else (entry, _NO_VALUE)
        silent_values[name] = value

    def decorate(function: Any) -> Any:
        check_callable(function, "deprecated_args")
        spec = inspect.getfullargspec(inspect.unwrap(function))
        parameters = [*spec.args, spec.varargs, spec.varkw]
        missing = [name for name in silent_values if name not in parameters]
        if missing or len(silent_values) != len(deprecated_arg_names_or_tuples):
            raise ValueError(
                "The following deprecated arguments are not present in the function signature: "
                f"{missing}. Found next arguments: {parameters}."
            )
        positions = {name: spec.args.index(name) for name in silent_values if name in spec.args}

        def passed_name(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[str]:
            for name, position in positions.items():
                if position < len(args) and not _are_equal(args[position], silent_values[name]):
                    yield name
            if spec.varargs in silent_values and len(args) > len(spec.args):
                yield spec.varargs
            if spec.varkw in silent_values and kwargs:
                yield spec.varkw
            for name in positions:
                if name in kwargs and not _are_equal(kwargs[name], silent_values[name]):
                    yield name

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if _warn and not (executing_eagerly and executing_eagerly()):
                for name in passed_name(args, kwargs):
                    if _is_warning_due((function, name), warn_once):
                        logs.warning(
                            "From %s: calling %s with %s is deprecated and will be removed %s.\n"
                            "%s\n%s",
                            *(calling_line(), _describe_function(function), name),
                            *(when, _UPDATING, _append_remedy(instructions)),
                        )
            return function(*args, **kwargs)

        notice = (
            f"SOME ARGUMENTS ARE DEPRECATED: `({', '.join(sorted(silent_values))})`. "
            f"They will be removed {when}."
        )
        kind, suffix = "FUNCTION ARGUMENTS", "(deprecated arguments)"
        return _insert_notice(wrapper, kind, suffix, notice, instructions)

    return decorate


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **deprecated_kwargs: Any
) -> Callable[[Function], Function]:
    """Decorates a function with deprecated argument values.

    Args:
      date: "YYYY-MM-DD", after which they may be removed, or None for some future version.
      instructions: the replacement to use.
      warn_once: whether each argument warns only once.
      **deprecated_kwargs: the deprecated value of each argument.

    Raises:
      ValueError: if the date is malformed, or `instructions` or the arguments are missing.
    """
    when = _date_phrase(date, instructions)
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")

    def decorate(function: Any) -> Any:
        check_callable(function, "deprecated_arg_values")
        signature = inspect.signature(function)

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if _warn:
                try:
                    bound = signature.bind(*args, **kwargs)
                except TypeError:
                    return function(*args, **kwargs)  # raises the same message as a plain call
                bound.apply_defaults()
                for name, value in deprecated_kwargs.items():
                    if name not in bound.arguments or bound.arguments[name] != value:
                        continue
                    if _is_warning_due((function, name), warn_once):
                        logs.warning(
                            "From %s: calling %s with %s=%s is deprecated and will be removed %s.\n"
                            "%s\n%s",
                            *(calling_line(), _describe_function(function), name, value),
                            *(when, _UPDATING, _append_remedy(instructions)),
                        )
            return function(*args, **kwargs)

        listed = ", ".join(f"{name}={value!r}" for name, value in sorted(deprecated_kwargs.items()))
        notice = f"SOME ARGUMENT VALUES ARE DEPRECATED: `({listed})`. They will be removed {when}."
        kind, suffix = "FUNCTION ARGUMENT VALUES", "(deprecated argument values)"
        return _insert_notice(wrapper, kind, suffix, notice, instructions)

    return decorate


def undecorated(function: Any) -> Any:
    """Strips this module's outermost decorators from a function, so that it does not warn."""
    filename = undecorated.__code__.co_filename
    while inspect.isfunction(function) and function.__code__.co_filename == filename:
        function = function.__wrapped__  # type: ignore[attr-defined]
    return function


def deprecated_endpoints(*args: str) -> Callable[[Any], Any]:
    """Decorates a symbol with its deprecated exported names; does not warn."""

    def decorate(symbol: Any) -> Any:
        if "_tf_deprecated_api_names" in symbol.__dict__:
            raise DeprecatedNamesAlreadySet(
                f"Cannot set deprecated names for {symbol.__name__} to {args}. "
                f"Deprecated names are already set to {symbol._tf_deprecated_api_names}."
            )
        symbol._tf_deprecated_api_names = args
        return symbol

    return decorate


def deprecated_argument_lookup(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """Returns the value of an argument with two names, or None if neither is set; raises ValueError if both are."""
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old_value


def rewrite_argument_docstring(old_doc: str, old_argument: str, new_argument: str) -> str:
    """Renames an argument in a docstring."""
    renamed = old_doc.replace(f"`{old_argument}`", f"`{new_argument}`")
    return renamed.replace(f"{old_argument}:", f"{new_argument}:")


_UPDATING = "Instructions for updating:"
_NO_VALUE = object()  # equals no argument


def warn_of_experiment(name: str, module: str) -> None:
    """Warns that a function of a contrib module is experimental."""
    logs.warning(
        f"{name} (from tensorflow.contrib.{module}) is experimental and may change or be removed at any time, and "
        "without warning."
    )


def _date_phrase(date: str | None, instructions: str) -> str:
    """Validates a decorator's arguments; returns the date as a phrase."""
    if date is not None and not re.match(r"20\d\d-[01]\d-[0123]\d", date):
        raise ValueError("Date must be YYYY-MM-DD.")
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions!")
    return "in a future version" if date is None else f"after {date}"


def _is_warning_due(key: Any, warn_once: bool) -> bool:
    """Whether a warning about `key` is due."""
    if not _warn or key in _warned:
        return False
    if warn_once:
        _warned.add(key)
    return True


def _are_equal(value: Any, accepted_value: Any) -> bool:
    """Whether two values are identical or equal; False for values that cannot be compared."""
    if value is accepted_value:
        return True
    try:
        equal = value == accepted_value
    except TypeError:
        return False
    return equal if isinstance(equal, bool) else False


def check_callable(function: Any, decorator: str) -> None:
    """Raises ValueError if the decorated object is not callable; `decorator` is the decorator's name."""
    if not callable(function):
        raise ValueError(
            f"{function} is not a function. If this is a property, make sure @property appears "
            f"before @{decorator} in your source code:\n\n"
            f"@property\n@{decorator}\ndef method(...)"
        )


def _append_remedy(instructions: str) -> str:
    """Appends a note to the instructions if they refer to a name that tfmini lacks."""
    for name in re.findall(r"[A-Za-z_]\w*(?:\.\w+)+", instructions):
        missing_name = first_missing_prefix("tf." + name.removeprefix("tf."))
        if missing_name:
            return f"{instructions}\n(tfmini does not implement {missing_name}; keep using the deprecated name.)"
    return instructions


def _describe_function(function: Any) -> str:
    """Returns a function's public name; without one, its qualified name with the module."""
    name = public_name(function)
    if name:
        return name
    name = getattr(function, "__qualname__", function.__class__.__qualname__)
    return f"{name} (from {function.__module__})"


def _clean_doc(text: str) -> str:
    """Same as `inspect.cleandoc`, but ten times as fast if the closing quotes are on their own line."""
    margin = text.rpartition("\n")[2]  # indentation of the closing quotes
    return text.strip().replace("\n" + margin, "\n") if margin.isspace() else inspect.cleandoc(text)


def _insert_notice(
    symbol: Any, kind: str, suffix: str, notice: str, instructions: str, heading: bool = True
) -> Any:
    """Inserts the notice below the first line of the symbol's docstring."""
    first, *rest = _clean_doc(symbol.__doc__ or "").splitlines() or [""]
    lines = [f"{first} {suffix}" if first else f"DEPRECATED {kind}", "", f"Warning: {notice}"]
    lines += [_UPDATING] if heading else []
    lines += [instructions]
    lines += [""] if rest and rest[0].strip() else []
    symbol.__doc__ = "\n".join(lines + rest)
    return symbol
