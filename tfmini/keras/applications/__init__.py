"""`tf.keras.applications`: models of ImageNet's classes, what they want and what their results mean.

    frame                       arguments, checks, input, top and files of weights, which all have
    vgg, residual, densenet ... an architecture each: its sizes and depths as a table, its blocks as functions
    imagenet_utils, preparing   images as the weights were trained on them, names of classes

Names of layers and of weights are those of the published files.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
