"""tf.layers.dense and Dense: ranks, activations, regularizers, constraints, reuse, sparse inputs, training."""

import numpy as np


def build(tf):
    layers = tf.layers
    x = tf.placeholder(tf.float32, [None, 6], name="x")
    cube = tf.placeholder(tf.float32, [2, None, 6], name="cube")
    l2 = tf.contrib.layers.l2_regularizer(0.1)
    hidden = layers.dense(
        x,
        5,
        tf.nn.relu,
        kernel_regularizer=l2,
        bias_regularizer="l1_l2",
        activity_regularizer=lambda y: 0.01 * tf.reduce_sum(tf.square(y)),
        kernel_constraint="max_norm",
        bias_constraint=lambda b: tf.clip_by_value(b, -0.1, 0.1),
    )
    hidden = layers.dense(hidden, units=4, activation="tanh", use_bias=False, name="second")
    shared = layers.dense(cube, 3, kernel_initializer="he_normal", name="shared")
    layer = layers.Dense(
        3, bias_initializer=tf.constant_initializer(0.5), _scope="shared", _reuse=True
    )
    outputs = [hidden, shared, layer(cube + 1.0), layer(tf.reshape(cube, [-1, 6]))]
    for name in (
        "elu",
        "selu",
        "softmax",
        "hard_sigmoid",
        "softsign",
        "exponential",
        "softplus",
        "linear",
        "sigmoid",
    ):
        outputs.append(layers.dense(x, 2, name, name=name))
    outputs.append(layers.dense(cube, 2, "softmax"))
    for name in (
        "uniform",
        "normal",
        "truncated_normal",
        "lecun_uniform",
        "orthogonal",
        "identity",
        "ones",
    ):
        outputs.append(layers.dense(x, 2, kernel_initializer=name, name="from_" + name))
    with tf.variable_scope("wide", initializer=tf.ones_initializer(), dtype=tf.float64):
        outputs.append(layers.dense(tf.cast(x, tf.float64), 2, kernel_constraint="unit_norm"))
    sparse = layers.Dense(2, kernel_constraint="min_max_norm", name="sparse")
    outputs.append(sparse(tf.SparseTensor([[0, 1], [1, 5]], [1.0, -2.0], [2, 6])))
    logits = layers.dense(hidden, 3, kernel_constraint={"class_name": "NonNeg", "config": {}})
    labels = tf.placeholder(tf.int32, [None], name="labels")
    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )
    loss += tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
    loss += tf.reduce_sum(outputs[-1]) * 0.1
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
    rng = np.random.RandomState(3)
    feed = {x: rng.randn(8, 6), labels: rng.randint(0, 3, 8), cube: rng.randn(2, 3, 6)}
    steps = [("initialize", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    for number in range(4):
        steps += [(f"train {number}", train, feed), (f"loss {number}", loss, feed)]
    steps.append(("weights", tf.trainable_variables()))
    facts = {
        "config": layer.get_config(),
        "shape": layer.compute_output_shape([None, 4, 6]).as_list(),
        "weights": [v.name for v in sparse.weights],
        "kernel": sparse.kernel.name,
        "spec": repr(sparse.input_spec),
        "losses": [t.name for t in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)],
    }
    return {"facts": facts, "steps": steps}
