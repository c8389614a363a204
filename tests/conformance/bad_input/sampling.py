"""Candidate samplers and sampled losses: shapes, counts and ranges that do not fit, what is missing."""

import numpy as np


def classes(tf, columns=1):
    return tf.constant(np.arange(3 * columns).reshape(3, columns), tf.int64, name="classes")


def free(tf, name):
    return tf.placeholder(tf.int64, name=name)


def unigrams_and_a_file(tf):
    options = {"vocab_file": "words.txt", "unigrams": [1.0, 2.0]}
    return list(tf.nn.fixed_unigram_candidate_sampler(classes(tf), 1, 2, True, 2, **options))


def hits_of_a_vector_when_run(tf):
    hits = tf.nn.compute_accidental_hits(free(tf, "classes"), tf.constant([1], tf.int64), 1)
    return list(hits), {"classes:0": [1]}


def tables(tf, rows=10, width=4):
    return tf.ones([rows, width], name="weights"), tf.zeros([rows], name="biases")


def labels_that_are_a_vector(tf):
    weights, biases = tables(tf)
    return tf.nn.nce_loss(weights, biases, tf.constant([1, 2]), tf.ones([2, 4]), 3, 10)


def unknown_partition_strategy(tf):
    weights, biases = tables(tf)
    labels = tf.constant([[1], [2]])
    halves = tf.split(weights, 2)
    return tf.nn.nce_loss(halves, biases, labels, tf.ones([2, 4]), 3, 10, partition_strategy="rows")


CASES = {
    "more_sampled_than_there_are": lambda tf: list(
        tf.nn.uniform_candidate_sampler(classes(tf), 1, 11, True, 10)
    ),
    "classes_that_are_a_vector": lambda tf: list(
        tf.nn.uniform_candidate_sampler(tf.constant([1], tf.int64), 1, 3, True, 10)
    ),
    "classes_that_are_a_vector_when_run": lambda tf: (
        list(tf.nn.log_uniform_candidate_sampler(free(tf, "classes"), 1, 3, True, 10)),
        {"classes:0": [1]},
    ),
    "another_number_of_columns": lambda tf: list(
        tf.nn.learned_unigram_candidate_sampler(classes(tf, 2), 1, 3, True, 10)
    ),
    "classes_of_int32": lambda tf: list(
        tf.nn.uniform_candidate_sampler(tf.constant([[1]]), 1, 3, True, 10)
    ),
    "negative_shard": lambda tf: list(
        tf.nn.fixed_unigram_candidate_sampler(
            classes(tf), 1, 2, True, 2, shard=-1, unigrams=[1.0, 2.0]
        )
    ),
    "weights_that_are_no_numbers": lambda tf: list(
        tf.nn.fixed_unigram_candidate_sampler(classes(tf), 1, 2, True, 2, unigrams=["a", "b"])
    ),
    "hits_among_a_matrix": lambda tf: list(
        tf.nn.compute_accidental_hits(classes(tf), classes(tf), 1)
    ),
    "hits_of_another_number": lambda tf: list(
        tf.nn.compute_accidental_hits(classes(tf), tf.constant([1], tf.int64), 2)
    ),
    "average_of_a_scalar": lambda tf: tf.nn.compute_average_loss(tf.constant(1.0)),
    "average_with_weights_that_do_not_fit": lambda tf: tf.nn.compute_average_loss(
        tf.ones([3]), tf.ones([2])
    ),
}
