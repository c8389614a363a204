"""Random numbers on a GPU, from the same streams as on the CPU.

Words, uniform numbers and integers equal `devices.numpy.random_distributions` bit for bit; normal numbers may
differ in the last digit. `moved`, a uint64 array of one number on the device, advances a stream by that many blocks:
changing it (`move_on`) makes a recorded launch draw new numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.records import dataclass
from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import FLOATS, Array, per_element, run
from tfmini._src.devices.numpy.philox import Stream

_HALVES = {"float16": "f16", "bfloat16": "bf16"}


@dataclass(frozen=True)
class MovingStream(Stream):
    """A stream for recorded launches, which advance it by `moved` blocks when they run."""

    moved: Any = None


def _draw(
    xp: ArrayModule,
    kernel: str,
    stream: Stream,
    moved_offset: Array,
    out: Array,
    width: int,
    *args: Any,
) -> None:
    key = stream.key[0] | stream.key[1] << 32
    state = [np.uint64(part) for part in (key, stream.high, stream.offset)]
    if moved_offset is None:
        moved_offset = getattr(stream, "moved", None)
    offset = np.uint64(0) if moved_offset is None else moved_offset
    per_element(
        xp, "random_numbers", kernel, -(-out.size // width), *state, offset, out, out.size, *args
    )


def raw_words(xp: ArrayModule, stream: Stream, size: int, moved_offset: Array = None) -> Array:
    """Returns the first `size` words of a stream, uint32."""
    out = xp.empty(size, np.uint32)
    _draw(xp, "words_u32", stream, moved_offset, out, 4)
    return out


def raw_double_words(
    xp: ArrayModule, stream: Stream, size: int, moved_offset: Array = None
) -> Array:
    """Returns the first `size` pairs of words as uint64, with the first word in the low half."""
    out = xp.empty(size, np.uint64)
    _draw(xp, "words_u64", stream, moved_offset, out, 2)
    return out


def uniform(
    xp: ArrayModule, stream: Stream, size: int, dtype: Any, moved_offset: Any = None
) -> Array:
    """Returns `size` numbers in [0, 1) of float16, bfloat16, float32 or float64."""
    out = xp.empty(size, dtype)
    half = _HALVES.get(out.dtype.name)
    if half:
        _draw(xp, f"uniform_{half}", stream, moved_offset, out.view(np.uint16), 4)
    else:
        _draw(
            xp, f"uniform_{FLOATS[out.dtype.name]}", stream, moved_offset, out, 16 // out.itemsize
        )
    return out


def uniform_integers(
    xp: ArrayModule,
    stream: Stream,
    size: int,
    low: int,
    high: int,
    dtype: np.dtype,
    moved_offset: Array = None,
) -> Array:
    """Returns `size` integers in [low, high) of int32 or int64: `low + word % (high - low)`."""
    out = xp.empty(size, dtype)
    bits = 8 * out.itemsize
    word = np.uint32 if bits == 32 else np.uint64
    bounds = word(low % 2**bits), word((high - low) % 2**bits)
    _draw(xp, f"integers_i{bits}", stream, moved_offset, out, 16 // out.itemsize, *bounds)
    return out


def normal(
    xp: ArrayModule, stream: Stream, size: int, dtype: np.dtype, moved_offset: Array = None
) -> Array:
    """Returns `size` standard normal numbers."""
    return _normal(xp, "normal", stream, size, dtype, moved_offset)


def truncated_normal(
    xp: ArrayModule, stream: Stream, size: int, dtype: np.dtype, moved_offset: Array = None
) -> Array:
    """Returns `size` standard normal numbers truncated to (-2, 2)."""
    return _normal(xp, "truncated_normal", stream, size, dtype, moved_offset)


def _normal(
    xp: ArrayModule, name: str, stream: Stream, size: int, dtype: np.dtype, moved_offset: Array
) -> Array:
    dtype = np.dtype(dtype)
    out = xp.empty(size, np.float64 if dtype == np.float64 else np.float32)
    _draw(xp, f"{name}_{FLOATS[out.dtype.name]}", stream, moved_offset, out, 16 // out.itemsize)
    return out if out.dtype == dtype else out.astype(dtype)


def move_on(xp: ArrayModule, moved_offset: Array, blocks: int) -> None:
    """Adds `blocks` to `moved_offset` on the device."""
    run(xp, "random_numbers", "move_on", (1,), (1,), moved_offset, np.uint64(blocks))
