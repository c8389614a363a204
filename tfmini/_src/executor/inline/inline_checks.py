"""inline_checks: checks calls against their functions; an invalid call becomes a node that raises when it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from tfmini._src.base import dtypes, errors
from tfmini._src.base.dtypes import DType
from tfmini._src.compiler.error_translation import definition_suffix
from tfmini._src.compiler.kernel_context import KernelContext
from tfmini._src.executor.inline.inline_nodes import Call, CallNodeBuilder, internal_op
from tfmini._src.graph import op_registry
from tfmini._src.graph.function_library import Function
from tfmini._src.graph.graphdef.function_bodies import Body
from tfmini._src.graph.op_def_summary import op_summary
from tfmini._src.graph.opdef import Attr
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.operands import c_name


def arity_error(body: Body, inputs: Sequence[Tensor]) -> errors.OpError | None:
    """Returns the error for a call with the wrong number or dtypes of arguments."""
    if len(body.arguments) != len(inputs):
        return errors.InvalidArgumentError(
            None, None, f"Expects {len(body.arguments)} arguments, but {len(inputs)} is provided"
        )
    for index, (argument, tensor) in enumerate(zip(body.arguments, inputs)):
        expected, actual = argument.outputs[0].dtype, tensor.dtype.base_dtype
        if expected is not actual:
            return errors.InvalidArgumentError(
                None,
                None,
                f"Expects arg[{index}] to be {expected.proto_name} but {actual.proto_name} is provided",
            )
    return None


def result_count_error(
    call: Call, results: Sequence[Tensor], types: Sequence[DType]
) -> errors.OpError | None:
    """Returns the error for a function with fewer results or other dtypes than the calling node; None if they match."""
    if len(results) < len(types):
        return errors.InternalError(
            None,
            None,
            f"Missing {len(results)}-th output from node {call.name}{definition_suffix(call.frames)} ",
        )
    for index, (tensor, expected) in enumerate(zip(results, types)):
        actual = tensor.dtype.base_dtype
        if actual is not expected:
            return errors.InternalError(
                None,
                None,
                f"Output {index} of type {actual.proto_name} does not match declared output type "
                f"{expected.proto_name} for node node {call.name}{definition_suffix(call.frames)} ",
            )
    return None


def missing_function(name: str, functions: Mapping[str, Function], call: Call) -> errors.OpError:
    """Returns the error for a call of a function missing from the library."""
    names = ", ".join(sorted(functions)) or "none"
    return errors.InvalidArgumentError(
        None,
        call.op,
        f'Failed to find function "{name}" in function library: it has {names}',
    )


def predicate_error(
    call: Call, dtype: DType, op_type: str, argument: str, name: str
) -> errors.InvalidArgumentError | None:
    """Returns the error for a predicate that is not a bool, if TensorFlow lowers the conditional or loop to nodes of
    `op_type`; its kernels accept any dtype.
    """
    if dtype.base_dtype is dtypes.bool or not call.op.attrs.get("_lower_using_switch_merge"):
        return None
    text = (
        f"Input '{argument}' passed {c_name(dtype.base_dtype)} expected bool while building NodeDef "
        f"'{call.name}/{name}' using {op_summary(op_registry.registry[op_type])}"
    )
    return errors.InvalidArgumentError(None, call.op, text)


def add_failure(
    nodes: CallNodeBuilder,
    error: errors.OpError,
    inputs: Sequence[Tensor],
    types: Sequence[DType],
    roots: Sequence[Operation],
) -> Operation:
    """Adds a node that raises the error when it runs, once `roots` have run."""
    input_types = tuple([tensor.dtype.base_dtype for tensor in inputs])
    node = nodes.add(FAIL_OP, "mismatch", inputs, roots, Tin=input_types, Tout=tuple(types))
    node.__dict__["_error"] = error
    return node


def _raise_error(ctx: KernelContext, args: object) -> NoReturn:
    error = ctx.op.__dict__["_error"]
    raise type(error)(None, None, error.message)


FAIL_OP = internal_op(
    "_Fails",
    "args: Tin -> output: Tout",
    _raise_error,
    Tin=Attr("list(type)", minimum=0),
    Tout=Attr("list(type)", minimum=0),
)
FAIL_OP.must_run = FAIL_OP.has_effects = True
FAIL_OP.infer(lambda op: [None] * len(op.outputs))
