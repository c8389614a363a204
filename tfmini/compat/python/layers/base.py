"""`tensorflow.python.layers.base`: the class that layers derive from."""

from tfmini.layers.base import Layer
from tfmini.layers.experimental import keras_style_scope, set_keras_style
from tfmini.layers.input_spec import InputSpec

__all__ = ["InputSpec", "Layer", "keras_style_scope", "set_keras_style"]
