from tfmini._src.nn.layers.weight_styles import keras_style_scope as keras_style_scope
from tfmini._src.nn.layers.weight_styles import set_keras_style as set_keras_style
