"""Weight dtype and compute dtype of a layer; inputs are cast to the latter before `call`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.backend.config import default_policy, floatx, v2_dtype_behavior_enabled
from tfmini._src.ops import ops


class LayerDtypes:
    """Compute and weight dtypes of a layer, set by a policy, a single dtype, or the global policy.

    Args:
      dtype: a policy or a dtype; None for the global policy.
      infers: whether the first input determines the dtype, regardless of the global policy.

    Attributes:
      policy: the policy, or None.
      weights, compute: names of dtypes; None until known.
    """

    def __init__(self, dtype: Any, infers: bool):
        policy = dtype if hasattr(dtype, "should_cast_variables") else None
        if not dtype:
            policy = None if infers else default_policy()
        self._uses_floatx = not (dtype or policy or infers) and v2_dtype_behavior_enabled()
        if self._uses_floatx:
            dtype = floatx()
        self.policy = policy
        self.weights: str | None
        self.compute: str | None
        if policy is None:
            self.weights = self.compute = dtypes.as_dtype(dtype).name if dtype else None
        else:
            self.weights, self.compute = policy.variable_dtype, policy.compute_dtype

    def infer(self, x: Any) -> None:
        """Derives unknown dtypes from the first input."""
        if self.compute is None:
            input_dtype = getattr(getattr(x, "dtype", None), "base_dtype", None)
            self.compute = input_dtype and input_dtype.name
            if self.weights is None:
                self.weights = self.compute

    def weight_dtype(self, dtype: Any) -> dtypes.DType:
        """Returns the dtype of a weight to create; if the layer's dtype is unknown, the first weight determines it."""
        weight_dtype = dtypes.as_dtype(dtype or self.weights or floatx())
        if self.weights is None:
            self.weights = self.compute = weight_dtype.base_dtype.name
        return weight_dtype

    def read_dtype(self) -> dtypes.DType | None:
        """Returns the dtype to read weights in, if different from their own."""
        if self.compute in (None, self.weights):
            return None
        dtype = dtypes.as_dtype(self.compute)
        return dtype if dtype.is_floating else None

    def cast(self, inputs: Any, name: str) -> Any:
        """Casts the floating-point inputs of the layer called `name` to the compute dtype."""
        if self.compute is None:
            return inputs
        target = dtypes.as_dtype(self.compute)
        if not target.is_floating:
            return inputs

        def cast(x: Any) -> Any:
            is_tensor = isinstance(x, (Tensor, SparseTensor)) or hasattr(x, "flat_values")
            if not (is_tensor and x.dtype.is_floating) or x.dtype.base_dtype == target:
                return x
            if self._uses_floatx:
                self._warn(name, x.dtype.base_dtype.name)
            return ops.cast(x, target)

        return map_structure(cast, inputs)

    def _warn(self, name: str, input_dtype: str) -> None:
        """Warns, only once, that an input is cast to a dtype that the program did not choose."""
        logs.warn(
            f"Layer {name} is casting an input tensor from dtype {input_dtype} to the layer's dtype of {self.compute}, "
            f"which is new behavior in TensorFlow 2.  The layer has dtype {self.compute} because it's dtype defaults "
            f"to floatx.\n\nPass dtype='{input_dtype}' to the layer to have it compute in that dtype, autocast=False "
            f"to its base class to have no inputs cast, or call `tf.keras.backend.set_floatx('{input_dtype}')` first."
        )
        self._uses_floatx = False
