"""inline_checks: whether a call and its function fit together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini import dtypes, errors
from tfmini.graph.function_bodies import Body
from tfmini.graph.tensor import Tensor
from tfmini.runtime.inline_nodes import Call


def check_arguments(call: Call, name: str, body: Body, inputs: Sequence[Tensor]) -> None:
    """Raises InvalidArgumentError unless a function takes so many arguments of these dtypes."""
    wanted = [arg.outputs[0].dtype for arg in body.arguments]
    given = [tensor.dtype.base_dtype for tensor in inputs]
    if wanted != given:
        raise errors.InvalidArgumentError(
            None,
            call.op,
            f"Node '{call.name}' gives function '{name}' ({_listed(given)}); it takes ({_listed(wanted)})",
        )


def check_output(call: Call, number: int, tensor: Tensor, old: Tensor) -> None:
    if tensor.dtype.base_dtype is not old.dtype.base_dtype:
        raise errors.InvalidArgumentError(
            None,
            call.op,
            f"Output {number} of node '{call.name}' is {old.dtype.name}; its function gives {tensor.dtype.name}",
        )


def check_results(call: Call, name: str, results: Sequence[Tensor], types: Sequence[Any]) -> None:
    """Raises InvalidArgumentError unless a function gives so many results of these dtypes."""
    given = [tensor.dtype.base_dtype for tensor in results]
    if given != list(types):
        raise errors.InvalidArgumentError(
            None,
            call.op,
            f"Function '{name}' gives ({_listed(given)}) to node '{call.name}'; it wants ({_listed(types)})",
        )


def _listed(types: Sequence[Any]) -> str:
    return ", ".join(dtypes.as_dtype(dtype).name for dtype in types)


def unknown_function(name: str, functions: Any, call: Call) -> errors.OpError:
    """The error of a call of a function that the library does not have."""
    known = ", ".join(sorted(functions)) or "none"
    return errors.InvalidArgumentError(
        None,
        call.op,
        f'Failed to find function "{name}" in function library: it has {known}',
    )
