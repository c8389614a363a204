"""LinearOperators: products, solutions, determinants and what is made of them."""

import numpy as np


def build(tf):
    random = np.random.RandomState(4)
    steps = []
    facts = {}
    a = random.uniform(-1, 1, [2, 3, 3]).astype(np.float32) + 3 * np.eye(3, dtype=np.float32)
    x = tf.constant(random.uniform(-1, 1, [2, 3, 2]).astype(np.float32), name="x")
    unknown = tf.placeholder_with_default(a, [None, None, None], name="unknown")
    variable = tf.get_variable("v", initializer=np.array([1.0, 2.0, -3.0], np.float32))

    lower = tf.linalg.LinearOperatorLowerTriangular(a, is_non_singular=True)
    single = tf.linalg.LinearOperatorLowerTriangular(a[0], name="single")
    loose = tf.linalg.LinearOperatorLowerTriangular(unknown, name="loose")
    diagonal = tf.linalg.LinearOperatorDiag([2.0, -1.0, 0.5], is_non_singular=True)
    complex_diagonal = tf.linalg.LinearOperatorDiag(tf.constant([2.0 + 1j, -1j]), name="complex")
    of_variable = tf.linalg.LinearOperatorDiag(variable, name="of_variable")
    full = tf.linalg.LinearOperatorFullMatrix(a, is_square=True)
    positive = tf.linalg.LinearOperatorFullMatrix(
        tf.matmul(a, a, transpose_b=True),
        is_self_adjoint=True,
        is_positive_definite=True,
        name="positive",
    )
    wide = tf.linalg.LinearOperatorFullMatrix(a[:, :2], name="wide")

    def use(name, operator, argument):
        steps.append(
            (
                name,
                [
                    operator.matmul(argument),
                    operator.to_dense(),
                    operator.diag_part(),
                    operator.trace(),
                    operator.shape_tensor(),
                    operator.batch_shape_tensor(),
                    operator.tensor_rank_tensor(),
                    operator.domain_dimension_tensor(),
                    operator.range_dimension_tensor(),
                    operator.matvec(argument[..., 0]),
                ],
            )
        )
        facts[name] = [
            operator.name,
            str(operator.shape),
            str(operator.is_square),
            operator.is_non_singular,
            operator.is_self_adjoint,
        ]
        if name == "wide":
            return
        steps.append(
            (
                name + " solutions",
                [
                    operator.solve(argument),
                    operator.solve(argument, adjoint=True),
                    operator.solvevec(argument[..., 0]),
                    operator.determinant(),
                    operator.log_abs_determinant(),
                ],
            )
        )
        steps.append((name + " sums", operator.add_to_tensor(operator.to_dense())))

    for name, operator in (
        ("lower", lower),
        ("single", single),
        ("loose", loose),
        ("diagonal", diagonal),
        ("of_variable", of_variable),
        ("full", full),
        ("positive", positive),
        ("wide", wide),
    ):
        use(name, operator, x)
    use("adjoint", lower.adjoint(), x)
    use("inverse", lower.inverse(), x)
    use("product", lower.matmul(full), x)
    use("both", diagonal.matmul(of_variable), x)
    use("solved", lower.solve(full), x)
    use("divided", diagonal.solve(of_variable), x)
    use("scaled_rows", diagonal.matmul(lower), x)
    use("scaled_columns", lower.matmul(diagonal), x)
    use("divided_rows", diagonal.solve(lower), x)
    use("factor", positive.cholesky(), x)
    use("inverse_diagonal", diagonal.inverse(), x)
    use("complex", complex_diagonal, tf.constant([[1j, 2.0], [0.5, 1.0]]))
    use("complex_adjoint", complex_diagonal.H, tf.constant([[1j, 2.0], [0.5, 1.0]]))
    steps.insert(0, ("init", variable.initializer))
    with tf.control_dependencies(
        [
            lower.assert_non_singular(),
            diagonal.assert_self_adjoint(),
            positive.assert_positive_definite(),
        ]
    ):
        steps.append(("checked", tf.identity(x)))
    steps.append(("gradients", tf.gradients(lower.solve(x), [x, lower.graph_parents[0]])))
    facts["variables"] = [v.name for v in of_variable.variables]
    return {"steps": steps, "facts": facts}
