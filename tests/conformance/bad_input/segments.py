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


def less_room_than_a_batch(tf):
    saver(tf, capacity=1)


def states_that_are_no_dictionary(tf):
    saver(tf, initial_states=[tf.zeros([1])])


def states_that_are_none(tf):
    saver(tf, initial_states={})


def a_state_whose_name_is_a_number(tf):
    saver(tf, initial_states={1: tf.zeros([1])})


def a_state_with_a_colon(tf):
    saver(tf, initial_states={"s:0": tf.zeros([1])})


def no_sequence(tf):
    saver(tf, input_sequences={})


def a_sequence_whose_name_is_a_number(tf):
    saver(tf, input_sequences={1: tf.ones([4])})


def a_context_with_a_colon(tf):
    saver(tf, input_context={"y:0": tf.ones([2])})


def a_state_of_unknown_shape(tf):
    saver(tf, initial_states={"s": tf.placeholder(tf.float32, [None])})


def a_sequence_of_unknown_width(tf):
    saver(tf, input_sequences={"x": tf.placeholder(tf.float32, [4, None])})


def a_length_of_floats(tf):
    saver(tf, input_length=tf.constant(4.0))


def a_key_that_is_a_number(tf):
    saver(tf, input_key=tf.constant(4))


def a_length_of_two(tf):
    saver(tf, input_length=tf.constant([4, 4]))


def a_state_that_is_not_there(tf):
    saver(tf).next_batch.state("t")


def saving_a_state_that_is_not_there(tf):
    saver(tf).next_batch.save_state("t", tf.zeros([2, 1]))


def saving_another_shape(tf):
    saver(tf).next_batch.save_state("s", tf.zeros([2, 2]))


def saving_another_rank(tf):
    saver(tf).next_batch.save_state("s", tf.zeros([2]))


def a_length_beyond_the_steps(tf):
    return saver(tf, input_length=tf.constant(5)).prefetch_op


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


def segments_of_a_fraction(tf):
    batches(tf, num_unroll=1.5)


def a_name_of_a_sequence_that_is_a_number(tf):
    batches(tf, input_sequences={1: tf.ones([4, 3])})


def sequences_of_other_lengths(tf):
    batches(tf, input_sequences={"x": tf.ones([4, 3]), "y": tf.ones([5])})
    return tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0].enqueue_ops[0]


def steps_without_padding(tf):
    batches(tf, pad=False, input_length=4)
    return tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0].enqueue_ops[0]
