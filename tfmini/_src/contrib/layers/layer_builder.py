"""Steps shared by the layers of `tf.contrib.layers`: model variables, collections, output handling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.contrib.framework.variables import model_variable
from tfmini._src.contrib.layers.named_outputs import (
    collect_named_outputs,
    get_variable_collections,
)
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
)
from tfmini._src.variables.partitioned_variable import PartitionedVariable
from tfmini._src.variables.variable_scope import variable_scope

IMAGES = ("NCHW", "NHWC")
VOLUMES = ("NCDHW", "NDHWC")
# Weight names of tf.layers and of tf.contrib.layers.
RENAMED_WEIGHTS = {"bias": "biases", "kernel": "weights"}
# Argument names here and in tf.layers.
_SETTINGS = {"stride": "strides", "rate": "dilation_rate"}
# Arguments of a custom getter passed to `model_variable`, with defaults.
_VARIABLE_ARGUMENTS: dict[str, Any] = {
    **dict.fromkeys(("shape", "dtype", "initializer", "regularizer", "collections")),
    **dict.fromkeys(("caching_device", "partitioner", "use_resource")),
    "trainable": True,
    "synchronization": VariableSynchronization.AUTO,
    "aggregation": VariableAggregation.NONE,
}
# Data formats of convolutions of any rank.
FORMATS = (None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW")


def check_format(data_format: Any, formats: tuple[str, ...] = IMAGES) -> None:
    """Raises ValueError unless the format is one of `formats`."""
    if data_format not in formats:
        raise ValueError("data_format has to be either " + " or ".join(formats) + ".")


def channel_order(data_format: str | None) -> str:
    """Returns the data format in `tf.layers` spelling."""
    first = data_format and data_format.startswith("NC")
    return "channels_first" if first else "channels_last"


def variable_getter(rename: dict[str, str] | None = None) -> Callable:
    """Returns a custom getter that creates and renames model variables."""

    def model_getter(getter: Callable, name: str, **kwargs: Any) -> Any:
        scope, slash, short = name.rpartition("/")
        return model_variable(
            scope + slash + (rename or {}).get(short, short),
            custom_getter=getter,
            **{key: kwargs.get(key, default) for key, default in _VARIABLE_ARGUMENTS.items()},
        )

    return model_getter


def layer_variable(
    name: str,
    shape: Any,
    dtype: Any,
    initializer: Any,
    collections: Any,
    trainable: bool,
    key: str | None = None,
    **regularizer: Any,
) -> Any:
    """Creates a model variable, and adds it to the collections for `key`, by default its name."""
    return model_variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        collections=get_variable_collections(collections, key or name),
        trainable=trainable,
        **regularizer,
    )


def add_variable(variable: Any, collections: Any, name: str) -> None:
    """Adds a variable, or its partitions, to the collections for `name`."""
    parts = list(variable) if isinstance(variable, PartitionedVariable) else [variable]
    for key in get_variable_collections(collections, name) or []:
        for part in parts:
            if not any(part is member for member in get_collection(key)):
                add_to_collection(key, part)


def finish_outputs(
    outputs: Any,
    name: str,
    activation_fn: Callable | None,
    collections: Any,
    normalizer_fn: Callable | None = None,
    normalizer_params: dict | None = None,
) -> Any:
    """Normalizes and activates outputs, and adds them to collections."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return collect_named_outputs(collections, name, outputs)


def apply_layer(
    class_for: Callable[[Any], Any],
    default_scope: str,
    alias: str = "name",
    *,
    inputs: Any,
    num_outputs: int,
    activation_fn: Callable | None,
    normalizer_fn: Callable | None,
    normalizer_params: dict | None,
    weights_initializer: Any,
    weights_regularizer: Any,
    biases_initializer: Any,
    biases_regularizer: Any,
    reuse: Any,
    variables_collections: Any,
    outputs_collections: Any,
    trainable: bool,
    scope: Any,
    **settings: Any,
) -> Any:
    """Creates a `tf.layers` layer of class `class_for(inputs)`, applies it and finishes its outputs.

    `alias` is the attribute of the layer's scope used as the outputs' alias. `settings` are arguments of the layer.
    """
    if "data_format" in settings:
        settings["data_format"] = channel_order(settings["data_format"])
    getter = variable_getter(RENAMED_WEIGHTS)
    with variable_scope(scope, default_scope, [inputs], reuse=reuse, custom_getter=getter) as sc:
        inputs = ops.convert_to_tensor(inputs)
        layer = class_for(inputs)(
            num_outputs,
            use_bias=not normalizer_fn and biases_initializer,
            kernel_initializer=weights_initializer,
            bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer,
            bias_regularizer=biases_regularizer,
            trainable=trainable,
            name=sc.name,
            dtype=inputs.dtype.base_dtype,
            _scope=sc,
            _reuse=reuse,
            **{_SETTINGS.get(name, name): value for name, value in settings.items()},
        )
        outputs = layer.apply(inputs)
        add_variable(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            add_variable(layer.bias, variables_collections, "biases")
        return finish_outputs(
            *(outputs, getattr(sc, alias), activation_fn, outputs_collections),
            *(normalizer_fn, normalizer_params),
        )
