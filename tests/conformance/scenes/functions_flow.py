"""Loops, branches, maps and parallel loops: options, boundaries, gradients, errors, in graphs and in functions."""


def loops(tf, stage):
    def loop(cond, body, values, **options):
        return tf.while_loop(cond, body, values, **options)

    def count(n, **options):
        return loop(lambda i, s: i < n, lambda i, s: (i + 1, s * 2.0), [0, 1.0], **options)

    x = {"three": 3}
    cases = {
        "most": lambda: count(10, maximum_iterations=4),
        "most_vector": lambda: count(10, maximum_iterations=[1]),
        "body_not_callable": lambda: loop(lambda i: i < 3, 3, [0]),
        "iterations_float": lambda: count(3, parallel_iterations=2.0),
        "grows": lambda: loop(
            lambda v: tf.size(v) < 5, lambda v: tf.concat([v, v], 0), [tf.ones([1])]
        ),
        "grows_said": lambda: loop(
            lambda v: tf.size(v) < 5,
            lambda v: tf.concat([v, v], 0),
            [tf.ones([1])],
            shape_invariants=[tf.TensorShape([None])],
        ),
        "invariant_too_narrow": lambda: loop(
            lambda v: tf.size(v) < 5,
            lambda v: v,
            [tf.ones([1])],
            shape_invariants=[tf.TensorShape([2])],
        ),
        "invariants_short": lambda: loop(
            lambda i, s: i < 5, lambda i, s: (i, s), [0, 1], shape_invariants=[tf.TensorShape([])]
        ),
        "dtype_changes": lambda: loop(lambda i: i < 3, lambda i: tf.cast(i, tf.int64) + 1, [0]),
        "pred_vector": lambda: loop(lambda i: [True, False], lambda i: i + 1, [0]),
        "arrays": lambda: loop(
            lambda i, a: i < 3,
            lambda i, a: (i + 1, a.write(i, tf.cast(i, tf.float32))),
            [0, tf.TensorArray(tf.float32, 3)],
        )[1].stack(),
        "sparse": lambda: (
            loop(
                lambda i, s: i < 2,
                lambda i, s: (i + 1, tf.SparseTensor(s.indices, s.values * 2, s.dense_shape)),
                [0, tf.sparse.eye(2)],
            )[1].values
        ),
        "gradient": lambda: _gradient_of(
            tf, lambda y: loop(lambda i, s: i < x["three"], lambda i, s: (i + 1, s * y), [0, y])[1]
        ),
        "gradient_swapped": lambda: _gradient_of(
            tf,
            lambda y: loop(
                lambda i, s: i < 3, lambda i, s: (i + 1, s * y), [0, y], swap_memory=True
            )[1],
        ),
        "gradient_stopped": lambda: _gradient_of(
            tf,
            lambda y: loop(
                lambda i, s: i < 3, lambda i, s: (i + 1, s * y), [0, y], back_prop=False
            )[1],
        ),
    }
    stage.each(cases)
    # Of the others one does not end in TensorFlow; predicates are refused when they run.
    cases = {n: c for n, c in cases.items() if not n.startswith(("inv", "pred", "most_v"))}
    stage.each({f"v2 {name}": _as_function(tf, case) for name, case in cases.items()}, graph=False)


def _gradient_of(tf, function):
    x = tf.constant(2.0, name="x")
    return tf.gradients(function(x), x)


def _as_function(tf, case):
    return lambda: tf.function(case, autograph=False)()


# What `tf.cond` of a function answers with errors of its own code, or does not look at.
_OTHER = {"integer", "tensor_for_function", "false_no_function", "counts", "none", "none_and_value"}
_OTHER |= {"old_names", "both_names", "no_true", "variables", "constant_value"}


def branches(tf, stage):
    t, f = lambda: tf.constant(1.0), lambda: tf.constant(2.0)

    def pair():
        return tf.constant(1.0), [tf.constant(2)]

    def pred(value=True):
        return tf.placeholder_with_default(value, [])

    def ratio(y):
        return tf.cond(y > 0, lambda: 1.0 / y, lambda: y * 0.0)

    cases = {
        "python": lambda: tf.cond(True, t, f),
        "vector": lambda: tf.cond(tf.placeholder_with_default([True, False], [2]), t, f),
        "integer": lambda: tf.cond(pred(1), t, f),
        "unknown_rank": lambda: tf.cond(tf.placeholder_with_default(True, None), t, f),
        "false_no_function": lambda: tf.cond(pred(), t, 2.0),
        "dtypes": lambda: tf.cond(pred(), t, lambda: tf.constant(1)),
        "structures": lambda: tf.cond(pred(), pair, lambda: [tf.constant(1.0), (tf.constant(2),)]),
        "strict": lambda: tf.cond(pred(), lambda: [t()], lambda: [f()], strict=True),
        "not_strict": lambda: tf.cond(pred(), lambda: [t()], lambda: [f()]),
        "operation_and_value": lambda: tf.cond(pred(), lambda: tf.no_op(), f),
        "ranks": lambda: tf.cond(pred(), lambda: tf.ones([2]), lambda: tf.ones([2, 4])),
        "gradient": lambda: _gradient_of(tf, ratio),
        "gradient_again": lambda: _gradient_of(
            tf, lambda y: _gradient_of(tf, lambda z: ratio(z) * y)[0]
        ),
        "slices": lambda: (
            tf.cond(pred(), lambda: _slices(tf, tf.int32), lambda: _slices(tf, tf.int64)).indices
        ),
        "old_names": lambda: tf.cond(pred(), fn1=t, fn2=f),
        "both_names": lambda: tf.cond(pred(), t, f, fn1=t),
        "no_true": lambda: tf.cond(pred(), false_fn=f),
        "case": lambda: tf.case([(pred(False), t), (pred(), f)], default=lambda: tf.constant(3.0)),
        "case_default": lambda: tf.case({pred(False): t}, default=lambda: tf.constant(3.0)),
        "case_none": lambda: tf.case([(pred(False), t)]),
        "case_both": lambda: tf.case([(pred(), t), (pred(), f)], exclusive=True),
        "case_not_pairs": lambda: tf.case([pred(), t]),
        "case_not_bool": lambda: tf.case([(1.0, t)]),
        "case_empty": lambda: tf.case([], default=f),
        "case_not_callable": lambda: tf.case([(pred(), 3.0)]),
        "switch": lambda: tf.switch_case(tf.placeholder_with_default(1, []), [t, f]),
        "switch_default": lambda: tf.switch_case(
            tf.placeholder_with_default(7, []), {0: t, 1: t}, default=lambda: tf.constant(9.0)
        ),
        "switch_holes": lambda: tf.switch_case(tf.constant(0), {0: t, 2: f}),
        "switch_empty": lambda: tf.switch_case(tf.constant(0), []),
        "switch_python": lambda: tf.switch_case(1, [t, f]),
        "switch_int64": lambda: tf.switch_case(tf.constant(1, tf.int64), [t, f]),
        "switch_gradient": lambda: _gradient_of(
            tf,
            lambda y: tf.switch_case(
                tf.placeholder_with_default(1, []),
                [lambda: y, lambda: y * y, lambda: y * 0.0 + 1.0],
            ),
        ),
        "switch_dtypes": lambda: tf.switch_case(tf.constant(0), [t, lambda: tf.constant(1)]),
        "smart": lambda: tf.contrib.framework.smart_cond(tf.constant(True), t, f),
    }
    stage.each(cases)
    functional = {n: c for n, c in cases.items() if n not in _OTHER and n[:3] not in ("swi", "sma")}
    stage.each({f"v2 {name}": _as_function(tf, c) for name, c in functional.items()}, graph=False)


def _slices(tf, dtype):
    return tf.IndexedSlices(tf.ones([1, 2]), tf.constant([1], dtype), tf.constant([3, 2], dtype))


def maps(tf, stage):
    x = [1.0, 2.0, 3.0]

    def two(e):
        return e * 2.0, e + 1.0

    cases = {
        "map": lambda: tf.map_fn(lambda e: e * e, x),
        "dtype": lambda: tf.map_fn(lambda e: tf.cast(e, tf.int32), tf.constant(x), dtype=tf.int32),
        "two_unsaid": lambda: tf.map_fn(two, tf.constant(x)),
        "of_two_lengths": lambda: tf.map_fn(
            lambda e: e[0] - e[1], (tf.constant(x), tf.ones([2])), tf.float32
        ),
        "shapes_differ": lambda: tf.map_fn(
            lambda e: tf.fill([tf.cast(e, tf.int32)], e), tf.constant(x), infer_shape=False
        ),
        "shapes_same": lambda: tf.map_fn(
            lambda e: tf.fill([tf.constant(2)], e), tf.constant(x), infer_shape=False, name="mine"
        ),
        "empty": lambda: tf.map_fn(lambda e: e * 2.0, tf.zeros([0, 2])),
        "unknown": lambda: tf.map_fn(lambda e: e, tf.placeholder_with_default(x, None)),
        "gradient": lambda: _gradient_of(tf, lambda y: tf.map_fn(lambda e: e * y, tf.constant(x))),
        "foldl_empty": lambda: tf.foldl(lambda a, e: a - e, tf.zeros([0]), initializer=10.0),
        "scan": lambda: tf.scan(lambda a, e: a + e, tf.constant(x)),
        "scan_shape": lambda: tf.scan(
            lambda a, e: tf.concat([a, [e]], 0), tf.constant(x), tf.zeros([0]), infer_shape=False
        ),
        "scan_empty": lambda: tf.scan(lambda a, e: a + e, tf.zeros([0])),
        "scan_gradient": lambda: _gradient_of(
            tf, lambda y: tf.scan(lambda a, e: a * e * y, tf.constant(x), 1.0)
        ),
    }
    stage.each(cases)


def parallel(tf, stage):
    from_ops = tf.compat.v1
    x = tf.constant

    def each(function, count=3, **options):
        return tf.vectorized_map(function, count, **options)

    rows = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    cases = {
        "square": lambda: each(lambda e: e * e, x(rows)),
        "outer": lambda: each(lambda e: tf.tensordot(e, x([1.0, 2.0]), 1), x(rows)),
        "matmul": lambda: each(lambda e: tf.matmul(e, e, transpose_b=True), tf.ones([3, 2, 4])),
        "reduced": lambda: each(lambda e: (tf.reduce_sum(e), tf.reduce_max(e, 0)), x(rows)),
        "gathered_by": lambda: each(lambda e: tf.gather(e, [1, 0]), x(rows)),
        "stacked": lambda: each(lambda e: tf.stack([e, e * 2.0], 1), x(rows)),
        "split": lambda: each(lambda e: tf.split(e, 2), x(rows)),
        "sliced": lambda: each(lambda e: e[1:], x(rows)),
        "padded": lambda: each(lambda e: tf.pad(e, [[1, 0]]), x(rows)),
        "one_hot": lambda: each(lambda e: tf.one_hot(e, 3), x([2, 0])),
        "softmax": lambda: each(tf.nn.softmax, x(rows)),
        "losses": lambda: each(
            lambda e: tf.nn.softmax_cross_entropy_with_logits_v2(labels=[0.5, 0.5], logits=e),
            x(rows),
        ),
        "conv": lambda: each(
            lambda e: tf.nn.conv2d(e, tf.ones([2, 2, 1, 1]), 1, "VALID"), tf.ones([2, 1, 3, 3, 1])
        ),
        "random": lambda: [
            y.shape for y in [each(lambda e: tf.random.uniform([2], seed=1), x(rows))]
        ],
        "cond_inside": lambda: each(lambda e: tf.cond(e[0] > 2.0, lambda: e, lambda: -e), x(rows)),
        "unique": lambda: each(lambda e: tf.unique(e)[0], x(rows)),
        "none": lambda: each(lambda e: None, x(rows)),
        "lengths": lambda: each(lambda e: e[0] + e[1], (x([1.0]), x([1.0, 2.0]))),
        "empty": lambda: each(lambda e: e, tf.zeros([0, 2])),
        "asserted": lambda: each(lambda e: _checked(tf, e), x(rows)),
        "jacobian": lambda: _jacobian(tf, True),
        "unknown_rows": lambda: each(
            lambda e: e + 1.0, from_ops.placeholder_with_default(rows, [None, 2])
        ),
    }
    stage.each(cases, graph=False)


def _checked(tf, e):
    with tf.control_dependencies([tf.debugging.assert_less(e, 100.0)]):
        return tf.identity(e)


def _jacobian(tf, pfor, method="jacobian"):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * tf.constant([1.0, 3.0])
    return getattr(tape, method)(y, x, experimental_use_pfor=pfor)


def mixed(tf, stage):
    """Control dependencies, names, devices and variables in branches and loops."""
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    with tf.control_dependencies([v.assign_add(1.0)]):
        y = tf.cond(tf.constant(True) & (v > 0.0), lambda: v + 0.0, lambda: v * 0.0, name="cond")
    with tf.name_scope("outer"), tf.device("/cpu:0"):
        z = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + y), [0, y], name="loop")
        with tf.variable_scope("made"):
            made = tf.while_loop(
                lambda i: i < 2.0,
                lambda i: i + tf.get_variable("w", initializer=lambda: tf.constant(1.0)),
                [0.0],
            )
    stage.attempt(lambda: tf.while_loop(lambda i: i < 2, lambda i: i + y, [0]))
    gradients = tf.gradients(z[1], [v, y])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        stage.say(session.run([y, z, made, gradients]), session.run(v))
        stage.say(session.run(z[1], {y: 10.0}), session.run(z[1], {z[0]: 5}))
        with stage.failing():
            stage.say(session.run(tf.gradients(z[1], made)))
    stage.graph()
