"""Inputs inferred from data: their names, and placeholders for arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import as_dtype
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.tensor_values import placeholder


class ModelInputs:
    """Data from which the inputs of a model are inferred.

    Args:
      inputs: an array, a tensor or a TensorSpec; a list of them, or a dict.
    """

    def __init__(self, inputs: Any):
        self._inputs = inputs
        if isinstance(inputs, dict):
            self._names = sorted(inputs)
            self._items = [inputs[name] for name in self._names]
        else:
            self._items = flatten(inputs)
            self._names = [f"input_{n + 1}" for n in range(len(self._items))]

    def get_input_names(self) -> list[str]:
        """Returns the keys of a dict in order; else "input_1", "input_2" ..."""
        return self._names

    def get_symbolic_inputs(self, return_single_as_list: bool = False) -> Any:
        """Returns the inputs with arrays replaced by placeholders, which are created once."""
        self._items = [_symbolic(item, name) for item, name in zip(self._items, self._names)]
        if isinstance(self._inputs, dict):
            return dict(zip(self._names, self._items))
        if isinstance(self._inputs, (list, tuple)) or return_single_as_list:
            return list(self._items)
        return self._items[0]


def _symbolic(value: Any, name: str) -> Any:
    """Returns a tensor unchanged, or a placeholder with an array's non-batch shape."""
    if isinstance(value, (list, float, int)):
        value = np.asarray(value)
        value = np.expand_dims(value, 1) if value.ndim == 1 else value
    if not isinstance(value, (np.ndarray, TensorSpec, EagerTensor)):
        return value
    shape = (None, *tuple(value.shape)[1:])
    floating = not isinstance(value, TensorSpec) and as_dtype(value.dtype).is_floating
    return placeholder(
        shape=(None, 1) if shape == (None,) else shape,
        name=name,
        dtype=floatx() if floating else value.dtype,
    )
