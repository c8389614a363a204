"""Tiling a batch for beams, gathering selected beams, and backtracking."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.ops.checks.asserts import Assert
from tfmini._src.ops.lists.tensor_array import TensorArray


def tile_batch(t: TensorLike, multiplier: int, name: str | None = None) -> Any:
    """Repeats each row of a batch in adjacent copies, for a BeamSearchDecoder.

    Args:
      t: a tensor [batch, ...] of known rank, or a nested structure of tensors.
      multiplier: number of copies per row.

    Returns:
      Tensors [batch * multiplier, ...] in the same structure.

    Raises:
      ValueError: if a rank is unknown, or a tensor is a scalar.

    Example: `tile_batch([[1], [2]], 2)` is `[[1], [1], [2], [2]]`.
    """
    flat = flatten(t)
    with name_scope(name, "tile_batch", [*flat, multiplier]):
        return map_structure(lambda tensor: tile_tensor(tensor, multiplier), t)


def tile_tensor(t: Any, multiplier: int) -> Tensor:
    """Returns a tensor [batch, ...] with each row repeated `multiplier` times."""
    t = ops.convert_to_tensor(t, name="t")
    shape = ops.shape(t)
    if not t.shape.ndims:
        raise ValueError("t must have statically known rank")
    tiling: list = [1] * (t.shape.ndims + 1)
    tiling[1] = multiplier
    rows = t.shape.as_list()[0]
    repeated = ops.tile(ops.expand_dims(t, 1), tiling)
    repeated = ops.reshape(repeated, ops.concat(([shape[0] * multiplier], shape[1:]), 0))
    static_rows = None if rows is None else rows * multiplier
    repeated.set_shape(TensorShape([static_rows]).concatenate(t.shape[1:]))
    return repeated


def gather_tree(
    step_ids: TensorLike,
    parent_ids: TensorLike,
    max_sequence_lengths: TensorLike,
    end_token: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Returns the full sequences of a beam search, from the ids and parent beams of each step.

    Args:
      step_ids: int32 [time, batch, beams], ids.
      parent_ids: int32 [time, batch, beams], parent beams in the previous step.
      max_sequence_lengths: int32 [batch]; later positions become `end_token`.
      end_token: int32 scalar; positions after the first one in a sequence become `end_token` too.

    Returns:
      int32 [time, batch, beams]: the full sequence that ends in each beam.

    Raises:
      InvalidArgumentError (at run time): if a parent is not a beam.
    """
    return raw.GatherTree(step_ids, parent_ids, max_sequence_lengths, end_token, name=name)


def gather_tree_from_array(t: Tensor, parent_ids: Tensor, sequence_length: Tensor) -> Tensor:
    """Reorders the beams of each step of `t` as `gather_tree` reorders ids.

    Args:
      t: tensor [time, batch * beams, ...] or [time, batch, beams, ...].
      parent_ids: int32 [time, batch, beams].
      sequence_length: int [batch, beams]; later steps stay in their beam.
    """
    sizes = parent_ids.shape.as_list()
    max_time, batch_size, width = (
        size or ops.shape(parent_ids)[axis] for axis, size in enumerate(sizes)
    )
    ids = ops.expand_dims(ops.expand_dims(ops.range(width), 0), 0)
    ids = ops.tile(ids, [max_time, batch_size, 1])
    max_length = ops.cast(ops.reduce_max(sequence_length, axis=1), dtypes.int32)
    sorted_ids = gather_tree(
        step_ids=ids, parent_ids=parent_ids, max_sequence_lengths=max_length, end_token=width + 1
    )
    valid = ops.transpose(ops.sequence_mask(sequence_length, maxlen=max_time), perm=[2, 0, 1])
    sorted_ids = ops.where(valid, x=sorted_ids, y=ids)
    times = ops.tile(ops.reshape(ops.range(max_time), [-1, 1, 1]), [1, batch_size, width])
    rows = ops.tile(ops.reshape(ops.range(batch_size), [-1, 1, 1]), [1, max_time, width])
    rows = ops.transpose(rows, perm=[1, 0, 2])
    positions = ops.stack([times, rows, sorted_ids], -1)
    shape = ops.shape(t)
    ordered = ops.gather_nd(ops.reshape(t, [max_time, batch_size, width, -1]), positions)
    return ops.reshape(ordered, shape)


def check_rank_known(t: Any) -> None:
    """Raises ValueError if a tensor's shape is entirely unknown."""
    if t.shape.ndims is None:
        raise ValueError(f"Expected tensor ({t}) to have known rank, but ndims == None.")


def gather_beams(
    indices: Tensor,
    source: Tensor,
    batch_size: Any,
    row_size: Any,
    gather_shape: list,
    name: str | None = None,
) -> Tensor:
    """Returns the elements of each row of `source` at `indices` [batch, beams].

    Args:
      indices: positions within a row.
      source: tensor [batch, row_size, ...].
      batch_size: number of rows.
      row_size: number of elements per row.
      gather_shape: the shape of `source` with all rows merged.
    """
    with name_scope(name, "tensor_gather_helper"):
        starts = ops.expand_dims(ops.range(batch_size) * row_size, 1)
        flat = ops.reshape(indices + starts, [-1])
        output = ops.gather(ops.reshape(source, gather_shape), flat)
        shape = ops.shape(source)[: 1 + len(gather_shape)]
        output = ops.reshape(output, shape, name="output")
        static = TensorShape([get_static_value(batch_size)])
        output.set_shape(static.concatenate(source.shape[1 : 1 + len(gather_shape)]))
        return output


def gather_state(positions: Tensor, source: Any, batch_size: Any, width: int) -> Any:
    """Returns the selected beams of a state tensor; scalars and TensorArrays are unchanged."""
    gather_shape = [batch_size * width, -1]
    if isinstance(source, TensorArray):
        return source
    check_rank_known(source)
    if source.shape.ndims < len(gather_shape):
        return source
    return gather_beams(positions, source, batch_size, width, gather_shape)


def sort_array_by_beams(
    array: TensorArray, parent_ids: Tensor, sequence_length: Tensor, batch_size: Any, width: int
) -> Any:
    """Reorders a TensorArray by `gather_tree_from_array`; returns it unchanged if it lacks beams."""
    shape = array.element_shape
    if shape.ndims is None or shape.ndims < 1:
        logs.warn(
            "The TensorArray %s in the cell state is not amenable to sorting based on the beam search "
            "result. For a TensorArray to be sorted, its elements shape must be defined and have at "
            "least a rank of 1, but saw shape: %s",
            array.handle.name,
            shape,
        )
        return array
    if not _splits_into_beams(shape, get_static_value(batch_size), width):
        return array
    steps = array.stack()
    with control_dependencies([_assert_beams(steps, batch_size, width)]):
        return gather_tree_from_array(steps, parent_ids, sequence_length)


def _splits_into_beams(shape: TensorShape, batch_size: Any, width: int) -> bool:
    """Whether elements of a TensorArray can be [batch, beams, ...], as far as their shape is known."""
    sizes = shape.as_list()
    if batch_size is None or sizes[0] is None:
        return True
    # TensorFlow's condition: it rejects elements [batch, beams, ...], although they could be supported.
    wrong = sizes[0] != batch_size * width or (
        len(sizes) >= 2 and sizes[1] is not None and (sizes[0] != batch_size or sizes[1] != width)
    )
    if wrong:
        logs.warn(
            "TensorArray reordering expects elements to be reshapable to %s which is incompatible with "
            "the current shape %s. Consider setting reorder_tensor_arrays to False to disable "
            "TensorArray reordering during the beam search.",
            TensorShape([batch_size, width, None]),
            shape,
        )
    return not wrong


def _assert_beams(steps: Tensor, batch_size: Any, width: int) -> Any:
    """Returns an operation that fails unless steps are [time, batch * beams, ...] or [time, batch, beams, ...]."""
    message = (
        "TensorArray reordering expects elements to be reshapable to [batch_size, beam_size, -1] which "
        f"is incompatible with the dynamic shape of {steps.name} elements. Consider setting "
        "reorder_tensor_arrays to False to disable TensorArray reordering during the beam search."
    )
    shape = ops.shape(steps)
    joined = ops.equal(shape[1], batch_size * width)
    if steps.shape.ndims == 2:
        return Assert(joined, [message])
    split = ops.logical_and(ops.equal(shape[1], batch_size), ops.equal(shape[2], width))
    return Assert(ops.logical_or(joined, split), [message])
