"""cond and case: Python predicates, mismatched branches, nothing returned."""


def branches_of_two_structures(tf):
    one = tf.constant(1)
    return tf.cond(tf.constant(True), lambda: {"a": one}, lambda: [one], strict=True)


def both_names_of_a_branch(tf):
    one = tf.constant(1)
    return tf.cond(tf.constant(True), true_fn=lambda: one, false_fn=lambda: one, fn1=lambda: one)
