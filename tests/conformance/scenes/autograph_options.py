"""Rare options of loops and of conversion."""


def of_conversion(tf, stage):
    feature = tf.autograph.experimental.Feature

    def helper(x):
        return x * 2 if x > 0 else x

    def calls(x):
        return helper(x) + 1

    class Called:
        def __call__(self, x):
            return x

    def generates(x):
        yield x

    convert, code = tf.autograph.to_graph, tf.autograph.to_code
    with tf.Graph().as_default(), tf.Session() as session:
        run = lambda f: session.run(f(tf.constant(3)))  # noqa: E731
        stage.attempts(
            lambda: run(convert(calls, experimental_optional_features=feature.ALL)),
            lambda: code(Called()),
            lambda: convert(generates),
            lambda: feature.all(),
        )
