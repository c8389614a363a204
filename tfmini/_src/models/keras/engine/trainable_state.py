"""Gets and sets the trainable flags of layers."""

from __future__ import annotations

from typing import Any


def trainable_state(layer: Any) -> dict:
    """Returns the trainable flags of a layer and its sublayers, by layer."""
    state = {layer: layer.trainable}
    for child in layer._child_layers():
        state.update(trainable_state(child))
    return state


def set_trainable_state(layer: Any, state: dict) -> None:
    """Sets the trainable flags of a layer and its sublayers."""
    if layer in state:
        layer.trainable = state[layer]
    for child in layer._child_layers():
        set_trainable_state(child, state)
