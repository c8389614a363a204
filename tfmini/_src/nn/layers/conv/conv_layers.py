"""Layers of `tf.layers` that convolve."""

from __future__ import annotations

from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import conv as core
from tfmini._src.nn.layers.signatures import defaults
from tfmini._src.variables.initializers import Zeros

_ZEROS = Zeros()
_scoped = defaults(kernel_initializer=None, bias_initializer=_ZEROS, data_format="channels_last")


@_scoped
class Conv1D(core.Conv1D, Layer):
    __doc__ = str(core.Conv1D.__doc__)


@_scoped
class Conv2D(core.Conv2D, Layer):
    __doc__ = str(core.Conv2D.__doc__)


@_scoped
class Conv3D(core.Conv3D, Layer):
    __doc__ = str(core.Conv3D.__doc__)
