"""tf.contrib.nn: dropout for selu, sampled losses of single labels, losses with swapped arguments."""

import numpy as np


def build(tf):
    nn = tf.contrib.nn
    tf.set_random_seed(5)
    random = np.random.RandomState(0)
    x = tf.Variable(random.randn(4, 6).astype("f"))
    keep = tf.placeholder_with_default(np.float32(0.7), [])
    dropped = [
        nn.alpha_dropout(x, 0.5),
        nn.alpha_dropout(x, keep, seed=3, name="fed"),
        nn.alpha_dropout(x, keep_prob=0.8, noise_shape=[4, 1]),
        nn.alpha_dropout(tf.ones([2, 2], tf.float64), 0.9),
        nn.alpha_dropout(x, 1),
    ]
    labels = tf.constant([[1], [7], [3], [3]], tf.int64)
    weights = tf.Variable(random.randn(9, 6).astype("f"))
    biases = tf.Variable(random.randn(9).astype("f"))
    parts = [tf.Variable(random.randn(n, 6).astype("f")) for n in (5, 4)]
    chosen = tf.nn.uniform_candidate_sampler(labels, 1, 4, True, 9, seed=2)
    sampled = [
        nn.sampled_sparse_softmax_loss(weights, biases, labels, x, 4, 9),
        nn.sampled_sparse_softmax_loss(
            parts, biases, labels, x, 4, 9, chosen, False, "div", "mine"
        ),
    ]
    flipped = [
        nn.deprecated_flipped_softmax_cross_entropy_with_logits(x, tf.nn.softmax(x * x)),
        nn.deprecated_flipped_softmax_cross_entropy_with_logits(x, tf.ones([4, 6]), dim=0),
        nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(x, [0, 5, 2, 1]),
        nn.deprecated_flipped_sigmoid_cross_entropy_with_logits(x, tf.sigmoid(x), name="both"),
    ]
    more = [
        nn.nth_element(x, 2),
        nn.conv1d_transpose(tf.ones([1, 3, 2]), tf.ones([2, 4, 2]), [1, 6, 4], 2),
    ]
    grads = tf.gradients([dropped[0], *sampled], [x, weights, biases])
    grads = [tf.convert_to_tensor(grad) for grad in grads]
    return {
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("dropped", dropped),
            ("sampled", sampled),
            ("flipped", flipped),
            ("more", more),
            ("gradients", grads),
        ]
    }
