"""Activations, biases, losses, dropout, embeddings: mismatched shapes, dtypes and axes."""


def softmax_of_a_fed_number(tf):
    x = tf.placeholder(tf.float32)
    return tf.nn.softmax(x), {x: 1.0}


def fed_bias_of_another_length_in_place(tf):
    x, bias = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    return tf.nn.bias_add(x * 2, bias), {x: [[1.0, 2.0, 3.0]], bias: [1.0]}


def bias_to_a_fed_vector(tf):
    x = tf.placeholder(tf.float32)
    return tf.nn.bias_add(x, tf.ones([2])), {x: [1.0, 2.0]}


def fed_bias_that_is_a_matrix(tf):
    bias = tf.placeholder(tf.float32)
    return tf.nn.bias_add(tf.ones([2, 3]), bias), {bias: [[1.0, 2.0, 3.0]]}


def bias_first_of_a_fed_matrix(tf):
    x = tf.placeholder(tf.float32)
    return tf.nn.bias_add(x, tf.ones([3]), data_format="NCHW"), {x: [[1.0, 2.0, 3.0]]}


def cross_entropy_of_two_fed_widths(tf):
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    loss = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=x)
    return loss, {x: [[1.0, 2.0]], y: [[1.0, 2.0, 3.0]]}


def sparse_cross_entropy_of_an_unknown_class(tf):
    x = tf.zeros([4, 3])
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 5, 0, -1], logits=x)


def sparse_cross_entropy_of_fed_columns(tf):
    x, y = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.int32)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x)
    return loss, {x: [[1.0, 2.0]], y: [[0]]}


def sparse_cross_entropy_without_classes(tf):
    x = tf.placeholder(tf.float32, [None, None])
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0], logits=x)
    return loss, {x: [[]]}


def top_of_too_few_fed(tf):
    k = tf.placeholder(tf.int32)
    return tf.nn.top_k([[1.0, 2.0]], k), {k: 3}


def top_of_fewer_than_none(tf):
    k = tf.placeholder(tf.int32)
    return tf.nn.top_k([[1.0, 2.0]], k), {k: -1}


def in_top_of_a_fed_vector(tf):
    x = tf.placeholder(tf.float32)
    return tf.nn.in_top_k(x, [1], 1), {x: [1.0, 2.0]}


def lookup_by_an_unknown_strategy(tf):
    parts = [tf.zeros([2, 3]), tf.zeros([2, 3])]
    return tf.nn.embedding_lookup(parts, [1], partition_strategy="hash")


def nth_element_of_a_vector_when_run(tf):
    n = tf.placeholder_with_default([1], [None])
    return tf.raw_ops.NthElement(input=[[1.0, 2.0]], n=n)


def labels_too_large(tf):
    logits = tf.placeholder_with_default([[1.0, 2.0]] * 3, None)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[3, 7, 2], logits=logits)
