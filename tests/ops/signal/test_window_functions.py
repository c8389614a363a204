"""tf.signal.hann_window and hamming_window against their formula."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run


def close(actual, expected):
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("length", [1, 4, 5])
@pytest.mark.parametrize(("name", "share"), [("hann", 0.5), ("hamming", 0.54)])
def test_hann_and_hamming(length, name, share):
    output = run(getattr(tf.signal, name + "_window")(length, periodic=False, dtype=tf.float64))
    turns = np.arange(length) / max(length - 1, 1)
    close(output, share - (1 - share) * np.cos(2 * np.pi * turns) if length > 1 else np.ones(1))
