"""`tf.layers`: functions with weights, which they make at their first call.

`layer.py` holds what all layers share, `base.py` the layers of `tf.layers`, whose weights come from
`tf.get_variable` and which open a variable scope and a name scope of their own; the cells of
recurrent networks derive from it. What strings among their arguments stand for is in `activations`,
`constraints`, `initializers` and `regularizers`. It imports ops and variables.
"""

from tfmini.layers import experimental, metric, operation_layers
from tfmini.layers.base import Layer
from tfmini.layers.connected import Dense, dense
from tfmini.layers.dropping import Dropout, dropout
from tfmini.layers.flattening import Flatten, flatten
from tfmini.layers.input_spec import InputSpec
from tfmini.layers.normalizing import BatchNormalization, batch_normalization
from tfmini.layers.windowed.convolution_functions import (
    conv1d,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
)
from tfmini.layers.windowed.convolutional import Conv1D, Conv2D, Conv3D
from tfmini.layers.windowed.pooling import (
    AveragePooling1D,
    AveragePooling2D,
    AveragePooling3D,
    MaxPooling1D,
    MaxPooling2D,
    MaxPooling3D,
    average_pooling1d,
    average_pooling2d,
    average_pooling3d,
    max_pooling1d,
    max_pooling2d,
    max_pooling3d,
)
from tfmini.layers.windowed.separable import (
    SeparableConv1D,
    SeparableConv2D,
    separable_conv1d,
    separable_conv2d,
)
from tfmini.layers.windowed.transposed import Conv2DTranspose, Conv3DTranspose
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "AveragePooling1D",
    "AveragePooling2D",
    "AveragePooling3D",
    "BatchNormalization",
    "Conv1D",
    "Conv2D",
    "Conv2DTranspose",
    "Conv3D",
    "Conv3DTranspose",
    "Dense",
    "Dropout",
    "Flatten",
    "InputSpec",
    "Layer",
    "MaxPooling1D",
    "MaxPooling2D",
    "MaxPooling3D",
    "SeparableConv1D",
    "SeparableConv2D",
    "average_pooling1d",
    "average_pooling2d",
    "average_pooling3d",
    "batch_normalization",
    "conv1d",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "dense",
    "dropout",
    "experimental",
    "flatten",
    "max_pooling1d",
    "max_pooling2d",
    "max_pooling3d",
    "separable_conv1d",
    "separable_conv2d",
]

_namespace(globals())
