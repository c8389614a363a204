"""Invalid producers, batches and queue runners."""


def no_names_when_it_runs(tf):
    names = tf.placeholder(tf.string, [None])
    queue = tf.train.string_input_producer(names)
    (runner,) = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    fill = runner.enqueue_ops[0]
    assert queue
    return lambda sess: sess.run(fill, {names: []})


def an_epoch_without_its_variable(tf):
    last = tf.train.limit_epochs(tf.constant(1), num_epochs=1)
    return lambda sess: sess.run(last)


def kinds_of_errors_that_are_none(tf):
    queue = tf.FIFOQueue(1, tf.float32)
    tf.train.QueueRunner(queue, [queue.enqueue([1.0])], queue_closed_exception_types=[])
