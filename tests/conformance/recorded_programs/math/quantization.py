"""Quantized numbers and fake-quantized floats, with gradients."""

import numpy as np


def build(tf):
    steps = []
    values = [-7, -6, -5.9, -3, -0.5, -0.02, 0, 0.01, 0.3, 0.5, 1.25, 3.3, 5.9, 6, 9]
    x = tf.constant(np.array(values, np.float32), name="x")
    rows = tf.reshape(x, [5, 3], name="rows")
    low, high = tf.constant(-2.5, name="low"), tf.constant(4.5, name="high")
    lows, highs = (
        tf.constant([-6.0, -1.0, 0.0], name="lows"),
        tf.constant([6.0, 3.0, 0.0], name="highs"),
    )

    def differentiate(name, made, inputs):
        with tf.name_scope("gradients_" + name):
            steps.append(
                (name, [made, tf.gradients(made * (x if made.shape.ndims == 1 else rows), inputs)])
            )

    differentiate("args", tf.fake_quant_with_min_max_args(x), [x])
    differentiate("args_few", tf.fake_quant_with_min_max_args(x, -1, 3, num_bits=4), [x])
    differentiate(
        "args_narrow",
        tf.quantization.fake_quant_with_min_max_args(
            x, -2.1, 3.3, narrow_range=True, name="narrow"
        ),
        [x],
    )
    differentiate("vars", tf.fake_quant_with_min_max_vars(x, low, high), [x, low, high])
    differentiate(
        "vars_few", tf.fake_quant_with_min_max_vars(x, low, high, 5, True), [x, low, high]
    )
    differentiate(
        "channels",
        tf.fake_quant_with_min_max_vars_per_channel(rows, lows, highs),
        [rows, lows, highs],
    )
    steps.append(
        (
            "channel_gradient",
            list(
                tf.fake_quant_with_min_max_vars_per_channel_gradient(
                    rows, rows, lows, highs, num_bits=3
                )
            ),
        )
    )
    for mode in ("MIN_COMBINED", "MIN_FIRST", "SCALED"):
        for kind, bits in (
            (tf.qint8, tf.int8),
            (tf.quint8, tf.uint8),
            (tf.qint16, tf.int16),
            (tf.quint16, tf.uint16),
            (tf.qint32, tf.int32),
        ):
            name = mode.lower() + "_" + kind.name
            made = tf.quantize(x, -1.5, 5.8, kind, mode, name=name)
            back = tf.dequantize(made.output, made.output_min, made.output_max, mode)
            steps.append(
                (name, [tf.bitcast(made.output, bits), made.output_min, made.output_max, back])
            )
    even = tf.quantization.quantize(x, 0.0, 0.0, tf.qint8, "SCALED", "HALF_TO_EVEN")
    steps.append(("even", [tf.bitcast(even.output, tf.int8), even.output_min]))
    for signed in (True, False):
        for given in (True, False):
            for rounds in ("HALF_TO_EVEN", "HALF_UP"):
                name = f"both_{signed}_{given}_{rounds}"
                made = tf.quantization.quantize_and_dequantize(
                    x, -3.0, 5.5, signed, 5, given, rounds, narrow_range=rounds == "HALF_UP"
                )
                differentiate(name, made, [x])
    return {"steps": steps}
