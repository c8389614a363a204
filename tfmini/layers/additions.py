"""Losses and updates that a layer adds to those of the model, and what of them depends on its inputs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tfmini import dtypes
from tfmini.deprecation import deprecated_args
from tfmini.graph.opdef import ops
from tfmini.graph.operation import Operation
from tfmini.graph.tensor import Tensor
from tfmini.graph.values import SparseTensor
from tfmini.layers.call_context import current_call
from tfmini.layers.reaching import reached
from tfmini.nest import flatten
from tfmini.variables.module import Module
from tfmini.variables.variable import Variable


class Additions(Module):
    """What adds losses and updates."""

    stateful: bool
    trainable: Any
    _losses: list
    _callable_losses: list[Callable]
    _updates: list

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds scalar losses to those of the layer.

        Args:
          losses: a tensor, a function without arguments that makes one, or a list of them.
          inputs: if given, the losses are taken to depend on the layer's inputs.
        """
        for loss in flatten(losses):
            if callable(loss):
                self._callable_losses.append(partial(_tagged, loss, inputs is None))
            elif loss is not None:
                self._losses.append(_tagged(loss, inputs is None))

    @deprecated_args(None, "`inputs` is now automatically inferred", "inputs")
    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds operations that are to run with each training step, such as those of moving averages.

        Args:
          updates: an operation, what has one (a tensor), a function that returns one, or a list.
          inputs: ignored.
        """
        call = current_call()
        relevant = call.inputs if call.in_call else []
        for update in updates if isinstance(updates, list) else [updates]:
            while callable(update):
                update = update()
            if not isinstance(update, Operation):
                update = getattr(update, "op", None) or ops.convert_to_tensor(update)
            update._unconditional_update = not reached(relevant, [update])
            self._updates.append(update)

    @property
    def updates(self) -> list:
        """What `add_update` has added; nothing if it is neither trained nor stateful."""
        return list(self._updates) if self.trainable or self.stateful else []

    @property
    def losses(self) -> list:
        """What `add_loss` has added; the losses given as functions are made anew by each use."""
        made = [loss() for loss in self._callable_losses]
        return self._losses + [loss for loss in made if loss is not None]

    def get_updates_for(self, inputs: Any) -> list:
        """The updates that depend on `inputs`; with None those that depend on no inputs."""
        if inputs is None:
            return [u for u in self.updates if u._unconditional_update]
        return reached(inputs, [u for u in self.updates if not u._unconditional_update])

    def get_losses_for(self, inputs: Any) -> list:
        """The losses that depend on `inputs`; with None those that depend on no inputs."""
        if inputs is None:
            return [x for x in self.losses if x._unconditional_loss]
        return reached(inputs, [x for x in self.losses if not x._unconditional_loss])


def _tagged(loss: Any, unconditional: bool) -> Any:
    """The loss as a tensor that knows whether it depends on the layer's inputs."""
    if callable(loss):
        loss = loss()
    if loss is None:
        return None
    if not isinstance(loss, (Tensor, SparseTensor, Variable)):
        loss = ops.convert_to_tensor(loss, dtype=dtypes.float32)
    loss._unconditional_loss = unconditional
    return loss
