"""Layer classes used by the models, replaceable by the caller."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from tfmini._src.nn.layers.keras.activation import Activation
from tfmini._src.nn.layers.keras.advanced_activations import ReLU
from tfmini._src.nn.layers.keras.batch_normalization import BatchNormalization
from tfmini._src.nn.layers.keras.conv import Conv2D
from tfmini._src.nn.layers.keras.dense import Dense
from tfmini._src.nn.layers.keras.depthwise_conv2d import DepthwiseConv2D
from tfmini._src.nn.layers.keras.dropout import Dropout
from tfmini._src.nn.layers.keras.flatten import Flatten
from tfmini._src.nn.layers.keras.global_pooling import GlobalAveragePooling2D, GlobalMaxPooling2D
from tfmini._src.nn.layers.keras.input_layer import Input
from tfmini._src.nn.layers.keras.lambda_layer import Lambda
from tfmini._src.nn.layers.keras.margins import Cropping2D, ZeroPadding2D
from tfmini._src.nn.layers.keras.merge import Add, Concatenate, add, concatenate
from tfmini._src.nn.layers.keras.pooling import AveragePooling2D, MaxPooling2D
from tfmini._src.nn.layers.keras.reshaping import Reshape
from tfmini._src.nn.layers.keras.separable_conv import SeparableConv2D

_DEFAULT = SimpleNamespace(
    **{
        layer_class.__name__: layer_class
        for layer_class in (
            Activation,
            Add,
            AveragePooling2D,
            BatchNormalization,
            Concatenate,
            Conv2D,
            Cropping2D,
            Dense,
            DepthwiseConv2D,
            Dropout,
            Flatten,
            GlobalAveragePooling2D,
            GlobalMaxPooling2D,
            Input,
            Lambda,
            MaxPooling2D,
            ReLU,
            Reshape,
            SeparableConv2D,
            ZeroPadding2D,
            add,
            concatenate,
        )
    }
)
_layers: contextvars.ContextVar[Any] = contextvars.ContextVar("layers", default=_DEFAULT)


class _LayerClasses:
    """Namespace of the current layer classes, such as `layers.Conv2D`."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_layers.get(), name)


layers = _LayerClasses()


@contextlib.contextmanager
def layers_from(namespace: Any) -> Iterator[None]:
    """Context manager that replaces layer classes with classes of a namespace, such as `tf.keras.layers`."""
    token = _layers.set(namespace)
    try:
        yield
    finally:
        _layers.reset(token)
