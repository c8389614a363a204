"""Composite linear operators: products, inverses, adjoints, Kronecker products, updates; unknown shapes; errors."""

import numpy as np

_M = np.array([[4.0, 1.0], [1.0, 3.0]], np.float32)

# TensorFlow mistakes a row in the message that these are not self-adjoint for a node.
_WITH_ROWS = ("lower", "product", "updated")


def _operators(tf):
    of = tf.linalg
    definite = {"is_self_adjoint": True, "is_positive_definite": True, "is_non_singular": True}
    full = lambda **hints: of.LinearOperatorFullMatrix(_M, **hints)  # noqa: E731
    return {
        "updated": lambda: of.LinearOperatorLowRankUpdate(
            full(**definite), [[1.0], [2.0]], [0.5], is_diag_update_positive=True
        )
    }


def _told(operator):
    return (
        type(operator).__name__,
        operator.name,
        *(operator.is_non_singular, operator.is_self_adjoint, operator.is_positive_definite),
        operator.is_square,
        operator.shape,
    )


def alone(tf, stage):
    for name, make in _operators(tf).items():
        stage.say(name)
        with tf.Graph().as_default(), tf.Session() as session:
            operator = make()
            for method in ("adjoint", "inverse", "cholesky"):
                with stage.failing():
                    made = getattr(operator, method)()
                    stage.say(method, _told(made), session.run(made.to_dense()))
            for method in (
                *("assert_non_singular", "assert_positive_definite", "assert_self_adjoint"),
                *("determinant", "log_abs_determinant", "trace", "diag_part", "shape_tensor"),
                *("batch_shape_tensor", "tensor_rank_tensor", "domain_dimension_tensor"),
            ):
                if method != "assert_self_adjoint" or name not in _WITH_ROWS:
                    with stage.failing():
                        stage.say(method, session.run(getattr(operator, method)()))
            with stage.failing():
                stage.say(session.run(operator.matvec([1.0, 2.0], adjoint=True)))
            with stage.failing():
                stage.say(session.run(operator.solvevec([1.0, 2.0], adjoint=True)))
            with stage.failing():
                stage.say(session.run(operator.add_to_tensor(_M)))
            parts = [operator.tensor_rank, operator.batch_shape, len(operator.graph_parents)]
            stage.say(*parts, operator.dtype.name)
            stage.brief_graph(names=False)


def of_unknown_shapes(tf, stage):
    of = tf.linalg
    loose = lambda x: tf.placeholder_with_default(np.float32(x), None)  # noqa: E731
    made = {
        "circulant": lambda: of.LinearOperatorCirculant(
            tf.placeholder_with_default(np.complex64([2.0, 1j + 1]), None)
        )
    }

    for name, make in made.items():
        stage.say(name)
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            operator = make()
            stage.say(operator.shape, operator.tensor_rank, operator.is_square)
            for method in (
                *("shape_tensor", "batch_shape_tensor", "tensor_rank_tensor", "to_dense"),
                *("domain_dimension_tensor", "range_dimension_tensor", "diag_part", "trace"),
                *("determinant", "assert_non_singular", "assert_self_adjoint"),
            ):
                if method != "assert_self_adjoint" or name not in _WITH_ROWS:
                    with stage.failing():
                        stage.say(method, session.run(getattr(operator, method)()))
            given = [np.ones([2, 3], "f"), np.ones([2, 2, 1], "f")]
            if name != "inversion":  # TensorFlow's solver crashes
                given.append(np.ones([3, 1], "f"))
            for x in given:
                for options in ({}, {"adjoint": True})[: 2 if x.ndim == 3 else 1]:
                    with stage.failing():
                        stage.say(session.run(operator.matmul(x, **options)))
            with stage.failing():
                stage.say(session.run(operator.matmul(loose(np.ones([3, 2])), adjoint_arg=True)))
            stage.brief_graph(names=False)


def refused(tf, stage):
    of = tf.linalg
    full, diag = of.LinearOperatorFullMatrix, of.LinearOperatorDiag
    tall = np.ones([3, 2], np.float32)
    one = full(_M, is_self_adjoint=True, is_positive_definite=True, is_non_singular=True)
    update = of.LinearOperatorLowRankUpdate
    p = tf.placeholder
    said = lambda make: lambda: _told(make())  # noqa: E731
    stage.attempts(
        *map(
            said,
            (
                lambda: full([1.0]),
                lambda: full(np.int32(_M)),
                lambda: full(tall, is_square=True),
                lambda: full(tall, is_non_singular=True),
                lambda: full(_M, is_positive_definite=True, is_non_singular=False),
                lambda: full(_M, is_positive_definite=True, is_self_adjoint=False),
                lambda: full(tf.Variable(_M)),
                lambda: diag(3.0),
                lambda: diag([1.0], is_square=False),
                lambda: diag([1.0], is_self_adjoint=False),
                lambda: of.LinearOperatorLowerTriangular([1.0]),
                lambda: of.LinearOperatorIdentity(2.5),
                lambda: of.LinearOperatorIdentity([2]),
                lambda: of.LinearOperatorIdentity(-2),
                lambda: of.LinearOperatorIdentity(2, [[1]]),
                lambda: of.LinearOperatorIdentity(2, [-1]),
                lambda: of.LinearOperatorIdentity(2, is_self_adjoint=False),
                lambda: of.LinearOperatorIdentity(2, is_square=False),
                lambda: of.LinearOperatorIdentity(2, is_non_singular=False),
                lambda: of.LinearOperatorIdentity(2, is_positive_definite=False),
                lambda: of.LinearOperatorScaledIdentity(2, 3.0, is_square=False),
                lambda: of.LinearOperatorScaledIdentity(2, 3),
                lambda: of.LinearOperatorZeros(2, 3),
                lambda: of.LinearOperatorZeros(2.0),
                lambda: of.LinearOperatorZeros(-1),
                lambda: of.LinearOperatorZeros(2, is_self_adjoint=False),
                lambda: of.LinearOperatorZeros(2, is_non_singular=True),
                lambda: of.LinearOperatorZeros(2, is_positive_definite=True),
                lambda: of.LinearOperatorHouseholder(2.0),
                lambda: of.LinearOperatorHouseholder([1.0], is_self_adjoint=False),
                lambda: of.LinearOperatorHouseholder([1.0], is_positive_definite=True),
                lambda: of.LinearOperatorHouseholder([1.0], is_square=False),
                lambda: of.LinearOperatorCirculant(1.0),
                lambda: of.LinearOperatorCirculant2D([1.0]),
                lambda: of.LinearOperatorCirculant([1.0], is_square=False),
                lambda: of.LinearOperatorCirculant([1.0], tf.float32, is_self_adjoint=False),
                lambda: of.LinearOperatorToeplitz(1.0, [1.0]),
                lambda: of.LinearOperatorToeplitz([1.0], 1.0),
                lambda: of.LinearOperatorToeplitz([1.0], [1.0, 2.0]),
                lambda: of.LinearOperatorToeplitz([1.0], [1.0], is_square=False),
                lambda: of.LinearOperatorComposition([]),
                lambda: of.LinearOperatorComposition([one, diag([1.0, 2.0], name="d")]),
                lambda: of.LinearOperatorComposition([one, full(np.float64(_M))]),
                lambda: of.LinearOperatorComposition([one, full(tall)]),
                lambda: of.LinearOperatorComposition([one, one], is_non_singular=False),
                lambda: of.LinearOperatorComposition([full(tall), one]),
                lambda: of.LinearOperatorBlockDiag([]),
                lambda: of.LinearOperatorBlockDiag([full(tall)]),
                lambda: of.LinearOperatorBlockDiag([one], is_square=False),
                lambda: of.LinearOperatorBlockDiag([one], is_non_singular=False),
                lambda: of.LinearOperatorBlockDiag([one], is_self_adjoint=False),
                lambda: of.LinearOperatorBlockDiag([one], is_positive_definite=False),
                lambda: of.LinearOperatorKronecker([]),
                lambda: of.LinearOperatorKronecker([one, full(np.float64(_M))]),
                lambda: of.LinearOperatorKronecker([one, one], is_positive_definite=False),
                lambda: of.LinearOperatorAdjoint(one, is_self_adjoint=False),
                lambda: of.LinearOperatorInversion(full(_M, is_non_singular=False)),
                lambda: of.LinearOperatorInversion(full(tall)),
                lambda: of.LinearOperatorInversion(full(tall, is_square=False)),
                lambda: update(one, [[1.0], [2.0]], is_diag_update_positive=False),
                lambda: update(one, [[1.0], [2.0]], is_self_adjoint=False),
                lambda: update(one, [[1.0], [2.0]], is_positive_definite=False),
                lambda: update(one, [[1.0], [2.0]], [1.0], is_positive_definite=False),
                lambda: update(one, [[1.0]]),
                lambda: update(one, [[1.0], [2.0]], [1.0, 2.0]),
                lambda: update(one, [[1.0], [2.0]], v=[[1.0]]),
                lambda: update(one, [1.0, 2.0]),
                lambda: update(full(np.int32(_M)), [[1.0]]),
            ),
        ),
        lambda: one.matvec(np.float32(_M)).shape,
        lambda: one.matvec(np.ones([3], "f")),
        lambda: one.solve(np.ones([3, 1], "f")),
        lambda: one.add_to_tensor(np.ones([3, 3], "f")),
        lambda: full(tall).solve(_M),
        lambda: full(tall).determinant(),
        lambda: full(tall).cholesky(),
        lambda: full(tall).inverse(),
        lambda: full(_M, is_non_singular=False).solve(_M),
        lambda: full(_M, is_non_singular=False).inverse(),
        lambda: full(tall, is_square=False).assert_self_adjoint(),
        lambda: full(tall, is_square=False).assert_positive_definite(),
        lambda: of.LinearOperatorKronecker([full(tall), one]).assert_non_singular(),
        lambda: of.LinearOperatorKronecker([full(tall), one]).assert_self_adjoint(),
        lambda: of.LinearOperatorZeros(2).solve(_M),
        lambda: one.matmul(full(tall)),
        lambda: one.solve(full(tall)),
        lambda: of.adjoint(one).name,
        lambda: of.cholesky(one).name,
        lambda: of.inv(one).name,
        lambda: of.matmul(one, _M).shape,
        lambda: of.matmul(_M, one),
        lambda: of.solve(one, _M).shape,
        lambda: of.trace(one).shape,
        lambda: of.diag_part(one).shape,
        lambda: of.det(one).shape,
        lambda: full(p(tf.float32, [None, 2])).shape,
    )
