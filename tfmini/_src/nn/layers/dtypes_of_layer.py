"""Layer dtypes: that of the weights and that of the computations."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.backend.config import default_policy, floatx, v2_dtype_behavior_enabled
from tfmini._src.nn.layers.node_history import CallHistory
from tfmini._src.ops import ops


class LayerDtypes(CallHistory):
    """A layer's dtypes, from a policy, a dtype or the first input."""

    _infers_dtype = False  # whether its first input tells its dtype, whatever the policy
    _autocast: bool

    dtype: str | None = read_only("Name of the weights' dtype; None until known.", "_dtype_name")

    @property
    def _dtype(self) -> str | None:
        return self._dtype_name

    @_dtype.setter
    def _dtype(self, dtype: Any) -> None:
        self._set_dtype_policy(dtypes.as_dtype(dtype).name)

    _compute_dtype: str | None = read_only(
        "Name of the compute dtype; None until known.", "_computes_in"
    )

    def _set_dtype_policy(self, dtype: Any) -> None:
        """Sets dtypes from a policy, from one dtype for computation and weights, or by the global policy."""
        policy = dtype if hasattr(dtype, "should_cast_variables") else None
        if not dtype:
            policy = None if self._infers_dtype else default_policy()
        self._has_dtype_of_floatx = (
            not (dtype or policy or self._infers_dtype) and v2_dtype_behavior_enabled()
        )
        if self._has_dtype_of_floatx:
            dtype = floatx()
        self._dtype_policy = policy
        if policy is None:
            self._dtype_name = self._computes_in = dtypes.as_dtype(dtype).name if dtype else None
        else:
            self._dtype_name, self._computes_in = policy.variable_dtype, policy.compute_dtype

    def _other_compute_dtype(self) -> Any:
        """Dtype in which variables are to be read, if it differs from their own."""
        if self._computes_in == self._dtype_name or self._computes_in is None:
            return None
        dtype = dtypes.as_dtype(self._computes_in)
        return dtype if dtype.is_floating else None

    def _cast_inputs(self, inputs: Any) -> Any:
        """Casts floating inputs to the layer's dtype, if autocasting is on."""
        if not self._autocast or self._compute_dtype is None:
            return inputs
        wanted = dtypes.as_dtype(self._compute_dtype)
        if not wanted.is_floating:
            return inputs

        def cast(x: Any) -> Any:
            is_tensor = isinstance(x, (Tensor, SparseTensor)) or hasattr(x, "flat_values")
            if not (is_tensor and x.dtype.is_floating) or x.dtype.base_dtype == wanted:
                return x
            if self._has_dtype_of_floatx:
                self._warn_of_casting(x.dtype.base_dtype.name)
            return ops.cast(x, wanted)

        return map_structure(cast, inputs)

    def _warn_of_casting(self, given: str) -> None:
        """Warns once that an input is cast to a dtype not chosen by the program."""
        own = self._compute_dtype
        logs.warn(
            f"Layer {self.name} is casting an input tensor from dtype {given} to the layer's dtype of {own}, which "
            f"is new behavior in TensorFlow 2.  The layer has dtype {own} because it's dtype defaults to floatx.\n\n"
            f"Pass dtype='{given}' to the layer to have it compute in that dtype, autocast=False to its base class to "
            f"have no inputs cast, or call `tf.keras.backend.set_floatx('{given}')` first."
        )
        self._has_dtype_of_floatx = False
