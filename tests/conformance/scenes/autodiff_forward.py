"""Forward-mode gradients, Jacobian-vector products, gradient checkers; tapes after each use."""

import importlib

import numpy as np


def _module(tf, name, own):
    of_tensorflow = tf.__name__ == "tensorflow"
    return importlib.import_module(
        f"tensorflow.python.{name}" if of_tensorflow else f"tfmini.{own}"
    )


def accumulators(tf, stage):
    Forward = _module(
        tf, "eager.forwardprop", "compat.python.eager.forwardprop"
    ).ForwardGradientAccumulator
    x = np.float32([1.0, 2.0])

    def of(function, *given, tangents=None):
        given = [tf.constant(v) for v in given or (x,)]
        tangents = tangents or [tf.ones_like(v) * (n + 1.0) for n, v in enumerate(given)]
        with Forward() as forward:
            for tensor, tangent in zip(given, tangents):
                forward.watch(tensor, tangent)
            y = function(*given)
        return forward.jvp(y)

    def nested(orders):
        t = tf.constant(1.5)
        opened, y = [], t
        for _ in range(orders):
            opened.append(Forward())
            opened[-1].__enter__()
            opened[-1].watch(t, tf.constant(1.0))
        y = tf.sin(t) * t
        for forward in reversed(opened):
            forward.__exit__(None, None, None)
            y = forward.jvp(y)
        return y

    def over_tape():
        t = tf.constant([1.0, 2.0])
        with Forward() as forward:
            forward.watch(t, tf.constant([1.0, 0.0]))
            with tf.GradientTape() as tape:
                tape.watch(t)
                y = tf.reduce_sum(t**3)
            grad = tape.gradient(y, t)
        return grad, forward.jvp(grad), forward.jvp(y)

    def twice():
        forward = Forward()
        with forward:
            pass
        with forward:
            pass

    def reentered():
        with Forward() as forward, forward:
            pass

    def watched(tensor, tangent):
        with Forward() as forward:
            forward.watch(tensor, tangent)
            return forward.jvp(tensor)

    def added():
        t = tf.constant(2.0)
        with Forward() as forward:
            forward.watch(t, tf.constant(1.0))
            forward.watch(t, tf.constant(10.0))
            y = t * t
        return forward.jvp([t, {"y": y}])

    cases = {
        "matmul": lambda: of(lambda a: tf.matmul(a[None], a[:, None])),
        "top": lambda: of(lambda a: list(tf.nn.top_k(a, 2))),
        "stopped": lambda: of(lambda a: tf.stop_gradient(a) * a),
        "integer_tangent": lambda: of(lambda a: a * 2.0, tangents=[[1, 2]]),
        "second_order": lambda: nested(2),
        "over_tape": over_tape,
        "twice": twice,
        "reentered": reentered,
        "untraced": lambda: Forward().jvp(tf.constant(1.0)),
        "watch_variable": lambda: watched(tf.Variable(1.0), tf.constant(1.0)),
        "watch_integer": lambda: watched(tf.constant(1), tf.constant(1)),
        "watch_dtype": lambda: watched(tf.constant(1.0), tf.constant(1.0, tf.float64)),
        "added": added,
    }
    stage.each_eagerly(cases)


def products(tf, stage):
    backprop = _module(tf, "eager.backprop", "compat.python.eager.backprop")

    def f(x, y, z=2.0):
        return x * x * y + z, {"b": x * 3.0}

    def of(function=f, params=None, dy=None, given=(3.0, 2.0), **options):
        result, vjp = backprop.make_vjp(function, params, **options)(*given)
        return result, vjp(dy=dy) if dy is not None else vjp()

    def aggregated(*rows):
        parts = [
            tf.IndexedSlices(tf.constant(v), tf.constant(i, k), tf.constant([4, 1]))
            for v, i, k in rows
        ]
        found = backprop.aggregate_indexed_slices_gradients(parts)
        return found.values, found.indices, found.dense_shape

    cases = {
        "not_kept": lambda: of(persistent=False, params=[0]),
        "keyword": lambda: backprop.make_vjp(f)(3.0, y=2.0),
        "aggregated_one": lambda: aggregated(([[1.0]], [3], tf.int32)),
    }
    stage.each_eagerly(cases)


def left_by_tapes(tf, stage):
    """A tape's behavior after reading, reset, stop and reentry."""

    def asked(*questions, persistent=False, **given):
        x, v = tf.constant([1.0, 2.0]), tf.Variable(3.0, name="v")
        tape = tf.GradientTape(persistent, **given)
        with tape:
            tape.watch(x)
            y = x * x * v
        found = []
        for question in questions:
            try:
                found.append(question(tape, x, v, y))
            except Exception as error:
                found.append((type(error).__name__, str(error)))
        return found

    grad = lambda t, x, v, y: t.gradient(y, [x, v])  # noqa: E731
    names = lambda t, x, v, y: [each.name for each in t.watched_variables()]  # noqa: E731

    def reset(t, x, v, y):
        with t:
            t.reset()
            t.watch(x)
            z = x * 5.0
        return t.gradient(z, [x, v]), t.watched_variables()

    cases = {
        "reset_kept": lambda: asked(reset, grad, names, persistent=True),
    }
    stage.each_eagerly(cases)
