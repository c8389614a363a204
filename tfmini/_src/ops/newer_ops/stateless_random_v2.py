"""Random numbers as a function of a key and a counter, which another op derives from a seed.

On a CPU, TensorFlow 2 uses Philox, so the numbers equal the results of 1.15.5's ops for the same seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.numpy import random_distributions
from tfmini._src.devices.numpy.philox import LOW, Stream, stateless_stream
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.ops.operands import INDEX32, INDEX64, shape_text
from tfmini._src.ops.random.op_stream import drawn_shape, sizes
from tfmini._src.ops.random.random_ops import bounds

_PHILOX, _AUTO = 1, 3
_FLOATS = Attr(
    "type",
    dtypes.float32,
    allowed=(dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64),
)
_INTEGERS = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)
_SIGNATURE = "shape: Tshape, key: uint64, counter: uint64, alg: int32 -> output: dtype"
_STATIC = ("shape", "key", "counter", "alg")


def _key_and_counter(seed: Any) -> tuple[Any, Any]:
    if seed.shape != (2,):
        invalid(f"seed must have shape [2], not {shape_text(seed.shape)}")
    stream = stateless_stream(tuple(seed.tolist()))
    key = stream.key[0] | stream.key[1] << 32
    return np.array([key], np.uint64), np.array([stream.offset, stream.high], np.uint64)


def _stream(key: Any, counter: Any, alg: Any) -> Stream:
    if int(alg) not in (_PHILOX, _AUTO):
        invalid(f"Unsupported algorithm id: {int(alg)}; tfmini supports only Philox (1)")
    key_word = int(key.reshape(-1)[0])
    low, high = (int(part) for part in counter.reshape(-1)[:2])
    return Stream((key_word & LOW, key_word >> 32), high, low)


@op(
    "StatelessRandomGetKeyCounter",
    "seed: Tseed -> key: uint64, counter: uint64",
    infer=lambda op: [(1,), (2,)],
    static_inputs=("seed",),
    Tseed=INDEX64,
)
def key_counter_op(xp, seed):
    return _key_and_counter(seed)


@op("StatelessRandomGetAlg", "-> alg: int32", infer=lambda op: (), stateful=True)
def alg_op(xp):
    return np.int32(_PHILOX)


@op(
    "StatelessRandomGetKeyCounterAlg",
    "seed: Tseed -> key: uint64, counter: uint64, alg: int32",
    infer=lambda op: [(1,), (2,), ()],
    static_inputs=("seed",),
    Tseed=INDEX64,
)
def key_counter_alg_op(xp, seed):
    return *_key_and_counter(seed), np.int32(_PHILOX)


def _declare(name: str, draw: Any) -> None:
    @op(name, _SIGNATURE, infer=drawn_shape, static_inputs=_STATIC, dtype=_FLOATS, Tshape=INDEX32)
    def kernel(xp, shape, key, counter, alg, *, dtype):
        dims, count = sizes(shape)
        return draw(xp, _stream(key, counter, alg), count, dtype.as_numpy_dtype).reshape(dims)


_declare("StatelessRandomNormalV2", random_distributions.normal)
_declare("StatelessRandomUniformV2", random_distributions.uniform)
_declare("StatelessTruncatedNormalV2", random_distributions.truncated_normal)


@op(
    "StatelessRandomUniformIntV2",
    "shape: Tshape, key: uint64, counter: uint64, alg: int32, minval: dtype, maxval: dtype -> output: dtype",
    infer=drawn_shape,
    static_inputs=(*_STATIC, "minval", "maxval"),
    dtype=_INTEGERS,
    Tshape=INDEX32,
)
def integers_op(xp, shape, key, counter, alg, minval, maxval, *, dtype):
    dims, count = sizes(shape)
    numpy_dtype = dtype.as_numpy_dtype
    if not count:
        return xp.empty(dims, numpy_dtype)
    low, high = bounds(minval, maxval)
    stream = _stream(key, counter, alg)
    return random_distributions.uniform_integers(xp, stream, count, low, high, numpy_dtype).reshape(
        dims
    )


@op(
    "StatelessRandomUniformFullIntV2",
    _SIGNATURE,
    static_inputs=_STATIC,
    dtype=Attr("type", dtypes.uint64, allowed=_INTEGERS),
    Tshape=INDEX32,
)
def full_integers_op(xp, shape, key, counter, alg, *, dtype):
    """Returns integers from the full range of the dtype, the raw words of the generator."""
    dims, count = sizes(shape)
    is_64_bit = dtype.size == 8
    words = random_distributions.raw_double_words if is_64_bit else random_distributions.raw_words
    random_words = words(xp, _stream(key, counter, alg), count)
    return random_words.astype("u8" if is_64_bit else "u4").view(dtype.as_numpy_dtype).reshape(dims)


full_integers_op.infer(drawn_shape)
