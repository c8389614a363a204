"""Base class of bijectors: invertible functions with log-determinants of their Jacobians."""

from __future__ import annotations

import abc
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@dataclass
class _Pair:
    """A cached x and the corresponding y."""

    x: Tensor | None = None
    y: Tensor | None = None
    condition: Any = ()  # the remaining arguments, as a key
    log_det: dict[Any, Tensor] = field(default_factory=dict)  # the inverse's, by event_ndims


class Bijector(abc.ABC):
    """A differentiable function y = g(x) with a differentiable inverse.

    Subclasses implement `_forward`, `_inverse`, and `_inverse_log_det_jacobian` or `_forward_log_det_jacobian`.
    Results are cached: repeated calls with a tensor return the same tensor, and the inverse of a `forward`
    result is its argument.

    Args:
      graph_parents: the tensors that the bijector depends on.
      is_constant_jacobian: whether the determinant does not depend on x.
      validate_args: whether to check arguments at run time.
      dtype: the DType that arguments must have, None for any.
      forward_min_event_ndims: minimum event rank accepted by `forward`.
      inverse_min_event_ndims: minimum event rank accepted by `inverse`; each defaults to the other.
      name: the name scope of the nodes, by default the class name in snake case.

    Raises:
      ValueError: if neither rank is given or one is negative, or a parent is not a tensor.
      TypeError: if a rank is not an int, or a subclass does not define `__init__`.
    """

    graph_parents: list[Any] = read_only("The tensors on which it depends.")
    forward_min_event_ndims: Any = read_only("Minimum event rank accepted by `forward`.")
    inverse_min_event_ndims: Any = read_only("Minimum event rank accepted by `inverse`.")
    is_constant_jacobian: bool = read_only("Whether the determinant is independent of x.")
    validate_args: bool = read_only("Whether arguments are checked when the graph runs.")
    dtype: Any = read_only("Required DType of arguments; None for any.")
    name: str = read_only("The name scope of its nodes.")

    @abc.abstractmethod
    def __init__(
        self,
        graph_parents: list[Any] | None = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        dtype: DTypeLike | None = None,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str | None = None,
    ):
        self._graph_parents = graph_parents or []
        forward, inverse = forward_min_event_ndims, inverse_min_event_ndims
        if forward is None and inverse is None:
            raise ValueError(
                "Must specify at least one of `forward_min_event_ndims` and "
                "`inverse_min_event_ndims`."
            )
        self._forward_min_event_ndims: Any = inverse if forward is None else forward
        self._inverse_min_event_ndims: Any = forward if inverse is None else inverse
        ranks: dict[str, Any] = {
            "forward_min_event_ndims": self._forward_min_event_ndims,
            "inverse_min_event_ndims": self._inverse_min_event_ndims,
        }
        for key, rank in ranks.items():
            if not isinstance(rank, int):
                raise TypeError(f"Expected {key} to be of type int, got {type(rank).__name__}")
        for key, rank in ranks.items():
            if rank < 0:
                raise ValueError(f"{key} must be a non-negative integer.")
        self._is_constant_jacobian = is_constant_jacobian
        self._constant_log_det: dict[Any, Tensor] = {}
        self._validate_args = validate_args
        self._dtype = dtype
        self._from_x: dict[Any, _Pair] = {}
        self._from_y: dict[Any, _Pair] = {}
        self._name = name or _snake_case(type(self).__name__.lstrip("_"))
        for i, parent in enumerate(self._graph_parents):
            if parent is None or not is_tensor(parent):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")

    def _init_scope(self, name: str, validate_args: bool, *values: Any) -> Any:
        """Returns the name scope of a subclass's parameters, before the base class is initialized."""
        self._graph_parents, self._name, self._validate_args = [], name, validate_args
        return self._name_scope("init", values=list(values))

    @property
    def _is_injective(self) -> bool:
        return True

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return input_shape

    def forward_event_shape_tensor(
        self, input_shape: ShapeLike | Sequence[ShapeLike], name: str = "forward_event_shape_tensor"
    ) -> Tensor:
        """Returns the event shape of y for an event shape of x, as an int32 vector."""
        with self._name_scope(name, [input_shape]):
            shape = convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
            return self._forward_event_shape_tensor(shape)

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return input_shape

    def forward_event_shape(self, input_shape: ShapeLike | Sequence[ShapeLike]) -> TensorShape:
        """Returns the event shape of y as a TensorShape, as far as it is statically known."""
        return self._forward_event_shape(TensorShape(input_shape))

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return output_shape

    def inverse_event_shape_tensor(
        self, output_shape: TensorLike, name: str = "inverse_event_shape_tensor"
    ) -> Tensor:
        """Returns the event shape of x for an event shape of y, as an int32 vector."""
        with self._name_scope(name, [output_shape]):
            shape = convert_to_tensor(output_shape, dtype=dtypes.int32, name="output_shape")
            return self._inverse_event_shape_tensor(shape)

    def _inverse_event_shape(self, output_shape: Any) -> TensorShape:
        return TensorShape(output_shape)

    def inverse_event_shape(self, output_shape: TensorLike) -> TensorShape:
        """Returns the event shape of x as a TensorShape, as far as it is statically known."""
        return self._inverse_event_shape(output_shape)

    def _forward(self, x: Tensor, *_: Any, **condition: Any) -> Any:
        raise NotImplementedError("forward not implemented.")

    def forward(self, x: TensorLike, name: str = "forward") -> Tensor:
        """Computes y = g(x)."""
        return self._call_forward(x, name)

    def _call_forward(self, x: Any, name: str, **condition: Any) -> Any:
        with self._name_scope(name, [x]):
            x = self._argument(x, "x")
            if not self._is_injective:
                return self._forward(x, **condition)
            pair = self._pair_of_x(x, condition)
            if pair.y is None:
                pair.y = self._forward(x, **condition)
                self._keep(pair)
            return pair.y

    def _inverse(self, y: Tensor, *_: Any, **condition: Any) -> Any:
        raise NotImplementedError("inverse not implemented")

    def inverse(self, y: TensorLike, name: str = "inverse") -> Any:
        """Solves g(x) = y for x; returns a tuple if there are several solutions."""
        return self._call_inverse(y, name)

    def _call_inverse(self, y: Any, name: str, **condition: Any) -> Any:
        with self._name_scope(name, [y]):
            y = self._argument(y, "y")
            if not self._is_injective:
                return self._inverse(y, **condition)
            pair = self._pair_of_y(y, condition)
            if pair.x is None:
                pair.x = self._inverse(y, **condition)
                self._keep(pair)
            return pair.x

    def _inverse_log_det_jacobian(self, y: Tensor, *_: Any, **condition: Any) -> Any:
        raise NotImplementedError("inverse_log_det_jacobian not implemented.")

    def inverse_log_det_jacobian(
        self, y: TensorLike, event_ndims: TensorLike, name: str = "inverse_log_det_jacobian"
    ) -> Any:
        """Returns log |det dx/dy|, summed over the last `event_ndims` axes; a tuple if `inverse` returns one."""
        return self._call_inverse_log_det_jacobian(y, event_ndims, name)

    def _call_inverse_log_det_jacobian(
        self, y: Any, event_ndims: Any, name: str, **condition: Any
    ) -> Any:
        with self._name_scope(name, [y]):
            if event_ndims in self._constant_log_det:
                return self._constant_log_det[event_ndims]
            y = self._argument(y, "y")
            min_event_ndims = self._inverse_min_event_ndims
            with control_dependencies(self._event_checks(min_event_ndims, event_ndims)):
                if not self._is_injective:
                    log_dets = self._inverse_log_det_jacobian(y, **condition)
                    return tuple(
                        _sum_over_event(y, log_det, min_event_ndims, event_ndims)
                        for log_det in log_dets
                    )
                pair = self._pair_of_y(y, condition)
                if event_ndims in pair.log_det:
                    return pair.log_det[event_ndims]
                try:
                    log_det = self._inverse_log_det_jacobian(y, **condition)
                    log_det = _sum_over_event(y, log_det, min_event_ndims, event_ndims)
                except NotImplementedError as error:
                    try:
                        pair.x = self._inverse(y, **condition) if pair.x is None else pair.x
                        log_det = -self._forward_log_det_jacobian(pair.x, **condition)
                        min_event_ndims = self._forward_min_event_ndims
                        log_det = _sum_over_event(pair.x, log_det, min_event_ndims, event_ndims)
                    except NotImplementedError:
                        raise error from None
                return self._cache_log_det(pair, event_ndims, log_det)

    def _forward_log_det_jacobian(self, x: Tensor, *_: Any, **condition: Any) -> Any:
        raise NotImplementedError("forward_log_det_jacobian not implemented.")

    def forward_log_det_jacobian(
        self, x: TensorLike, event_ndims: TensorLike, name: str = "forward_log_det_jacobian"
    ) -> Tensor:
        """Returns log |det dy/dx|, summed over the last `event_ndims` axes."""
        return self._call_forward_log_det_jacobian(x, event_ndims, name)

    def _call_forward_log_det_jacobian(
        self, x: Any, event_ndims: Any, name: str, **condition: Any
    ) -> Tensor:
        if not self._is_injective:
            raise NotImplementedError(
                "forward_log_det_jacobian cannot be implemented for non-injective transforms."
            )
        min_event_ndims = self._forward_min_event_ndims
        with self._name_scope(name, [x]):
            with control_dependencies(self._event_checks(min_event_ndims, event_ndims)):
                if event_ndims in self._constant_log_det:
                    return -1.0 * self._constant_log_det[event_ndims]
                x = self._argument(x, "x")
                pair = self._pair_of_x(x, condition)
                if event_ndims in pair.log_det:
                    return -pair.log_det[event_ndims]
                try:
                    log_det = -self._forward_log_det_jacobian(x, **condition)
                    log_det = _sum_over_event(x, log_det, min_event_ndims, event_ndims)
                except NotImplementedError as error:
                    try:
                        pair.y = self._forward(x, **condition) if pair.y is None else pair.y
                        log_det = self._inverse_log_det_jacobian(pair.y, **condition)
                        min_event_ndims = self._inverse_min_event_ndims
                        log_det = _sum_over_event(pair.y, log_det, min_event_ndims, event_ndims)
                    except NotImplementedError:
                        raise error from None
                return -self._cache_log_det(pair, event_ndims, log_det)

    def _argument(self, value: Any, name: str) -> Tensor:
        value = convert_to_tensor(value, name=name)
        if self.dtype is not None and self.dtype.base_dtype != value.dtype.base_dtype:
            raise TypeError(f"Input had dtype {self.dtype} but expected {value.dtype}.")
        return value

    def _pair_of_x(self, x: Tensor, condition: dict[str, Any]) -> _Pair:
        key = _condition_key(condition)
        return self._from_x.get((id(x), key)) or _Pair(x=x, condition=key)

    def _pair_of_y(self, y: Tensor, condition: dict[str, Any]) -> _Pair:
        key = _condition_key(condition)
        return self._from_y.get((id(y), key)) or _Pair(y=y, condition=key)

    def _keep(self, pair: _Pair) -> None:
        if pair.x is not None:
            self._from_x[id(pair.x), pair.condition] = pair
        if pair.y is not None:
            self._from_y[id(pair.y), pair.condition] = pair

    def _cache_log_det(self, pair: _Pair, event_ndims: Any, log_det: Tensor) -> Tensor:
        pair.log_det[event_ndims] = log_det
        self._keep(pair)
        if self.is_constant_jacobian:
            self._constant_log_det[event_ndims] = log_det
        return log_det

    def _event_checks(self, min_event_ndims: Any, event_ndims: Any) -> list[Any]:
        event_ndims = convert_to_tensor(event_ndims, name="event_ndims")
        if not event_ndims.dtype.is_integer:
            raise ValueError(f"Expected integer dtype, got dtype {event_ndims.dtype}")
        shape, static = event_ndims.shape, get_static_value(event_ndims)
        checks = []
        if static is not None:
            if shape.ndims != 0:
                raise ValueError(f"Expected scalar event_ndims, got shape {shape}")
            if min_event_ndims > static:
                raise ValueError(
                    f"event_ndims ({static}) must be larger than min_event_ndims ({min_event_ndims})"
                )
        elif self.validate_args:
            checks.append(ops.assert_greater_equal(event_ndims, min_event_ndims))
        if shape.is_fully_defined():
            if shape.ndims != 0:
                raise ValueError(f"Expected scalar shape, got ndims {shape.ndims}")
        elif self.validate_args:
            checks.append(ops.assert_rank(event_ndims, 0, message="Expected scalar."))
        return checks

    @contextmanager
    def _name_scope(self, name: str | None = None, values: list[Any] | None = None) -> Iterator:
        values = (values or []) + self.graph_parents
        with name_scope(self.name), name_scope(name, values=values):
            yield


def _condition_key(condition: Any) -> Any:
    """Converts nested dicts and lists of arguments to a hashable key."""
    if isinstance(condition, dict):
        return tuple((name, _condition_key(condition[name])) for name in sorted(condition))
    if isinstance(condition, list | tuple):
        return tuple(_condition_key(item) for item in condition)
    return condition


def _snake_case(name: str) -> str:
    words = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", words).lower()


def _sum_over_event(y: Tensor, log_det: Tensor, min_event_ndims: int, event_ndims: Any) -> Tensor:
    """Sums log-determinants over the event axes beyond the bijector's own `min_event_ndims`."""
    rank = ops.rank(y)
    shape = ops.shape(y)[rank - event_ndims : rank - min_event_ndims]
    ones = ops.ones(shape, log_det.dtype)
    static = get_static_value(event_ndims)
    if static is None:
        terms = ones * log_det
        return ops.reduce_sum(terms, axis=ops.range(-(event_ndims - min_event_ndims), 0))
    static = int(static)
    axes = [-index for index in range(1, static - min_event_ndims + 1)]
    total = ops.reduce_sum(ones * log_det, axis=axes)
    y_rank = y.shape.ndims
    if y_rank is not None and log_det.shape.ndims is not None:
        event_shape = y.shape[y_rank - static : y_rank - min_event_ndims]
        broadcast: Any = ops.broadcast_static_shape(log_det.shape, event_shape)
        total.set_shape(broadcast[: broadcast.rank - (static - min_event_ndims)])
    return total
