"""`OwnedIterator`, the Python iterator over a dataset in eager mode and in functions."""

from __future__ import annotations

import weakref
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.data.element_spec import from_tensors
from tfmini._src.data.iterator_base import IteratorBase
from tfmini._src.data.registry import register_dataset
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import device
from tfmini._src.graph.type_spec import TensorSpec, TypeSpec
from tfmini._src.ops import raw


@register_dataset
class OwnedIterator(IteratorBase):
    """Iterates over a dataset once; returned by `iter(dataset)` in eager mode or in a function.

    The resource is released together with this object.

    Example: `for image, label in dataset: ...`.
    """

    def __init__(self, dataset: Any):
        dataset = dataset._apply_options()
        super().__init__(dataset.element_spec)
        with device("/cpu:0"):
            self._iterator_resource, _ = raw.AnonymousIteratorV2(**self._flat_structure)
            raw.MakeIterator(dataset._variant_tensor, self._iterator_resource)
        if isinstance(self._iterator_resource, EagerTensor):
            weakref.finalize(self, self._iterator_resource._array.delete).atexit = False

    @property
    def _type_spec(self) -> IteratorSpec:
        return IteratorSpec(self._element_spec)

    def _to_components(self) -> list[Any]:
        return [self._iterator_resource]

    def __iter__(self) -> OwnedIterator:
        return self

    def __next__(self) -> Any:
        try:
            return self._next_internal()
        except OutOfRangeError:
            raise StopIteration from None

    next = __next__

    def get_next(self, name: str | None = None) -> Any:
        """Returns the next element; raises OutOfRangeError after the last element."""
        return self._next_internal()

    def _next_internal(self) -> Any:
        get_next = raw.IteratorGetNextSync if executing_eagerly() else raw.IteratorGetNext
        with device("/cpu:0"):
            tensors = get_next(self._iterator_resource, **self._flat_structure)
        return from_tensors(self._element_spec, tensors)


class Iterator(OwnedIterator):
    """`tf.contrib.eager.Iterator(dataset)`, a Python iterator over a dataset in eager mode.

    Raises:
      RuntimeError: in graph mode.
    """

    def __init__(self, dataset: Any):
        if not executing_eagerly():
            raise RuntimeError(
                f"{type(self)} objects can only be used when eager execution is enabled, use "
                "tf.data.Dataset.make_initializable_iterator or tf.data.Dataset.make_one_shot_iterator for graph "
                "construction"
            )
        super().__init__(dataset)


class IteratorSpec(TypeSpec):
    """The type of an iterator over elements with these TypeSpecs."""

    value_type = OwnedIterator
    _component_specs = (TensorSpec((), dtypes.resource),)

    def __init__(self, element_spec: object):
        self._element_spec = element_spec

    def _serialize(self) -> tuple:
        return (self._element_spec,)

    def _to_components(self, value: Any) -> list[Any]:
        components: list[Any] = value._to_components()
        return components

    def _from_components(self, components: Any) -> OwnedIterator:
        iterator = OwnedIterator.__new__(OwnedIterator)
        IteratorBase.__init__(iterator, self._element_spec)
        (iterator._iterator_resource,) = components
        return iterator
