"""All scores, norms and decoders of a CRF: one step and more, static and unknown sizes, both tag dtypes."""

import numpy as np


def build(tf):
    crf = tf.contrib.crf
    random = np.random.RandomState(5)
    values = random.randn(2, 4, 3).astype("f")
    matrix = random.randn(3, 3).astype("f")
    transitions = tf.constant(matrix, name="transitions")
    fixed = tf.constant(values, name="fixed")
    unknown = tf.placeholder(tf.float32, [None, None, 3], name="unknown")
    lengths = tf.placeholder(tf.int64, [None], name="lengths")
    tags = tf.placeholder(tf.int64, [None, None], name="tags")
    single = tf.constant(values[:, :1], name="single")
    bitmap = tf.constant(random.rand(2, 4, 3) > 0.4, name="bitmap")
    few = tf.constant([2, 4], name="few")
    chosen = tf.constant([[0, 2, 1, 1], [2, 2, 0, 1]], name="chosen")
    scores = [
        crf.crf_sequence_score(fixed, chosen, few, transitions),
        crf.crf_unary_score(chosen, few, fixed),
        crf.crf_binary_score(chosen, few, transitions),
        crf.crf_log_norm(fixed, few, transitions),
        crf.crf_multitag_sequence_score(fixed, bitmap, few, transitions),
    ]
    singles = [
        crf.crf_sequence_score(single, chosen[:, :1], tf.constant([1, 0]), transitions),
        crf.crf_log_norm(single, tf.constant([1, 0]), transitions),
        crf.crf_multitag_sequence_score(single, bitmap[:, :1], tf.constant([1, 1]), transitions),
        crf.crf_decode(single, transitions, tf.constant([1, 1])),
    ]
    either = [
        crf.crf_sequence_score(unknown, tags, lengths, transitions),
        crf.crf_log_norm(unknown, lengths, transitions),
        crf.crf_decode(unknown, transitions, lengths),
    ]
    cell = crf.CrfForwardRnnCell(transitions)
    forward = crf.CrfDecodeForwardRnnCell(transitions)
    backward = crf.CrfDecodeBackwardRnnCell(3)
    cells = [
        cell(fixed[:, 0], fixed[:, 1]),
        forward(fixed[:, 0], fixed[:, 1]),
        backward(tf.constant([[0, 1, 2], [2, 1, 0]]), tf.constant([[2], [1]])),
    ]
    many = {unknown: values, lengths: [4, 2], tags: [[0, 2, 1, 1], [2, 2, 0, 1]]}
    one = {unknown: values[:, :1], lengths: [1, 0], tags: [[0], [2]]}
    slopes = tf.gradients([scores[3], scores[4]], [transitions])
    return {
        "steps": [
            ("scores", scores),
            ("singles", singles),
            ("many", either, many),
            ("one", either, one),
            ("cells", cells),
            ("slopes", slopes),
        ],
        "facts": {
            "sizes": [[str(c.state_size), str(c.output_size)] for c in (cell, forward, backward)]
        },
    }
