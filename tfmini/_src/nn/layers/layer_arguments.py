"""Arguments stored as attributes of the same names, and their serialization in configurations."""

from __future__ import annotations

from typing import Any

from tfmini._src.nn.layers.activations import serialize
from tfmini._src.nn.layers.deserialize import to_config

# Serializers by last word of the argument name.
_OBJECTS = {
    "activation": serialize,
    "initializer": to_config,
    "regularizer": to_config,
    "constraint": to_config,
}

# Arguments of layers with one kernel.
OF_KERNEL_AND_BIAS = (
    *("kernel_initializer", "bias_initializer", "kernel_regularizer"),
    *("bias_regularizer", "activity_regularizer", "kernel_constraint", "bias_constraint"),
)


def description(layer: Any, names: tuple[str, ...], prefix: str = "") -> dict[str, Any]:
    """Converts arguments to configuration form, with objects as names and dicts.

    prefix: prefix of their attribute names.
    """
    config = {name: getattr(layer, prefix + name) for name in names}
    for name, value in config.items():
        tell = _OBJECTS.get(name.rpartition("_")[2])
        if tell is not None:
            config[name] = tell(value)
    return config
