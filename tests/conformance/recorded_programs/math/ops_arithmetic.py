"""Elementwise functions on floats, integers and complex numbers: edges and broadcasting too."""

TOLERANCE = 4e-6


def build(tf):
    x = tf.constant([[-2.5, -1.0, -0.3, 0.0], [0.2, 0.9, 1.7, 30.0]], name="x")
    y = tf.constant([[2.0, -3.0, 0.5, 1.0]], name="y")
    u = tf.constant([0.1, 0.4, 0.7, 0.95], name="u")
    i = tf.constant([[7, -7, 8, 0]], name="i")
    j = tf.constant([[2], [-3]], name="j")
    c = tf.constant([1 + 2j, -0.5j, 3.0], name="c")
    one = [
        "abs", "negative", "sign", "square", "exp", "expm1", "sin", "cos", "tan", "atan", "sinh",
        "cosh", "tanh", "asinh", "erf", "erfc", "sigmoid", "floor", "ceil", "round", "rint",
        "is_nan", "is_inf", "is_finite", "reciprocal", "log_sigmoid",
    ]  # fmt: skip
    unit = [
        "log", "log1p", "sqrt", "rsqrt", "asin", "acos", "atanh",
    ]  # fmt: skip
    made = [getattr(tf, name)(x) for name in one] + [getattr(tf, name)(u) for name in unit]
    made += [tf.acosh(u + 1.0)]
    made += [
        tf.add(x, y), tf.subtract(x, y), tf.multiply(x, y), tf.divide(x, y), tf.div_no_nan(x, x),
        tf.maximum(x, y), tf.minimum(x, y), tf.squared_difference(x, y), tf.pow(u, y),
        tf.atan2(x, y), tf.floormod(x, y), tf.floordiv(x, y), tf.truediv(x, y), tf.realdiv(x, y),
        tf.math.xlogy(u, u), tf.math.xdivy(u, u), tf.math.multiply_no_nan(u, [0.0, 1.0, 2.0, 0.0]),
        tf.mod(x, 0.7), tf.add_n([x, x, x]), tf.accumulate_n([u, u]),
        tf.clip_by_value(x, -1.0, 1.0),
    ]  # fmt: skip
    made += [
        tf.add(i, j), tf.subtract(i, j), tf.multiply(i, j), tf.floordiv(i, j), tf.floormod(i, j),
        tf.truncatediv(i, j), tf.truncatemod(i, j), tf.truediv(i, j), tf.maximum(i, j), tf.abs(i),
        tf.minimum(i, j), tf.sign(i), tf.square(i), tf.negative(i), tf.pow(i, 2), tf.pow(2, 3),
        tf.constant(2147483647) + 1, tf.abs(tf.constant(-128, tf.int8)),
    ]  # fmt: skip
    made += [tf.exp(c), tf.log(c), tf.sqrt(c), tf.square(c), tf.pow(c, c), tf.sin(c), tf.abs(c)]
    made += [tf.tanh(c), tf.reciprocal(c), tf.sigmoid(c), c * tf.conj(c), tf.rsqrt(c), tf.sign(c)]
    half = tf.constant([0.1, 1.0, 2.5], tf.float16)
    made += [half * 3, half / 7, tf.exp(half), half + half, tf.sigmoid(half)]
    double = tf.constant([0.1, 1.0, 2.5], tf.float64)
    made += [double * 3, double / 7, tf.exp(double), tf.tanh(double), tf.log1p(double)]
    return {"steps": [(t.name, t) for t in made]}
