"""`Lambda`: wraps any function of tensors as a layer."""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.base.shapes import TensorShape
from tfmini._src.functions.traced_function import TracedGraph
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.session import track
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.deserialize import deserialize_object
from tfmini._src.nn.layers.input_shapes import shapes_as_tuples
from tfmini._src.nn.layers.serialization import function_code
from tfmini._src.ops import ops
from tfmini._src.variables.variable_creator import variable_creator_scope


class Lambda(Layer):
    """Wraps a function of tensors as a layer; its weights are the variables created by the first call.

    Args:
      function: a function of a tensor or a structure of them; receives `mask` and `training` if it has such parameters.
      output_shape: the shape of one example's outputs, or a function from the input shape to the output shape;
        by default inferred from the function.
      mask: the mask of the outputs, or a function of inputs and their mask; by default None.
      arguments: a dict of further keyword arguments of the function.

    Example: `y = tf.keras.layers.Lambda(lambda t: t ** 2)(x)`.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        output_shape: Any = None,
        mask: Any = None,
        arguments: Any = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.function = function
        self.arguments = arguments or {}
        if mask is not None:
            self.supports_masking = True
        self.mask = mask
        self._output_shape = output_shape
        self._variable_dict: dict = {}
        self._trainable_weights = []
        self._non_trainable_weights = []
        takes = inspect.getfullargspec(function).args
        self._call_arguments = tuple(name for name in ("mask", "training") if name in takes)

    def call(self, inputs: Any, mask: Any = None, training: Any = None) -> Any:
        """Returns function(inputs, **arguments)."""
        optional = {"mask": mask, "training": training}
        arguments = {**self.arguments, **{name: optional[name] for name in self._call_arguments}}
        with variable_creator_scope(self._variable):
            return self.function(inputs, **arguments)

    def _variable(self, next_creator: Callable, **kwargs: Any) -> Any:
        """Returns the variable called `name`, either from an earlier call or new."""
        variables, name = self._variable_dict, kwargs["name"]
        if name not in variables:
            variables[name] = variable = next_creator(**kwargs)
            self._hold_weight(variable, variable.trainable)
            track(variable)
        return variables[name]

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Returns the output shape.

        Raises:
          NotImplementedError: if it is not specified and cannot be inferred from the function.
        """
        if callable(self._output_shape):
            return _as_shapes(self._output_shape(shapes_as_tuples(input_shape)))
        if self._output_shape is None:
            return self._call_shape(input_shape)
        shapes = _as_shapes(input_shape)
        batch = flatten(shapes)[0].as_list()[0]
        return map_structure(
            lambda shape: TensorShape([batch, *shape.as_list()]), _as_shapes(self._output_shape)
        )

    def _call_shape(self, input_shape: Any) -> Any:
        """Infers the shape of the function's result by calling it in a scratch graph."""
        # In a graph where it may read tensors of other graphs.
        with TracedGraph("graph").as_default():
            inputs = map_structure(
                lambda shape: ops.placeholder(floatx(), shape),
                _as_shapes(input_shape),
            )
            try:
                outputs = self.call(inputs, training=False)
            except TypeError as error:
                raise NotImplementedError(
                    "We could not automatically infer the shape of the Lambda's output. Please specify "
                    "`output_shape` for this Lambda."
                ) from error
            return map_structure(lambda output: output.shape, outputs)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Returns the mask passed to the constructor, or the result if it is a function."""
        return self.mask(inputs, mask) if callable(self.mask) else self.mask

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data; functions as bytecode, or by name if tfmini's own."""
        config: dict[str, Any] = {}
        config["function"], config["function_type"], config["module"] = _serialize(self.function)
        shape = _serialize(self._output_shape, raw=True)
        config["output_shape"], config["output_shape_type"], config["output_shape_module"] = shape
        if self.mask is not None:
            config["mask"], config["mask_type"], config["mask_module"] = _serialize(self.mask)
        return {**super().get_config(), **config, "arguments": self.arguments}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Rebuilds a layer from `get_config` output.

        Args:
          config: the output of `get_config`.
          custom_objects: names visible to the functions, in addition to the names of their module.
        """
        config = dict(config)
        parts = {"function": "module", "output_shape": "output_shape_module"}
        if "mask" in config:
            parts["mask"] = "mask_module"
        for name, module in parts.items():
            function_type = config.pop(f"{name}_type")
            config[name] = _load_function(
                config[name], function_type, config.pop(module, None), custom_objects
            )
        arguments = dict(config.get("arguments") or {})
        for name, value in arguments.items():
            if isinstance(value, dict) and value.get("type") == "ndarray":
                arguments[name] = np.array(value["value"])
        return cls(**{**config, "arguments": arguments})


def _as_shapes(shapes: Any) -> Any:
    """Converts a tuple or list of ints, or a structure of them, to a TensorShape or a structure of these."""
    if isinstance(shapes, TensorShape):
        return shapes
    if isinstance(shapes, dict):
        return {key: _as_shapes(shape) for key, shape in shapes.items()}
    if all(item is None or isinstance(item, int) for item in shapes):
        return TensorShape(shapes)
    nested = [_as_shapes(shape) for shape in shapes]
    return tuple(nested) if isinstance(shapes, tuple) else nested


def _serialize(function: Any, raw: bool = False) -> tuple[Any, str, Any]:
    """Returns a function as plain data, the type of that data, and the function's module."""
    if isinstance(function, FunctionType) and not _is_public(function):
        return function_code.dump_code(function), "lambda", function.__module__
    if callable(function):
        return function.__name__, "function", function.__module__
    if not raw:
        raise ValueError(f"Invalid input for serialization, type: {type(function)} ")
    return function, "raw", None


def _is_public(function: FunctionType) -> bool:
    """Whether a function is part of tfmini's public API; its code may use names that are missing from its module."""
    package, _, _ = (function.__module__ or "").partition(".")
    module = sys.modules.get(function.__module__)
    return package == "tfmini" and getattr(module, function.__name__, None) is function


def _load_function(data: Any, function_type: str, module: str | None, custom_objects: Any) -> Any:
    names = dict(globals())
    if module in sys.modules:
        names.update(vars(sys.modules[module]))
    elif module is not None:
        warnings.warn(
            f"{module} is not loaded, but a Lambda layer uses it. It may cause errors.",
            UserWarning,
            stacklevel=3,
        )
    names.update(custom_objects or {})
    if function_type == "raw":
        return data
    if function_type == "lambda":
        return function_code.load_code(data, names)
    if function_type == "function":
        return deserialize_object(data, names, custom_objects, "function in Lambda layer")
    raise TypeError("Unknown function type:", function_type)
