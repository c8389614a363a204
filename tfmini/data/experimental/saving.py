"""Iterators in checkpoints: an input pipeline goes on where it was."""

from __future__ import annotations

from typing import Any

from tfmini.graph.namespaces import raw
from tfmini.graph.scopes import colocate_with
from tfmini.variables.saveable import SaveableObject, SaveSpec


def make_saveable_from_iterator(iterator: Any) -> SaveableObject:
    """What a `tf.train.Saver` saves of an iterator: where it is.

    Args:
      iterator: a `tf.data.Iterator`. It is restored after its initializer has run, over the dataset that it has then.

    Returns:
      A SaveableObject, for the argument `var_list` of a Saver or the collection SAVEABLE_OBJECTS.

    Raises:
      UnimplementedError, InvalidArgumentError: when it is saved, if its datasets cannot say where they are.

    Example: `tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, make_saveable_from_iterator(iterator))`.
    """
    return IteratorSaveable(iterator._iterator_resource)


class IteratorSaveable(SaveableObject):
    """Where the iterator with this handle is."""

    def __init__(self, iterator_resource: Any):
        serialized = raw.SerializeIterator(iterator_resource)
        specs = [SaveSpec(serialized, "", iterator_resource.name + "-state")]
        super().__init__(iterator_resource, specs, iterator_resource.name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """The operation that goes there."""
        with colocate_with(self.op):
            return raw.DeserializeIterator(self.op, restored_tensors[0])
