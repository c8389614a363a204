"""Loops, branches, maps and parallel loops: options, boundaries, gradients, errors, in graphs and in functions."""


def loops(tf, stage):
    def loop(cond, body, values, **options):
        return tf.while_loop(cond, body, values, **options)

    def count(n, **options):
        return loop(lambda i, s: i < n, lambda i, s: (i + 1, s * 2.0), [0, 1.0], **options)

    x = {"three": 3}
    cases = {
        "none": lambda: count(0),
        "three": lambda: count(3, parallel_iterations=1, back_prop=False, name="mine"),
        "most": lambda: count(10, maximum_iterations=4),
        "most_zero": lambda: count(10, maximum_iterations=0),
        "most_tensor": lambda: count(10, maximum_iterations=tf.constant(2)),
        "most_negative": lambda: count(10, maximum_iterations=-1),
        "most_vector": lambda: count(10, maximum_iterations=[1]),
        "one_value": lambda: loop(lambda i: i < 3, lambda i: i + 1, [0]),
        "one_value_structure": lambda: loop(
            lambda i: i < 3, lambda i: i + 1, [0], return_same_structure=True
        ),
        "list_returned": lambda: loop(lambda i: i < 3, lambda i: [i + 1], [0]),
        "nest": lambda: loop(
            lambda d, t: d["i"] < 2,
            lambda d, t: ({"i": d["i"] + 1}, (t[0] * 2, t[0])),
            [{"i": 0}, (1, 2)],
        ),
        "other_structure": lambda: loop(lambda i, s: i < 2, lambda i, s: (i + 1,), [0, 1]),
        "no_values": lambda: loop(lambda: True, lambda: None, []),
        "not_callable": lambda: loop(3, lambda i: i, [0]),
        "body_not_callable": lambda: loop(lambda i: i < 3, 3, [0]),
        "iterations_0": lambda: count(3, parallel_iterations=0),
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
        "pred_not_bool": lambda: loop(lambda i: i, lambda i: i + 1, [0]),
        "pred_vector": lambda: loop(lambda i: [True, False], lambda i: i + 1, [0]),
        "pred_python": lambda: loop(lambda i: False, lambda i: i + 1, [0]),
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
        "gradient_of_none": lambda: _gradient_of(
            tf, lambda y: loop(lambda i, s: i < 0, lambda i, s: (i + 1, s * y), [0, y])[1]
        ),
        "gradient_again": lambda: _gradient_of(
            tf,
            lambda y: _gradient_of(
                tf, lambda z: loop(lambda i, s: i < 3, lambda i, s: (i + 1, s * z), [0, y])[1]
            )[0],
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
        "true": lambda: tf.cond(pred(), t, f),
        "false": lambda: tf.cond(pred(False), t, f, name="mine"),
        "python": lambda: tf.cond(True, t, f),
        "constant": lambda: tf.cond(tf.constant(False), t, f),
        "vector": lambda: tf.cond(tf.placeholder_with_default([True, False], [2]), t, f),
        "integer": lambda: tf.cond(pred(1), t, f),
        "unknown_rank": lambda: tf.cond(tf.placeholder_with_default(True, None), t, f),
        "tensor_for_function": lambda: tf.cond(pred(), tf.constant(1.0), f),
        "false_no_function": lambda: tf.cond(pred(), t, 2.0),
        "dtypes": lambda: tf.cond(pred(), t, lambda: tf.constant(1)),
        "counts": lambda: tf.cond(pred(), lambda: (t(), t()), f),
        "structures": lambda: tf.cond(pred(), pair, lambda: [tf.constant(1.0), (tf.constant(2),)]),
        "nested": lambda: tf.cond(pred(), pair, pair),
        "strict": lambda: tf.cond(pred(), lambda: [t()], lambda: [f()], strict=True),
        "not_strict": lambda: tf.cond(pred(), lambda: [t()], lambda: [f()]),
        "none": lambda: str(tf.cond(pred(), lambda: None, lambda: None)),
        "none_and_value": lambda: tf.cond(pred(), lambda: None, f),
        "operations": lambda: tf.cond(pred(), lambda: tf.no_op(), lambda: tf.no_op()),
        "operation_and_value": lambda: tf.cond(pred(), lambda: tf.no_op(), f),
        "shapes": lambda: tf.cond(pred(), lambda: tf.ones([2, 3]), lambda: tf.ones([2, 4])),
        "ranks": lambda: tf.cond(pred(), lambda: tf.ones([2]), lambda: tf.ones([2, 4])),
        "outside": lambda: _shared(tf, pred()),
        "variables": lambda: _assigned(tf, pred()),
        "gradient": lambda: _gradient_of(tf, ratio),
        "gradient_other": lambda: _gradient_of(tf, lambda y: ratio(-y)),
        "gradient_again": lambda: _gradient_of(
            tf, lambda y: _gradient_of(tf, lambda z: ratio(z) * y)[0]
        ),
        "gradient_one_branch": lambda: _gradient_of(
            tf, lambda y: tf.cond(pred(), lambda: y * y, f)
        ),
        "sparse": lambda: (
            tf.cond(pred(), lambda: tf.sparse.eye(2), lambda: tf.sparse.eye(2)).values
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
        "case_both_not": lambda: tf.case([(pred(), t), (pred(), f)], strict=True, name="mine"),
        "case_not_pairs": lambda: tf.case([pred(), t]),
        "case_not_bool": lambda: tf.case([(1.0, t)]),
        "case_empty": lambda: tf.case([], default=f),
        "case_not_callable": lambda: tf.case([(pred(), 3.0)]),
        "switch": lambda: tf.switch_case(tf.placeholder_with_default(1, []), [t, f]),
        "switch_far": lambda: tf.switch_case(tf.placeholder_with_default(7, []), [t, f]),
        "switch_negative": lambda: tf.switch_case(tf.placeholder_with_default(-7, []), [t, f]),
        "switch_default": lambda: tf.switch_case(
            tf.placeholder_with_default(7, []), {0: t, 1: t}, default=lambda: tf.constant(9.0)
        ),
        "switch_dict": lambda: tf.switch_case(tf.placeholder_with_default(0, []), {1: f, 0: t}),
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
        "smart_not": lambda: tf.contrib.framework.smart_cond(pred(), t, f),
        "constant_value": lambda: tf.contrib.framework.smart_constant_value(1),
    }
    stage.each(cases)
    functional = {n: c for n, c in cases.items() if n not in _OTHER and n[:3] not in ("swi", "sma")}
    stage.each({f"v2 {name}": _as_function(tf, c) for name, c in functional.items()}, graph=False)


def _slices(tf, dtype):
    return tf.IndexedSlices(tf.ones([1, 2]), tf.constant([1], dtype), tf.constant([3, 2], dtype))


def _shared(tf, pred):
    x = tf.constant([1.0, 2.0], name="x")
    return tf.cond(pred, lambda: x, lambda: x * 2.0) + tf.cond(pred, lambda: x[0], lambda: x[1])


def _assigned(tf, pred):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    return tf.cond(pred, lambda: v.assign_add(2.0), lambda: v.assign_sub(1.0))


def maps(tf, stage):
    x = [1.0, 2.0, 3.0]

    def two(e):
        return e * 2.0, e + 1.0

    cases = {
        "map": lambda: tf.map_fn(lambda e: e * e, x),
        "dtype": lambda: tf.map_fn(lambda e: tf.cast(e, tf.int32), tf.constant(x), dtype=tf.int32),
        "two": lambda: tf.map_fn(two, tf.constant(x), dtype=(tf.float32, tf.float32)),
        "two_unsaid": lambda: tf.map_fn(two, tf.constant(x)),
        "of_two": lambda: tf.map_fn(
            lambda e: e[0] - e[1], (tf.constant(x), tf.constant(x)), tf.float32
        ),
        "of_two_lengths": lambda: tf.map_fn(
            lambda e: e[0] - e[1], (tf.constant(x), tf.ones([2])), tf.float32
        ),
        "one_at_a_time": lambda: tf.map_fn(
            lambda e: e, tf.constant(x), parallel_iterations=1, swap_memory=True, back_prop=False
        ),
        "shapes_differ": lambda: tf.map_fn(
            lambda e: tf.fill([tf.cast(e, tf.int32)], e), tf.constant(x), infer_shape=False
        ),
        "shapes_same": lambda: tf.map_fn(
            lambda e: tf.fill([tf.constant(2)], e), tf.constant(x), infer_shape=False, name="mine"
        ),
        "empty": lambda: tf.map_fn(lambda e: e * 2.0, tf.zeros([0, 2])),
        "scalar": lambda: tf.map_fn(lambda e: e, tf.constant(1.0)),
        "unknown": lambda: tf.map_fn(lambda e: e, tf.placeholder_with_default(x, None)),
        "not_callable": lambda: tf.map_fn(3, tf.constant(x)),
        "sparse": lambda: tf.map_fn(lambda e: e, tf.sparse.eye(2)),
        "gradient": lambda: _gradient_of(tf, lambda y: tf.map_fn(lambda e: e * y, tf.constant(x))),
        "foldl": lambda: tf.foldl(lambda a, e: a - e, tf.constant(x)),
        "foldl_from": lambda: tf.foldl(lambda a, e: a - e, tf.constant(x), initializer=10.0),
        "foldl_empty": lambda: tf.foldl(lambda a, e: a - e, tf.zeros([0]), initializer=10.0),
        "foldl_of_two": lambda: tf.foldl(
            lambda a, e: (a[0] + e, a[1] * e), tf.constant(x), initializer=(0.0, 1.0)
        ),
        "foldr": lambda: tf.foldr(lambda a, e: a - e, tf.constant(x), name="mine"),
        "foldr_from": lambda: tf.foldr(lambda a, e: a * 2.0 - e, tf.constant(x), initializer=1.0),
        "foldr_not_callable": lambda: tf.foldr(None, tf.constant(x)),
        "scan": lambda: tf.scan(lambda a, e: a + e, tf.constant(x)),
        "scan_from": lambda: tf.scan(lambda a, e: a + e, tf.constant(x), initializer=0.5),
        "scan_reverse": lambda: tf.scan(lambda a, e: a + e, tf.constant(x), reverse=True),
        "scan_two": lambda: tf.scan(
            lambda a, e: (a[0] + e, a[0]), tf.constant(x), (1.0, 2.0), reverse=True
        ),
        "scan_of_two": lambda: tf.scan(
            lambda a, e: a + e[0] * e[1], (tf.constant(x), tf.constant(x)), initializer=0.0
        ),
        "scan_shape": lambda: tf.scan(
            lambda a, e: tf.concat([a, [e]], 0), tf.constant(x), tf.zeros([0]), infer_shape=False
        ),
        "scan_empty": lambda: tf.scan(lambda a, e: a + e, tf.zeros([0])),
        "scan_gradient": lambda: _gradient_of(
            tf, lambda y: tf.scan(lambda a, e: a * e * y, tf.constant(x), 1.0)
        ),
        "scan_not_callable": lambda: tf.scan("f", tf.constant(x)),
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
        "dict": lambda: each(
            lambda e: {"sum": e["a"] + e["b"], "a": e["a"]}, {"a": x(rows), "b": x(rows)}
        ),
        "outer": lambda: each(lambda e: tf.tensordot(e, x([1.0, 2.0]), 1), x(rows)),
        "matmul": lambda: each(lambda e: tf.matmul(e, e, transpose_b=True), tf.ones([3, 2, 4])),
        "constant": lambda: each(lambda e: x(7.0), x(rows)),
        "reduced": lambda: each(lambda e: (tf.reduce_sum(e), tf.reduce_max(e, 0)), x(rows)),
        "gathered": lambda: each(lambda e: tf.gather(x([10.0, 20.0, 30.0]), e), x([2, 0])),
        "gathered_by": lambda: each(lambda e: tf.gather(e, [1, 0]), x(rows)),
        "shapes": lambda: each(lambda e: (tf.shape(e), tf.rank(e), tf.size(e)), x(rows)),
        "reshaped": lambda: each(lambda e: tf.reshape(e, [2, 1]), x(rows)),
        "stacked": lambda: each(lambda e: tf.stack([e, e * 2.0], 1), x(rows)),
        "split": lambda: each(lambda e: tf.split(e, 2), x(rows)),
        "sliced": lambda: each(lambda e: e[1:], x(rows)),
        "tiled": lambda: each(lambda e: tf.tile(e, [2]), x(rows)),
        "padded": lambda: each(lambda e: tf.pad(e, [[1, 0]]), x(rows)),
        "one_hot": lambda: each(lambda e: tf.one_hot(e, 3), x([2, 0])),
        "cast": lambda: each(lambda e: tf.cast(e, tf.int32) + 1, x(rows)),
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
        "in_function": lambda: tf.function(lambda: each(lambda e: e * 2.0, x(rows)))(),
        "gradient": lambda: _gradient_of(tf, lambda y: each(lambda e: e * y, x(rows))),
        "inner_gradient": lambda: each(lambda e: tf.gradients(e * e, e)[0], x(rows)),
        "cond_inside": lambda: each(lambda e: tf.cond(e[0] > 2.0, lambda: e, lambda: -e), x(rows)),
        "unique": lambda: each(lambda e: tf.unique(e)[0], x(rows)),
        "none": lambda: each(lambda e: None, x(rows)),
        "lengths": lambda: each(lambda e: e[0] + e[1], (x([1.0]), x([1.0, 2.0]))),
        "empty": lambda: each(lambda e: e, tf.zeros([0, 2])),
        "variable": lambda: each(
            lambda e: e * tf.get_variable("v", initializer=2.0, use_resource=True), x(rows)
        ),
        "asserted": lambda: each(lambda e: _checked(tf, e), x(rows)),
        "jacobian": lambda: _jacobian(tf, True),
        "jacobian_slow": lambda: _jacobian(tf, False),
        "batch_jacobian": lambda: _jacobian(tf, True, "batch_jacobian"),
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
