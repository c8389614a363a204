"""Candidate samplers and sampled losses: mismatched shapes, counts and ranges, missing arguments."""

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
