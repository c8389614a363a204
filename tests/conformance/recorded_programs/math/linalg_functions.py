"""The functions of tf.linalg, given a LinearOperator for a matrix."""

import numpy as np


def build(tf):
    random = np.random.RandomState(9)
    a = random.uniform(-1, 1, [2, 3, 3]).astype(np.float32)
    a = np.matmul(a, a.transpose(0, 2, 1)) + 2 * np.eye(3, dtype=np.float32)
    x = tf.constant(random.uniform(-1, 1, [3, 2]).astype(np.float32), name="x")
    row = tf.constant(random.uniform(-1, 1, [2, 3]).astype(np.float32), name="row")
    known = {"is_self_adjoint": True, "is_positive_definite": True}
    operators = {
        "full": tf.linalg.LinearOperatorFullMatrix(a, name="full", **known),
        "diagonal": tf.linalg.LinearOperatorDiag(a[:, 0] ** 2 + 1, **known),
        "scaled": tf.linalg.LinearOperatorScaledIdentity(3, 4.0, **known),
    }
    steps = []
    for name, operator in operators.items():
        made = [
            tf.matmul(operator, x),
            tf.matmul(operator, row, adjoint_b=True, name="named"),
            tf.matmul(row, operator),
            tf.linalg.matvec(operator, row[0]),
            tf.matmul(operator, operator).to_dense(),
            tf.linalg.solve(operator, x),
            tf.linalg.solve(operator, operator, adjoint=True).to_dense(),
            tf.linalg.inv(operator).to_dense(),
            tf.linalg.inv(operator, adjoint=True).to_dense(),
            tf.linalg.det(operator, name="volume"),
            tf.linalg.logdet(operator),
            tf.linalg.cholesky(operator).to_dense(),
            tf.linalg.adjoint(operator).to_dense(),
            tf.linalg.diag_part(operator),
            tf.trace(operator),
        ]
        steps.append((name, made))
    return {"steps": steps}
