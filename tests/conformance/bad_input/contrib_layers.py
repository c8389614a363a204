"""tf.contrib.layers and slim: scopes of arguments, formats, ranks, sizes that do not fit, training of nothing."""


def images(tf, shape=(2, 6, 6, 4), dtype="float32"):
    return tf.placeholder(dtype, shape, name="x")


def layers(tf, part="layers"):
    return getattr(tf.contrib, part)


def scope_of_a_function_alone(tf):
    with tf.contrib.framework.arg_scope(tf.contrib.layers.conv2d):
        pass


def scope_of_a_plain_function(tf):
    with tf.contrib.framework.arg_scope([len], x=3):
        pass


def scope_again_with_arguments(tf):
    with tf.contrib.framework.arg_scope([tf.contrib.layers.conv2d], stride=2) as scope:
        with tf.contrib.framework.arg_scope(scope, stride=1):
            pass


def unknown_argument_of_a_scope(tf):
    with tf.contrib.framework.arg_scope([tf.contrib.layers.conv2d], quickness=2):
        return layers(tf).conv2d(images(tf), 2, 3)


def unknown_channels(tf):
    return layers(tf).conv2d(images(tf, [2, 6, 6, None]), 2, 3)


def sequences_into_conv2d(tf):
    return layers(tf).conv2d(images(tf, [2, 6, 4]), 2, 3)


def vectors_into_convolution(tf):
    return layers(tf).convolution(images(tf, [2, 6]), 2, 3)


def unknown_format(tf):
    return layers(tf).conv2d(images(tf), 2, 3, data_format="HWC")


def unknown_padding(tf):
    return layers(tf).conv2d(images(tf), 2, 3, padding="FULL")


def strides_and_rate(tf):
    return layers(tf).conv2d(images(tf), 2, 3, stride=2, rate=2)


def units_that_are_no_number(tf):
    return layers(tf).fully_connected(images(tf), "3")


def number_into_fully_connected(tf):
    return layers(tf).fully_connected(tf.constant(3.0), 3)


def used_twice_in_a_scope(tf):
    layers(tf).conv2d(images(tf), 2, 3, scope="conv")
    return layers(tf).conv2d(images(tf), 2, 3, scope="conv")


def pool_in_another_format(tf):
    return layers(tf).max_pool2d(images(tf), 2, data_format="NWC")


def pool_of_a_matrix(tf):
    return layers(tf).avg_pool2d(images(tf, [2, 3]), 2)


def norm_of_unknown_channels(tf):
    return layers(tf).batch_norm(images(tf, [2, None]))


def norm_of_unknown_rank(tf):
    return layers(tf).batch_norm(images(tf, None))


def norm_of_unknown_rank_not_fused(tf):
    return layers(tf).batch_norm(images(tf, None), fused=False, updates_collections=None)


def norm_in_another_format(tf):
    return layers(tf).batch_norm(images(tf), data_format="NWC")


def norm_renormalized_in_place(tf):
    return layers(tf).batch_norm(images(tf), renorm=True, updates_collections=None)


def layer_norm_of_unknown_size(tf):
    return layers(tf).layer_norm(images(tf, [2, 3, None]))


def layer_norm_of_unknown_rank(tf):
    return layers(tf).layer_norm(images(tf, None))


def layer_norm_from_no_axis(tf):
    return layers(tf).layer_norm(images(tf), begin_norm_axis=4)


def instance_norm_of_unknown_rank(tf):
    return layers(tf).instance_norm(images(tf, None))


def instance_norm_of_unknown_channels(tf):
    return layers(tf).instance_norm(images(tf, [2, 6, 6, None]))


def instance_norm_in_another_format(tf):
    return layers(tf).instance_norm(images(tf), data_format="NHW")


def more_groups_than_channels(tf):
    return layers(tf).group_norm(images(tf))


def groups_that_do_not_divide(tf):
    return layers(tf).group_norm(images(tf), groups=3)


def groups_over_channels(tf):
    return layers(tf).group_norm(images(tf), groups=2, reduction_axes=[1, 3])


def groups_of_unknown_size(tf):
    return layers(tf).group_norm(images(tf, [2, None, 6, 4]), groups=2)


def unit_norm_of_no_axis(tf):
    return layers(tf).unit_norm(images(tf), 4)


def unit_norm_from_behind(tf):
    return layers(tf).unit_norm(images(tf), -1)


def maxout_that_does_not_divide(tf):
    return layers(tf).maxout(images(tf), 3)


def bias_of_unknown_channels(tf):
    return layers(tf).bias_add(images(tf, [2, None]))


def bias_first_of_a_matrix(tf):
    return layers(tf).bias_add(images(tf, [2, 3]), data_format="NCHW")


def stack_of_a_number(tf):
    return layers(tf).stack(images(tf), tf.contrib.layers.conv2d, 3)


def embedding_without_sizes(tf):
    return layers(tf).embed_sequence(images(tf, [2, 3], "int32"))


def keep_more_than_all(tf):
    return layers(tf).dropout(images(tf), 1.5)


def optimizer_of_unknown_name(tf):
    loss = tf.reduce_sum(layers(tf).linear(images(tf), 2))
    return layers(tf).optimize_loss(loss, None, 0.1, "Newton")


def optimizer_without_rate(tf):
    loss = tf.reduce_sum(layers(tf).linear(images(tf), 2))
    return layers(tf).optimize_loss(loss, None, None, "Adam")


def rate_below_nothing(tf):
    loss = tf.reduce_sum(layers(tf).linear(images(tf), 2))
    return layers(tf).optimize_loss(loss, None, -0.1, "Adam")


def rate_that_is_an_integer(tf):
    loss = tf.reduce_sum(layers(tf).linear(images(tf), 2))
    return layers(tf).optimize_loss(loss, None, 1, "SGD")


def loss_of_many_numbers(tf):
    return layers(tf).optimize_loss(layers(tf).linear(images(tf), 2), None, 0.1, "SGD")


def unknown_summary(tf):
    loss = tf.reduce_sum(layers(tf).linear(images(tf), 2))
    return layers(tf).optimize_loss(loss, None, 0.1, "SGD", summaries=["all"])


def factors_of_gradients_in_a_list(tf):
    pairs = [(tf.constant(1.0), tf.Variable(1.0))]
    return tf.contrib.slim.learning.multiply_gradients(pairs, [2.0])


def no_factors_of_gradients(tf):
    return tf.contrib.training.multiply_gradients([(tf.constant(1.0), tf.Variable(1.0))], {})


def collection_of_none(tf):
    return tf.contrib.slim.utils.constant_value(None)


def three_sizes_of_two(tf):
    return tf.contrib.slim.utils.two_element_tuple([1, 2, 3])


def no_positive_size(tf):
    return tf.contrib.slim.utils.n_positive_integers(2, [1, 0])


def cell_of_another_rank(tf):
    cell = tf.contrib.rnn.Conv2DLSTMCell
    return cell(input_shape=[3, 2], output_channels=2, kernel_shape=[3, 3])


def places_of_an_unknown_format(tf):
    return layers(tf).spatial_softmax(images(tf), data_format="NCWH")


def places_of_unknown_channels(tf):
    return layers(tf).spatial_softmax(images(tf, [2, 6, 6, None]))


def sequence_of_an_unknown_format(tf):
    return layers(tf).images_to_sequence(images(tf), data_format="channels_last")


def images_of_a_sequence_of_another_height(tf):
    return layers(tf).sequence_to_images(tf.zeros([4, 6, 2]), 5)


def dense_layer_of_a_vector(tf):
    return layers(tf).legacy_fully_connected(images(tf, [6]), 3)


def dense_layer_of_unknown_rank(tf):
    return layers(tf).legacy_relu(tf.placeholder(tf.float32), 3)


def dense_layer_of_unknown_inputs(tf):
    return layers(tf).legacy_linear(images(tf, [6, None]), 3)
