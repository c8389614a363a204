"""Batch normalization ops of graphs from 2015: BatchNormWithGlobalNormalization and its gradient."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import merge, merge_dim, with_rank
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import NUMBERS

_ATTRS: dict[str, Any] = {
    "T": NUMBERS,
    "variance_epsilon": Attr("float"),
    "scale_after_normalization": Attr("bool"),
}


def _check_images_and_vectors(images: dict[str, Any], vectors: dict[str, Any]) -> None:
    for name, image in images.items():
        if image.ndim != 4:
            invalid(f"{name} must be 4-dimensional{shape_text(image.shape)}")
    depth = images["input"].shape[3]
    for name, vector in vectors.items():
        if vector.ndim != 1:
            invalid(f"{name} must be 1-dimensional{shape_text(vector.shape)}")
        if len(vector) != depth:  # TensorFlow reads out of bounds
            shape = shape_text(vector.shape)
            invalid(
                f"{name} must have {depth} elements, as the channels of input, but has shape: {shape}"
            )


def _inverse(xp: Any, variance: Any, epsilon: float) -> Any:
    """Returns the reciprocal standard deviation."""
    return 1 / xp.sqrt(variance + variance.dtype.type(epsilon))


@op(
    "BatchNormWithGlobalNormalization",
    "t: T, m: T, v: T, beta: T, gamma: T -> result: T",
    infer=lambda op: _common_channels(op, (0,), range(1, 5))[0],
    **_ATTRS,
)
def global_batch_norm_op(xp, t, m, v, beta, gamma, *, variance_epsilon, scale_after_normalization):
    _check_images_and_vectors({"input": t}, {"mean": m, "var": v, "beta": beta, "gamma": gamma})
    factor = _inverse(xp, v, variance_epsilon)
    if scale_after_normalization:
        factor *= gamma
    result = t - m
    result *= factor
    result += beta
    return result.astype(t.dtype, copy=False)


def _common_channels(op: Any, images: tuple[int, ...], vectors: range) -> tuple:
    """Returns [batch, rows, columns, channels] of the first image operand, and the channels."""
    *outer, depth = with_rank(op.inputs[0]._dims, 4)
    for index in vectors:
        depth = merge_dim(depth, with_rank(op.inputs[index]._dims, 1)[0])
    dims: Any = (*outer, depth)
    for index in images[1:]:
        dims = merge(dims, with_rank(op.inputs[index]._dims, 4))
    return dims, dims[3:]


@global_batch_norm_op.gradient
def _(op, grad):
    attrs = {name: op.attrs[name] for name in ("variance_epsilon", "scale_after_normalization")}
    t, m, v, _, gamma = op.inputs
    return tuple(raw.BatchNormWithGlobalNormalizationGrad(t, m, v, gamma, grad, **attrs))


@op(
    "BatchNormWithGlobalNormalizationGrad",
    "t: T, m: T, v: T, gamma: T, backprop: T -> dx: T, dm: T, dv: T, db: T, dg: T",
    **_ATTRS,
)
def global_batch_norm_grad_op(
    xp, t, m, v, gamma, backprop, *, variance_epsilon, scale_after_normalization
):
    _check_images_and_vectors(
        {"input": t, "out_backprop": backprop}, {"mean": m, "var": v, "gamma": gamma}
    )
    if t.shape != backprop.shape:  # TensorFlow reads out of bounds
        invalid("input and out_backprop must have the same shape")
    inverse = _inverse(xp, v, variance_epsilon)
    reduced_axes = (0, 1, 2)
    factor = inverse * gamma if scale_after_normalization else inverse
    summed = backprop.sum(axis=reduced_axes, dtype=t.dtype)
    centered = (backprop * (t - m)).sum(axis=reduced_axes, dtype=t.dtype)
    half = t.dtype.type(0.5)
    gamma_grad = centered * inverse if scale_after_normalization else xp.zeros_like(gamma)
    results = (
        backprop * factor,
        -summed * factor,
        -half * centered * inverse * inverse * factor,
        summed,
        gamma_grad,
    )
    return tuple([array.astype(t.dtype, copy=False) for array in results])


@global_batch_norm_grad_op.infer
def _(op):
    dims, channels = _common_channels(op, (0, 4), range(1, 4))
    return [dims, *[channels] * 4]
