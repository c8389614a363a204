"""Compression of gradients before they are sent, and decompression after."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import float16
from tfmini._src.graph.opdef import ops


class Compressor:
    """Leaves tensors as they are; the base of those that do not."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """The tensor to send, and what `decompress` needs to know."""
        return tensor, None

    @staticmethod
    def decompress(tensor: Any, context: Any) -> Any:
        """The tensor as it was before, from what was received."""
        return tensor


class NoneCompressor(Compressor):
    """Sends tensors as they are."""


class FP16Compressor(Compressor):
    """Sends floats as float16: half the bytes of float32, and sums of less precision."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """The tensor as float16, if it is of floats, and its dtype."""
        dtype = tensor.dtype.base_dtype
        return (ops.cast(tensor, float16) if dtype.is_floating else tensor), dtype

    @staticmethod
    def decompress(tensor: Any, context: Any) -> Any:
        """The tensor in the dtype that it had."""
        return ops.cast(tensor, context) if context.is_floating else tensor


class Compression:
    """The compressors: `Compression.none`, `Compression.fp16`."""

    none = NoneCompressor
    fp16 = FP16Compressor
