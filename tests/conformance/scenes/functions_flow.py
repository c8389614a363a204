"""Loops, branches, maps and parallel loops: options, edge cases, gradients, errors, in graphs and functions."""


def _as_function(tf, case):
    return lambda: tf.function(case, autograph=False)()


# Cases in which `tf.cond` of a function raises internal errors, or skips checks.
_OTHER = {"integer", "tensor_for_function", "false_no_function", "counts", "none", "none_and_value"}
_OTHER |= {"old_names", "both_names", "no_true", "variables", "constant_value"}


def branches(tf, stage):
    t, f = lambda: tf.constant(1.0), lambda: tf.constant(2.0)

    def pred(value=True):
        return tf.placeholder_with_default(value, [])

    cases = {
        "dtypes": lambda: tf.cond(pred(), t, lambda: tf.constant(1)),
        "operation_and_value": lambda: tf.cond(pred(), lambda: tf.no_op(), f),
        "no_true": lambda: tf.cond(pred(), false_fn=f),
        "case_none": lambda: tf.case([(pred(False), t)]),
        "switch_dtypes": lambda: tf.switch_case(tf.constant(0), [t, lambda: tf.constant(1)]),
    }
    stage.each(cases)
    functional = {n: c for n, c in cases.items() if n not in _OTHER and n[:3] not in ("swi", "sma")}
    stage.each({f"v2 {name}": _as_function(tf, c) for name, c in functional.items()}, graph=False)


def parallel(tf, stage):
    x = tf.constant

    def each(function, count=3, **options):
        return tf.vectorized_map(function, count, **options)

    rows = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    cases = {
        "outer": lambda: each(lambda e: tf.tensordot(e, x([1.0, 2.0]), 1), x(rows)),
        "matmul": lambda: each(lambda e: tf.matmul(e, e, transpose_b=True), tf.ones([3, 2, 4])),
        "gathered_by": lambda: each(lambda e: tf.gather(e, [1, 0]), x(rows)),
        "split": lambda: each(lambda e: tf.split(e, 2), x(rows)),
        "padded": lambda: each(lambda e: tf.pad(e, [[1, 0]]), x(rows)),
        "one_hot": lambda: each(lambda e: tf.one_hot(e, 3), x([2, 0])),
        "conv": lambda: each(
            lambda e: tf.nn.conv2d(e, tf.ones([2, 2, 1, 1]), 1, "VALID"), tf.ones([2, 1, 3, 3, 1])
        ),
        "random": lambda: [
            y.shape for y in [each(lambda e: tf.random.uniform([2], seed=1), x(rows))]
        ],
        "cond_inside": lambda: each(lambda e: tf.cond(e[0] > 2.0, lambda: e, lambda: -e), x(rows)),
        "unique": lambda: each(lambda e: tf.unique(e)[0], x(rows)),
    }
    stage.each(cases, graph=False)
