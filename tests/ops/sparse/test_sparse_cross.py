"""Parts of a wrong rank, by which TensorFlow's process ends, are refused."""

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
        ("indices", np.array([0, 1]), "Input indices should be a matrix .* shape \\[2\\] at"),
        ("values", np.array([["a", "b"]]), "Input values should be a vector .* \\[1,2\\] at"),
        (
            "shapes",
            np.array([[2, 1]]),
            "Input shapes should be a vector .* \\[1,2\\] at position 0",
        ),
        ("dense_inputs", np.array(["c", "d"]), "Dense inputs should be a matrix .* \\[2\\] at"),
    ],
)
def test_a_part_of_a_wrong_rank(session, name, value, text):
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
