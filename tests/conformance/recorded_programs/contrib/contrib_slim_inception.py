"""slim's Inception networks: all versions as graphs, narrow blocks with values, trained."""

import importlib

import numpy as np


def build(tf):
    tf.set_random_seed(4)
    slim = tf.contrib.slim
    nets = getattr(slim, "nets", None) or importlib.import_module("tensorflow.contrib.slim.nets")
    inception = nets.inception
    x = tf.placeholder(tf.float32, [2, 32, 32, 3], name="x")
    narrow = {"min_depth": 2, "depth_multiplier": 0.1}
    with slim.arg_scope(inception.inception_v3_arg_scope(batch_norm_decay=0.9)):
        mixed, points = inception.inception_v2_base(x, "Mixed_3c", scope="v2", **narrow)
        logits = slim.conv2d(mixed, 3, [4, 4], padding="VALID", activation_fn=None)
    loss = tf.reduce_mean(tf.square(logits - 1.0)) + tf.losses.get_regularization_loss()
    train = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.01))
    initialize = tf.global_variables_initializer()
    made = []
    with slim.arg_scope(inception.inception_v1_arg_scope()):
        made.append(inception.inception_v1(tf.ones([2, 224, 224, 3]), 10))
    with slim.arg_scope(inception.inception_v2_arg_scope()):
        made.append(inception.inception_v2(tf.ones([2, 150, 150, 3]), spatial_squeeze=False))
    with slim.arg_scope(inception.inception_v3_arg_scope()):
        made.append(inception.inception_v3(tf.ones([2, 299, 299, 3]), 7))
    rng = np.random.RandomState(5)
    feed = {x: rng.randn(2, 32, 32, 3)}
    steps = [("initialize", initialize), ("values", [*points.values(), logits], feed)]
    for number in range(3):
        steps.append((f"train {number}", train, feed))
    return {
        "facts": {
            "end points": [[[k, str(v.shape)] for k, v in found.items()] for _, found in made],
            "moving": [v.name for v in tf.get_collection("moving_vars")],
            "logits": [[y.name, str(y.shape)] for y, _ in made],
        },
        "steps": steps,
    }


TOLERANCE = 2e-3  # another summation order, through many layers
