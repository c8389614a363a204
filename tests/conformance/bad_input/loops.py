"""while_loop: changing variables, other structures, invalid predicates, feeds and fetches inside."""


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
