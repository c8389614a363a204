"""Iterators in checkpoints: an input pipeline resumes at its saved position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmini._src.data.iterator_saveable import IteratorSaveable
from tfmini._src.variables.saveable import SaveableObject

if TYPE_CHECKING:
    from tfmini._src.data.iterator import Iterator


def make_saveable_from_iterator(iterator: Iterator) -> SaveableObject:
    """SaveableObject that lets a `tf.train.Saver` save an iterator's position.

    Args:
      iterator: a `tf.data.Iterator`. It is restored after its initializer has run, over its dataset at that time.

    Returns:
      A SaveableObject, for the argument `var_list` of a Saver or the collection SAVEABLE_OBJECTS.

    Raises:
      UnimplementedError, InvalidArgumentError: when saved, if its datasets cannot save their positions.

    Example: `tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, make_saveable_from_iterator(iterator))`.
    """
    handle = iterator._iterator_resource
    return IteratorSaveable(handle, handle.name, "-state")
