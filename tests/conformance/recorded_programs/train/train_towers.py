"""Towers with shared variables: name scopes, reuse, averaged gradients, one apply_gradients."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(4)
    data = [rng.randn(6, 3).astype(np.float32) for _ in range(2)]
    step = tf.get_variable("global_step", [], tf.int64, tf.zeros_initializer(), trainable=False)
    optimizer = tf.train.GradientDescentOptimizer(0.05)

    def average(tower_gradients):
        result = []
        for pairs in zip(*tower_gradients):
            gradients = [tf.expand_dims(g, 0) for g, _ in pairs]
            mean = tf.reduce_mean(tf.concat(axis=0, values=gradients), 0)
            result.append((mean, pairs[0][1]))
        return result

    towers, inputs = [], []
    with tf.device("/cpu:0"):
        for k in range(2):
            with tf.device("/device:CPU:0"), tf.name_scope(f"tower_{k}") as scope:
                x = tf.placeholder(tf.float32, [None, 3], name="x")
                with tf.variable_scope("model"):
                    w = tf.get_variable("w", [3, 1])
                    b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
                out = tf.nn.elu(tf.matmul(x, w) + b)
                loss = tf.reduce_mean(tf.square(out - 1.0))
                tf.add_to_collection("losses", loss)
                tf.get_variable_scope().reuse_variables()
                towers.append(optimizer.compute_gradients(loss))
                inputs.append(x)
                own = tf.get_collection("losses", scope)
        train = optimizer.apply_gradients(average(towers), global_step=step)
    losses = tf.get_collection("losses")
    feed = dict(zip(inputs, data))
    steps = [("init", tf.global_variables_initializer())]
    steps += [(f"train {k}", [train, losses], feed) for k in range(5)]
    facts = {"own": [t.name for t in own], "losses": [t.name for t in losses]}
    return {"facts": facts, "steps": steps + [("end", [w, b, step])]}
