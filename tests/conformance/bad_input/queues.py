"""Queues that are closed, empty, or fed mismatched elements."""


def filled(tf, **settings):
    return tf.FIFOQueue(3, [tf.float32, tf.int32], shapes=[[2], []], **settings)


def a_negative_number_when_it_runs(tf):
    n = tf.placeholder(tf.int32, [])
    got = filled(tf).dequeue_many(n)
    return lambda sess: sess.run(got, {n: -1})


def up_to_a_negative_number(tf):
    got = filled(tf).dequeue_up_to(-1)
    return lambda sess: sess.run(got)


def batches_without_shapes(tf):
    got = tf.FIFOQueue(3, [tf.float32]).dequeue_many(1)
    return lambda sess: sess.run(got)


def rows_that_do_not_fit(tf):
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    put = filled(tf).enqueue_many([x, y])
    return lambda sess: sess.run(put, {x: [[1.0, 2.0]], y: [1, 2]})


def rows_that_differ_when_it_runs(tf):
    x = tf.placeholder(tf.float32)
    put = tf.FIFOQueue(3, [tf.float32, tf.float32]).enqueue_many([x, [1.0, 2.0]])
    return lambda sess: sess.run(put, {x: [1.0]})


def a_rank_that_is_not_padded(tf):
    x = tf.placeholder(tf.float32)
    put = tf.PaddingFIFOQueue(3, [tf.float32], shapes=[[None, 2]]).enqueue([x])
    return lambda sess: sess.run(put, {x: [[1.0]]})


def shuffled_with_too_little(tf):
    queue = tf.RandomShuffleQueue(5, 2, [tf.int32], shapes=[[]])
    put, close, got = queue.enqueue_many([[1, 2]]), queue.close(), queue.dequeue_many(3)
    return lambda sess: (sess.run(put), sess.run(close), sess.run(got))


def put_into_a_closed_queue(tf):
    queue = filled(tf)
    put, close = queue.enqueue([[1.0, 2.0], 3]), queue.close()
    return lambda sess: (sess.run(close), sess.run(put))


def closed_twice(tf):
    close = filled(tf).close()
    return lambda sess: (sess.run(close), sess.run(close))


def full_within_a_second(tf):
    queue = filled(tf)
    put = queue.enqueue_many([[[1.0, 2.0]] * 4, [1] * 4])
    return lambda sess: sess.run(put, options=tf.RunOptions(timeout_in_ms=50))


def a_timeout_of_the_op(tf):
    queue = filled(tf)
    kinds = [tf.float32, tf.int32]
    got = tf.raw_ops.QueueDequeueV2(handle=queue.queue_ref, component_types=kinds, timeout_ms=10)
    return lambda sess: sess.run(got)


def other_types_taken_out(tf):
    got = tf.raw_ops.QueueDequeueV2(handle=filled(tf).queue_ref, component_types=[tf.float32])
    return lambda sess: sess.run(got)


def other_types_put_in(tf):
    put = tf.raw_ops.QueueEnqueueV2(handle=filled(tf).queue_ref, components=[1, 2])
    return lambda sess: sess.run(put)


def shared(tf, other):
    first = tf.FIFOQueue(5, [tf.float32], shared_name="same")
    size, others = first.size(), other.size()
    return lambda sess: (sess.run(size), sess.run(others))
