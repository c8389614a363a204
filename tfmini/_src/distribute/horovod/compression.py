"""Compression of gradients for transfer."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import float16
from tfmini._src.ops import ops


class Compressor:
    """Leaves tensors unchanged; base class of compressors."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """Returns the tensor to be sent, and the context for `decompress`."""
        return tensor, None

    @staticmethod
    def decompress(tensor: Any, context: Any) -> Any:
        """Restores the original form of a received tensor."""
        return tensor


class NoneCompressor(Compressor):
    """Sends tensors uncompressed."""


class FP16Compressor(Compressor):
    """Sends floats as float16: half the bytes of float32, with less precise sums."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """Casts a float tensor to float16; returns it with its original dtype."""
        dtype = tensor.dtype.base_dtype
        return (ops.cast(tensor, float16) if dtype.is_floating else tensor), dtype

    @staticmethod
    def decompress(tensor: Any, context: Any) -> Any:
        """Casts the tensor back to its original dtype."""
        return ops.cast(tensor, context) if context.is_floating else tensor


class Compression:
    """The compressors: `Compression.none`, `Compression.fp16`."""

    none = NoneCompressor
    fp16 = FP16Compressor
