"""Layers of `tf.layers` of transposed convolutions."""

from __future__ import annotations

from tfmini.layers.base import Layer
from tfmini.layers.core import transposed as core
from tfmini.layers.signatures import defaults
from tfmini.variables.initializers import Zeros

_ZEROS = Zeros()
_scoped = defaults(kernel_initializer=None, bias_initializer=_ZEROS, data_format="channels_last")


@_scoped
class Conv2DTranspose(core.Conv2DTranspose, Layer):
    __doc__ = str(core.Conv2DTranspose.__doc__)


@_scoped
class Conv3DTranspose(core.Conv3DTranspose, Layer):
    __doc__ = str(core.Conv3DTranspose.__doc__)
