"""Activations, biases, losses, dropout, embeddings: what does not fit in shape, dtype or axis."""


def softmax_of_a_fed_number(tf):
    x = tf.placeholder(tf.float32)
    return tf.nn.softmax(x), {x: 1.0}


def softmax_along_an_axis_of_unknown_rank(tf):
    return tf.nn.softmax(tf.placeholder(tf.float32), axis=0)


def softmax_with_axis_and_dim(tf):
    return tf.nn.softmax([[1.0, 2.0]], axis=0, dim=0)


def log_softmax_along_no_axis(tf):
    return tf.nn.log_softmax([[1.0, 2.0]], -5)


def relu_of_strings(tf):
    return tf.nn.relu(["a"])


def relu_of_complex_numbers(tf):
    return tf.nn.relu(tf.constant([1j]))


def elu_of_integers(tf):
    return tf.nn.elu([1, 2])


def fed_bias_of_another_length_in_place(tf):
    x, bias = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    return tf.nn.bias_add(x * 2, bias), {x: [[1.0, 2.0, 3.0]], bias: [1.0]}


def bias_to_a_fed_vector(tf):
    x = tf.placeholder(tf.float32)
    return tf.nn.bias_add(x, tf.ones([2])), {x: [1.0, 2.0]}


def fed_bias_that_is_a_matrix(tf):
    bias = tf.placeholder(tf.float32)
    return tf.nn.bias_add(tf.ones([2, 3]), bias), {bias: [[1.0, 2.0, 3.0]]}


def bias_first_of_a_matrix(tf):
    return tf.nn.bias_add(tf.zeros([2, 3]), tf.zeros([3]), data_format="NCHW")


def bias_first_of_a_fed_matrix(tf):
    x = tf.placeholder(tf.float32)
    return tf.nn.bias_add(x, tf.ones([3]), data_format="NCHW"), {x: [[1.0, 2.0, 3.0]]}


def bias_of_another_dtype(tf):
    return tf.nn.bias_add(tf.zeros([2, 3]), tf.zeros([3], tf.int32))


def cross_entropy_of_two_fed_widths(tf):
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    loss = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=x)
    return loss, {x: [[1.0, 2.0]], y: [[1.0, 2.0, 3.0]]}


def sparse_cross_entropy_by_position(tf):
    return tf.nn.sparse_softmax_cross_entropy_with_logits([1], [[1.0, 2.0]])


def sparse_cross_entropy_of_an_unknown_class(tf):
    x = tf.zeros([4, 3])
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 5, 0, -1], logits=x)


def sparse_cross_entropy_of_two_lengths(tf):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 2, 0], logits=tf.zeros([2, 3]))


def sparse_cross_entropy_of_fed_columns(tf):
    x, y = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.int32)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x)
    return loss, {x: [[1.0, 2.0]], y: [[0]]}


def sparse_cross_entropy_without_classes(tf):
    x = tf.placeholder(tf.float32, [None, None])
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0], logits=x)
    return loss, {x: [[]]}


def sigmoid_cross_entropy_by_position(tf):
    return tf.nn.sigmoid_cross_entropy_with_logits([1.0], [2.0])


def weighted_cross_entropy_of_two_shapes(tf):
    return tf.nn.weighted_cross_entropy_with_logits([1.0, 2.0], [1.0], 2.0)


def weighted_cross_entropy_with_two_labels(tf):
    return tf.nn.weighted_cross_entropy_with_logits([1.0], [1.0], 2.0, targets=[1.0])


def poisson_loss_of_two_shapes(tf):
    return tf.nn.log_poisson_loss([1.0, 2.0], [1.0])


def dropout_without_a_rate(tf):
    return tf.nn.dropout([1.0])


def dropout_with_two_rates(tf):
    return tf.nn.dropout([1.0], keep_prob=0.5, rate=0.5)


def dropout_of_a_word(tf):
    return tf.nn.dropout([1.0], keep_prob="half")


def dropout_with_a_vector_of_rates(tf):
    return tf.nn.dropout([1.0], rate=tf.constant([0.5]))


def dropout_with_noise_of_another_shape(tf):
    return tf.nn.dropout(tf.zeros([2, 3]), rate=0.5, noise_shape=[2, 2])


def top_of_too_few_fed(tf):
    k = tf.placeholder(tf.int32)
    return tf.nn.top_k([[1.0, 2.0]], k), {k: 3}


def top_of_fewer_than_none(tf):
    k = tf.placeholder(tf.int32)
    return tf.nn.top_k([[1.0, 2.0]], k), {k: -1}


def top_of_a_vector_of_counts(tf):
    return tf.nn.top_k([[1.0, 2.0]], [1])


def in_top_of_two_lengths(tf):
    return tf.nn.in_top_k([[1.0, 2.0]], [1, 0], 1)


def in_top_of_a_fed_vector(tf):
    x = tf.placeholder(tf.float32)
    return tf.nn.in_top_k(x, [1], 1), {x: [1.0, 2.0]}


def in_top_of_doubles(tf):
    return tf.nn.in_top_k(tf.zeros([1, 2], tf.float64), [1], 1)


def lookup_in_nothing(tf):
    return tf.nn.embedding_lookup(None, [1])


def lookup_by_an_unknown_strategy(tf):
    parts = [tf.zeros([2, 3]), tf.zeros([2, 3])]
    return tf.nn.embedding_lookup(parts, [1], partition_strategy="hash")


def lookup_in_parts_of_two_widths(tf):
    return tf.nn.embedding_lookup([tf.zeros([2, 3]), tf.zeros([2, 4])], [0, 1])


def lookup_by_floats(tf):
    return tf.nn.embedding_lookup(tf.zeros([2, 3]), [1.0])


def layer_of_two_widths(tf):
    return tf.nn.xw_plus_b(tf.zeros([2, 3]), tf.zeros([4, 5]), tf.zeros([5]))


def crelu_along_no_axis(tf):
    return tf.nn.crelu([[1.0]], axis=2)


def top_k_of_a_vector_when_run(tf):
    k = tf.placeholder_with_default([1], [None])
    return tf.nn.top_k([[1.0, 2.0]], k)


def nth_element_of_a_vector_when_run(tf):
    n = tf.placeholder_with_default([1], [None])
    return tf.raw_ops.NthElement(input=[[1.0, 2.0]], n=n)


def bias_of_six_axes(tf):
    value = tf.placeholder_with_default([[[[[[1.0, 2.0]]]]]], None)
    return tf.nn.bias_add(value, [1.0, 2.0])


def labels_too_small_and_too_large(tf):
    logits = tf.placeholder_with_default([[1.0, 2.0]] * 4, None)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 7, -3, -1], logits=logits)


def labels_too_large(tf):
    logits = tf.placeholder_with_default([[1.0, 2.0]] * 3, None)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[3, 7, 2], logits=logits)
