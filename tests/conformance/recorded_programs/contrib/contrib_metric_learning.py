"""tf.contrib.losses.metric_learning: pairs, triplets, shared labels, gradients."""

import numpy as np


def build(tf):
    learning = tf.contrib.losses.metric_learning
    rng = np.random.RandomState(3)
    one = tf.get_variable("one", initializer=rng.randn(6, 4).astype(np.float32))
    other = tf.get_variable("other", initializer=rng.randn(6, 4).astype(np.float32))
    labels = tf.placeholder(tf.int32, [None], name="labels")
    tags = [[0, 2], [1], [0], [2, 3], [1, 3], [0]]
    sparse = [
        tf.SparseTensor([[t] for t in each], tf.constant([1] * len(each), tf.int64), [4])
        for each in tags
    ]
    made = [
        learning.contrastive_loss(tf.cast(labels < 1, tf.int32), one, other),
        learning.contrastive_loss(tf.cast(labels < 1, tf.float32), one, other, margin=3.0),
        learning.triplet_semihard_loss(labels, tf.nn.l2_normalize(one, 1)),
        learning.triplet_semihard_loss(labels, one, margin=0.25),
        learning.npairs_loss(labels, one, other),
        learning.npairs_loss(labels, one, other, reg_lambda=0.5),
        learning.lifted_struct_loss(labels, one),
        learning.lifted_struct_loss(labels, other, margin=2.0),
        learning.npairs_loss_multilabel(sparse, one, other),
    ]
    grads = [g for loss in made for g in tf.gradients(loss, [one, other]) if g is not None]
    feed = {labels: [0, 1, 0, 2, 1, 0]}
    return {
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("losses", made, feed),
            ("gradients", grads, feed),
        ]
    }
