"""Linear operators in float64, complex, and with shapes known only at run time: values and graphs."""

import numpy as np

_COLUMN, _ROW = np.array([3.0, 1.0, 0.5]), np.array([3.0, -1.0, 0.25])
_X = np.array([[1.0, 2.0], [0.1, -0.3], [0.7, 0.9]])


def _cases(tf, only=(), **operators):
    """Each operator's methods, all or the given ones, by name."""
    methods = {
        "matmul": lambda of, x: of.matmul(x),
        "adjoint": lambda of, x: of.matmul(x, adjoint=True),
        "turned": lambda of, x: of.matmul(tf.linalg.adjoint(x), adjoint_arg=True),
        "matvec": lambda of, x: of.matvec(x[..., 0], adjoint=True),
        "solve": lambda of, x: of.solve(x),
        "solved_adjoint": lambda of, x: of.solve(x, adjoint=True),
        "numbers": lambda of, x: [of.determinant(), of.log_abs_determinant(), of.trace()],
        "parts": lambda of, x: [of.diag_part(), of.to_dense(), of.add_to_tensor(of.to_dense())],
        "shapes": lambda of, x: [
            *(of.shape_tensor(), of.batch_shape_tensor(), of.tensor_rank_tensor()),
            *(of.domain_dimension_tensor(), of.range_dimension_tensor()),
        ],
        "is": lambda of, x: (
            *(of.is_self_adjoint, of.is_positive_definite, of.is_non_singular, of.is_square),
            of.dtype.name,
        ),
        "checks": lambda of, x: [of.assert_non_singular(), tf.constant(1)],
        "definite": lambda of, x: [of.assert_positive_definite(), tf.constant(1)],
        "adjoint_checked": lambda of, x: [of.assert_self_adjoint(), tf.constant(1)],
    }
    return {
        f"{name} {method}": lambda make=make, method=method, x=x: methods[method](make(), x)
        for name, (make, x) in operators.items()
        for method in only or methods
    }


def dense_and_diagonal(tf, stage):
    of = tf.linalg
    matrix = np.diag([2.0, 3.0, 4.0]) + 0.25
    loose = lambda: tf.placeholder_with_default(matrix, None)  # noqa: E731
    cases = _cases(
        tf,
        full=(lambda: of.LinearOperatorFullMatrix(matrix), _X),
        loose=(lambda: of.LinearOperatorFullMatrix(loose(), is_square=True), _X),
        definite=(
            lambda: of.LinearOperatorFullMatrix(
                matrix, is_self_adjoint=True, is_positive_definite=True
            ),
            _X,
        ),
        lower=(lambda: of.LinearOperatorLowerTriangular(matrix), _X),
        diagonal=(lambda: of.LinearOperatorDiag(_COLUMN + 1j), _X.astype(np.complex128)),
        scaled=(
            lambda: of.LinearOperatorScaledIdentity(3, np.float64(2.0), assert_proper_shapes=True),
            _X,
        ),
        identity=(
            lambda: of.LinearOperatorIdentity(
                3, batch_shape=[2], dtype=tf.float64, assert_proper_shapes=True
            ),
            _X,
        ),
    )
    del cases["lower adjoint_checked"]  # TensorFlow mistakes a row in the message for a node
    stage.each(cases, graph="sum")
