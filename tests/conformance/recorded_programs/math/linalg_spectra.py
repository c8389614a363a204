"""Eigenvalues and singular values; of vectors, whose signs are anyone's, what does not depend on these."""

import numpy as np


def build(tf):
    random = np.random.RandomState(5)
    steps = []
    a = tf.constant(random.uniform(-1, 1, [2, 3, 3]).astype(np.float32), name="a")
    rows = tf.constant(random.uniform(-1, 1, [3, 5]).astype(np.float32), name="rows")
    unknown = tf.placeholder_with_default(rows, [None, None], name="unknown")
    symmetric = a + tf.matrix_transpose(a)
    columns = tf.transpose(rows)

    def differentiate(name, function, x, order=2):
        with tf.name_scope(name):
            made = function(x)
            steps.append((name, made))
            first = tf.gradients(tf.square(made), x)[0]
            steps.append((name + " first", first))
            if order == 2:
                steps.append((name + " second", tf.gradients(tf.square(first), x)))

    def project(x):
        e, v = tf.self_adjoint_eig(x)
        return tf.matmul(v * tf.expand_dims(tf.exp(e), -2), v, adjoint_b=True)

    def shrink(x, full_matrices=False):
        s, u, v = tf.svd(x, full_matrices=full_matrices)
        size = s.shape[-1].value
        return tf.matmul(
            u[..., :size] * tf.expand_dims(tf.sqrt(s), -2), v[..., :size], adjoint_b=True
        )

    differentiate("eigenvalues", tf.self_adjoint_eigvals, symmetric)
    differentiate("exponential", project, symmetric, order=1)
    differentiate("singular", lambda x: tf.svd(x, compute_uv=False), rows)
    differentiate("shrink", shrink, a, order=1)
    differentiate("shrink_wide", shrink, rows, order=1)
    differentiate("shrink_tall", shrink, columns, order=1)
    differentiate("shrink_full", lambda x: shrink(x[:, :4], True), rows, order=1)
    differentiate("pinv", tf.linalg.pinv, rows, order=1)
    steps.append(("pinv unknown", tf.linalg.pinv(unknown, rcond=0.01)))
    steps.append(("rank", tf.linalg.matrix_rank(tf.matmul(columns, rows))))
    steps.append(("rank unknown", tf.linalg.matrix_rank(unknown, tol=0.1)))
    return {"steps": steps}
