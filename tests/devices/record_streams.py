"""Writes tests/golden/streams.npz: numbers drawn by TensorFlow 1.15.5's random ops, for test_philox.py.

    TF_CPP_MIN_LOG_LEVEL=3 .reference/bin/python -W ignore -m tests.devices.record_streams

Each entry is two consecutive runs of an op in one session, as float64 or integers, with the seeds (3, 4); of long
draws, only the first and last few numbers.
"""

import os

import numpy as np
import tensorflow as tf

from tests.devices import streams

PATH = os.path.join(os.path.dirname(os.path.dirname(__file__)), "golden", "streams.npz")
raw = tf.raw_ops
SEEDS = {"seed": 3, "seed2": 4}
PAIR = [3, -4]


def ops():
    """(name, tensor) for each entry."""
    for kind in ("bfloat16", "float16", "float32", "float64"):
        dtype = tf.as_dtype(kind)
        for name in ("RandomUniform", "RandomStandardNormal", "TruncatedNormal"):
            result = getattr(raw, name)(shape=[streams.LONG], dtype=dtype, **SEEDS)
            yield name + " " + kind, tf.cast(result, tf.float64)
            stateless = "Stateless" + name.replace("Standard", "")
            result = getattr(raw, stateless)(shape=[9], dtype=dtype, seed=PAIR)
            yield stateless + " " + kind, tf.cast(result, tf.float64)
    for low, high in streams.RANGES:
        dtype = tf.int32 if high < 2**31 else tf.int64
        bounds = {"minval": tf.constant(low, dtype), "maxval": tf.constant(high, dtype)}
        result = raw.RandomUniformInt(shape=[streams.LONG], seed=-3, seed2=-4, **bounds)
        yield f"RandomUniformInt {low} {high}", result
    for size in streams.SIZES:
        yield f"RandomShuffle {size}", raw.RandomShuffle(value=np.arange(size), **SEEDS)
    for samples in (1, 50):
        logits = streams.LOGITS.astype(np.float32)
        result = raw.Multinomial(logits=logits, num_samples=samples, **SEEDS)
        yield f"Multinomial {samples}", result
    yield "RandomGamma", raw.RandomGamma(shape=[200], alpha=streams.ALPHAS, **SEEDS)
    rates = tf.constant(streams.RATES, tf.float64)
    yield "RandomPoissonV2", raw.RandomPoissonV2(shape=[200], rate=rates, dtype=tf.float64, **SEEDS)


def main():
    one = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    with tf.Session(config=one) as session:
        results = {}
        for name, tensor in list(ops()):
            runs = np.stack([session.run(tensor) for _ in range(2)])
            results[name] = streams.ends(runs)
    np.savez_compressed(PATH, **results)
    print(len(results), "entries in", PATH)


if __name__ == "__main__":
    main()
