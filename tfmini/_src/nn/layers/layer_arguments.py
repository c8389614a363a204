"""Arguments stored as attributes of the same name: objects resolved by name and serialized in configurations."""

from __future__ import annotations

from typing import Any

from tfmini._src.nn.layers.activations import find_activation, serialize
from tfmini._src.nn.layers.constraints import find_constraint
from tfmini._src.nn.layers.deserialize import to_config
from tfmini._src.nn.layers.initializers import find_initializer
from tfmini._src.nn.layers.regularizers import find_regularizer

# Lookups and serializers by last word of the argument name.
_FINDERS = {
    "activation": find_activation,
    "initializer": find_initializer,
    "regularizer": find_regularizer,
    "constraint": find_constraint,
}
_SERIALIZERS = {
    "activation": serialize,
    "initializer": to_config,
    "regularizer": to_config,
    "constraint": to_config,
}

# Arguments of layers with one kernel.
KERNEL_AND_BIAS_ARGUMENTS = (
    *("kernel_initializer", "bias_initializer", "kernel_regularizer"),
    *("bias_regularizer", "activity_regularizer", "kernel_constraint", "bias_constraint"),
)


def set_objects(layer: Any, arguments: dict[str, Any]) -> None:
    """Sets activations, initializers, regularizers and constraints as attributes.

    `arguments` is the `locals()` of `__init__`; the objects may be passed by name.
    """
    for name, value in arguments.items():
        find = _FINDERS.get(name.rpartition("_")[2])
        if find is not None:
            setattr(layer, name, find(value))


def description(layer: Any, names: tuple[str, ...], prefix: str = "") -> dict[str, Any]:
    """Converts arguments to configuration form, in which objects are names and dicts.

    prefix: prefix of the attribute names.
    """
    config = {name: getattr(layer, prefix + name) for name in names}
    for name, value in config.items():
        tell = _SERIALIZERS.get(name.rpartition("_")[2])
        if tell is not None:
            config[name] = tell(value)
    return config
