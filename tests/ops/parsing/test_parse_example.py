"""tf.parse_example."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run


def example(**lists):
    """A serialized Example with lists of ints, floats or bytes."""
    message = tf.train.Example()
    for key, values in lists.items():
        field = {int: "int64_list", float: "float_list", bytes: "bytes_list"}[type(values[0])]
        getattr(message.features.feature[key], field).value.extend(values)
    return message.SerializeToString()


def test_records_of_varying_keys_and_lengths():
    """Each value goes to its row, regardless of the other records."""
    random = np.random.RandomState(0)
    rows = [random.randint(-(2**40), 2**40, random.randint(0, 6)) for _ in range(50)]
    records = [example(v=row.tolist(), x=[float(i)]) if row.size else example(x=[float(i)])
               for i, row in enumerate(rows)]  # fmt: skip
    parsed = run(
        tf.parse_example(
            records,
            {
                "v": tf.VarLenFeature(tf.int64),
                "x": tf.FixedLenFeature([], tf.float32),
            },
        )
    )
    np.testing.assert_array_equal(parsed["x"], np.arange(50, dtype="f"))
    np.testing.assert_array_equal(parsed["v"].values, np.concatenate(rows))
    counts = np.bincount(parsed["v"].indices[:, 0], minlength=50)
    assert counts.tolist() == [len(row) for row in rows]
    assert parsed["v"].dense_shape.tolist() == [50, max(map(len, rows))]


def test_error_includes_example_name():
    parsed = tf.parse_example(
        [example(x=[1])], {"y": tf.FixedLenFeature([], tf.int64)}, example_names=["the name"]
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="Name: the name, Feature: y"):
        run(parsed)


def test_many_records_of_one_layout():
    rows = [[float(n), 2.0, 3.0] * 3 for n in range(12)]
    records = [example(f=row, s=[b"ab"], i=[n, 2 * n, 7]) for n, row in enumerate(rows)]
    specs = {
        "f": tf.FixedLenFeature([3, 3], tf.float32),
        "i": tf.VarLenFeature(tf.int64),
        "s": tf.FixedLenFeature([], tf.string),
        "absent": tf.FixedLenFeature([], tf.int64, 5),
        "none": tf.VarLenFeature(tf.float32),
    }
    parsed = run(tf.parse_example(records, specs))
    assert parsed["f"].reshape(12, 9).tolist() == rows
    assert parsed["s"].tolist() == [b"ab"] * 12
    assert parsed["i"].values.tolist() == [x for n in range(12) for x in (n, 2 * n, 7)]
    assert parsed["i"].dense_shape.tolist() == [12, 3]
    assert parsed["absent"].tolist() == [5] * 12
    assert parsed["none"].dense_shape.tolist() == [12, 0]
    for key, spec, text in (
        ("f", tf.FixedLenFeature([9], tf.int64), "Key: f, Index: 0.  Data types don't match."),
        ("f", tf.FixedLenFeature([8], tf.float32), "Key: f, Index: 0.  Number of float values"),
        ("g", tf.FixedLenFeature([8], tf.float32), "Feature: g .data type: float. is required"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            run(tf.parse_example(records, {key: spec}))


@pytest.mark.parametrize("kind", ["sparse", "dense"])
def test_keys_must_be_scalar(kind):
    """TensorFlow crashes."""
    parts = {"sparse": [], "dense": [], kind: [["a", "b"]]}
    dense = len(parts["dense"])
    parsed = tf.raw_ops.ParseExample(
        serialized=[example(a=[1])],
        names=[],
        sparse_keys=parts["sparse"],
        dense_keys=parts["dense"],
        dense_defaults=[tf.zeros([0], tf.int64)] * dense,
        sparse_types=[tf.int64] * (1 - dense),
        dense_shapes=[[1]] * dense,
    )
    expected = rf"Expected {kind}_keys\[0\] to be a scalar, got shape: \[2\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=expected):
        run(parsed[-1] if dense else parsed.sparse_values[0])
