"""ctc_loss_v2 with dense and sparse labels, its gradient; collapsed labels, unique labels."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    random = np.random.RandomState(6)
    logits = tf.get_variable("logits", initializer=random.randn(6, 3, 5).astype("f"))
    labels = tf.constant([[1, 2, 2], [3, 0, 0], [4, 1, 0]], name="labels")
    label_length = tf.constant([3, 1, 2])
    logit_length = tf.constant([6, 3, 5])
    dense = tf.nn.ctc_loss_v2(labels, logits, label_length, logit_length)
    slope = tf.gradients(dense, logits)
    unique = tf.nn.ctc_unique_labels(labels)
    thrifty = tf.nn.ctc_loss_v2(labels, logits, label_length, logit_length, unique=unique)
    by_batch = tf.transpose(logits, [1, 0, 2])
    moved = tf.nn.ctc_loss_v2(
        labels,
        by_batch,
        label_length,
        logit_length,
        logits_time_major=False,
        blank_index=-1,
        name="moved",
    )
    rows = tf.where(tf.sequence_mask(label_length, 3))
    sparse = tf.SparseTensor(rows, tf.gather_nd(labels, rows), [3, 3])
    sparse_losses = [
        tf.nn.ctc_loss_v2(sparse, logits, None, logit_length, blank_index=0),
        tf.nn.ctc_loss_v2(sparse, by_batch, None, logit_length, False, blank_index=-5),
    ]
    ids = tf.placeholder(tf.int64, [None, None], name="ids")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    collapsed = [
        tf.nn.collapse_repeated(labels, label_length),
        tf.nn.collapse_repeated(ids, lengths, name="fed"),
    ]
    fed = {ids: [[5, 5, 7, 7, 5], [1, 2, 3, 4, 5]], lengths: [5, 4]}
    return {
        "steps": [
            ("init", tf.global_variables_initializer()),
            ("dense", [dense, slope]),
            ("thrifty", [unique, thrifty, tf.gradients(thrifty, logits)]),
            ("moved", [moved, tf.gradients(moved, logits)]),
            ("sparse", [sparse_losses, tf.gradients(sparse_losses, logits)]),
            ("collapsed", collapsed, fed),
            ("distinct", tf.nn.ctc_unique_labels(ids), fed),
        ]
    }
