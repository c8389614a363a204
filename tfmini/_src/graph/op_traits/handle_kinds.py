"""Handle kinds: the resource or variant that an input accepts, and the errors for any other.

At run time a handle is the resource itself, whose class names its kind. Op modules declare the kinds of inputs by
name, and their kernels then receive only such handles:

    op = taking(handle=QUEUE)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.base import dtypes, proto
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import (
    FailedPreconditionError,
    InternalError,
    InvalidArgumentError,
    NotFoundError,
    OpError,
    invalid,
)

# Classes of scalar values that are not arrays: strings, resources, and the variant classes.
HANDLE_TYPES: set[type] = {bytes}

HANDLE_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"

# Returns the handle accepted as a kernel argument, given the input's dtype; otherwise raises TensorFlow's error.
HandleKind: TypeAlias = Callable[[Any, "DType | None"], Any]


class Resource:
    """The object behind a handle: a queue, a table, a variable.

    resource_kind: its kind; container: the first of the two strings of its legacy handle; device: the device of its
    serialized handle; destroyed: its path after a DestroyResourceOp, else "".
    """

    __slots__ = ()
    resource_kind: ResourceKind
    name: str
    container = "localhost"
    device = HANDLE_DEVICE
    destroyed = ""
    shape = ()

    def __init_subclass__(cls, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        HANDLE_TYPES.add(cls)


def serialized_handle(resource: Resource) -> bytes:
    """Returns a resource's handle as a serialized ResourceHandleProto."""
    return proto.ResourceHandleProto(
        device=resource.device,
        container=resource.container,
        name=resource.name,
        maybe_type_name=resource.resource_kind.cpp_class,
    ).SerializeToString()


class ResourceKind:
    """The handle kind of resources of one C++ class.

    Args:
      cpp_class: its mangled name, as shown in messages.
      size_text: the message for a legacy handle that is not a container and a name.
      container: container of a legacy handle, "" for the handle's own.
    """

    def __init__(
        self,
        cpp_class: str,
        size_text: str = "Resource handle must have 2 elements, but had shape: ",
        container: str = "",
    ):
        self.cpp_class = cpp_class
        self._size_text = size_text
        self._container = container

    def __call__(self, value: Any, dtype: DType | None) -> Any:
        kind = getattr(value, "resource_kind", None)
        if kind is self and not value.destroyed:
            return value
        if dtype is dtypes.resource:
            if kind is None:
                return self(_first_handle(value), dtype)
            raise self.destroyed_error(value) if kind is self else self.other_kind_error(value)
        names = _names_in(value, kind)
        if np.size(names) != 2:
            invalid(f"{self._size_text}[{','.join(map(str, np.shape(names)))}]")
        container, name = (str(part, "utf-8", "replace") for part in np.ravel(names))
        raise self._not_found(container, name)

    def _not_found(self, container: str, name: str) -> OpError:
        """Returns the error for a legacy handle that names no resource."""
        if not self._container and container != "localhost":
            text = f"Container {container} does not exist. (Could not find resource: {container}/{name})"
            return NotFoundError(None, None, text)
        path = f"{self._container or 'localhost'}/{name}"
        text = f"Resource {path}/{self.cpp_class} does not exist."
        return NotFoundError(None, None, text)

    def destroyed_error(self, resource: Resource) -> OpError:
        """Returns the error for a destroyed resource."""
        text = f"Resource {resource.destroyed}/{self.cpp_class} does not exist."
        return NotFoundError(None, None, text)

    def other_kind_error(self, resource: Resource) -> OpError:
        """Returns the error for a resource of another kind; TensorFlow's message swaps the two kinds."""
        return InvalidArgumentError(None, None, self.mismatch(resource))

    def mismatch(self, resource: Resource) -> str:
        """Returns the message of `other_kind_error`."""
        return (
            "Trying to access resource using the wrong type. "
            f"Expected {resource.resource_kind.cpp_class} got {self.cpp_class}"
        )


class _ForwardArray(ResourceKind):
    """The handle kind of a TensorArray whose gradients are collected, the only kind that compares the container."""

    def __call__(self, value: Any, dtype: DType | None) -> Any:
        if dtype is dtypes.resource or getattr(value, "resource_kind", None) is TENSOR_ARRAY:
            return TENSOR_ARRAY(value, dtype)
        return super().__call__(value, dtype)

    def _not_found(self, container: str, name: str) -> OpError:
        if container == "_tensor_arrays":
            return super()._not_found(container, name)
        text = f"Input container should be '_tensor_arrays',  but received '{container}'"
        return InvalidArgumentError(None, None, text)


class _ReadVariable(ResourceKind):
    """The handle kind of a variable input that is read."""

    def __call__(self, value: Any, dtype: DType | None) -> Any:
        if value.__class__ is np.ndarray:
            value = _first_handle(value)
        if value.resource_kind is VARIABLE:
            return value
        name = getattr(value, "name", "")
        raise FailedPreconditionError(
            None,
            None,
            f"Error while reading resource variable {name} from Container: localhost. This could mean that the "
            f"variable was uninitialized. Invalid argument: {VARIABLE.mismatch(value)}",
        )


class _CreatedResource(ResourceKind):
    """The handle kind of resources that an op creates after their handle."""

    def destroyed_error(self, resource: Any) -> OpError:
        if resource.names:
            return super().destroyed_error(resource)
        path = resource.destroyed
        text = (
            f"Container {path.partition('/')[0]} does not exist. (Could not find resource: {path})"
        )
        return NotFoundError(None, None, text)


class _TrainedVariable(ResourceKind):
    """The handle kind of a variable input that an optimizer op updates."""

    def __call__(self, value: Any, dtype: DType | None) -> Any:
        if value.__class__ is np.ndarray:
            value = _first_handle(value)
        if value.resource_kind is not VARIABLE:
            raise InternalError(None, None, "Invalid variable reference.")
        return value


def _names_in(value: Any, kind: ResourceKind | None) -> Any:
    """Returns the container and name of a legacy handle: strings, a string variable's value, or a resource's own."""
    if kind is None:
        return value
    if kind is VARIABLE:
        return value.read()
    names = getattr(value, "array", None)
    return names if isinstance(names, np.ndarray) else handle_name(value)


def handle_name(resource: Resource) -> list[bytes]:
    """Returns the container and name of a resource's legacy handle."""
    return [resource.container.encode(), resource.name.encode()]


def any_resource(value: Any, dtype: DType | None) -> Any:
    """Returns the handle kind of ops that accept any resource."""
    return _first_handle(value) if value.__class__ is np.ndarray else value


def _first_handle(handles: Any) -> Any:
    """Returns the first element of an array of handles; TensorFlow ignores the others."""
    if not np.size(handles):
        shape = ",".join(map(str, np.shape(handles)))
        invalid(f"A resource handle must have an element, but had shape: [{shape}]")
    handle = np.asarray(handles, object).flat[0]
    if not hasattr(handle, "resource_kind"):
        invalid("Tensor must hold a resource handle.")
    return handle


class VariantKind:
    """The handle kind of variants of one class.

    Args:
      accepted_type: the class.
      scalar_error: the message for an array of variants, with `{shape}`.
      another: the message for a variant of another class, with `{value}`.
    """

    def __init__(self, accepted_type: type, scalar_error: str, another: str):
        self._accepted_type = accepted_type
        self._not_scalar = scalar_error
        self._another = another

    def __call__(self, value: Any, dtype: DType | None) -> Any:
        if isinstance(value, self._accepted_type):
            return value
        if value.__class__ is np.ndarray:
            if value.ndim:
                shape = ",".join(map(str, value.shape))
                invalid(self._not_scalar.format(shape=f"[{shape}]"))
            return self(value[()], dtype)
        invalid(self._another.format(value=variant_text(value)))


def variant_text(value: Any) -> str:
    """Returns a variant as shown in messages."""
    return getattr(value, "variant_text", "Variant<type: INVALID value: >")


VARIABLE = ResourceKind("N10tensorflow3VarE")
READ_VARIABLE = _ReadVariable("N10tensorflow3VarE")
TRAINED_VARIABLE = _TrainedVariable("N10tensorflow3VarE")
QUEUE = ResourceKind("N10tensorflow14QueueInterfaceE")
READER = ResourceKind("N10tensorflow15ReaderInterfaceE")
TABLE = ResourceKind("N10tensorflow6lookup15LookupInterfaceE")
ACCUMULATOR = ResourceKind("N10tensorflow26ConditionalAccumulatorBaseE")
BARRIER = ResourceKind("N10tensorflow7barrier7BarrierE")
MUTEX = ResourceKind("N10tensorflow12_GLOBAL__N_15MutexE")
STACK = ResourceKind(
    "N10tensorflow5StackE",
    "Stack handle must have two elements, but had shape: ",
    "__per_step_0",
)
_TENSOR_ARRAY = (
    "N10tensorflow11TensorArrayE",
    "Tensor array handle must be 2-element vector, but had shape: ",
    "__per_step_0",
)
TENSOR_ARRAY = ResourceKind(*_TENSOR_ARRAY)
FORWARD_ARRAY = _ForwardArray(*_TENSOR_ARRAY)
ITERATOR = ResourceKind("N10tensorflow4data16IteratorResourceE")
MULTI_DEVICE_ITERATOR = ResourceKind("N10tensorflow4data12_GLOBAL__N_119MultiDeviceIteratorE")
MEMORY_CACHE = ResourceKind("N10tensorflow4data11MemoryCacheE")
SEED_GENERATOR = ResourceKind("N10tensorflow4data19RandomSeedGeneratorE")
THREAD_POOL = ResourceKind("N10tensorflow4data12experimental12_GLOBAL__N_118ThreadPoolResourceE")
STATS_AGGREGATOR = ResourceKind("N10tensorflow4data23StatsAggregatorResourceE")
SUMMARY_WRITER = ResourceKind("N10tensorflow22SummaryWriterInterfaceE")
TREE_ENSEMBLE = _CreatedResource("N10tensorflow28BoostedTreesEnsembleResourceE")
QUANTILE_STREAMS = _CreatedResource("N10tensorflow34BoostedTreesQuantileStreamResourceE")
