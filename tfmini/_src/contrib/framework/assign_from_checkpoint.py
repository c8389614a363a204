"""Loading variables from checkpoints with fed assignments, a Saver function, or initializers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs
from tfmini._src.contrib.framework.variables import get_variable_full_name
from tfmini._src.ops import ops
from tfmini._src.train.checkpoints import checkpoint_reader
from tfmini._src.train.checkpoints.checkpoint_reader import CheckpointReader, new_checkpoint_reader
from tfmini._src.train.checkpoints.init_from_checkpoint import assign_initializers, restore_slice
from tfmini._src.train.checkpoints.saver import Saver


def load_checkpoint(filepattern: str) -> CheckpointReader:
    """Opens a checkpoint, given its prefix or a directory; see `tf.train.load_checkpoint`."""
    return checkpoint_reader.load_checkpoint(filepattern)


def load_variable(checkpoint_dir: str, name: str) -> Any:
    """Returns the value of a variable in a checkpoint; see `tf.train.load_variable`."""
    return checkpoint_reader.load_variable(checkpoint_dir, name)


def list_variables(checkpoint_dir: str) -> list[tuple[str, list[int]]]:
    """Returns the names and shapes of a checkpoint's variables; see `tf.train.list_variables`."""
    return checkpoint_reader.list_variables(checkpoint_dir)


def init_from_checkpoint(checkpoint_dir: str, assignment_map: dict[str, Any]) -> None:
    """Initializes variables from a checkpoint; see `tf.train.init_from_checkpoint`."""
    assign_initializers(checkpoint_dir, assignment_map.items(), _initialize, logs.info)


def _initialize(variable: Any, checkpoint: str, tensor: str, slice_spec: str) -> None:
    restored = restore_slice(variable, checkpoint, tensor, slice_spec)
    variable._initializer_op = ops.assign(variable, restored)


def assign_from_checkpoint(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False
) -> tuple[Any, dict[Any, Any]]:
    """Returns an operation that assigns values of a checkpoint to variables through feeds.

    Args:
      model_path: checkpoint prefix.
      var_list: variables, or a dict from name in the checkpoint to variable (or list of partitions).
      ignore_missing_vars: whether to skip variables missing in the checkpoint, with a warning.

    Returns:
      The operation, and the feed_dict to run it with.

    Raises:
      ValueError: if a variable is missing in the checkpoint, or the shapes differ.
    """
    grouped: dict[str, list] = {}
    if isinstance(var_list, list | tuple):
        for variable in var_list:
            grouped.setdefault(get_variable_full_name(variable), []).append(variable)
    else:
        for name, item in var_list.items():
            grouped[name] = list(item) if isinstance(item, list | tuple) else [item]
    reader = new_checkpoint_reader(model_path)
    assign_ops, feed_dict = [], {}
    for name, variables in grouped.items():
        if not reader.has_tensor(name):
            message = f"Checkpoint is missing variable [{name}]"
            if not ignore_missing_vars:
                raise ValueError(message)
            logs.warning(message)
            continue
        value = reader.get_tensor(name)
        for variable in variables:
            value_placeholder = ops.placeholder(
                dtype=variable.dtype.base_dtype,
                shape=variable.get_shape(),
                name="placeholder/" + variable.op.name,
            )
            assign_ops.append(variable.assign(value_placeholder))
            feed_dict[value_placeholder] = _saved_slice(variable, name, value)
    return ops.group(*assign_ops), feed_dict


def _saved_slice(variable: Any, name: str, value: Any) -> Any:
    info = variable._save_slice_info
    if info:
        extents = zip(info.var_offset, info.var_shape)
        return value[tuple(slice(start, start + size) for start, size in extents)]
    if variable.get_shape() != value.shape:
        raise ValueError(
            f"Total size of new array must be unchanged for {name} lh_shape: [{value.shape}], rh_shape: "
            f"[{variable.get_shape()}]"
        )
    return value


def assign_from_checkpoint_fn(
    model_path: str,
    var_list: Any,
    ignore_missing_vars: bool = False,
    reshape_variables: bool = False,
) -> Callable[[Any], None] | None:
    """Returns a function of a session that assigns values of a checkpoint to variables.

    Args:
      model_path: checkpoint prefix.
      var_list: variables, or a dict from name in the checkpoint to variable.
      ignore_missing_vars: whether to skip variables missing in the checkpoint, with a warning.
      reshape_variables: whether to reshape values with the same number of elements.

    Returns:
      The function, or None if no variable is left.

    Raises:
      ValueError: if `var_list` is empty.

    Example:
      init = tf.contrib.framework.assign_from_checkpoint_fn("/tmp/vgg", variables)
      init(session)
    """
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        reader = new_checkpoint_reader(model_path)
        named = var_list if isinstance(var_list, dict) else {v.op.name: v for v in var_list}
        var_list = {}
        for name, variable in named.items():
            if reader.has_tensor(name):
                var_list[name] = variable
            else:
                logs.warning("Variable %s missing in checkpoint %s", name, model_path)
    if not var_list:
        logs.warning("No Variables to restore")
        return None
    saver = Saver(var_list, reshape=reshape_variables, write_version=1)
    return lambda session: saver.restore(session, model_path)
