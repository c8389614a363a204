"""Local response normalization, which divides each element by a norm over adjacent channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.cuda.matmul import matmul
from tfmini._src.devices.host.native import local_norms
from tfmini._src.devices.numpy.row_blocks import row_blocks
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import Dims, copy_input_shape, merge, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.nn.layouts import narrow, widen

_ATTRS: dict[str, Any] = {
    "depth_radius": 5,
    "bias": 1.0,
    "alpha": 1.0,
    "beta": 0.5,
    "T": Attr("type", dtypes.float32, allowed=(dtypes.float16, dtypes.bfloat16, dtypes.float32)),
}
# Channel count up to which a product with a band matrix of ones is faster than sums of neighbors.
_MAX_BAND_COLUMNS = 256


def _neighborhood_sums(xp: Any, rows: Any, radius: int, scale: float) -> Any:
    """Returns the sum of the elements within `radius` columns of each element, times `scale`."""
    columns = rows.shape[1]
    radius = min(radius, columns)
    if columns <= _MAX_BAND_COLUMNS:
        positions = xp.arange(columns)
        band = (xp.abs(positions[:, None] - positions[None, :]) <= radius).astype(rows.dtype)
        return matmul(xp, rows, band * rows.dtype.type(scale))
    sums = rows.copy()
    for distance in range(1, radius + 1):
        sums[:, distance:] += rows[:, : columns - distance]
        sums[:, : columns - distance] += rows[:, distance:]
    sums *= rows.dtype.type(scale)
    return sums


def _norms(xp: Any, x: Any, radius: int, bias: float, alpha: float) -> Any:
    norms = _neighborhood_sums(xp, x * x, radius, alpha)
    norms += np.float32(bias)
    return norms


def _power(xp: Any, norms: Any, beta: float) -> Any:
    """Returns norms ** beta, using roots for common exponents because they are faster."""
    if beta == 0.5:
        return xp.sqrt(norms)
    if beta == 0.75:
        root = xp.sqrt(norms)
        return root * xp.sqrt(root)
    return norms if beta == 1 else xp.power(norms, np.float32(beta))


def _check_radius(depth_radius: int) -> None:
    if not 0 <= depth_radius < 2**31:
        invalid(f"depth_radius = {depth_radius} larger than int max")


@op("LRN", "input: T -> output: T", infer=copy_input_shape(0, rank=4), **_ATTRS)
def lrn_op(xp, x, *, depth_radius, bias, alpha, beta):
    if x.ndim != 4:
        invalid("in must be 4-dimensional")
    rows = widen(x).reshape(-1, x.shape[3]) if x.size else x.reshape(0, 1)
    if xp is np:
        output = local_norms.normalize_locally(rows, depth_radius, bias, alpha, beta)
        if output is not None:
            return narrow(x.dtype, output).reshape(x.shape)
    result = xp.empty(rows.shape, x.dtype)
    for block in row_blocks(xp, rows):
        part = rows[block]
        powers = _power(xp, _norms(xp, part, depth_radius, bias, alpha), beta)
        result[block] = xp.divide(part, powers, out=powers)
    return result.reshape(x.shape)


lrn_op.check_attrs(lambda attrs, on_gpu: _check_radius(attrs["depth_radius"]))


@lrn_op.gradient
def _(op, grad):
    attrs = {name: op.attrs[name] for name in ("depth_radius", "bias", "alpha", "beta")}
    return raw.LRNGrad(grad, op.inputs[0], op.outputs[0], **attrs)


@op("LRNGrad", "input_grads: T, input_image: T, output_image: T -> output: T", **_ATTRS)
def lrn_grad_op(xp, grads, x, y, *, depth_radius, bias, alpha, beta):
    if grads.ndim != 4 or x.ndim != 4:
        invalid("inputs must be 4-dimensional")
    if not grads.shape == x.shape == y.shape:
        invalid("input_grads, input_image, and out_image should have the same shape")
    if not x.size:
        return xp.zeros(x.shape, x.dtype)
    grads, images, outputs = (widen(array).reshape(-1, x.shape[3]) for array in (grads, x, y))
    result = xp.empty(images.shape, x.dtype)
    for block in row_blocks(xp, images):
        part, grad = images[block], grads[block]
        norms = _norms(xp, part, depth_radius, bias, alpha)
        shares = grad * outputs[block] / norms
        around = _neighborhood_sums(xp, shares, depth_radius, -2 * alpha * beta)
        around *= part
        around += grad / _power(xp, norms, beta)
        result[block] = narrow(x.dtype, around)
    return result.reshape(x.shape)


lrn_grad_op.check_attrs(lambda attrs, on_gpu: _check_radius(attrs["depth_radius"]))


@lrn_grad_op.infer
def _(op) -> Dims:
    dims: Dims = with_rank(op.inputs[0]._dims, 4)
    for tensor in op.inputs[1:]:
        dims = merge(dims, tensor._dims)
    return dims


@public
def local_response_normalization(
    input: TensorLike,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: float = 1,
    beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """Returns input / (bias + alpha * s) ** beta, where s is the sum of squares over adjacent channels.

    Args:
      input: float32, float16 or bfloat16 tensor [batch, rows, columns, depth].
      depth_radius: the number of channels summed on each side.
      bias: an offset that prevents division by 0.
      alpha: the scale of the sums.
      beta: the exponent.
      name: the name of the node, "LRN" by default.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      ValueError: if the input is not of rank 4.

    Example:
      y = tf.nn.lrn(images, depth_radius=2, bias=1.0, alpha=2e-5, beta=0.75)
    """
    return raw.LRN(input, depth_radius=depth_radius, bias=bias, alpha=alpha, beta=beta, name=name)


lrn = local_response_normalization
