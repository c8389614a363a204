"""Matrices: of unknown sizes, of one element, of none, singular, not finite; gradients; what is refused."""

import numpy as np

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]])
B = np.array([[1.0, 2.0], [-3.0, 0.5], [0.25, 4.0]])
DIAGONALS = np.array([[1.0, 2.0, 3.0, 9.0], [5.0, -6.0, 7.0, 8.0], [9.0, 0.5, 1.5, 2.5]])
SIDES = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 4.0], [2.0, 2.0]])


def _unknown(tf):
    return lambda x: tf.placeholder_with_default(np.asarray(x), [None] * np.ndim(x))


def _with_gradients(tf):
    """A function that calls one: (its value, the gradients of its fourth power)."""

    def run(function, *inputs):
        result = function(*inputs)
        powers = [tf.real(y * tf.conj(y)) ** 2 for y in tf.nest.flatten(result)]
        return result, tf.gradients(powers, list(inputs))

    return run


def tridiagonal(tf, stage):
    u, both = _unknown(tf), _with_gradients(tf)
    solve, product = tf.linalg.tridiagonal_solve, tf.linalg.tridiagonal_matmul
    c = lambda x: tf.constant(np.asarray(x))  # noqa: E731
    whole = np.diag(DIAGONALS[1]) + np.diag(DIAGONALS[0][:3], 1) + np.diag(DIAGONALS[2][1:], -1)
    three = lambda f=c: [f(d[None]) for d in DIAGONALS]  # noqa: E731
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
            "product_fed": lambda: both(lambda d, x: product(d, x), u(DIAGONALS), u(SIDES)),
            "product_of_three": lambda: product(
                [c(d) for d in DIAGONALS], c(SIDES), "sequence", "own"
            ),
            "product_of_matrix": lambda: product(c(whole), c(SIDES), diagonals_format="matrix"),
            "product_of_matrices": lambda: product(
                c(np.stack([whole, whole.T])), c(np.stack([SIDES] * 2)), "matrix"
            ),
            "product_unknown": lambda: product(u(whole), c(SIDES), "matrix"),
            "product_oblong": lambda: product(c(whole[:3]), c(SIDES), "matrix"),
            "product_format": lambda: product(c(whole), c(SIDES), "dense"),
            "product_complex": lambda: both(
                lambda d, x: product(d, x), c(DIAGONALS * (1 + 2j)), c(SIDES * 1j)
            ),
            "static": lambda: multiplied(*three(), c(SIDES[:3])),
            "static_three": lambda: multiplied(*three()[:2], c(DIAGONALS[:1, :3]), c(SIDES)),
            "any": lambda: multiplied(*[p(tf.float64)] * 4).shape,
            "solved": lambda: both(lambda d, x: solve(d, x), c(DIAGONALS), c(SIDES)),
            "solved_fed": lambda: both(lambda d, x: solve(d, x), u(DIAGONALS), u(SIDES)),
            "solved_vector": lambda: both(lambda d, x: solve(d, x), c(DIAGONALS), c(SIDES[:, 0])),
            "solved_three": lambda: solve(tuple(cut()), c(SIDES), "sequence", name="own"),
            "solved_whole_three": lambda: solve([c(d) for d in DIAGONALS], c(SIDES), "sequence"),
            "solved_matrix": lambda: solve(c(whole), c(SIDES), "matrix"),
            "solved_matrix_half": lambda: solve(
                tf.placeholder_with_default(whole, [None, 4]), c(SIDES), "matrix"
            ),
            "solved_unknown": lambda: solve(u(whole), c(SIDES), "matrix"),
            "solved_oblong": lambda: solve(c(whole[:3]), c(SIDES), "matrix"),
            "solved_format": lambda: solve(c(whole), c(SIDES), "dense"),
            "solved_two": lambda: solve(cut()[:2], c(SIDES), "sequence"),
            "solved_no_list": lambda: solve(c(DIAGONALS), c(SIDES), "sequence"),
            "solved_batches": lambda: solve(
                [c(np.ones([2, 3])), c(np.ones([3, 4])), c(np.ones([3, 4]))], c(SIDES), "sequence"
            ),
            "solved_short": lambda: solve(
                [c(DIAGONALS[0, :2]), c(DIAGONALS[1]), c(DIAGONALS[2])], c(SIDES), "sequence"
            ),
            "solved_short_below": lambda: solve(
                [c(DIAGONALS[0]), c(DIAGONALS[1]), c(DIAGONALS[2, :2])], c(SIDES), "sequence"
            ),
            "solved_rank": lambda: solve(c(DIAGONALS[0]), c(SIDES)),
            "solved_sides": lambda: solve(c(DIAGONALS), c(SIDES[None])),
            "solved_four": lambda: solve(c(np.ones([4, 4])), c(SIDES)),
            "solved_rows": lambda: solve(c(DIAGONALS), c(SIDES[:3])),
            "solved_batch": lambda: solve(c([DIAGONALS] * 2), c([SIDES] * 3)),
            "transposed": lambda: solve(c(DIAGONALS), c(SIDES.T), transpose_rhs=True),
            "conjugate": lambda: solve(c(DIAGONALS * 1j), c(SIDES + 1j), conjugate_rhs=True),
            "without_pivoting": lambda: both(
                lambda d, x: solve(d, x, partial_pivoting=False), c(DIAGONALS), c(SIDES)
            ),
            "many": lambda: solve(c([DIAGONALS, DIAGONALS[:, ::-1]] * 4), c([SIDES] * 8)),
            "one": lambda: solve(c([[7.0], [2.0], [7.0]]), c([[6.0, 3.0]])),
            "one_zero": lambda: solve(c([[7.0], [0.0], [7.0]]), c([[6.0, 3.0]])),
            "none": lambda: solve(c(np.ones([3, 0])), c(np.ones([0, 2]))),
            "singular": lambda: solve(c(singular), c(SIDES[:2])),
            "singular_alone": lambda: solve(c(singular), c(SIDES[:2]), partial_pivoting=False),
            "needs_pivoting": lambda: solve(
                c([[1.0, 1.0], [0.0, 1.0], [1.0, 1.0]]), c(SIDES[:2]), partial_pivoting=False
            ),
            "singular_of_many": lambda: solve(c([singular] * 3), c([SIDES[:2]] * 3)),
            "raw_static": lambda: plain(c(np.ones([2, 4])), c(SIDES)),
            "raw_any": lambda: plain(p(tf.float64), c(SIDES)).shape,
        },
        graph="sum",
    )


def decomposed(tf, stage):
    u, both = _unknown(tf), _with_gradients(tf)
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
            "eigenvalues": lambda: [tf.self_adjoint_eigvals(c(A), "own"), linalg.eigvalsh(c(A))],
            "eigen": lambda: sizes(tf.self_adjoint_eig(c(A, tf.float32))),
            "eigen_lower": lambda: tf.self_adjoint_eigvals(c(np.tril(A))),
            "eigen_values_both": lambda: both(linalg.eigvalsh, c(A)),
            "eigen_both": lambda: both(lambda x: sizes(linalg.eigh(x)), c(A)),
            "eigen_nan": lambda: tf.self_adjoint_eigvals(c(nan)),
            "eigen_infinite": lambda: tf.self_adjoint_eig(c(inf)),
            "eigen_nan_above": lambda: tf.self_adjoint_eigvals(c(upper)),
            "eigen_empty": lambda: tf.self_adjoint_eig(tf.zeros([2, 0, 0])),
            "eigen_one": lambda: tf.self_adjoint_eig(c([[[2.0]], [[-3.0]]])),
            "singular_values": lambda: [s_of(c(wide)), s_of(c(wide.T, tf.float32)), s_of(u(B))],
            "singular_gradient": lambda: both(s_of, c(B)),
            "singular_complex": lambda: both(s_of, c(B + 1j * B[::-1], tf.complex128)),
            "singular_complex_uv": lambda: through(c(B, tf.complex64), False),
            "singular_wide": lambda: through(c(wide), False),
            "singular_wide_full": lambda: through(c(wide), True),
            "singular_tall": lambda: through(c(B), False),
            "singular_tall_full": lambda: through(c(B), True),
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
            "qr_of": lambda: both(lambda x: sizes(linalg.qr(x)), c(B)),
            "qr_complex": lambda: gradient_of(linalg.qr, c(A, tf.complex64)),
            "qr_unknown": lambda: gradient_of(linalg.qr, part(A)),
            "qr_wide": lambda: gradient_of(linalg.qr, c(wide)),
            "qr_full": lambda: gradient_of(lambda x: linalg.qr(x, full_matrices=True), c(B)),
            "qr_sizes": lambda: [
                tuple(x.shape for x in linalg.qr(p, f))
                for f in (True, False)
                for p in (
                    part(wide),
                    tf.placeholder(tf.float32, [0, 3]),
                    tf.placeholder(tf.float32),
                )
            ],
            "qr_static": lambda: linalg.qr(tf.zeros([3])),
            "cholesky": lambda: both(linalg.cholesky, c(A)),
            "cholesky_lower": lambda: linalg.cholesky(c(np.tril(A) + np.triu(B @ B.T, 1))),
            "cholesky_no": lambda: linalg.cholesky(c(-A)),
            "cholesky_of_many": lambda: linalg.cholesky(u([A, -A])),
            "cholesky_nan": lambda: linalg.cholesky(c(nan)),
            "cholesky_empty": lambda: linalg.cholesky(tf.zeros([0, 3, 3])),
            "cholesky_oblong": lambda: linalg.cholesky(u(B)),
            "cholesky_complex": lambda: linalg.cholesky(
                c(A + 1j * (np.tril(A, -1) - np.triu(A, 1)), tf.complex64)
            ),
            "cholesky_solved": lambda: both(tf.cholesky_solve, c(np.tril(A)), c(B)),
            "lu": lambda: linalg.lu(c(A[::-1]), tf.int64, "own"),
            "lu_singular": lambda: linalg.lu(c(np.ones([2, 2]))),
            "lu_oblong": lambda: linalg.lu(u(B)),
            "lu_empty": lambda: linalg.lu(tf.zeros([0, 0])),
            "lu_type": lambda: linalg.lu(c(A), tf.int16),
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
            "pseudo_integers": lambda: linalg.pinv([[1]]),
            "pseudo_vector": lambda: linalg.pinv(c([1.0])),
            "pseudo_zero": lambda: linalg.pinv(c(np.zeros([2, 3]))),
            "exponential": lambda: [
                linalg.expm(c(A * s, k))
                for s, k in (
                    (0.1, tf.float32),
                    (0.3, tf.float64),
                    (0.5, tf.float32),
                    (2.0, tf.float64),
                )
            ],
            "exponential_fed": lambda: linalg.expm(u([A, A * 0, -A]), "own"),
            "exponential_complex": lambda: linalg.expm(c(A * 1j, tf.complex128)),
            "exponential_empty": lambda: linalg.expm(tf.zeros([2, 0, 0])),
            "exponential_integers": lambda: linalg.expm([[1]]),
        },
        graph="sum",
        v=A[0],
    )


def solved(tf, stage):
    u, both = _unknown(tf), _with_gradients(tf)
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


def multiplied(tf, stage):
    u, both = _unknown(tf), _with_gradients(tf)
    ph = tf.placeholder_with_default
    c = lambda x, k=tf.float32: tf.constant(np.array(x), k)  # noqa: E731
    any_ = lambda x: ph(np.asarray(x), None)  # noqa: E731
    raw = tf.raw_ops
    half = tf.bfloat16

    def sparse(kind_a, kind_b, a, b, **options):
        x, y = tf.cast(c(a), kind_a), tf.cast(c(b), kind_b)
        product = tf.matmul(x, y, **options)
        gradients = tf.gradients(tf.cast(product, tf.float32) * 3, [x, y])
        return [tf.cast(t, tf.float32) for t in (product, *gradients)]

    cases = {
        f"sparse_{t}{v}": lambda t=t, v=v: sparse(
            tf.float32,
            half,
            A if t else A.T,
            B.T if v else B,
            transpose_a=t,
            transpose_b=v,
            a_is_sparse=True,
        )
        for t in (False, True)
        for v in (False, True)
    }
    stage.each(
        {
            **cases,
            "mixed": lambda: sparse(half, tf.float32, A, B),
            "halves": lambda: sparse(half, half, A, B, b_is_sparse=True),
            "halves_dense": lambda: sparse(half, half, A, B),
            "through_relu": lambda: both(
                lambda x, y: tf.nn.relu(tf.matmul(x, y, a_is_sparse=True)), c(A), c(B)
            ),
            "sparse_doubles": lambda: tf.matmul(
                c(A, tf.float64), c(B, tf.float64), a_is_sparse=True
            ),
            "sparse_batches": lambda: tf.matmul(c([A]), c([B]), a_is_sparse=True),
            "sparse_sizes": lambda: raw.SparseMatMul(
                a=any_(A.astype("f")), b=any_(A.astype("f")[:2])
            ),
            "sparse_vector": lambda: raw.SparseMatMul(
                a=any_(A.astype("f")), b=any_(A.astype("f")[0])
            ),
            "twice_a": lambda: tf.matmul(c(A), c(B), transpose_a=True, adjoint_a=True),
            "twice_b": lambda: tf.matmul(c(A), c(B), transpose_b=True, adjoint_b=True),
            "adjoints": lambda: [
                both(
                    lambda x, y, p=p, q=q: tf.matmul(x, y, adjoint_a=p, adjoint_b=q),
                    c(A * 1j, tf.complex64),
                    c(A + 2j, tf.complex64),
                )
                for p in (False, True)
                for q in (False, True)
            ],
            "transposed": lambda: [
                both(lambda x, y, p=p, q=q: tf.matmul(x, y, p, q), c([A, -A]), c([A, A @ A]))
                for p in (False, True)
                for q in (False, True)
            ],
            "spread": lambda: both(tf.matmul, c([[A], [-A]]), c([B, B * 2, B])),
            "spread_fed": lambda: both(tf.matmul, u([A, -A]), u(B)),
            "spread_wrong": lambda: tf.matmul(any_([A, A]), any_([B, B, B])),
            "integers": lambda: [tf.matmul(c(A, k), c(B, k)) for k in (tf.int32, tf.int64)],
            "integers_large": lambda: tf.matmul([[2**30, 3]], [[2], [2**30]]),
            "integers_long": lambda: tf.matmul(c([[2**53 + 1]], tf.int64), c([[3]], tf.int64)),
            "shorts": lambda: tf.matmul(c([[1]], tf.int16), c([[1]], tf.int16)),
            "empty": lambda: [
                tf.matmul(tf.zeros([2, 0]), tf.zeros([0, 3])),
                tf.matmul(tf.zeros([0, 2]), c(B[:2])),
            ],
            "nan": lambda: tf.matmul(c([[np.nan, 0.0]]), c([[0.0], [np.inf]])),
            "sizes": lambda: tf.matmul(any_(A), any_(B[:2])),
            "rank": lambda: tf.matmul(any_(A[0]), any_(B)),
            "static_rank": lambda: tf.matmul(c(A[0]), c(B)),
            "static_sizes": lambda: tf.matmul(c(A), c(B[:2])),
            "batches_equal": lambda: raw.BatchMatMul(x=c([A]), y=c([B]), adj_x=True),
            "batches_gradient": lambda: [
                both(
                    lambda x, y, p=p, q=q: raw.BatchMatMul(x=x, y=y, adj_x=p, adj_y=q),
                    c([A]),
                    c([A @ A]),
                )
                for p in (False, True)
                for q in (False, True)
            ],
            "batches_ranks": lambda: raw.BatchMatMul(x=any_([A]), y=any_(B)),
            "batches_other": lambda: raw.BatchMatMul(x=any_([A, A]), y=any_([B])),
            "batches_vector": lambda: raw.BatchMatMul(x=any_(A[0]), y=any_(A[0])),
            "batches_sizes": lambda: raw.BatchMatMul(x=any_([A]), y=any_([B[:2]])),
            "vector": lambda: [
                tf.linalg.matvec(c(A), c(B[:, 0]), name="own"),
                tf.linalg.matvec(c(B), c(A[0]), True),
                tf.linalg.matvec(c(B * 1j, tf.complex64), c(A[0], tf.complex64), adjoint_a=True),
                tf.linalg.matvec(c(A), c(A), a_is_sparse=True, b_is_sparse=True),
            ],
            "cross": lambda: both(tf.cross, c(A), c(A[::-1])),
            "cross_integers": lambda: tf.cross([1, 2, 3], [4, 5, 6], "own"),
            "cross_unsigned": lambda: tf.cross(c([1, 2, 3], tf.uint8), c([4, 5, 6], tf.uint8)),
            "cross_sizes": lambda: tf.cross(any_(A), any_(A[0])),
            "cross_two": lambda: tf.cross(any_(B), any_(B)),
            "cross_scalar": lambda: tf.cross(any_(1.0), any_(1.0)),
            "cross_static": lambda: tf.cross(c(B), c(B)),
            "dot": lambda: [
                tf.tensordot(c(A), c(B), ([1], [0]), "own"),
                tf.tensordot(c(A), c(B), [-1, -2]),
                tf.tensordot(c(A), c(B), 0),
                tf.tensordot(u(A), u(B), 1),
                tf.tensordot(any_(A), any_(B), 1),
                tf.tensordot(any_(A), any_(B), [[-1], [0]]),
                tf.tensordot(c(A), c(A), ph([[0, 1], [1, 0]], [2, 2])),
            ],
            "dot_negative": lambda: tf.tensordot(c(A), c(B), -1),
            "dot_three": lambda: tf.tensordot(c(A), c(B), [[1], [0], [1]]),
            "dot_uneven": lambda: tf.tensordot(c(A), c(B), [[1], [0, 1]]),
            "dot_gradient": lambda: both(lambda x, y: tf.tensordot(x, y, [[0], [0]]), c(A), c(B)),
        },
        graph="sum",
    )


def norms(tf, stage):
    u = _unknown(tf)
    norm = tf.norm
    x = np.array([[[3.0, -4.0], [0.0, 12.0]], [[1.0, 2.0], [-2.0, 4.0]]])
    c = tf.constant
    orders = ("euclidean", 1, 2, np.inf, "fro")
    stage.each(
        {
            **{
                f"of_matrices_{o}{k}": lambda o=o, k=k: [
                    norm(c(x), o, a, k) for a in ([-2, -1], (2, 0))
                ]
                for o in orders
                for k in (False, True)
            },
            **{
                f"of_vectors_{o}": lambda o=o: [
                    norm(c(x), o, a, keepdims=a == 1) for a in (None, 1, -1)
                ]
                for o in (*orders[:4], 3, 0.5)
            },
            "fed": lambda: [norm(u(x), o, [0, 1], name="own") for o in orders],
            "complex": lambda: [norm(c(x * 1j), o, 1) for o in (1, 2, np.inf)],
            "old": lambda: norm(c(x), axis=1, keep_dims=True),
            "both": lambda: norm(c(x), axis=1, keep_dims=True, keepdims=True),
            "of_vectors_fro": lambda: norm(c(x), "fro"),
            "of_vectors_zero": lambda: norm(c(x), 0),
            "of_vectors_text": lambda: norm(c(x), "l2"),
            "of_vectors_minus": lambda: norm(c(x), -np.inf),
            "of_matrices_three": lambda: norm(c(x), 3, [0, 1]),
            "axes_three": lambda: norm(c(x), 1, [0, 1, 2]),
            "axis_float": lambda: norm(c(x), 1, 1.0),
            "axes_floats": lambda: norm(c(x), 1, [0, 1.0]),
            "axes_same": lambda: norm(c(x), 1, [1, 1]),
            "integers": lambda: norm([3, 4]),
        },
        graph="sum",
    )


def by_letters(tf, stage):
    u, both = _unknown(tf), _with_gradients(tf)
    c = tf.constant
    es = tf.einsum
    t = np.arange(12.0).reshape(2, 3, 2)
    any_ = lambda x: tf.placeholder_with_default(x, None)  # noqa: E731
    v2 = tf.compat.v2.einsum if hasattr(tf.compat, "v2") else None
    raw = lambda of, *x: tf.raw_ops.Einsum(inputs=list(x), equation=of)  # noqa: E731
    refused = {
        f"refused_{n}": lambda of=of, x=x: es(of, *map(c, x))
        for n, (of, x) in enumerate(
            [
                ("ij->", [A, A]),
                ("ij,jk>ik", [A, B]),
                ("i j,jk->i1", [A, B]),
                ("ij,jk->il", [A, B]),
                ("ijj,jk->ik", [t, B]),
                ("ij,jk->iik", [A, B]),
                ("ij,jk->ik", [A, t]),
                ("i.j,jk->ik", [A, B]),
                ("...ij,jk->.ik", [A, B]),
                ("...i...,ik->ik", [A, A]),
                ("...ijk,jk->ik", [A, A]),
                ("ij,jk->ik", [A, B[:2]]),
                ("ij,ij,ij->ij", [A, A, t]),
                ("ij,jk,kl->il", [A, A, B]),
                ("", [A]),
            ]
        )
    }
    runs = ("ij,jk", "ij,jk->ki", "ij,jk->", "ij,jk->j", "ij,kj->ikj", "ij,ij->i", "ji,jk->ik")
    wholes = ("ij->ji", "ij->j", "ij->", "ij", "ji")
    raws = ("ii->i", "i->ii", "ii", "ij->", "...ij->...ji", "...", "ij...->...")
    bad = ("ij->ijk", "ij,->i", "ij", "...i...->", "i.j->", "ij->ii", "i1->", "ij->k", "ij->j...")
    stage.each(
        {
            **refused,
            **{
                f"two_{o}": lambda o=o: both(lambda x, y: es(o, x, y), c(A), c(A @ A)) for o in runs
            },
            **{f"fed_{o}": lambda o=o: es(o, u(A), u(A @ A), name="own") for o in runs},
            **{f"one_{o}": lambda o=o: es(o, c(A)) for o in wholes},
            **{f"raw_{o}": lambda o=o: both(lambda x: raw(o, x), c(A)) for o in raws},
            **{f"bad_{o}": lambda o=o: raw(o, any_(A)) for o in bad},
            **{f"bad_static_{o}": lambda o=o: raw(o, c(A)) for o in bad},
            "three": lambda: both(lambda x, y, z: es("ij,jk,kl->il", x, y, z), c(A), c(A), c(B)),
            "spread": lambda: [
                es("...ij,jk->...ik", c(t[None]), c(B[:2])),
                es("i...,i...->...", c(t), c(t)),
                es("...j,j...", c(A), c(A)),
            ],
            "spread_unknown": lambda: es("...j,jk->...k", any_(A), c(A)),
            "options": lambda: es("ij,jk->ik", c(A), c(A), optimize="greedy"),
            "sizes": lambda: raw("ij,jk->ik", any_(A), any_(B[:2])),
            "ranks": lambda: raw("ij,jk->ik", any_(A), any_(t)),
            "ranks_least": lambda: raw("...ijk->i", any_(A)),
            "no_ellipsis": lambda: raw("...i->i", any_(A)),
            "v2": lambda: [v2("bij,bjk->bik", c(t), c(t[:, :2])), v2("ii", c(A))],
            "integers": lambda: es("i,i->", c([1, 2]), c([3, 4])),
        },
        graph="sum",
    )
