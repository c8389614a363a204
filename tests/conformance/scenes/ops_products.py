"""Matrix products, einsum: transposed, sparse, of unknown sizes; errors."""

import numpy as np

from tests.conformance.scenes import unknown, with_gradients

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 5.0]])
B = np.array([[1.0, 2.0], [-3.0, 0.5], [0.25, 4.0]])


def multiplied(tf, stage):
    u, both = unknown(tf, ranked=True), with_gradients(tf)
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


def by_letters(tf, stage):
    u, both = unknown(tf, ranked=True), with_gradients(tf)
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
            "spread": lambda: [
                es("...ij,jk->...ik", c(t[None]), c(B[:2])),
                es("i...,i...->...", c(t), c(t)),
                es("...j,j...", c(A), c(A)),
            ],
            "options": lambda: es("ij,jk->ik", c(A), c(A), optimize="greedy"),
            "sizes": lambda: raw("ij,jk->ik", any_(A), any_(B[:2])),
            "ranks_least": lambda: raw("...ijk->i", any_(A)),
            "no_ellipsis": lambda: raw("...i->i", any_(A)),
            "v2": lambda: [v2("bij,bjk->bik", c(t), c(t[:, :2])), v2("ii", c(A))],
            "integers": lambda: es("i,i->", c([1, 2]), c([3, 4])),
        },
        graph="sum",
    )
