"""Edit distances compared with the table over all prefixes."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.devices.host.native.sequences import edit_distance


def by_table(a, b):
    table = np.add.outer(np.arange(len(a) + 1), np.arange(len(b) + 1))
    for i, element in enumerate(a):
        for j, other in enumerate(b):
            ways = table[i, j] + (element != other), table[i, j + 1] + 1, table[i + 1, j] + 1
            table[i + 1, j + 1] = min(ways)
    return table[-1, -1]


@pytest.mark.parametrize("normalize", [True, False])
@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "S"])
def test_distances_match_numpy(build, monkeypatch, dtype, normalize):
    monkeypatch.setattr(edit_distance, "thread_count", lambda: 3)
    monkeypatch.setattr(edit_distance, "_MIN_PARALLEL_ELEMENTS", 1)
    random = np.random.RandomState(0)
    shape = (7, 12)
    sides, rows = [], []
    for _ in range(2):
        lengths = random.choice([0, 0, 1, 3, 9, 30], shape)
        rows.append([random.randint(0, 4, n).astype(dtype) for n in lengths.flat])
        positions = [(*at, i) for at, n in np.ndenumerate(lengths) for i in range(n)]
        values = np.concatenate(rows[-1])
        sides.append(tf.SparseTensorValue(positions, values.tolist(), [*shape, 30]))
    kind = tf.string if dtype == "S" else tf.as_dtype(np.dtype(dtype))
    with tf.Graph().as_default(), tf.Session() as session:
        inputs = [tf.SparseTensor(s[0], tf.constant(s[1], kind), s[2]) for s in sides]
        actual = session.run(tf.edit_distance(*inputs, normalize=normalize))
    for distance, a, b in zip(actual.flat, *rows, strict=True):
        expected = by_table(a, b)
        if normalize and expected:
            expected = expected / len(b) if len(b) else np.inf
        assert distance == np.float32(expected)
