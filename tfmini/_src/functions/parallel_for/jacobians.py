"""Derivatives of all elements of a tensor, vectorized by `pfor` or computed in a loop."""

from __future__ import annotations

from typing import Any

from tfmini._src.autodiff.gradients import gradients
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.base.shapes.dimension import Dimension
from tfmini._src.functions.parallel_for.pfor import for_loop, pfor
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def jacobian(
    output: Tensor, inputs: Any, use_pfor: bool = True, parallel_iterations: int | None = None
) -> Any:
    """Returns the Jacobians of a tensor with respect to other tensors.

    Args:
      output: [*shape], the tensor.
      inputs: tensors, in a nested structure.
      use_pfor: whether to differentiate all elements at once instead of sequentially.
      parallel_iterations: number of elements to differentiate at once.

    Returns:
      The structure of `inputs`; a Jacobian has shape [*shape, *input shape].
    """
    flat = flatten(inputs)
    static, shape = output.shape, ops.shape(output)
    output = ops.reshape(output, [-1])

    def row(index: Tensor) -> Any:
        return gradients(ops.gather(output, index), flat)

    size = output.shape.as_list()[0]
    count: Any = ops.shape(output)[0] if size is None else size
    if use_pfor:
        stacked = pfor(row, count, parallel_iterations=parallel_iterations)
    else:
        stacked = for_loop(
            row, [output.dtype] * len(flat), count, parallel_iterations=parallel_iterations
        )
    results = []
    for part, tensor in zip(stacked, flat):
        if isinstance(part, Tensor):
            part = ops.reshape(part, ops.concat([shape, ops.shape(part)[1:]], 0))
            part.set_shape(static.concatenate(tensor.shape))
        results.append(part)
    return pack_sequence_as(inputs, results)


def batch_jacobian(
    output: Tensor, inp: Tensor, use_pfor: bool = True, parallel_iterations: int | None = None
) -> Any:
    """Returns the per-row Jacobian of a tensor with respect to another.

    Args:
      output: [batch, *shape], whose rows depend only on the same rows of `inp`.
      inp: [batch, *size].
      use_pfor: whether to differentiate all elements of a row at once instead of sequentially.
      parallel_iterations: number of elements to differentiate at once.

    Returns:
      [batch, *shape, *size].

    Raises:
      ValueError: if the tensors differ in their first dimension.
    """
    static = output.shape
    first = Dimension(static[0])
    if not first.is_compatible_with(inp.shape[0]):
        raise ValueError(
            f"Need first dimension of output shape ({output.shape}) and inp shape ({inp.shape}) to match."
        )
    shape: Any = static.as_list() if static.is_fully_defined() else ops.shape(output)
    batch = shape[0]
    width = (
        static.num_elements() // batch if static.is_fully_defined() else ops.size(output) // batch
    )
    sizes = ops.shape(inp)
    with control_dependencies([ops.assert_equal(batch, sizes[0])]):
        output = ops.reshape(output, [batch, width])

    def column(index: Tensor) -> Any:
        return gradients(ops.gather(output, index, axis=1), inp)[0]

    if use_pfor:
        stacked = pfor(column, width, parallel_iterations=parallel_iterations)
    else:
        stacked = for_loop(column, output.dtype, width, parallel_iterations=parallel_iterations)
    if stacked is None:
        return None
    stacked = ops.transpose(ops.reshape(stacked, [width, batch, -1]), [1, 0, 2])
    reshaped = ops.reshape(stacked, ops.concat([shape, sizes[1:]], 0))
    reshaped.set_shape(static.concatenate(inp.shape[1:]))
    return reshaped
