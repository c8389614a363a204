"""Empty tensors: slices of shapes that leave nothing, matrices without rows, and numbers that are none."""

import numpy as np


def build(tf):
    vector = tf.placeholder_with_default(np.ones(3, np.float32), [None])
    scalar = tf.constant(1.0)
    shapes = [
        tf.shape(scalar)[:-1], tf.shape(scalar)[-1:], tf.shape(vector)[:-2], tf.shape(vector)[1:-3],
        tf.shape(vector)[-1:-5], tf.concat([tf.shape(vector)[:-2], [2]], 0),
    ]  # fmt: skip
    filled = [tf.fill(shape, 3.0) for shape in shapes]
    nan = np.nan
    matrices = [
        tf.linalg.triangular_solve(tf.zeros([0, 0]), tf.zeros([0, 2])),
        tf.linalg.triangular_solve(tf.zeros([3, 3]), tf.zeros([3, 0])),
        tf.linalg.lstsq(tf.zeros([0, 3]), tf.zeros([0, 2])),
        tf.linalg.lstsq(tf.zeros([4, 0]), tf.zeros([4, 2])),
        tf.linalg.inv([[1.0, nan], [0.0, 2.0]]),
        tf.linalg.solve([[1.0, 0.0], [nan, 2.0]], [[1.0], [2.0]]),
        tf.linalg.lu([[1.0, nan], [0.0, 2.0]])[0],
        tf.self_adjoint_eigvals([[1.0, nan], [0.0, 2.0]]),
        tf.raw_ops.CholeskyGrad(l=tf.zeros([2, 2]), grad=tf.ones([2, 2])),
    ]
    none = tf.placeholder_with_default([0, 2], [2])
    numbers = [
        tf.random_uniform(none, 3, 3, tf.int32, seed=1),
        tf.random_uniform([0], 3, 1, tf.int64, seed=1),
        tf.random.stateless_uniform(none, [1, 2], 3, 3, tf.int32),
        tf.diag_part(tf.placeholder_with_default(3.0, None)),
    ]
    made = filled + matrices + numbers
    facts = {"shapes": [str(t.shape) for t in made]}
    return {
        "facts": facts,
        "steps": [("filled", filled), ("matrices", matrices), ("numbers", numbers)],
    }
