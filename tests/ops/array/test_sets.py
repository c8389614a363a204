"""tf.sets."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run

RANDOM = np.random.RandomState(2)


@pytest.mark.parametrize("name", ["union", "intersection", "difference"])
@pytest.mark.parametrize("words", [True, False])
def test_set_operations(name, words):
    a, b = RANDOM.randint(0, 9, (2, 3, 4, 5))
    operation = getattr(set, name)
    want = [sorted(operation(set(p), set(q))) for p, q in zip(a.reshape(12, 5), b.reshape(12, 5))]
    if words:
        a, b = a.astype(str).astype(object), b.astype(str).astype(object)
        want = [[str(i).encode() for i in row] for row in want]
    got = run(getattr(tf.sets, name)(a, b))
    rows = [[] for _ in range(12)]
    for (i, j, _), value in zip(got.indices, got.values):
        rows[i * 4 + j].append(value)
    assert rows == want
    assert got.dense_shape.tolist() == [3, 4, max(map(len, want))]
