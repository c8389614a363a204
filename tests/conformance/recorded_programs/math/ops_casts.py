"""Casts between all kinds of numbers, saturating ones, bitcast, and the to_* helpers."""

import numpy as np


def build(tf):
    sources = [
        tf.constant([0.0, 1.5, -2.5, 100.7], tf.float32),
        tf.constant([0, 1, -2, 100], tf.int32),
        tf.constant([0, 1, 2, 200], tf.uint8),
        tf.constant([True, False, True, True]),
        tf.constant([1.5, -2.25, 0.1, 3.0], tf.float64),
        tf.constant([1.5, -2.25, 0.1, 3.0], tf.float16),
        tf.constant([1 + 2j, 0, -3j, 4], tf.complex64),
        tf.constant([2**33, -1, 5, 7], tf.int64),
    ]
    targets = [
        tf.float32, tf.float64, tf.float16, tf.int64, tf.int32, tf.int8, tf.bool, tf.complex64,
    ]  # fmt: skip
    safe = [(s, t) for s in sources for t in targets if t not in (tf.int8, tf.int32)]
    cast = [tf.cast(s, t) for s, t in safe]
    cast += [tf.cast(sources[0], tf.int32), tf.cast(sources[1], tf.int8)]
    cast += [tf.cast(sources[2], tf.int32), tf.cast(5.7, tf.int32), tf.cast([1, 2], "float32")]
    saturated = [
        tf.saturate_cast(tf.constant([300.0, -5.0, 3.4]), tf.uint8),
        tf.saturate_cast(tf.constant([300, -500, 3]), tf.int8),
        tf.saturate_cast(tf.constant([2**40, -5], tf.int64), tf.int32),
    ]
    helpers = [
        tf.to_float(sources[1]), tf.to_double(sources[1]), tf.to_int32(sources[0]),
        tf.to_int64(sources[0]), tf.to_complex64(sources[0]), tf.identity(sources[3]),
    ]  # fmt: skip
    parts = [
        tf.complex([1.0, 2.0], [3.0, 4.0]), tf.real(sources[6]), tf.imag(sources[6]),
        tf.conj(sources[6]), tf.angle(sources[6]), tf.real(sources[0]), tf.conj(sources[0]),
    ]  # fmt: skip
    fed = tf.placeholder(tf.float64, [None])
    everything = cast + saturated + helpers + parts
    steps = [(f"{n} {t.dtype.name}", t) for n, t in enumerate(everything)]
    steps += [("fed", tf.cast(fed, tf.float32), {fed: np.array([1.1, 2.2])})]
    return {"steps": steps}
