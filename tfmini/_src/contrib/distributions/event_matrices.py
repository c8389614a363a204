"""Vector samples as matrices for linear operators, with one column per sample, and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.array.transpose import rotate
from tfmini._src.probability.distributions.sample_shapes import pick_vector


def _all_static(*tensors: Any) -> bool:
    """Whether all values are known statically."""
    return all(get_static_value(tensor) is not None for tensor in tensors)


class EventMatrices:
    """Turns samples of shape S + B + E into matrices of shape B + E + [prod(S)], and back.

    Args:
      batch_ndims: the rank of B, an int or an int32 scalar.
      event_ndims: the rank of E.
      validate_args: whether ranks are checked at run time.
    """

    def __init__(self, batch_ndims: Any, event_ndims: Any, validate_args: bool = False):
        self.validate_args = validate_args
        with name_scope("DistributionShape"), name_scope("init"):
            self.batch_ndims = self._rank(batch_ndims, "batch_ndims")
            self._no_batch = self._is_zero(self.batch_ndims)
            self.event_ndims = self._rank(event_ndims, "event_ndims")
            self._no_event = self._is_zero(self.event_ndims)

    def _rank(self, rank: Any, name: str) -> Tensor:
        rank = convert_to_tensor(rank, name=name)
        if rank.dtype.base_dtype != dtypes.int32:
            raise TypeError(f"{rank.name}.dtype={rank.dtype} is not {dtypes.int32}")
        value = get_static_value(rank)
        if rank.shape.ndims is not None and value is not None:
            if rank.shape.ndims != 0:
                raise ValueError(f"{rank.name}.ndims={rank.shape.ndims} is not 0 (scalar)")
            if value < 0:
                raise ValueError(f"{rank.name}.value={value} cannot be negative")
            return rank
        if self.validate_args:
            checks = [ops.assert_rank(rank, 0), ops.assert_non_negative(rank)]
            rank = ops.with_dependencies(checks, rank)
        return rank

    def _is_zero(self, rank: Tensor) -> Any:
        return get_static_value(rank) == 0 if _all_static(rank) else ops.equal(rank, 0)

    @contextmanager
    def _scope(self, name: str, values: list[Any]) -> Iterator[None]:
        values = [*values, self.batch_ndims, self.event_ndims]
        with name_scope("DistributionShape"), name_scope(name, values=values):
            yield

    def matrices(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Returns `x` reshaped from S + B + E to B + E + [prod(S)], and S."""
        with self._scope("make_batch_of_event_sample_matrices", [x]):
            x = convert_to_tensor(x, name="x")
            sample_shape, batch_shape, event_shape = self._shapes(x)
            event_shape = pick_vector(self._no_event, [1], event_shape)
            x = ops.reshape(x, ops.concat([[-1], batch_shape, event_shape], 0))
            return rotate(x, -1), sample_shape

    def samples(self, x: Tensor, sample_shape: Tensor) -> Tensor:
        """Returns `x` reshaped from B + E + [prod(S)] to S + B + E."""
        with self._scope("undo_make_batch_of_event_sample_matrices", [x, sample_shape]):
            x = convert_to_tensor(x, name="x")
            sample_shape = convert_to_tensor(sample_shape, name="sample_shape")
            x = rotate(x, 1)
            if _all_static(self.batch_ndims, self.event_ndims):
                if self._no_event:
                    x = ops.squeeze(x, axis=[-1])
                _, batch_shape, event_shape = self._shapes(x)
            else:
                is_static = x.shape.is_fully_defined()
                shape: Any = x.shape.as_list() if is_static else ops.shape(x)
                batch_shape = shape[1 : 1 + self.batch_ndims]
                start = ops.where_v2(
                    ops.logical_and(False, self._no_batch), 2, 1 + self.batch_ndims
                )
                event_shape = shape[start : start + self.event_ndims]
            return ops.reshape(x, ops.concat([sample_shape, batch_shape, event_shape], 0))

    def _shapes(self, x: Tensor) -> tuple[Any, Any, Any]:
        """Returns the shapes S, B and E of `x`."""
        with self._scope("get_shape", [x]):
            x = convert_to_tensor(x, name="x")
            count = self._sample_ndims(x)
            return (
                _shape_slice(x, [], count, "sample_shape"),
                _shape_slice(x, [count], self.batch_ndims, "batch_shape"),
                _shape_slice(x, [count, self.batch_ndims], self.event_ndims, "event_shape"),
            )

    def _sample_ndims(self, x: Tensor) -> Tensor:
        """Returns the rank of S."""
        with self._scope("get_shape", [x]):
            with self._scope("get_shape", [x]):
                rank = x.shape.ndims
                if rank is None:
                    total = ops.rank(x, name="ndims")
                else:
                    total = convert_to_tensor(rank, dtype=dtypes.int32, name="ndims")
            if _all_static(total, self.batch_ndims, self.event_ndims):
                batch, event = (get_static_value(n) for n in (self.batch_ndims, self.event_ndims))
                count = get_static_value(total) - batch - event
                if count < 0:
                    raise ValueError(
                        f"expected batch_ndims({batch}) + event_ndims({event}) <= ndims({rank})"
                    )
                return convert_to_tensor(count, name="sample_ndims")
            with name_scope("sample_ndims"):
                count = total - self.batch_ndims - self.event_ndims
                if self.validate_args:
                    count = ops.with_dependencies([ops.assert_non_negative(count)], count)
            return count


def _shape_slice(x: Tensor, before: list[Any], size: Tensor, name: str) -> Any:
    """Returns `size` elements of the shape of `x`, starting at the sum of `before`."""
    before = before or [ops.zeros([], dtype=dtypes.int32, name="zero")]
    if x.shape.ndims is not None and _all_static(size, *before):
        start = sum(get_static_value(count) for count in before)
        sizes = x.shape[start : start + get_static_value(size)].as_list()
        if None not in sizes:
            return convert_to_tensor(sizes, dtype=dtypes.int32, name=name)
    return ops.slice(ops.shape(x), [sum(before)], [size])
