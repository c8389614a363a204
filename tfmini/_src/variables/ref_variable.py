"""Reference variables, the default kind: VariableV2 stores the value, Assign sets it, an Identity "read" reads it."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.convert_to_tensor import register_tensor_conversion_function
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import COLOCATION_PREFIX
from tfmini._src.graph.prefixes import prepend_name_scope
from tfmini._src.graph.scopes import colocate_with, device, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw
from tfmini._src.variables.copy_modes import checked_modes
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.initial_values import guard
from tfmini._src.variables.save_slice_info import SaveSliceInfo
from tfmini._src.variables.variable import Variable


def checked_collections(collections: Any, trainable: bool, constraint: Any) -> list:
    """Validates constructor arguments; returns the collections of the new variable."""
    if collections is None:
        collections = [GraphKeys.GLOBAL_VARIABLES]
    if not isinstance(collections, (list, tuple, set)):
        raise ValueError(
            "collections argument to Variable constructor must be a list, tuple, or set. Got "
            f"{collections} of type {type(collections)}"
        )
    if constraint is not None and not callable(constraint):
        raise ValueError("The `constraint` argument must be a callable.")
    if trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
        return [*collections, GraphKeys.TRAINABLE_VARIABLES]
    return list(collections)


def colocated_with_name(name: str) -> Any:
    """Context manager that colocates new nodes with the node `name`, which is created later."""
    return get_default_graph()._attr_scope({"_class": (COLOCATION_PREFIX + name,)})


def check_not_in_control_flow(initial_value: Tensor, name: str) -> None:
    """Raises ValueError for an initial value in a conditional or loop, since variables are created outside of them."""
    if initial_value.op._get_control_flow_context() is not None:
        raise ValueError(
            f"Initializer for variable {name} is from inside a control-flow construct, such as a "
            "loop "
            "or conditional. When creating a variable inside a loop or conditional, use a lambda "
            "as "
            "the initializer."
        )


class RefVariable(Variable):
    """A variable whose value is read by its `read` node, or by an op with a reference input."""

    _distribute_strategy = None

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
    ):
        if variable_def:
            if initial_value:
                raise ValueError("variable_def and initial_value are mutually exclusive.")
            self._find(variable_def, import_scope)
            return
        if initial_value is None:
            raise ValueError("initial_value must be specified.")
        keys = checked_collections(collections, False, constraint)
        self._synchronization, self._aggregation, self._trainable = checked_modes(
            synchronization, aggregation, trainable, name
        )
        self._constraint = constraint
        self._caching_device = caching_device
        with init_scope():
            values = [] if callable(initial_value) else [initial_value]
            with name_scope(name, "Variable", values) as scope:
                self._add_nodes(initial_value, dtype, shape, validate_shape, scope)
            if self._trainable and GraphKeys.TRAINABLE_VARIABLES not in keys:
                keys.append(GraphKeys.TRAINABLE_VARIABLES)
            self.graph.add_to_collections(keys, self)

    def _add_nodes(
        self, initial_value: Any, dtype: Any, shape: Any, validate_shape: bool, scope: str
    ) -> None:
        if callable(initial_value):
            with colocated_with_name(scope.removesuffix("/")):
                with name_scope("Initializer"), device(None):
                    self._initial_value = ops.convert_to_tensor(
                        initial_value(), name="initial_value", dtype=dtype
                    )
                self._variable = self._node(shape, validate_shape, scope)
        else:
            self._initial_value = ops.convert_to_tensor(
                initial_value, name="initial_value", dtype=dtype
            )
            check_not_in_control_flow(self._initial_value, scope)
            self._variable = self._node(shape, validate_shape, scope)
        self._graph_element = self._variable
        dims = self._initial_value._dims
        if validate_shape and (dims is None or None in dims):
            raise ValueError(f"initial_value must have a shape specified: {self._initial_value}")
        self._initializer_op = ops.assign(
            self._variable, guard(scope, self._initial_value), validate_shape=validate_shape
        ).op
        placed = (
            colocate_with(self._variable.op)
            if self._caching_device is None
            else device(self._caching_device)
        )
        with placed:
            self._snapshot = ops.identity(self._variable, name="read")

    def _node(self, shape: Any, validate_shape: bool, scope: str) -> Tensor:
        if shape is None:
            shape = self._initial_value.shape if validate_shape else TensorShape(None)
        return raw.VariableV2(shape=shape, dtype=self._initial_value.dtype.base_dtype, name=scope)

    def _find(self, variable_def: Any, import_scope: str | None) -> None:
        """Looks up the nodes named by a VariableDef in the graph."""
        graph = get_default_graph()

        def element(name: str) -> Any:
            return graph.as_graph_element(prepend_name_scope(name, import_scope))

        self._variable = self._graph_element = element(variable_def.variable_name)
        self._initializer_op = element(variable_def.initializer_name)
        name = variable_def.initial_value_name
        self._initial_value = element(name) if name else None
        self._synchronization, self._aggregation, self._trainable = checked_modes(
            variable_def.synchronization,
            variable_def.aggregation,
            variable_def.trainable,
            variable_def.variable_name,
        )
        self._snapshot = element(variable_def.snapshot_name)
        if variable_def.HasField("save_slice_info_def"):
            self._save_slice_info = SaveSliceInfo(
                save_slice_info_def=variable_def.save_slice_info_def, import_scope=import_scope
            )
        self._caching_device = None

    name: str = property(attrgetter("_variable.name"))  # type: ignore[assignment]
    dtype: Any = property(attrgetter("_variable.dtype"))
    op: Any = property(attrgetter("_variable.op"))
    graph: Any = property(attrgetter("_variable.graph"))
    device: str = property(attrgetter("_variable.device"))  # type: ignore[assignment]
    shape: TensorShape = property(attrgetter("_variable.shape"))  # type: ignore[assignment]

    def set_shape(self, shape: Any) -> None:
        self._variable.set_shape(shape)
        self.value().set_shape(shape)

    def value(self) -> Tensor:
        return self._snapshot

    def read_value(self) -> Tensor:
        return ops.identity(self._variable, name="read")

    def _ref(self) -> Tensor:
        """Returns the reference tensor, for ops that modify it."""
        return self._variable

    def assign(
        self, value: Any, use_locking: Any = False, name: Any = None, read_value: bool = True
    ) -> Any:
        result = ops.assign(self._variable, value, use_locking=use_locking, name=name)
        return result if read_value else result.op

    def assign_add(
        self, delta: Any, use_locking: Any = False, name: Any = None, read_value: bool = True
    ) -> Any:
        result = ops.assign_add(self._variable, delta, use_locking=use_locking, name=name)
        return result if read_value else result.op

    def assign_sub(
        self, delta: Any, use_locking: Any = False, name: Any = None, read_value: bool = True
    ) -> Any:
        result = ops.assign_sub(self._variable, delta, use_locking=use_locking, name=name)
        return result if read_value else result.op

    def _scatter(
        self, op_type: str, sparse_delta: IndexedSlices, use_locking: bool, name: Any
    ) -> Tensor:
        return getattr(raw, op_type)(
            self._variable,
            sparse_delta.indices,
            sparse_delta.values,
            use_locking=use_locking,
            name=name,
        )

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Tensor:
        return raw.ScatterNdSub(self._variable, indices, updates, use_locking=True, name=name)

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Tensor:
        return raw.ScatterNdAdd(self._variable, indices, updates, use_locking=True, name=name)

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Tensor:
        return raw.ScatterNdUpdate(self._variable, indices, updates, use_locking=True, name=name)

    def _strided_slice_assign(
        self, begin: Any, end: Any, strides: Any, value: Any, name: Any, **masks: int
    ) -> Tensor:
        return raw.StridedSliceAssign(self._ref(), begin, end, strides, value, **masks, name=name)

    @deprecated(None, "Prefer Dataset.range instead.")
    def count_up_to(self, limit: int) -> Tensor:
        return ops.count_up_to(self._variable, limit=limit)

    def to_proto(self, export_scope: str | None = None) -> Any:
        return self._variable_def(self._variable.name, self._snapshot.name, export_scope)

    @staticmethod
    def from_proto(variable_def: Any, import_scope: str | None = None) -> RefVariable:
        return RefVariable(variable_def=variable_def, import_scope=import_scope)


def _in_place(method: str, operator: str, sign: str, advice: str) -> None:
    """Returns an in-place operator that computes a new tensor, and warns that the variable is unchanged."""
    message = (
        f"Variable {sign}= will be deprecated. Use {advice} if you want assignment to the "
        "variable "
        f"value or %s if you want a new python Tensor object."
    )
    quote = "'" if sign in "+-" else "`"
    message %= f"{quote}x = x {sign} y{quote}"

    def operator_method(self: RefVariable, other: Any) -> Tensor:
        if method not in _warned:
            _warned.add(method)
            logs.warn(message)
        return getattr(self, operator)(other)

    setattr(RefVariable, method, operator_method)


_warned: set[str] = set()
_in_place("__iadd__", "__add__", "+", "variable.assign_add")
_in_place("__isub__", "__sub__", "-", "variable.assign_sub")
_in_place("__imul__", "__mul__", "*", "`var.assign(var * other)`")
_in_place("__itruediv__", "__truediv__", "/", "`var.assign(var / other)`")
_in_place("__ipow__", "__pow__", "**", "`var.assign(var ** other)`")


def _convert(v: RefVariable, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Tensor:
    if (
        dtype
        and dtype is not v._variable.dtype.base_dtype
        and not dtype.is_compatible_with(v.dtype)
    ):
        raise ValueError(
            f"Incompatible type conversion requested to type '{dtype.name}' for variable of type "
            f"'{v.dtype.name}'"
        )
    return v._ref() if as_ref else v.value()


register_tensor_conversion_function(RefVariable, _convert)
