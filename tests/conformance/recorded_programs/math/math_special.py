"""Special functions of one and several arguments, their gradients, and functions composed of them."""


def build(tf):
    a = tf.constant([0.5, 1.0, 2.0], tf.float64, name="a")
    b = tf.constant([1.5, 2.5, 0.7], tf.float64, name="b")
    u = tf.constant([0.2, 0.5, 0.8], tf.float64, name="u")
    x = tf.constant([-2.5, 0.0, 1.7], name="x")
    one = tf.constant(1.0, tf.float64, name="one")
    steps = []

    def differentiate(label, function, inputs):
        with tf.name_scope(label):
            y = function(*inputs)
            found = tf.gradients(y, inputs)
            steps.append((label, [y] + [g for g in found if g is not None]))

    differentiate("i0e", tf.math.bessel_i0e, [x])
    differentiate("i1e", tf.math.bessel_i1e, [x])
    differentiate("i0", tf.math.bessel_i0, [x])
    differentiate("i1", tf.math.bessel_i1, [x])
    differentiate("lbeta", tf.lbeta, [b])
    differentiate("igamma", tf.igamma, [a, b])
    differentiate("igammac", tf.igammac, [a, b])
    differentiate("igamma_scalar", tf.igamma, [one, b])
    differentiate("zeta", tf.zeta, [a + 1.5, b])
    differentiate("polygamma", tf.polygamma, [one, b])
    differentiate("betainc", tf.betainc, [a, b, u])
    differentiate("no_nan", tf.math.reciprocal_no_nan, [x])
    differentiate("log_sigmoid", tf.log_sigmoid, [x])
    differentiate("cumulative", lambda t: tf.math.cumulative_logsumexp(t, 0), [x])
    differentiate("nextafter", tf.math.nextafter, [u, a + 1.0])
    return {"steps": steps}
