"""Moments, norms, zero fractions, relu_layer and xw_plus_b; cross entropies in half precision and of more axes."""

import numpy as np


def build(tf):
    nn = tf.nn
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    cube = tf.constant(np.linspace(-2.0, 3.0, 24).reshape(2, 3, 4), tf.float32, name="cube")
    half = tf.constant([[0.5, -1.0], [2.0, 0.25]], tf.float16, name="half")
    weights = tf.constant([[1.0], [3.0]], name="weights")
    labels = tf.constant([[0.2, 0.8], [1.0, 0.0]], tf.float16, name="labels")
    made = [
        *nn.moments(cube, [0, 1]), *nn.moments(x, [0], keep_dims=True), *nn.moments(half, [0]),
        *nn.moments(cube, [2], keepdims=True, name="named"),
        *nn.weighted_moments(cube[:, :, 0], [0], weights),
        *nn.weighted_moments(half, [1], 2.0, keep_dims=True),
        *nn.sufficient_statistics(cube, [0, 2])[:3],
        *nn.normalize_moments(*nn.sufficient_statistics(x, [0], shift=1.0, keep_dims=True)),
        nn.l2_normalize(cube, axis=2), nn.l2_normalize(x, [0, 1]),
        nn.l2_normalize(cube, dim=1, epsilon=0.5), nn.zero_fraction(nn.relu(x)),
        nn.zero_fraction([1, 0, 0], name="zeros"),
        nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=half),
        nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0], logits=half),
        nn.sparse_softmax_cross_entropy_with_logits(labels=[[0, 1, 2], [3, 0, 0]], logits=cube),
        nn.softmax_cross_entropy_with_logits_v2(labels=nn.softmax(cube, 1), logits=cube, dim=1),
        nn.softmax_cross_entropy_with_logits(labels=nn.softmax(cube), logits=cube, name="old"),
        nn.log_poisson_loss([[0.0, 1.0, 4.0], [2.0, 0.5, 3.0]], x, compute_full_loss=True),
        nn.relu_layer(x, tf.ones([3, 1]), [0.5], name="layer"),
        nn.xw_plus_b(x, tf.ones([3, 1]), [0.5], name="xw"),
        nn.bias_add(cube, [1.0, 2.0, 3.0], data_format="NCW"), nn.leaky_relu([1, -2]),
        nn.softplus(cube), nn.crelu(half, name="both"), nn.top_k(cube, 2, name="top")[0],
    ]  # fmt: skip
    total = tf.add_n([tf.reduce_sum(tf.cast(t, tf.float32) ** 2) for t in made])
    gradients = tf.gradients(total, [x, cube, half, weights])
    feed = {x: [[0.5, -1.5, 3.0], [-0.1, 0.0, 6.5]]}
    steps = [(f"{n} {t.name}", t, feed) for n, t in enumerate(made)]
    return {"steps": steps + [("gradients", gradients, feed)]}
