"""LinearOperators of identity matrices, plain and scaled."""

import numpy as np


def build(tf):
    steps = []
    x = tf.constant(np.arange(12, dtype=np.float32).reshape(2, 3, 2) / 5 - 1, name="x")
    rows = tf.placeholder_with_default(3, [], name="rows")
    plain = tf.linalg.LinearOperatorIdentity(3)
    batch = tf.linalg.LinearOperatorIdentity(3, batch_shape=[2], name="batch")
    loose = tf.linalg.LinearOperatorIdentity(rows, batch_shape=[2], name="loose")
    checked = tf.linalg.LinearOperatorIdentity(3, assert_proper_shapes=True, name="checked")
    scaled = tf.linalg.LinearOperatorScaledIdentity(3, [2.0, -0.5], is_non_singular=True)
    single = tf.linalg.LinearOperatorScaledIdentity(
        rows, 4.0, is_positive_definite=True, is_self_adjoint=True, name="single")  # fmt: skip

    def use(name, operator):
        steps.append((name, [
            operator.matmul(x), operator.solve(x), operator.to_dense(), operator.diag_part(),
            operator.trace(), operator.shape_tensor(), operator.batch_shape_tensor(),
            operator.determinant(), operator.log_abs_determinant(), operator.matvec(x[..., 0]),
            operator.add_to_tensor(operator.to_dense()),
        ]))  # fmt: skip

    for name, operator in (
        ("plain", plain),
        ("batch", batch),
        ("loose", loose),
        ("checked", checked),
        ("scaled", scaled),
        ("single", single),
    ):
        use(name, operator)
    use("inverse", scaled.inverse())
    use("cholesky", single.cholesky())
    known = tf.linalg.LinearOperatorScaledIdentity(3, 4.0, name="known")
    diagonal = tf.linalg.LinearOperatorDiag([1.0, 2.0, -1.0], name="diagonal")
    steps.append(
        (
            "diagonals",
            [
                diagonal.matmul(known).diag,
                known.matmul(diagonal).diag,
                diagonal.solve(known).diag,
                known.solve(diagonal).diag,
            ],
        )
    )
    lower = tf.linalg.LinearOperatorLowerTriangular(np.eye(3, dtype=np.float32) * 2)
    facts = {
        "products": [
            plain.matmul(lower).name,
            lower.matmul(plain).name,
            plain.solve(lower).name,
            plain.inverse().name,
            plain.H.name,
        ],
        "shapes": [str(operator.shape) for operator in (plain, batch, loose, scaled, single)],
    }
    with tf.control_dependencies(
        [
            plain.assert_non_singular(),
            scaled.assert_non_singular(),
            single.assert_positive_definite(),
        ]
    ):
        steps.append(("held", tf.identity(x)))
    return {"steps": steps, "facts": facts}
