"""Activations, biases, softmaxes and cross entropies with their gradients; dropout; l2_loss."""

import numpy as np

TOLERANCE = 1e-5


def build(tf):
    nn = tf.nn
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    k = tf.constant([[0.2, -0.4, 1.5], [-2.0, 7.0, 0.0]], name="k")
    b = tf.constant([0.1, 0.2, 0.3], name="b")
    image = tf.constant(np.arange(12).reshape(1, 2, 3, 2), tf.float32, name="image")
    ids = tf.constant([2, 0], name="ids")
    onehot = tf.constant([[0.0, 0.0, 1.0], [0.5, 0.5, 0.0]], name="onehot")
    keep = tf.placeholder_with_default(0.5, [], name="keep")
    plain = [
        "relu", "relu6", "elu", "selu", "crelu", "softplus", "softsign", "sigmoid", "tanh",
        "leaky_relu", "softmax", "log_softmax", "swish",
    ]  # fmt: skip
    made = [getattr(nn, name)(x) for name in plain]
    made += [
        nn.bias_add(x, b), nn.bias_add(image, [1.0, 2.0]),
        nn.relu_layer(x, tf.ones([3, 2]), [0.0, 1.0]), nn.xw_plus_b(x, tf.ones([3, 2]), [0.0, 1.0]),
        nn.softmax(k, axis=0), nn.log_softmax(k, 0), nn.softmax(tf.transpose(image, [0, 3, 1, 2])),
        nn.l2_loss(x), nn.leaky_relu(x, 0.5), nn.crelu(k, axis=0), tf.sigmoid(x), tf.log_sigmoid(x),
        nn.l2_normalize(x, 1), nn.softmax_cross_entropy_with_logits_v2(labels=onehot, logits=x),
        nn.softmax_cross_entropy_with_logits(labels=onehot, logits=x),
        nn.softmax_cross_entropy_with_logits_v2(onehot, x, axis=0),
        nn.sparse_softmax_cross_entropy_with_logits(labels=ids, logits=x),
        nn.sparse_softmax_cross_entropy_with_logits(labels=[[1], [2]], logits=x[:, tf.newaxis]),
        nn.sigmoid_cross_entropy_with_logits(labels=onehot, logits=x),
        nn.weighted_cross_entropy_with_logits(onehot, x, 2.0), nn.log_poisson_loss(onehot, x),
        nn.softmax_cross_entropy_with_logits_v2(labels=onehot[None], logits=x[None]),
        nn.softmax_cross_entropy_with_logits_v2(labels=onehot[0], logits=k[0]),
        nn.dropout(x, 0.5, seed=1), nn.dropout(x, keep), nn.dropout(x, rate=0.25),
        nn.dropout(x, 1.0), nn.dropout(x, 0.5, noise_shape=[2, 1], seed=3),
        nn.dropout(x, keep_prob=0.9, name="named"), nn.in_top_k(k, ids, 1), nn.top_k(k, 2)[0],
        nn.top_k(k)[1],
    ]  # fmt: skip
    floats = [t for t in made if t.dtype == tf.float32]
    gradients = [tf.gradients(t * t, [x])[0] for t in floats]  # gradients of plain sums are zero
    labels = tf.gradients(made[29], onehot)
    second = [
        tf.gradients(g * g, [x])[0]
        for t, g in zip(floats, gradients)
        if g is not None and not t.name.startswith(("Softsign", "Sparse"))
    ]
    nchw = nn.bias_add(tf.transpose(image, [0, 3, 1, 2]), [1.0, 2.0], data_format="NCHW")
    feed = {x: [[0.5, -1.5, 3.0], [-0.1, 0.0, 6.5]]}
    kept = [t for t in gradients + labels + second if t is not None]
    steps = [(f"{n} {t.name}", t, feed) for n, t in enumerate(made + kept)]
    facts = {"none": [g is None for g in gradients + second], "nchw": str(nchw.shape)}
    return {"facts": facts, "steps": steps}
