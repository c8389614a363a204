"""`init_from_checkpoint`: variables whose initializers read a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tfmini._src.base import logs
from tfmini._src.graph.scopes import device
from tfmini._src.ops import raw
from tfmini._src.train.checkpoints.checkpoint_reader import load_checkpoint, resolve_checkpoint
from tfmini._src.train.checkpoints.saveables import by_name, to_saveables
from tfmini._src.variables.get_variable import variable_store
from tfmini._src.variables.variable import Variable


def init_from_checkpoint(ckpt_dir_or_file: str, assignment_map: dict[str, Any]) -> None:
    """Replaces variable initializers by reads from a checkpoint.

    Args:
      ckpt_dir_or_file: the checkpoint prefix, or a directory for its latest checkpoint.
      assignment_map: maps tensor names in the checkpoint to a variable, its name, or a list of its partitions; or a
        scope in the checkpoint ("old/", "/" for all) to a scope in the graph ("new/").

    Raises:
      ValueError: if a tensor is missing from the checkpoint or has a different shape there.

    Example:
      tf.train.init_from_checkpoint("/tmp/model", {"encoder/": "pretrained/encoder/"})
    """
    assign_initializers(ckpt_dir_or_file, sorted(assignment_map.items()), _initialize, logs.debug)


def assign_initializers(
    directory_or_prefix: str,
    assignments: Iterable[tuple[str, Any]],
    initialize: Callable[[Any, str, str, str], None],
    log: Callable[..., None],
) -> None:
    """Calls `initialize(variable, checkpoint, tensor name, slice)` for each pair in `assignments`."""
    checkpoint = resolve_checkpoint(directory_or_prefix)
    shapes = load_checkpoint(directory_or_prefix).get_variable_to_shape_map()
    store = variable_store()._vars
    for source, target in assignments:
        variable = target if _are_variables(target) else _find_variable(store, target)
        if variable is not None:
            if source not in shapes:
                raise ValueError(
                    f"Tensor {source} is not found in {directory_or_prefix} checkpoint {shapes}"
                )
            if isinstance(variable, Variable):
                _check_shape(variable, source, shapes[source])
            parts = [variable] if isinstance(variable, Variable) else variable
            rows = iter([(variable, source, ",".join(part.name for part in parts))])
        else:
            matches = _names_in_scope(store, source, target, shapes, directory_or_prefix)
            rows = ((_find_variable(store, name), tensor, name) for name, tensor in matches)
        for item, tensor, label in rows:
            _initialize_all(item, str(checkpoint), tensor, initialize)
            log(
                "Initialize variable %s from checkpoint %s with %s",
                label,
                directory_or_prefix,
                tensor,
            )


def _are_variables(item: Any) -> bool:
    if isinstance(item, list):
        return all(isinstance(element, Variable) for element in item)
    return isinstance(item, Variable)


def _find_variable(store: dict[str, Any], name: str) -> Any:
    """Returns a variable created by `get_variable` or the list of its partitions; None if neither exists."""
    if name in store:
        return store[name]
    parts: list[Any] = []
    while f"{name}/part_{len(parts)}" in store:
        parts.append(store[f"{name}/part_{len(parts)}"])
    return parts or None


def _check_shape(variable: Any, name: str, shape: list[int]) -> None:
    if not variable.get_shape().is_compatible_with(shape):
        raise ValueError(
            f"Shape of variable {variable.name} ({variable.get_shape()}) doesn't match with shape of tensor {name} "
            f"({shape}) from checkpoint reader."
        )


def _names_in_scope(
    store: dict[str, Any], source: str, target: str, shapes: dict[str, Any], checkpoint: str
) -> Iterator[tuple[str, str]]:
    """Yields (variable name, tensor name) pairs that map scope `target` to scope `source`.

    Raises ValueError at the first variable missing from the checkpoint.
    """
    scope = target.rpartition("/")[0]
    if not source.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {scope} should map to scope only {source}. "
            "Should be 'scope/': 'other_scope/'."
        )
    scoped = {
        name.partition("/part_")[0] for name in store if not scope or name.startswith(scope + "/")
    }
    for name in sorted(scoped):
        tensor = name[len(scope) :]
        if target != "/":
            tensor = tensor[1:]
        if source != "/":
            tensor = source + tensor
        tensor = tensor.removesuffix("/")
        if tensor not in shapes:
            raise ValueError(
                f"Tensor {tensor} ({name[len(scope) + 1 :]} in {source}) is not found in {checkpoint} checkpoint"
            )
        yield name, tensor


def _initialize_all(variable: Any, checkpoint: str, tensor: str, initialize: Callable) -> None:
    if not isinstance(variable, list):
        initialize(variable, checkpoint, tensor, "")
        return
    full_name = None
    for part in variable:
        info = part._get_save_slice_info()
        if full_name is None:
            full_name = info.full_name
        elif full_name != info.full_name:
            raise ValueError(
                f"Slices must all be from the same tensor: {full_name} != {info.full_name}"
            )
        initialize(part, checkpoint, tensor, info.spec)


def restore_slice(variable: Any, checkpoint: str, tensor: str, slice_spec: str) -> Any:
    """Returns a checkpoint tensor, read on the CPU of the variable's host."""
    dtype = variable.dtype.base_dtype
    with device(variable.device), device("/cpu:0"):
        return raw.RestoreV2(
            checkpoint, [tensor], [slice_spec], dtypes=[dtype], name="checkpoint_initializer"
        )[0]


def _initialize(variable: Any, checkpoint: str, tensor: str, slice_spec: str) -> None:
    restored = restore_slice(variable, checkpoint, tensor, slice_spec)
    with device(variable.device), device("/cpu:0"):
        ((name, item),) = by_name([variable]).items()
        (saveable,) = to_saveables(item, name)
    variable._initializer_op = saveable.restore([restored], None)
    restored.set_shape(variable.shape)
    variable._initial_value = restored
