"""`tf.ensure_shape`: sets a static shape and checks it at run time."""

from __future__ import annotations

from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph.opdef import Attr, op, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    merge,
    text,
    with_rank,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import ANY


@op(
    "EnsureShape",
    "input: T -> output: T",
    gradient=lambda op, grad: grad,
    view=True,
    must_run=True,
    shape=Attr("shape"),
    T=ANY,
)
def ensure_shape_op(ctx, value, *, shape):
    actual = getattr(value, "shape", ())
    if not TensorShape.from_dims(actual).is_compatible_with(TensorShape.from_dims(shape)):
        invalid(
            f"Shape of tensor {ctx.op.inputs[0].op.name} {text(actual)} is not compatible with "
            f"expected shape {text(shape)}."
        )
    return value


ensure_shape_op.forwards(output="input")


@ensure_shape_op.infer
def _(op) -> Dims:
    actual, expected = op.inputs[0]._dims, op.attrs["shape"]
    if expected is None and actual is not None:  # TensorFlow treats it as a shape of unknown rank
        raise InferenceError(f"Shape must be rank -1 but is rank {len(actual)}")
    if expected is None:
        return actual
    return merge(expected, with_rank(actual, len(expected)))


def ensure_shape(x: TensorLike, shape: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x` with a static shape that is checked at run time.

    Args:
      x: a tensor of any dtype.
      shape: the required shape; None for variable dimensions.

    Raises:
      ValueError: if the static shapes contradict each other.
      InvalidArgumentError (when run): if the value has a different shape.
    """
    return raw.EnsureShape(x, shape=as_shape(shape), name=name)
