"""Saveables, which are named tensors in a checkpoint with the operation that restores them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.graph.tensor import Tensor


class SaveSpec:
    """A tensor in a checkpoint.

    Args:
      tensor: the tensor, or a function that returns it, which requires dtype and device.
      slice_spec: the slice of a larger tensor ("7 4 0,3:-"), or "" for a full tensor.
      name: its name in the checkpoint.
      dtype: its dtype.
      device: its device.
    """

    def __init__(
        self,
        tensor: Tensor | Callable[[], Tensor] | Any,
        slice_spec: str,
        name: str,
        dtype: Any = None,
        device: str | None = None,
    ):
        self._tensor = tensor
        self.slice_spec = slice_spec
        self.name = name
        if not callable(tensor):
            dtype, device = tensor.dtype, tensor.device
        elif dtype is None or device is None:
            raise AssertionError(
                "When passing a callable `tensor` to a SaveSpec, an explicit dtype and device must be provided."
            )
        self.dtype = dtype
        self.device = device

    @property
    def tensor(self) -> Any:
        """The tensor; if defined by a function, recomputed on each access."""
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """An object that a Saver can save; subclasses define how it is restored.

    Args:
      op: the saved entity, such as a variable.
      specs: the SaveSpecs of its tensors, all on one device.
      name: the name under which to save it.
    """

    def __init__(self, op: Any, specs: Sequence[SaveSpec], name: str):
        self.op = op
        self.specs = specs
        self.name = name

    @property
    def optional_restore(self) -> bool:
        """Whether the value may be missing from the checkpoint."""
        return False

    @property
    def device(self) -> str | None:
        """The device of its tensors."""
        return self.specs[0].device

    def restore(self, restored_tensors: Sequence[Tensor], restored_shapes: Any) -> Any:
        """Returns an operation that restores the object.

        Args:
          restored_tensors: the tensors read, one per spec.
          restored_shapes: shapes to apply to them, or None.
        """
        raise ValueError("Calling an abstract method.")
