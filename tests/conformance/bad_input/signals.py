"""Signals, quantization, bins and sets with arguments out of range."""

from tests.conformance.bad_input.matrices import fed


def fake_quant_of_other_channels_when_run(tf):
    low, high = fed(tf, [1.0]), fed(tf, [2.0])
    return tf.fake_quant_with_min_max_vars_per_channel(tf.zeros([2, 3]), low, high)
