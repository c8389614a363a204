import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import scipy
from tests.support.oracles.numeric_gradient import check

SQUARE = np.array([[0.5, -1.0, 0.2], [0.3, 0.1, -0.7], [0.0, 0.4, -0.9]])


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
@pytest.mark.parametrize("scale", [1e-3, 0.1, 0.5, 1.0, 2.0, 30.0])
def test_every_order_and_squaring_count(dtype, scale):
    matrices = (np.stack([SQUARE, SQUARE.T @ SQUARE]) * scale / 3).astype(dtype)
    with tf.Graph().as_default(), tf.Session() as session:
        got = session.run(tf.linalg.expm(matrices))
    assert got.dtype == matrices.dtype
    tolerance = 1e-9 if dtype in "dD" else 1e-3
    for matrix, made in zip(matrices, got):
        want = scipy.linalg.expm(matrix.astype("D"))
        np.testing.assert_allclose(made, want, rtol=tolerance, atol=tolerance * np.abs(want).max())


@pytest.mark.parametrize("scale", [0.1, 1.0, 3.0])
def test_gradient(scale):
    check(lambda x: [tf.linalg.expm(x)], [SQUARE * scale], order=1)
