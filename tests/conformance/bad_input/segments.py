"""Sequences and states that cannot be cut into segments."""


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


CASES = {
    "less_room_than_a_batch": lambda tf: saver(tf, capacity=1),
    "states_that_are_no_dictionary": lambda tf: saver(tf, initial_states=[tf.zeros([1])]),
    "states_that_are_none": lambda tf: saver(tf, initial_states={}),
    "a_state_whose_name_is_a_number": lambda tf: saver(tf, initial_states={1: tf.zeros([1])}),
    "a_state_with_a_colon": lambda tf: saver(tf, initial_states={"s:0": tf.zeros([1])}),
    "no_sequence": lambda tf: saver(tf, input_sequences={}),
    "a_sequence_whose_name_is_a_number": lambda tf: saver(tf, input_sequences={1: tf.ones([4])}),
    "a_context_with_a_colon": lambda tf: saver(tf, input_context={"y:0": tf.ones([2])}),
    "a_state_of_unknown_shape": lambda tf: saver(
        tf, initial_states={"s": tf.placeholder(tf.float32, [None])}
    ),
    "a_sequence_of_unknown_width": lambda tf: saver(
        tf, input_sequences={"x": tf.placeholder(tf.float32, [4, None])}
    ),
    "a_length_of_floats": lambda tf: saver(tf, input_length=tf.constant(4.0)),
    "a_key_that_is_a_number": lambda tf: saver(tf, input_key=tf.constant(4)),
    "a_length_of_two": lambda tf: saver(tf, input_length=tf.constant([4, 4])),
    "saving_a_state_that_is_not_there": lambda tf: saver(tf).next_batch.save_state(
        "t", tf.zeros([2, 1])
    ),
    "saving_another_shape": lambda tf: saver(tf).next_batch.save_state("s", tf.zeros([2, 2])),
    "saving_another_rank": lambda tf: saver(tf).next_batch.save_state("s", tf.zeros([2])),
    "segments_of_a_fraction": lambda tf: batches(tf, num_unroll=1.5),
    "a_name_of_a_sequence_that_is_a_number": lambda tf: batches(
        tf, input_sequences={1: tf.ones([4, 3])}
    ),
}
