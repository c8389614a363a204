"""Converts Keras 3 configurations to Keras 2.

Keras 3 records the modules of objects, and call arguments explicitly. Arguments unknown to Keras 2 are
dropped if they have no effect; other arguments, unsupported layers and operations raise errors.
"""

from __future__ import annotations

import inspect
import json
from typing import Any

from tfmini._src.base import logs
from tfmini._src.nn.layers.serialization.layer_registry import class_named

# Arguments that every layer has in addition to the arguments of its class.
_COMMON_ARGUMENTS = ("name", "trainable", "dtype", "batch_input_shape")
# Arguments added by Keras 3, at values that have no effect.
_NEUTRAL_ARGUMENTS: dict[str, Any] = {
    "groups": 1,
    "reset_after": False,
    "zero_output_for_mask": None,  # Keras 2 decides by itself
    "use_cudnn": "auto",
    "flash_attention": None,
    "count_include_pad": True,
    "data_format": "channels_last",
}
_NO_VALUE = object()
# Regularizers and initializers by their names in Keras 2.
_RENAMED_CLASSES = {
    "L1": "L1L2",
    "L2": "L1L2",
    "HeNormal": "he_normal",
    "HeUniform": "he_uniform",
    "LecunNormal": "lecun_normal",
    "LecunUniform": "lecun_uniform",
}


def unsupported_error(version: str, text: str) -> ValueError:
    """Returns the error for an unsupported model, with a remedy."""
    return ValueError(
        f"Keras {version} saved this model: {text}. Export it there by `model.export(directory)`, and load it "
        "here by tf.saved_model.load_v2(directory) or tf.contrib.predictor.from_saved_model(directory)"
    )


def keras_2_config(
    config: dict[str, Any], version: str, custom_objects: Any = None
) -> dict[str, Any]:
    """Converts a Keras 3 layer or model configuration to Keras 2.

    Raises:
      ValueError: for unsupported layers or arguments.
    """
    class_name, args = config["class_name"], config["config"]
    if class_name in ("Functional", "Model") and "layers" in args:
        return {"class_name": "Model", "config": _functional(args, version, custom_objects)}
    if class_name == "Sequential":
        return {"class_name": "Sequential", "config": _sequential(args, version, custom_objects)}
    return {"class_name": class_name, "config": _layer(class_name, args, version, custom_objects)}


def _functional(arguments: dict[str, Any], version: str, custom_objects: Any) -> dict[str, Any]:
    # In Keras 2, a nested model has an additional first call that connects its inputs to its outputs.
    models = {layer["name"] for layer in arguments["layers"] if "layers" in layer["config"]}
    layers = []
    for layer in arguments["layers"]:
        result = keras_2_config(layer, version, custom_objects)
        calls = [
            _convert_call(node, layer["name"], version, models) for node in layer["inbound_nodes"]
        ]
        layers.append({**result, "name": layer["name"], "inbound_nodes": calls})
    endpoints = {
        key: _endpoints(arguments[key], models) for key in ("input_layers", "output_layers")
    }
    return {"name": arguments["name"], "layers": layers, **endpoints}


def _history(address: list, models: set[str]) -> list:
    """Converts a Keras 3 tensor address to [layer, node, tensor], as in Keras 2."""
    layer, node, tensor = address
    return [layer, node + (layer in models), tensor]


def _endpoints(values: Any, models: set[str]) -> list:
    """Converts tensors to [[layer, node, tensor], ...], and a single tensor to [layer, node, tensor]."""
    if isinstance(values, dict):
        values = list(values.values())
    return [_history(end, models) for end in ([values] if isinstance(values[0], str) else values)]


def _convert_call(node: dict[str, Any], name: str, version: str, models: set[str]) -> list:
    """Converts a call to a list of its tensors: [layer, node, tensor, further arguments]."""
    first, *remaining = node["args"]
    tensors = first if isinstance(first, list) else [first]
    extra_kwargs = {
        key: value for key, value in node["kwargs"].items() if value not in (None, False)
    }
    if "__keras_tensor__" in json.dumps([remaining, extra_kwargs]):
        raise unsupported_error(
            version, f"layer {name!r} is called with tensors other than its first argument"
        )
    if remaining or not all(isinstance(tensor, dict) for tensor in tensors):
        raise unsupported_error(version, f"layer {name!r} is called with {node['args']!r}")
    return [
        [*_history(tensor["config"]["keras_history"], models), extra_kwargs] for tensor in tensors
    ]


def _sequential(arguments: dict[str, Any], version: str, custom_objects: Any) -> dict[str, Any]:
    first, *rest_layers = arguments["layers"]
    if first["class_name"] != "InputLayer":
        first, rest_layers = None, arguments["layers"]
    layers = [keras_2_config(layer, version, custom_objects) for layer in rest_layers]
    if first is not None and layers:
        layers[0]["config"]["batch_input_shape"] = first["config"]["batch_shape"]
    return {"name": arguments["name"], "layers": layers}


def _layer(
    class_name: str, arguments: dict[str, Any], version: str, custom_objects: Any
) -> dict[str, Any]:
    layer_class = class_named(class_name, custom_objects)
    if layer_class is None:
        raise unsupported_error(version, f"tfmini does not support layer {class_name}")
    if class_name == "InputLayer":
        shape_argument: dict[str, Any] = {"batch_input_shape": arguments["batch_shape"]}
        return shape_argument | {
            k: arguments[k] for k in ("name", "dtype", "sparse", "ragged") if k in arguments
        }
    accepted_arguments = {*_COMMON_ARGUMENTS}
    for cls in layer_class.__mro__:
        if "__init__" in vars(cls):
            accepted_arguments |= set(inspect.signature(vars(cls)["__init__"]).parameters)
    config = {}
    for key, value in arguments.items():
        if key in accepted_arguments:
            config[key] = _convert_argument(value, version, custom_objects)
        elif value not in (None, False) and _NEUTRAL_ARGUMENTS.get(key, _NO_VALUE) not in (
            value,
            None,
        ):
            raise unsupported_error(
                version,
                f"{class_name} {arguments.get('name')!r} has {key}={value!r}, unsupported by Keras 2",
            )
    return config


def _convert_argument(value: Any, version: str, custom_objects: Any) -> Any:
    """Converts a layer argument: policies and functions to names, and objects to Keras 2 configurations."""
    if not isinstance(value, dict) or "class_name" not in value:
        return value
    class_name, config = value["class_name"], value["config"]
    if class_name == "DTypePolicy":
        return config["name"]
    if class_name == "function":
        return config
    if str(value.get("module")).startswith("keras.layers"):
        return keras_2_config(value, version, custom_objects)
    class_name = _RENAMED_CLASSES.get(class_name, class_name)
    return {"class_name": class_name, "config": {k: v for k, v in config.items() if v is not None}}


def warn_not_compiled(version: str) -> None:
    """Warns that a model is loaded without its compile arguments."""
    logs.warning(
        "Keras %s compiled the model; here it is *not* compiled. Compile it manually.", version
    )
