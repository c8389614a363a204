"""cond and case: Python predicates, branches that do not agree, nothing returned."""


def branches_of_two_structures(tf):
    one = tf.constant(1)
    return tf.cond(tf.constant(True), lambda: {"a": one}, lambda: [one], strict=True)


def both_names_of_a_branch(tf):
    one = tf.constant(1)
    return tf.cond(tf.constant(True), true_fn=lambda: one, false_fn=lambda: one, fn1=lambda: one)


def case_without_a_true_one(tf):
    x = tf.placeholder_with_default(5, [], name="x")
    return tf.case([(x < 1, lambda: tf.constant(1)), (x < 2, lambda: tf.constant(2))], name="pick")


def case_with_two_true_ones(tf):
    x = tf.placeholder_with_default(0, [], name="x")
    pairs = [(x < 1, lambda: tf.constant(1)), (x < 2, lambda: tf.constant(2))]
    return tf.case(pairs, default=lambda: tf.constant(3), exclusive=True, name="pick")


CASES = {
    "python_bool": lambda tf: tf.cond(True, lambda: tf.constant(1), lambda: tf.constant(2)),
    "number_as_predicate": lambda tf: tf.cond(
        tf.constant(1), lambda: tf.constant(1), lambda: tf.constant(2)
    ),
    "branch_that_is_no_function": lambda tf: tf.cond(
        tf.constant(True), tf.constant(1), lambda: tf.constant(2)
    ),
    "branches_of_two_dtypes": lambda tf: tf.cond(
        tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2.0)
    ),
    "branches_of_two_lengths": lambda tf: tf.cond(
        tf.constant(True), lambda: (tf.constant(1), tf.constant(2)), lambda: tf.constant(2)
    ),
    "predicate_of_rank_one": lambda tf: tf.cond(
        tf.constant([True]), lambda: tf.constant(1), lambda: tf.constant(2)
    ),
    "unknown_argument": lambda tf: tf.cond(tf.constant(True), fn1=lambda: tf.constant(1)),
    "case_of_no_list": lambda tf: tf.case(5),
    "case_of_a_python_bool": lambda tf: tf.case(
        [(True, lambda: tf.constant(1))], default=lambda: tf.constant(2)
    ),
    "case_of_no_pairs": lambda tf: tf.case([tf.constant(True)], default=lambda: tf.constant(2)),
    "case_of_no_function": lambda tf: tf.case(
        [(tf.constant(True), 5)], default=lambda: tf.constant(2)
    ),
    "case_with_bad_default": lambda tf: tf.case(
        [(tf.constant(True), lambda: tf.constant(1))], default=5
    ),
    "piecewise_of_lengths": lambda tf: tf.train.piecewise_constant(
        tf.constant(1), [1, 2], [1.0, 2.0]
    ),
    "piecewise_of_dtypes": lambda tf: tf.train.piecewise_constant(
        tf.constant(1.0), [1, 2], [1.0, 2, 3.0]
    ),
}
