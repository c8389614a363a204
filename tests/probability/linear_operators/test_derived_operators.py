"""Adjoints, inverses and compositions of operators."""

import numpy as np
import pytest

import tfmini as tf
from tests.probability.linear_operators.operators import OPERATORS


def test_adjoint_and_inverse_are_involutions():
    operator = OPERATORS["full"]()
    assert operator.H.H is operator
    assert operator.inverse().inverse() is operator


@pytest.mark.parametrize("batches", [((), ()), ((2,), ()), ((2, 1), (3,))])
def test_dynamic_composition_shape(batches):
    arrays = [np.ones((*batch, *size)) for batch, size in zip(batches, ((3, 4), (4, 5)))]
    with tf.Graph().as_default(), tf.Session() as session:
        fed = [tf.placeholder(tf.float64) for _ in arrays]
        product = tf.linalg.LinearOperatorComposition(
            [tf.linalg.LinearOperatorFullMatrix(matrix) for matrix in fed]
        )
        result = session.run(product.shape_tensor(), dict(zip(fed, arrays)))
    assert tuple(result) == (arrays[0] @ arrays[1]).shape
