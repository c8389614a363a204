"""tf.contrib.layers: convolutions and pooling with rare arguments."""

import numpy as np

from tests.conformance.scenes.contrib_layers import _IMAGES, _each

_VOLUMES = (np.arange(162, dtype=np.float32).reshape(2, 3, 3, 3, 3) % 5) / 10


def images(tf, stage):
    of = tf.contrib.layers
    x = lambda: tf.constant(_IMAGES)  # noqa: E731
    volume = lambda: tf.constant(_VOLUMES)  # noqa: E731
    half = tf.constant_initializer(0.5)
    l2 = of.l2_regularizer(0.1)
    kernel = {"weights_initializer": half}
    _each(
        tf,
        stage,
        {
            "conv_options": lambda: of.conv2d(
                x(),
                2,
                [3, 2],
                [1, 2],
                "VALID",
                activation_fn=tf.tanh,
                weights_regularizer=l2,
                biases_regularizer=l2,
                outputs_collections="o",
                scope="s",
                trainable=False,
                **kernel,
            ),
            "conv_rate": lambda: of.conv2d(x(), 2, 2, rate=2, biases_initializer=None, **kernel),
            "conv_normalized": lambda: of.conv2d(
                x(), 2, 2, normalizer_fn=of.layer_norm, normalizer_params={"scale": False}, **kernel
            ),
            "conv_format_1d": lambda: of.conv1d(tf.ones([1, 4, 3]), 2, 2, data_format="NHWC"),
            "conv_padding": lambda: of.conv2d(x(), 2, 2, padding="none"),
            "conv_3d": lambda: of.conv3d(volume(), 2, 2, 2, **kernel),
            "plane": lambda: of.conv2d_in_plane(x(), [2, 2], 1, "VALID", scope="p", **kernel),
            "plane_options": lambda: of.conv2d_in_plane(
                x(),
                2,
                [2, 2],
                activation_fn=None,
                biases_initializer=None,
                weights_regularizer=l2,
                variables_collections=["v"],
                outputs_collections="o",
            ),
            "plane_normalized": lambda: of.conv2d_in_plane(x(), 2, normalizer_fn=of.instance_norm),
            "transpose_valid": lambda: of.conv2d_transpose(
                x(),
                2,
                [2, 3],
                padding="VALID",
                activation_fn=None,
                biases_initializer=None,
                scope="t",
                **kernel,
            ),
            "transpose_3d_format": lambda: of.conv3d_transpose(volume(), 1, 2, data_format="NHWC"),
            "separable_depth": lambda: of.separable_conv2d(
                x(),
                None,
                [2, 3],
                2,
                [2, 2],
                "VALID",
                activation_fn=None,
                weights_regularizer=l2,
                scope="s",
                **kernel,
            ),
            "pool_format": lambda: of.max_pool2d(x(), 2, data_format="none"),
            "means_format": lambda: of.avg_pool2d(x(), 2, data_format="none"),
            "gdn_first": lambda: of.gdn(tf.ones([1, 3, 2, 2]), data_format="channels_first"),
            "gdn_format": lambda: of.gdn(x(), data_format="none"),
        },
    )
