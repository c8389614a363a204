"""Linear systems, triangular factors and determinants, with first and second gradients."""

import numpy as np

TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    random = np.random.RandomState(3)
    steps = []

    def square(shape):
        return random.uniform(-1, 1, shape).astype(np.float32) + 2 * np.eye(shape[-1], dtype="f")

    a = tf.constant(square([3, 3]), name="a")
    batch = tf.constant(square([2, 3, 3]), name="batch")
    side = tf.constant(random.uniform(-1, 1, [3, 2]).astype(np.float32), name="side")
    sides = tf.constant(random.uniform(-1, 1, [2, 3, 2]).astype(np.float32), name="sides")
    tall = tf.constant(random.uniform(-1, 1, [4, 2]).astype(np.float32), name="tall")
    talls = tf.constant(random.uniform(-1, 1, [4, 3]).astype(np.float32), name="talls")
    unknown = tf.placeholder_with_default(tall, [None, None], name="unknown")
    c = tf.constant(square([2, 2]) + 0.5j, tf.complex128, name="c")

    def differentiate(name, function, inputs, order=2):
        with tf.name_scope(name):
            made = function(*inputs)
            made = made if isinstance(made, (list, tuple)) else [made]
            steps.append((name, list(made)))
            total = tf.add_n([tf.reduce_sum(tf.real(tf.square(m))) for m in made])
            first = tf.gradients(total, inputs)
            steps.append((name + " first", first))
            if order == 2:
                steps.append(
                    (name + " second", tf.gradients([tf.square(g) for g in first], inputs))
                )

    def positive(x):
        return tf.matmul(x, x, adjoint_a=True)

    differentiate("inverse", tf.matrix_inverse, [a])
    differentiate("inverse_adjoint", lambda x: tf.matrix_inverse(x, adjoint=True), [batch])
    differentiate("inverse_complex", tf.linalg.inv, [c], order=1)
    differentiate("solve", tf.matrix_solve, [a, side])
    differentiate("solve_adjoint", lambda x, y: tf.linalg.solve(x, y, adjoint=True), [batch, sides])
    differentiate("least", tf.matrix_solve_ls, [tall, talls])
    differentiate("least_wide", lambda x, y: tf.linalg.lstsq(tf.transpose(x), y[:2]), [tall, talls])
    differentiate("least_regular", lambda x, y: tf.matrix_solve_ls(x, y, 0.5), [tall, talls])
    differentiate("least_unknown", tf.matrix_solve_ls, [unknown, talls], order=1)
    differentiate(
        "least_op",
        lambda x, y: tf.raw_ops.MatrixSolveLs(matrix=x, rhs=y, l2_regularizer=0.25),
        [tall, talls],
    )
    steps.append(("least_slow", tf.matrix_solve_ls(tall, talls, fast=False)))
    differentiate("cholesky", lambda x: tf.cholesky(positive(x)), [a])
    differentiate("cholesky_batch", lambda x: tf.linalg.cholesky(positive(x)), [batch], order=1)
    differentiate(
        "cholesky_solve",
        lambda x, y: tf.cholesky_solve(tf.cholesky(x), y),
        [positive(a), side],
        order=1,
    )
    steps.append(("cholesky_grad", tf.raw_ops.CholeskyGrad(l=tf.cholesky(positive(a)), grad=a)))
    differentiate("det", tf.matrix_determinant, [a])
    differentiate("det_batch", tf.linalg.det, [batch])
    differentiate("slogdet", tf.linalg.slogdet, [batch])
    differentiate("logdet", lambda x: tf.linalg.logdet(positive(x)), [batch])
    steps.append(("lu", list(tf.linalg.lu(batch))))
    steps.append(("logm", tf.linalg.logm(c)))
    differentiate("sqrtm", lambda x: tf.linalg.sqrtm(positive(x)), [batch], order=1)
    return {"steps": steps}
