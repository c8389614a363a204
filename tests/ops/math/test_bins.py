"""Histograms, order statistics, confusion matrices and sets against numpy and Python."""

import numpy as np
import pytest

import tfmini as tf

RANDOM = np.random.RandomState(2)


def run(fetch):
    with tf.Session() as session:
        return session.run(fetch)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_histogram(dtype):
    values = RANDOM.uniform(-3, 13, 200).astype(dtype)
    ends = np.array([0, 10], dtype)
    got = run(tf.histogram_fixed_width(values, ends, 7, tf.int64))
    inside = values.clip(0, np.nextafter(10.0, 0)).astype("d")
    np.testing.assert_array_equal(got, np.histogram(inside, 7, (0, 10))[0])


@pytest.mark.parametrize("reverse", [True, False])
@pytest.mark.parametrize("n", [0, 3, 5])
def test_nth_element(n, reverse):
    x = RANDOM.permutation(24).reshape(2, 2, 6).astype("f")
    got = run(tf.raw_ops.NthElement(input=x, n=n, reverse=reverse))
    np.testing.assert_array_equal(got, np.sort(x)[..., -1 - n if reverse else n])


def test_confusion_matrix():
    labels, predictions = RANDOM.randint(0, 4, (2, 50))
    want = np.zeros((4, 4), int)
    np.add.at(want, (labels, predictions), 1)
    np.testing.assert_array_equal(run(tf.confusion_matrix(labels, predictions, 4)), want)


@pytest.mark.parametrize("name", ["union", "intersection", "difference"])
@pytest.mark.parametrize("words", [True, False])
def test_sets(name, words):
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
