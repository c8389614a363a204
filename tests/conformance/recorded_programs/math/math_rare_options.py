"""Rarely used options: sums with kept axes, banded diagonals, reversed folds, sparse embeddings with max_norm."""

import numpy as np


def build(tf):
    random = np.random.RandomState(0)
    x = tf.constant(random.randn(3, 4, 2).astype("f"))
    fed = tf.placeholder(tf.float32, [None, 4, 2], name="fed")
    square = tf.constant(random.randn(2, 3, 3).astype("f"))
    fetches = {}
    for name in (
        "max",
        "min",
        "prod",
        "sum",
        "mean",
        "logsumexp",
        "euclidean_norm",
        "std",
        "variance",
    ):
        reduce = getattr(tf.math, "reduce_" + name)
        fetches[name] = [reduce(x, 1, True), reduce(fed, [0, -1], True), reduce(fed, keepdims=True)]
    fetches["any"] = [tf.reduce_any(x > 1, 1, True), tf.reduce_all(x < 1, [0, 2], True)]
    fetches["old axes"] = [
        tf.reduce_sum(x, reduction_indices=[1], keep_dims=True),
        tf.reduce_max(x, reduction_indices=0),
        tf.count_nonzero(x > 0, keep_dims=True, reduction_indices=[0]),
        tf.norm(x, axis=1, keep_dims=True),
        tf.argmin(x, dimension=1, output_type=tf.int32),
    ]
    mean, variance = tf.nn.weighted_moments(x, [0, 1], tf.abs(x) + 1.0, keepdims=True)
    statistics = tf.nn.sufficient_statistics(x, [0, 2], shift=0.5, keepdims=True)
    fetches["moments"] = [mean, variance, *statistics]
    complexes = tf.complex(square, square * 2.0)
    fetches["matrices"] = [
        tf.linalg.matrix_transpose(complexes, conjugate=True),
        tf.linalg.matvec(square, x[:2, :3, 0], transpose_a=True),
        tf.linalg.matvec(complexes, complexes[:, 0], adjoint_a=True),
        tf.linalg.lstsq(square, x[:2, :3], l2_regularizer=0.3),
        tf.linalg.lstsq(square[:, :2], x[:2, :2], l2_regularizer=0.2),
        tf.linalg.triangular_solve(square + 3.0 * tf.eye(3), x[:2, :3], lower=False),
        tf.linalg.triangular_solve(square + 3.0 * tf.eye(3), x[:2, :3], adjoint=True),
        tf.linalg.matrix_rank(tf.constant([[[1.0, 2.0], [2.0, 4.001]]] * 2), tol=0.01),
        tf.linalg.diag_part(square),
    ]
    tridiagonal = [tf.constant(random.rand(2, 4).astype("f")) + n % 2 * 3.0 for n in range(3)]
    right = tf.constant(random.randn(2, 3, 4).astype("f"))
    solve = tf.linalg.tridiagonal_solve
    fetches["tridiagonal"] = [
        solve(tridiagonal, right, diagonals_format="sequence", transpose_rhs=True),
        solve(tridiagonal, right[:, 0], diagonals_format="sequence"),
        solve(tf.stack(tridiagonal, 1), right, conjugate_rhs=True, transpose_rhs=True),
    ]
    fetches["folds"] = [
        tf.foldl(
            lambda a, b: a * 0.5 + b, x, parallel_iterations=1, back_prop=False, swap_memory=True
        ),
        tf.foldr(lambda a, b: a * 0.5 + b, x, parallel_iterations=2, swap_memory=True),
        tf.foldr(lambda a, b: a - b, x, initializer=tf.ones([4, 2]), back_prop=False),
        tf.scan(lambda a, b: a * 0.5 + b, x, reverse=True, infer_shape=False),
        tf.map_fn(lambda a: a[0], x, parallel_iterations=1, back_prop=False, infer_shape=False),
    ]
    tables = [tf.constant(random.randn(3, 2).astype("f")) * 3.0 for _ in range(2)]
    ids = tf.SparseTensor(
        [[0, 0], [0, 2], [1, 1], [3, 0]], tf.constant([1, 4, 5, 0], tf.int64), [4, 3]
    )
    weights = tf.SparseTensor(ids.indices, tf.constant([0.5, 2.0, 1.0, 3.0]), ids.dense_shape)
    for combiner in ("sum", "mean", "sqrtn"):
        for strategy in ("mod", "div"):
            how = {"partition_strategy": strategy, "combiner": combiner, "max_norm": 1.5}
            fetches[f"{combiner} {strategy}"] = [
                tf.nn.embedding_lookup_sparse(tables, ids, weights, **how),
                tf.nn.embedding_lookup_sparse(tables, ids, None, **how),
                tf.nn.safe_embedding_lookup_sparse(tables, ids, weights, default_id=2, **how),
                tf.nn.safe_embedding_lookup_sparse(tables, ids, **how),
            ]
    fetches["lookups"] = [
        tf.nn.embedding_lookup(tables, ids.values, partition_strategy="div", max_norm=2.0),
        tf.nn.embedding_lookup(tables[0], [[0, 2]], max_norm=0.5),
    ]
    sparse = tf.SparseTensor([[0, 1], [1, 0], [1, 2]], [1.0, -2.0, 3.0], [2, 3])
    fetches["sparse"] = [
        tf.sparse.reduce_max(sparse, 1, keepdims=True),
        tf.sparse.reduce_sum(sparse, 0, keepdims=True),
        tf.sparse.reduce_sum_sparse(sparse, 1, keepdims=True),
        tf.sparse.reduce_max_sparse(sparse, 0, keepdims=True),
        tf.sparse.concat(1, [sparse, sparse], expand_nonconcat_dim=True),
        tf.sparse.to_dense(sparse, default_value=7.0),
        tf.reverse_sequence(x, [1, 4, 2], seq_dim=1, batch_dim=0),
    ]
    v = tf.get_variable("v", initializer=random.rand(4, 2).astype("f") + 1.0, use_resource=False)
    scattered = []
    with tf.control_dependencies([v.initializer]):
        before = tf.no_op()
    for name in ("add", "sub", "mul", "div", "max", "min", "update"):
        with tf.control_dependencies([before]):
            op = getattr(tf, "scatter_" + name)(
                v, [2, 0], [[0.5, 4.0], [1.5, 1.0]], use_locking=True
            )
        scattered.append(op)
        before = op.op
    fetches["scatter"] = [tf.identity(scattered[-1])]
    return {"steps": [(name, found, {fed: np.ones([2, 4, 2])}) for name, found in fetches.items()]}
