"""cond and case: Python predicates, branches that do not agree, nothing returned."""


def branches_of_two_structures(tf):
    one = tf.constant(1)
    return tf.cond(tf.constant(True), lambda: {"a": one}, lambda: [one], strict=True)


def both_names_of_a_branch(tf):
    one = tf.constant(1)
    return tf.cond(tf.constant(True), true_fn=lambda: one, false_fn=lambda: one, fn1=lambda: one)


CASES = {
    "number_as_predicate": lambda tf: tf.cond(
        tf.constant(1), lambda: tf.constant(1), lambda: tf.constant(2)
    ),
    "unknown_argument": lambda tf: tf.cond(tf.constant(True), fn1=lambda: tf.constant(1)),
    "case_of_no_list": lambda tf: tf.case(5),
    "case_of_no_function": lambda tf: tf.case(
        [(tf.constant(True), 5)], default=lambda: tf.constant(2)
    ),
    "case_with_bad_default": lambda tf: tf.case(
        [(tf.constant(True), lambda: tf.constant(1))], default=5
    ),
    "piecewise_of_dtypes": lambda tf: tf.train.piecewise_constant(
        tf.constant(1.0), [1, 2], [1.0, 2, 3.0]
    ),
}
