"""CheckNumerics: raises an error if a tensor contains NaN or infinity."""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import require_graph_mode
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import colocate_with, control_dependencies, name_scope
from tfmini._src.graph.shape_inference import same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.control_flow.no_op_groups import group, with_dependencies


@op(
    "CheckNumerics",
    "tensor: T -> output: T",
    host_or_cuda=True,
    infer=same_shape,
    stateful=True,
    view=True,
    T=(dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64),
    message=Attr("string"),
)
def check_numerics_op(ctx, tensor, *, message):
    xp = ctx.xp
    if not xp.isfinite(tensor).all():
        raise _not_finite(message, xp.isinf(tensor).any(), xp.isnan(tensor).any())
    return tensor


check_numerics_op.forwards(output="tensor")


@check_numerics_op.on_gpu
def _(gpu, tensor, *, message):
    """GPU kernel, which synchronizes to determine whether the tensor contains NaN or infinity."""

    def some(flags):
        return bool(gpu.receive(gpu.send(flags.any())))

    if some(~gpu.xp.isfinite(tensor)):
        has_inf, has_nan = some(gpu.xp.isinf(tensor)), some(gpu.xp.isnan(tensor))
        raise _not_finite(message, has_inf, has_nan)
    return tensor


def _not_finite(message: str, has_inf: bool, has_nan: bool) -> InvalidArgumentError:
    problem = "Inf and NaN" if has_inf and has_nan else "Inf" if has_inf else "NaN"
    return InvalidArgumentError(None, None, f"{message} : Tensor had {problem} values")


@check_numerics_op.gradient
def _(op, grad):
    # The message appears as bytes, b'...', as TensorFlow writes it.
    message = op.get_attr("message")
    text = f"Not a number (NaN) or infinity (Inf) values detected in gradient. {message!r}"
    return check_numerics(grad, text)


@public
def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Returns `tensor` after checking it for NaN and infinity; its gradient is checked as well.

    Args:
      tensor: a float tensor.
      message: the error message prefix.

    Raises (when it runs):
      InvalidArgumentError: if an element is NaN or infinite.
    """
    return raw.CheckNumerics(tensor, message=message, name=name)


@public
def verify_tensor_all_finite(
    t: TensorLike | None = None,
    msg: str | None = None,
    name: str | None = None,
    x: TensorLike | None = None,
    message: str | None = None,
) -> Tensor:
    """Returns a tensor after checking that all its elements are finite.

    Args:
      t: a float tensor.
      msg: the error message prefix.
      x: the new name of `t`.
      message: the new name of `msg`.

    Raises:
      ValueError: if both names are used; InvalidArgumentError (when run): if an element is not finite.
    """
    x = deprecated_argument_lookup("x", x, "t", t)
    message = deprecated_argument_lookup("message", message, "msg", msg)
    with name_scope(name, "VerifyFinite", [x]) as name:
        x = convert_to_tensor(x, name="x")
        with colocate_with(x):
            checked = check_numerics(x, message=message)
            return with_dependencies([checked], x)


@public
def add_check_numerics_ops() -> Operation:
    """Adds a `tf.check_numerics` to every float tensor of the default graph, in node order.

    Returns:
      An operation that runs all checks, each after the checks of the node's inputs.

    Raises:
      ValueError: if a float tensor is inside a conditional or a loop.
    """
    require_graph_mode(
        "add_check_numerics_ops() is not compatible with eager execution. To check for Inf's and NaN's under eager "
        "execution, call tfe.seterr(inf_or_nan='raise') once before executing the checked operations."
    )
    last: list[Tensor] = []
    for node in get_default_graph().get_operations():
        for output in node.outputs:
            if output.dtype not in (dtypes.float16, dtypes.float32, dtypes.float64):
                continue
            if node._get_control_flow_context() is not None:
                raise ValueError(
                    "`tf.add_check_numerics_ops() is not compatible with TensorFlow control flow "
                    "operations such as `tf.cond()` or `tf.while_loop()`."
                )
            with control_dependencies(last):
                last = [check_numerics(output, message=f"{node.name}:{output.value_index}")]
    return group(*last)
