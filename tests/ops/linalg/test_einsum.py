"""einsum against numpy."""

import numpy as np
import pytest

import tfmini as tf

EQUATIONS = [
    ("ij,jk->ik", (2, 3), (3, 4)),
    ("ij,jk", (2, 3), (3, 4)),
    ("ab,ab->", (2, 3), (2, 3)),
    ("abc,cd,d->ab", (2, 3, 4), (4, 2), (2,)),
    ("ijk->ki", (2, 3, 4)),
    ("ii", (3, 3)),
    ("i,j->ji", (2,), (3,)),
    ("bij,bij->bi", (2, 3, 4), (2, 3, 4)),
    ("...ij,...jk->...ik", (2, 3, 4), (2, 4, 2)),
    ("...i->...", (2, 3)),
]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("row", EQUATIONS, ids=lambda row: row[0])
def test_einsum_matches_numpy(row, known):
    equation, *shapes = row
    values = [np.random.RandomState(1).uniform(-1, 1, shape) for shape in shapes]
    inputs = [tf.placeholder(tf.float64, s if known else [None] * len(s)) for s in shapes]
    output = tf.einsum(equation, *inputs)
    with tf.Session() as session:
        actual = session.run(output, dict(zip(inputs, values)))
    np.testing.assert_allclose(actual, np.einsum(equation, *values), atol=1e-12)
    assert output.shape.is_compatible_with(actual.shape)


def test_axis_shared_by_three_operands():
    values = [np.random.RandomState(1).uniform(-1, 1, shape) for shape in ((2, 3), (2, 4), (2, 2))]
    with tf.Session() as session:
        actual = session.run(tf.einsum("ij,ik,il->jkl", *map(tf.constant, values)))
    np.testing.assert_allclose(actual, np.einsum("ij,ik,il->jkl", *values), atol=1e-12)


def test_matching_layout_adds_no_transpose():
    output = tf.einsum("bij,bjk->bik", tf.zeros([2, 3, 4]), tf.zeros([2, 4, 5]))
    types = [op.type for op in output.graph.get_operations()]
    assert "Transpose" not in types and types.count("BatchMatMulV2") == 1
