"""Feature crosses; components of wrong rank, for which TensorFlow crashes, are rejected."""

import itertools

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.base.errors import InvalidArgumentError

PARTS = {
    "indices": np.array([[0, 0], [1, 0]]),
    "values": np.array(["a", "b"]),
    "shapes": np.array([2, 1]),
    "dense_inputs": np.array([["c"], ["d"]]),
}


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("dense_inputs", np.array(["c", "d"]), "Dense inputs should be a matrix .* \\[2\\] at"),
    ],
)
def test_component_of_wrong_rank(session, name, value, text):
    parts = {key: [tf.placeholder_with_default(x, None)] for key, x in PARTS.items()}
    parts[name] = [tf.placeholder_with_default(value, None)]
    crossed = tf.raw_ops.SparseCross(
        **parts,
        hashed_output=False,
        num_buckets=0,
        hash_key=1,
        out_type=tf.string,
        internal_type=tf.string,
    )
    with pytest.raises(InvalidArgumentError, match=text):
        session.run(crossed)


def test_crosses_of_rows_of_varying_length(session):
    lengths = [[0, 2, 1, 3], [2, 2, 0, 2]]
    features = [
        [[b"%d.%d.%d" % (f, row, i) for i in range(n)] for row, n in enumerate(counts)]
        for f, counts in enumerate(lengths)
    ]
    dense = [[b"x%d" % row, b"y%d" % row] for row in range(4)]
    sparse = [
        tf.SparseTensor(
            [(row, i) for row, values in enumerate(rows) for i in range(len(values))],
            [value for values in rows for value in values],
            [4, 3],
        )
        for rows in features
    ]
    crossed = session.run(tf.sparse.cross([*sparse, tf.constant(dense)]))
    expected = [
        [b"_X_".join(each) for each in itertools.product(*rows)] for rows in zip(*features, dense)
    ]
    assert crossed.values.tolist() == [value for row in expected for value in row]
    positions = [[row, i] for row, values in enumerate(expected) for i in range(len(values))]
    assert crossed.indices.tolist() == positions
    assert crossed.dense_shape.tolist() == [4, 12]
