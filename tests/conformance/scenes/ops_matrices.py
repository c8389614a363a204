"""Matrices: of unknown size, with one element, empty, singular, nonfinite; gradients; errors."""

import numpy as np

from tests.conformance.scenes import unknown, with_gradients

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]])
B = np.array([[1.0, 2.0], [-3.0, 0.5], [0.25, 4.0]])
DIAGONALS = np.array([[1.0, 2.0, 3.0, 9.0], [5.0, -6.0, 7.0, 8.0], [9.0, 0.5, 1.5, 2.5]])
SIDES = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 4.0], [2.0, 2.0]])


def tridiagonal(tf, stage):
    u, both = unknown(tf, ranked=True), with_gradients(tf)
    solve, product = tf.linalg.tridiagonal_solve, tf.linalg.tridiagonal_matmul
    c = lambda x: tf.constant(np.asarray(x))  # noqa: E731
    whole = np.diag(DIAGONALS[1]) + np.diag(DIAGONALS[0][:3], 1) + np.diag(DIAGONALS[2][1:], -1)
    cut = lambda: [c(DIAGONALS[0, :3]), c(DIAGONALS[1]), c(DIAGONALS[2, 1:])]  # noqa: E731
    singular = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]])
    raw = tf.raw_ops

    def multiplied(*x):
        return raw.TridiagonalMatMul(superdiag=x[0], maindiag=x[1], subdiag=x[2], rhs=x[3])

    plain = lambda d, r, **k: raw.TridiagonalSolve(diagonals=d, rhs=r, **k)  # noqa: E731
    p = tf.placeholder
    stage.each(
        {
            "product": lambda: both(lambda d, x: product(d, x), c(DIAGONALS), c(SIDES)),
            "product_of_three": lambda: product(
                [c(d) for d in DIAGONALS], c(SIDES), "sequence", "own"
            ),
            "product_of_matrix": lambda: product(c(whole), c(SIDES), diagonals_format="matrix"),
            "product_unknown": lambda: product(u(whole), c(SIDES), "matrix"),
            "product_format": lambda: product(c(whole), c(SIDES), "dense"),
            "product_complex": lambda: both(
                lambda d, x: product(d, x), c(DIAGONALS * (1 + 2j)), c(SIDES * 1j)
            ),
            "any": lambda: multiplied(*[p(tf.float64)] * 4).shape,
            "solved_fed": lambda: both(lambda d, x: solve(d, x), u(DIAGONALS), u(SIDES)),
            "solved_three": lambda: solve(tuple(cut()), c(SIDES), "sequence", name="own"),
            "solved_matrix": lambda: solve(c(whole), c(SIDES), "matrix"),
            "solved_matrix_half": lambda: solve(
                tf.placeholder_with_default(whole, [None, 4]), c(SIDES), "matrix"
            ),
            "solved_unknown": lambda: solve(u(whole), c(SIDES), "matrix"),
            "solved_oblong": lambda: solve(c(whole[:3]), c(SIDES), "matrix"),
            "solved_two": lambda: solve(cut()[:2], c(SIDES), "sequence"),
            "solved_no_list": lambda: solve(c(DIAGONALS), c(SIDES), "sequence"),
            "solved_batches": lambda: solve(
                [c(np.ones([2, 3])), c(np.ones([3, 4])), c(np.ones([3, 4]))], c(SIDES), "sequence"
            ),
            "solved_short_below": lambda: solve(
                [c(DIAGONALS[0]), c(DIAGONALS[1]), c(DIAGONALS[2, :2])], c(SIDES), "sequence"
            ),
            "solved_batch": lambda: solve(c([DIAGONALS] * 2), c([SIDES] * 3)),
            "one": lambda: solve(c([[7.0], [2.0], [7.0]]), c([[6.0, 3.0]])),
            "none": lambda: solve(c(np.ones([3, 0])), c(np.ones([0, 2]))),
            "singular": lambda: solve(c(singular), c(SIDES[:2])),
            "singular_alone": lambda: solve(c(singular), c(SIDES[:2]), partial_pivoting=False),
            "raw_static": lambda: plain(c(np.ones([2, 4])), c(SIDES)),
            "raw_any": lambda: plain(p(tf.float64), c(SIDES)).shape,
        },
        graph="sum",
    )


def decomposed(tf, stage):
    u, both = unknown(tf, ranked=True), with_gradients(tf)
    linalg = tf.linalg
    c = lambda x, k=tf.float64: tf.constant(np.array(x), k)  # noqa: E731
    wide = np.array([[1.0, 2.0, -1.0, 0.5], [0.0, 1.5, 1.0, 2.0], [3.0, -1.0, 0.5, 1.0]])
    sizes = lambda x: [tf.abs(y) for y in x]  # noqa: E731  signs are the library's
    s_of = lambda x: linalg.svd(x, compute_uv=False)  # noqa: E731
    nan, inf = A.copy(), A.copy()
    nan[2, 0], inf[0, 2] = np.nan, np.inf
    upper = A.copy()
    upper[0, 2] = np.nan
    part = lambda x: tf.placeholder_with_default(x, [3, None])  # noqa: E731

    def gradient_of(function, x, choose=0):
        return tf.gradients(tf.abs(function(x)[choose]), x)

    def through(m, full):
        def f(x):
            s, v, w = linalg.svd(x, full)
            return [s, tf.abs(v), tf.abs(w)]

        return tf.gradients([y * y * y for y in f(m)], m)

    stage.each(
        {
            "eigen_values_both": lambda: both(linalg.eigvalsh, c(A)),
            "eigen_nan": lambda: tf.self_adjoint_eigvals(c(nan)),
            "eigen_infinite": lambda: tf.self_adjoint_eig(c(inf)),
            "eigen_empty": lambda: tf.self_adjoint_eig(tf.zeros([2, 0, 0])),
            "singular_complex": lambda: both(s_of, c(B + 1j * B[::-1], tf.complex128)),
            "singular_complex_uv": lambda: through(c(B, tf.complex64), False),
            "singular_wide_full": lambda: through(c(wide), True),
            "singular_square": lambda: through(c(A + wide[:, :3]), True),
            "singular_far": lambda: through(c(wide[:2]), True),
            "singular_unknown": lambda: through(part(wide), False),
            "singular_sizes": lambda: [
                tuple(x.shape for x in linalg.svd(p, f))
                for f in (True, False)
                for p in (
                    part(wide),
                    tf.placeholder(tf.float32, [2, 3, 5]),
                    tf.placeholder(tf.float32),
                )
            ],
            "singular_nan_values": lambda: s_of(c([A, inf])),
            "qr": lambda: sizes(linalg.qr(c(B), True, "own")) + sizes(linalg.qr(u(wide))),
            "qr_complex": lambda: gradient_of(linalg.qr, c(A, tf.complex64)),
            "qr_unknown": lambda: gradient_of(linalg.qr, part(A)),
            "qr_sizes": lambda: [
                tuple(x.shape for x in linalg.qr(p, f))
                for f in (True, False)
                for p in (
                    part(wide),
                    tf.placeholder(tf.float32, [0, 3]),
                    tf.placeholder(tf.float32),
                )
            ],
            "lu": lambda: linalg.lu(c(A[::-1]), tf.int64, "own"),
            "lu_singular": lambda: linalg.lu(c(np.ones([2, 2]))),
            "lu_empty": lambda: linalg.lu(tf.zeros([0, 0])),
            "root": lambda: both(linalg.sqrtm, c(A)),
            "root_negative": lambda: linalg.sqrtm(c(-np.eye(2))),
            "root_nan": lambda: linalg.sqrtm(c([nan, A])),
            "root_empty": lambda: linalg.sqrtm(tf.zeros([0, 0])),
            "logarithm": lambda: linalg.logm(c(A, tf.complex128), "own"),
            "logarithm_singular": lambda: linalg.logm(c(np.ones([2, 2]), tf.complex64)),
            "inverse_pseudo": lambda: [
                linalg.pinv(c(wide)),
                linalg.pinv(u(B), 0.9, name="own"),
                linalg.pinv(c(B), [0.1], True),
            ],
            "exponential_fed": lambda: linalg.expm(u([A, A * 0, -A]), "own"),
            "exponential_complex": lambda: linalg.expm(c(A * 1j, tf.complex128)),
            "exponential_empty": lambda: linalg.expm(tf.zeros([2, 0, 0])),
        },
        graph="sum",
        v=A[0],
    )


def solved(tf, stage):
    u, both = unknown(tf, ranked=True), with_gradients(tf)
    linalg = tf.linalg
    c = lambda x, k=tf.float64: tf.constant(np.array(x), k)  # noqa: E731
    nan = A * np.nan
    ls = tf.matrix_solve_ls
    p = lambda x: tf.placeholder_with_default(x, None)  # noqa: E731
    ones = np.ones([3, 3])
    stage.each(
        {
            "inverse": lambda: both(tf.matrix_inverse, c(A)),
            "inverse_adjoint": lambda: both(
                lambda x: tf.matrix_inverse(x, True, "own"), c(A + 1j * np.triu(A), tf.complex128)
            ),
            "inverse_singular": lambda: tf.matrix_inverse(c(ones)),
            "inverse_nan": lambda: tf.matrix_inverse(c(nan)),
            "inverse_none": lambda: tf.matrix_inverse(tf.zeros([3, 0, 0])),
            "solve": lambda: both(tf.matrix_solve, c(A + np.triu(ones)), c(B)),
            "solve_adjoint": lambda: both(
                lambda x, y: tf.matrix_solve(x, y, True, "own"), c(A + np.triu(ones)), c(B)
            ),
            "solve_singular": lambda: tf.matrix_solve(u(ones), c(B)),
            "solve_many": lambda: tf.matrix_solve(c([A, ones]), c([B, B])),
            "solve_rows": lambda: tf.matrix_solve(u(A), u(B[:2])),
            "solve_batches": lambda: tf.matrix_solve(p([A, A]), p([B])),
            "solve_ranks": lambda: tf.matrix_solve(p([A, A]), p(B)),
            "solve_static": lambda: tf.matrix_solve(c(A), c(B[:2])),
            "solve_nothing": lambda: tf.matrix_solve(c(A), tf.zeros([3, 0], tf.float64)),
            "solve_float": lambda: tf.matrix_solve(c(A, tf.float32), c(B, tf.float32)),
            "triangle": lambda: both(tf.matrix_triangular_solve, c(A), c(B)),
            "triangle_upper": lambda: both(
                lambda x, y: tf.matrix_triangular_solve(x, y, False, name="own"), c(A), c(B)
            ),
            "triangle_adjoint": lambda: both(
                lambda x, y: tf.matrix_triangular_solve(x, y, adjoint=True),
                c(A * 1j, tf.complex128),
                c(B, tf.complex128),
            ),
            "triangle_zero": lambda: tf.matrix_triangular_solve(c(A * np.eye(3) * [1, 0, 1]), c(B)),
            "triangle_nothing": lambda: tf.matrix_triangular_solve(c(A), c(B[:, :0])),
            "triangle_rows": lambda: tf.matrix_triangular_solve(p(A), p(B[:2])),
            "least": lambda: both(lambda x, y: ls(x, y), c(B), c(A)),
            "least_wide": lambda: both(lambda x, y: ls(x, y, 0.5), c(B.T), c(A[:2])),
            "least_regular": lambda: both(lambda x, y: ls(x, y, 0.5, True, "own"), c(B), c(A)),
            "least_slow": lambda: ls(c(B), c(A), 0.5, False),
            "least_slow_gradient": lambda: both(lambda x, y: ls(x, y, fast=False), c(B), c(A)),
            "least_slow_wide": lambda: ls(c(B.T), c(A[:2]), fast=False),
            "least_slow_deficient": lambda: ls(c(ones), c(B), fast=False),
            "least_unknown": lambda: both(lambda x, y: ls(x, y, 0.25), u(B), u(A)),
            "least_unknown_wide": lambda: both(lambda x, y: ls(x, y, 0.25), u(B.T), u(A[:2])),
            "least_complex": lambda: ls(c(B * 1j, tf.complex64), c(A, tf.complex64), 0.1),
            "least_deficient": lambda: ls(c(ones[:, :2]), c(A)),
            "least_negative": lambda: ls(c(B), c(A), -0.5),
            "least_vector": lambda: tf.raw_ops.MatrixSolveLs(
                matrix=c(B), rhs=c(A), l2_regularizer=p(np.array([0.5]))
            ),
            "least_rows": lambda: ls(u(B), u(A[:2])),
            "determinant": lambda: both(tf.matrix_determinant, c([A, -A])),
            "determinant_singular": lambda: [
                tf.matrix_determinant(c(ones)),
                linalg.slogdet(c(ones)),
            ],
            "determinant_none": lambda: [
                tf.matrix_determinant(tf.zeros([2, 0, 0])),
                linalg.slogdet(tf.zeros([0, 0])),
            ],
            "determinant_nan": lambda: [tf.matrix_determinant(c(nan)), linalg.slogdet(c(nan))],
            "determinant_large": lambda: linalg.slogdet(c(A * 1e30, tf.float32)),
            "sign": lambda: both(lambda x: linalg.slogdet(x)[1], c([A, -A])),
            "sign_complex": lambda: linalg.slogdet(c(A * 1j, tf.complex128), "own"),
            "logdet": lambda: both(lambda x: linalg.logdet(x, "own"), c(A)),
            "logdet_negative": lambda: linalg.logdet(c(-A)),
            "trace": lambda: [
                tf.trace(c([A, B @ B.T]), "own"),
                tf.trace(u(B)),
                linalg.adjoint(c(A * 1j, tf.complex64)),
            ],
            "trace_vector": lambda: tf.trace(c([1.0])),
        },
        graph="sum",
    )
