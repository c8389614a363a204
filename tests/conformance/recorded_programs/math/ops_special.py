"""Special functions and bitwise ones."""

# TensorFlow's betainc is off by 1.1e-5 here.
TOLERANCE = 2e-5  # float32; the furthest value was off by less than 2e-5


def build(tf):
    u = tf.constant([0.1, 0.4, 0.7, 0.95], name="u")
    x = tf.constant([-2.25, -0.75, 0.25, 30.25], name="x")
    i = tf.constant([[7, -7, 8, 0]], name="i")
    j = tf.constant([[2], [-3]], name="j")
    made = [
        tf.lgamma(u), tf.lgamma(x), tf.digamma(u), tf.igamma(u, u), tf.igammac(u, u),
        tf.zeta(u + 1.5, u), tf.polygamma(1.0, u), tf.betainc(u, u, u), tf.math.bessel_i0e(u),
        tf.math.bessel_i1e(u), tf.bitwise.bitwise_and(i, j), tf.bitwise.bitwise_or(i, j),
        tf.bitwise.bitwise_xor(i, j), tf.bitwise.invert(i), tf.bitwise.left_shift(3, [1, 2]),
        tf.bitwise.right_shift(-8, [1, 2]),
    ]  # fmt: skip
    return {"steps": [(t.name, t) for t in made]}
