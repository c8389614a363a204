"""Producers, batches and queue runners that cannot be."""


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


CASES = {
    "no_names": lambda tf: tf.train.string_input_producer([]),
    "no_epochs": lambda tf: tf.train.limit_epochs(tf.constant(1), num_epochs=0),
    "rows_of_unknown_shape": lambda tf: tf.train.input_producer(
        tf.placeholder(tf.float32, [3, None])
    ),
    "no_slices": lambda tf: tf.train.slice_input_producer([]),
    "nothing_to_batch": lambda tf: tf.train.batch([], 3),
    "unknown_rank": lambda tf: tf.train.batch([tf.placeholder(tf.float32)], 3),
    "unknown_shape": lambda tf: tf.train.batch([tf.placeholder(tf.float32, [None])], 3),
    "no_room_for_a_mixture": lambda tf: tf.train.shuffle_batch(
        [1.0], 3, capacity=10, min_after_dequeue=10
    ),
    "keys_that_differ": lambda tf: tf.train.batch_join([{"a": 1}, {"b": 1}], 3),
    "types_that_differ": lambda tf: tf.train.batch_join([[1], [1.0]], 3),
    "nothing_to_join": lambda tf: tf.train.batch_join([], 3),
    "a_matrix_of_what_to_keep": lambda tf: tf.train.maybe_batch(
        [[1.0]], [[True]], 3, enqueue_many=True
    ),
    "no_session": lambda tf: tf.train.start_queue_runners(),
    "no_session_but_a_number": lambda tf: tf.train.start_queue_runners(1),
}
