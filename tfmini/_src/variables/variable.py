"""`tf.Variable`: the base class of all variables, their operators, and the constructor call that selects the kind."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.fetched_value import FetchedValue
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.default_stack import DefaultSession, get_default_session
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.prefixes import strip_name_scope
from tfmini._src.graph.references import Reference
from tfmini._src.graph.tensor import Operators, Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
)
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.save_slice_info import SaveSliceInfo
from tfmini._src.variables.trackable import VARIABLE_VALUE_KEY, Trackable
from tfmini._src.variables.variable_creator import create

if TYPE_CHECKING:
    from tfmini._src.base.shapes.tensor_shape import ShapeLike


class VariableMetaclass(type):
    """Routes `tf.Variable(...)` through the variable creators; subclasses are constructed as usual."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is Variable:
            return create(*args, **kwargs)
        return super().__call__(*args, **kwargs)

    @property
    def __signature__(cls) -> inspect.Signature:
        """The signature of the constructor, for `help` and notebooks."""
        signature = inspect.signature(cls.__init__)  # type: ignore[misc]
        return signature.replace(parameters=list(signature.parameters.values())[1:])


class Variable(Trackable, Operators, metaclass=VariableMetaclass):
    """Mutable state that persists across `Session.run` calls.

    A variable must be initialized before its first use, by running its `initializer`, or
    `tf.global_variables_initializer()` for all variables. It is used like a tensor: operators and functions read its
    value.

    Args:
      initial_value: the value after initialization: a Tensor, a value convertible to a Tensor, or a function
        without arguments that returns one.
      trainable: whether to add it to the TRAINABLE_VARIABLES collection, which optimizers use by
        default; None means True unless `synchronization` is ON_READ.
      collections: keys of its collections, by default [GLOBAL_VARIABLES].
      validate_shape: whether the initial value must have a known shape, which is then fixed; if False,
        any shape may be assigned.
      caching_device: device (string or function) on which reads are cached.
      name: node name, made unique; by default "Variable".
      variable_def: a VariableDef proto of a variable already in the graph, to which no nodes are then added.
      dtype: dtype to convert `initial_value` to.
      expected_shape: accepted for older programs and ignored.
      import_scope: name scope to prepend to the names in `variable_def`.
      constraint: a function that projects the value, applied after updates by optimizers.
      use_resource: whether to create a resource variable, whose reads follow program order.
      synchronization, aggregation: modes of synchronizing copies on several devices; recorded.
      shape: static shape, if it should be less specific than the shape of the initial value.

    Raises:
      ValueError: if there is no initial value, or its shape must be known and is not.

    Example:

      w = tf.Variable(tf.zeros([784, 10]), name="weights")
      sess.run(w.initializer)
      sess.run(w.assign_add(tf.ones([784, 10])))
    """

    trainable: bool = read_only("Whether optimizers train the variable by default.")
    synchronization: VariableSynchronization = read_only(
        "The `tf.VariableSynchronization`: when the copies on several devices are synchronized."
    )
    aggregation: VariableAggregation = read_only(
        "The `tf.VariableAggregation`: how updates from several devices are combined."
    )
    constraint: Any = read_only("The `constraint` function, or None.")
    initial_value: Any = read_only(
        "The initial value, a tensor; it may depend on uninitialized variables."
    )

    SaveSliceInfo = SaveSliceInfo
    initializer: Any = read_only("The operation that assigns the initial value.", "_initializer_op")

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {VARIABLE_VALUE_KEY: self}

    __array_priority__ = 100

    _graph_element: Any
    _initial_value: Any
    _initializer_op: Any
    _save_slice_info: Any = None
    _constraint: Any = None
    _trainable: bool = True
    _synchronization = VariableSynchronization.AUTO
    _aggregation = VariableAggregation.NONE

    def __init__(
        self,
        initial_value: TensorLike | None = None,
        trainable: bool | None = None,
        collections: Sequence[str] | None = None,
        validate_shape: bool = True,
        caching_device: str | Callable[..., Any] | None = None,
        name: str | None = None,
        variable_def: proto.VariableDef | None = None,
        dtype: DTypeLike | None = None,
        expected_shape: ShapeLike | None = None,
        import_scope: str | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
        shape: TensorLike | None = None,
    ):
        raise NotImplementedError("abstract: use a subclass constructor")

    # Properties ----------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of its tensor, such as "weights:0"."""
        raise NotImplementedError

    @property
    def dtype(self) -> Any:
        """The dtype of its value; a reference dtype for reference variables."""
        raise NotImplementedError

    @property
    def op(self) -> Any:
        """The operation that represents the variable."""
        raise NotImplementedError

    @property
    def graph(self) -> Any:
        """The graph of the variable."""
        raise NotImplementedError

    @property
    def device(self) -> str:
        """The device of the variable, as a string."""
        raise NotImplementedError

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        raise NotImplementedError

    def get_shape(self) -> TensorShape:
        """Returns the static shape; older spelling of `shape`."""
        return self.shape

    def set_shape(self, shape: TensorLike) -> None:
        """Narrows the static shape of the variable and its value."""
        raise NotImplementedError

    @property
    def _shared_name(self) -> str:
        return self.name[: self.name.index(":")]

    def _as_graph_element(self) -> Any:
        return self._graph_element

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.get_shape()} dtype={self.dtype.name}>"

    def __iter__(self) -> Any:
        raise TypeError("'Variable' object is not iterable.")

    def experimental_ref(self) -> Reference:
        """Returns a hashable reference to the variable, whose `deref()` returns the variable."""
        return Reference(self)

    def _set_save_slice_info(self, save_slice_info: Any) -> None:
        self._save_slice_info = save_slice_info

    def _get_save_slice_info(self) -> Any:
        return self._save_slice_info

    # Reading -------------------------------------------------------------------------------------

    def value(self) -> Tensor:
        """Returns the value as a tensor, possibly a cached read, as used by operators."""
        raise NotImplementedError

    def read_value(self) -> Tensor:
        """Returns the value as a new tensor, read after the open control dependencies."""
        raise NotImplementedError

    def eval(self, session: DefaultSession | None = None) -> FetchedValue:
        """Evaluates the variable in `session`, by default the default session; returns a numpy array."""
        return self._as_graph_element().eval(session=session)

    @deprecated(
        None,
        "Use Variable.read_value. Variables in 2.X are initialized "
        "automatically both in eager and graph (inside tf.defun) contexts.",
    )
    def initialized_value(self) -> Tensor:
        """Returns the value if initialized, else the initial value; for use in initial values of other variables."""
        with init_scope():
            return ops.cond(
                ops.is_variable_initialized(self), self.read_value, lambda: self.initial_value
            )

    def sparse_read(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Gathers rows of the value, for resource variables only; use `tf.gather` for other variables.

        Raises:
          AttributeError: if it is not a resource variable.
        """
        raise AttributeError

    def gather_nd(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Gathers elements or slices of the value, for resource variables only; use `tf.gather_nd` for other variables.

        Raises:
          AttributeError: if it is not a resource variable.
        """
        raise AttributeError

    def __getitem__(self, slice_spec: Any) -> Any:
        """Slices the value like a tensor; `assign(value)` of the result assigns to the slice."""
        return Tensor.__getitem__(self.value(), slice_spec, self)

    # Writing -------------------------------------------------------------------------------------

    def assign(
        self,
        value: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Assigns `value`.

        Args:
          value: a value of its dtype and shape.
          use_locking: ignored, since writes are always exclusive.
          read_value: whether to return the new value rather than the operation.
        """
        raise NotImplementedError

    def assign_add(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Adds `delta`; see `assign`."""
        raise NotImplementedError

    def assign_sub(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Subtracts `delta`; see `assign`."""
        raise NotImplementedError

    def _scatter(
        self, op_type: str, sparse_delta: IndexedSlices, use_locking: bool, name: Any
    ) -> Any:
        """Adds the scatter op `op_type`, such as ScatterAdd, for the slices."""
        raise NotImplementedError

    def _scatter_slices(self, op_type: str, sparse_delta: Any, use_locking: bool, name: Any) -> Any:
        if not isinstance(sparse_delta, IndexedSlices):
            raise TypeError(f"sparse_delta is not IndexedSlices: {sparse_delta!s}")
        return self._scatter(op_type, sparse_delta, use_locking, name)

    def scatter_sub(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Subtracts IndexedSlices from the rows."""
        return self._scatter_slices("ScatterSub", sparse_delta, use_locking, name)

    def scatter_add(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Adds IndexedSlices to the rows."""
        return self._scatter_slices("ScatterAdd", sparse_delta, use_locking, name)

    def scatter_max(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replaces the rows by their elementwise maximum with the rows of IndexedSlices."""
        return self._scatter_slices("ScatterMax", sparse_delta, use_locking, name)

    def scatter_min(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replaces the rows by their elementwise minimum with the rows of IndexedSlices."""
        return self._scatter_slices("ScatterMin", sparse_delta, use_locking, name)

    def scatter_mul(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Multiplies the rows by the rows of IndexedSlices."""
        return self._scatter_slices("ScatterMul", sparse_delta, use_locking, name)

    def scatter_div(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Divides the rows by the rows of IndexedSlices."""
        return self._scatter_slices("ScatterDiv", sparse_delta, use_locking, name)

    def scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Sets the rows to the rows of IndexedSlices."""
        return self._scatter_slices("ScatterUpdate", sparse_delta, use_locking, name)

    def scatter_nd_sub(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        """Subtracts `updates` at `indices`; see `tf.scatter_nd_sub`."""
        raise NotImplementedError

    def scatter_nd_add(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        """Adds `updates` at `indices`; see `tf.scatter_nd_add`."""
        raise NotImplementedError

    def scatter_nd_update(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Any:
        """Assigns `updates` at `indices`; see `tf.scatter_nd_update`."""
        raise NotImplementedError

    @deprecated(None, "Prefer Dataset.range instead.")
    def count_up_to(self, limit: int) -> Tensor:
        """Increments the variable and returns the previous value; fails with OutOfRangeError at `limit`."""
        raise NotImplementedError

    def batch_scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Assigns elements along the last axis of the indices; see `tf.batch_scatter_update`."""
        return ops.batch_scatter_update(
            self, sparse_delta.indices, sparse_delta.values, use_locking=use_locking, name=name
        )

    @deprecated(None, "Prefer Variable.assign which has equivalent behavior in 2.X.")
    def load(self, value: TensorLike, session: DefaultSession | None = None) -> None:
        """Assigns a numpy `value` immediately, in `session`, by default the default session."""
        if executing_eagerly():
            self.assign(value)
            return
        session = session or get_default_session()
        if session is None:
            raise ValueError(
                "Either session argument should be provided or default session should be "
                "established"
            )
        session.run(self.initializer, {self.initializer.inputs[1]: value})

    @staticmethod
    def from_proto(variable_def: proto.VariableDef, import_scope: str | None = None) -> Any:
        """Returns the variable of the graph that a VariableDef proto describes."""
        return create(variable_def=variable_def, import_scope=import_scope)

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Returns a VariableDef proto with the node names, or None if the variable is outside `export_scope`."""
        raise NotImplementedError

    def _variable_def(
        self, name: str, snapshot: str, export_scope: str | None, **extra_fields: Any
    ) -> Any:
        """Implements `to_proto` for this node name and snapshot name."""
        if export_scope is not None and not name.startswith(export_scope):
            return None
        message = proto.VariableDef(
            variable_name=strip_name_scope(name, export_scope),
            initializer_name=strip_name_scope(self.initializer.name, export_scope),
            snapshot_name=strip_name_scope(snapshot, export_scope),
            trainable=self.trainable,
            synchronization=self.synchronization.value,
            aggregation=self.aggregation.value,
            **extra_fields,
        )
        if self._initial_value is not None:
            message.initial_value_name = strip_name_scope(self._initial_value.name, export_scope)
        if self._save_slice_info:
            message.save_slice_info_def.MergeFrom(self._save_slice_info.to_proto(export_scope))
        return message

    @classmethod
    def _OverloadAllOperators(cls) -> None:
        """Installs the operators of tensors on the class; libraries call it for their subclasses."""
        for operator in sorted(Tensor.OVERLOADABLE_OPERATORS - {"__getitem__"}):
            cls._OverloadOperator(operator)

    @classmethod
    def _OverloadOperator(cls, operator: str) -> None:
        """Installs a tensor operator on the class, applied to the variable's value."""
        if operator in ("__eq__", "__ne__"):
            return

        @functools.wraps(getattr(Tensor, operator))
        def method(self: Variable, *args: Any) -> Any:
            return getattr(Tensor, operator)(self.value(), *args)

        setattr(cls, operator, method)


Variable._OverloadAllOperators()
