"""Programs with variable reads and writes, nested loops, optimizer updates, rows, cells and elementwise groups."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import numpy as np

from tests.conformance.scenes.compiler_results import _numbers, _said


def references(tf, stage):
    """Reference variables, whose values are read at use, after intervening writes."""

    def v(value=(1.0, 2.0)):
        return tf.Variable(list(value), name="v")

    def after(first, then):
        with tf.control_dependencies([first]):
            return then()

    def read_and_written():
        w = v()
        early = w * 1.0
        changed = after(early, lambda: tf.assign_add(w, [10.0, 10.0]))
        return (
            early,
            changed,
            after(changed, lambda: w + 0.0),
            after(changed, lambda: w.read_value()),
        )

    def passed_on():
        w = v()
        view, same = tf.reshape(w, [2, 1]), tf.identity(w)
        doubled = view * 2.0
        changed = after([doubled, same], lambda: tf.assign(w, [7.0, 8.0]))
        return doubled, after(changed, lambda: view * 3.0), after(changed, lambda: w[::-1])

    def of_another_size():
        w = tf.Variable([1.0, 2.0], name="v", validate_shape=False)
        first = tf.size(w)
        changed = after(first, lambda: tf.assign(w, [1.0, 2.0, 3.0], validate_shape=False))
        return (
            first,
            changed,
            after(changed, lambda: tf.size(w)),
            after(changed, lambda: tf.identity(w)),
        )

    def in_a_branch():
        w = v()
        p = tf.placeholder_with_default(True, [], name="p")
        made = tf.cond(p, lambda: tf.identity(w), lambda: tf.assign(w, w * 5.0))
        early = made * 1.0
        changed = after(early, lambda: tf.assign_sub(w, [1.0, 1.0]))
        return early, changed

    def in_a_loop():
        w = v()

        def step(i, s):
            with tf.control_dependencies([tf.assign_add(w, [1.0, 0.5])]):
                return i + 1, s + w.read_value()

        i, s = tf.while_loop(lambda i, s: i < 3, step, [0, tf.zeros([2])], parallel_iterations=1)
        return i, s, after(s, lambda: w.read_value())

    def scattered():
        w = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], name="v")
        one = tf.scatter_add(w, [0, 0, 2], [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
        two = after(one, lambda: tf.scatter_update(w, [1], [[0.0, 0.0]]))
        three = after(two, lambda: tf.scatter_nd_sub(w, [[0, 1]], [100.0]))
        return after(three, lambda: [tf.gather(w, [1, 0]), tf.reduce_sum(w)])

    def two_updates():
        w = v()
        one = tf.assign_add(w, [1.0, 1.0])
        two = after(one, lambda: tf.assign(w, w * 10.0))
        three = after(two, lambda: tf.assign_sub(w, [5.0, 5.0], use_locking=True))
        return three, after(three, lambda: w + w)

    def own_value():
        w = v()
        changed = tf.assign(w, w + w)
        again = after(changed, lambda: tf.assign(w, tf.concat([w[1:], w[:1]], 0)))
        return after(again, lambda: w * 1.0)

    def fetched_and_changed():
        w = v()
        return w, after(tf.identity(w) * 1.0, lambda: tf.assign_add(w, [1.0, 1.0]).op)

    def temporary():
        made = tf.raw_ops.TemporaryVariable(shape=[2], dtype=tf.float32, var_name="t")
        filled = tf.assign(made, [1.0, 2.0])
        more = tf.assign_add(filled, [3.0, 4.0])
        return tf.raw_ops.DestroyTemporaryVariable(ref=more, var_name="t")

    cases = {
        "read_and_written": read_and_written,
        "passed_on": passed_on,
        "of_another_size": of_another_size,
        "in_a_branch": in_a_branch,
        "in_a_loop": in_a_loop,
        "scattered": scattered,
        "two_updates": two_updates,
        "own_value": own_value,
        "fetched_and_changed": fetched_and_changed,
        "temporary": temporary,
    }
    _said(tf, stage, cases, ({}, {}, {"p": False}))


def loops(tf, stage):
    x = _numbers(3, 4)

    def given():
        return tf.placeholder_with_default(x, [None, 4], name="x")

    def run(body, first, most=4, **options):
        test = lambda i, *s: i < most  # noqa: E731
        return tf.while_loop(test, lambda i, *s: (i + 1, *body(i, *s)), [0, *first], **options)[1:]

    def with_gradient(body, first, **options):
        made = run(body, first, **options)
        loss = tf.add_n([tf.reduce_sum(m * m) for m in made if m.dtype.is_floating])
        return [*made, *tf.gradients(loss, [f for f in first if f.dtype.is_floating])]

    def growing(i, s):
        return [tf.concat([s, s[:1] * 0.5], 0)]

    def nested(i, s):
        inner = run(lambda j, t: [t * 0.5 + tf.to_float(j)], [s], most=2)
        return [inner[0] + s]

    def of_outer(i, s):
        factor = tf.to_float(i) + 1.0
        return [run(lambda j, t: [t + factor * 0.1], [s], most=3)[0]]

    def stacked():
        array = tf.TensorArray(tf.float32, 4)
        made = run(lambda i, a, s: [a.write(i, s), s * 2.0], [array, given()])
        whole = made[0].stack()
        g = tf.get_default_graph().get_tensor_by_name("x:0")
        return whole, tf.gradients(whole, g)

    def read_from():
        rows = tf.TensorArray(tf.float32, 0, dynamic_size=True).unstack(given())
        made = tf.while_loop(
            lambda i, s: i < rows.size(),
            lambda i, s: (i + 1, s * 0.5 + rows.read(i)),
            [0, tf.zeros([4])],
        )
        g = tf.get_default_graph().get_tensor_by_name("x:0")
        return made, tf.gradients(made[1], g)

    def swapped(i, s, t):
        return [t, s]

    def unchanged(i, s, t):
        return [s, t + s]

    def by_branch(i, s):
        return [tf.cond(tf.equal(i, 1), lambda: s * 3.0, lambda: s - 1.0)]

    def looked_up():
        table = tf.constant(_numbers(5, 4, seed=1))
        ids = tf.placeholder_with_default([0, 3, 3, 1], [4], name="ids")
        made = run(lambda i, s: [s + tf.gather(table, ids[i])], [tf.zeros([4])])
        return made, tf.convert_to_tensor(tf.gradients(made[0] * made[0], table)[0])

    def never():
        made = run(lambda i, s: [s + 1.0], [given()], most=0)
        return made, tf.gradients(made[0], tf.get_default_graph().get_tensor_by_name("x:0"))

    def two_together():
        one = run(lambda i, s: [s * 2.0], [given()])[0]
        two = run(lambda i, s: [s + one], [tf.zeros_like(one)])[0]
        return one, two, tf.gradients(two, one)

    def waits():
        with tf.control_dependencies([tf.identity(given())]):
            made = run(lambda i, s: [s + 1.0], [tf.constant(0.0)])[0]
        with tf.control_dependencies([made]):
            return tf.gradients(made * made, made), made

    def fails():
        return run(lambda i, s: [tf.gather(s, [i, 0, 1])], [tf.constant([1.0, 2.0, 3.0])], most=9)

    cases = {
        "plain": lambda: with_gradient(lambda i, s: [s * 2.0 + tf.to_float(i)], [given()]),
        "serial": lambda: with_gradient(
            lambda i, s: [tf.tanh(s)], [given()], parallel_iterations=1
        ),
        "swap_memory": lambda: with_gradient(lambda i, s: [tf.sin(s)], [given()], swap_memory=True),
        "growing": lambda: with_gradient(
            growing, [given()], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, 4])]
        ),
        "nested": lambda: with_gradient(nested, [given()]),
        "of_outer": lambda: with_gradient(of_outer, [given()]),
        "stacked": stacked,
        "read_from": read_from,
        "swapped": lambda: with_gradient(swapped, [given(), given() * 2.0]),
        "unchanged": lambda: with_gradient(unchanged, [tf.constant(x), tf.constant(x) * 2.0]),
        "by_branch": lambda: with_gradient(by_branch, [given()]),
        "looked_up": looked_up,
        "never": never,
        "two_together": two_together,
        "waits": waits,
        "fails": fails,
        "broadcast": lambda: with_gradient(lambda i, s, b: [s * b, b], [given(), tf.ones([1, 4])]),
        "broadcast_column": lambda: with_gradient(
            lambda i, s: [s * tf.reduce_max(s, 1, keepdims=True)], [given()]
        ),
        "double": lambda: with_gradient(lambda i, s: [s / 3.0], [tf.cast(given(), tf.float64)]),
        "long": lambda: run(lambda i, s: [s * 3 + 1], [tf.constant(2**40, tf.int64)]),
        "texts": lambda: run(lambda i, s: [tf.string_join([s, "b"])], [tf.constant("a")]),
        "bools": lambda: run(
            lambda i, s: [tf.logical_not(s)], [tf.constant([True, False])], most=3
        ),
        "no_back": lambda: run(lambda i, s: [s + 1.0], [given()], back_prop=False),
    }
    _said(tf, stage, cases, ({}, {"x": x[:1]}, {"x": x[:0]}))


def updates(tf, stage):
    train = tf.train
    kinds = {
        "sgd": lambda: train.GradientDescentOptimizer(0.1),
        "momentum": lambda: train.MomentumOptimizer(0.1, 0.9),
        "nesterov": lambda: train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
        "adam": lambda: train.AdamOptimizer(0.1, 0.8, 0.9, 0.01),
        "adagrad": lambda: train.AdagradOptimizer(0.1),
        "adadelta": lambda: train.AdadeltaOptimizer(1.0, 0.9, 0.1),
        "rmsprop": lambda: train.RMSPropOptimizer(0.1, 0.8, 0.5, 0.01),
        "centered": lambda: train.RMSPropOptimizer(0.1, 0.8, 0.5, 0.01, centered=True),
        "ftrl": lambda: train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
        "proximal": lambda: train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02),
        "locking": lambda: train.AdamOptimizer(0.1, use_locking=True),
    }
    for resource in (False, True):

        def trained(optimizer, dtype=tf.float32, sparse=False):
            get = lambda name, value: tf.get_variable(  # noqa: E731
                name, initializer=tf.constant(value, dtype), use_resource=resource
            )
            a, b = get("a", _numbers(3, 2).tolist()), get("b", [1.0, -1.0, 2.0])
            c, d = get("c", 0.5), get("d", _numbers(2, 2, seed=4).tolist())
            loss = (
                tf.reduce_sum(a * a) * c + tf.reduce_sum(b * b * b) + tf.reduce_sum(tf.exp(d)) * c
            )
            if sparse:
                loss += tf.reduce_sum(tf.gather(a, [0, 2, 0]) ** 2)
            step = optimizer.minimize(loss)
            with tf.control_dependencies([step]):
                kept = (a, b, c, d, *optimizer.variables())
                return [tf.cast(v.read_value(), tf.float32) for v in kept]

        cases = {
            name + " " + how: lambda kind=kind, options=options: trained(kind(), **options)
            for name, kind in kinds.items()
            for how, options in (
                ("float", {}),
                ("double", {"dtype": tf.float64}),
                ("rows", {"sparse": True}),
            )
        }
        stage.say("resource", resource)
        few = ("float", "rows") if resource else ("rows",)
        keep = {k: c for k, c in cases.items() if k.endswith(few) or k.startswith("m")}
        _said(tf, stage, keep, ({}, {}))


def elementwise(tf, stage):
    x = np.float32([[-2.5, -1.0, -0.25, 0.0], [0.5, 1.0, 3.0, 1e4]])
    odd = np.float32([[np.nan, 1e30, -1e30, 1e-20], [1e20, -1e20, 88.0, -88.0]])

    def p(dtype=tf.float32):
        graph = tf.get_default_graph()
        if "x" not in [op.name for op in graph.get_operations()]:
            tf.placeholder_with_default(x, [None, 4], name="x")
        return tf.cast(graph.get_tensor_by_name("x:0"), dtype)

    def several():
        t = p()
        a = tf.exp(-tf.abs(t)) + 1.0
        return tf.log(a) * tf.sign(t), a

    def broadcasts():
        t = p()
        return (t * [1.0, 2.0, 3.0, 4.0] + t[:, :1]) * 0.5 - tf.constant([[1.0]])

    def selects():
        t = p()
        return tf.where(t > 0.0, tf.sqrt(tf.maximum(t, 0.0)), t * t - 1.0)

    def bools():
        t = p()
        return tf.logical_and(t > -1.0, tf.logical_or(t < 0.5, tf.equal(t, 3.0))), tf.logical_not(
            t >= 0
        )

    def ints():
        t = tf.placeholder_with_default(np.int32([7, -7, 2**31 - 1, -(2**31)]), [None], name="i")
        return t + 1, t * t, t // 2, t % 3, -t, abs(t), tf.bitwise.bitwise_xor(t, 5), tf.sign(t)

    def bytes_():
        t = tf.placeholder_with_default(np.uint8([0, 1, 200, 255]), [None], name="u")
        return t + t, t * 3, t - 1, tf.cast(t, tf.int8), tf.cast(t, tf.float32) / 255.0

    def one_reader():
        t = p()
        a = tf.tanh(t * 0.5)
        b = a + 1.0
        return b * b, tf.reduce_sum(b, 1), b[0]

    def gradients():
        t = p()
        made = (
            tf.nn.softplus(t) + tf.sigmoid(t) * tf.nn.elu(t) - tf.nn.selu(t) + tf.nn.leaky_relu(t)
        )
        return tf.gradients(made, tf.get_default_graph().get_tensor_by_name("x:0"))

    def normalized():
        variance = tf.nn.moments(p(), [1], keep_dims=True)[1]
        return (p() - tf.reduce_mean(p(), 1, True)) * tf.rsqrt(variance + 1.0)

    unary = (
        *(
            "abs",
            "acos",
            "asin",
            "asinh",
            "atan",
            "ceil",
            "cos",
            "cosh",
            "digamma",
            "erf",
            "erfc",
            "exp",
        ),
        *(
            "expm1",
            "floor",
            "is_finite",
            "is_inf",
            "is_nan",
            "lgamma",
            "log",
            "log1p",
            "log_sigmoid",
        ),
        *(
            "negative",
            "reciprocal",
            "rint",
            "round",
            "rsqrt",
            "sigmoid",
            "sign",
            "sin",
            "sinh",
            "sqrt",
        ),
        *("square", "tan", "tanh"),
    )
    cases = {
        "several": several,
        "broadcasts": broadcasts,
        "selects": selects,
        "bools": bools,
        "one_reader": one_reader,
        "gradients": gradients,
        "double": lambda: tf.exp(p(tf.float64)) / 3.0 + tf.log1p(tf.abs(p(tf.float64))),
        "half": lambda: tf.cast(tf.tanh(p(tf.float16)) * 3.0 + 0.1, tf.float32),
        "complex": lambda: tf.abs(tf.exp(tf.complex(p() * 0.1, p() * 0.2)) * 2.0),
        "to_int": lambda: tf.cast(p() * 1.7, tf.int32),
        "to_int_half": lambda: tf.cast(p() + 0.5, tf.int64),
        "clip": lambda: tf.clip_by_value(p() * 2.0, -1.5, 2.5) + 1.0,
        "minimum": lambda: tf.minimum(tf.maximum(p(), [0.0, 1.0, -1.0, 2.0]), p() * 2.0),
        "powers": lambda: (p() ** 2.0, p() ** 3.0, p() ** 0.5, p() ** -1.0, p() ** 0.0, 2.0 ** p()),
        "divisions": lambda: (
            p() / 3.0,
            3.0 / p(),
            p() // 0.7,
            p() % 0.7,
            tf.math.divide_no_nan(p(), p()),
        ),
        "rows": lambda: (
            tf.nn.softmax(p() * 0.01),
            tf.nn.log_softmax(p() * 0.01),
            tf.reduce_mean(p(), 1),
        ),
        "normalized": normalized,
        "comparisons": lambda: (p() < 0.0, p() <= 0.0, tf.equal(p(), 0.0), tf.not_equal(p(), p())),
        "squared": lambda: tf.squared_difference(p(), 1.0) + tf.square(p() - 1.0),
        **{name: lambda name=name: getattr(tf.math, name)(p()) for name in unary},
    }
    _said(tf, stage, cases, ({}, {"x": odd}, {"x": x[:0]}, {"x": x[1:]}))
    _said(
        tf, stage, {"ints": ints, "bytes": bytes_}, ({}, {"i": np.int32([0])}, {"u": np.uint8([])})
    )


def cells(tf, stage):
    rows = _numbers(2, 3, 4)
    lengths = [3, 1]
    of = tf.nn.rnn_cell
    kinds = {
        "rnn": lambda: of.BasicRNNCell(5),
        "gru": lambda: of.GRUCell(5),
        "lstm": lambda: of.BasicLSTMCell(5),
        "lstm_peephole": lambda: of.LSTMCell(5, use_peepholes=True, cell_clip=0.4, num_proj=3),
        "layers": lambda: of.MultiRNNCell([of.BasicLSTMCell(5), of.GRUCell(3)]),
        "residual": lambda: of.ResidualWrapper(of.GRUCell(4)),
        "relu": lambda: of.BasicRNNCell(5, activation=tf.nn.relu),
    }

    def unrolled(cell, dynamic, length=None, weighted=True):
        x = tf.placeholder_with_default(rows, [2, 3, 4], name="x")
        tf.get_variable_scope().set_initializer(tf.constant_initializer(0.1))
        if dynamic:
            made, state = tf.nn.dynamic_rnn(cell, x, length, dtype=tf.float32)
        else:
            made, state = tf.nn.static_rnn(
                cell, tf.unstack(x, axis=1), dtype=tf.float32, sequence_length=length
            )
            made = tf.stack(made, 1)
        loss = tf.reduce_sum(made * made)
        grads = tf.gradients(loss, [x, *tf.trainable_variables()])
        return [made, tf.nest.flatten(state), grads]

    cases = {
        f"{name} {dynamic} {length}": lambda kind=kind, dynamic=dynamic, length=length: unrolled(
            kind(), dynamic, length
        )
        for name, kind in kinds.items()
        for dynamic, length in ((True, None), (True, lengths), (False, None))
        if (dynamic and length is None) or name in ("gru", "lstm")
    }
    _said(tf, stage, cases, ({},))
