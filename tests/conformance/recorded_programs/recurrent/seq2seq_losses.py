"""sequence_loss in all its averages, hardmax, cumulative products, monotonic attention, trees of beams."""

import numpy as np


def build(tf):
    s2s = tf.contrib.seq2seq
    random = np.random.RandomState(2)
    logits = tf.get_variable("logits", initializer=random.randn(2, 3, 4).astype("f"))
    targets = tf.constant([[1, 2, 0], [3, 3, 1]])
    weights = tf.constant([[1.0, 1.0, 0.5], [1.0, 0.0, 0.0]])
    plain = {"average_across_timesteps": False, "average_across_batch": False}
    losses = [
        s2s.sequence_loss(logits, targets, weights),
        s2s.sequence_loss(logits, targets, weights, average_across_batch=False),
        s2s.sequence_loss(
            logits, targets, weights, average_across_timesteps=False, name="over_batch"
        ),
        s2s.sequence_loss(logits, targets, weights, name="none", **plain),
        s2s.sequence_loss(logits, targets, weights, False, False, True, True),
        s2s.sequence_loss(logits, targets, weights, False, False, True, False),
        s2s.sequence_loss(logits, targets, weights, False, False, False, True),
        s2s.sequence_loss(
            logits,
            tf.cast(targets, tf.int64),
            weights,
            softmax_loss_function=lambda labels, logits: (
                tf.reduce_sum(logits, 1) * tf.cast(labels, tf.float32)
            ),
        ),
    ]
    slopes = tf.gradients(losses[0], logits)
    scores = tf.constant(random.randn(2, 5).astype("f"))
    unknown = tf.placeholder(tf.float32, [None, None], name="unknown")
    p = tf.sigmoid(scores)
    last = tf.constant([[1.0, 0, 0, 0, 0], [0.1, 0.4, 0.5, 0, 0]])
    attention = [
        s2s.hardmax(scores),
        s2s.hardmax(unknown, name="hard"),
        s2s.safe_cumprod(p, axis=1, exclusive=True),
        s2s.monotonic_attention(p, last, "parallel"),
        s2s.monotonic_attention(p, last, "recursive"),
        s2s.monotonic_attention(unknown, last, "recursive"),
        s2s.monotonic_attention(tf.round(p), last, "hard"),
    ]
    of_attention = tf.gradients(attention[3:5], [scores])
    tree = s2s.gather_tree(
        [[[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]]], [[[0, 0, 0]], [[0, 1, 1]], [[2, 1, 2]]], [3], 10
    )
    tiled = s2s.tile_batch([tf.constant([[1, 2], [3, 4]]), (unknown, targets)], 3)
    return {
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("losses", losses),
            ("slopes", slopes),
            (
                "attention",
                attention,
                {unknown: [[0.1, 0.9, 0.5, 0.2, 0.3], [0.4, 0.3, 0.1, 0.9, 0.8]]},
            ),
            ("of_attention", of_attention),
            ("tree", tree),
            ("tiled", [tiled[0], tiled[1][0], tiled[1][1]], {unknown: [[1.0], [2.0]]}),
        ]
    }
