"""`Iterator`, which represents the next element of a dataset as tensors."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.data import dataset_nest
from tfmini._src.data.element_spec import (
    flat_shapes,
    flat_types,
    from_legacy,
    from_tensors,
    legacy_classes,
    legacy_shapes,
    legacy_types,
)
from tfmini._src.data.iterator_base import IteratorBase
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import colocate_with, device, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw

_COLLECTION = "iterators"
GET_NEXT_CALL_WARNING_THRESHOLD = 32
GET_NEXT_CALL_WARNING_MESSAGE = (
    "An unusually high number of `Iterator.get_next()` calls was detected. This often indicates that "
    "`Iterator.get_next()` is being called inside a training loop, which will cause gradual slowdown and eventual "
    "resource exhaustion. If this is the case, restructure your code to call `next_element = iterator.get_next()` once "
    "outside the loop, and use `next_element` as the input to some computation that is invoked inside the loop."
)


class Iterator(IteratorBase):
    """Iterates over a dataset: each step that runs the tensors of `get_next` yields the next element.

    It is created by `make_one_shot_iterator` or `make_initializable_iterator` of a dataset, by `from_structure` for
    several datasets in turn, or by `from_string_handle` for an iterator selected by a feed.

    Args:
      iterator_resource: the handle.
      initializer: the operation that starts the iterator, or None.
      output_types, output_shapes, output_classes: dtypes, shapes and classes of components, in the structure of
        an element.

    Example:
      iterator = dataset.make_initializable_iterator()
      images, labels = iterator.get_next()
      session.run(iterator.initializer)
    """

    def __init__(
        self,
        iterator_resource: Tensor,
        initializer: Any,
        output_types: object,
        output_shapes: object,
        output_classes: object,
    ):
        if output_types is None or output_shapes is None or output_classes is None:
            raise ValueError(
                "If `structure` is not specified, all of `output_types`, `output_shapes`, and `output_classes` must be "
                "specified."
            )
        super().__init__(from_legacy(output_types, output_shapes, output_classes))
        self._iterator_resource = iterator_resource
        self._initializer = initializer
        self._string_handle = raw.IteratorToStringHandle(iterator_resource)
        self._get_next_call_count = 0
        add_to_collection(_COLLECTION, iterator_resource)

    @staticmethod
    def from_structure(
        output_types: object,
        output_shapes: object = None,
        shared_name: str | None = None,
        output_classes: object = None,
    ) -> Iterator:
        """Creates a reusable iterator; `make_initializer(dataset)` starts it on a dataset of this structure.

        Args:
          output_types: dtypes of components, in the structure of an element.
          output_shapes: static shapes of components, by default unknown.
          shared_name: name under which sessions of a server share the iterator.
          output_classes: classes of components, by default tensors.

        Raises:
          TypeError: if the structures differ.
        """
        legacy_structure = _legacy(output_types, output_shapes, output_classes)
        spec = from_legacy(*legacy_structure)
        with _on_host():
            handle = raw.IteratorV2(
                container="",
                shared_name=shared_name or "",
                output_types=flat_types(spec),
                output_shapes=flat_shapes(spec),
            )
        return Iterator(handle, None, *legacy_structure)

    @staticmethod
    def from_string_handle(
        string_handle: TensorLike,
        output_types: object,
        output_shapes: object = None,
        output_classes: object = None,
    ) -> Iterator:
        """Creates an iterator that reads, in each step, from the iterator selected by a string handle.

        Args:
          string_handle: a scalar string tensor, fed with the value of an iterator's `string_handle()`.
          output_types, output_shapes, output_classes: as in `from_structure`.
        """
        legacy_structure = _legacy(output_types, output_shapes, output_classes)
        spec = from_legacy(*legacy_structure)
        name = ops.convert_to_tensor(string_handle, dtype=dtypes.string)
        with _on_host():
            handle = raw.IteratorFromStringHandleV2(
                name, output_types=flat_types(spec), output_shapes=flat_shapes(spec)
            )
        return Iterator(handle, None, *legacy_structure)

    @property
    def initializer(self) -> Any:
        """The operation that starts or restarts the iterator; raises ValueError for an iterator without one."""
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset: Any, name: str | None = None) -> Any:
        """Returns an operation that starts or restarts the iterator on a dataset.

        Raises:
          TypeError: if the dataset's types, shapes or classes differ.
        """
        spec = dataset.element_spec
        with name_scope(name, "make_initializer") as scope:
            types, shapes, classes = legacy_types(spec), legacy_shapes(spec), legacy_classes(spec)
            dataset_nest.assert_same_structure(self.output_types, types)
            dataset_nest.assert_same_structure(self.output_shapes, shapes)
            pairs = zip(dataset_nest.flatten(self.output_classes), dataset_nest.flatten(classes))
            if any(own_part is not other_part for own_part, other_part in pairs):
                raise TypeError(
                    f"Expected output classes {self.output_classes!r} but got dataset with output class {classes!r}."
                )
            pairs = zip(dataset_nest.flatten(self.output_types), dataset_nest.flatten(types))
            if any(own_part != other_part for own_part, other_part in pairs):
                raise TypeError(
                    f"Expected output types {self.output_types!r} but got dataset with output types {types!r}."
                )
            pairs = zip(dataset_nest.flatten(self.output_shapes), dataset_nest.flatten(shapes))
            if not all(own_part.is_compatible_with(other_part) for own_part, other_part in pairs):
                raise TypeError(
                    f"Expected output shapes compatible with {self.output_shapes!r} but got dataset with output shapes "
                    f"{shapes!r}."
                )
        with colocate_with(self._iterator_resource):
            return raw.MakeIterator(dataset._variant_tensor, self._iterator_resource, name=scope)

    def get_next(self, name: str | None = None) -> Any:
        """Returns the tensors of the next element, advanced by each step that runs them; call it once, before the loop.

        Raises:
          OutOfRangeError: at run time, after the last element.
          FailedPreconditionError: at run time, if the iterator is not initialized.
        """
        self._get_next_call_count += 1
        if self._get_next_call_count > GET_NEXT_CALL_WARNING_THRESHOLD:
            warnings.warn(GET_NEXT_CALL_WARNING_MESSAGE, stacklevel=2)
        tensors = raw.IteratorGetNext(self._iterator_resource, **self._flat_structure, name=name)
        return from_tensors(self._element_spec, tensors)

    def string_handle(self, name: str | None = None) -> Any:
        """Returns a string tensor that identifies the iterator, for `from_string_handle`."""
        if name is None:
            return self._string_handle
        return raw.IteratorToStringHandle(self._iterator_resource, name=name)


def _legacy(types: Any, shapes: Any, classes: Any) -> tuple[Any, Any, Any]:
    types = dataset_nest.map_structure(dtypes.as_dtype, types)
    if shapes is None:
        shapes = dataset_nest.map_structure(lambda _: TensorShape(None), types)
    else:
        shapes = dataset_nest.map_structure_up_to(types, TensorShape, shapes)
    if classes is None:
        classes = dataset_nest.map_structure(lambda _: Tensor, types)
    dataset_nest.assert_same_structure(types, shapes)
    return types, shapes, classes


def _on_host() -> Any:
    """Context manager that places nodes on the CPU unless the program requests a device."""
    if get_default_graph()._blocks.devices:
        return contextlib.nullcontext()
    return device("/cpu:0")
