"""Matrix products: every transposition, batches, sparse hints, their gradients; diagonals, qr."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(1)
    a = tf.constant(rng.randn(3, 4), tf.float32, name="a")
    b = tf.constant(rng.randn(4, 2), tf.float32, name="b")
    m = tf.constant(rng.randn(2, 3, 4), tf.float32, name="m")
    n = tf.constant(rng.randn(2, 4, 5), tf.float32, name="n")
    p = tf.placeholder(tf.float32, [None, 4], name="p")
    z = tf.constant(rng.randn(2, 2) + 1j * rng.randn(2, 2), tf.complex64, name="z")
    v = tf.constant([1.0, 2.0, 3.0, 4.0])
    products = [
        tf.matmul(a, b), tf.matmul(a, b, name="named"), tf.matmul(b, a, True, True),
        tf.matmul(a, a, transpose_b=True), tf.matmul(a, a, transpose_a=True), tf.matmul(m, n),
        tf.matmul(n, m, transpose_a=True, transpose_b=True), tf.matmul(m, m, adjoint_b=True),
        tf.matmul(m, m, adjoint_a=True), tf.matmul(p, b), tf.matmul(z, z, adjoint_a=True),
        tf.matmul(a, b, b_is_sparse=True), tf.matmul([[1, 2]], [[3], [4]]),
        tf.linalg.matvec(a, v), tf.matmul(tf.cast(a, tf.float64), tf.cast(b, tf.float64)),
    ]  # fmt: skip
    others = [
        tf.transpose(a), tf.transpose(m, [2, 0, 1]), tf.matrix_transpose(m), tf.diag([1.0, 2.0]),
        tf.diag_part(tf.matmul(a, a, transpose_b=True)), tf.matrix_set_diag(m, tf.ones([2, 3])),
        tf.transpose(v), tf.transpose(z, conjugate=True), tf.tensordot(m, n, [[2], [1]]),
        tf.tensordot(p, b, 1), tf.nn.xw_plus_b(p, b, [1.0, 2.0]), tf.linalg.adjoint(z),
    ]  # fmt: skip
    q, r = tf.qr(tf.constant(rng.randn(4, 3), tf.float32))
    loss = tf.add_n([tf.reduce_sum(tf.square(t)) for t in products[:10] + [products[11]]])
    loss += tf.add_n([tf.reduce_sum(others[k] ** 3) for k in (2, 4, 5, 8, 9, 10)])
    grads = tf.gradients(loss, [a, b, m, n, p])
    feed = {p: rng.randn(2, 4).astype(np.float32)}
    steps = [(f"{k} {t.name}", t, feed) for k, t in enumerate(products + others)]
    steps += [("r", tf.abs(r)), ("qr", tf.matmul(q, r)), ("gradients", grads, feed)]
    return {"steps": steps}
