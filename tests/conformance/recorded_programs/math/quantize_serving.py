"""Graphs rewritten for eight-bit serving, and one rewritten immediately for training, in a scope."""

import numpy as np

TOLERANCE = 2e-4  # a float32 network, whose last digits decide rounding


def model(tf, x, is_training):
    layers = tf.contrib.layers
    fused = {"normalizer_fn": layers.batch_norm,
             "normalizer_params": {"fused": True, "is_training": is_training, "scale": True}}  # fmt: skip
    plain = {"normalizer_fn": layers.batch_norm,
             "normalizer_params": {"fused": False, "is_training": is_training}}  # fmt: skip
    y = layers.conv2d(x, 4, 3, stride=2, scope="first", **fused)
    y = layers.separable_conv2d(y, None, 3, depth_multiplier=2, scope="deep", **fused)
    y = layers.conv2d(y, 4, 1, activation_fn=tf.identity, scope="plain", **plain)
    y = layers.fully_connected(layers.flatten(y), 5, scope="dense")
    return layers.fully_connected(y, 3, activation_fn=None, scope="logits")


def build(tf):
    x = tf.constant(np.random.RandomState(1).rand(2, 8, 8, 3).astype(np.float32), name="x")
    tf.set_random_seed(3)
    with tf.variable_scope("served", use_resource=False):
        served = model(tf, x, False)
    tf.contrib.quantize.create_eval_graph()
    with tf.variable_scope("trained"):
        trained = model(tf, x, True)
    tf.contrib.quantize.experimental_create_training_graph(scope="trained", activation_bits=6)
    slopes = tf.gradients(trained, tf.trainable_variables("trained"))
    ends = [v for v in tf.global_variables() if v.op.name.endswith(("/min", "/max"))]
    return {
        "facts": {
            "variables": [v.name for v in tf.global_variables()],
            "updates": [op.name for op in tf.get_collection(tf.GraphKeys.UPDATE_OPS)],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("served", served),
            ("trained", trained),
            ("slopes", slopes),
            ("ends", ends),
        ],
    }
