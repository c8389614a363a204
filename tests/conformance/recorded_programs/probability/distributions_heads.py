"""A `contrib.learn` head whose logits parametrize a distribution of the label."""

import numpy as np


def build(tf):
    c = tf.contrib.distributions

    def normal(logits):
        return c.Normal(logits[..., :1], tf.nn.softplus(logits[..., 1:]) + 0.1)

    x = tf.placeholder(tf.float32, [None, 3], name="x")
    labels = tf.placeholder(tf.float32, [None, 1], name="labels")
    mode = tf.contrib.learn.ModeKeys.TRAIN
    head = c.estimator_head_distribution_regression(
        normal, logits_dimension=2, weight_column_name="weight", head_name="normals"
    )
    features = {"x": x, "weight": tf.constant([1.0, 2.0, 0.5])}

    def train_op_fn(loss):
        return tf.train.GradientDescentOptimizer(0.1).minimize(loss)

    tf.set_random_seed(4)
    start = tf.constant_initializer(np.linspace(-0.5, 0.5, 6).reshape([3, 2]))
    with tf.variable_scope("model", initializer=start):
        logits = tf.layers.dense(
            x, 2, kernel_initializer=start, bias_initializer=tf.zeros_initializer()
        )
        made = head.create_model_fn_ops(features, mode, labels, train_op_fn, logits=logits)
    values = [made.loss, made.predictions["scores"]]
    rows = np.float32([[1.0, 0.5, -1.0], [0.0, 2.0, 0.3], [0.7, -0.2, 1.0]])
    feed = {x: rows, labels: [[1.0], [0.5], [-2.0]]}
    steps = [("init", tf.global_variables_initializer())]
    for k in range(2):
        steps += [(f"values {k}", values, feed), (f"train {k}", [made.train_op], feed)]
    return {"facts": {"made": len(head.distributions)}, "steps": steps}
