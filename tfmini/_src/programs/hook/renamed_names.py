"""Names from before TensorFlow 1.0: the current objects, accepting arguments in their old order."""

from __future__ import annotations

import functools
import importlib
import operator
from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from types import ModuleType
from typing import Any

import tfmini
from tfmini._src.base.flags.flag_values import FLAGS, LazyFlagValues
from tfmini._src.base.names.renamed import (
    REIMPLEMENTED_MODULES,
    REMOVAL_RELEASES,
    RENAMED_ARGUMENTS,
    RENAMED_MODULES,
    RENAMED_SYMBOLS,
    REORDERED_ARGUMENTS,
)
from tfmini._src.programs.hook import module_names, reordered_arguments
from tfmini._src.programs.hook.extra_names import NO_ADDITION
from tfmini._src.programs.hook.missing_names import MissingName, MissingType
from tfmini._src.programs.hook.old_flags import OldFlagValues
from tfmini._src.programs.hook.shims import contrib_data_shims, mnist_tutorial, ptb_reader
from tfmini._src.programs.hook.warn_once import warn_once

_TUTORIALS = {
    "examples.tutorials.mnist.mnist": mnist_tutorial,
    "models.rnn.ptb.reader": ptb_reader,
}


def additions() -> dict[str, dict[str, Callable[[], Any]]]:
    """Returns the old names by module path, each with a function that returns the object."""
    additions_by_path: dict[str, dict[str, Callable[[], Any]]] = {}
    for path, new in RENAMED_MODULES.items():
        additions_by_path[path] = dict(_replacement_names(path, new))
    for old in RENAMED_SYMBOLS:
        path, _, name = old.rpartition(".")
        additions_by_path.setdefault(path, {})[name] = functools.partial(_resolve_old_name, old)
    for old in REORDERED_ARGUMENTS:
        path, _, name = old.rpartition(".")
        additions_by_path.setdefault(path, {})[name] = functools.partial(_accept_old_order, old)
    for path, module in _TUTORIALS.items():
        additions_by_path[path] = {
            name: functools.partial(getattr, module, name) for name in REIMPLEMENTED_MODULES[path]
        }
    for path in ("flags", "app.flags", "python.platform.flags"):
        additions_by_path.setdefault(path, {})["FLAGS"] = _flags
    return additions_by_path


def _replacement_names(path: str, new: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yields the names of a removed module's replacement."""
    for name, entry in module_names.module(new).entries.items():
        full = (
            f"{entry.owner.removeprefix('tf.')}.{name}"
            if isinstance(entry, module_names.SameObject)
            else ""
        )
        yield name, functools.partial(_from_module, path, full or f"{new}.{name}")


def _from_module(path: str, new: str) -> Any:
    warn_once(path, f"tf.{path} predates TensorFlow 1.0; use tf.{RENAMED_MODULES[path]}.")
    return _current_object(new)


def _current_object(name: str) -> Any:
    return operator.attrgetter(name)(importlib.import_module("tensorflow"))


def _resolve_old_name(old: str) -> Any:
    """Returns the object behind an old name; functions warn when called, other objects when accessed."""
    new = _current_object(RENAMED_SYMBOLS[old])
    if isinstance(new, (MissingName, MissingType)):
        return new
    release = REMOVAL_RELEASES.get(old, "1.0")
    text = f"tf.{old} predates TensorFlow {release}; use tf.{RENAMED_SYMBOLS[old]}."
    if old.startswith("contrib.data."):
        contrib_data_shims.restore_arguments()
    if isinstance(new, (type, ModuleType)) or not callable(new):
        warn_once(old, text)
        return new

    @functools.wraps(new)
    def call(*args: Any, **kwargs: Any) -> Any:
        warn_once(old, text)
        if old in RENAMED_ARGUMENTS:
            return new(**_arguments_by_new_name(old, args, kwargs))
        return new(*args, **kwargs)

    call.__name__ = call.__qualname__ = old.rpartition(".")[2]
    return call


def _arguments_by_new_name(old: str, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Maps arguments given in the old order to current argument names."""
    pairs = [(word.partition("=")[0], word) for word in RENAMED_ARGUMENTS[old].split()]
    order = Signature(
        [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=None) for name, _ in pairs]
    )
    present = {k: v for k, v in kwargs.items() if k not in order.parameters}
    try:
        bound = order.bind(*args, **{k: v for k, v in kwargs.items() if k not in present})
    except TypeError as error:
        raise TypeError(f"{old}() {error}") from None
    for name, word in pairs:
        new = word.partition("=")[2] if "=" in word else name
        if new and name in bound.arguments:
            value = bound.arguments[name]
            is_old_tag = new == "name" and isinstance(value, bytes)  # formerly any text
            present[new] = value.decode() if is_old_tag else value
    return present


def _accept_old_order(old: str) -> Any:
    """Returns the current function, also accepting its arguments in the old order."""
    try:
        new = operator.attrgetter(old)(tfmini)
    except AttributeError:
        return NO_ADDITION
    reordered_names = reordered_arguments.ORDERS[old]

    @functools.wraps(new)
    def call(*args: Any, **kwargs: Any) -> Any:
        arguments = reordered_names(args, kwargs)
        if arguments is None:
            return new(*args, **kwargs)
        text = f"arguments of tf.{old} are in the order from before TensorFlow 1.0; use {REORDERED_ARGUMENTS[old]}."
        warn_once(f"{old}()", text)
        return new(**arguments)

    return call


@functools.cache
def _flags() -> LazyFlagValues:
    return OldFlagValues(FLAGS.__dict__["__wrapped"])
