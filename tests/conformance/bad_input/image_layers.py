"""Layers on images: channels, ranks, formats, paddings, strides, rates that do not fit."""


def images(tf, shape=(2, 6, 6, 3), dtype="float32"):
    return tf.placeholder(dtype, shape, name="x")


def vectors_into_conv2d(tf):
    return tf.layers.conv2d(images(tf, [2, 6]), 2, 3)


def unknown_rank_into_conv2d(tf):
    return tf.layers.conv2d(images(tf, None), 2, 3)


def other_channels_at_the_second_call(tf):
    layer = tf.layers.Conv2D(2, 3, name="conv")
    layer(images(tf))
    return layer(tf.ones([2, 6, 6, 4]))


def other_channels_for_the_same_weights(tf):
    tf.layers.conv2d(images(tf), 2, 3, name="conv")
    return tf.layers.conv2d(tf.ones([2, 6, 6, 4]), 2, 3, name="conv", reuse=True)


def causal_padding_of_images(tf):
    return tf.layers.conv2d(images(tf), 2, 3, padding="causal")


def unknown_format(tf):
    return tf.layers.conv2d(images(tf), 2, 3, data_format="NHWC")


def three_sizes(tf):
    return tf.layers.conv2d(images(tf), 2, [3, 3, 3])


def sizes_that_are_words(tf):
    return tf.layers.conv2d(images(tf), 2, ["a", "b"])


def size_that_is_nothing(tf):
    return tf.layers.conv2d(images(tf), 2, None)


def one_stride_too_many(tf):
    return tf.layers.conv2d(images(tf), 2, 3, strides=(1, 1, 1))


def no_strides(tf):
    return tf.layers.conv2d(images(tf), 2, 3, strides=0)


def larger_than_the_images(tf):
    return tf.layers.conv2d(images(tf), 2, 7)


def unknown_activation(tf):
    return tf.layers.conv2d(images(tf), 2, 3, activation="rely")


def integers_into_conv2d(tf):
    return tf.layers.conv2d(images(tf, dtype="int32"), 2, 3)


def no_such_argument(tf):
    return tf.layers.Conv2D(2, 3, filter=3)


def used_twice_without_reuse(tf):
    tf.layers.conv2d(images(tf), 2, 3, name="conv")
    return tf.layers.conv2d(images(tf), 2, 3, name="conv")


def reuse_of_nothing(tf):
    return tf.layers.conv2d(images(tf), 2, 3, name="conv", reuse=True)


def pool_without_strides(tf):
    return tf.layers.max_pooling2d(images(tf), 2, None)


def pool_of_sequences(tf):
    return tf.layers.max_pooling2d(images(tf, [2, 6, 3]), 2, 2)


def pool_larger_than_the_images(tf):
    return tf.layers.average_pooling2d(images(tf), 7, 1)


def pool_with_unknown_padding(tf):
    return tf.layers.MaxPooling2D(2, 2, padding="some")


def pool_with_unknown_format(tf):
    return tf.layers.average_pooling2d(images(tf), 2, 2, data_format="first")


def norm_of_unknown_channels(tf):
    return tf.layers.batch_normalization(images(tf, [2, 6, 6, None]))


def norm_over_no_such_axis(tf):
    return tf.layers.batch_normalization(images(tf), axis=4)


def norm_over_an_axis_twice(tf):
    return tf.layers.batch_normalization(images(tf), axis=[1, -3])


def norm_over_a_word(tf):
    return tf.layers.batch_normalization(images(tf), axis="channels")


def norm_of_integers(tf):
    return tf.layers.batch_normalization(images(tf, dtype="int32"))


def unknown_clipping(tf):
    clipping = {"max": 3.0}
    return tf.layers.batch_normalization(images(tf), renorm=True, renorm_clipping=clipping)


def virtual_batches_of_none(tf):
    return tf.layers.batch_normalization(images(tf), virtual_batch_size=0)


def virtual_batches_over_the_batch(tf):
    return tf.layers.batch_normalization(images(tf), axis=0, virtual_batch_size=2)


def virtual_batches_adjusted(tf):
    layer = tf.layers.BatchNormalization(virtual_batch_size=2, adjustment=lambda shape: shape)
    return layer(images(tf))


def training_that_is_a_number(tf):
    return tf.layers.dropout(images(tf), training=0.5)


def flatten_of_a_number(tf):
    return tf.layers.flatten(tf.constant(3.0))


def flatten_of_unknown_rank(tf):
    return tf.layers.flatten(images(tf, None))


def flatten_in_another_format(tf):
    return tf.layers.flatten(images(tf), data_format="last")
