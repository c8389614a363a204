"""A network rewritten for eight-bit training: fused and unfused batch normalization, bypasses, delays."""

import numpy as np

TOLERANCE = 2e-4  # a float32 network, whose last digits decide rounding


def build(tf):
    layers = tf.contrib.layers
    x = tf.constant(np.random.RandomState(1).rand(4, 8, 8, 3).astype(np.float32), name="x")
    tf.set_random_seed(3)
    # Moving averages remain constant: a step would read them while it updates them.
    norm = {"normalizer_fn": layers.batch_norm, "normalizer_params": {"decay": 1.0, "scale": True}}
    fused = {"normalizer_fn": layers.batch_norm,
             "normalizer_params": {"decay": 1.0, "fused": True, "updates_collections": None}}  # fmt: skip
    no_scale = {
        "normalizer_fn": layers.batch_norm,
        "normalizer_params": {"fused": False, "decay": 1.0},
    }
    y = layers.conv2d(x, 4, 3, activation_fn=tf.nn.relu6, scope="first", **norm)
    z = layers.conv2d(y, 4, 3, scope="second", **fused)
    y = layers.separable_conv2d(
        z, None, 3, depth_multiplier=1, activation_fn=tf.nn.relu6, scope="deep", **no_scale)  # fmt: skip
    y = layers.separable_conv2d(
        y, None, 3, depth_multiplier=1, rate=2, scope="wide", **fused)  # fmt: skip
    w = layers.conv2d(y, 4, 1, activation_fn=None, scope="linear")
    y = tf.nn.relu(w + z, name="joined")
    late = layers.conv2d(y, 4, 1, scope="late") + y
    y = tf.reduce_mean(late * 0.5, axis=[1, 2])
    y = layers.fully_connected(y, 5, scope="dense", **norm)
    logits = layers.fully_connected(y, 3, activation_fn=None, scope="logits")
    labels = tf.constant([0, 2, 1, 1])
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    tf.contrib.quantize.experimental_create_training_graph(
        quant_delay=1, freeze_bn_delay=2, weight_bits=7, symmetric=True)  # fmt: skip
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.control_dependencies(updates):
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    try:
        tf.contrib.quantize.create_eval_graph()
    except ValueError as error:
        refused = str(error)
    ends = [v for v in tf.global_variables() if v.op.name.endswith(("/min", "/max"))]
    step = tf.get_default_graph().get_tensor_by_name("fake_quantization_step/read:0")
    return {
        "facts": {
            "refused": refused,
            "variables": [v.name for v in tf.global_variables()],
            "trained": [v.name for v in tf.trainable_variables()],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("train", [loss, train]),
            ("ends", ends),
            ("again", [loss, train]),
            ("frozen", [loss, train]),
            ("step", step),
        ],
    }
