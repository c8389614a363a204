"""Edge cases of map functions and loops: no rows, unknown sizes, dtypes, triple nesting, custom gradients."""

import numpy as np

from tests.conformance.scenes import eager_mode, unknown


def _edges(tf):
    empty, one = np.zeros([0, 2], np.float32), np.array([[1.5, -2.0]], np.float32)
    some = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
    ranked = unknown(tf, ranked=True)

    def pairs(x):
        return x, tf.cast(x, tf.int64)

    return {
        "map empty": lambda: tf.map_fn(lambda x: x * 2.0, empty),
        "map empty fed": lambda: tf.map_fn(lambda x: x * 2.0, ranked(empty)),
        "map one": lambda: tf.map_fn(tf.reduce_sum, one, tf.float32, 1, False, True, name="sum"),
        "map doubles": lambda: tf.map_fn(lambda x: x[::-1], ranked(some)),
        "map to integers": lambda: tf.map_fn(
            lambda x: tf.cast(tf.reduce_sum(x), tf.int64), some, dtype=tf.int64
        ),
        "map to two": lambda: tf.map_fn(pairs, some, dtype=(tf.float64, tf.int64)),
        "map of two": lambda: tf.map_fn(lambda p: p[0] * p[1], (some, some[::-1]), tf.float64),
        "map of dict": lambda: tf.map_fn(
            lambda p: {"b": p["a"] + 1, "a": p["b"]},
            {"a": np.arange(2), "b": np.arange(2.0)},
            {"a": tf.float64, "b": tf.int64},
        ),
        "map of nothing": lambda: tf.map_fn(lambda x: x, []),
        "map strings": lambda: tf.map_fn(lambda s: tf.strings.join([s, "!"]), ["a", "b"]),
        "map of shapes": lambda: tf.map_fn(
            lambda i: tf.ones([i]), tf.constant([1, 1]), tf.float32, infer_shape=False
        ),
        "map scalar": lambda: tf.map_fn(lambda x: x, 3.0),
        "map structures": lambda: tf.map_fn(lambda x: (x, x), some),
        "map sparse": lambda: tf.map_fn(lambda x: x, tf.sparse.eye(2)),
        "map uncallable": lambda: tf.map_fn(3, some),
        "map of map": lambda: tf.map_fn(
            lambda x: tf.map_fn(lambda y: tf.map_fn(lambda z: z + 1.0, y), x), np.ones([2, 1, 2])
        ),
        "scan": lambda: tf.scan(lambda a, x: a * 2.0 + x, some),
        "scan back": lambda: tf.scan(lambda a, x: a * 2.0 + x, ranked(some), reverse=True),
        "scan from": lambda: tf.scan(lambda a, x: a + tf.reduce_sum(x), some, np.float64(1.0)),
        "scan from back": lambda: tf.scan(
            lambda a, x: a - x[0], some, np.float64(1.0), 1, False, True, reverse=True, name="mine"
        ),
        "scan grows": lambda: tf.scan(
            lambda a, x: tf.concat([a, [x]], 0)[-2:],
            np.arange(3.0),
            np.zeros([2]),
            infer_shape=False,
        ),
        "scan nothing": lambda: tf.scan(lambda a, x: a + x, empty),
        "scan structures": lambda: tf.scan(lambda a, x: (a, x), some),
        "scan uncallable": lambda: tf.scan(None, some),
        "foldl": lambda: tf.foldl(lambda a, x: a * 2.0 + x, some),
        "foldl from": lambda: tf.foldl(lambda a, x: a + x[0], ranked(some), np.float64(1.0)),
        "foldl empty": lambda: tf.foldl(lambda a, x: a + x, empty, np.float32([1.0, 2.0])),
        "foldl two": lambda: tf.foldl(lambda a, x: a + x["a"] - x["b"], {"a": some, "b": one}),
        "foldr": lambda: tf.foldr(lambda a, x: a * 2.0 + x, some),
        "foldr from": lambda: tf.foldr(
            lambda a, x: a * 2.0 + x, ranked(some), some[0], 1, name="r"
        ),
        "foldr uncallable": lambda: tf.foldr("f", some),
    }


def rows(tf, stage):
    stage.each({name: case for name, case in _edges(tf).items() if "nothing" not in name})


def gradients_of_ones_own(tf, stage):
    """Functions with custom gradients: several results, structures, variables, nesting, errors, repeated calls."""
    custom = tf.custom_gradient

    @custom
    def several(x, y):
        def grad(a, b):
            return a * 10.0, b * 100.0

        return (x * y, x + y), grad

    @custom
    def nested(x):
        inner = custom(lambda z: (z * z, lambda g: g * 7.0))
        y = inner(x)
        return y + 1.0, lambda g: g * tf.gradients(y, x)[0]

    @custom
    def with_variable(x):
        v = tf.get_variable("v", [2], initializer=tf.ones_initializer(), use_resource=True)

        def grad(g, variables=None):
            return g * 3.0, [tf.ones_like(one) * 5.0 for one in variables]

        return x * v, grad

    @custom
    def wants_none(x):
        return x * 2.0, lambda g: None

    @custom
    def too_many(x):
        return x * 2.0, lambda g: (g, g)

    @custom
    def structured(x):
        return {"a": x, "b": [x * 2.0]}, lambda *g: tf.add_n(list(g))

    @custom
    def without(x):
        v = tf.get_variable("other", [2], use_resource=True)
        return x * v, lambda g: g

    @custom
    def with_reference(x):
        v = tf.get_variable("reference", [2], use_resource=False)
        return x * v, lambda g: g

    @custom
    def asks(x):
        return x + 0.0, lambda g, variables=None: (g, [])

    x, y = tf.constant([1.0, 2.0], name="x"), tf.constant([3.0, 4.0], name="y")
    session = tf.Session()

    def run(function, *given, of=None):
        results = function(*given)
        found = tf.gradients(tf.nest.flatten(results), of or list(given))
        session.run(tf.global_variables_initializer())
        return session.run([results, [g for g in found if g is not None]])

    stage.attempts(
        lambda: run(several, x, y),
        lambda: run(several, x, [1.0, 1.0], of=[x]),
        lambda: run(nested, x),
        lambda: run(wants_none, x),
        lambda: run(too_many, x),
        lambda: run(structured, x),
        lambda: several(x, y=y),
        lambda: run(with_variable, x, of=[x, *tf.trainable_variables()]),
        lambda: [v.name for v in tf.trainable_variables()],
        lambda: run(without, x),
        lambda: run(with_reference, x),
        lambda: run(asks, x),
        lambda: (several.__name__, nested.__name__, with_variable.__name__),
        lambda: several(x, y)[0].op.type,
    )
    with tf.variable_scope("again", use_resource=True, reuse=tf.AUTO_REUSE):
        stage.attempts(
            lambda: run(with_variable, x, of=[x, *tf.trainable_variables("again")]),
            lambda: run(with_variable, x, of=[x, *tf.trainable_variables("again")]),
            lambda: run(asks, x),
        )
    stage.attempts(
        lambda: run(tf.function(lambda z: nested(z) * 2.0), x),
        lambda: run(
            lambda z: tf.while_loop(
                lambda i, a: i < 2, lambda i, a: (i + 1, wants_none(a)), [0, z]
            )[1],
            x,
        ),
        lambda: run(lambda z: tf.cond(z[0] > 0.0, lambda: several(z, z)[0], lambda: z), x),
        lambda: run(lambda z: tf.map_fn(lambda e: several(e, e)[0], z), x),
        lambda: (
            run(tf.recompute_grad(lambda z: tf.exp(z) * z), x)
            if hasattr(tf, "recompute_grad")
            else 0
        ),
    )
    with eager_mode(tf):
        x, y, w = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]), tf.Variable([1.0, 1.0])

        @custom
        def reads(z, scale=2.0):
            def grad(g, variables=None):
                return g * 3.0, [g * 4.0 for _ in variables]

            return z * w * scale, grad

        def of(function, *given, also=(), **options):
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(list(given))
                found = function(*given, **options)
                total = tf.add_n([tf.reduce_sum(one) for one in tf.nest.flatten(found)])
            return found, tape.gradient(total, [*given, *also])

        stage.attempts(
            lambda: of(several, x, y),
            lambda: of(several, x, y=y)[0],
            lambda: of(nested, x),
            lambda: of(structured, x),
            lambda: of(wants_none, x),
            lambda: of(too_many, x),
            lambda: of(reads, x, also=[w]),
            lambda: of(reads, x, also=[w], scale=3.0),
            lambda: of(custom(lambda z: (z * w, lambda g: g)), x),
            lambda: of(tf.function(several), x, y),
            lambda: of(tf.function(lambda z: reads(z) + 1.0), x, also=[w]),
        )
