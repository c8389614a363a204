"""Nested fetches and every kind of feed; make_callable and partial_run; strings as keys."""

from collections import OrderedDict, namedtuple

import numpy as np

Pair = namedtuple("Pair", ["first", "second"])


def build(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    k = tf.placeholder(tf.int32, [], name="k")
    s = tf.placeholder(tf.string, [None], name="s")
    b = tf.placeholder(tf.bool, name="b")
    a = tf.constant([[1.0, 2.0]], name="a")
    v = tf.Variable([3.0, 4.0], name="v")
    y = tf.add(x, a, name="y")
    z = tf.multiply(y, v, name="z")
    slices = tf.IndexedSlices(y, tf.constant([0]), tf.constant([5, 2]))
    sparse = tf.SparseTensor([[0, 1]], [7.0], [2, 2])
    fed = tf.sparse_placeholder(tf.float32, name="fed")
    feed = {x: [[1.0, 1.0]]}
    nested = {
        "list": [y, [z]],
        "tuple": (y, (z, a)),
        "dict": OrderedDict([("b", y), ("a", z)]),
        "pair": Pair(y, Pair(z, a.op)),
        "op": y.op,
        "name": "y:0",
        "operation": "y",
        "variable": v,
        "slices": slices,
        "sparse": sparse,
        "empty": [],
        "nothing": (),
        "twice": [y, y],
    }
    f = tf.placeholder(tf.float32, [], name="f")
    g = tf.placeholder(tf.float32, [], name="g")
    h1 = f + 1.0
    h2 = h1 * g
    called = tf.multiply(f, g)

    def partial(sess):
        handle = sess.partial_run_setup([h1, h2], [f, g])
        first = sess.partial_run(handle, h1, feed_dict={f: 2.0})
        return [first, sess.partial_run(handle, h2, feed_dict={g: first * 10.0})]

    def callables(sess):
        one = sess.make_callable(called, [f, g])
        several = sess.make_callable([h1, {"h": h2}], feed_list=[f, "g:0"])
        nothing = sess.make_callable(called.op, [f, g])
        return [one(2.0, 3.0), several(1.0, 2.0), nothing(1.0, 1.0), one(np.float64(4), 5)]

    def evaluated(sess):
        with sess.as_default():
            v.initializer.run()
            return [y.eval(feed), v.eval(), tf.get_default_session() is sess, sess.graph is x.graph]

    steps = [
        ("init", tf.global_variables_initializer()),
        ("nested", nested, feed),
        ("single", y, feed),
        ("op", y.op, feed),
        ("by name", ["z:0", "a"], {"x:0": np.ones([3, 2])}),
        ("by tensor", z, {y: [[1.0, 1.0]], v: [2.0, 2.0]}),
        ("constant", y, {x: [[0.0, 0.0]], a: [[7.0, 8.0]]}),
        ("variable", [v, v.value()], {v: [0.5, 0.5]}),
        ("value", v + 0.0, {v.value(): [0.5, 0.5]}),
        ("fetched feed", [x, k, s], {x: [[9, 9]], k: 3, s: ["a", b"b"]}),
        ("kinds", [k, b, s], {k: np.int64(4), b: [[True, False]], s: np.array(["abc", "d"])}),
        ("lists", [x, k], {x: ((1, 2), [3, 4]), k: np.array(5)}),
        ("wider", x, {x: np.ones([2, 2], np.float64)}),
        ("half", x, {x: np.ones([2, 2], np.float16)}),
        ("scalar", tf.convert_to_tensor(k) * 2, {k: 7}),
        ("empty", y, {x: np.zeros([0, 2])}),
        ("sparse", fed, {fed: tf.SparseTensorValue([[1, 1]], [5.0], [3, 3])}),
        ("sparse tuple", [fed.values], {fed: ([[1, 1]], [6.0], [3, 3])}),
        ("slices", slices, {slices: ([[1.0, 1.0]], [4], [5, 2])}),
        ("partial", partial),
        ("callables", callables),
        ("evaluated", evaluated),
        ("none", [], None),
    ]
    return {"steps": steps}
