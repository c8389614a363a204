"""slim's residual networks: small ones with values, trained for some steps; large ones as graphs."""

import importlib

import numpy as np


def build(tf):
    tf.set_random_seed(2)
    slim = tf.contrib.slim
    nets = getattr(slim, "nets", None) or importlib.import_module("tensorflow.contrib.slim.nets")
    x = tf.placeholder(tf.float32, [2, 17, 17, 3], name="x")
    made, losses = [], []
    for version in (1, 2):
        module = getattr(nets, f"resnet_v{version}")
        network, block = (getattr(module, f"resnet_v{version}{end}") for end in ("", "_block"))
        blocks = [block("block1", 2, 2, 2), block("block2", 3, 2, 1), block("block3", 3, 1, 2)]
        with slim.arg_scope(module.resnet_arg_scope(batch_norm_decay=0.9)):
            name = f"small_v{version}"
            made.append(network(x, blocks, 5, scope=name))
            made.append(network(x, blocks, 5, is_training=False, reuse=True, scope=name))
            how = {"is_training": False, "global_pool": False, "output_stride": 4}
            made.append(network(x, blocks, reuse=True, scope=name, **how))
            made.append(network(x, blocks[:1], include_root_block=False, scope=f"bare_v{version}"))
        losses.append(tf.reduce_sum(tf.square(tf.squeeze(made[-4][0], [1, 2]) - [1.0, 0, 2, 0, 0])))
    loss = tf.add_n(losses) + tf.losses.get_regularization_loss()
    train = slim.learning.create_train_op(loss, tf.train.MomentumOptimizer(0.002, 0.9))
    initialize = tf.global_variables_initializer()
    images = tf.placeholder(tf.float32, [1, 224, 224, 3], name="images")
    with slim.arg_scope(nets.resnet_utils.resnet_arg_scope()):
        large = nets.resnet_v1.resnet_v1_50(images, 1000, is_training=False)
        other = nets.resnet_v2.resnet_v2_50(images, is_training=False, output_stride=8)
    rng = np.random.RandomState(5)
    feed = {x: rng.randn(2, 17, 17, 3)}
    steps = [("initialize", initialize), ("logits", [y for y, _ in made], feed)]
    for number in range(3):
        steps.append((f"train {number}", train, feed))
    steps.append(("after", [made[1][0], made[5][0]], feed))
    all_made = [*made, large, other]
    return {
        "facts": {
            "end points": [
                [[k, str(v.shape)] for k, v in points.items()] for _, points in all_made
            ],
            "logits": [[y.name, str(y.shape)] for y, _ in all_made],
        },
        "steps": steps,
    }


TOLERANCE = 2e-3  # another summation order, through many layers
