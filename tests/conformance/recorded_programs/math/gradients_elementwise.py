"""Gradient graphs of elementwise functions, broadcasting, static and unknown shapes."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    b = tf.constant([0.5, 1.5, -0.7], name="b")
    names = [
        "abs", "negative", "sign", "square", "exp", "expm1", "sin", "cos", "tan", "atan", "sinh",
        "cosh", "tanh", "asinh", "erf", "erfc", "sigmoid", "floor", "reciprocal", "log_sigmoid",
        "identity", "round",
    ]  # fmt: skip
    unit = ["log", "log1p", "sqrt", "rsqrt", "asin", "acos", "atanh"]
    made = [getattr(tf, name)(x) for name in names]
    made += [getattr(tf, name)(tf.sigmoid(x)) for name in unit] + [tf.acosh(tf.exp(x) + 1.0)]
    made += [
        x + b, b - x, x * b, x / b, tf.maximum(x, b), tf.minimum(x, b), tf.squared_difference(x, b),
        tf.pow(tf.abs(x), b), tf.pow(2.0, x), tf.atan2(x, b + tf.zeros_like(x)),
        tf.div_no_nan(x, b), tf.mod(x, b), tf.floordiv(x, b), tf.truediv(x, 3.0), tf.realdiv(x, b),
        x * p, p + x, p / x, p - b, tf.where(x > b + tf.zeros_like(x), x * 2.0, x * 3.0),
        tf.where_v2(x > 0, x, b), tf.add_n([x, p, x]), tf.accumulate_n([x, x]),
        tf.clip_by_value(x, -0.5, 0.5), tf.cast(tf.cast(x, tf.float64) * 2.0, tf.float32), x ** 2,
        x ** 3.0, tf.abs(x) ** 0.5, tf.math.xlogy(tf.abs(x), tf.abs(b)), tf.math.xdivy(x, b),
        2.0 - x, 1.0 / x, -x, tf.check_numerics(x, "bad"),
        tf.real(tf.complex(x, x) * tf.complex(x, p)), tf.abs(tf.complex(x, p)),
        tf.stop_gradient(x) * x, tf.math.multiply_no_nan(x, b), tf.exp(p) * tf.log(tf.abs(p)),
        tf.rsqrt(tf.abs(p) + 1.0), tf.tanh(p) * tf.sigmoid(p),
    ]  # fmt: skip
    gradients = [tf.gradients(t, [x, p, b]) for t in made]
    second = [tf.gradients(g[0], [x])[0] for g in gradients if g[0] is not None]
    feed = {x: np.linspace(-1.3, 1.4, 6).reshape(2, 3), p: np.linspace(0.3, 2.4, 6).reshape(2, 3)}
    steps = []
    for t, g in zip(made, gradients):
        steps.append((t.name, [t] + [k for k in g if k is not None], feed))
    steps += [(t.name, t, feed) for t in second if t is not None]
    facts = {"none": [[k is None for k in g] for g in gradients]}
    return {"facts": facts, "steps": steps}
