"""CTC and trees of beams: labels, lengths and logits that do not fit each other."""

import numpy as np

LOGITS = np.arange(24).reshape(4, 2, 3).astype("f") % 5


def fed(tf, value, dtype="f"):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype), None)


def sparse(tf, places, values):
    return tf.SparseTensor(
        fed(tf, np.reshape(places, (-1, 2)), "i8"), fed(tf, values, "i4"), fed(tf, [2, 3], "i8")
    )


def loss(tf, places=((0, 0), (1, 0)), values=(0, 1), lengths=(4, 3), logits=LOGITS, **options):
    labels, logits, lengths = sparse(tf, places, values), fed(tf, logits), fed(tf, lengths, "i4")
    return tf.nn.ctc_loss(labels, logits, lengths, **options)


def loss_of_a_label_after_a_blank_without_repeats(tf):
    places = [[0, 0], [1, 0], [1, 1], [1, 2], [1, 3]]
    return loss(tf, places, [0, 1, 1, 2, 0], preprocess_collapse_repeated=True)


def second_gradient_of_the_loss(tf):
    logits = tf.constant(LOGITS)
    labels = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([0, 1]), [2, 1])
    slope = tf.gradients(tf.nn.ctc_loss(labels, logits, [4, 3]), logits)[0]
    return tf.gradients(slope * slope, logits)


def loss_of_sparse_labels_without_a_blank(tf):
    labels = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([0, 1]), [2, 1])
    return tf.nn.ctc_loss_v2(labels, tf.constant(LOGITS), None, [4, 3])


def greedy_of_fed_lengths_of_another_batch(tf):
    return tf.nn.ctc_greedy_decoder(LOGITS, fed(tf, [4, 3, 2], "i4"))[1]


def greedy_of_fed_matrix_of_lengths(tf):
    return tf.nn.ctc_greedy_decoder(LOGITS, fed(tf, [[4, 3]], "i4"))[1]


def more_paths_than_beams(tf):
    return tf.nn.ctc_beam_search_decoder(LOGITS, [4, 3], beam_width=2, top_paths=3)[1]


def more_paths_than_prefixes(tf):
    return tf.nn.ctc_beam_search_decoder(LOGITS, [4, 0], top_paths=2)[1]


STEPS = [[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]]]
PARENTS = [[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]]]


def tree(tf, steps=STEPS, parents=PARENTS, lengths=(3,), end=10):
    inputs = [fed(tf, value, "i4") for value in (steps, parents, lengths, end)]
    return tf.contrib.seq2seq.gather_tree(*inputs)


CASES = {
    "loss_of_dense_labels": lambda tf: tf.nn.ctc_loss([[1, 0]], LOGITS, [4, 3]),
    "loss_of_inputs_and_logits": lambda tf: tf.nn.ctc_loss(
        sparse(tf, [[0, 0]], [0]), LOGITS, [4, 3], logits=LOGITS
    ),
    "loss_of_a_matrix": lambda tf: tf.nn.ctc_loss(sparse(tf, [[0, 0]], [0]), LOGITS[0], [4, 3]),
    "loss_of_another_batch": lambda tf: tf.nn.ctc_loss(
        sparse(tf, [[0, 0]], [0]), LOGITS, [4, 3, 2]
    ),
    "loss_of_fed_matrix": lambda tf: loss(tf, logits=LOGITS[0]),
    "loss_of_fed_lengths_of_another_batch": lambda tf: loss(tf, lengths=[4, 3, 2]),
    "loss_of_fed_matrix_of_lengths": lambda tf: loss(tf, lengths=[[4, 3]]),
    "loss_of_no_batch": lambda tf: loss(tf, [], [], [], LOGITS[:, :0]),
    "loss_of_an_example_without_labels": lambda tf: loss(tf, [[0, 0]], [1]),
    "loss_of_more_time_than_there_is": lambda tf: loss(tf, lengths=[4, 5]),
    "loss_of_negative_time": lambda tf: loss(tf, lengths=[4, -1]),
    "loss_of_too_little_time_without_repeats": lambda tf: loss(
        tf, [[0, 0], [1, 0], [1, 1]], [0, 1, 1], [4, 1], preprocess_collapse_repeated=True
    ),
    "loss_of_a_negative_label": lambda tf: loss(tf, [[0, 0], [1, 0], [1, 1]], [0, 1, -1]),
    "loss_of_a_label_after_a_blank": lambda tf: loss(
        tf, [[0, 0], [1, 0], [1, 1], [1, 2]], [0, 1, 2, 0]
    ),
    "loss_of_labels_in_another_order": lambda tf: loss(tf, [[1, 0], [0, 0]], [0, 1]),
    "loss_of_a_label_twice": lambda tf: loss(tf, [[0, 0], [1, 0], [1, 0]], [0, 1, 1]),
    "loss_of_a_place_before_the_first": lambda tf: loss(tf, [[0, -1], [1, 0]], [0, 1]),
    "greedy_of_a_matrix": lambda tf: tf.nn.ctc_greedy_decoder(LOGITS[0], [4, 3])[1],
    "greedy_of_fed_matrix": lambda tf: tf.nn.ctc_greedy_decoder(fed(tf, LOGITS[0]), [4, 3])[1],
    "greedy_of_no_time": lambda tf: tf.nn.ctc_greedy_decoder(fed(tf, LOGITS[:0]), [0, 0])[1],
    "beams_of_another_batch": lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [4, 3, 2])[1],
    "beams_of_more_time_than_there_is": lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [5, 3])[1],
    "tree_of_a_matrix": lambda tf: tree(tf, steps=STEPS[0]),
    "tree_of_other_parents": lambda tf: tree(tf, parents=PARENTS[:2]),
    "tree_of_other_lengths": lambda tf: tree(tf, lengths=[3, 3]),
    "tree_of_one_length": lambda tf: tree(tf, lengths=3),
    "tree_of_several_ends": lambda tf: tree(tf, end=[10]),
}
