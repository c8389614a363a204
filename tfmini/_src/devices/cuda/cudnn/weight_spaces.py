"""Locations of matrices and biases in the parameter buffer of a recurrent network, as cuDNN reports them."""

from __future__ import annotations

import ctypes
import math
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.devices.cuda.cudnn.descriptors import Descriptor, descriptor_shape
from tfmini._src.devices.cuda.cudnn.library import Cudnn

# Matrix products per layer: half of them of the inputs, half of the state.
PRODUCTS = {"lstm": 8, "gru": 6, "rnn_tanh": 2, "rnn_relu": 2}
_PROJECTION = 8  # the number of an LSTM's projection, which follows its products


class Part(NamedTuple):
    """A matrix or a bias.

    begin: the index of its first element in the buffer; None if it does not exist, as for the first layer's input
      matrices in skip-input mode.
    shape: [units, width], or [units].
    """

    begin: int | None
    shape: tuple[int, ...]


class WeightSpace:
    """The parameter buffer of a recurrent network."""

    def __init__(self, gpu: Any, cudnn: Cudnn, net: Descriptor, settings: Any):
        self._gpu = gpu
        self._cudnn = cudnn
        self._net = net
        self._settings = settings
        self._dtype = np.dtype(settings.dtype)
        size = ctypes.c_size_t()
        cudnn.call("cudnnGetRNNWeightSpaceSize", net.value, ctypes.byref(size))
        self.size = size.value
        self._parts: tuple[list[Part], list[Part]] | None = None

    @property
    def elements(self) -> int:
        """The size of the buffer in elements."""
        return -(-self.size // self._dtype.itemsize)

    def parts(self) -> tuple[list[Part], list[Part]]:
        """Returns all matrices and biases by layer, direction and product, with an LSTM's projection last."""
        if self._parts is None:
            space = self._gpu.xp.empty(self.elements, self._dtype)
            matrices, biases = [], []
            settings = self._settings
            products = PRODUCTS[settings.mode]
            for layer in range(settings.layers * settings.directions):
                for product in range(products):
                    matrix, bias = self._weight_parts(space, layer, product)
                    matrices.append(matrix)
                    biases.append(bias)
                if settings.projected:
                    matrices.append(self._weight_parts(space, layer, _PROJECTION)[0])
            self._parts = matrices, biases
        return self._parts

    def _weight_parts(self, space: Any, layer: int, product: int) -> tuple[Part, Part]:
        matrix, bias = (Descriptor(self._cudnn, "Tensor") for _ in range(2))
        matrix_at, bias_at = ctypes.c_void_p(), ctypes.c_void_p()
        start = space.data.ptr
        self._cudnn.call(
            "cudnnGetRNNWeightParams",
            self._net.value,
            ctypes.c_int(layer),
            ctypes.c_size_t(self.size),
            ctypes.c_void_p(start),
            ctypes.c_int(product),
            matrix.value,
            ctypes.byref(matrix_at),
            bias.value,
            ctypes.byref(bias_at),
        )
        units = self._settings.units
        if matrix_at.value is None:
            weights = Part(None, (units, units))
        else:
            weights = Part(
                self._index(matrix_at.value - start), descriptor_shape(self._cudnn, matrix)[1:]
            )
        if bias_at.value is None:  # projections have no bias
            return weights, Part(None, (0,))
        size = math.prod(descriptor_shape(self._cudnn, bias))
        return weights, Part(self._index(bias_at.value - start), (size,))

    def _index(self, offset: int) -> int:
        return offset // self._dtype.itemsize
