"""Optimizer update ops; one array formula serves the dense, sparse, reference and resource forms.

A formula modifies the arrays of a variable and its slots in place: `formula(xp, var, slot ..., tensor ..., attr=...)`.
Dense updates apply it to blocks on several threads, sparse updates to the indexed rows, in several rounds
if an index repeats, so that each occurrence sees the previous update.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InternalError, NotFoundError, invalid
from tfmini._src.base.records import dataclass
from tfmini._src.devices.host.native.optimizers import row_update_functions, update_functions
from tfmini._src.devices.host.threads import part_bounds, run_parts, thread_count
from tfmini._src.graph.op_traits.handle_kinds import TRAINED_VARIABLE, VARIABLE
from tfmini._src.graph.opdef import op
from tfmini._src.graph.shape_inference import merge, merge_dim, text, with_rank
from tfmini._src.ops.state.resource_variables import handle_dims_or_own
from tfmini._src.ops.type_lists import NUMBERS

# Minimum elements for threads. Threads hand over the GIL at every ufunc, so their blocks are large: with 16k
# elements, two threads are slower than one. A formula of a dozen ufuncs gains from a second thread above
# `_MIN_PARALLEL_ELEMENTS`, one of two or three above `_MIN_PARALLEL_LIGHT_ELEMENTS`.
_BLOCK = 1 << 17
_MIN_PARALLEL_ELEMENTS = 1 << 17
_MIN_PARALLEL_LIGHT_ELEMENTS = 1 << 19
# Elements that the calling thread updates before another wakes up, for a formula of a dozen ufuncs.
_HEAD_START = 1 << 14

# Input names in error messages, where they differ from the signature.
_NAMES = {
    "l1": "l1 regularization strength",
    "l2": "l2 regularization strength",
    "l2_shrinkage": "l2 shrinkage regularization strength",
}
# The messages of these ops have a space before the colon after "lr is not a scalar".
_SPACED_ERROR_OPS = frozenset(
    ("ApplyAdam", "ApplyAdaMax", "ApplyAdamWithAmsgrad", "ApplyRMSProp", "ApplyCenteredRMSProp")
) | {"SparseApplyMomentum", "SparseApplyKerasMomentum"}

_BOUNDS: dict[str, Callable[[Any], bool]] = {
    "positive": lambda value: value > 0,
    "non-negative": lambda value: value >= 0,
    "non-positive": lambda value: value <= 0,
}


@dataclass(frozen=True)
class UpdateSpec:
    """An optimizer update, with the arguments of `declare_updates`."""

    update_name: str
    cells: tuple[str, ...]
    tensors: tuple[str, ...]
    gradient: str
    bounds: Mapping[str, str]
    unranked: frozenset[str]
    late: tuple[str, ...]
    light: bool
    attrs: Mapping[str, Any]
    row_options: Mapping[str, bool]
    formula: Callable


def declare_updates(
    update_name: str,
    cells: tuple[str, ...],
    tensors: tuple[str, ...],
    sparse_tensors: tuple[str, ...] | None = None,
    gradient: str = "grad",
    resource_only: bool = False,
    bounds: Mapping[str, str] | None = None,
    unranked: Sequence[str] = (),
    late: Sequence[str] = (),
    is_light: bool = False,
    row_options: Mapping[str, bool] | None = None,
    **attrs: Any,
) -> Callable[[Callable], Callable]:
    """Declares the op `Apply<update_name>`, its Resource form and, with `sparse_tensors`, the Sparse forms of both.

    Args:
      update_name: the op name after "Apply", such as "Adam".
      cells: the names of the variable and its slots, in the order of the signature.
      tensors: the other inputs of the dense form, in order.
      sparse_tensors: the other inputs of the sparse form, including "indices"; None if there is no sparse form.
      gradient: the input with the shape of the variable; all others are scalars.
      resource_only: whether to omit the forms for reference variables.
      bounds: the range of a scalar: "positive", "non-negative" or "non-positive".
      unranked: scalars whose static rank TensorFlow does not check.
      late: slots that a resource form looks up after the variable, with a different error message.
      is_light: whether the formula consists of only two or three ufuncs.
      row_options: keyword arguments of the formula in the sparse form.
      **attrs: the attrs after `T` and `use_locking`.
    """

    def declare(formula: Callable) -> Callable:
        spec = UpdateSpec(
            update_name,
            cells,
            tensors,
            gradient,
            bounds or {},
            frozenset(unranked),
            tuple(late),
            is_light,
            attrs,
            row_options or {},
            formula,
        )
        for resource in (True,) if resource_only else (False, True):
            _declare_dense(spec, resource)
            if sparse_tensors is not None:
                _declare_sparse(spec, sparse_tensors, resource)
        return formula

    return declare


def _signature(cells: Sequence[str], tensors: Sequence[str], resource: bool) -> str:
    input_type = "resource" if resource else "Ref(T)"
    inputs = [f"{name}: {input_type}" for name in cells]
    types = {"indices": "Tindices", "global_step": "int64"}
    inputs += [f"{name}: {types.get(name, 'T')}" for name in tensors]
    return ", ".join(inputs) + (" -> " if resource else " -> out: Ref(T)")


# Dense -----------------------------------------------------------------------------------------


def _declare_dense(spec: UpdateSpec, resource: bool) -> None:
    name = "Apply" + spec.update_name
    count, index = len(spec.cells), spec.tensors.index(spec.gradient)

    def bind(ctx: Any) -> Callable:
        xp, options = ctx.xp, {n: ctx.attrs[n] for n in spec.attrs}
        formula = spec.formula
        parallel: float = _MIN_PARALLEL_LIGHT_ELEMENTS if spec.light else _MIN_PARALLEL_ELEMENTS
        native = (
            update_functions(formula.__name__, ctx.attrs["T"].as_numpy_dtype) if xp is np else None
        )
        if native is not None:
            formula = _compute_in_one_pass(native, formula, count, index, options)
            parallel = math.inf  # the native kernel is already parallel
        check = _scalar_checker(name, spec, spec.tensors, ctx.op.inputs[count:])

        def update(*inputs: Any) -> Any:
            cells, values = inputs[:count], inputs[count:]
            if resource:
                cells = _variables(cells, spec)
            arrays = _take(cells, spec, resource)
            try:
                if check is not None:
                    check(values)
                var = arrays[0]
                shape = var.shape
                _check_shapes(spec, arrays, values[index])
                if xp is not np or (shape and var.size < parallel):
                    formula(xp, *arrays, *values, **options)
                else:
                    _in_blocks(xp, arrays, list(values), index, options, formula)
            finally:
                _put_arrays(cells, arrays)
            return None if resource else cells[0]

        return update

    def kernel(ctx: Any, *inputs: Any) -> Any:
        return bind(ctx)(*inputs)

    attrs = {"T": NUMBERS, "use_locking": False, **spec.attrs}
    signature = _signature(spec.cells, spec.tensors, resource)
    opdef = op(
        ("Resource" if resource else "") + name,
        signature,
        stateful=resource,
        device_state=resource,
        **attrs,
    )(kernel)
    opdef.bind(bind)
    opdef.grouped_update = spec.formula.__name__
    opdef.scalar_bounds = {name: _BOUNDS[bound] for name, bound in spec.bounds.items()}

    @opdef.infer
    def _(op: Any) -> Any:
        dims = _cell_dims(op, count, resource)
        for tensor_name, tensor in zip(spec.tensors, op.inputs[count:]):
            if tensor_name == spec.gradient:
                dims = merge(dims, tensor._dims)
            elif tensor_name not in spec.unranked:
                with_rank(tensor._dims, 0)
        return [] if resource else dims


def _compute_in_one_pass(
    native: Callable, formula: Callable, count: int, index: int, options: dict
) -> Callable:
    """Computes the formula with a native single-pass kernel if the arrays support it."""
    flag = any(options.values())

    def update(xp: Any, *arguments: Any, **options: Any) -> None:
        cells, scalars = arguments[:count], list(arguments[count:])
        gradient = scalars.pop(index)
        if not native([(*cells, gradient)], scalars, flag):
            formula(xp, *arguments, **options)

    return update


def _in_blocks(
    xp: Any, arrays: list, values: list, index: int, options: dict, formula: Callable
) -> None:
    """Computes the formula for the elements of the arrays and of values[index], in blocks on threads."""
    first = arrays[0]
    if not first.ndim:  # NumPy scalars cannot be written to
        arrays = [a.reshape(1) for a in arrays]
        values[index] = xp.reshape(values[index], 1)
        formula(xp, *arrays, *values, **options)
        return
    if not all(a.flags.c_contiguous for a in arrays):
        formula(xp, *arrays, *values, **options)
        return
    flat = [a.reshape(-1) for a in arrays]
    gradient = values[index].reshape(-1)
    size = first.size
    parts = thread_count()
    bounds = part_bounds(size, parts, _HEAD_START)

    def work(part: int) -> None:
        own_values = list(values)
        for begin in range(bounds[part], bounds[part + 1], _BLOCK):
            span = slice(begin, min(begin + _BLOCK, bounds[part + 1]))
            own_values[index] = gradient[span]
            formula(xp, *(a[span] for a in flat), *own_values, **options)

    run_parts(work, parts)


_UNSIGNED = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}  # by the size of an index


# Sparse ----------------------------------------------------------------------------------------


def _declare_sparse(spec: UpdateSpec, tensors: tuple[str, ...], resource: bool) -> None:
    name = "SparseApply" + spec.update_name
    count = len(spec.cells)
    grad_position, at_indices = tensors.index("grad"), tensors.index("indices")
    # Positions of the formula's arguments among the sparse form's inputs.
    order = [tensors.index("grad" if n == spec.gradient else n) for n in spec.tensors]
    index = spec.tensors.index(spec.gradient)

    def bind(ctx: Any) -> Callable:
        xp, options = ctx.xp, {**{n: ctx.attrs[n] for n in spec.attrs}, **spec.row_options}
        formula, dtype = spec.formula, ctx.attrs["T"].as_numpy_dtype
        native = row_update_functions(formula.__name__, dtype) if xp is np else None
        flag = any(options.values())
        check = _scalar_checker(name, spec, tensors, ctx.op.inputs[count:])

        def update(*inputs: Any) -> Any:
            cells, values = inputs[:count], inputs[count:]
            if resource:
                cells = _variables(cells, spec)
            arrays = _take(cells, spec, resource)
            try:
                if check is not None:
                    check(values)
                rows, indices = values[grad_position], values[at_indices]
                _check_rows(spec, arrays, rows, indices)
                arguments = [values[i] for i in order]
                scalars = arguments[:index] + arguments[index + 1 :]
                if native is not None and native(arrays, rows, indices, scalars, flag):
                    return None if resource else cells[0]
                for selected in _rounds(xp, indices):
                    row_ids = indices[selected]
                    parts = [a.take(row_ids, 0) for a in arrays]
                    arguments[index] = rows[selected]
                    formula(xp, *parts, *arguments, **options)
                    for array, part in zip(arrays, parts):
                        array[row_ids] = part
            finally:
                _put_arrays(cells, arrays)
            return None if resource else cells[0]

        return update

    def kernel(ctx: Any, *inputs: Any) -> Any:
        return bind(ctx)(*inputs)

    types = {"T": NUMBERS, "Tindices": (dtypes.int32, dtypes.int64)}
    attrs = {**types, "use_locking": False, **spec.attrs}
    signature = _signature(spec.cells, tensors, resource)
    opdef = op(
        ("Resource" if resource else "") + name,
        signature,
        stateful=resource,
        device_state=resource,
        sorts_indices=True,
        **attrs,
    )(kernel)
    opdef.bind(bind)

    @opdef.infer
    def _(op: Any) -> Any:
        dims = _cell_dims(op, count, resource)
        for tensor_name, tensor in zip(tensors, op.inputs[count:]):
            if tensor_name == "grad":
                indices = with_rank(op.inputs[count + at_indices]._dims, 1)
                dims = merge(dims, _target_dims(tensor._dims, indices[0]))
            elif tensor_name != "indices" and tensor_name not in spec.unranked:
                with_rank(tensor._dims, 0)
        return [] if resource else dims


def _target_dims(rows: Any, length: int | None) -> Any:
    """Returns the static shape of the target of `rows`: the shape of `rows` with an unknown first dimension."""
    if not rows:
        return rows
    merge_dim(length, rows[0])
    return (None, *rows[1:])


def _rounds(xp: Any, indices: Any) -> list:
    """Partitions positions in `indices` so that no index repeats within a round, preserving order per index."""
    order = xp.argsort(indices, kind="stable")
    ranked = indices[order]
    repeated = ranked[1:] == ranked[:-1]
    if not repeated.any():
        return [slice(None)]
    occurrence = xp.arange(len(indices)) - xp.searchsorted(ranked, ranked)
    return [order[occurrence == k] for k in range(int(occurrence.max()) + 1)]


# Shared by both --------------------------------------------------------------------------------


def _cell_dims(op: Any, count: int, resource: bool) -> Any:
    """Returns the static shape of the variable and its slots."""
    dims = None
    for tensor in op.inputs[:count]:
        dims = merge(dims, handle_dims_or_own(tensor) if resource else tensor._dims)
    return dims


def _variables(cells: Sequence[Any], spec: UpdateSpec) -> tuple:
    kinds = [VARIABLE if name in spec.late else TRAINED_VARIABLE for name in spec.cells]
    return tuple([kind(cell, dtypes.resource) for kind, cell in zip(kinds, cells)])


def _take(cells: Sequence[Any], spec: UpdateSpec, resource: bool) -> list:
    """Returns the arrays of all cells, writable and locked until `_put`."""
    if resource:
        for name, cell in zip(spec.cells, cells):
            if not cell.initialized and name in spec.late:
                raise NotFoundError(None, None, cell.missing())
            if not cell.initialized:
                raise InternalError(None, None, "Invalid variable reference.")
    arrays: list = []
    try:
        for cell in cells:
            arrays.append(cell.take())
    except BaseException:
        _put_arrays(cells, arrays)
        raise
    return arrays


def _put_arrays(cells: Sequence[Any], arrays: Sequence[Any]) -> None:
    for cell, array in zip(cells, arrays):
        cell.put(array)


def _scalar_checker(
    name: str, spec: UpdateSpec, names: Sequence[str], tensors: Sequence[Any]
) -> Callable[[Sequence], None] | None:
    """Returns a check that raises an error unless the scalars are in range; None if that is statically known."""
    expected = []
    for i, (tensor_name, tensor) in enumerate(zip(names, tensors)):
        bound = spec.bounds.get(tensor_name, "")
        if tensor_name in (spec.gradient, "grad", "indices") or tensor._dims == () and not bound:
            continue
        argument_name = _NAMES.get(
            tensor_name,
            "lr" if name.startswith("Sparse") and tensor_name == "alpha" else tensor_name,
        )
        colon = " :" if tensor_name == "lr" and name in _SPACED_ERROR_OPS else ":"
        message = f"{argument_name} is not a {bound + ' ' if bound else ''}scalar{colon} "
        expected.append((i, _BOUNDS.get(bound), message))

    def check(values: Sequence) -> None:
        for i, in_range, message in expected:
            value = values[i]
            if value.ndim or in_range is not None and not in_range(value):
                invalid(message + text(value.shape))

    return check if expected else None


def _check_shapes(spec: UpdateSpec, arrays: list, gradient: Any) -> None:
    """Raises InvalidArgumentError unless all inputs have the shape of the variable."""
    shape = arrays[0].shape
    if gradient.shape == shape and all(a.shape == shape for a in arrays):
        return
    pairs = [*zip(spec.cells, arrays), (spec.gradient, gradient)]
    name, other = next((n, a.shape) for n, a in pairs if a.shape != shape)
    invalid(f"var and {name} do not have the same shape{text(shape)} {text(other)}")


def _check_rows(spec: UpdateSpec, arrays: list, rows: Any, indices: Any) -> None:
    """Raises InvalidArgumentError unless `rows` match the row shape of the variable and `indices` are in range."""
    var = arrays[0]
    for array in arrays:
        if array.shape != var.shape:
            _check_shapes(spec, arrays, var)
    message = ""
    if var.ndim < 1:
        message = "var must be at least 1 dimensional"
    elif indices.ndim != 1:
        message = "indices must be one-dimensional"
    elif rows.shape[1:] != var.shape[1:]:
        extents = [*rows.shape[1:], *[-1] * var.ndim]
        axis = next((i for i in range(1, var.ndim) if extents[i - 1] != var.shape[i]), var.ndim)
        message = f"var and grad must match in dimension {axis}"
    elif rows.shape[0] != indices.shape[0]:
        message = "grad must be the same size as indices in the first dimension."
    # As an unsigned number, a negative index exceeds all others.
    elif indices.size and indices.view(_UNSIGNED[indices.itemsize]).max() >= len(var):
        position = int(((indices < 0) | (indices >= len(var))).argmax())
        message = f"Index {int(indices[position])} at offset {position} in indices is out of range"
    if message:
        invalid(message)
