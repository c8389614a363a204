"""Queues inside of steps: in conditions and loops, with a variable that is trained on what they give."""


def steps(tf):
    queue = tf.FIFOQueue(3, [tf.float32], shapes=[[]], name="queue")
    other = tf.FIFOQueue(1, [tf.float32], shapes=[[]], name="other")
    given = tf.placeholder(tf.bool, [], name="given")
    fill = queue.enqueue_many([[1.0, 2.0, 3.0]])
    taken = queue.dequeue()
    passed = other.enqueue([taken * 10.0])
    maybe = tf.cond(given, lambda: queue.enqueue([5.0]), tf.no_op)
    either = tf.cond(given, queue.dequeue, lambda: tf.constant(-1.0)) * 2.0
    total = tf.while_loop(
        lambda i, t: i < 3, lambda i, t: (i + 1, t + queue.dequeue()), [0, 0.0], name="sum"
    )
    weight = tf.Variable(2.0, name="weight")
    loss = tf.square(weight * queue.dequeue() - 1.0)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    long = queue.enqueue_many([tf.range(7.0)])
    return [
        tf.global_variables_initializer(),
        fill,
        [taken, passed],
        other.dequeue(),
        queue.size(),
        queue.dequeue_many(2),
        (maybe, {given: False}),
        queue.size(),
        (maybe, {given: True}),
        (either, {given: False}),
        (either, {given: True}),
        [total, queue.enqueue_many([[1.0, 2.0, 3.0]])],
        [total, queue.enqueue_many([[4.0, 5.0, 6.0]])],
        [long, queue.dequeue_many(7)],
        fill,
        [train, loss],
        [train, loss],
        weight,
    ]


def build(tf):
    return {
        "steps": [(str(n), *(s if isinstance(s, tuple) else (s,))) for n, s in enumerate(steps(tf))]
    }
