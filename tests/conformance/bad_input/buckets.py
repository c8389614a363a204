"""Buckets and samples with sizes, boundaries and probabilities that make no sense."""


def as_many_sizes(tf):
    tf.contrib.training.bucket([tf.constant(1)], 0, [1, 2], 3)


def as_many_capacities(tf):
    tf.contrib.training.bucket([tf.constant(1)], 0, 2, 3, bucket_capacities=[1])


def nothing_in_a_bucket(tf):
    tf.contrib.training.bucket([], 0, 2, 3)


def rank_that_is_unknown(tf):
    tf.contrib.training.bucket([tf.placeholder(tf.float32)], 0, 2, 3)


def a_vector_that_is_kept(tf):
    tf.contrib.training.bucket([tf.constant(1)], 0, 2, 3, keep_input=[True])


def boundaries_that_are_none(tf):
    tf.contrib.training.bucket_by_sequence_length(1, [tf.constant(1)], 2, [])


def a_single_boundary(tf):
    tf.contrib.training.bucket_by_sequence_length(1, [tf.constant(1)], 2, 3)


def boundaries_of_floats(tf):
    tf.contrib.training.bucket_by_sequence_length(1, [tf.constant(1)], 2, [1.0, 2.0])


def boundaries_that_fall(tf):
    tf.contrib.training.bucket_by_sequence_length(1, [tf.constant(1)], 2, [4, 2])


def rows_of_other_number(tf):
    tf.contrib.training.rejection_sample(
        [tf.zeros([3]), tf.zeros([4])], lambda x: 0.5, 2, enqueue_many=True
    )


def probabilities_of_other_number(tf):
    tf.contrib.training.stratified_sample([tf.zeros([])], 1, [0.5, 0.5], 2, [1.0])


def probabilities_of_unknown_number(tf):
    unknown = tf.placeholder(tf.float32, [None])
    tf.contrib.training.stratified_sample([tf.zeros([])], 1, unknown, 2)


def labels_of_a_matrix(tf):
    tf.contrib.training.stratified_sample([tf.zeros([])], [1], [0.5, 0.5], 2)
