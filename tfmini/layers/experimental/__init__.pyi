from tfmini._src.nn.layers.keras_style import keras_style_scope as keras_style_scope
from tfmini._src.nn.layers.keras_style import set_keras_style as set_keras_style
