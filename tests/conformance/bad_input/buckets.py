"""Buckets and samples with sizes, boundaries and probabilities that make no sense."""


def probabilities_of_unknown_number(tf):
    unknown = tf.placeholder(tf.float32, [None])
    tf.contrib.training.stratified_sample([tf.zeros([])], 1, unknown, 2)


CASES = {
    "as_many_sizes": lambda tf: tf.contrib.training.bucket([tf.constant(1)], 0, [1, 2], 3),
    "nothing_in_a_bucket": lambda tf: tf.contrib.training.bucket([], 0, 2, 3),
    "rank_that_is_unknown": lambda tf: tf.contrib.training.bucket(
        [tf.placeholder(tf.float32)], 0, 2, 3
    ),
    "a_vector_that_is_kept": lambda tf: tf.contrib.training.bucket(
        [tf.constant(1)], 0, 2, 3, keep_input=[True]
    ),
    "boundaries_that_are_none": lambda tf: tf.contrib.training.bucket_by_sequence_length(
        1, [tf.constant(1)], 2, []
    ),
    "a_single_boundary": lambda tf: tf.contrib.training.bucket_by_sequence_length(
        1, [tf.constant(1)], 2, 3
    ),
    "boundaries_of_floats": lambda tf: tf.contrib.training.bucket_by_sequence_length(
        1, [tf.constant(1)], 2, [1.0, 2.0]
    ),
    "rows_of_other_number": lambda tf: tf.contrib.training.rejection_sample(
        [tf.zeros([3]), tf.zeros([4])], lambda x: 0.5, 2, enqueue_many=True
    ),
    "labels_of_a_matrix": lambda tf: tf.contrib.training.stratified_sample(
        [tf.zeros([])], [1], [0.5, 0.5], 2
    ),
}
