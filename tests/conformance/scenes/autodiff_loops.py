"""Gradients through loops and branches: slices, unknown shapes, nesting, unused values, initial gradients."""

import numpy as np


def _variable(tf, resource, shape=(3, 2), **options):
    count = int(np.prod(shape))
    value = (np.arange(count, dtype=np.float32) / 4).reshape(shape)
    return tf.Variable(value, name="v", use_resource=resource, **options)


def _unknown(tf, value, shape=None):
    return tf.placeholder_with_default(tf.constant(value), shape)


def slices_in_loops(tf, stage):
    """Each iteration gathers a row: the gradients are slices accumulated in the loop."""

    def gathered(make, rounds=3, rows=lambda i: [i % 3, 0]):
        def run():
            v = make()

            def body(i, total):
                return i + 1, total + tf.reduce_sum(tf.gather(v, rows(i)) * tf.cast(i + 1, v.dtype))

            total = tf.while_loop(lambda i, _: i < rounds, body, [0, tf.constant(0.0, v.dtype)])[1]
            (found,) = tf.gradients(total, [v])
            if isinstance(found, tf.IndexedSlices):
                stage.say("slices", str(found.dense_shape is None), found.name)
                return found.values, found.indices, tf.convert_to_tensor(found)
            return found

        return run

    def twice():
        v = _variable(tf, True)

        def body(i, total):
            more = tf.reduce_sum(tf.gather(v, [i])) + 2.0 * tf.reduce_sum(tf.gather(v, [0, i]))
            return i + 1, total + more + tf.reduce_sum(v)

        total = tf.while_loop(lambda i, _: i < 2, body, [0, 0.0])[1]
        return tf.convert_to_tensor(tf.gradients(total, [v])[0])

    def nested():
        v = _variable(tf, False)

        def inner(j, total):
            return j + 1, total + tf.reduce_sum(tf.gather(v, [j]))

        def outer(i, total):
            return i + 1, tf.while_loop(lambda j, _: j < i, inner, [0, total])[1]

        total = tf.while_loop(lambda i, _: i < 3, outer, [0, 0.0])[1]
        return tf.convert_to_tensor(tf.gradients(total, [v])[0])

    def in_branch():
        v = _variable(tf, True)

        def body(i, total):
            some = tf.cond(
                tf.equal(i % 2, 0),
                lambda: tf.reduce_sum(tf.gather(v, [i])),
                lambda: tf.reduce_sum(v * 2.0),
            )
            return i + 1, total + some

        total = tf.while_loop(lambda i, _: i < 3, body, [0, 0.0])[1]
        return tf.convert_to_tensor(tf.gradients(total, [v])[0])

    stage.each(
        {
            "never": gathered(lambda: _variable(tf, True), rounds=0),
            "shapeless": gathered(
                lambda: tf.Variable(_unknown(tf, np.ones([3, 2], np.float32)), validate_shape=False)
            ),
            "twice": twice,
            "nested": nested,
            "in_branch": in_branch,
        },
        graph="sum",
    )


def unknown_shapes(tf, stage):
    """Zeros for unused values whose shapes are known only at run time."""
    value = np.array([1.0, 2.0], np.float32)

    def loop(shape, use=lambda i, x, y: (i + 1, x * y, y), of=1, by="xy", **options):
        def run():
            x, y = _unknown(tf, value, shape), _unknown(tf, value + 1, shape)
            invariants = [tf.TensorShape([]), tf.TensorShape(shape), tf.TensorShape(shape)]
            out = tf.while_loop(
                lambda i, *_: i < 2, use, [0, x, y], shape_invariants=invariants, **options
            )
            given = [{"x": x, "y": y}[name] for name in by]
            return [g for g in tf.gradients(out[of], given) if g is not None]

        return run

    def branch(shape, unconnected="none"):
        def run():
            x, y = _unknown(tf, value, shape), _unknown(tf, value + 1, shape)
            out = tf.cond(tf.reduce_sum(x) > 5.0, lambda: x * y, lambda: y + 1.0)
            return [
                g
                for g in tf.gradients(out, [x, y], unconnected_gradients=unconnected)
                if g is not None
            ]

        return run

    def branch_in_loop(shape):
        def run():
            x, y = _unknown(tf, value, shape), _unknown(tf, value + 1, shape)

            def body(i, x, y):
                a, b = tf.cond(i < 1, lambda: (x * y, y), lambda: (x, x * x))
                return i + 1, a, b

            invariants = [tf.TensorShape([]), tf.TensorShape(shape), tf.TensorShape(shape)]
            out = tf.while_loop(lambda i, *_: i < 3, body, [0, x, y], shape_invariants=invariants)
            return tf.gradients(out[1], [x, y])

        return run

    def loop_in_loop(shape, **options):
        def run():
            x = _unknown(tf, value, shape)

            def inner(j, a):
                return j + 1, a * x

            def outer(i, a):
                return i + 1, tf.while_loop(
                    lambda j, _: j < i,
                    inner,
                    [0, a],
                    shape_invariants=[tf.TensorShape([]), tf.TensorShape(shape)],
                )[1]

            out = tf.while_loop(
                lambda i, _: i < 3,
                outer,
                [0, x],
                shape_invariants=[tf.TensorShape([]), tf.TensorShape(shape)],
                **options,
            )[1]
            return tf.gradients(out, x)

        return run

    def split(shape):
        def run():
            x = _unknown(tf, np.ones([4], np.float32), shape)

            def body(i, a):
                first, _ = tf.split(a, 2) if shape else tf.unique_with_counts(a)[:2]
                return i + 1, a * tf.reduce_sum(first)

            out = tf.while_loop(
                lambda i, _: i < 2,
                body,
                [0, x],
                shape_invariants=[tf.TensorShape([]), tf.TensorShape(shape)],
            )[1]
            return tf.gradients(out, x)

        return run

    def two_outputs():
        x = _unknown(tf, value)
        mean, _ = tf.nn.moments(x, [0])
        kept, _ = tf.nn.top_k(x, 1)
        return tf.gradients([mean, kept], x)

    def second(shape):
        def run():
            x = _unknown(tf, value, shape)
            out = tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * x * x, lambda: x)
            (first,) = tf.gradients(out, x)
            return tf.gradients(first, x)

        return run

    def second_of_loop():
        x = tf.constant(2.0)
        out = tf.while_loop(lambda i, _: i < 2, lambda i, a: (i + 1, a * x), [0, x])[1]
        (first,) = tf.gradients(out, x)
        return tf.gradients(first, x)

    swapped = {"swap_memory": True, "parallel_iterations": 1, "back_prop": True}
    leaves = lambda i, x, y: (i + 1, x, y * y)  # noqa: E731
    stops = lambda i, x, y: (i + 1, x * 2.0, tf.stop_gradient(y) * x)  # noqa: E731
    swaps = lambda i, x, y: (i + 1, y, x)  # noqa: E731
    cases = {
        f"{name} {known}": case
        for known, shape in (("known", [2]), ("unknown", None), ("rank", [None]))
        for name, case in {
            "loop": loop(shape),
            "swapped memory": loop(shape, **swapped),
            "no back": loop(shape, back_prop=False),
            "most": loop(shape, maximum_iterations=1),
            "of other": loop(shape, of=2),
            "left": loop(shape, leaves, of=2),
            "left itself": loop(shape, leaves, of=1, by="yx"),
            "stops": loop(shape, stops, of=2),
            "swaps": loop(shape, swaps),
            "branch": branch(shape),
            "branch zero": branch(shape, "zero"),
            "branch in loop": branch_in_loop(shape),
            "loop in loop": loop_in_loop(shape),
            "split": split(None if shape is None else [4]),
            "second": second(shape),
        }.items()
    }
    cases.update({"two_outputs": two_outputs, "second_of_loop": second_of_loop})
    stage.each(cases, graph="sum")


def starts(tf, stage):
    """`tf.gradients`: `grad_ys`, `xs`, and rejected arguments."""

    def xs():
        x = tf.constant([1.0, 2.0], name="x")
        return x, x * x

    def with_start(start, **options):
        def run():
            x, y = xs()
            return tf.gradients(y, x, start(x), **options)

        return run

    def slices(values=None, shape=None):
        return tf.IndexedSlices(
            tf.constant(values or [2.0]), tf.constant([1]), shape and tf.constant(shape)
        )

    def aggregated(method, count=3, slices=False):
        def run():
            v = _variable(tf, False)
            parts = [tf.reduce_sum(tf.gather(v, [n % 3])) for n in range(count if slices else 0)]
            parts += [tf.reduce_sum(v * float(n + 1)) for n in range(count if slices != 1 else 0)]
            (found,) = tf.gradients(parts, v, aggregation_method=method)
            return tf.convert_to_tensor(found)

        return run

    methods = tf.AggregationMethod
    stage.each(
        {
            "slices": with_start(lambda x: [slices()]),
            "none_x": lambda: tf.gradients(xs()[1], [None]),
            "accumulated": aggregated(methods.EXPERIMENTAL_ACCUMULATE_N),
            "default_many": aggregated(None, 4),
            "slices_added": aggregated(methods.ADD_N, 3, 1),
        }
    )


def checkers(tf, stage):
    """`tf.test.compute_gradient` for dtypes and shapes, in graphs and in its v2 API."""

    def checked(make, value, dtype=None, x_shape=None, y_shape=None, **options):
        def run():
            x = tf.constant(value, dtype)
            y = make(x)
            with tf.Session():
                shapes = (x_shape or x.shape.as_list(), y_shape or y.shape.as_list())
                found = tf.test.compute_gradient(
                    x, shapes[0], y, shapes[1], x_init_value=np.array(value), **options
                )
                return [np.round(part.astype(np.float64), 2) for part in found]

        return run

    def error(make, value, dtype=None, **options):
        def run():
            x = tf.constant(value, dtype)
            y = make(x)
            with tf.Session():
                return (
                    tf.test.compute_gradient_error(
                        x, x.shape.as_list(), y, y.shape.as_list(), **options
                    )
                    < 0.01
                )

        return run

    cases = {
        "delta": checked(lambda x: x * x, [1.0, 2.0], delta=0.5),
        "wrong_shape": checked(lambda x: x * x, [1.0, 2.0], x_shape=[3]),
        "slices": checked(lambda x: tf.gather(x, [1, 1]), [[1.0], [2.0]]),
        "error_doubles": error(lambda x: tf.sin(x) * x, [0.5, 1.0], tf.float64, delta=1e-4),
        "error_complex": error(lambda x: x * 2.0, [1.0 + 2.0j], tf.complex64),
    }
    for name, case in cases.items():
        with tf.Graph().as_default():
            stage.say(name)
            stage.attempt(case)
