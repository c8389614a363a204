"""How an optimizer's update becomes ops: one formula on arrays serves the dense, sparse, reference and resource forms.

A formula changes the arrays of a variable and its slots in place: `formula(xp, var, slot ..., tensor ..., attr=...)`. Dense
updates run it over cache-sized blocks; sparse ones over the rows that the indices name, in rounds where an index
repeats, so that each occurrence sees what the one before it did.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini import dtypes
from tfmini.errors import InvalidArgumentError
from tfmini.graph.inference import merge, text, with_rank
from tfmini.graph.opdef import op
from tfmini.ops.type_lists import NUMBERS

_BLOCK = 16384  # elements: a few arrays of this size stay in a core's cache


def declare_updates(
    kind: str,
    cells: tuple[str, ...],
    tensors: tuple[str, ...],
    sparse_tensors: tuple[str, ...] | None = None,
    gradient: str = "grad",
    resource_only: bool = False,
    **attrs: Any,
) -> Callable[[Callable], Callable]:
    """Declares ApplyKIND, ResourceApplyKIND and, with `sparse_tensors`, their Sparse forms, all by one formula.

    Args:
      kind: "Adam".
      cells: the names of the variable and its slots, in the order of the signature.
      tensors: the other inputs of the dense form, in order.
      sparse_tensors: those of the sparse form, among them "indices"; None if there is none.
      gradient: the input that has the variable's shape; the others are scalars.
      resource_only: there is no form for reference variables.
      **attrs: attrs after `T` and `use_locking`.
    """

    def declare(formula: Callable) -> Callable:
        forms = [("Resource", True)] if resource_only else [("", False), ("Resource", True)]
        for prefix, resource in forms:
            _declare_dense(prefix + "Apply" + kind, resource, cells, tensors, gradient, attrs, formula)
            if sparse_tensors is not None:
                name = prefix + "SparseApply" + kind
                _declare_sparse(name, resource, cells, sparse_tensors, tensors, gradient, attrs, formula)
        return formula

    return declare


def _signature(cells: Sequence[str], tensors: Sequence[str], resource: bool) -> str:
    kind = "resource" if resource else "Ref(T)"
    inputs = [f"{name}: {kind}" for name in cells]
    types = {"indices": "Tindices", "global_step": "int64"}
    inputs += [f"{name}: {types.get(name, 'T')}" for name in tensors]
    return ", ".join(inputs) + (" -> " if resource else " -> out: Ref(T)")


def _declare_dense(
    name: str,
    resource: bool,
    cells: tuple[str, ...],
    tensors: tuple[str, ...],
    gradient: str,
    attrs: dict,
    formula: Callable,
) -> None:
    names = tuple(attrs)
    count, place = len(cells), tensors.index(gradient)

    def kernel(ctx: Any, *inputs: Any) -> Any:
        variables, values = inputs[:count], list(inputs[count:])
        options = {n: ctx.attrs[n] for n in names}
        _check_scalars(tensors, values, gradient)

        def change(arrays: list) -> None:
            _check_shapes(cells, gradient, arrays, values[place])
            _in_blocks(ctx.xp, arrays, values, place, options, formula)

        _update_all(variables, change)
        return None if resource else variables[0]

    declared = op(
        name, _signature(cells, tensors, resource), stateful=resource, T=NUMBERS, use_locking=False, **attrs
    )(kernel)
    position = count + place
    declared.infer(
        (lambda op: []) if resource else (lambda op: merge(op.inputs[0]._dims, op.inputs[position]._dims))
    )


def _declare_sparse(
    name: str,
    resource: bool,
    cells: tuple[str, ...],
    tensors: tuple[str, ...],
    dense_tensors: tuple[str, ...],
    gradient: str,
    attrs: dict,
    formula: Callable,
) -> None:
    names = tuple(attrs)
    count = len(cells)
    gradient = "grad" if "grad" in tensors else gradient
    in_formula = [t if t in tensors else "grad" for t in dense_tensors]

    def kernel(ctx: Any, *inputs: Any) -> Any:
        variables, values = inputs[:count], dict(zip(tensors, inputs[count:]))
        options = {n: ctx.attrs[n] for n in names}
        _check_scalars(tensors, list(values.values()), gradient)
        rows, indices = values[gradient], values["indices"]

        def change(arrays: list) -> None:
            _check_rows(arrays[0], rows, indices)
            others = [values[n] for n in in_formula]
            place = in_formula.index(gradient)
            for chosen in _rounds(ctx.xp, indices):
                at = indices[chosen]
                parts = [a[at] for a in arrays]
                others[place] = rows[chosen]
                formula(ctx.xp, *parts, *others, **options)
                for array, part in zip(arrays, parts):
                    array[at] = part

        _update_all(variables, change)
        return None if resource else variables[0]

    declared = op(
        name,
        _signature(cells, tensors, resource),
        stateful=resource,
        T=NUMBERS,
        Tindices=(dtypes.int32, dtypes.int64),
        use_locking=False,
        **attrs,
    )(kernel)

    def infer(op: Any) -> Any:
        with_rank(op.inputs[count + tensors.index("indices")]._dims, 1)
        return [] if resource else op.inputs[0]._dims

    declared.infer(infer)


def _update_all(cells: Sequence[Any], change: Callable[[list], None]) -> None:
    """Calls `change` with the arrays of all cells, each under its lock; if it raises, none has changed."""

    def step(number: int, arrays: list) -> None:
        if number == len(cells):
            change(arrays)
        else:
            cells[number].update(lambda array: step(number + 1, [*arrays, array]))

    step(0, [])


def _in_blocks(
    xp: Any, arrays: list, values: list, place: int, options: dict, formula: Callable
) -> None:
    """Runs the formula over the elements of the arrays and of values[place], a block at a time."""
    size = arrays[0].size
    if arrays[0].ndim == 0:  # numpy's results of scalars are no arrays to write into
        arrays = [a.reshape(1) for a in arrays]
        values[place] = xp.reshape(values[place], 1)
    whole = values[place]
    if size <= _BLOCK or not all(a.flags.c_contiguous for a in arrays):
        formula(xp, *arrays, *values, **options)
        return
    flat = [a.reshape(-1) for a in arrays]
    gradient = whole.reshape(-1)
    for start in range(0, size, _BLOCK):
        part = slice(start, start + _BLOCK)
        values[place] = gradient[part]
        formula(xp, *(a[part] for a in flat), *values, **options)


def _rounds(xp: Any, indices: Any) -> list:
    """Positions in `indices`, split so that no index repeats within one part; in order for each index."""
    order = xp.argsort(indices, kind="stable")
    ranked = indices[order]
    repeated = ranked[1:] == ranked[:-1]
    if not repeated.any():
        return [slice(None)]
    number = xp.arange(len(indices))
    first = xp.where(xp.concatenate([xp.zeros(1, bool), repeated]), 0, number)
    occurrence = number - xp.maximum.accumulate(first)
    return [order[occurrence == k] for k in range(int(occurrence.max()) + 1)]


def _check_scalars(names: Sequence[str], values: list, gradient: str) -> None:
    for name, value in zip(names, values):
        if name not in (gradient, "indices") and value.ndim != 0:
            raise InvalidArgumentError(None, None, f"{name} is not a scalar: {text(value.shape)}")


def _check_shapes(cells: Sequence[str], gradient: str, arrays: list, grad: Any) -> None:
    for name, array in zip(cells[1:], arrays[1:]):
        if array.shape != arrays[0].shape:
            raise _differ("var", name, arrays[0], array)
    if grad.shape != arrays[0].shape:
        raise _differ("var", gradient, arrays[0], grad)


def _differ(first: str, second: str, a: Any, b: Any) -> InvalidArgumentError:
    return InvalidArgumentError(
        None, None, f"{first} and {second} do not have the same shape{text(a.shape)} {text(b.shape)}"
    )


def _check_rows(var: Any, rows: Any, indices: Any) -> None:
    """Raises InvalidArgumentError unless `rows` are rows of `var` and `indices` name places in it."""
    if var.ndim < 1:
        raise InvalidArgumentError(None, None, "var must be at least 1 dimensional")
    if indices.ndim != 1:
        raise InvalidArgumentError(None, None, "indices must be one-dimensional")
    if rows.shape[0] != indices.shape[0]:
        raise InvalidArgumentError(
            None, None, "grad must be the same size as indices in the first dimension."
        )
    if rows.shape[1:] != var.shape[1:]:
        axis = next(i for i in range(1, var.ndim) if rows.shape[i] != var.shape[i])
        raise InvalidArgumentError(None, None, f"var and grad must match in dimension {axis}")
    wrong = (indices < 0) | (indices >= var.shape[0])
    if wrong.any():
        at = int(wrong.argmax())
        raise InvalidArgumentError(
            None,
            None,
            f"Index {int(indices[at])} at offset {at} in indices is out of range",
        )
