"""InputSpec: the constraints of a layer on its inputs, and checks of inputs against them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfmini._src.base.dtypes import DTypeLike, as_dtype
from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.nn.layers.backend.config import floatx


class InputSpec:
    """The dtype, rank and sizes that a layer requires of an input.

    A layer's `input_spec` is an InputSpec, or several in the structure of its inputs; None accepts anything.

    Args:
      dtype: the dtype.
      shape: a list of sizes; None for any size.
      ndim: the rank.
      max_ndim: the highest rank.
      min_ndim: the lowest rank.
      axes: a dict from axes to their sizes.

    Raises:
      TypeError: if a key of `axes` is not an integer.
      ValueError: if a key of `axes` is out of range for the rank.

    Example:
      self.input_spec = tf.layers.InputSpec(min_ndim=2, axes={-1: 784})
    """

    def __init__(
        self,
        dtype: DTypeLike | None = None,
        shape: Any = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: Mapping[Any, Any] | None = None,
    ):
        self.dtype = None if dtype is None else as_dtype(dtype).name
        self.ndim = ndim if shape is None else len(shape)
        self.shape = shape
        self.max_ndim = max_ndim
        self.min_ndim = min_ndim
        try:
            self.axes = {int(axis): axes[axis] for axis in axes} if axes else {}
        except (ValueError, TypeError):
            raise TypeError("The keys in axes must be integers.") from None
        if self.axes and (self.ndim is not None or self.max_ndim is not None):
            last = (self.ndim or self.max_ndim or 0) - 1
            if max(self.axes) > last:
                raise ValueError(
                    f"Axis {max(self.axes)} is greater than the maximum allowed value: {last}"
                )

    def __repr__(self) -> str:
        names = ("dtype", "shape", "ndim", "max_ndim", "min_ndim", "axes")
        constraints = [f"{name}={getattr(self, name)}" for name in names if getattr(self, name)]
        return f"InputSpec({', '.join(constraints)})"

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        return {
            "dtype": self.dtype,
            "shape": self.shape,
            "ndim": self.ndim,
            "max_ndim": self.max_ndim,
            "min_ndim": self.min_ndim,
            "axes": self.axes,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> InputSpec:
        """Rebuilds a spec from `get_config` output."""
        return cls(**config)


def to_tensor_shape(spec: InputSpec) -> TensorShape:
    """Returns the shape required by a spec; unspecified sizes are None."""
    if spec.shape is not None:
        return TensorShape(spec.shape)
    if spec.ndim is None:
        return TensorShape(None)
    shape = [None] * spec.ndim
    for axis, size in spec.axes.items():
        shape[axis] = size
    return TensorShape(shape)


def to_tensor_spec(input_spec: Any, default_dtype: Any = None) -> TensorSpec:
    """Returns the TensorSpec of inputs that satisfy `input_spec`.

    Args:
      input_spec: an InputSpec; any other value means no constraint.
      default_dtype: the dtype if the spec has none, by default `floatx`.
    """
    default_dtype = default_dtype or floatx()
    if isinstance(input_spec, InputSpec):
        return TensorSpec(to_tensor_shape(input_spec), input_spec.dtype or default_dtype)
    return TensorSpec(None, default_dtype)


def check_inputs(input_spec: Any, inputs: Any, layer_name: str) -> None:
    """Checks inputs against specs."""
    if not input_spec or (inputs.__class__ is Tensor and _is_met(input_spec, inputs)):
        return
    inputs, specs = flatten(inputs), flatten(input_spec)
    if len(inputs) != len(specs):
        raise ValueError(
            f"Layer {layer_name} expects {len(specs)} inputs, but it received {len(inputs)} input "
            f"tensors. Inputs received: {inputs}"
        )
    for index, (x, spec) in enumerate(zip(inputs, specs)):
        if spec is not None:
            _check_rank(spec, x, index, layer_name)
            _check_dtype_and_sizes(spec, x, index, layer_name)


def _is_met(spec: Any, tensor: Tensor) -> bool:
    """Whether inputs satisfy a spec of rank and axis sizes; a fast check that is False for other specs."""
    dims = tensor._dims
    if spec.__class__ is not InputSpec or spec.dtype is not None or spec.shape is not None:
        return False
    if dims is None:
        return False
    rank = len(dims)
    if spec.ndim not in (None, rank) or rank < (spec.min_ndim or 0):
        return False
    if spec.max_ndim is not None and rank > spec.max_ndim:
        return False
    for axis, size in spec.axes.items():
        if size.__class__ is not int or not -rank <= axis < rank or dims[axis] != size:
            return False
    return True


def _mismatch(index: int, layer_name: str, problem: str) -> ValueError:
    return ValueError(
        f"Input {index} of layer {layer_name} is incompatible with the layer: {problem}"
    )


def _check_rank(spec: InputSpec, x: Any, index: int, layer_name: str) -> None:
    if spec.ndim is None and spec.min_ndim is None and spec.max_ndim is None:
        return
    ndim = x.shape.ndims
    if ndim is None:
        raise _mismatch(
            index, layer_name, "its rank is undefined, but the layer requires a defined rank."
        )
    full = f". Full shape received: {x.shape.as_list()}"
    if spec.ndim is not None and ndim != spec.ndim:
        problem = f"expected ndim={spec.ndim}, found ndim={ndim}{full}"
        raise _mismatch(index, layer_name, problem)
    if spec.max_ndim is not None and ndim > spec.max_ndim:
        problem = f"expected max_ndim={spec.max_ndim}, found ndim={ndim}"
        raise _mismatch(index, layer_name, problem)
    if spec.min_ndim is not None and ndim < spec.min_ndim:
        problem = f": expected min_ndim={spec.min_ndim}, found ndim={ndim}{full}"
        raise _mismatch(index, layer_name, problem)


def _check_dtype_and_sizes(spec: InputSpec, x: Any, index: int, layer_name: str) -> None:
    if spec.dtype is not None and x.dtype != spec.dtype:
        raise _mismatch(index, layer_name, f"expected dtype={spec.dtype}, found dtype={x.dtype}")
    if spec.axes:
        shape = x.shape.as_list()
        for axis, size in spec.axes.items():
            size = getattr(size, "value", size)
            if size is not None and shape[axis] not in (size, None):
                raise ValueError(
                    f"Input {index} of layer {layer_name} is incompatible with the layer: expected "
                    f"axis {axis} of input shape to have value {size} but received input with shape "
                    f"{shape}"
                )
    if spec.shape is not None:
        shape = x.shape.as_list()
        for expected, size in zip(spec.shape, shape):
            if expected is not None and size is not None and expected != size:
                raise ValueError(
                    f"Input {index} is incompatible with layer {layer_name}: expected "
                    f"shape={spec.shape}, found shape={shape}"
                )
