"""while_loop: variables that change, other structures, predicates that are none, feeds and fetches inside."""


def reference_that_goes_on_as_a_value(tf):
    v = tf.Variable(1.0, name="v")
    return tf.while_loop(lambda i, x: i < 2, lambda i, x: [i + 1, x * 2.0], [0, tf.assign(v, 3.0)])


def invariant_of_a_sparse_tensor(tf):
    sparse = tf.SparseTensor([[0, 0]], [1.0], [2, 2])
    return tf.while_loop(lambda s: True, lambda s: s, [sparse], [tf.TensorShape([None, None])])


def feed_inside(tf):
    inside = []

    def body(i):
        inside.append(i + 1)
        return inside[0]

    loop = tf.while_loop(lambda i: i < 3, body, [tf.constant(0)])
    return loop, {inside[0]: 3}


def value_from_inside_used_outside(tf):
    inside = []

    def body(i):
        inside.append(i + 1)
        return inside[0]

    tf.while_loop(lambda i: i < 3, body, [tf.constant(0)])
    used = inside[0] * 2
    return used


CASES = {
    "half_a_parallel_iteration": lambda tf: tf.while_loop(
        lambda i: i < 1, lambda i: i + 1, [1], parallel_iterations=1.5
    ),
    "rank_that_changes": lambda tf: tf.while_loop(
        lambda m: True, lambda m: tf.expand_dims(m, 0), [tf.ones([2], name="m")]
    ),
    "invariant_that_does_not_fit": lambda tf: tf.while_loop(
        lambda m: tf.size(m) < 0,
        lambda m: m,
        [tf.ones([2, 2], name="m")],
        [tf.TensorShape([3, None])],
    ),
    "invariant_that_is_no_shape": lambda tf: tf.while_loop(
        lambda m: tf.size(m) < 0, lambda m: m, [tf.ones([2])], ["two"]
    ),
    "invariants_of_another_structure": lambda tf: tf.while_loop(
        lambda i, m: True, lambda i, m: (i, m), [1, tf.ones([2])], [tf.TensorShape([])]
    ),
    "result_of_nothing": lambda tf: tf.while_loop(
        lambda i: i < 3, lambda i: None, [tf.constant(0)]
    ),
    "limit_of_rank_one": lambda tf: tf.while_loop(
        lambda i: i < 3, lambda i: i + 1, [tf.constant(0)], maximum_iterations=[3]
    ),
    "variable_made_from_what_is_inside": lambda tf: tf.while_loop(
        lambda i: i < 3.0, lambda i: tf.Variable(i) + 1.0, [tf.constant(0.0)]
    ),
}
