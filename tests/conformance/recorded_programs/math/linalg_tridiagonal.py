"""Tridiagonal products and solves, in all diagonal formats, with gradients."""

import numpy as np


def build(tf):
    steps = []
    compact = np.array([[1, 2, 0], [5, 6, 7], [0, 3, 4]], np.float32) / 2
    batch = np.stack([compact, compact + np.eye(3, dtype=np.float32)])
    sides = np.arange(12, dtype=np.float32).reshape(2, 3, 2) / 4 - 1
    matrix = tf.constant(
        np.diag(compact[1]) + np.diag(compact[0, :2], 1) + np.diag(compact[2, 1:], -1)
    )
    known = tf.constant(batch, name="known")
    loose = tf.placeholder_with_default(batch, [None, 3, None], name="loose")
    rhs = tf.constant(sides, name="rhs")
    loose_rhs = tf.placeholder_with_default(sides, [None, None, None], name="loose_rhs")
    three = [tf.constant(row) for row in compact]
    short = [tf.constant(compact[0, :2]), three[1], tf.constant(compact[2, 1:])]
    product = tf.linalg.tridiagonal_matmul
    solve = tf.linalg.tridiagonal_solve
    turned = tf.linalg.matrix_transpose(rhs)
    complex_rhs = tf.complex(rhs, rhs * 2)
    for name, x, gradients in (
        ("product", product(known, rhs), [known, rhs]),
        ("loose product", product(loose, loose_rhs), [loose, loose_rhs]),
        ("of three", product(three, rhs[0], "sequence"), three),
        ("of a matrix", product(matrix, rhs[0], diagonals_format="matrix", name="named"), [matrix]),
        ("complex product", product(tf.complex(known, known), complex_rhs), [known, rhs]),
        ("solved", solve(known, rhs), [known, rhs]),
        ("loosely solved", solve(loose, loose_rhs), [loose, loose_rhs]),
        ("vector", solve(known[0], rhs[0, :, 0], conjugate_rhs=True), [known, rhs]),
        ("solved by three", solve(three, rhs[1], "sequence"), three),
        ("short diagonals", solve(short, rhs[1], "sequence", partial_pivoting=False), short),
        ("solved by a matrix", solve(matrix, rhs[1], "matrix", name="solution"), [matrix]),
        ("turned", solve(known, turned, transpose_rhs=True, partial_pivoting=False), [known, rhs]),
        ("complex", solve(tf.complex(known, known), complex_rhs, conjugate_rhs=True), [known, rhs]),
        ("complex turned", solve(tf.complex(known, known), tf.complex(turned, turned),
                                 transpose_rhs=True, conjugate_rhs=True), [known, rhs]),
    ):  # fmt: skip
        steps.append((name, [x, *tf.gradients(tf.real(x), gradients)]))
    return {"steps": steps}
