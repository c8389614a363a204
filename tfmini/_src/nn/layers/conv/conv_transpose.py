"""Layers of `tf.layers` of transposed convolutions."""

from __future__ import annotations

from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import conv_transpose as core
from tfmini._src.nn.layers.signatures import defaults
from tfmini._src.variables.initializers import Zeros

_ZEROS = Zeros()
_scoped = defaults(kernel_initializer=None, bias_initializer=_ZEROS, data_format="channels_last")


@_scoped
class Conv2DTranspose(core.Conv2DTranspose, Layer):
    __doc__ = str(core.Conv2DTranspose.__doc__)


@_scoped
class Conv3DTranspose(core.Conv3DTranspose, Layer):
    __doc__ = str(core.Conv3DTranspose.__doc__)
