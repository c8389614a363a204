"""LinearOperators of structured matrices: blocks, circulants, reflections, Kronecker products, updates, zeros."""

import numpy as np

TOLERANCE = 1e-4  # single-precision linear systems


def build(tf):
    random = np.random.RandomState(7)
    steps, facts = [], {}
    la = tf.linalg

    def floats(*shape):
        return random.uniform(-1, 1, shape).astype(np.float32)

    a = floats(2, 2, 2) + 3 * np.eye(2, dtype=np.float32)
    b = floats(3, 3) + 3 * np.eye(3, dtype=np.float32)
    unknown = tf.placeholder_with_default(b, [None, None], name="unknown")
    full_a = la.LinearOperatorFullMatrix(a, is_non_singular=True, is_square=True, name="a")
    full_b = la.LinearOperatorFullMatrix(b, is_square=True, name="b")
    loose = la.LinearOperatorFullMatrix(unknown, is_square=True, name="loose")
    positive = la.LinearOperatorFullMatrix(
        np.eye(2, dtype=np.float32) * 3 + 1, is_self_adjoint=True, is_positive_definite=True,
        name="p")  # fmt: skip
    diagonal = la.LinearOperatorDiag([2.0, 3.0, 0.5], is_positive_definite=True, name="d")
    complex_x = tf.constant((floats(6, 2) + 1j * floats(6, 2)).astype(np.complex64), name="cx")
    spectrum = (floats(6) + 1j * floats(6) + 3).astype(np.complex64)
    circulant = la.LinearOperatorCirculant(spectrum, is_non_singular=True)
    real = la.LinearOperatorCirculant(
        [6.0, 4.0, 3.0, 3.0, 4.0, 5.0], input_output_dtype=tf.float32, name="real")  # fmt: skip
    loose_spectrum = tf.placeholder_with_default(spectrum, [None])
    operators = {
        "blocks": la.LinearOperatorBlockDiag([full_a, full_b]),
        "loose_blocks": la.LinearOperatorBlockDiag([full_a, loose], name="loose_blocks"),
        "product": la.LinearOperatorKronecker([full_a, loose]),
        "triple": la.LinearOperatorKronecker([positive, full_a, positive], name="triple"),
        "circulant": circulant,
        "real": real,
        "loose_circulant": la.LinearOperatorCirculant(loose_spectrum, name="loose_circulant"),
        "plane": la.LinearOperatorCirculant2D(spectrum.reshape(2, 3)),
        "cube": la.LinearOperatorCirculant3D(spectrum.reshape(1, 2, 3)),
        "toeplitz": la.LinearOperatorToeplitz([5.0, 2.0, 1.0], [5.0, -1.0, 0.5]),
        "reflection": la.LinearOperatorHouseholder(floats(2, 3)),
        "update": la.LinearOperatorLowRankUpdate(
            full_b, floats(3, 2), [0.5, -1.0], floats(3, 2), name="update"),
        "definite": la.LinearOperatorLowRankUpdate(diagonal, floats(3, 1)),
        "zeros": la.LinearOperatorZeros(3, batch_shape=[2]),
    }  # fmt: skip

    wide_x = tf.constant(floats(2, 8, 2), name="x")

    def use(name, operator):
        size = operator.shape.as_list()[-1] or {"loose_blocks": 5}.get(name, 6)
        x = complex_x if operator.dtype == tf.complex64 else wide_x[:, :size]
        turned = tf.linalg.adjoint(x)
        nodes = [
            operator.matmul(x, adjoint=True), operator.matmul(turned, adjoint_arg=True),
            operator.to_dense(), operator.diag_part(), operator.trace(), operator.shape_tensor(),
            operator.determinant(),
        ]  # fmt: skip
        if name == "zeros":
            nodes += [operator.add_to_tensor(operator.to_dense()), operator.batch_shape_tensor()]
        else:
            inverse = operator.inverse()
            nodes += [
                operator.log_abs_determinant(), operator.solve(x), operator.solve(x, adjoint=True),
                operator.adjoint().matmul(x), inverse.matmul(tf.cast(x, inverse.dtype))]  # fmt: skip
        steps.append((name, nodes))
        facts[name] = [
            operator.name, str(operator.shape), str(operator.is_square), operator.is_non_singular,
            operator.is_self_adjoint, operator.is_positive_definite, operator.adjoint().name,
            len(operator.graph_parents)]  # fmt: skip

    for name, operator in operators.items():
        use(name, operator)
    doubled = circulant.matmul(operators["loose_circulant"])
    divided = circulant.solve(operators["loose_circulant"])
    zeros = operators["zeros"].matmul(full_b)
    wide = la.LinearOperatorZeros(2, 3, is_square=False, is_self_adjoint=False, name="wide")
    checked = la.LinearOperatorZeros(3, assert_proper_shapes=True, name="checked")
    steps.append(("algebra", [
        doubled.spectrum, divided.spectrum, zeros.to_dense(), wide.matmul(floats(3, 4)),
        wide.diag_part(), wide.trace(), checked.matmul(floats(3, 1)),
        full_b.matmul(operators["zeros"]).diag_part(),
        la.LinearOperatorBlockDiag([positive, positive]).cholesky().to_dense(),
        la.LinearOperatorKronecker([positive, positive]).cholesky().to_dense(),
        operators["circulant"].convolution_kernel(), operators["plane"].block_shape_tensor(),
    ]))  # fmt: skip
    with tf.control_dependencies([
        la.LinearOperatorBlockDiag([full_a, diagonal]).assert_non_singular(),
        la.LinearOperatorKronecker([positive, positive]).assert_self_adjoint(),
        la.LinearOperatorKronecker([positive, positive]).assert_positive_definite(),
        circulant.assert_non_singular(), real.assert_positive_definite(), real.assert_self_adjoint(),
        la.LinearOperatorToeplitz([5.0, 2.0], [5.0, 2.0]).assert_self_adjoint(),
        operators["reflection"].assert_self_adjoint(),
        operators["update"].assert_non_singular(),
    ]):  # fmt: skip
        steps.append(("checked", tf.identity(1.0)))
    u = operators["update"].u
    steps.append(("gradients", tf.gradients(
        operators["update"].solve(floats(3, 1)), [u, operators["update"].diag_update])))  # fmt: skip
    return {"steps": steps, "facts": facts}
