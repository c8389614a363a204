"""Pass-through ops: Identity and variants that only affect gradients, dependencies or constness."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import (
    same_shape,
)
from tfmini._src.graph.tensor import Tensor, TensorLike, copy_handle_data
from tfmini._src.ops.operands import ANY


@op("Identity", "input: T -> output: T", infer=same_shape, view=True, T=ANY)
def identity_op(xp, value):
    return value


identity_op.forwards(output="input", at_once=True)


@identity_op.gradient
def _(op, grad):
    return grad


@public
def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """Returns `input` as a new tensor of the same shape and dtype.

    Used to read the current value of a variable, or to attach control dependencies to a value.

    Args:
      input: a tensor or a value convertible to one.
    """
    result = raw.Identity(input, name=name)
    copy_handle_data(input, result)
    return result


@op("RefIdentity", "input: Ref(T) -> output: Ref(T)", uninitialized_input=True, T=ANY)
def ref_identity_op(xp, cell):
    return cell


ref_identity_op.infer(same_shape)


@ref_identity_op.gradient
def _(op, grad):
    return grad


@op("IdentityN", "input: T -> output: T", view=True, T=Attr("list(type)", minimum=1))
def identity_n_op(xp, values):
    return values


identity_n_op.forwards(output="input", at_once=True)


identity_n_op.infer(lambda op: [t._dims for t in op.inputs])


@identity_n_op.gradient
def _(op, *grads):
    return grads


@public
def identity_n(input: Any, name: str | None = None) -> list[Tensor]:
    """Passes a list of tensors through a single node.

    Args:
      input: a list of tensors, possibly of different dtypes.
    """
    return raw.IdentityN(input, name=name)


@op(
    "StopGradient",
    "input: T -> output: T",
    infer=same_shape,
    differentiable=False,
    view=True,
    T=ANY,
)
def stop_gradient_op(xp, value):
    return value


stop_gradient_op.forwards(output="input", at_once=True)


@public
def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor:
    """Returns `input` and blocks its gradient.

    Args:
      input: a tensor of any dtype.
    """
    return raw.StopGradient(input, name=name)


@op("PreventGradient", "input: T -> output: T", infer=same_shape, view=True, T=ANY, message="")
def prevent_gradient_op(xp, value):
    return value


prevent_gradient_op.forwards(output="input", at_once=True)


@prevent_gradient_op.gradient
def _(op, grad):
    raise LookupError(f"Gradient explicitly disabled. Reason: {op.get_attr('message')}")


@public
def prevent_gradient(input: TensorLike, message: str = "", name: str | None = None) -> Tensor:
    """Returns `input`, whose differentiation raises LookupError with `message`."""
    return raw.PreventGradient(input, message=message, name=name)


@op("Snapshot", "input: T -> output: T", infer=same_shape, view=True, T=ANY)
def snapshot(xp, value):
    return value


@op("GuaranteeConst", "input: T -> output: T", infer=same_shape, stateful=True, view=True, T=ANY)
def guarantee_const_op(xp, value, *, T):
    if T is dtypes.resource:
        invalid("Input tensor cannot be a resource variable handle.")
    return value


guarantee_const_op.forwards(output="input")


def guarantee_const(input: TensorLike, name: str | None = None) -> Tensor:
    """Returns `input`, which the caller guarantees to be the same in every run."""
    return raw.GuaranteeConst(input, name=name)
