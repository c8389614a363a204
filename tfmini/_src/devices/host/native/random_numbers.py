"""Random numbers from Philox streams, bitwise equal to the results of `devices.numpy.random_distributions`."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.devices.host.native.library import (
    address,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_LOGITS = 1 << 13
_MAX_CLASSES = 1 << 62  # classes; rounding up the exponential could exceed 64 bits


_stream_bytes = struct.Struct("2I2Q").pack  # the key, the high and the low half of the counter


def fill(
    name: str, stream: Any, size: int, width: int, dtype: np.dtype, region: int = 0
) -> np.ndarray | None:
    """Returns `size` numbers of a stream (`devices.numpy.philox.Stream`), `width` per block; None without a library.

    Args:
      name: name of the kernel, without "random_".
      region: number of blocks reserved for a group of truncated normals.
    """
    kernel = function(f"random_{name}")
    if kernel is None:
        return None
    blocks = -(-size // width)
    out = np.empty(blocks * width, dtype)
    reference = _packed_stream(stream)
    extra = (region,) * bool(region)
    kernel(reference, address(out), blocks, thread_count(), *extra)
    return out[:size]


def _packed_stream(stream: Any) -> bytes:
    return _stream_bytes(*stream.key, stream.high, stream.offset)


def draw_by_rejection(
    name: str, stream: Any, parameters: np.ndarray, samples: int, region: int, *flags: int
) -> np.ndarray | None:
    """Draws the numbers of "gamma" or "poisson", float64 [parameters, samples]; None without a library.

    Args:
      parameters: a vector.
      region: number of blocks reserved for each number.
      flags: for "gamma", whether the numbers may be rounded to float32.
    """
    kernel = function(f"random_{name}")
    if kernel is None:
        return None
    out = np.empty((len(parameters), samples))
    if out.size:
        parameters = np.ascontiguousarray(parameters, np.float64)
        args = address(parameters), address(out), *out.shape, region, *flags, thread_count()
        kernel(_packed_stream(stream), *args)
    return out


def log_uniform(
    stream: Any, targets: np.ndarray, count: int, size: int, log_size: float
) -> tuple[np.ndarray, np.ndarray, int] | None:
    """Returns `targets` and `count` distinct other classes, their expected counts, and the number of draws.

    The classes are int64 and the counts float32. Class k below `size` is drawn with probability
    log((k + 2) / (k + 1)) / log_size. Returns None if NumPy must draw them.
    """
    kernel = _log_uniform()
    if kernel is None or size >= _MAX_CLASSES:
        return None
    first = targets.size
    classes = np.empty(first + count, np.int64)
    classes[:first] = targets.reshape(-1)
    expected = np.empty(first + count, np.float32)
    args = address(classes), address(expected), first, count, size, log_size
    tries = kernel(_packed_stream(stream), *args)
    return (classes, expected, tries) if tries else None


@cache
def _log_uniform() -> Any:
    return function("random_log_uniform")


def choices(logits: np.ndarray, uniforms: np.ndarray) -> np.ndarray | None:
    """Returns classes drawn by inverse transform sampling, int64 [rows, samples]; None if NumPy must draw them.

    logits: float32 [rows, classes].
    uniforms: uniform random numbers [rows, samples].
    """
    if logits.dtype != np.float32 or not (is_contiguous(logits) and logits.size):
        return None
    kernel = function("choose_classes_f32")
    if kernel is None:
        return None
    out = np.empty(uniforms.shape, np.int64)
    threads = thread_count() if logits.size >= _MIN_PARALLEL_LOGITS else 1
    args = map(address, (logits, uniforms, out))
    if not kernel(*args, *logits.shape, uniforms.shape[1], threads):
        raise MemoryError
    return out
