"""Iterators in checkpoints, for input pipelines that resume at their saved positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfmini._src.data.iterator_saveable import IteratorSaveable
from tfmini._src.variables.saveable import SaveableObject

if TYPE_CHECKING:
    from tfmini._src.data.iterator import Iterator


def make_saveable_from_iterator(iterator: Iterator) -> SaveableObject:
    """Creates a SaveableObject for the position of an iterator, for `tf.train.Saver`.

    Args:
      iterator: a `tf.data.Iterator`; run its initializer before restoring.

    Returns:
      A SaveableObject, for the argument `var_list` of a Saver or the SAVEABLE_OBJECTS collection.

    Raises:
      UnimplementedError, InvalidArgumentError: when saving, if a dataset does not support it.

    Example: `tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, make_saveable_from_iterator(iterator))`.
    """
    handle = iterator._iterator_resource
    return IteratorSaveable(handle, handle.name, "-state")
