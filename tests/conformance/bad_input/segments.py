"""Sequences and states that cannot be split into segments."""


def saver(tf, **changed):
    given = {
        "batch_size": 2,
        "num_unroll": 2,
        "input_length": tf.constant(4),
        "input_key": tf.constant("key"),
        "input_sequences": {"x": tf.ones([4, 3])},
        "input_context": {"y": tf.ones([2])},
        "initial_states": {"s": tf.zeros([1])},
        "capacity": 4,
    }
    return tf.contrib.training.SequenceQueueingStateSaver(**dict(given, **changed))


def batches(tf, **changed):
    given = {
        "input_key": "key",
        "input_sequences": {"x": tf.ones([4, 3])},
        "input_context": {},
        "input_length": None,
        "initial_states": {"s": 0.0},
        "num_unroll": 3,
        "batch_size": 1,
    }
    return tf.contrib.training.batch_sequences_with_states(**dict(given, **changed))


def steps_without_padding(tf):
    batches(tf, pad=False, input_length=4)
    return tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0].enqueue_ops[0]
