"""Stacks of layers: one layer repeated, or one for each set of arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope


def repeat(
    inputs: TensorLike, repetitions: int, layer: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    """Applies `layer` to its own outputs, `repetitions` times.

    Args:
      inputs: the inputs of the first layer.
      repetitions: number of calls.
      layer: a function of inputs, with an argument `scope`.
      *args, **kwargs: other arguments of `layer`; `scope` names the variable scope and, numbered, each layer's scope.

    Example:
      net = slim.repeat(net, 3, slim.conv2d, 256, [3, 3], scope="conv3")
    """
    return _apply_in_sequence(inputs, "repeat", layer, [args] * repetitions, kwargs)


def stack(
    inputs: TensorLike, layer: Callable[..., Any], stack_args: Sequence[Any], **kwargs: Any
) -> Any:
    """Applies `layer` to its own outputs, with each of `stack_args` in turn.

    Args:
      inputs: the inputs of the first layer.
      layer: a function of inputs, with an argument `scope`.
      stack_args: a list of arguments, or of tuples of them.
      **kwargs: arguments passed to every layer; `scope` names the variable scope and, numbered, each layer's scope.

    Raises:
      ValueError: if `stack_args` is not a list or tuple.

    Example:
      net = slim.stack(net, slim.fully_connected, [32, 64, 128], scope="fc")
    """
    if not isinstance(stack_args, (list, tuple)):
        raise ValueError("stack_args need to be a list or tuple")
    arguments = [args if isinstance(args, (list, tuple)) else [args] for args in stack_args]
    return _apply_in_sequence(inputs, "stack", layer, arguments, kwargs)


def _apply_in_sequence(
    inputs: Any, default_scope: str, layer: Callable, arguments: list, kwargs: dict
) -> Any:
    scope = kwargs.pop("scope", None)
    with variable_scope(scope, default_scope.capitalize(), [inputs]):
        outputs = ops.convert_to_tensor(inputs)
        if scope is None:
            layer_fn = layer if hasattr(layer, "__name__") else getattr(layer, "func", None)
            scope = getattr(layer_fn, "__name__", default_scope)
        for index, args in enumerate(arguments, 1):
            outputs = layer(outputs, *args, **{**kwargs, "scope": f"{scope}_{index}"})
        return outputs
