"""tf.contrib.losses.metric_learning.cluster_loss: its five margins, with and without PAM iterations, gradients.

The reference needs scikit-learn for it, of 0.22 or later (the last for Python 3.7 will do).
"""

import warnings

import numpy as np

REPLAYABLE = False  # calls functions of this process


def build(tf):
    learning = tf.contrib.losses.metric_learning
    random = np.random.RandomState(3)
    labels = tf.constant([[0], [0], [1], [1], [2], [2], [2]], tf.int64)
    x = tf.get_variable("x", initializer=random.randn(7, 3).astype(np.float32))
    rows = tf.nn.l2_normalize(x, 1)
    made = [
        learning.cluster_loss(labels, rows, 1.0),
        learning.cluster_loss(labels, rows, 0.5, enable_pam_finetuning=False, margin_type="ami"),
        learning.cluster_loss(labels, rows, 2.0, False, "ari"),
        learning.cluster_loss(labels, rows, 1.0, False, "vmeasure"),
        learning.cluster_loss(labels, rows, 1.0, False, "const"),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # gradients of gathered rows become dense
        grads = tf.gradients(tf.add_n(made), x)
    return {
        "facts": {"shapes": [loss.shape.as_list() for loss in made]},
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("losses", made),
            ("gradients", grads),
            ("summaries", [s.op.inputs[1] for s in tf.get_collection(tf.GraphKeys.SUMMARIES)]),
        ],
    }
