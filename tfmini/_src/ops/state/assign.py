"""Reference variables: ops that create, assign and increment state that persists across runs.

The value of a `Ref(T)` tensor is the variable's cell (`executor/state/resources.py`). Kernels read it with
`read()`, replace its array with `assign` and modify it in place with `update`, whose function
validates before writing, so that a failed op changes nothing.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes, errors
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import merge, same_shape, scalar, text, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.state import temporary_variable as temporaries
from tfmini._src.ops.type_lists import REAL_NUMBERS

NUMBERS = (
    *(dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint8, dtypes.int16, dtypes.int8),
    *(dtypes.complex64, dtypes.int64, dtypes.qint8, dtypes.quint8, dtypes.qint32, dtypes.bfloat16),
    *(dtypes.uint16, dtypes.complex128, dtypes.float16, dtypes.uint32, dtypes.uint64),
)
COUNTERS = (dtypes.int32, dtypes.int64)


def as_array(xp: Any, value: Any, dtype: dtypes.DType) -> Any:
    """Converts a kernel input to an array; scalars may be numpy scalars, and scalar strings bytes."""
    return xp.asarray(value, dtype=dtype.numpy)


# Variables -------------------------------------------------------------------------------------


def _cell(ctx: Any, shape: tuple | None) -> Any:
    if shape is not None and None in shape:
        invalid(f"Shape {text(shape)} is not fully defined")
    return ctx.resources.variable(ctx.op)


@op(
    "VariableV2",
    "-> ref: Ref(dtype)",
    infer=lambda op: op.attrs["shape"],
    stateful=True,
    makes_variable=True,
    shape=Attr("shape"),
    dtype=Attr("type"),
    container="",
    shared_name="",
)
def variable_v2(ctx, *, shape):
    return _cell(ctx, shape)


@op(
    "Variable",
    "-> ref: Ref(dtype)",
    infer=lambda op: op.attrs["shape"] or None,
    stateful=True,
    makes_variable=True,
    shape=Attr("shape"),
    dtype=Attr("type"),
    container="",
    shared_name="",
)
def variable(ctx, *, shape):
    return _cell(ctx, shape)


# In this legacy op, the shape [] means unknown.


@op(
    "IsVariableInitialized",
    "ref: Ref(dtype) -> is_initialized: bool",
    infer=scalar,
    uninitialized_input=True,
    dtype=Attr("type"),
)
def is_variable_initialized_op(ctx, ref):
    return ctx.xp.asarray(ref.initialized)


@public
def is_variable_initialized(ref: Any, name: str | None = None) -> Tensor:
    """Returns whether variable `ref` (or its ref tensor) is initialized, as a scalar bool tensor."""
    if ref.dtype._is_ref_dtype:
        return raw.IsVariableInitialized(ref, name=name)
    return ref.is_initialized(name=name)


@op(
    "ZeroInitializer",
    "ref: Ref(T) -> output_ref: Ref(T)",
    infer=same_shape,
    uninitialized_input=True,
    T=REAL_NUMBERS,
)
def zero_initializer_op(ctx, ref):
    fill_with_zeros(ctx.xp, ref, ref.dims or ())
    return ref


def fill_with_zeros(xp: Any, cell: Any, dims: tuple) -> None:
    """Initializes a variable with zeros; raises InvalidArgumentError if it is already initialized."""
    if cell.initialized:
        invalid("input is already initialized")
    cell.assign(xp.zeros(dims, cell.dtype.numpy), is_owned=True)


class _TemporaryCell:
    """The cell of a temporary variable, which is private to the run that created it."""

    def __init__(self, name: str, array: Any):
        self.name = name
        self.array = array
        self.dims = array.shape
        self.initialized = True

    def read(self) -> Any:
        return self.array

    def assign(self, array: Any, is_owned: bool = False) -> None:
        self.array = array if is_owned else array.copy()

    def take(self) -> Any:
        return self.array.copy()

    def put(self, array: Any) -> None:
        self.array = array

    def update(self, change: Any) -> None:
        array = self.take()
        result = change(array)
        self.put(array if result is None else result)


@op(
    "TemporaryVariable",
    "-> ref: Ref(dtype)",
    infer=lambda op: op.attrs["shape"],
    stateful=True,
    has_step_state=True,
    shape=Attr("shape"),
    dtype=Attr("type"),
    var_name="",
)
def temporary_variable(ctx, *, shape, dtype, var_name):
    name = var_name or ctx.op.name
    temporaries.take(name)
    return _TemporaryCell(name, ctx.xp.zeros(shape, dtype.numpy))


@op(
    "DestroyTemporaryVariable",
    "ref: Ref(T) -> value: T",
    infer=lambda op: op.inputs[0]._dims,
    T=Attr("type"),
    var_name=Attr("string"),
)
def destroy_temporary_variable(ctx, ref, *, var_name):
    temporaries.release_name(var_name)
    return ref.read()


# Assignment ------------------------------------------------------------------------------------


def _merged_dims(op: Any) -> Any:
    return merge(op.inputs[0]._dims, op.inputs[1]._dims)


@op(
    "Assign",
    "ref: Ref(T), value: T -> output_ref: Ref(T)",
    infer=lambda op: _merged_dims(op) if op.attrs["validate_shape"] else op.inputs[1]._dims,
    differentiable=False,
    uninitialized_input=True,
    T=Attr("type"),
    validate_shape=True,
    use_locking=True,
)
def assign_op(ctx, ref, value, *, T, validate_shape):
    value = as_array(ctx.xp, value, T)
    if validate_shape:
        old_shape = ref.read().shape if ref.initialized else ref.dims or ()
        if old_shape != value.shape:
            invalid(
                "Assign requires shapes of both tensors to match. "
                f"lhs shape= {text(old_shape)} rhs shape= {text(value.shape)}",
            )
    ref.assign(value, "value" in ctx.owned)
    return ref


def _declare_update(name: str, function: str) -> None:
    """Declares AssignAdd or AssignSub, with the numpy function `function` as kernel."""

    @op(
        name,
        "ref: Ref(T), value: T -> output_ref: Ref(T)",
        differentiable=False,
        T=NUMBERS,
        use_locking=False,
    )
    def update(ctx, ref, value):
        array = ref.take()
        try:
            if array.shape != getattr(value, "shape", ()):
                invalid("Parameters and update must be the same size")
            getattr(ctx.xp, function)(array, value, out=array)
        finally:
            ref.put(array)
        return ref

    update.infer(_merged_dims)


_declare_update("AssignAdd", "add")
_declare_update("AssignSub", "subtract")


@public
def assign(
    ref: Any,
    value: TensorLike,
    validate_shape: bool | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> Any:
    """Sets variable `ref` to `value`.

    Args:
      ref: a variable or its ref tensor.
      value: a tensor with the dtype and shape of the variable.
      validate_shape: whether a different shape is an error (the default); for ref variables only.
      use_locking: ignored; assignments are always exclusive.

    Returns:
      The new value: the ref after the assignment, or a resource variable that reads after it.

    Example: `sess.run(tf.assign(v, v * 2.0))`.
    """
    if ref.dtype._is_ref_dtype:
        return raw.Assign(
            ref, value, use_locking=use_locking, name=name, validate_shape=validate_shape
        )
    return ref.assign(value, name=name)


@public
def assign_add(
    ref: Any, value: TensorLike, use_locking: bool | None = None, name: str | None = None
) -> Any:
    """Adds `value`, of the same dtype and shape, to variable `ref`; returns the same as `tf.assign`."""
    if ref.dtype._is_ref_dtype:
        return raw.AssignAdd(ref, value, use_locking=use_locking, name=name)
    return ref.assign_add(value)


@public
def assign_sub(
    ref: Any, value: TensorLike, use_locking: bool | None = None, name: str | None = None
) -> Any:
    """Subtracts `value`, of the same dtype and shape, from variable `ref`; returns the same as `tf.assign`."""
    if ref.dtype._is_ref_dtype:
        return raw.AssignSub(ref, value, use_locking=use_locking, name=name)
    return ref.assign_sub(value)


# Counting --------------------------------------------------------------------------------------


def increment_cell(ctx: Any, cell: Any, limit: int) -> Any:
    """Increments the cell by one and returns its previous value; raises OutOfRangeError at `limit`."""
    previous_op = None

    def change(array):
        nonlocal previous_op
        if array.ndim:
            invalid(f"input is not a scalar: {text(array.shape)}")
        if array >= limit:
            raise errors.OutOfRangeError(None, ctx.op, f"Reached limit of {limit}")
        previous_op = array.copy()
        ctx.xp.add(array, 1, out=array)

    cell.update(change)
    return previous_op


@op("CountUpTo", "ref: Ref(T) -> output: T", limit=Attr("int"), T=COUNTERS)
def count_up_to_op(ctx, ref, *, limit):
    return increment_cell(ctx, ref, limit)


count_up_to_op.infer(lambda op: with_rank(op.inputs[0]._dims, 0))


@public
@deprecated(None, "Prefer Dataset.range instead.")
def count_up_to(ref: Any, limit: int, name: str | None = None) -> Tensor:
    """Increments `ref`, an integer scalar variable, and returns its previous value.

    Raises (when run):
      OutOfRangeError: if the variable has reached `limit`.
    """
    if ref.dtype._is_ref_dtype:
        return raw.CountUpTo(ref, limit=limit, name=name)
    return raw.ResourceCountUpTo(ref.handle, limit=limit, T=ref.dtype, name=name)
