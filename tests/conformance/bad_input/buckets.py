"""Buckets and samples with invalid sizes, boundaries and probabilities."""


def probabilities_of_unknown_number(tf):
    unknown = tf.placeholder(tf.float32, [None])
    tf.contrib.training.stratified_sample([tf.zeros([])], 1, unknown, 2)
