"""Loops and their gradients on a machine with two GPUs: counters, stacks and their contents, conditions."""

DEVICES = {"CPU": 1, "GPU": 2}


def _recurrence(tf, x, w, **settings):
    def body(i, a):
        return i + 1, tf.tanh(tf.matmul(a, w))

    return tf.while_loop(lambda i, a: i < 3, body, [0, x], **settings)[1]


def forward(tf):
    _recurrence(tf, tf.ones([2, 2]), tf.ones([2, 2]))


def gradients(tf):
    x, w = tf.ones([2, 2]), tf.Variable(tf.ones([2, 2]))
    tf.gradients(_recurrence(tf, x, w), [x, w])


def gradients_of_a_resource_variable(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    w = tf.get_variable("w", [2, 2], use_resource=True)
    tf.gradients(_recurrence(tf, x, w, swap_memory=True), [x, w])


def on_the_second(tf):
    x, w = tf.ones([2, 2]), tf.ones([2, 2])
    with tf.device("/gpu:1"):
        out = _recurrence(tf, x, w)
    tf.gradients(out, [x, w])


def beside_their_ops(tf):
    x, w = tf.ones([2, 2]), tf.ones([2, 2])
    with tf.device("/gpu:1"):
        out = _recurrence(tf, x, w)
    with tf.device("/gpu:0"):
        again = _recurrence(tf, out, w)
    tf.gradients(again, [x, w], colocate_gradients_with_ops=True)


def body_in_parts(tf):
    x = tf.ones([2, 2])

    def body(i, a):
        with tf.device("/cpu:0"):
            b = tf.exp(a)
        with tf.device("/gpu:1"):
            return i + 1, b * a

    tf.gradients(tf.while_loop(lambda i, a: i < 3, body, [0, x])[1], [x])


def integers_on_stacks(tf):
    x = tf.ones([4])

    def body(i, a):
        turned = tf.cond(
            i > 1, lambda: tf.concat([a[i:], a[:i]], 0), lambda: a * tf.cast(i, tf.float32)
        )
        return i + 1, tf.reshape(turned, [4])

    tf.gradients(tf.while_loop(lambda i, a: i < 3, body, [0, x])[1], [x])


def nested(tf):
    x, w = tf.placeholder(tf.float32, [None, 2]), tf.Variable(tf.ones([2, 2]))

    def body(i, a):
        inner = tf.while_loop(
            lambda j, b: j < i, lambda j, b: (j + 1, tf.matmul(b, w) + a), [0, a], name="inner"
        )
        return i + 1, inner[1]

    tf.gradients(tf.while_loop(lambda i, a: i < 3, body, [0, x], name="outer")[1], [x, w])


def strings_beside(tf):
    def body(i, a, text):
        return i + 1, a * a, tf.string_join([text, "a"])

    x = tf.ones([2])
    tf.gradients(tf.while_loop(lambda i, *_: i < 3, body, [0, x, "b"])[1], [x])
