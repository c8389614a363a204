"""Failing steps: all nodes that do not depend on the failed one have run."""

import os
import tempfile


def build(tf):
    words = os.path.join(tempfile.mkdtemp(), "words.txt")
    with open(words, "w") as file:
        file.write("a\nb\n")
    counts = [
        tf.get_variable(f"count{n}", [], initializer=tf.zeros_initializer(), use_resource=n % 2 > 0)
        for n in range(10)
    ]
    zero = tf.placeholder_with_default(0.0, [], name="zero")
    bad = tf.check_numerics(1.0 / zero, "no number", name="bad")
    worse = tf.check_numerics(zero / zero, "nor this", name="worse")
    with tf.control_dependencies([tf.identity(bad)]):
        behind = tf.no_op("behind")
    with tf.control_dependencies([behind]):
        waits = counts[2].assign_add(1.0)
    drawn = tf.random_uniform([], seed=3)
    chosen = tf.cond(
        zero < 1.0, lambda: counts[4].assign_add(1.0), lambda: counts[4].assign_add(bad)
    )
    failing = tf.cond(
        zero < 1.0, lambda: counts[5].assign_add(bad), lambda: counts[5].assign_add(1.0)
    )
    called = []
    mixed = [
        counts[0].assign_add(1.0),
        bad,
        counts[1].assign_add(1.0),
        waits,
        counts[3].assign_add(bad),
        chosen,
        failing,
        worse,
        counts[6].assign_add(worse),
        counts[7].assign_add(drawn),
        tf.py_func(lambda: called.append(1), [], []),
        counts[8].assign_add(tf.exp(counts[0] * 0.0)),
    ]

    # An optimizer step: each variable with a finite gradient moves.
    with tf.variable_scope("net"):
        w = tf.get_variable("w", [2, 2], initializer=tf.ones_initializer())
        b = tf.get_variable("b", [2], initializer=tf.zeros_initializer())
        c = tf.get_variable("c", [2], initializer=tf.zeros_initializer())
    loss = tf.reduce_sum(tf.square(tf.matmul(tf.ones([1, 2]), w) + b + c))
    optimizer = tf.train.MomentumOptimizer(0.5, 0.9)
    (gw, gb, gc) = tf.gradients(loss, [w, b, c])
    pairs = [(tf.check_numerics(gw / zero, "gradient"), w), (gb, b), (gc, c)]
    train = optimizer.apply_gradients(pairs, global_step=tf.train.get_or_create_global_step())

    # Tables, one with a missing file, and variables, one with an invalid initial value.
    lookup = tf.contrib.lookup
    path = tf.placeholder(tf.string, [], name="path")
    missing = lookup.index_table_from_file(path)
    good = tf.placeholder(tf.string, [], name="good")
    tables = [lookup.index_table_from_file(good, num_oov_buckets=n) for n in (0, 1)]
    fill = tf.tables_initializer()
    start = tf.global_variables_initializer()
    late = tf.get_variable("late", initializer=tf.check_numerics(1.0 / zero, "late"))
    last = tf.get_variable("last", initializer=5.0)
    start_late = tf.variables_initializer([late, last])

    def failed(what, feed=None):
        def step(session):
            try:
                session.run(what, feed)
            except tf.errors.OpError as error:
                return type(error).__name__
            return "nothing"

        return step

    return {
        "steps": [
            ("start", start, None),
            ("some fail", failed(mixed)),
            ("counts", counts, None),
            ("called", lambda session: len(called)),
            ("some fail again", failed(mixed)),
            ("more counts", counts, None),
            ("next number", drawn, None),
            ("train", failed(train)),
            ("moved", [w, b, c, tf.train.get_global_step()], None),
            ("no file", failed(fill, {path: words + ".none", good: words})),
            ("filled", [table.size() for table in tables], None),
            ("the other is not", failed(missing.size())),
            ("late", failed(start_late)),
            ("last", last, None),
        ]
    }
