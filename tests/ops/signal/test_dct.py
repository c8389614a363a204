"""tf.signal.dct and idct against scipy."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.lazy_modules import scipy
from tests.support.sessions import run

X = np.random.RandomState(0).uniform(-1, 1, (2, 3, 8)).astype("f")


def close(actual, expected):
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("kind", [1, 2, 3])
@pytest.mark.parametrize("norm", [None, "ortho"])
@pytest.mark.parametrize("n", [None, 5, 11])
def test_dct_and_idct(kind, norm, n):
    if kind == 1 and norm:
        with pytest.raises(
            ValueError, match="^Normalization is not supported for the Type-I DCT.$"
        ):
            tf.signal.dct(X, kind, norm=norm)
        return
    close(run(tf.signal.dct(X, kind, n, norm=norm)), scipy.fft.dct(X, kind, n, norm=norm))
    inverse = {1: 1, 2: 3, 3: 2}[kind]
    close(run(tf.signal.idct(X, kind, n, norm=norm)), scipy.fft.dct(X, inverse, n, norm=norm))
