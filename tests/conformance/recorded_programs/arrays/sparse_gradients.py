"""Gradients through sparse tensors, to second order if one exists."""

import warnings


def build(tf):
    values = tf.placeholder_with_default([1.0, -2.0, 3.0, 0.5], [4], name="values")
    more = tf.placeholder_with_default([2.0, 1.0], [None], name="more")
    dense = tf.placeholder_with_default([[1.0, 2.0, 3.0, 4.0]] * 3, [None, 4], name="dense")
    known = [[0, 1], [0, 3], [2, 0], [2, 3]]
    a = tf.SparseTensor(known, values, [3, 4])
    b = tf.SparseTensor([[0, 1], [1, 2]], more, [3, 4])
    mixed = tf.SparseTensor([[2, 3], [0, 1], [2, 0], [0, 3]], values, [3, 4])
    filled, _ = tf.sparse_fill_empty_rows(a, more[0])
    made = [
        tf.sparse_tensor_to_dense(a), tf.sparse_tensor_to_dense(b, more[0]),
        tf.sparse_reorder(mixed).values, tf.sparse_add(a, b).values, tf.sparse_add(a, dense),
        tf.sparse_reduce_sum(a, 1), tf.sparse_reduce_sum(a, 0, keepdims=True), tf.sparse_reduce_sum(a),
        tf.sparse_slice(a, [0, 1], [3, 3]).values, (a * dense).values, (a / dense).values,
        (a * dense[0]).values, tf.sparse_softmax(a).values, filled.values,
        tf.sparse_tensor_dense_matmul(a, tf.transpose(dense)),
        tf.sparse_tensor_dense_matmul(a, dense, adjoint_a=True),
        tf.sparse_tensor_dense_matmul(a, dense, adjoint_b=True),
        tf.sparse_retain(a, [True, False, True, True]).values, tf.sparse_transpose(a).values,
        tf.sparse_reshape(a, [4, 3]).values,
    ]  # fmt: skip
    twice = {3, 8, 12, 13}  # TensorFlow lacks their second gradient
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning that sparse gradients become dense
        return {"steps": gradients(tf, made, twice, [values, more, dense])}


def gradients(tf, made, twice, inputs):
    """First and second gradients of each, as steps."""
    steps = []
    for n, y in enumerate(made):
        first = tf.gradients(tf.square(y), inputs)
        steps.append((f"{n} first", [g for g in first if g is not None]))
        if n not in twice:
            parts = [tf.reduce_sum(tf.square(g)) for g in first if g is not None]
            second = tf.gradients(tf.add_n(parts), inputs)
            steps.append((f"{n} second", [g for g in second if g is not None]))
    return steps
