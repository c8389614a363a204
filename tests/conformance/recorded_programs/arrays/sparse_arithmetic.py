"""Sums, products, extremes, softmax and reductions of sparse tensors; functions of their values."""


def build(tf):
    a = tf.SparseTensor([[0, 1], [0, 3], [2, 0]], [1.0, 2.0, 4.0], [3, 4])
    b = tf.SparseTensor([[0, 1], [1, 2], [2, 0]], [0.5, -1.0, -4.0], [3, 4])
    whole = tf.SparseTensor([[0, 1], [1, 2]], [7, -9], [3, 4])
    fed = tf.sparse_placeholder(tf.float32, name="fed")
    dense = tf.placeholder_with_default([[1.0, 2.0, 3.0, 5.0]] * 3, [3, 4])
    sparse = [
        tf.sparse_add(a, b), tf.sparse_add(a, b, 0.6), tf.sparse.add(a, fed), a * dense,
        a * 2.0, a / dense, a / [[2.0], [1.0], [4.0]], whole * 3, whole / 2, dense * a,
        a.__div__(dense), whole.__div__(2), tf.sparse_maximum(a, b), tf.sparse.minimum(a, b, "least"),
        tf.sparse_softmax(a), tf.sparse.softmax(fed, name="soft"), tf.square(a), tf.abs(b),
        tf.negative(fed), tf.sign(b), tf.sqrt(a), tf.tanh(a, name="tanh"), tf.erf(a),
        tf.sparse_reduce_sum_sparse(a, 1), tf.sparse.reduce_max_sparse(b, [0], keepdims=True),
        tf.sparse_reduce_sum_sparse(fed), tf.cast(a, tf.int64), tf.to_double(a),
    ]  # fmt: skip
    plain = [
        tf.sparse_add(a, dense), tf.sparse_add(dense, fed), tf.sparse_reduce_sum(a),
        tf.sparse_reduce_sum(a, 1), tf.sparse.reduce_sum(fed, [0, -1]), tf.sparse_reduce_sum(fed),
        tf.sparse_reduce_sum(a, -1, keepdims=True), tf.sparse_reduce_max(b, 0),
        tf.sparse.reduce_max(fed, 1), tf.sparse_reduce_max(whole, keepdims=True),
        tf.sparse_tensor_dense_matmul(a, tf.transpose(dense)), tf.sparse.matmul(fed, dense, adjoint_a=True),
        tf.sparse.sparse_dense_matmul(a, dense, adjoint_b=True, name="product"),
    ]  # fmt: skip
    feed = {fed: tf.SparseTensorValue([[0, 0], [0, 1], [2, 0]], [1.0, 2.0, 3.0], [3, 4])}
    steps = [(str(i), [t.indices, t.values, t.dense_shape], feed) for i, t in enumerate(sparse)]
    steps += [(t.name, t, feed) for t in plain]
    facts = {"plain": [str(t.shape) for t in plain], "sparse": [str(t.shape) for t in sparse]}
    return {"facts": facts, "steps": steps}
