"""`tf.contrib.eager.Saver`: saves and restores variables by name in eager mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tfmini._src.base.errors import NotFoundError
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import device
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.train.checkpoints.checkpoint_reader import CheckpointReader
from tfmini._src.train.checkpoints.saver import Saver as NameBasedSaver
from tfmini._src.variables.resource_variable import on_creation

if TYPE_CHECKING:
    from tfmini._src.train.optimizers.optimizer import Optimizer


class Saver:
    """Saves variables by name like `tf.train.Saver`, without a session.

    Args:
      var_list: list of variables, or a dict keyed by checkpoint name.

    Raises:
      RuntimeError: in graph mode.

    Example:
      saver = tf.contrib.eager.Saver([v, w])
      saver.restore(saver.save("/tmp/model", global_step=3))
    """

    def __init__(self, var_list: Sequence[Any] | Mapping[str, Any]) -> None:
        if not executing_eagerly():
            raise RuntimeError(
                "tfe.Saver can only be used when eager execution is enabled. Use tf.train.Saver when "
                "building graphs."
            )
        self._saver = NameBasedSaver(var_list=var_list)

    def save(self, file_prefix: str, global_step: TensorLike | None = None) -> Any:
        """Writes a checkpoint; returns its prefix, with the global step appended if given."""
        with device("/device:CPU:0"):
            return self._saver.save(
                None, file_prefix, write_meta_graph=False, global_step=global_step
            )

    def restore(self, file_prefix: str) -> None:
        """Restores the variables from a checkpoint.

        Raises:
          ValueError: if the checkpoint does not exist.
          NotFoundError: if it lacks a variable.
        """
        with device("/device:CPU:0"):
            self._saver.restore(None, file_prefix)


def get_optimizer_variables(optimizer: Optimizer) -> list[Any]:
    """Returns the variables created so far by an optimizer: `optimizer.variables()`."""
    variables: list[Any] = optimizer.variables()
    return variables


@contextmanager
def restore_variables_on_create(
    save_path: str | None, map_func: Callable[[str], str] | None = None
) -> Iterator[None]:
    """Context manager that initializes new variables from a checkpoint, using each value once.

    Args:
      save_path: checkpoint prefix, or None.
      map_func: function from a variable's name to its checkpoint name; by default the identity.

    Raises:
      NotFoundError: on creation of a variable that is missing from the checkpoint.
      ValueError: in graph mode, or if `map_func` is not a function.
    """
    if not executing_eagerly():
        raise ValueError(
            "Currently, restore_variables_on_create can only be used with eager execution enabled."
        )
    if not save_path:
        yield
        return
    if map_func is not None and not callable(map_func):
        raise ValueError("map_func must be callable.")
    reader = CheckpointReader(save_path)
    names = reader.get_variable_to_shape_map()
    waiting = set(names)

    def restore(variable: Any) -> None:
        name = variable._shared_name if map_func is None else map_func(variable._shared_name)
        if name not in names:
            raise NotFoundError(None, None, f"{name} not found in checkpoint")
        if name in waiting:
            waiting.remove(name)
            variable.assign(reader.get_tensor(name))

    on_creation.append(restore)
    try:
        yield
    finally:
        on_creation.remove(restore)
