"""Unsupported loop gradients, and misused stacks."""


def recurrence(tf, start, **settings):
    return tf.while_loop(
        lambda i, a: i < 3, lambda i, a: (i + 1, tf.sin(a) * start), [0, start], **settings
    )[1]


def hessians(tf):
    x = tf.constant([1.0, 2.0], name="x")
    return tf.hessians(tf.reduce_sum(recurrence(tf, x)), [x])


def gradient_in_a_body_of_what_it_began_with(tf):
    x = tf.constant(1.0, name="x")

    def body(i, a):
        return i + 1, a + tf.gradients(tf.square(a), [x])[0]

    return tf.while_loop(lambda i, a: i < 3, body, [0, x])


def handle_in_a_branch_that_is_not_taken(tf):
    v = tf.get_variable("v", initializer=[0.3, 0.9], use_resource=True)

    def body(i, a):
        return i + 1, tf.cond(i > 0, lambda: a * v, lambda: a)

    return tf.gradients(tf.while_loop(lambda i, a: i < 3, body, [0, tf.ones([2])])[1], [v])


def rows_that_are_not_there(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    n = tf.placeholder(tf.int32, [], name="n")
    loop = tf.while_loop(
        lambda i, a: i < n, lambda i, a: (i + 1, a * tf.gather(x, i)), [0, tf.ones([2])]
    )[1]
    return tf.gradients(loop, [x]), {x: [[1.0, 2.0]], n: 2}


def feed_in_the_gradient(tf):
    x = tf.constant([1.0, 2.0], name="x")
    grads = tf.gradients(recurrence(tf, x), [x])
    return grads, {"gradients/while/Sin_grad/mul:0": [1.0, 1.0]}


def pop_of_an_empty_stack(tf):
    stack = tf.raw_ops.StackV2(max_size=-1, elem_type=tf.float32, stack_name="numbers")
    return tf.raw_ops.StackPopV2(handle=stack, elem_type=tf.float32, name="pop")


def push_on_a_full_stack(tf):
    stack = tf.raw_ops.StackV2(max_size=1, elem_type=tf.float32, stack_name="numbers")
    with tf.control_dependencies([tf.raw_ops.StackPushV2(handle=stack, elem=1.0)]):
        again = tf.raw_ops.StackPushV2(handle=stack, elem=2.0, name="again")
    with tf.control_dependencies([again]):
        popped = tf.raw_ops.StackPopV2(handle=stack, elem_type=tf.float32)
    return popped


def push_of_another_dtype(tf):
    stack = tf.raw_ops.StackV2(max_size=-1, elem_type=tf.float32)
    pushed = tf.raw_ops.StackPushV2(handle=stack, elem=1, name="push")
    with tf.control_dependencies([pushed]):
        popped = tf.raw_ops.StackPopV2(handle=stack, elem_type=tf.float32)
    return popped


def push_on_a_closed_stack(tf):
    stack = tf.raw_ops.StackV2(max_size=-1, elem_type=tf.float32, stack_name="numbers")
    with tf.control_dependencies([tf.raw_ops.StackCloseV2(handle=stack)]):
        pushed = tf.raw_ops.StackPushV2(handle=stack, elem=1.0, name="push")
    with tf.control_dependencies([pushed]):
        popped = tf.raw_ops.StackPopV2(handle=stack, elem_type=tf.float32)
    return popped


def doubles_that_forget_what_they_were(tf):
    """TensorFlow's zeros for them are float32."""
    x = tf.placeholder(tf.float64, [None], name="x")
    forgetful = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, x * 2.0), [0, x])[1]
    return tf.gradients(forgetful, [x]), {x: [1.0, 2.0]}
