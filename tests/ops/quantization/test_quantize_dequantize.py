"""tf.quantize, tf.dequantize, tf.quantize_and_dequantize."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run

X = np.linspace(-1.4, 2.3, 50).astype("f")


@pytest.mark.parametrize("mode", ["MIN_COMBINED", "MIN_FIRST", "SCALED"])
@pytest.mark.parametrize("kind, bits", [(tf.qint8, 8), (tf.quint8, 8), (tf.qint16, 16)], ids=str)
def test_round_trip(mode, kind, bits):
    low = 0.0 if mode == "SCALED" and kind is tf.quint8 else -1.5
    output = tf.quantize(X, low, 2.5, kind, mode)
    back = run(tf.dequantize(*output, mode))
    # Half a step: SCALED contains them from -2.5 to 2.5.
    np.testing.assert_allclose(back, X.clip(low, 2.5), atol=2.55 / (2**bits - 1))


def test_quantize_and_dequantize_passes_gradients():
    x = tf.constant(X)
    output = tf.quantization.quantize_and_dequantize(x, -1.0, 1.0, range_given=True)
    assert run(tf.gradients(output, x)[0]).tolist() == [1] * 50
    np.testing.assert_allclose(run(output), X.clip(-128 / 127, 1), atol=0.5001 / 127)
