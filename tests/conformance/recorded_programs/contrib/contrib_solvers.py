"""Linear systems solved by conjugate gradients, and bidiagonalization."""

import numpy as np

TOLERANCE = 1e-3  # float32 iterations accumulate rounding errors


def build(tf):
    random = np.random.RandomState(4)
    tall = random.uniform(-1, 1, [5, 3]).astype(np.float32)
    square = np.array([[3.5, -0.25, 0.5], [-0.25, 4.0, -0.75], [0.5, -0.75, 3.0]], np.float32)
    solvers = tf.contrib.solvers
    util = solvers.util
    matrix = tf.constant(square, name="matrix")
    fed = tf.placeholder_with_default(tall, [None, None], name="fed")
    operator, loose = util.create_operator(matrix), util.create_operator(fed)
    inverse = util.create_operator(tf.constant(np.diag(1 / np.diag(square)).astype(np.float32)))
    b, c = tf.constant([1.0, 2.0, -1.0]), tf.constant([1.0, 2.0, 0.5, 3.0, -1.0])
    gradient = solvers.linear_equations.conjugate_gradient
    solved = [
        gradient(operator, b), gradient(operator, b, preconditioner=inverse, max_iter=2, name="two"),
        gradient(operator, b, preconditioner=util.identity_operator(matrix), x=b, tol=1e-3),
        solvers.least_squares.cgls(loose, c), solvers.least_squares.cgls(operator, b, 1e-3, 1),
    ]  # fmt: skip
    start = tf.ones([5, 1])
    lanczos = solvers.lanczos
    bases = [
        lanczos.lanczos_bidiag(loose, 2, starting_vector=start),
        lanczos.lanczos_bidiag(operator, 1, False, starting_vector=tf.ones([3, 1]), name="once"),
    ]
    alpha, beta = bases[0].alpha, bases[0].beta
    products = [
        lanczos.bidiag_matmul(bases[0].u, alpha, beta),
        lanczos.bidiag_matmul(bases[0].v, alpha, beta, adjoint_b=True, name="other"),
    ]
    return {
        "facts": {"fields": [str(type(each)._fields) for each in solved + bases]},
        "steps": [
            ("solved", [each.x for each in solved] + [each.i for each in solved]),
            ("bases", [part for basis in bases for part in (basis.alpha, basis.beta, basis.u)]),
            ("products", products),
        ],
    }
