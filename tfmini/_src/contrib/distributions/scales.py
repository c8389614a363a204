"""Scales of vector distributions as linear operators; batch and event shapes."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.ops import ops
from tfmini._src.probability.linear_operators.explicit_matrices import (
    LinearOperatorDiag,
    LinearOperatorLowerTriangular,
)
from tfmini._src.probability.linear_operators.identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from tfmini._src.probability.linear_operators.linear_operator import LinearOperator

DIAGONAL = (LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorDiag)


def tensor_or_none(value: Any, name: str) -> Any:
    """Converts `value` to a tensor unless it is None."""
    return None if value is None else convert_to_tensor(value, name=name)


def diagonal_scale(
    loc: Any,
    scale_diag: Any,
    scale_identity_multiplier: Any,
    validate_args: bool = False,
    positive: bool = False,
    size: Any = None,
) -> LinearOperator:
    """Returns the linear operator of a diagonal plus a multiple of the identity; without either, the identity.

    Args:
      loc: [..., k] tensor or None; determines the size by default.
      scale_diag: [..., k] tensor or None.
      scale_identity_multiplier: [...] tensor or None.
      validate_args: whether to check, at run time, that the diagonal has no zeros.
      positive: whether the diagonal must be positive and the operator is marked positive definite.
      size: k, required without `loc` and `scale_diag`.
    """
    values = [loc, scale_diag, scale_identity_multiplier]
    with name_scope(None, "make_diag_scale", values):
        loc = tensor_or_none(loc, "loc")
        scale_diag = tensor_or_none(scale_diag, "scale_diag")
        multiplier = tensor_or_none(scale_identity_multiplier, "scale_identity_multiplier")
        if scale_diag is not None:
            if multiplier is not None:
                scale_diag += multiplier[..., None]
            return LinearOperatorDiag(
                diag=_checked_diagonal(scale_diag, validate_args, positive),
                is_non_singular=True,
                is_self_adjoint=True,
                is_positive_definite=positive,
            )
        if loc is None and size is None:
            raise ValueError(
                "Cannot infer `event_shape` unless `loc` or `shape_hint` is specified."
            )
        if size is None:
            size = loc.shape[-1]
        if multiplier is None:
            return LinearOperatorIdentity(
                num_rows=size,
                dtype=loc.dtype.base_dtype,
                is_self_adjoint=True,
                is_positive_definite=True,
                assert_proper_shapes=validate_args,
            )
        return LinearOperatorScaledIdentity(
            num_rows=size,
            multiplier=_checked_diagonal(multiplier, validate_args, positive),
            is_non_singular=True,
            is_self_adjoint=True,
            is_positive_definite=positive,
            assert_proper_shapes=validate_args,
        )


def triangular_scale(
    loc: Any,
    scale_tril: Any,
    scale_diag: Any,
    scale_identity_multiplier: Any,
    size: Any = None,
    validate_args: bool = False,
) -> LinearOperator:
    """Returns the linear operator of a lower triangle plus the diagonal described in `diagonal_scale`."""
    values = [loc, scale_diag, scale_identity_multiplier]
    with name_scope(None, "make_tril_scale", values):
        loc = tensor_or_none(loc, "loc")
        scale_tril = tensor_or_none(scale_tril, "scale_tril")
        scale_diag = tensor_or_none(scale_diag, "scale_diag")
        multiplier = tensor_or_none(scale_identity_multiplier, "scale_identity_multiplier")
    if scale_tril is None:
        return diagonal_scale(loc, scale_diag, multiplier, validate_args, size=size)
    scale_tril = ops.matrix_band_part(scale_tril, -1, 0)
    diag = ops.matrix_diag_part(scale_tril)
    if scale_diag is not None:
        diag += scale_diag
    if multiplier is not None:
        diag += multiplier[..., None]
    scale_tril = ops.matrix_set_diag(scale_tril, diag)
    if validate_args:
        diag = ops.matrix_diag_part(scale_tril)
        message = "diagonal part must be non-zero"
        check = ops.assert_none_equal(diag, ops.zeros([], scale_tril.dtype), message=message)
        scale_tril = ops.with_dependencies([check], scale_tril)
    return LinearOperatorLowerTriangular(
        tril=scale_tril, is_non_singular=True, is_self_adjoint=False, is_positive_definite=False
    )


def _checked_diagonal(x: Any, validate_args: bool, positive: bool) -> Any:
    if not validate_args:
        return x
    if positive:
        check = ops.assert_positive(x, message="diagonal part must be positive")
    else:
        zero = ops.zeros([], x.dtype)
        check = ops.assert_none_equal(x, zero, message="diagonal part must be non-zero")
    return ops.with_dependencies([check], x)


def batch_and_event_shapes(loc: Any, scale: LinearOperator) -> tuple[Any, Any]:
    """Returns the batch shape and the event shape of `scale @ x + loc`, static if possible."""
    with name_scope("shapes_from_loc_and_scale", values=[loc, *scale.graph_parents]):
        event_size = scale.range_dimension_tensor()
        size = get_static_value(event_size)
        event_shape = event_size[None] if size is None else size.reshape([1])
        if loc is not None:
            loc_size = dimension_value(loc.get_shape()[-1])
            if loc_size not in (None, 1) and size is not None and loc_size != size:
                raise ValueError(
                    f"Event size of 'scale' ({loc_size}) could not be broadcast up to that of 'loc' "
                    f"({size})."
                )
        batch_shape = scale.batch_shape_tensor()
        if loc is None:
            static = get_static_value(batch_shape)
            return batch_shape if static is None else static, event_shape
        loc_shape = None
        if loc.get_shape().ndims is not None:
            loc_shape = loc.get_shape().with_rank_at_least(1)[:-1]
        if loc_shape is None or not loc_shape.is_fully_defined():
            loc_shape = ops.shape(loc)[:-1]
        else:
            loc_shape = convert_to_tensor(loc_shape, name="loc_batch_shape")
        return _broadcast_shape(batch_shape, loc_shape), event_shape


def _broadcast_shape(a: Any, b: Any) -> Any:
    with name_scope("prefer_static_broadcast_shape", values=[a, b]):
        static = [get_static_value(_shape_tensor(shape)) for shape in (a, b)]
        if None not in [None if value is None else 0 for value in static]:
            return ops.broadcast_static_shape(*(TensorShape(value) for value in static))
        return ops.broadcast_dynamic_shape(_shape_tensor(a), _shape_tensor(b))


def _shape_tensor(shape: Any) -> Any:
    return convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
