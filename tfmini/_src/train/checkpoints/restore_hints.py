"""Hints for restore errors."""

from __future__ import annotations

import os
import re
from typing import Any

from tfmini._src.base.error_hints import add_hint
from tfmini._src.base.errors import DataLossError, InvalidArgumentError, NotFoundError, OpError
from tfmini._src.base.names.lazy_imports import difflib
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.train.checkpoints.checkpoint_management import is_checkpoint, latest_checkpoint
from tfmini._src.train.checkpoints.checkpoint_reader import list_variables

_FILE = re.compile(r"(.*)\.(?:index|meta|data-\d+-of-\d+)")
_MISSING_KEY_PATTERN = re.compile(r'Tensor name "([^"]+)" not found|Key (\S+) not found')


def hint_restore_error(error: Exception, prefix: str) -> None:
    """Adds a hint to an error raised when restoring checkpoint `prefix`, if the cause is known."""
    text = _path_hint(prefix)
    if not text and isinstance(error, (InvalidArgumentError, NotFoundError)):
        text = _variable_hint(error, prefix)
    if text:
        add_hint(error, text)


def _path_hint(prefix: str) -> str:
    if os.path.isdir(prefix):
        latest_path = latest_checkpoint(prefix)
        contents_text = (
            f"its latest checkpoint is '{latest_path}'"
            if latest_path
            else "it names no latest checkpoint"
        )
        return f"'{prefix}' is a directory; {contents_text}."
    file = _FILE.fullmatch(prefix)
    if file and is_checkpoint(file[1]):
        return f"'{prefix}' is a file of a checkpoint; restore its prefix, '{file[1]}'."
    return ""


def _variable_hint(error: OpError, prefix: str) -> str:
    try:
        stored = dict(list_variables(prefix))
    except (DataLossError, OpError):  # the original error already reports it
        return ""
    missing = _MISSING_KEY_PATTERN.search(error.message)
    if missing:
        name = missing[1] or missing[2]
        close = difflib.get_close_matches(name, stored, n=1)
        similar = f" It has '{close[0]}'." if close else ""
        return (
            f"the checkpoint has no '{name}'.{similar} tf.train.list_variables lists its variables; "
            "Saver(var_list) restores some of them, or by other names."
        )
    name = _checkpoint_name(error.op)
    if name in stored:
        return (
            f"'{name}' has the shape {stored[name]} in the checkpoint. Saver(var_list) restores only the variables in "
            "the list."
        )
    return ""


def _checkpoint_name(op: Any) -> str:
    """Returns the checkpoint tensor that a node assigns, or ""."""
    value = op.inputs[-1] if op is not None and op.inputs else None
    while value is not None and value.op.type in ("Identity", "Reshape"):
        value = value.op.inputs[0]
    if value is None or value.op.type != "RestoreV2":
        return ""
    names = get_static_value(value.op.inputs[1])
    return "" if names is None else names[value.value_index].decode()
