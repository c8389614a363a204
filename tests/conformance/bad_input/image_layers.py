"""Image layers: mismatched channels, ranks, formats, paddings, strides, rates."""


def images(tf, shape=(2, 6, 6, 3), dtype="float32"):
    return tf.placeholder(dtype, shape, name="x")


def other_channels_at_the_second_call(tf):
    layer = tf.layers.Conv2D(2, 3, name="conv")
    layer(images(tf))
    return layer(tf.ones([2, 6, 6, 4]))
