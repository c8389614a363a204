"""Flattens nested fetches to tensors and operations, and packs the values back into the structure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NoReturn, Protocol, TypeAlias, TypeVar

import numpy as np

from tfmini._src.base import program_strings
from tfmini._src.base.dtypes import resource, variant
from tfmini._src.base.error_hints import add_hint, copy_hint
from tfmini._src.base.errors import InternalError
from tfmini._src.graph.composite_values import (
    CompositeValue,
    IndexedSlices,
    IndexedSlicesValue,
    SparseTensor,
    SparseTensorValue,
)
from tfmini._src.graph.default_stack import DefaultSession
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.op_traits.handle_kinds import Resource, serialized_handle
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

_Value = TypeVar("_Value", covariant=True)


class Fetch(Protocol[_Value]):
    """A tensor, variable or composite value; `run` returns what its `eval` returns."""

    def eval(self, *, session: DefaultSession | None = None) -> _Value: ...


class NamedFields(Protocol):
    """A named tuple of fetches; the result keeps the field names."""

    @property
    def _fields(self) -> tuple[str, ...]: ...


def _slices_parts(slices: IndexedSlices) -> list[Tensor]:
    parts = [slices.values, slices.indices]
    return parts if slices.dense_shape is None else [*parts, slices.dense_shape]


def _slices_value(values: Sequence[Any]) -> IndexedSlicesValue:
    return IndexedSlicesValue(*values, *([None] * (3 - len(values))))


Elements: TypeAlias = Sequence[Any]
FetchFunction: TypeAlias = Callable[[Any], tuple[Elements, Callable[[Sequence[Any]], Any]]]
FeedFunction: TypeAlias = Callable[[Any, Any], Iterable[tuple[Any, Any]]]
PartialFeedFunction: TypeAlias = Callable[[Any], Elements]
Conversion: TypeAlias = tuple[type, FetchFunction, FeedFunction | None, PartialFeedFunction | None]

# (type, fetch -> (elements, values -> value), (feed, value) -> [(element, value)], feed -> [elements]), as
# `register_session_run_conversion_functions` documents; tried in order.
_conversions: list[Conversion] = [
    (
        SparseTensor,
        lambda s: ([s.indices, s.values, s.dense_shape], lambda v: SparseTensorValue(*v)),
        lambda s, value: list(zip([s.indices, s.values, s.dense_shape], value)),
        lambda s: [s.indices, s.values, s.dense_shape],
    ),
    (
        IndexedSlices,
        lambda s: (_slices_parts(s), _slices_value),
        lambda s, value: list(zip(_slices_parts(s), value)),
        _slices_parts,
    ),
    (
        CompositeValue,
        lambda c: (c._session_parts(), c._session_value),
        lambda c, value: list(zip(c._session_parts(), c._fed_parts(value))),
        lambda c: c._session_parts(),
    ),
    (object, lambda x: ([x], lambda v: v[0]), lambda x, value: [(x, value)], lambda x: [x]),
]


def register_session_run_conversion_functions(
    tensor_type: type,
    fetch_function: FetchFunction,
    feed_function: FeedFunction | None = None,
    feed_function_for_partial_run: PartialFeedFunction | None = None,
) -> None:
    """Registers functions for fetching and feeding objects of `tensor_type`.

    Args:
      tensor_type: a type that is neither registered nor a base of a registered type.
      fetch_function: maps an object to (list of graph elements, function from their values to the result).
      feed_function: maps an object and its fed value to a list of (element, value).
      feed_function_for_partial_run: maps an object to the list of elements to feed.

    Raises:
      ValueError: if the type or a subclass is already registered.
    """
    for registered, *_ in _conversions:
        if issubclass(registered, tensor_type):
            raise ValueError(f"{tensor_type} has already been registered so ignore it.")
    _conversions.insert(
        0, (tensor_type, fetch_function, feed_function, feed_function_for_partial_run)
    )


def find_conversion(value: object) -> Conversion:
    """Returns the registered conversion for an object's type."""
    return next(c for c in _conversions if isinstance(value, c[0]))


def is_attrs(value: object) -> bool:
    return getattr(type(value), "__attrs_attrs__", None) is not None


_HANDLE_BYTES = np.dtype([("resource", "u1")])


def _raise_variant_error(values: Sequence[object]) -> NoReturn:
    type_enum = variant.as_datatype_enum
    raise InternalError(None, None, f"Tensorflow type {type_enum} not convertible to numpy dtype.")


def _unwrap_handle(value: object) -> object:
    """Returns a fetched value; for a resource, the bytes of its handle."""
    if not isinstance(value, Resource):
        return value
    return np.frombuffer(bytearray(serialized_handle(value)), _HANDLE_BYTES)


class Fetches:
    """A resolved fetch structure: its distinct tensors and operations, and `build` to pack their values into it."""

    def __init__(self, graph: Graph, structure: object):
        self._graph = graph
        self.tensors: list[Tensor] = []
        self.targets: list[Operation] = []
        self.fetched_feeds: list[int] = []
        self._tensor_index: dict[Tensor, int] = {}
        self.build = program_strings.decode_values(self._resolve(structure))

    def convert_handles(self) -> None:
        """Makes `build` return resource handles as arrays of their bytes, and raise InternalError for variants, which
        numpy cannot represent.
        """
        base_dtypes = {tensor.dtype.base_dtype for tensor in self.tensors}
        if variant in base_dtypes:
            self.build = _raise_variant_error
        elif resource in base_dtypes:
            build = self.build
            self.build = lambda values: build([_unwrap_handle(value) for value in values])

    def _resolve(self, fetch: Any) -> Callable[[Sequence[Any]], Any]:
        """Returns a function from the values of `tensors` to the result for `fetch`."""
        if fetch is None:
            raise add_hint(
                _invalid_type_error(fetch),
                "a fetch is None: tf.gradients returns None for a tensor that the loss does not depend on, and so does "
                "a Python function without a return statement.",
            )
        if isinstance(fetch, list | tuple):
            parts = [self._resolve(item) for item in fetch]
            if isinstance(fetch, list):
                return lambda values: [part(values) for part in parts]
            if type(fetch) is tuple:
                return lambda values: tuple(part(values) for part in parts)
            cls: Any = type(fetch)
            return lambda values: cls(*(part(values) for part in parts))
        if isinstance(fetch, Mapping):
            cls, items = type(fetch), [(key, self._resolve(item)) for key, item in fetch.items()]

            def build_mapping(values: Sequence[Any]) -> Any:
                result = cls()
                for key, part in items:
                    result[key] = part(values)
                return result

            return build_mapping
        if is_attrs(fetch):
            cls = type(fetch)
            parts = [self._resolve(getattr(fetch, a.name)) for a in cls.__attrs_attrs__]
            return lambda values: cls(*(part(values) for part in parts))
        elements, contract = find_conversion(fetch)[1](fetch)
        indices = [self._element_index(element) for element in elements]
        if len(indices) == 1 and isinstance(fetch, Tensor | Operation | str):
            index = indices[0]
            return (lambda values: None) if index is None else (lambda values: values[index])
        if indices == [None]:
            return lambda values: None
        return lambda values: contract([None if i is None else values[i] for i in indices])

    def _element_index(self, fetch: object) -> int | None:
        """Returns a fetched tensor's index in `tensors`, which is extended if it is missing; None for an operation."""
        try:
            element = self._graph.as_graph_element(fetch, allow_tensor=True, allow_operation=True)
        except TypeError as error:
            raise TypeError(
                f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}, must be a string or Tensor. "
                f"({error})"
            ) from None
        except (ValueError, KeyError) as error:
            fetch_error = ValueError(
                f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({error})"
            )
            raise copy_hint(fetch_error, error) from None
        if not self._graph.is_fetchable(element):
            raise InaccessibleTensorError(element if isinstance(element, Operation) else element.op)
        if isinstance(element, Operation):
            if element not in self.targets:
                self.targets.append(element)
            return None
        index = self._tensor_index.get(element)
        if index is None:
            index = self._tensor_index[element] = len(self.tensors)
            self.tensors.append(element)
        return index


def _invalid_type_error(fetch: object) -> TypeError:
    return TypeError(f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}")


class InaccessibleTensorError(ValueError):
    """Raised on fetching an operation marked as not fetchable."""

    def __init__(self, op: Operation):
        super().__init__(
            f"Operation {op.name!r} has been marked as not fetchable. Typically this happens when it is "
            "defined in another function or code block. Use return values,explicit Python locals or "
            "TensorFlow collections to access it."
        )


def to_fetched_value(values: Sequence[Any]) -> list[Any]:
    """Converts zero-dimensional arrays to numpy scalars."""
    return [v[()] if v.__class__ is np.ndarray and not v.ndim else v for v in values]
