"""The `training` argument of a layer's `call` in its saved functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.nn.layers.backend.learning_phase import learning_phase, static_training
from tfmini._src.ops import ops

_Parameter = inspect.Parameter


class TrainingArgument:
    """The position and default of `training` among the arguments of a call, which start with the inputs.

    Args:
      signature: the call's signature, without the layer.
    """

    def __init__(self, signature: inspect.Signature):
        names = positional_names(signature)
        self._position = names.index("training") if "training" in names else None

    def value(self, args: tuple, kwargs: dict) -> Any:
        """Returns the value of `training` in a call; None if not passed."""
        if self._position is not None and len(args) > self._position:
            return args[self._position]
        return kwargs.get("training")

    def replace(self, value: Any, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """Returns the arguments with `training` replaced."""
        if self._position is not None and len(args) > self._position:
            return (*args[: self._position], value, *args[self._position + 1 :]), kwargs
        return args, {**kwargs, "training": value}

    def remove(self, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """Returns the arguments without `training`."""
        if self._position is not None and len(args) > self._position:
            args = (*args[: self._position], *args[self._position + 1 :])
        return args, {name: value for name, value in kwargs.items() if name != "training"}


def positional_names(signature: inspect.Signature) -> list[str]:
    """Returns the names of the positional arguments."""
    positional_kinds = (_Parameter.POSITIONAL_ONLY, _Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in signature.parameters.values() if p.kind in positional_kinds]


def set_signature(function: Callable, signature: inspect.Signature, name: str) -> Callable:
    """Sets a function's name, and its signature in place of (*args, **kwargs)."""
    function.__signature__ = signature  # type: ignore[attr-defined]
    function.__name__ = name
    return function


def signature_with_training(signature: inspect.Signature, default: Any) -> inspect.Signature:
    """Returns a signature with an argument `training` whose default is not None."""
    parameters = dict(signature.parameters)
    training_parameter = parameters.get("training")
    if training_parameter is None:
        parameter = _Parameter("training", _Parameter.KEYWORD_ONLY, default=default)
        last = [p for p in parameters.values() if p.kind is _Parameter.VAR_KEYWORD]
        remaining = [p for p in parameters.values() if p.kind is not _Parameter.VAR_KEYWORD]
        return signature.replace(parameters=[*remaining, parameter, *last])
    if training_parameter.default is None:
        parameters["training"] = training_parameter.replace(default=default)
    return signature.replace(parameters=list(parameters.values()))


def append_training_argument(signature: inspect.Signature) -> inspect.Signature:
    """Returns a signature with `training` appended as the last positional argument, False by default."""
    parameter = _Parameter("training", _Parameter.POSITIONAL_OR_KEYWORD, default=False)
    positional_parameters = [signature.parameters[name] for name in positional_names(signature)]
    remaining = [
        p
        for p in signature.parameters.values()
        if p.name not in {q.name for q in positional_parameters}
    ]
    return signature.replace(parameters=[*positional_parameters, parameter, *remaining])


def select_by_training(
    call: Callable, signature: inspect.Signature, default: Any
) -> Callable[..., Any]:
    """Returns a function that calls `call` for training or inference; if `training` is a tensor, by a conditional.

    Args:
      call: the function.
      signature: the function's signature, which includes `training`.
      default: the default of `training`; if false, the learning phase applies.
    """
    argument = TrainingArgument(signature)

    def choose(*args: Any, **kwargs: Any) -> Any:
        training = argument.value(args, kwargs)
        if training is None:
            training = default or learning_phase()
        structures: list[Any] = []

        def call_with(flag: bool) -> Any:
            positional, named = argument.replace(flag, args, kwargs)
            return call(*positional, **named)

        def branch(flag: bool) -> list[Any]:
            structures.append(call_with(flag))
            return flatten(structures[-1])

        is_training = static_training(training)
        if is_training is not None:
            return call_with(is_training)
        outputs = ops.cond(training, lambda: branch(True), lambda: branch(False))
        return pack_sequence_as(structures[0], flatten(outputs))

    return choose


def wrapped_call(layer: Any, function: Any, default: Any = None) -> Callable[..., Any]:
    """Returns a layer's `call` that calls `function` for (outputs, losses) and adds the losses to the layer.

    Args:
      layer: the layer.
      function: a function with the arguments of `call`.
      default: as for `select_by_training`.
    """
    signature = inspect.signature(function)
    call = function
    if "training" in signature.parameters:
        call = select_by_training(function, signature, default)
        signature = signature_with_training(signature, default)

    def return_outputs_and_add_losses(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        outputs, losses = call(inputs, *args, **kwargs)
        layer.add_loss(losses, inputs)
        return outputs

    return set_signature(return_outputs_and_add_losses, signature, "call")
