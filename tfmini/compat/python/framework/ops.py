"""`tensorflow.python.framework.ops`: the functions and classes without public names."""

from __future__ import annotations

import abc
import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from tfmini._src.autodiff import register_gradient
from tfmini._src.base import proto
from tfmini._src.base.nest.containers import is_composite
from tfmini._src.base.read_only import read_only
from tfmini._src.graph import default_stack
from tfmini._src.graph.composite_values import IndexedSlices, SparseTensor
from tfmini._src.graph.convert_to_tensor import check_composite_dtype, internal_convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.scopes import device, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.eager.context import context
from tfmini._src.session.eager.enable import enable_eager_execution
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.variable import Variable

__all__ = [
    "EagerTensor",
    "NullContextmanager",
    "RegisterShape",
    "_NodeDef",
    "_TensorLike",
    "_as_graph_element",
    "_gradient_registry",
    "_set_call_cpp_shape_fn",
    "convert_to_tensor_or_composite",
    "device_v2",
    "enable_eager_execution_internal",
    "executing_eagerly_outside_functions",
    "get_name_scope",
    "has_default_graph",
    "inside_function",
    "is_dense_tensor_like",
    "name_from_scope_name",
    "name_scope_v2",
    "register_dense_tensor_like_type",
    "set_shape_and_handle_data_for_outputs",
    "uid",
]

_numbers = itertools.count()


def enable_eager_execution_internal(
    config: Any = None, device_policy: int | None = None, execution_mode: int | None = None
) -> None:
    """Same as `tf.enable_eager_execution`, but also creates a context if the program set `context._context` to None."""
    enable_eager_execution(config, device_policy, execution_mode)
    context()


def uid() -> int:
    """Returns a number that is unique in the process."""
    return next(_numbers)


def _NodeDef(op_type: str, name: str, device: Any = None, attrs: Any = None) -> Any:
    """Returns a NodeDef proto.

    Args:
      op_type: the type of the node.
      name: its name.
      device: a device name, a DeviceSpec, or a function from the NodeDef to either of these.
      attrs: AttrValue protos by name.
    """
    message = proto.NodeDef(op=op_type, name=name)
    for key, value in (attrs or {}).items():
        message.attr[key].CopyFrom(value)
    device_spec = device(message) if callable(device) else device
    if device_spec:
        message.device = device_spec if isinstance(device_spec, str) else device_spec.to_string()
    return message


def _set_call_cpp_shape_fn(call_cpp_shape_fn: Any) -> None:
    """Does nothing, since static shapes follow from the op's rule when a node is created."""


def set_shape_and_handle_data_for_outputs(op: Any) -> None:
    """Does nothing, since nodes receive their static shapes when they are created."""


def convert_to_tensor_or_composite(value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Converts `value` to a Tensor, or to a composite tensor if it is one or converts to one.

    Raises:
      ValueError: if its dtype differs from `dtype`.
    """
    if is_composite(value):
        check_composite_dtype(value, dtype)
        return value
    return internal_convert_to_tensor(value, dtype, name, accepted_type=object)


def has_default_graph() -> bool:
    """Whether this thread is in a block that sets the default graph."""
    return default_stack.graphs.top() is not None


class name_scope_v2:
    """`tf.compat.v2.name_scope(name)`, which returns the full name of the scope in a `with` statement."""

    name: str = read_only()

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._entered: list[Any] = []

    def __enter__(self) -> str:
        scope = name_scope(self._name)
        self._entered.append(scope)
        return scope.__enter__()

    def __exit__(self, *failure: Any) -> Any:
        return self._entered.pop().__exit__(*failure)


def device_v2(device_name: Any) -> Any:
    """Same as `tf.device`, for names only; raises RuntimeError for a function."""
    if callable(device_name):
        raise RuntimeError("tf.device does not support functions.")
    return device(device_name)


class RegisterShape:
    """Decorator without effect, which TensorFlow retains for older programs."""

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")

    def __call__(self, f: Callable) -> Callable:
        return f


class _TensorLike(metaclass=abc.ABCMeta):  # noqa: B024  its classes are registered
    """Base class of tensors, SparseTensors and IndexedSlices for `isinstance`."""


for _kind in (Tensor, SparseTensor, IndexedSlices):
    _TensorLike.register(_kind)

_dense_types: list[type] = [Tensor, Variable, PartitionedVariable]


def is_dense_tensor_like(t: Any) -> bool:
    """Whether the value is a tensor, a variable, or an instance of a registered class."""
    return isinstance(t, tuple(_dense_types))


def register_dense_tensor_like_type(tensor_type: type) -> None:
    """Registers a class for `is_dense_tensor_like`.

    Raises:
      TypeError: if the class has no properties `name` and `dtype`.
    """
    for attribute in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, attribute, None), property):
            raise TypeError(f"Type {tensor_type.__name__} does not define a `{attribute}` property")
    _dense_types.append(tensor_type)


def _as_graph_element(obj: Any) -> Any:
    """Returns the node or tensor that an object represents, or None."""
    convert = getattr(obj, "_as_graph_element", None)
    return convert() if convert else None


def name_from_scope_name(name: str) -> str:
    """Returns the name of a scope without the trailing slash."""
    return name[:-1] if name and name[-1] == "/" else name


def get_name_scope() -> str:
    """Returns the name of the current name scope of the default graph."""
    return get_default_graph().get_name_scope()


def inside_function() -> bool:
    """Whether the default graph is the body of a function."""
    return get_default_graph().building_function


@contextlib.contextmanager
def NullContextmanager(*args: Any, **kwargs: Any) -> Iterator[None]:
    """Context manager without effect."""
    yield


class _GradientRegistry:
    """Gradient rules by registered name."""

    _name: ClassVar[str] = "gradient"

    @property
    def _registry(self) -> register_gradient.GradientRegistry:
        """A mapping from names to `{"type": rule}`; deleting a name removes the program's own rule."""
        return register_gradient.GradientRegistry()

    def lookup(self, name: str) -> Callable | None:
        """Returns the rule with that name; None for ops without a gradient.

        Raises:
          LookupError: for an unknown name.
        """
        if name not in self._registry:
            raise LookupError(f"{self._name} registry has no entry for: {name}")
        return self._registry[name]["type"]

    def list(self) -> list[str]:
        """Returns the names of all rules."""
        return [*self._registry]

    def register(self, candidate: Callable, name: str | None = None) -> None:
        """Registers a rule under a name, by default the name of the function."""
        register_gradient.RegisterGradient(name or candidate.__name__)(candidate)


_gradient_registry = _GradientRegistry()
