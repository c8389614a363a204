"""CTC and beam trees: labels, lengths and logits that do not match."""

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


STEPS = [[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]]]
PARENTS = [[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]]]


def tree(tf, steps=STEPS, parents=PARENTS, lengths=(3,), end=10):
    inputs = [fed(tf, value, "i4") for value in (steps, parents, lengths, end)]
    return tf.contrib.seq2seq.gather_tree(*inputs)
