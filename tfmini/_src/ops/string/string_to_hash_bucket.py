"""Hash buckets of strings, computed by stable hashes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.devices.numpy.farmhash import fingerprints
from tfmini._src.devices.numpy.string_hashes import murmur_hashes, sip_hashes
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import (
    InferenceError,
    input_value,
    same_shape,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import ANY, dense, shape_text
from tfmini._src.ops.string.string_elements import array_shape, flat, scalar_string

_MIN_HASHES = 256  # below, one call costs less than faster ones
_BUCKETS = Attr("int", minimum=1)


def _bucket(hashes: Any, value: Any, num_buckets: int) -> Any:
    count = np.uint64(num_buckets)
    if hashes.size < _MIN_HASHES:
        return (hashes % count).view(np.int64).reshape(array_shape(value))
    # NumPy vectorizes division by a scalar, but not the remainder.
    return (hashes - hashes // count * count).view(np.int64).reshape(array_shape(value))


@op("StringToHashBucketFast", "input: string -> output: int64", num_buckets=_BUCKETS)
def string_to_hash_bucket_fast_op(xp, value, *, num_buckets):
    return _bucket(fingerprints(flat(value)), value, num_buckets)


@op(
    "StringToHashBucketStrong",
    "input: string -> output: int64",
    num_buckets=_BUCKETS,
    key=Attr("list(int)"),
)
def string_to_hash_bucket_strong_op(xp, value, *, num_buckets, key):
    if len(key) != 2:
        invalid("Key must have 2 elements")
    return _bucket(sip_hashes(flat(value), (key[0], key[1])), value, num_buckets)


@op("StringToHashBucket", "string_tensor: string -> output: int64", num_buckets=_BUCKETS)
def string_to_hash_bucket_op(xp, value, *, num_buckets):
    return _bucket(murmur_hashes(flat(value)), value, num_buckets)


for _declared in (
    string_to_hash_bucket_fast_op,
    string_to_hash_bucket_strong_op,
    string_to_hash_bucket_op,
):
    _declared.infer(same_shape)
    _declared.differentiable = False


@public
def string_to_hash_bucket_fast(
    input: TensorLike, num_buckets: int, name: str | None = None
) -> Tensor:
    """Computes the fingerprint of each string modulo `num_buckets`, which is the same in all programs.

    Args:
      input: string tensor of any shape.
      num_buckets: the number of buckets, at least 1.

    Returns:
      An int64 Tensor of the same shape, with values in [0, `num_buckets`).

    Example: `tf.strings.to_hash_bucket_fast(["Hello", "TensorFlow"], 3)` is `[0, 2]`.
    """
    return raw.StringToHashBucketFast(input, num_buckets=num_buckets, name=name)


@public
def string_to_hash_bucket_strong(
    input: TensorLike, num_buckets: int, key: Sequence[int], name: str | None = None
) -> Tensor:
    """Computes the keyed hash (SipHash) of each string modulo `num_buckets`.

    Without the key, finding many strings in one bucket is infeasible.

    Args:
      input: string tensor of any shape.
      num_buckets: the number of buckets, at least 1.
      key: two 64-bit integers.

    Returns:
      An int64 Tensor of the same shape, with values in [0, `num_buckets`).
    """
    return raw.StringToHashBucketStrong(input, num_buckets=num_buckets, key=key, name=name)


@public
def string_to_hash_bucket(
    string_tensor: Any = None,
    num_buckets: Any = None,
    name: str | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """Computes the hash of each string modulo `num_buckets`, using the oldest hash function.

    Args:
      string_tensor: string tensor of any shape.
      num_buckets: the number of buckets, at least 1.
      input: an alias of `string_tensor`.

    Returns:
      An int64 Tensor of the same shape, with values in [0, `num_buckets`).
    """
    string_tensor = deprecated_argument_lookup("input", input, "string_tensor", string_tensor)
    return raw.StringToHashBucket(string_tensor, num_buckets=num_buckets, name=name)


@op(
    "Fingerprint",
    "data: T, method: string -> fingerprint: uint8",
    through_host=True,
    static_inputs=("method",),
    T=ANY,
)
def fingerprint_op(xp, data, method):
    if array_shape(method):
        invalid(f"`method` should be a scalar string: {shape_text(array_shape(method))}")
    if scalar_string(method) != b"farmhash64":
        invalid(
            f"Unsupported fingerprint method: {scalar_string(method).decode('utf-8', 'replace')}"
        )
    if not array_shape(data):
        invalid("`data` should have at least one dimension: []")
    data = dense(data)
    if data.dtype == object and data.size > len(data):  # the fingerprints of each row
        data = fingerprints(data.reshape(-1)).reshape(len(data), -1)
    if data.dtype != object:
        rows = np.empty(len(data), object)
        rows[:] = [row.tobytes() for row in data]
        data = rows
    return fingerprints(data.reshape(-1)).astype("<u8").view(np.uint8).reshape(-1, 8)


@fingerprint_op.infer
def _(op):
    dims = with_rank_at_least(op.inputs[0]._dims, 1)
    with_rank(op.inputs[1]._dims, 0)
    method = input_value(op, 1)
    if method is not None and scalar_string(method) != b"farmhash64":
        raise InferenceError(
            f"Unsupported method: {scalar_string(method).decode('utf-8', 'replace')}"
        )
    return (None if dims is None else dims[0], None if method is None else 8)


@public
def fingerprint(
    data: TensorLike, method: TensorLike = "farmhash64", name: str | None = None
) -> Tensor:
    """Computes a fingerprint of each item along the first axis, the same in all programs, whatever the other axes.

    Args:
      data: a tensor of any dtype and rank 1 or more, whose bytes are hashed. For strings of rank 2 or more, the
        fingerprints of the strings are hashed.
      method: the name of the hash, a string or scalar string tensor: "farmhash64".

    Returns:
      [n, 8] uint8 Tensor: 64 bits, little-endian.

    Raises:
      ValueError, InvalidArgumentError (when run): for an unknown method or a scalar.
    """
    return raw.Fingerprint(data, method, name=name)
