"""tf.contrib.layers on images: arg scopes, collections, normalizers, pools, a network trained for 20 steps."""

import numpy as np


def build(tf):
    tf.set_random_seed(3)
    layers, framework = tf.contrib.layers, tf.contrib.framework
    x = tf.placeholder(tf.float32, [6, 12, 12, 3], name="x")
    labels = tf.placeholder(tf.int32, [6], name="labels")
    training = tf.placeholder(tf.bool, [], name="training")
    convolutions = [layers.conv2d, layers.separable_conv2d, layers.conv2d_transpose]
    with framework.arg_scope(
        [*convolutions, layers.fully_connected],
        weights_regularizer=layers.l2_regularizer(0.01),
        variables_collections=["model"],
        outputs_collections="end_points",
    ) as scope:
        net = layers.conv2d(x, 4, [3, 3], scope="conv1")
        with framework.arg_scope([layers.max_pool2d, layers.avg_pool2d], padding="SAME"):
            net = layers.max_pool2d(net, [2, 2], scope="pool1")
        with framework.arg_scope(
            [layers.conv2d],
            normalizer_fn=layers.batch_norm,
            normalizer_params={"decay": 0.9, "is_training": True},
        ):
            net = layers.repeat(net, 2, layers.conv2d, 4, 3, scope="conv2")
            net = layers.conv2d(net, 5, [1, 3], stride=2, padding="VALID", activation_fn=tf.nn.elu)
        net = layers.separable_conv2d(net, 6, 3, depth_multiplier=2, scope="separable")
        net = layers.separable_conv2d(
            net, None, 3, activation_fn=None, biases_regularizer=tf.nn.l2_loss
        )
    with framework.arg_scope(scope):
        net = layers.conv2d_transpose(net, 4, 3, stride=2, biases_initializer=None)
        net = layers.conv2d_in_plane(net, [2, 1])
        net = layers.conv2d(net, 3, 3, rate=2, scope="dilated", trainable=False)
        net = layers.avg_pool2d(net, 2, stride=1, outputs_collections="end_points")
        net = layers.bias_add(net, activation_fn=tf.nn.relu, regularizer=tf.nn.l2_loss)
        net = layers.dropout(layers.flatten(net), 0.7, is_training=training, seed=2)
        net = layers.stack(net, layers.fully_connected, [7, 6], scope="fc")
        logits = layers.fully_connected(
            layers.dropout(net), 3, activation_fn=None, normalizer_fn=layers.layer_norm
        )
    one_hot = layers.one_hot_encoding(labels, 3)
    loss = tf.losses.softmax_cross_entropy(one_hot, logits) + tf.losses.get_regularization_loss()
    step = tf.train.get_or_create_global_step()
    train = layers.optimize_loss(
        loss,
        step,
        0.05,
        "Momentum",
        clip_gradients=2.0,
        gradient_multipliers={"conv1/weights:0": 0.5},
    )
    rng = np.random.RandomState(3)
    feed = {x: rng.randn(6, 12, 12, 3), labels: rng.randint(0, 3, 6), training: True}
    steps = [("initialize", tf.global_variables_initializer())]
    for number in range(20):
        steps.append((f"train {number}", train, feed))
    steps += [("logits", logits, {**feed, training: False}), ("step", step)]
    keys = ["model", "end_points", "model_variables", "update_ops", "trainable_variables"]
    facts = {key: [v.name for v in tf.get_collection(key)] for key in keys}
    named = tf.contrib.slim.utils.convert_collection_to_dict("end_points")
    facts["aliases"] = [[key, value.name] for key, value in named.items()]
    facts["regularized"] = [t.name for t in tf.get_collection("regularization_losses")]
    return {"facts": facts, "steps": steps}


TOLERANCE = 2e-3  # another summation order, over 20 steps
