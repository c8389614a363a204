"""Quantization, with TensorFlow's rounding."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample

X = np.array([-7, -6, -3, -0.02, 0, 0.01, 0.5, 3.3, 5.98, 9], "f")
GRAD = np.arange(1, 11, dtype="f")
STEPS = np.array([-2, -1, -0.5, -0.004, 0, 0.3, 0.5, 1.25, 2, 3], "f")
F = np.float32
CHANNELS = X[:9].reshape(3, 3)
LOW, HIGH = np.array([-6, -1, 0], "f"), np.array([6, 3, 0], "f")
SINGLE = np.array([[0.1, 0.2, 0.7], [-0.6, 0.4, 0.9]], "f")


def q(values, kind):
    return np.array(values, kind.numpy[0]).view(kind.numpy)


def integers(value, kind):
    return np.array(value, "i8").astype(kind.numpy[0]).view(kind.numpy)


SAMPLES = [
    Sample("FakeQuantWithMinMaxArgs", [X], expect=np.array(
        [-6.0235295, -5.9764705, -3.0117648, 0, 0, 0, 0.51764727, 3.2941175, 5.9764705, 5.9764705], "f"), gradient=()),
    Sample("FakeQuantWithMinMaxArgs", [X], {"min": -1.0, "max": 3.0, "num_bits": 4}, np.array(
        [-1.0666667, -1.0666667, -1.0666667, 0, 0, 0, 0.5333334, 2.9333334, 2.9333334, 2.9333334], "f"),
        note="4 bits", gradient=()),
    Sample("FakeQuantWithMinMaxArgs", [X], {"narrow_range": True}, np.array(
        [-6, -6, -2.976378, 0, 0, 0, 0.5196848, 3.307087, 6, 6], "f"), note="narrow", gradient=()),
    Sample("FakeQuantWithMinMaxArgsGradient", [GRAD, X], {"narrow_range": True},
           np.array([0, 2, 3, 4, 5, 6, 7, 8, 9, 0], "f")),
    Sample("FakeQuantWithMinMaxVars", [X, F(0.5), F(6)], expect=np.array(
        [0, 0, 0, 0, 0, 0, 0.49607843, 3.3, 5.5, 5.5], "f"), gradient=()),
    Sample("FakeQuantWithMinMaxVars", [X, F(0), F(0)], expect=np.zeros(10, "f"), note="empty range", gradient=()),
    Sample("FakeQuantWithMinMaxVarsGradient", [GRAD, X, F(-6), F(6)], {"narrow_range": True},
           (np.array([0, 2, 3, 4, 5, 6, 7, 8, 9, 0], "f"), F(1), F(10))),
    Sample("FakeQuantWithMinMaxVarsPerChannel", [CHANNELS, LOW, HIGH], expect=np.array(
        [[-6.0235295, -1.0039216, 0], [0, 0, 0], [0.5176473, 2.9960785, 0]], "f"), gradient=()),
    Sample("FakeQuantWithMinMaxVarsPerChannelGradient", [CHANNELS + 10, CHANNELS, LOW, HIGH], expect=(
        np.array([[0, 0, 7], [9.98, 10, 10.01], [10.5, 0, 15.98]], "f"), np.array([3, 4, 0], "f"),
        np.array([0, 13.3, 0], "f"))),
    Sample("QuantizeV2", [STEPS, F(-1), F(2)], {"T": tf.qint8}, note="combined", expect=(
        q([-128, -128, -86, -43, -43, -18, -1, 63, 127, 127], tf.qint8), F(-1), F(2))),
    Sample("QuantizeV2", [STEPS, F(-1), F(2)], {"T": tf.quint8, "mode": "MIN_FIRST"}, note="first", expect=(
        q([0, 0, 42, 85, 85, 111, 128, 191, 255, 255], tf.quint8), F(-1), F(2))),
    Sample("QuantizeV2", [STEPS, F(-1), F(2)],
           {"T": tf.qint16, "mode": "SCALED", "round_mode": "HALF_TO_EVEN"}, note="scaled", expect=(
        q([-32767, -16384, -8192, -66, 0, 4915, 8192, 20479, 32767, 32767], tf.qint16),
        F(-2.000061), F(2))),
    Sample("Dequantize", [q([0, 43, 85, 128, 255], tf.quint8), F(-1), F(2)], note="combined",
           expect=np.array([0, 43, 85, 128, 255], "f") * F(3 / 255) - 1),
    Sample("Dequantize", [q([-128, 0, 127], tf.qint8), F(-1), F(2)], {"mode": "MIN_FIRST"}, note="first",
           expect=np.array([-1, 0.5058824, 2], "f")),
    Sample("Dequantize", [q([-127, 0, 32], tf.qint8), F(-2.0157480239868164), F(2)], {"mode": "SCALED"},
           note="scaled", expect=np.array([-2, 0, 0.503937], "f")),
    Sample("QuantizeAndDequantizeV2", [STEPS, F(-1), F(2)], {"num_bits": 4, "range_given": True}, np.array(
        [-2, -1.1428572, -0.5714286, 0, 0, 0.2857143, 0.5714286, 1.1428572, 2, 2], "f"), gradient=()),
    Sample("QuantizeAndDequantizeV2", [STEPS, F(0), F(0)],
           {"num_bits": 4, "signed_input": False, "round_mode": "HALF_UP"}, np.array(
        [-2, -1, -0.4, 0, 0, 0.4, 0.6, 1.2, 2, 3], "f"), note="unsigned", gradient=()),
    Sample("QuantizeAndDequantizeV3", [STEPS, F(-1), F(2), np.int32(4)], expect=np.array(
        [-2, -1.1428572, -0.5714286, 0, 0, 0.2857143, 0.5714286, 1.1428572, 2, 2], "f"), gradient=()),
]  # fmt: skip
