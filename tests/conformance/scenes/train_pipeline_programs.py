"""Small pipelines: the graph and dataset functions node by node, and the elements."""

import numpy as np

_ROWS = np.arange(12, dtype=np.int64).reshape(6, 2)


def _all_of(tf, stage, dataset):
    """All elements, at most 30, and the final error."""
    following = tf.data.make_initializable_iterator(dataset)
    element = following.get_next()
    stage.graph()
    with tf.Session() as session:
        session.run([following.initializer, tf.tables_initializer()])
        for _ in range(30):
            try:
                stage.say(_listed(tf, session.run(element)))
            except tf.errors.OpError as error:
                stage.say(type(error).__name__, error.message.split("\n")[0])
                break


def _listed(tf, value):
    return tf.nest.map_structure(lambda each: np.asarray(each).tolist(), value)


def _dataset(make):
    def scene(tf, stage):
        _all_of(tf, stage, make(tf, tf.data.Dataset))

    return scene


def _queued(make):
    """The values produced by a queue's runners, on a single thread."""

    def scene(tf, stage):
        made = make(tf)
        stage.graph()
        coordinator = tf.train.Coordinator()
        with tf.Session() as session:
            session.run([tf.local_variables_initializer(), tf.tables_initializer()])
            threads = tf.train.start_queue_runners(session, coordinator)
            for _ in range(12):
                try:
                    stage.say(_listed(tf, session.run(made)))
                except tf.errors.OutOfRangeError as error:
                    stage.say(error.message.split("\n")[0].split("is closed")[-1])
                    break
            coordinator.request_stop()
            coordinator.join(threads, stop_grace_period_secs=60)

    return scene


def _group(tf, D):
    return D.range(10).apply(
        tf.data.experimental.group_by_window(
            lambda x: x % 3, lambda key, part: part.batch(2), window_size=2
        )
    )


def _buckets(tf, D):
    lengths = D.range(1, 9).map(lambda n: tf.range(n % 5 + 1))
    return lengths.apply(tf.data.experimental.bucket_by_sequence_length(tf.size, [3, 5], [2, 2, 2]))


def _epochs(tf):
    return tf.train.input_producer(_ROWS, num_epochs=2, shuffle=True, seed=3).dequeue()


def _pairs(tf):
    sliced = tf.train.slice_input_producer([_ROWS, list("abcdef")], num_epochs=1, shuffle=False)
    return tf.train.batch(sliced, 4, allow_smaller_final_batch=True)


def _sometimes(tf):
    number = tf.train.range_input_producer(8, num_epochs=1, shuffle=False).dequeue()
    return tf.train.maybe_batch([number], tf.equal(number % 2, 0), 2)


_PIPELINES = {
    "shuffled_epochs": lambda tf, D: D.range(7).shuffle(4, seed=5).repeat(2),
    "shuffled_the_same": lambda tf, D: (
        D.range(7).shuffle(9, seed=5, reshuffle_each_iteration=False).repeat(2)
    ),
    "slices_in_batches": lambda tf, D: (
        D.from_tensor_slices((_ROWS, list("abcdef"))).shuffle(6, seed=2).repeat(2).batch(5)
    ),
    "slices_of_structures": lambda tf, D: D.from_tensor_slices({"a": _ROWS, "b": (_ROWS[:, 0],)}),
    "mapped_and_filtered": lambda tf, D: (
        D.range(9).map(lambda x: (x, x * x), 3).filter(lambda x, y: tf.less(y % 5, 3))
    ),
    "mapped_with_a_condition": lambda tf, D: D.range(5).map(
        lambda x: tf.cond(x > 2, lambda: x * 10, lambda: -x)
    ),
    "mapped_with_a_loop": lambda tf, D: D.range(4).map(
        lambda x: tf.while_loop(lambda i: i < 50, lambda i: i * 2 + 1, [x])
    ),
    "flat": lambda tf, D: D.range(4).flat_map(lambda x: D.from_tensors(x).repeat(x)),
    "interleaved": lambda tf, D: D.range(5).interleave(lambda x: D.range(x), 2, 2),
    "padded": lambda tf, D: D.range(5).map(tf.range).padded_batch(2, [None], np.int64(-1)),
    "windows": lambda tf, D: (
        D.range(7).window(3, 2, drop_remainder=True).flat_map(lambda part: part.batch(3))
    ),
    "grouped": _group,
    "buckets": _buckets,
    "sampled": lambda tf, D: tf.data.experimental.sample_from_datasets(
        [D.range(4), D.range(10, 14)], [0.3, 0.7], seed=4
    ),
    "zipped": lambda tf, D: D.zip((D.range(3), D.range(5).skip(1))).concatenate(
        D.from_tensors((np.int64(9), np.int64(8)))
    ),
    "kept": lambda tf, D: D.range(3).cache().repeat(2).prefetch(1),
    "numbered": lambda tf, D: D.from_tensor_slices(_ROWS).apply(
        tf.data.experimental.enumerate_dataset(5)
    ),
    "without_errors": lambda tf, D: (
        D.from_tensor_slices([1.0, 0.0, 2.0])
        .map(lambda x: tf.check_numerics(1 / x, "none"))
        .apply(tf.data.experimental.ignore_errors())
    ),
    "with_an_error": lambda tf, D: D.from_tensor_slices([1.0, 0.0]).map(
        lambda x: tf.check_numerics(1 / x, "none")
    ),
    "unequal": lambda tf, D: D.range(4).map(tf.range).batch(2),
    "counted": lambda tf, D: tf.data.experimental.Counter(3, 2).take(3),
    "resampled": lambda tf, D: D.range(9).apply(
        tf.data.experimental.rejection_resample(
            lambda x: tf.cast(x % 2, tf.int32), [0.5, 0.5], [0.5, 0.5], seed=1
        )
    ),
}
_QUEUES = {
    "queue_of_epochs": _epochs,
    "queue_of_slices": _pairs,
    "queue_of_some": _sometimes,
    "queue_of_strings": lambda tf: tf.train.string_input_producer(
        list("abc"), num_epochs=2, seed=7
    ).dequeue_many(2),
}
for _name, _make in _PIPELINES.items():
    globals()[_name] = _dataset(_make)
for _name, _make in _QUEUES.items():
    globals()[_name] = _queued(_make)
