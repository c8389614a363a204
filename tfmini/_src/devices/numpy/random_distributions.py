"""Distributions that consume a fixed part of a Philox stream, as in TensorFlow 1.15's CPU kernels: uniform numbers and
integers, normals, truncated normals.

All functions return flat arrays, in stream order. Unless noted, a stateful op advances its stream by `RESERVED_BLOCKS`
per output, regardless of use.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.cuda import random_numbers
from tfmini._src.devices.host.native import random_numbers as native
from tfmini._src.devices.host.threads import run_parts
from tfmini._src.devices.numpy.philox import Generator, Stream, Words, first_blocks

RESERVED_BLOCKS = 256  # blocks reserved in an op's stream per output

_MIN_BLOCK_NUMBERS = 1 << 10  # minimum numbers; for fewer, the remainder takes fewer calls
_BLOCKS = 16384  # blocks per pass on the CPU: their buffers fit the L2 cache
_MIN_DOUBLED_BLOCKS = (
    4 * _BLOCKS
)  # above this number, twice as many blocks, so that threads seldom wait for each other
_ONE_BITS = 0x3FF0000000000000  # bits of the double 1.0
_generator = Generator()


def uniform(xp: ArrayModule, stream: Stream, size: int, dtype: Any) -> Array:
    """Returns `size` numbers in [0, 1) of float16, bfloat16, float32 or float64."""
    if xp is not np:
        return random_numbers.uniform(xp, stream, size, dtype)
    dtype = np.dtype(dtype)
    if dtype == np.float64:
        return _fill_blocks(xp, stream, size, 2, dtype, _doubles, kernel="uniform_f64")
    if dtype == np.float32:
        return _fill_blocks(xp, stream, size, 4, dtype, _draw_floats, kernel="uniform_f32")
    bits = 10 if dtype == np.float16 else 7
    words = raw_words(xp, stream, size)
    words &= np.uint32(2**bits - 1)
    return (words * np.float32(2.0**-bits)).astype(dtype)


def first_unit_doubles(seeds: np.ndarray) -> np.ndarray:
    """Returns the first number of `uniform` for the stateless stream of each of `seeds` [streams, 2], float64."""
    high, low, *_ = first_blocks(seeds)
    bits = (high & np.uint64(0xFFFFF)) << np.uint64(32) | low | np.uint64(_ONE_BITS)
    return bits.view(np.float64) - 1


def uniform_integers(
    xp: ArrayModule, stream: Stream, size: int, low: int, high: int, dtype: np.dtype
) -> Array:
    """Returns `size` integers in [low, high) of int32 or int64: `low + word % (high - low)`."""
    if xp is not np:
        return random_numbers.uniform_integers(xp, stream, size, low, high, dtype)
    dtype = np.dtype(dtype)
    words = (raw_words if dtype.itemsize == 4 else raw_double_words)(xp, stream, size)
    span = words.dtype.type(high - low)
    start = words.dtype.type(low % 2 ** (8 * dtype.itemsize))
    if size < _MIN_BLOCK_NUMBERS:
        words %= span
        words += start
        return words.view(dtype)
    for part in _row_blocks(xp, words, 2 * _BLOCKS):
        # NumPy vectorizes division by a scalar, but not the remainder.
        part -= part // span * span
        part += start
    return words.view(dtype)


def raw_words(xp: ArrayModule, stream: Stream, size: int) -> Array:
    """Returns the first `size` words of a stream, uint32."""
    if xp is not np:
        return random_numbers.raw_words(xp, stream, size)
    return _fill_blocks(xp, stream, size, 4, np.dtype(np.uint32), _draw_word_pairs, kernel="words")


def raw_double_words(xp: ArrayModule, stream: Stream, size: int) -> Array:
    """Returns the first `size` pairs of words of a stream as uint64, with the first word in the low half."""
    if xp is not np:
        return random_numbers.raw_double_words(xp, stream, size)
    return _fill_blocks(xp, stream, size, 2, np.dtype(np.uint64), _draw_word_pairs, kernel="words")


def normal(xp: ArrayModule, stream: Stream, size: int, dtype: np.dtype) -> Array:
    """Returns `size` standard normal numbers, computed by the Box-Muller transform."""
    if xp is not np:
        return random_numbers.normal(xp, stream, size, dtype)
    dtype = np.dtype(dtype)
    if dtype == np.float64:
        return _fill_blocks(xp, stream, size, 2, dtype, normal_doubles)
    single = np.dtype(np.float32)
    result = _fill_blocks(xp, stream, size, 4, single, normal_floats, _NORMAL_LANES, "normal_f32")
    return result if dtype == np.float32 else result.astype(dtype)


def truncated_normal(xp: ArrayModule, stream: Stream, size: int, dtype: np.dtype) -> Array:
    """Returns `size` normal numbers between -2 and 2; others are rejected and redrawn.

    Four outputs (two doubles) share a region of blocks, 64 (128) each, and use its numbers inside the bounds, in order.
    """
    if xp is not np:
        return random_numbers.truncated_normal(xp, stream, size, dtype)
    dtype = np.dtype(dtype)
    if dtype == np.float64:
        width, compute_dtype, draw = 2, dtype, normal_doubles
    else:
        width, compute_dtype, draw = 4, np.dtype(np.float32), normal_floats
    if width == 4:
        result = native.fill(
            "truncated_normal_f32", stream, size, width, compute_dtype, RESERVED_BLOCKS
        )
        if result is not None:
            return result if dtype == compute_dtype else result.astype(dtype)
    groups = -(-size // width)
    out = xp.empty((groups, width), compute_dtype)
    region = np.uint64(RESERVED_BLOCKS * width // 4)
    all_inside = np.dtype(f"u{width}").type(0x01010101 >> (32 - 8 * width))

    def work(some: slice) -> None:
        part = out[some]
        indices = (_generator.numbers(xp, len(part)) + np.uint64(some.start)) * region
        _normals_at(xp, stream, indices, draw, part)
        within_bounds = (xp.abs(part) < 2).view(all_inside.dtype)[:, 0]
        short = xp.flatnonzero(within_bounds != all_inside)
        if short.size:
            part[short] = _first_inside(xp, stream, indices[short], draw, part[short])

    _run_in_parts(work, groups, _BLOCKS // 2)
    flat = out.reshape(-1)[:size]
    return flat if dtype == compute_dtype else flat.astype(dtype)


def _first_inside(
    xp: ArrayModule, stream: Stream, indices: Array, draw: Callable[..., Any], drawn: Array
) -> Array:
    """Draws until each row has enough normal numbers inside the bounds; returns the first of them."""
    width = drawn.shape[1]
    blocks = [drawn]
    while True:
        next_block = xp.empty_like(drawn)
        _normals_at(xp, stream, indices + np.uint64(len(blocks)), draw, next_block)
        blocks.append(next_block)
        candidates = xp.concatenate(blocks, axis=1)
        within_bounds = xp.abs(candidates) < 2
        order = xp.cumsum(within_bounds, axis=1)
        if int(order[:, -1].min()) >= width:
            return candidates[within_bounds & (order <= width)].reshape(-1, width)


def _normals_at(
    xp: ArrayModule, stream: Stream, indices: Array, draw: Callable[..., Any], part: Array
) -> None:
    lanes = _generator.lanes(xp, _NORMAL_LANES, len(part))
    draw(xp, _generator.words_at(xp, stream, indices, lanes), lanes[2:], part)


def _fill_blocks(
    xp: ArrayModule,
    stream: Stream,
    size: int,
    width: int,
    dtype: np.dtype,
    draw: Callable[[Any, Words, list[Array], Array], None],
    lanes: int = 3,
    kernel: str = "",
) -> Array:
    """Returns `size` numbers, `width` per block, by the native kernel or in parts by `draw(xp, words, spare, part)`."""
    result = native.fill(kernel, stream, size, width, dtype) if kernel else None
    if result is not None:
        return result
    blocks = -(-size // width)
    out = xp.empty((blocks, width), dtype)

    def work(some: slice) -> None:
        part = out[some]
        memory = _generator.lanes(xp, lanes, len(part))
        draw(xp, _generator.words(xp, stream, some.start, len(part), memory), memory[2:], part)

    _run_in_parts(work, blocks, _BLOCKS if lanes == 3 else _BLOCKS // 2)
    return out.reshape(-1)[:size]


def _run_in_parts(work: Callable[[slice], None], count: int, length: int) -> None:
    """Calls `work` on slices of `count` rows, of `length` rows or twice that, on any thread."""
    if count >= _MIN_DOUBLED_BLOCKS:
        length *= 2
    run_parts(lambda n: work(slice(n * length, min((n + 1) * length, count))), -(-count // length))


def _row_blocks(xp: ArrayModule, array: Array, length: int) -> list[Array]:
    """Returns views of an array's rows: `length` rows each on the CPU, all rows at once elsewhere."""
    if xp is not np:
        length = max(1, len(array))
    return [array[first : first + length] for first in range(0, len(array), length)]


def _store(values: Array, part: Array) -> None:
    """Writes eight bytes from each half of `values` into each row of `part`."""
    rows = part.view(values.dtype)
    rows[:, 0] = values[: len(part)]
    rows[:, 1] = values[len(part) :]


def _join(xp: ArrayModule, words: Words) -> Array:
    """Joins both words of each half to one uint64, in place, with the even word low."""
    even, odd_words = words
    xp.left_shift(odd_words, np.uint64(32), out=odd_words)
    return xp.bitwise_or(even, odd_words, out=even)


def _draw_word_pairs(xp: ArrayModule, words: Words, spare: list[Array], part: Array) -> None:
    _store(_join(xp, words), part)


def _draw_floats(xp: ArrayModule, words: Words, spare: list[Array], part: Array) -> None:
    """Writes uniform floats in [0, 1), each from 23 bits of a word, to `part`."""
    joined = _join(xp, words)
    joined &= np.uint64(0x007FFFFF_007FFFFF)
    joined |= np.uint64(0x3F800000_3F800000)
    floats = joined.view(np.float32)
    floats -= np.float32(1)
    _store(joined, part.view(np.uint64))


def _unit_doubles(words: Words) -> Array:
    """Returns uniform doubles in [0, 1), from 20 bits of each even word and all bits of the odd word."""
    even, odd_words = words
    even &= np.uint64(0xFFFFF)
    even <<= np.uint64(32)
    odd_words &= np.uint64(0xFFFFFFFF)
    even |= odd_words
    even |= np.uint64(_ONE_BITS)
    doubles = even.view(np.float64)
    doubles -= 1.0
    return doubles


def _doubles(xp: ArrayModule, words: Words, spare: list[Array], part: Array) -> None:
    _store(_unit_doubles(words), part)


def normal_doubles(xp: ArrayModule, words: Words, spare: list[Array], part: Array) -> None:
    """Writes two normal numbers per block, from two doubles, to `part`."""
    units = _unit_doubles(words)
    radius, angle = units[: len(part)], units[len(part) :]
    xp.maximum(radius, 1.0e-7, out=radius)
    xp.log(radius, out=radius)
    radius *= -2.0
    xp.sqrt(radius, out=radius)
    angle *= 2.0 * math.pi
    xp.multiply(xp.sin(angle), radius, out=part[:, 0])
    xp.multiply(xp.cos(angle), radius, out=part[:, 1])


_NORMAL_LANES = 8  # the three arrays of the generator, plus five for sines and cosines
_SECTORS = 2048
_SECTOR = 2 * math.pi / _SECTORS
_CENTERS = (np.arange(_SECTORS) + 0.5) * _SECTOR
_SINES, _COSINES = np.sin(_CENTERS), np.cos(_CENTERS)


def normal_floats(xp: ArrayModule, words: Words, spare: list[Array], part: Array) -> None:
    """Writes four normal numbers per block to `part`: sine and cosine of an angle from each pair, times a radius.

    Logarithm, sine and cosine are computed in double precision and rounded, which is closest to TensorFlow's C
    library. The angle is the center of a sector plus a remainder, so its sine and cosine are table entries rotated by a
    small angle.
    """
    even, odd_words = words
    count = len(part)
    sector, center, turned, sines, cosines = (lane[: 2 * count] for lane in spare[:5])
    center, turned, sines, cosines = (
        lane.view(np.float64) for lane in (center, turned, sines, cosines)
    )

    even <<= np.uint64(29)
    even &= np.uint64(0xFFFFFE0000000)
    even |= np.uint64(_ONE_BITS)
    radius = even.view(np.float64)
    radius -= 1.0
    xp.maximum(radius, float(np.float32(1.0e-7)), out=radius)
    xp.log(radius, out=radius)
    lengths = radius.astype(np.float32)
    lengths *= np.float32(-2)
    xp.sqrt(lengths, out=lengths)

    odd_words &= np.uint64(0x7FFFFF)
    xp.right_shift(odd_words, np.uint64(12), out=sector)
    odd_words <<= np.uint64(29)
    odd_words |= np.uint64(_ONE_BITS)
    rest = odd_words.view(np.float64)
    rest -= 1.0
    rest *= 2.0 * math.pi
    rest[...] = rest.astype(np.float32)
    center[...] = sector.view(np.int64)
    center += 0.5
    center *= _SECTOR
    rest -= center

    xp.take(xp.asarray(_SINES), sector.view(np.int64), out=sines, mode="clip")
    xp.take(xp.asarray(_COSINES), sector.view(np.int64), out=cosines, mode="clip")
    cosine_of_rest = xp.multiply(rest, rest, out=center)
    sine_of_rest = xp.multiply(cosine_of_rest, -1 / 6, out=turned)
    sine_of_rest += 1.0
    sine_of_rest *= rest
    cosine_of_rest *= -0.5
    cosine_of_rest += 1.0
    values = xp.multiply(sines, cosine_of_rest, out=rest)
    values += xp.multiply(cosines, sine_of_rest, out=radius)
    sines *= sine_of_rest
    cosines *= cosine_of_rest
    cosines -= sines
    for column, angles in enumerate((values, cosines)):
        products = angles.astype(np.float32)
        products *= lengths
        part[:, column] = products[:count]
        part[:, column + 2] = products[count:]


def doubles_at(xp: ArrayModule, stream: Stream, indices: Array, normal: bool) -> Array:
    """Returns two doubles [len(indices), 2], uniform or normal, from each of these blocks."""
    out = xp.empty((len(indices), 2))
    first = 0
    for part in _row_blocks(xp, out, _BLOCKS):
        lanes = _generator.lanes(xp, 3, len(part))
        words = _generator.words_at(xp, stream, indices[first : first + len(part)], lanes)
        (normal_doubles if normal else _doubles)(xp, words, [], part)
        first += len(part)
    return out
