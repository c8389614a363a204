"""Saveables: named tensors and how to restore them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.graph.tensor import Tensor


class SaveSpec:
    """One tensor of a checkpoint.

    Args:
      tensor: the tensor, or a function that makes it, which then needs a dtype and a device.
      slice_spec: which slice of a larger tensor it is ("7 4 0,3:-"), "" for a whole one.
      name: its name in the checkpoint.
      dtype: its dtype.
      device: the device where it is.
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
        """The tensor; computed anew each time if it is given as a function."""
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """An object that a Saver saves; subclasses define how it is restored.

    Args:
      op: what it is, a variable for example.
      specs: the SaveSpecs of its tensors, which are on one device.
      name: the name to save it under.
    """

    def __init__(self, op: Any, specs: Sequence[SaveSpec], name: str):
        self.op = op
        self.specs = specs
        self.name = name

    @property
    def optional_restore(self) -> bool:
        """Whether a checkpoint may lack it."""
        return False

    @property
    def device(self) -> str | None:
        """The device of its tensors."""
        return self.specs[0].device

    def restore(self, restored_tensors: Sequence[Tensor], restored_shapes: Any) -> Any:
        """An operation that restores it.

        Args:
          restored_tensors: what was read, one tensor a spec.
          restored_shapes: the shapes to give them, or None to take them as they are.
        """
        raise ValueError("Calling an abstract method.")
