"""Producers, batches and queue runners that cannot be."""


def no_names(tf):
    tf.train.string_input_producer([])


def no_names_when_it_runs(tf):
    names = tf.placeholder(tf.string, [None])
    queue = tf.train.string_input_producer(names)
    (runner,) = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    fill = runner.enqueue_ops[0]
    assert queue
    return lambda sess: sess.run(fill, {names: []})


def no_epochs(tf):
    tf.train.limit_epochs(tf.constant(1), num_epochs=0)


def an_epoch_without_its_variable(tf):
    last = tf.train.limit_epochs(tf.constant(1), num_epochs=1)
    return lambda sess: sess.run(last)


def rows_of_unknown_shape(tf):
    tf.train.input_producer(tf.placeholder(tf.float32, [3, None]))


def no_slices(tf):
    tf.train.slice_input_producer([])


def nothing_to_batch(tf):
    tf.train.batch([], 3)


def unknown_rank(tf):
    tf.train.batch([tf.placeholder(tf.float32)], 3)


def unknown_shape(tf):
    tf.train.batch([tf.placeholder(tf.float32, [None])], 3)


def no_room_for_a_mixture(tf):
    tf.train.shuffle_batch([1.0], 3, capacity=10, min_after_dequeue=10)


def keys_that_differ(tf):
    tf.train.batch_join([{"a": 1}, {"b": 1}], 3)


def types_that_differ(tf):
    tf.train.batch_join([[1], [1.0]], 3)


def nothing_to_join(tf):
    tf.train.batch_join([], 3)


def a_matrix_of_what_to_keep(tf):
    tf.train.maybe_batch([[1.0]], [[True]], 3, enqueue_many=True)


def kinds_of_errors_that_are_none(tf):
    queue = tf.FIFOQueue(1, tf.float32)
    tf.train.QueueRunner(queue, [queue.enqueue([1.0])], queue_closed_exception_types=[])


def no_session(tf):
    tf.train.start_queue_runners()


def no_session_but_a_number(tf):
    tf.train.start_queue_runners(1)
