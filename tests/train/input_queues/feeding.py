"""Input pipeline steps until the end of input."""

import tfmini as tf


def plain(value):
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value if isinstance(value, str | bytes) else value.tolist()


def fed(fetches):
    """The results of steps until the end of input, then the op type of the exhausted queue."""
    collected = []
    with tf.Session() as session:
        session.run([tf.local_variables_initializer(), tf.global_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        try:
            while not coordinator.should_stop():
                collected.append(plain(session.run(fetches)))
        except tf.errors.OutOfRangeError as error:
            collected.append(error.message.partition(" ")[0])
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=20)
        assert not any(thread.is_alive() for thread in threads) and coordinator.joined
    return collected


def numbers(count, **settings):
    return tf.train.range_input_producer(count, **{"shuffle": False, "num_epochs": 1, **settings})
