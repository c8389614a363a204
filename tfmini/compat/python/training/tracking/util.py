"""`tensorflow.python.training.tracking.util`: the functions and classes without public names."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes.tensor_shape import as_shape
from tfmini._src.train.checkpoints.saver import Saver
from tfmini._src.train.object_checkpoint.object_graph import list_objects
from tfmini._src.train.object_checkpoint.object_saver import ObjectSaver
from tfmini._src.train.object_checkpoint.restore_status import default_session, start_restore
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.store import default_initializer
from tfmini._src.variables.trackable import Trackable
from tfmini._src.variables.variable import Variable
from tfmini.compat.python.training.tracking.graph_view import ObjectGraphView

__all__ = [
    "TrackableSaver",
    "add_variable",
    "frozen_saver",
    "gather_initializers",
]


def add_variable(
    trackable: Trackable,
    name: str,
    shape: Any = None,
    dtype: Any = dtypes.float32,
    initializer: Any = None,
    trainable: bool = True,
) -> Any:
    """Creates a resource variable tracked by an object; restores it if there is a pending checkpoint value.

    Args:
      trackable: the object.
      name: the variable's name, and its name in the object.
      shape: its shape; None if there is an initial value.
      dtype: its dtype.
      initializer: an Initializer, its class, or the initial value; None for the default of `tf.get_variable`.
      trainable: whether optimizers update it.

    Raises:
      ValueError: if the object already tracks this name, or both a shape and an initial value are specified.
    """
    dtype = dtypes.as_dtype(dtype)
    with init_scope():
        if initializer is None:
            initializer = default_initializer(name, dtype)
        value = initializer
        if isinstance(initializer, type):
            initializer = initializer(dtype=dtype)
        if callable(initializer):
            sizes = as_shape(shape).as_list()

            def value() -> Any:
                return initializer(sizes, dtype=dtype, partition_info=None)

        elif shape is not None:
            raise ValueError("If initializer is a constant, do not specify shape.")
        variable = Variable(
            value, trainable=trainable, name=name, dtype=dtype.base_dtype, use_resource=True
        )
    return trackable._track_trackable(variable, name)


def gather_initializers(root_trackable: Any) -> list[Any]:
    """Returns the initializers of the variables in the checkpoint of an object."""
    initializers = (getattr(each, "initializer", None) for each in list_objects(root_trackable))
    return [each for each in initializers if each is not None]


def frozen_saver(root_trackable: Any) -> Saver:
    """Returns a Saver of the objects currently reachable from a root; objects added later are not saved."""
    return Saver(ObjectGraphView(root_trackable).frozen_saveable_objects())


class TrackableSaver:
    """Saves and restores the objects of an `ObjectGraphView`."""

    def __init__(self, graph_view: ObjectGraphView) -> None:
        self._root = graph_view.root
        self._saver = ObjectSaver(self._root)

    def save(
        self, file_prefix: str, checkpoint_number: int | None = None, session: Any = None
    ) -> str:
        """Writes a checkpoint; returns its prefix, to which the number, if any, is appended."""
        prefix = file_prefix if checkpoint_number is None else f"{file_prefix}-{checkpoint_number}"
        self._saver.save(prefix, default_session(session))
        return prefix

    def restore(self, save_path: str | None) -> Any:
        """Restores a checkpoint; returns a status as `tf.train.Checkpoint.restore` does."""
        return start_restore(self._saver, save_path)
