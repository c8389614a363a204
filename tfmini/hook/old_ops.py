"""Generated functions by their names from before TensorFlow 1.5, with an underscore: `gen_nn_ops._relu_grad`."""

from __future__ import annotations

import functools
import re
from typing import Any

from tfmini.hook import names, signatures
from tfmini.hook.additions import NOTHING, is_strict
from tfmini.hook.said import say_once

_GENERATED = re.compile(r"python\.ops\.gen_\w+_ops")


def old_op(path: str, name: str) -> Any:
    """The function of the same op by its present name, which says so when it is called; NOTHING for other names."""
    new = name.removeprefix("_")
    if is_strict() or new == name or not _GENERATED.fullmatch(path):
        return NOTHING
    entry = names.module(path).entries.get(new)
    function = signatures.raw_function(new, entry) if isinstance(entry, names.RawOp) else None
    if function is None:
        return NOTHING
    module = path.rpartition(".")[2]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        say_once(
            (path, name), f"{module}.{name} is from before TensorFlow 1.5; use {module}.{new}."
        )
        return function(*args, **kwargs)

    return call
