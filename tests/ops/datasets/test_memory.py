"""The memory of a long run of an iterator: it keeps nothing that grows with its elements."""

import tracemalloc

import numpy as np
import pytest

import tfmini as tf


def pipelines():
    D = tf.data.Dataset
    rows = np.zeros([50, 10])
    return {
        "rows": D.from_tensor_slices(rows).shuffle(20).repeat().batch(100),
        "functions": D.range(10**9).map(lambda x: x + 1).filter(lambda x: x > 0).batch(100),
        "inner": D.range(10**9)
        .flat_map(lambda x: D.range(100).shuffle(9, seed=1).map(lambda y: y + x))
        .batch(100),
        "generator": D.from_generator(lambda: iter(rows), tf.float64, [10]).repeat().batch(100),
        "threads": D.range(10**9).batch(100).map(lambda x: x + 1, 2).prefetch(2),
    }


@pytest.mark.parametrize("name", pipelines())
def test_memory_stays_flat(name):
    with tf.Graph().as_default():
        following = tf.data.make_one_shot_iterator(pipelines()[name]).get_next()
        with tf.Session() as session:
            for _ in range(10):
                session.run(following.op)
            tracemalloc.start()
            try:
                before = tracemalloc.get_traced_memory()[0]
                for _ in range(40):
                    session.run(following.op)
                grown = tracemalloc.get_traced_memory()[0] - before
            finally:
                tracemalloc.stop()
    assert grown < 60_000  # 4,000 elements
