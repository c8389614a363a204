"""Products of matrices and what is composed of them, decompositions, clipping; with gradients."""

import numpy as np


def build(tf):
    a = tf.constant([[1.0, -2.0, 0.5], [3.0, 0.25, 4.0]], name="a")
    b = tf.constant([[2.0, 1.0], [-1.0, 0.5], [1.5, 3.0]], name="b")
    stack = tf.constant(np.arange(24).reshape(2, 3, 4) / 8 - 1, tf.float32, name="stack")
    right = tf.constant(np.arange(16).reshape(2, 4, 2) / 5 - 1, tf.float32, name="right")
    p = tf.placeholder_with_default(a, [None, 3], name="p")
    unknown = tf.placeholder_with_default(stack, None, name="unknown")
    c = tf.complex(a, a + 1.0, name="c")
    tall = tf.constant([[2.0, 1.0], [-1.0, 0.5], [1.5, 3.0]], tf.float64, name="tall")
    steps = []

    def differentiate(label, function, inputs):
        with tf.name_scope(label):
            y = function(*inputs)
            found = tf.gradients(y, inputs, [tf.ones_like(y)] if y.dtype.is_complex else None)
            steps.append((label, [y] + [g for g in found if g is not None]))

    differentiate("plain", tf.matmul, [a, b])
    differentiate("left", lambda x: tf.matmul(x, x, transpose_a=True), [p])
    differentiate("right", lambda x: tf.matmul(x, x, transpose_b=True), [p])
    differentiate("both", lambda x, y: tf.matmul(x, y, True, True), [a, b])
    differentiate("adjoint", lambda x: tf.matmul(x, x, adjoint_a=True), [c])
    differentiate("sparse", lambda x, y: tf.matmul(x, y, a_is_sparse=True), [a, b])
    differentiate("batch", tf.matmul, [stack, right])
    differentiate("batch_adjoint", lambda x: tf.matmul(x, x, adjoint_b=True), [stack])
    differentiate("batch_transpose", lambda x: tf.matmul(x, x, transpose_a=True), [stack])
    differentiate("batch_broadcast", lambda x, y: tf.matmul(x, y[0]), [stack, right])
    differentiate("batch_unknown", tf.matmul, [unknown, right])
    differentiate("matvec", lambda x: tf.linalg.matvec(x, [1.0, 2.0, 3.0]), [a])
    differentiate("operator", lambda x, y: x @ y, [p, b])
    differentiate("tensordot", lambda x, y: tf.tensordot(x, y, 1), [a, b])
    differentiate(
        "tensordot_axes", lambda x, y: tf.tensordot(x, y, [[2, 0], [1, 0]]), [stack, right]
    )
    differentiate("tensordot_outer", lambda x, y: tf.tensordot(x, y, 0), [a, b])
    differentiate("tensordot_partial", lambda x, y: tf.tensordot(x, y, [[1], [0]]), [p, b])
    differentiate(
        "tensordot_unknown", lambda x, y: tf.tensordot(x, y, [[1], [1]]), [unknown, stack]
    )
    differentiate("cross", lambda x: tf.cross(x, x[::-1]), [a])
    differentiate("trace", tf.trace, [tf.matmul(a, b)])
    differentiate("polyval", lambda x: tf.math.polyval([1.0, -2.0, 3.0], x), [a])
    differentiate("qr", lambda x: tf.qr(x)[1], [tall])
    differentiate("solve", tf.matrix_triangular_solve, [tf.matmul(a, b), a])
    for name, ord, axis in (
        ("euclidean", "euclidean", None), ("one", 1, 0), ("inf", np.inf, [0, 1]), ("three", 3, 1),
        ("fro", "fro", [0, 1]), ("one_matrix", 1, (0, 1)),
    ):  # fmt: skip
        differentiate("norm_" + name, lambda x, o=ord, s=axis: tf.norm(x, o, s), [a])
    differentiate("clip", lambda x: tf.clip_by_value(x, -1.0, 1.0), [p])
    differentiate("clip_norm", lambda x: tf.clip_by_norm(x, 1.5, axes=[1]), [p])
    differentiate("clip_average", lambda x: tf.clip_by_average_norm(x, 0.1), [p])
    clipped, norm = tf.clip_by_global_norm([a, None, b, tf.IndexedSlices(a, [0, 1])], 2.0)
    steps.append(("clip_global", [clipped[0], clipped[2], clipped[3].values, norm]))
    steps.append(("clip_global norm", tf.global_norm([a, b])))
    steps.append(("saturate", tf.saturate_cast(a * 100.0, tf.uint8)))
    return {"steps": steps}
