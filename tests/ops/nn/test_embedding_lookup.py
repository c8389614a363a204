"""tf.nn.embedding_lookup."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run


@pytest.mark.parametrize("strategy", ["mod", "div"])
@pytest.mark.parametrize("ids", [[[0, 6], [3, 3]], 5, [[[1]]]])
def test_partition_strategies(strategy, ids):
    table = np.arange(14.0).reshape(7, 2).astype("f")
    if strategy == "mod":
        parts = [table[0::3], table[1::3], table[2::3]]
    else:
        parts = [table[:3], table[3:5], table[5:]]
    ids = np.array(ids, "i4")
    result = run(tf.nn.embedding_lookup([tf.constant(p) for p in parts], ids, strategy))
    np.testing.assert_array_equal(result, table[ids])
    lengths = tf.placeholder(tf.float32, [None, 2])
    fed = tf.placeholder(tf.int32)
    dynamic = tf.nn.embedding_lookup([lengths, *map(tf.constant, parts[1:])], fed, strategy)
    for some in (ids, np.zeros((0, 2), "i4")):
        result = run(dynamic, {lengths: parts[0], fed: some})
        np.testing.assert_array_equal(result, table[some])
