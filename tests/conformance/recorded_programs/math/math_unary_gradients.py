"""First and second gradients of elementwise functions, real and complex."""

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6

EVERYWHERE = [
    "abs", "negative", "square", "exp", "expm1", "sin", "cos", "sinh", "cosh", "tanh", "asinh",
    "atan", "erf", "erfc", "sigmoid", "reciprocal", "sign", "floor", "ceil", "round", "rint",
]  # fmt: skip
INSIDE = ["log", "log1p", "sqrt", "rsqrt", "asin", "acos", "atanh", "tan", "lgamma", "digamma"]
COMPLEX = [
    "negative", "square", "exp", "expm1", "sin", "cos", "sinh", "cosh", "tanh", "sigmoid",
    "reciprocal", "log", "log1p", "sqrt", "rsqrt", "tan",
]  # fmt: skip


def build(tf):
    steps = []

    def weights(y):
        return [tf.ones_like(y) * (0.5 + 1j)] if y.dtype.is_complex else None

    def differentiate(name, x, scope):
        with tf.name_scope(scope):
            y = getattr(tf, name)(x)
            first = tf.gradients(y, x, weights(y))[0]
            if first is None:
                return
            steps.append((f"{scope} first", first))
            if name not in ("abs", "sign", "digamma"):
                second = tf.gradients(first, x, weights(first))[0]
                if second is not None:
                    steps.append((f"{scope} second", second))

    x = tf.constant([[-2.5, -0.3, 0.4], [0.9, 1.7, 3.0]], name="x")
    u = tf.constant([0.2, 0.4, 0.7], tf.float64, name="u")
    c = tf.constant([1 + 2j, -0.5j, 0.3], tf.complex128, name="c")
    p = tf.placeholder_with_default(x, [None, 3], name="p")
    for name in EVERYWHERE:
        differentiate(name, x, name)
    for name in INSIDE:
        differentiate(name, u, name)
    for name in COMPLEX:
        differentiate(name, c, name + "_complex")
    for name in ("exp", "square", "sign", "sigmoid"):
        differentiate(name, p, name + "_unknown")
    differentiate("acosh", u + 1.0, "acosh")
    for name in ("real", "imag", "abs", "angle", "conj"):
        differentiate(name, c, name + "_parts")
    with tf.name_scope("made"):
        made = tf.complex(tf.real(c), tf.imag(c) * 2.0)
        steps.append(("made", tf.gradients(tf.abs(made), c)[0]))
    with tf.name_scope("cast"):
        steps.append(("cast", tf.gradients(tf.cast(tf.cast(x, tf.float64) * 2.0, tf.float16), x)))
    return {"steps": steps}
