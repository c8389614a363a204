"""Resource variables: VarHandleOp names the variable, and ReadVariableOp reads it at a defined point of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.convert_to_tensor import register_tensor_conversion_function
from tfmini._src.graph.default_graph import get_default_graph, tensor_graph_scope
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.scopes import colocate_with, control_dependencies, device, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
    checked_modes,
)
from tfmini._src.variables.in_place_operators import forbid_in_place_operators
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.initial_values import guard
from tfmini._src.variables.lifted_values import lift_initial_value
from tfmini._src.variables.ref_variable import (
    check_not_in_control_flow,
    checked_collections,
    colocated_with_name,
)
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_def import take_nodes
from tfmini._src.variables.variable_handle import make_eager_handle, make_handle

if TYPE_CHECKING:
    from tfmini._src.base import proto
    from tfmini._src.graph.default_stack import DefaultSession


# Called with each variable created in eager mode.
on_creation: list[Callable[[Any], None]] = []


class BaseResourceVariable(Variable):
    """Operations through a handle, which variables and assignment results share."""

    handle: Tensor = read_only("The resource handle, for ops with a `resource` input.")

    _handle: Tensor
    _handle_name: str
    _dtype: dtypes.DType
    _shape: TensorShape
    _cached_value: Tensor | None = None
    _is_initialized_op: Tensor | None
    _distribute_strategy: Any = None

    op: Any = read_only(attribute="_handle.op")
    graph: Any = read_only(attribute="_handle.graph")
    device: str = read_only(attribute="_handle.device")
    shape: TensorShape = read_only()

    @property
    def name(self) -> str:
        return self._handle_name

    @property
    def dtype(self) -> dtypes.DType:
        return self._dtype

    @property
    def _in_graph_mode(self) -> bool:
        """Whether the variable belongs to a graph, that is, was not created in eager mode."""
        return not isinstance(self._handle, EagerTensor)

    def _shape_as_list(self) -> list | None:
        dims = self._shape._dims
        return None if dims is None else list(dims)

    def _shape_tuple(self) -> tuple | None:
        return self._shape._dims

    @property
    def create(self) -> Any:
        """The operation that initializes the variable; raises RuntimeError if it was created in eager mode."""
        if not self._in_graph_mode:
            raise RuntimeError("Calling create is not supported when eager execution is enabled.")
        return self._initializer_op

    @property
    def initial_value(self) -> Any:
        """The initial value tensor; raises RuntimeError in eager mode."""
        if executing_eagerly():
            raise RuntimeError("initial_value not supported in EAGER mode.")
        return self._initial_value

    def set_shape(self, shape: Any) -> None:
        raise NotImplementedError("ResourceVariable does not implement set_shape()")

    def numpy(self) -> Any:
        """Returns the value in eager mode; raises NotImplementedError in graph mode."""
        if executing_eagerly():
            return self.read_value().numpy()
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    def __bool__(self) -> bool:
        return bool(self.read_value())

    def __int__(self) -> int:
        if self.dtype not in (dtypes.int32, dtypes.int64):
            raise TypeError("Non-integer variable can't be converted to integer.")
        return int(self.value())  # type: ignore[call-overload]

    def __copy__(self) -> BaseResourceVariable:
        return self

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        if not executing_eagerly():
            raise NotImplementedError(
                "__deepcopy__() is only available when eager execution is enabled."
            )
        copied = ResourceVariable(
            initial_value=self.read_value(),
            trainable=self._trainable,
            constraint=self._constraint,
            dtype=self._dtype,
            name=self._shared_name + "_copy",
            distribute_strategy=self._distribute_strategy,
            synchronization=self.synchronization,
            aggregation=self.aggregation,
        )
        memo[id(self)] = copied
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        result = partial(
            ResourceVariable,
            initial_value=self.numpy(),
            trainable=self.trainable,
            name=self._shared_name,
            dtype=self.dtype,
            constraint=self.constraint,
            distribute_strategy=self._distribute_strategy,
        )
        return result, ()

    def __repr__(self) -> str:
        if not executing_eagerly():
            return super().__repr__()
        text = self.read_value()._text(repr)  # type: ignore[attr-defined]
        summary = f"shape={self.get_shape()} dtype={self.dtype.name}, numpy={text}"
        return f"<tf.Variable '{self.name}' {summary}>"

    def eval(self, session: DefaultSession | None = None) -> Any:
        if executing_eagerly():
            raise RuntimeError("Trying to eval in EAGER mode")
        return super().eval(session)

    # Reading -------------------------------------------------------------------------------------

    def _read_variable_op(self) -> Tensor:
        tapes.variable_accessed(self)
        result: Tensor = raw.ReadVariableOp(self._handle, dtype=self._dtype)
        # In a loop, the handle is the output of an Enter.
        if tapes.recording() and not executing_eagerly():
            tapes.record(tapes.EagerOp(registry["Identity"], {}, [self._handle], [result]))
        return result

    def value(self) -> Tensor:
        if self._cached_value is not None:
            return self._cached_value
        if executing_eagerly():
            return self._read_variable_op()
        with colocate_with(None, ignore_existing=True), device(self._handle.device):
            return self._read_variable_op()

    def read_value(self) -> Tensor:
        if executing_eagerly():
            return self._read_variable_op()
        with name_scope("Read"), device(self._handle.device):
            value = self._read_variable_op()
        return ops.identity(value)

    def sparse_read(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Gathers the rows at `indices`; the result has shape `indices.shape + shape[1:]`."""
        with name_scope("Gather" if name is None else name) as scope:
            tapes.variable_accessed(self)
            value = raw.ResourceGather(self._handle, indices, dtype=self._dtype, name=scope)
        return ops.identity(value)

    def gather_nd(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Gathers the elements or slices at the indices in the last axis of `indices`."""
        with name_scope("GatherNd" if name is None else name) as scope:
            tapes.variable_accessed(self)
            value = raw.ResourceGatherNd(self._handle, indices, dtype=self._dtype, name=scope)
        return ops.identity(value)

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Returns whether the variable is initialized, as a scalar bool tensor."""
        return raw.VarIsInitializedOp(self.handle, name=name)

    @deprecated(None, "Prefer Dataset.range instead.")
    def count_up_to(self, limit: int) -> Tensor:
        return raw.ResourceCountUpTo(self.handle, limit=limit, T=self.dtype)

    # Writing -------------------------------------------------------------------------------------

    @contextmanager
    def _after_caching(self) -> Iterator[None]:
        """Context manager that orders a write after the cached read."""
        if self._cached_value is None:
            yield
        else:
            with control_dependencies([self._cached_value]):
                yield

    def _dense_var_to_tensor(
        self, dtype: Any = None, name: Any = None, as_ref: bool = False
    ) -> Tensor:
        """Converts the variable to a tensor; called by libraries that wrap variables."""
        if dtype is not None and not dtype.is_compatible_with(self.dtype):
            raise ValueError(
                f"Incompatible type conversion requested to type {dtype.name!r} for variable of type "
                f"{self.dtype.name!r}"
            )
        if as_ref:
            return self.handle if executing_eagerly() else self.read_value().op.inputs[0]
        return self.value()

    def _convert(self, value: Any) -> Tensor:
        return ops.convert_to_tensor(value, self.dtype)

    def _lazy_read(self, op: Any) -> UnreadVariable:
        """Returns the variable as it is read after `op`."""
        tapes.variable_accessed(self)
        return UnreadVariable(self._handle, self.dtype, self._shape, op)

    def assign(
        self,
        value: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        with tensor_graph_scope(self._handle):
            tensor = ops.convert_to_tensor(value, dtype=self.dtype)
            self._shape.assert_is_compatible_with(tensor.shape)
            op = raw.AssignVariableOp(self.handle, tensor, name=name)
            return self._lazy_read(op) if read_value else op

    def assign_add(
        self,
        delta: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        return self._update("AssignAddVariableOp", delta, name, read_value)

    def assign_sub(
        self,
        delta: TensorLike,
        use_locking: bool | None = None,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        return self._update("AssignSubVariableOp", delta, name, read_value)

    def _update(self, op_type: str, delta: Any, name: Any, read_value: bool) -> Any:
        with tensor_graph_scope(self._handle), self._after_caching():
            tensor = ops.convert_to_tensor(delta, dtype=self.dtype)
            op = getattr(raw, op_type)(self.handle, tensor, name=name)
        return self._lazy_read(op) if read_value else op

    def _scatter(
        self, op_type: str, sparse_delta: IndexedSlices, use_locking: bool, name: Any
    ) -> UnreadVariable:
        values = self._convert(sparse_delta.values)
        resource_op = getattr(raw, f"Resource{op_type}")
        return self._lazy_read(resource_op(self.handle, sparse_delta.indices, values, name=name))

    def batch_scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> UnreadVariable:
        if not isinstance(sparse_delta, IndexedSlices):
            raise TypeError(f"sparse_delta is not IndexedSlices: {sparse_delta!s}")
        return self._lazy_read(super().batch_scatter_update(sparse_delta, use_locking, name))

    def scatter_nd_sub(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        return self._scatter_nd(raw.ResourceScatterNdSub, indices, updates, name)

    def scatter_nd_add(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        return self._scatter_nd(raw.ResourceScatterNdAdd, indices, updates, name)

    def scatter_nd_update(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        return self._scatter_nd(raw.ResourceScatterNdUpdate, indices, updates, name)

    def _scatter_nd(self, op: Any, indices: Any, updates: Any, name: Any) -> UnreadVariable:
        return self._lazy_read(op(self.handle, indices, self._convert(updates), name=name))

    def _strided_slice_assign(
        self, begin: Any, end: Any, strides: Any, value: Any, name: Any, **masks: int
    ) -> UnreadVariable:
        with tensor_graph_scope(self._handle), self._after_caching():
            tensor = ops.convert_to_tensor(value, dtype=self.dtype)
            return self._lazy_read(
                raw.ResourceStridedSliceAssign(
                    self.handle, begin, end, strides, tensor, **masks, name=name
                )
            )

    def _make_handle(self, scope: str) -> None:
        """Creates the handle in eager mode."""
        self._initializer_op = self._is_initialized_op = self._graph_element = None
        self._handle_name = f"{scope.removesuffix('/')}:0"
        self._handle, self._unique_id = make_eager_handle(self, self._shape, self._dtype, scope)

    # Protos --------------------------------------------------------------------------------------

    def to_proto(self, export_scope: str | None = None) -> Any:
        if executing_eagerly():
            raise RuntimeError("to_proto not supported in EAGER mode.")
        snapshot = self._graph_element if self._cached_value is None else self._cached_value
        return self._variable_def(self.handle.name, snapshot.name, export_scope, is_resource=True)

    @staticmethod
    def from_proto(
        variable_def: proto.VariableDef, import_scope: str | None = None
    ) -> ResourceVariable:
        return ResourceVariable(variable_def=variable_def, import_scope=import_scope)


class ResourceVariable(BaseResourceVariable):
    """A variable accessed through a handle, as created by `use_resource=True`."""

    def __init__(
        self,
        initial_value: TensorLike | None = None,
        trainable: bool | None = None,
        collections: Sequence[str] | None = None,
        validate_shape: bool = True,
        caching_device: str | Callable[..., Any] | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        variable_def: proto.VariableDef | None = None,
        import_scope: str | None = None,
        constraint: Callable[..., Any] | None = None,
        distribute_strategy: Any = None,
        synchronization: VariableSynchronization | None = None,
        aggregation: VariableAggregation | None = None,
        shape: TensorLike | None = None,
    ):
        self._distribute_strategy = distribute_strategy
        if variable_def:
            if initial_value is not None:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            take_nodes(self, variable_def, import_scope)
            return
        self._synchronization, self._aggregation, self._trainable = checked_modes(
            synchronization, aggregation, trainable, name
        )
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        if (
            isinstance(initial_value, Tensor)
            and not isinstance(initial_value, EagerTensor)
            and initial_value.graph.building_function
        ):
            shape = initial_value.shape if shape is None else shape
            initial_value = lift_initial_value(initial_value)
        keys = checked_collections(collections, self._trainable, constraint)
        self._constraint = constraint
        with init_scope():
            values = [] if callable(initial_value) else [initial_value]
            with name_scope(name, "Variable", values) as scope:
                if executing_eagerly():
                    self._make(initial_value, dtype, shape, scope)
                    if GraphKeys.GLOBAL_STEP in keys:
                        get_default_graph().add_to_collection(GraphKeys.GLOBAL_STEP, self)
                    return
                self._add_nodes(initial_value, dtype, shape, caching_device, scope)
            get_default_graph().add_to_collections(keys, self)

    def _make(self, initial_value: Any, dtype: Any, shape: Any, scope: str) -> None:
        """Creates and initializes the variable in eager mode."""
        with name_scope("Initializer"):
            value = self._first_value(initial_value, dtype, shape)
        self._initial_value = None
        self._make_handle(scope)
        raw.AssignVariableOp(self._handle, value)
        for function in on_creation:
            function(self)

    def _first_value(self, initial_value: Any, dtype: Any, shape: Any) -> Tensor:
        """Converts the initial value to a tensor; sets the dtype and shape."""
        first_value = initial_value() if callable(initial_value) else initial_value
        value = ops.convert_to_tensor(first_value, name="initial_value", dtype=dtype)
        if shape is None:
            shape = value.shape
        elif not value.shape.is_compatible_with(shape):
            raise ValueError(
                f"The initial value's shape ({value.shape}) is not compatible with the explicitly "
                f"supplied `shape` argument ({shape})."
            )
        self._dtype = value.dtype.base_dtype
        self._shape = as_shape(shape)
        return value

    def _add_nodes(
        self, initial_value: Any, dtype: Any, shape: Any, caching_device: Any, scope: str
    ) -> None:
        handle_name = scope.removesuffix("/")
        with colocated_with_name(handle_name):
            with name_scope("Initializer"), device(None):
                value = self._first_value(initial_value, dtype, shape)
            self._initial_value = value
            self._handle = make_handle(self._shape, self._dtype, handle_name, scope)
        self._handle_name = self._unique_id = f"{handle_name}:0"
        check_not_in_control_flow(value, scope)
        with name_scope("IsInitialized"):
            self._is_initialized_op = raw.VarIsInitializedOp(self._handle)
        placed = device(self._handle.device)
        with name_scope("Assign") as name, colocate_with(None, ignore_existing=True), placed:
            self._initializer_op = raw.AssignVariableOp(
                self._handle, guard(scope, value), name=name
            )
        with name_scope("Read"):
            with device(self._handle.device):
                self._graph_element = raw.ReadVariableOp(self._handle, dtype=self._dtype)
            if caching_device is not None:
                with colocate_with(None, ignore_existing=True), device(caching_device):
                    self._cached_value = ops.identity(self._graph_element)


class UnreadVariable(BaseResourceVariable):
    """A resource variable after a write op; each use reads the variable after that op."""

    op: Any = read_only("The op that wrote the variable.", "_parent_op")

    def __init__(self, handle: Tensor, dtype: dtypes.DType, shape: TensorShape, parent_op: Any):
        self._handle, self._dtype, self._shape = handle, dtype, shape
        self._parent_op = parent_op
        is_eager = isinstance(handle, EagerTensor)
        self._handle_name = self._unique_id = self.name if is_eager else handle.name
        # In a function, each read would be a side effect of the call.
        is_in_function = executing_eagerly() or get_default_graph().building_function
        self._graph_element = None if is_in_function else self._read_variable_op()

    @property
    def name(self) -> str:
        return "UnreadVariable" if self._parent_op is None else self._parent_op.name

    def value(self) -> Tensor:
        return self._read_variable_op()

    def read_value(self) -> Tensor:
        return self._read_variable_op()

    def _read_variable_op(self) -> Tensor:
        with control_dependencies([self._parent_op]):
            return raw.ReadVariableOp(self._handle, dtype=self._dtype)


def is_resource_variable(var: Any) -> bool:
    """Whether a variable, or every copy of a distributed variable, is accessed through a handle."""
    return isinstance(var, BaseResourceVariable) or hasattr(var, "_acts_as_resource_variable")


register_tensor_conversion_function(BaseResourceVariable, BaseResourceVariable._dense_var_to_tensor)


forbid_in_place_operators(BaseResourceVariable)
