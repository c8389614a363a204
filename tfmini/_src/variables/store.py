"""The `get_variable` variables of a graph by name, which the store creates or reuses."""

from __future__ import annotations

import enum
import inspect
import os
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.error_hints import add_hint
from tfmini._src.base.package import PACKAGE_DIRECTORY
from tfmini._src.base.records import dataclass
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import colocate_with, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
    checked_modes,
)
from tfmini._src.variables.enable_resource_variables import resource_variables_enabled
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions, init_scope
from tfmini._src.variables.initializers import GlorotUniform, Zeros
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.resource_variable import ResourceVariable
from tfmini._src.variables.save_slice_info import (
    PartitionInfo,
    SaveSliceInfo,
    partition_counts,
    partition_slices,
)
from tfmini._src.variables.variable import Variable

_PACKAGE = PACKAGE_DIRECTORY + os.sep
_REUSE_ADVICE = (
    "to build a model again in the same process, as a notebook cell that is run again does, call "
    "tf.reset_default_graph() first or build in a new tf.Graph()."
)


class _ReuseMode(enum.Enum):
    """Values of `reuse=` other than True, False and None."""

    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE


@dataclass
class Request:
    """A `get_variable` request to the store; `name` is the full name, and other fields are as in `tf.get_variable`."""

    name: str
    shape: Any = None
    dtype: Any = dtypes.float32
    initializer: Any = None
    regularizer: Any = None
    reuse: Any = None
    trainable: bool | None = None
    collections: Any = None
    caching_device: Any = None
    partitioner: Any = None
    validate_shape: bool = True
    use_resource: bool | None = None
    constraint: Any = None
    synchronization: Any = VariableSynchronization.AUTO
    aggregation: Any = VariableAggregation.NONE


class VariableStore:
    """The variables of a graph by full name."""

    def __init__(self, keeps_eager_variables: bool = False) -> None:
        self._keeps_eager_variables = keeps_eager_variables
        self._vars: dict[str, Any] = {}
        self._partitioned_vars: dict[str, PartitionedVariable] = {}

    def get_variable(self, request: Request, custom_getter: Callable | None = None) -> Any:
        """Creates or reuses the variable of that name according to `request.reuse`, through `custom_getter`."""
        if custom_getter is not None and not callable(custom_getter):
            raise ValueError(f"Passed a custom_getter which is not callable: {custom_getter}")
        request.synchronization, request.aggregation, request.trainable = checked_modes(
            request.synchronization, request.aggregation, request.trainable, request.name
        )
        request.dtype = getattr(request.dtype, "base_dtype", request.dtype)
        if executing_eagerly():
            request = self._eager(request)
        elif executing_eagerly_outside_functions():
            request.use_resource = True
        if custom_getter is None:
            return self._get(request)
        options = dict(vars(request))
        if not _takes_constraint(custom_getter):
            del options["constraint"]
        return custom_getter(getter=self._getter, **options)

    def _eager(self, request: Request) -> Request:
        """Adapts a request to eager mode, in which only an EagerVariableStore keeps variables."""
        if self._keeps_eager_variables:
            return replace(request, reuse=AUTO_REUSE, use_resource=True)
        if request.reuse:
            raise RuntimeError(
                "When eager execution is enabled variable reuse is only supported when an EagerVariableStore is "
                "active. See the documentation on EagerVariableStore for example usage."
            )
        return replace(request, use_resource=True)

    def _getter(self, *args: Any, **kwargs: Any) -> Any:
        """Gets a variable; passed to custom getters, and called with the fields of `Request`."""
        return self._get(Request(*args, **kwargs))

    def _get(self, request: Request) -> Any:
        name, partitioner = request.name, request.partitioner
        if partitioner is not None and not _is_scalar(request.shape):
            if not callable(partitioner):
                raise ValueError(f"Partitioner must be callable, but received: {partitioner}")
            with name_scope(None):
                return self.get_partitioned(request)
        if request.reuse is True and partitioner is None and name in self._partitioned_vars:
            return self.get_partitioned(request)
        if f"{name}/part_0" in self._vars:
            raise ValueError(
                "No partitioner was provided, but a partitioned version of the variable was found: "
                f"{name}/part_0. Perhaps a variable of the same name was already created with "
                "partitioning?"
            )
        return self._get_single(request)

    # One variable --------------------------------------------------------------------------------

    def _get_single(self, request: Request, partition_info: PartitionInfo | None = None) -> Any:
        name, initializer = request.name, request.initializer
        from_value = initializer is not None and not callable(initializer)
        if request.shape is not None and from_value:
            raise ValueError("If initializer is a constant, do not specify shape.")
        dtype, shape = dtypes.as_dtype(request.dtype), as_shape(request.shape)
        if name in self._vars and (self._keeps_eager_variables or not executing_eagerly()):
            return self._reuse_variable(request, dtype, shape)
        if request.reuse is True:
            raise ValueError(
                f"Variable {name} does not exist, or was not created with tf.get_variable(). Did "
                "you "
                "mean to set reuse=tf.AUTO_REUSE in VarScope?"
            )
        if initializer is None:
            initializer = default_initializer(name, dtype)
        expected = None
        if not from_value:
            initializer, expected = _initial_value(initializer, shape, dtype, partition_info)
        use_resource = request.use_resource
        variable = Variable(
            initial_value=initializer,
            name=name,
            trainable=request.trainable,
            collections=request.collections,
            caching_device=request.caching_device,
            dtype=expected,
            validate_shape=request.validate_shape,
            constraint=request.constraint,
            use_resource=resource_variables_enabled() if use_resource is None else use_resource,
            synchronization=request.synchronization,
            aggregation=request.aggregation,
        )
        if not executing_eagerly():
            self._vars[name] = variable
        elif self._keeps_eager_variables:
            self._vars[name] = variable
            keys = request.collections or [GraphKeys.GLOBAL_VARIABLES]
            trained = [GraphKeys.TRAINABLE_VARIABLES] if request.trainable else []
            get_default_graph().add_to_collections([*keys, *trained], variable)
        logs.vlog(
            1, "Created variable %s with shape %s and init %s", variable.name, shape, initializer
        )
        if request.regularizer:
            _regularize(variable, name, request.regularizer)
        return variable

    def _reuse_variable(self, request: Request, dtype: dtypes.DType, shape: TensorShape) -> Any:
        """Returns the existing variable; raises ValueError if it must not be reused or does not match the request."""
        name = request.name
        variable = self._vars[name]
        if request.reuse is False:
            message = (
                f"Variable {name} already exists, disallowed. Did you mean to set reuse=True or "
                "reuse=tf.AUTO_REUSE in VarScope?"
            )
            if not isinstance(variable, ResourceVariable):
                message += f" Originally defined at:\n\n{_format_creation_stack(variable.op)}"
            raise add_hint(
                ValueError(message),
                _REUSE_ADVICE,
            )
        if not shape.is_compatible_with(variable.get_shape()):
            raise ValueError(
                f"Trying to share variable {name}, but specified shape {shape} and found shape "
                f"{variable.get_shape()}."
            )
        if not dtype.is_compatible_with(variable.dtype):
            raise ValueError(
                f"Trying to share variable {name}, but specified dtype {dtype.name} and found "
                "dtype "
                f"{variable.dtype.name}."
            )
        return variable

    # A variable in parts -------------------------------------------------------------------------

    def get_partitioned(self, request: Request) -> PartitionedVariable:
        """Returns the variable with the partitions "NAME/part_0", "NAME/part_1" ..."""
        name, reuse, initializer = request.name, request.reuse, request.initializer
        if name in self._vars:
            raise ValueError(
                "A partitioner was provided, but an unpartitioned version of the variable was "
                "found: "
                f"{name}.  Perhaps a variable of the same name was already created without "
                "partitioning?"
            )
        shape = as_shape(request.shape)
        if isinstance(initializer, Tensor):
            shape = shape.merge_with(initializer.shape)
        parts = None
        if not reuse or request.partitioner:
            parts = partition_counts(request.partitioner, shape, request.dtype)
        if name in self._partitioned_vars:
            return self._find_partitioned(request, shape, parts)
        if reuse is True or parts is None:
            raise ValueError(
                f"PartitionedVariable {name} does not exist, or was not created with "
                "tf.get_variable(). Did you mean to set reuse=False or reuse=tf.AUTO_REUSE in "
                "VarScope?"
            )
        slices = list(partition_slices(shape.as_list(), parts))
        self._check_parts(name, len(slices))
        variables = [
            self._get_part(request, shape, index, offset, part_shape)
            for index, (offset, part_shape) in enumerate(slices)
        ]
        partitioned_variable = PartitionedVariable(name, shape, request.dtype, variables, parts)
        if self._keeps_eager_variables or not executing_eagerly():
            self._partitioned_vars[name] = partitioned_variable
        return partitioned_variable

    def _get_part(
        self, request: Request, shape: TensorShape, index: int, offset: list, part_shape: list
    ) -> Any:
        name = f"{request.name}/part_{index}"
        initializer, dtype = request.initializer, request.dtype
        info = PartitionInfo(shape.as_list(), offset)
        requested_shape: Any = part_shape
        with name_scope(f"{name}/PartitionedInitializer"):
            if initializer is None:
                initializer = default_initializer(request.name, dtype)
            elif not callable(initializer):
                if not isinstance(initializer, Tensor):
                    initializer = ops.convert_to_tensor(initializer, dtype=dtype)
                else:
                    dtype = initializer.dtype.base_dtype
                initializer = ops.slice(initializer, offset, part_shape)
                requested_shape = None
        part = replace(
            request, name=name, shape=requested_shape, dtype=dtype, initializer=initializer
        )
        with name_scope(None):
            variable = self._get_single(part, info)
        variable._set_save_slice_info(
            SaveSliceInfo(request.name, shape.as_list(), offset, part_shape)
        )
        return variable

    def _check_parts(self, name: str, count: int) -> None:
        """Raises ValueError unless there are as many partitions as the partitioner returned."""
        if f"{name}/part_0" not in self._vars:
            return
        message = (
            "Partitioner returned a different partitioning than what was already found.  "
            "Partitioner "
            f"returned {count} shards, and shard {name}/part_0 was found, but"
        )
        if f"{name}/part_{count - 1}" not in self._vars:
            raise ValueError(f"{message} {name}/part_{count - 1} was not.")
        if f"{name}/part_{count}" in self._vars:
            raise ValueError(f"{message} so was the extra shard {name}/part_{count}.")

    def _find_partitioned(self, request: Request, shape: TensorShape, parts: Any) -> Any:
        name = request.name
        variable = self._partitioned_vars[name]
        if request.reuse is False:
            raise add_hint(
                ValueError(
                    f"Partitioned variable with name {name} already exists. Did you mean to set "
                    "reuse=True or reuse=tf.AUTO_REUSE in VarScope?"
                ),
                _REUSE_ADVICE,
            )
        trying = f"Trying to reuse partitioned variable {name}, but specified"
        if not shape.is_compatible_with(variable.get_shape()):
            raise ValueError(f"{trying} shape {shape} and found shape {variable.get_shape()}.")
        if not request.dtype.is_compatible_with(variable.dtype):
            raise ValueError(
                f"{trying} dtype {request.dtype.name} and found dtype {variable.dtype.name}."
            )
        if parts is not None and variable._get_partitions() != parts:
            raise ValueError(
                f"{trying} partitions {parts} and found partitions {variable._get_partitions()}."
            )
        return variable


def _is_scalar(shape: Any) -> bool:
    return isinstance(shape, Sequence) and not shape


def _takes_constraint(getter: Callable) -> bool:
    parameters = inspect.signature(getter).parameters
    return "constraint" in parameters or any(
        p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()
    )


def default_initializer(name: str, dtype: dtypes.DType) -> Any:
    """Returns the initializer for a variable without an explicit initializer."""
    if dtype.is_floating:
        return GlorotUniform()
    if dtype.is_integer or dtype.is_bool or dtype == dtypes.string:
        return Zeros()
    raise ValueError(f"An initializer for variable {name} of {dtype.base_dtype} is required")


def _initial_value(
    initializer: Any, shape: TensorShape, dtype: dtypes.DType, partition_info: Any
) -> tuple[Callable, dtypes.DType | None]:
    """Returns a function that computes the initial value, and the dtype to convert it to."""
    if isinstance(initializer, type):
        with init_scope():
            initializer = initializer()
    dims = shape._dims
    if dims is not None and None not in dims:
        sizes = list(dims)
        return (
            lambda: initializer(sizes, dtype=dtype, partition_info=partition_info),
            dtype.base_dtype,
        )
    spec = inspect.getfullargspec(initializer)
    if len(spec.args) != len(spec.defaults or ()):
        raise ValueError(
            "The initializer passed is not valid. It should be a callable with no arguments and "
            "the "
            "shape should not be provided or an instance of `tf.keras.initializers.*' and `shape` "
            "should be fully defined."
        )
    return initializer, None


def _regularize(variable: Any, name: str, regularizer: Callable) -> None:
    """Adds the regularization loss of a variable to the REGULARIZATION_LOSSES collection."""
    with colocate_with(variable), name_scope(f"{name}/Regularizer/"), init_scope():
        loss = regularizer(variable)
    if loss is None:
        return
    logs.vlog(
        1,
        "Applied regularizer to %s and added the result %s to REGULARIZATION_LOSSES.",
        variable.name,
        "" if executing_eagerly() else loss.name,
    )
    add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)


def _format_creation_stack(op: Any) -> str:
    """Formats the innermost lines of the creation stack of `op` that are outside tfmini, as in a traceback."""
    frames = [tuple(frame) for frame in reversed(op.traceback)]
    return "".join(traceback.format_list([f for f in frames if not f[0].startswith(_PACKAGE)][:5]))
