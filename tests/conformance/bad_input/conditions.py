"""cond and case: Python predicates, branches that do not agree, nothing returned."""


def python_bool(tf):
    return tf.cond(True, lambda: tf.constant(1), lambda: tf.constant(2))


def number_as_predicate(tf):
    return tf.cond(tf.constant(1), lambda: tf.constant(1), lambda: tf.constant(2))


def branch_that_is_no_function(tf):
    return tf.cond(tf.constant(True), tf.constant(1), lambda: tf.constant(2))


def branches_of_two_dtypes(tf):
    return tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2.0))


def branches_of_two_lengths(tf):
    return tf.cond(
        tf.constant(True), lambda: (tf.constant(1), tf.constant(2)), lambda: tf.constant(2)
    )


def branches_of_two_structures(tf):
    one = tf.constant(1)
    return tf.cond(tf.constant(True), lambda: {"a": one}, lambda: [one], strict=True)


def predicate_of_rank_one(tf):
    return tf.cond(tf.constant([True]), lambda: tf.constant(1), lambda: tf.constant(2))


def unknown_argument(tf):
    return tf.cond(tf.constant(True), fn1=lambda: tf.constant(1))


def both_names_of_a_branch(tf):
    one = tf.constant(1)
    return tf.cond(tf.constant(True), true_fn=lambda: one, false_fn=lambda: one, fn1=lambda: one)


def case_of_no_list(tf):
    return tf.case(5)


def case_of_a_python_bool(tf):
    return tf.case([(True, lambda: tf.constant(1))], default=lambda: tf.constant(2))


def case_of_no_pairs(tf):
    return tf.case([tf.constant(True)], default=lambda: tf.constant(2))


def case_of_no_function(tf):
    return tf.case([(tf.constant(True), 5)], default=lambda: tf.constant(2))


def case_with_bad_default(tf):
    return tf.case([(tf.constant(True), lambda: tf.constant(1))], default=5)


def case_without_a_true_one(tf):
    x = tf.placeholder_with_default(5, [], name="x")
    return tf.case([(x < 1, lambda: tf.constant(1)), (x < 2, lambda: tf.constant(2))], name="pick")


def case_with_two_true_ones(tf):
    x = tf.placeholder_with_default(0, [], name="x")
    pairs = [(x < 1, lambda: tf.constant(1)), (x < 2, lambda: tf.constant(2))]
    return tf.case(pairs, default=lambda: tf.constant(3), exclusive=True, name="pick")


def piecewise_of_lengths(tf):
    return tf.train.piecewise_constant(tf.constant(1), [1, 2], [1.0, 2.0])


def piecewise_of_dtypes(tf):
    return tf.train.piecewise_constant(tf.constant(1.0), [1, 2], [1.0, 2, 3.0])
