"""Convolutional layers: one and three axes, dilated, causal, separable, transposed; called twice; trained."""

import numpy as np


def build(tf):
    layers = tf.layers
    steps = tf.placeholder(tf.float32, [2, 9, 3], name="steps")
    images = tf.placeholder(tf.float32, [2, 6, 7, 3], name="images")
    anything = tf.placeholder(tf.float32, [None, None, None, 3], name="anything")
    volumes = tf.placeholder(tf.float32, [2, 4, 5, 4, 2], name="volumes")
    relu = tf.nn.relu
    dilated = layers.Conv2D(2, 3, padding="same", dilation_rate=(2, 1), name="dilated")
    apart = layers.Conv2D(2, 2, dilation_rate=2, use_bias=False)
    separable = layers.SeparableConv2D(4, 3, depth_multiplier=2, padding="same", activation=relu)
    transposed = layers.Conv2DTranspose(2, 3, strides=(2, 1), padding="same", activation="tanh")
    outputs = [
        layers.conv1d(steps, 4, 3, activation=relu),
        layers.conv1d(steps, 2, 3, strides=2, padding="same", use_bias=False, name="strided"),
        layers.conv1d(steps, 2, 2, padding="causal", dilation_rate=2),
        layers.conv1d(steps, 2, 3, dilation_rate=3, padding="same", name="dilated_1d"),
        dilated(images),
        dilated(images * 0.5),
        layers.conv2d(anything, 2, 3, dilation_rate=2, padding="same"),
        apart(images),
        separable(images),
        separable(anything),
        layers.separable_conv2d(
            images, 2, 2, strides=2, use_bias=False, pointwise_regularizer="l2"
        ),
        layers.separable_conv2d(images, 2, 2, dilation_rate=2, depthwise_constraint="unit_norm"),
        layers.separable_conv1d(steps, 3, 3, strides=2, activation="elu"),
        layers.separable_conv1d(steps, 3, 2, padding="causal", name="causal"),
        transposed(images),
        transposed(anything),
        layers.conv2d_transpose(images, 3, (2, 3), strides=3),
        layers.conv3d(volumes, 3, 2, activation=relu),
        layers.conv3d(volumes, 2, (2, 3, 2), strides=(1, 2, 1), padding="same", use_bias=False),
        layers.conv3d_transpose(volumes, 2, 2, strides=2),
        layers.conv3d_transpose(volumes, 2, 3, padding="same", activation=relu, name="same"),
        layers.max_pooling1d(steps, 2, 2),
        layers.average_pooling1d(steps, 3, 1, padding="same"),
    ]
    loss = tf.add_n([tf.reduce_mean(tf.square(y)) for y in outputs])
    loss += tf.losses.get_regularization_loss()
    train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)
    with tf.name_scope(
        "channels_first"
    ):  # few of them have CPU kernels: only their graph is compared
        first = tf.transpose(steps, [0, 2, 1])
        turned = tf.transpose(images, [0, 3, 1, 2])
        volume = tf.transpose(volumes, [0, 4, 1, 2, 3])
        how = {"data_format": "channels_first"}
        graph = [
            layers.conv1d(first, 2, 3, **how),
            layers.conv2d(turned, 2, 3, **how),
            layers.conv2d(turned, 2, 3, dilation_rate=2, padding="same", **how),
            layers.conv3d(volume, 2, 2, **how),
            layers.conv3d_transpose(volume, 2, 3, strides=2, **how),
            layers.separable_conv2d(turned, 2, 3, **how),
            layers.separable_conv1d(first, 2, 3, **how),
            layers.average_pooling2d(turned, 2, 2, **how),
        ]
    rng = np.random.RandomState(8)
    feed = {t: rng.randn(2, *t.shape.as_list()[1:]) for t in (steps, images, volumes)}
    feed[anything] = rng.randn(1, 5, 6, 3)
    run = [("initialize", tf.global_variables_initializer()), ("outputs", outputs, feed)]
    for number in range(3):
        run += [(f"train {number}", train, feed), (f"loss {number}", loss, feed)]
    run.append(("weights", tf.trainable_variables()))
    shape = [None, 8, 9, 3]
    return {
        "facts": {
            "configs": [layer.get_config() for layer in (separable, transposed)],
            "shapes": [
                str(layer.compute_output_shape(shape)) for layer in (dilated, separable, transposed)
            ],
            "static": [str(y.shape) for y in [*outputs, *graph]],
        },
        "steps": run,
    }


TOLERANCE = 1e-4  # another summation order in convolutions
