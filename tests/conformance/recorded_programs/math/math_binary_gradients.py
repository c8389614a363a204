"""First and second gradients of binary ops: equal, broadcasting and unknown shapes."""


def build(tf):
    x = tf.constant([[1.5, 2.0, 0.5], [0.3, 1.0, 2.5]], name="x")
    y = tf.constant([[2.0, 1.0, 3.0], [0.7, 1.5, 0.4]], name="y")
    row = tf.constant([[0.6, 1.5, 2.5]], name="row")
    one = tf.constant(1.25, name="one")
    p = tf.placeholder_with_default(y * 1.5 + 0.1, [None, 3], name="p")
    unknown = tf.placeholder_with_default(row, None, name="unknown")
    c = tf.constant([1 + 2j, -0.5j, 3.0], name="c")
    pairs = [(x, y), (x, row), (row, x), (x, one), (one, x), (p, x), (p, row), (p, unknown)]
    functions = {
        "add": tf.add, "plus": lambda a, b: a + b, "sub": tf.subtract, "mul": tf.multiply,
        "realdiv": tf.realdiv, "div": lambda a, b: tf.raw_ops.Div(x=a, y=b),
        "div_no_nan": tf.div_no_nan, "mul_no_nan": tf.math.multiply_no_nan, "pow": tf.pow,
        "maximum": tf.maximum, "minimum": tf.minimum, "squared": tf.squared_difference,
        "floormod": tf.floormod, "floordiv": tf.floordiv, "xdivy": tf.math.xdivy,
        "xlogy": tf.math.xlogy,
    }  # fmt: skip
    functions["div"] = lambda a, b: tf.divide(a, b, name="named")
    steps = []
    for name, function in functions.items():
        for number, (a, b) in enumerate(pairs):
            with tf.name_scope(f"{name}_{number}"):
                first = [g for g in tf.gradients(function(a, b), [a, b]) if g is not None]
                steps.append((f"{name} {number}", first))
                if first and number in (0, 1, 6) and name not in ("floormod", "pow"):
                    second = tf.gradients(first, [a, b])
                    steps.append((f"{name} {number} again", [g for g in second if g is not None]))
    with tf.name_scope("atan2"):
        steps.append(("atan2", tf.gradients(tf.atan2(x, y), [x, y])))
    for name in ("mul", "realdiv", "pow", "squared"):
        with tf.name_scope(name + "_complex"):
            steps.append((name, tf.gradients(functions[name](c, c * 2.0), [c], [tf.ones_like(c)])))
    return {"steps": steps}
