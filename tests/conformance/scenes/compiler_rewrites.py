"""Programs open to optimization: padding, reshapes, constants, conditions, sums in loops."""

import numpy as np

from tests.conformance.scenes.compiler_results import _numbers, _said


def paddings_and_tiles(tf, stage):
    x = _numbers(3, 4)

    def given():
        return tf.placeholder_with_default(x, [3, 4], name="x")

    def parts(pads, axis=0, whole=None):
        made = []
        for low, high in pads:
            size = [1, 4] if axis == 0 else [3, 1]
            part = tf.slice(given() if not made else tf.constant(x), [0, 0], size)
            around = [[low, high], [0, 0]] if axis == 0 else [[0, 0], [low, high]]
            made.append(
                tf.pad(part, around, constant_values=0) * 1.0 if whole else tf.pad(part, around)
            )
        return tf.add_n(made)

    def slices(*cuts):
        y = given()
        return tf.gradients(tf.add_n([tf.reduce_sum(y[cut] ** 2) for cut in cuts]), y)

    def mean(axis=None, keep=False):
        y = given()
        return tf.gradients(tf.reduce_mean(y * y, axis, keepdims=keep), y)

    def tiled(divide, more=False):
        value = tf.placeholder_with_default(np.float32([[3.0, 5.0]]), [1, 2], name="t")
        tile = tf.tile(value, [2, 3])
        made = [divide(tile)]
        return [*made, tile] if more else made

    cases = {
        "cover": lambda: parts([(0, 2), (1, 1), (2, 0)]),
        "order": lambda: parts([(2, 0), (0, 2), (1, 1)]),
        "overlap": lambda: parts([(0, 2), (0, 2), (2, 0)]),
        "gap": lambda: parts([(0, 2), (2, 0)]),
        "columns": lambda: parts([(0, 2), (1, 1), (2, 0)], axis=1),
        "products": lambda: parts([(0, 2), (1, 1), (2, 0)], whole=True),
        "halves": lambda: slices(slice(0, 1), slice(1, 3)),
        "backwards": lambda: slices(slice(1, 3), slice(0, 1)),
        "part": lambda: slices(slice(1, 3)),
        "crossing": lambda: slices(slice(0, 2), slice(1, 3)),
        "steps": lambda: slices(slice(0, 3, 2), slice(1, 2)),
        "reverse": lambda: slices(slice(None, None, -1)),
        "mean": mean,
        "mean_rows": lambda: mean(0),
        "mean_columns": lambda: mean([1], True),
        "mean_both": lambda: mean([0, 1]),
        "tile": lambda: tiled(lambda t: t / 7.0),
        "tile_both": lambda: tiled(lambda t: t / 7.0, more=True),
        "tile_by_zero": lambda: tiled(lambda t: t / 0.0),
        "tile_divides": lambda: tiled(lambda t: 7.0 / t),
        "tile_vector": lambda: tiled(lambda t: t / np.float32([1, 2, 3, 4, 5, 6])),
        "tile_ints": lambda: tf.tile(tf.constant([7, 8]), [2]) / 3,
        "tile_floor": lambda: tf.tile(tf.constant([7, 8]), [2]) // 3,
    }
    _said(tf, stage, cases, ({}, {"x": x[::-1]}, {"t": np.float32([[np.inf, 0.0]])}))


def reshapes(tf, stage):
    x = _numbers(2, 6)

    def p(shape):
        return tf.placeholder_with_default(x, shape, name="x")

    def broadcast(left, right):
        a = tf.placeholder_with_default(x, left, name="x")
        b = tf.placeholder_with_default(x[:1], right, name="y")
        made = a * b
        return made, tf.gradients(made, [a, b])

    cases = {
        "same": lambda: tf.reshape(p([2, 6]), [2, 6]),
        "same_rest": lambda: tf.reshape(p([2, 6]), [2, -1]),
        "other": lambda: tf.reshape(p([2, 6]), [6, -1]),
        "unknown": lambda: tf.reshape(p([None, 6]), [-1, 6]),
        "unknown_other": lambda: tf.reshape(p([None, 6]), [-1, 3]),
        "own_shape": lambda: (lambda t: tf.reshape(t, tf.shape(t)))(p(None)),
        "chain": lambda: tf.reshape(tf.reshape(p([2, 6]), [3, 4]), [4, 3]),
        "chain_back": lambda: tf.reshape(tf.reshape(p([2, 6]), [3, 4]), [2, 6]),
        "chain_fetched": lambda: (lambda t: (t, tf.reshape(t, [2, 6])))(
            tf.reshape(p([2, 6]), [3, 4])
        ),
        "chain_unknown": lambda: tf.reshape(tf.reshape(p([None, 6]), [-1]), [-1, 6]),
        "empty": lambda: tf.reshape(tf.reshape(p([None, 6])[:0], [0]), [0, 5]),
        "expanded": lambda: tf.squeeze(tf.expand_dims(p(None), 1), [1]),
        "sum_none": lambda: tf.reduce_sum(p(None), []),
        "sum_none_kept": lambda: tf.reduce_sum(p(None), [], keepdims=True),
        "sum_unknown": lambda: tf.reduce_sum(p(None), tf.placeholder_with_default([0], [None])),
        "broadcast_known": lambda: broadcast([2, 6], [1, 6]),
        "broadcast_unknown": lambda: broadcast([None, 6], [None, 6]),
        "broadcast_free": lambda: broadcast(None, None),
        "same_operands": lambda: (lambda t: tf.gradients(t * t + t, t))(p(None)),
        "shared_shape": lambda: (lambda t: tf.gradients(t * tf.ones(tf.shape(t)), t))(p(None)),
    }
    feeds = ({}, {"x": x[:, :6], "y": x}, {"x": x[:0], "y": x[:1]}, {"x": x[:1], "y": x})
    _said(tf, stage, cases, feeds)


def constants_and_copies(tf, stage):
    def folded():
        a = tf.constant([1.0, 2.0])
        return tf.reduce_sum(a * 3.0 + tf.square(a)), tf.shape(a)[0] * 2, tf.rank(a), tf.size(a)

    def fails():
        return tf.gather(tf.constant([1, 2]), 5)

    def by_zero():
        return tf.constant([1]) // tf.constant([0])

    def one(value, dtype=tf.float32):
        x = tf.placeholder_with_default(np.array([2, 3], dtype.as_numpy_dtype), [2], name="x")
        return x * tf.constant(value, dtype), tf.constant(value, dtype) * x

    def shared(kind):
        x = tf.placeholder_with_default([0.5, 1.0], [2])
        return kind(x), kind(x)

    def random_twice():
        a, b = tf.random_uniform([3], seed=1), tf.random_uniform([3], seed=1)
        return tf.reduce_all(tf.equal(a, b)), tf.reduce_any(tf.not_equal(a, tf.random_uniform([3])))

    def assigned_between():
        v = tf.Variable([1.0, 2.0], name="v")
        before = v + 0.0
        with tf.control_dependencies([before]):
            changed = tf.assign(v, [5.0, 6.0])
        with tf.control_dependencies([changed]):
            after = v + 0.0
        return before, after, changed

    def resource_between():
        v = tf.get_variable("r", initializer=[1.0, 2.0], use_resource=True)
        before = v.read_value()
        with tf.control_dependencies([before]):
            changed = v.assign_add([1.0, 1.0])
        with tf.control_dependencies([changed]):
            return before, v.read_value(), tf.shape(v), v * v

    def slices_kept():
        v = tf.get_variable("r", initializer=[[1.0, 2.0], [3.0, 4.0]], use_resource=True)
        row = v[0]
        with tf.control_dependencies([row]):
            changed = tf.scatter_update(v, [0], [[9.0, 9.0]])
        with tf.control_dependencies([changed]):
            return row, tf.identity(v[0]), tf.transpose(v)

    cases = {
        "folded": folded,
        "fails": fails,
        "by_zero": by_zero,
        "one": lambda: one(1.0),
        "one_int": lambda: one(1, tf.int32),
        "one_int8": lambda: one(1, tf.int8),
        "one_vector": lambda: one([1.0, 1.0]),
        "one_matrix": lambda: one([[1.0], [1.0]]),
        "minus_one": lambda: one(-1.0),
        "zero": lambda: one(0.0),
        "complex_one": lambda: one(1.0, tf.complex64),
        "shared": lambda: shared(tf.exp),
        "shared_random": random_twice,
        "assigned_between": assigned_between,
        "resource_between": resource_between,
        "slices_kept": slices_kept,
        "nan_times_zero": lambda: tf.constant(float("nan")) * 0.0,
        "minus_zero_times_one": lambda: 1.0 / (tf.placeholder_with_default(-0.0, []) * 1.0),
        "texts": lambda: tf.string_join([tf.constant("a"), tf.constant("b")]),
        "assert": lambda: tf.Assert(tf.constant(False), ["no"]),
        "unused_failure": lambda: (fails(), tf.constant(1))[1],
        "identity_of_itself": lambda: tf.identity(tf.identity(tf.constant(3))),
        "stop": lambda: tf.stop_gradient(tf.placeholder_with_default(2.0, [])),
        "same_twice": lambda: [tf.constant(1.0)] * 2,
    }
    _said(tf, stage, cases, ({}, {"x": [0.0, float("nan")]}))


def conditions(tf, stage):
    def preds():
        p = tf.placeholder_with_default(True, [], name="p")
        q = tf.placeholder_with_default(False, [], name="q")
        return p, q

    def nested():
        p, q = preds()
        x = tf.constant(1.0)
        inner = lambda: tf.cond(q, lambda: x * 2.0, lambda: x * 3.0)  # noqa: E731
        return tf.cond(p, inner, lambda: tf.cond(q, lambda: x * 5.0, lambda: x * 7.0))

    def same_twice():
        p, q = preds()
        x = tf.constant(1.0)
        a = tf.cond(p, lambda: x + 1.0, lambda: x - 1.0)
        b = tf.cond(p, lambda: a * 10.0, lambda: a * 100.0)
        c = tf.cond(tf.logical_and(p, q), lambda: b + 0.5, lambda: b)
        return a, b, c

    def dead_fetched():
        p, _ = preds()
        inside = []
        tf.cond(
            p, lambda: inside.append(tf.constant(4.0) + 0.0) or inside[0], lambda: tf.constant(0.0)
        )
        return inside[0]

    def merged_by_hand():
        p, q = preds()
        one = tf.raw_ops.Switch(data=tf.constant(1.0), pred=p)
        two = tf.raw_ops.Switch(data=tf.constant(2.0), pred=q)
        return tf.raw_ops.Merge(inputs=[one[1], two[1]])

    def dead_in_loops():
        p, _ = preds()
        off, on = tf.raw_ops.Switch(data=tf.constant(2.0), pred=p)

        def run(step):
            return tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, step(i, s)), [0, 1.0])[1]

        many, none = (lambda _, s, n=n: n * run(lambda i, s: s + on) + s for n in (1.0, 0.0))
        results = [run(lambda _, s: s + on), run(many), run(none)]
        results.append(run(lambda i, s: tf.cond(i < 1, lambda: s + 1.0, lambda: s * on)))
        results.append(tf.while_loop(lambda s: s < on, lambda s: s + 1.5, [1.0]))
        return [tf.raw_ops.Merge(inputs=[result, off * 10.0]) for result in results]

    def effects():
        p, q = preds()
        v = tf.Variable(0.0, name="v")
        one = tf.cond(p, lambda: tf.assign_add(v, 1.0), lambda: tf.assign_add(v, 10.0))
        with tf.control_dependencies([one]):
            two = tf.cond(q, lambda: tf.assign_add(v, 100.0), lambda: tf.identity(v))
        with tf.control_dependencies([two]):
            return v.read_value()

    def gradients():
        p, q = preds()
        x, y = tf.constant(2.0), tf.constant(3.0)
        made = tf.cond(p, lambda: tf.cond(q, lambda: x * y, lambda: x * x * y), lambda: y)
        return made, [tf.convert_to_tensor(g) for g in tf.gradients(made, [x, y])]

    def in_a_loop():
        p, q = preds()
        step = lambda i, s: (i + 1, tf.cond(tf.equal(i % 2, 0), lambda: s + 1.0, lambda: s * 3.0))  # noqa: E731
        return tf.while_loop(lambda i, s: tf.logical_and(p, i < 5), step, [0, 1.0])

    def loop_in_a_branch():
        p, _ = preds()
        loop = lambda: tf.while_loop(lambda i: i < 7, lambda i: i + 3, [tf.constant(0)])  # noqa: E731
        return tf.cond(p, loop, lambda: tf.constant(-1))

    def trigger():
        p, _ = preds()
        one = tf.raw_ops.Switch(data=tf.constant(1.0), pred=p)
        with tf.control_dependencies([tf.identity(one[0])]):
            dead = tf.raw_ops.ControlTrigger()
        with tf.control_dependencies([dead]):
            return tf.constant(3)

    cases = {
        "nested": nested,
        "same_twice": same_twice,
        "dead_fetched": dead_fetched,
        "merged_by_hand": merged_by_hand,
        "dead_in_loops": dead_in_loops,
        "effects": effects,
        "gradients": gradients,
        "in_a_loop": in_a_loop,
        "loop_in_a_branch": loop_in_a_branch,
        "trigger": trigger,
    }
    feeds = [{"p": a, "q": b} for a in (True, False) for b in (True, False)]
    _said(tf, stage, cases, feeds)


def sums_in_loops(tf, stage):
    x = _numbers(4, 3, 5)

    def rnn(steps=4, dtype=tf.float32, extra=None):
        given = tf.placeholder_with_default(x, [None, None, 5], name="x")
        w = tf.constant(_numbers(5, 5, seed=1), dtype)
        b = tf.constant(_numbers(5, seed=2), dtype)
        rows = tf.cast(given, dtype)

        def step(i, h, total):
            h = tf.tanh(tf.matmul(h, w) + b + rows[i])
            return i + 1, h, total + (tf.reduce_sum(h) if extra else 0.0)

        start = tf.zeros_like(rows[0])
        limit = tf.minimum(steps, tf.shape(rows)[0])
        _, h, total = tf.while_loop(
            lambda i, h, t: i < limit, step, [0, start, tf.zeros([], dtype)]
        )
        loss = tf.reduce_sum(h * h) + total
        return [loss, *tf.gradients(loss, [w, b])]

    def by_hand(fetched=False, start=0.0, scale=1.0):
        a = tf.placeholder_with_default(x, [None, 3, 5], name="x")
        limit = tf.shape(a)[0]

        def step(i, s, t):
            grown = s + tf.matmul(a[i], a[i] * scale, transpose_a=True)
            return i + 1, grown, t + tf.reduce_sum(grown) if fetched else t

        first = tf.fill([5, 5], start)
        return tf.while_loop(lambda i, s, t: i < limit, step, [0, first, 0.0])

    cases = {
        "rnn": rnn,
        "rnn_one": lambda: rnn(1),
        "rnn_none": lambda: rnn(0),
        "rnn_double": lambda: rnn(dtype=tf.float64),
        "rnn_total": lambda: rnn(extra=True),
        "by_hand": by_hand,
        "by_hand_read": lambda: by_hand(True),
        "by_hand_start": lambda: by_hand(start=2.5),
        "by_hand_scale": lambda: by_hand(scale=0.5),
    }
    _said(tf, stage, cases, ({}, {"x": x[:1]}, {"x": x[:0]}))
