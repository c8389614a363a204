"""Layers on images: channels, ranks, formats, paddings, strides, rates that do not fit."""


def images(tf, shape=(2, 6, 6, 3), dtype="float32"):
    return tf.placeholder(dtype, shape, name="x")


def other_channels_at_the_second_call(tf):
    layer = tf.layers.Conv2D(2, 3, name="conv")
    layer(images(tf))
    return layer(tf.ones([2, 6, 6, 4]))


CASES = {
    "unknown_rank_into_conv2d": lambda tf: tf.layers.conv2d(images(tf, None), 2, 3),
    "causal_padding_of_images": lambda tf: tf.layers.conv2d(images(tf), 2, 3, padding="causal"),
    "unknown_format": lambda tf: tf.layers.conv2d(images(tf), 2, 3, data_format="NHWC"),
    "three_sizes": lambda tf: tf.layers.conv2d(images(tf), 2, [3, 3, 3]),
    "sizes_that_are_words": lambda tf: tf.layers.conv2d(images(tf), 2, ["a", "b"]),
    "unknown_activation": lambda tf: tf.layers.conv2d(images(tf), 2, 3, activation="rely"),
    "integers_into_conv2d": lambda tf: tf.layers.conv2d(images(tf, dtype="int32"), 2, 3),
    "no_such_argument": lambda tf: tf.layers.Conv2D(2, 3, filter=3),
    "reuse_of_nothing": lambda tf: tf.layers.conv2d(images(tf), 2, 3, name="conv", reuse=True),
    "pool_with_unknown_format": lambda tf: tf.layers.average_pooling2d(
        images(tf), 2, 2, data_format="first"
    ),
    "norm_over_an_axis_twice": lambda tf: tf.layers.batch_normalization(images(tf), axis=[1, -3]),
    "norm_of_integers": lambda tf: tf.layers.batch_normalization(images(tf, dtype="int32")),
    "virtual_batches_of_none": lambda tf: tf.layers.batch_normalization(
        images(tf), virtual_batch_size=0
    ),
    "virtual_batches_over_the_batch": lambda tf: tf.layers.batch_normalization(
        images(tf), axis=0, virtual_batch_size=2
    ),
    "training_that_is_a_number": lambda tf: tf.layers.dropout(images(tf), training=0.5),
    "flatten_in_another_format": lambda tf: tf.layers.flatten(images(tf), data_format="last"),
}
