"""tf.contrib.distributions.bijectors: forward, inverse, determinants and shapes, with static and unknown shapes."""

import numpy as np

from tests.conformance.scenes.contrib_distributions import _attempt, _sum_up

ROWS = np.float32([[0.25, 0.5, 0.75], [0.125, 0.625, 0.875]])
WIDE = np.float32([[-3.0, 0.5, 20.0], [-0.25, 0.0, 1.5]])
ROOTS = np.float32([[[1.5, 0.0], [0.5, 0.75]], [[2.0, 0.0], [-1.0, 0.5]]])
SQUARES = ROOTS @ ROOTS.transpose(0, 2, 1)


def _tell(tf, stage, name, make, x, y, ndims):
    """Records a bijector's results with static and then with unknown shapes."""
    for is_fed in (False, True):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(1)
            feed = {}

            def fed(key, given, shape=None, dtype=None, feed=feed):
                result = tf.placeholder(
                    dtype or (tf.int32 if isinstance(given, list) else given.dtype), shape, key
                )
                feed[result] = given
                return result

            stage.say(name, "fed" if is_fed else "")
            with stage.failing():
                made = make(fed)
                given_x = fed("x", x) if is_fed else tf.constant(x, name="x")
                given_y = fed("y", y) if is_fed else tf.constant(y, name="y")
                rank = fed("rank", ndims, [], tf.int32) if is_fed else ndims
                methods = {
                    "forward": lambda: made.forward(given_x),  # noqa: B023  called here
                    "inverse": lambda: made.inverse(given_y),  # noqa: B023
                    "forward_log": lambda: made.forward_log_det_jacobian(given_x, rank),  # noqa: B023
                    "inverse_log": lambda: made.inverse_log_det_jacobian(given_y, rank),  # noqa: B023
                }
                if not is_fed:
                    stage.say(
                        made.name,
                        made.forward_min_event_ndims,
                        made.inverse_min_event_ndims,
                        made.is_constant_jacobian,
                        made.dtype,
                        made.validate_args,
                        [parent.name for parent in made.graph_parents],
                    )
                    shape_x, shape_y = np.shape(x)[1:], np.shape(y)[1:]
                    stage.attempts(
                        lambda: made.forward_event_shape(shape_x),  # noqa: B023
                        lambda: made.inverse_event_shape(tf.TensorShape(shape_y)),  # noqa: B023
                    )
                    methods["forward_shape"] = lambda: made.forward_event_shape_tensor(np.shape(x))  # noqa: B023
                    methods["inverse_shape"] = lambda: made.inverse_event_shape_tensor(np.shape(y))  # noqa: B023
                    methods["back"] = lambda: made.inverse(made.forward(given_x))  # noqa: B023
                    methods["inverse_log_of_it"] = lambda: made.inverse_log_det_jacobian(  # noqa: B023
                        made.forward(given_x),  # noqa: B023
                        rank,  # noqa: B023
                    )
                found = {}
                for key, method in methods.items():
                    try:
                        found[key] = method()
                    except Exception as error:
                        stage.say(key, "!!", type(error).__name__, str(error).split("\n")[0])
                    else:
                        leaves = tf.nest.flatten(found[key])
                        stage.say(key, *[(leaf.name, str(leaf.shape)) for leaf in leaves])
                session.run(tf.global_variables_initializer())
                try:
                    values = session.run(found, feed)
                except Exception:
                    for key in sorted(found):
                        _attempt(stage, session, found[key], feed)
                else:
                    for key in sorted(values):
                        stage.say(key, values[key])
            _sum_up(tf, stage)


def _told(tf, stage, cases):
    for name, (make, *given) in cases.items():
        _tell(tf, stage, name, make, *given)


def of_numbers(tf, stage):
    b = tf.contrib.distributions.bijectors
    _told(
        tf,
        stage,
        {
            "absolute": (lambda fed: b.AbsoluteValue(), WIDE, ROWS, 1),
            "absolute_of_negative": (lambda fed: b.AbsoluteValue(True), WIDE, WIDE, 0),
            "affine_scalar": (
                lambda fed: b.AffineScalar(1.5, [2.0, -3.0, 0.5], True, "own"),
                ROWS,
                ROWS,
                1,
            ),
            "affine_scalar_zero": (
                lambda fed: b.AffineScalar(scale=fed("scale", np.float32(0)), validate_args=True),
                ROWS,
                ROWS,
                0,
            ),
            "affine_scalar_empty": (lambda fed: b.AffineScalar(), ROWS, ROWS, 2),
            "gumbel": (lambda fed: b.Gumbel(0.5, [2.0, 1.0, 3.0]), ROWS, ROWS, 1),
            "gumbel_outside": (lambda fed: b.Gumbel(validate_args=True), ROWS, -ROWS, 0),
            "gumbel_wrong": (
                lambda fed: b.Gumbel(scale=fed("scale", np.float32(-1)), validate_args=True),
                ROWS,
                ROWS,
                0,
            ),
            "gumbel_of_two": (lambda fed: b.Gumbel(np.float64(1), 1.0), ROWS, ROWS, 0),
            "kumaraswamy": (lambda fed: b.Kumaraswamy([2.0], [0.5]), ROWS, ROWS, 1),
            "kumaraswamy_outside": (
                lambda fed: b.Kumaraswamy(2.0, 3.0, validate_args=True),
                -ROWS,
                ROWS * 2,
                0,
            ),
            "kumaraswamy_wrong": (
                lambda fed: b.Kumaraswamy(2.0, fed("c", np.float32(-1)), True),
                ROWS,
                ROWS,
                0,
            ),
            "exp": (lambda fed: b.Exp(), WIDE, ROWS, 1),
            "power": (lambda fed: b.PowerTransform(0.5, validate_args=True), ROWS, ROWS, 2),
            "power_below": (lambda fed: b.PowerTransform(2.0, True), -WIDE, WIDE, 0),
            "power_wrong": (lambda fed: b.PowerTransform(-1.0), ROWS, ROWS, 0),
            "sigmoid": (lambda fed: b.Sigmoid(True), WIDE, ROWS, 1),
            "sinh_arcsinh": (lambda fed: b.SinhArcsinh(0.5, 2.0), WIDE, WIDE * 1e3, 1),
            "sinh_arcsinh_large": (
                lambda fed: b.SinhArcsinh(tailweight=0.5),
                np.float32([1e10, 1e-10]),
                np.float32([1e10, -1e20]),
                0,
            ),
            "sinh_arcsinh_wrong": (
                lambda fed: b.SinhArcsinh(tailweight=fed("t", np.float32(0)), validate_args=True),
                ROWS,
                ROWS,
                0,
            ),
            "softplus": (lambda fed: b.Softplus(), WIDE, ROWS, 1),
            "softplus_soft": (lambda fed: b.Softplus(-0.5, True, "own"), WIDE, -ROWS, 1),
            "softplus_hard": (lambda fed: b.Softplus(fed("h", np.float32(0)), True), ROWS, ROWS, 0),
            "softsign": (lambda fed: b.Softsign(), WIDE, ROWS, 1),
            "softsign_outside": (lambda fed: b.Softsign(True), ROWS, ROWS * 2, 0),
            "softsign_below": (lambda fed: b.Softsign(True), ROWS, -ROWS * 2, 0),
            "square": (lambda fed: b.Square(), ROWS, ROWS, 1),
            "square_below": (lambda fed: b.Square(validate_args=True), WIDE, WIDE, 1),
            "double": (
                lambda fed: b.SinhArcsinh(np.float64(0.1), np.float64(0.3)),
                WIDE.astype(np.float64),
                WIDE.astype(np.float64),
                1,
            ),
            "identity": (lambda fed: b.Identity(True), WIDE, WIDE, 2),
            "too_few": (lambda fed: b.Ordered(), ROWS, ROWS, 0),
        },
    )


def of_vectors(tf, stage):
    b = tf.contrib.distributions.bijectors
    linalg = tf.linalg
    centered = np.concatenate([ROWS / 4, 1 - ROWS.sum(1, keepdims=True) / 4], 1)
    six = np.arange(12, dtype=np.float32).reshape(2, 6)
    two = six.reshape(2, 2, 3)
    operator = linalg.LinearOperatorLowerTriangular(ROOTS[0], is_non_singular=True)
    _told(
        tf,
        stage,
        {
            "softmax": (lambda fed: b.SoftmaxCentered(), WIDE, centered, 1),
            "softmax_checked": (lambda fed: b.SoftmaxCentered(True), WIDE, centered[:, :1], 1),
            "ordered": (lambda fed: b.Ordered(validate_args=True), ROWS, WIDE, 1),
            "ordered_below": (lambda fed: b.Ordered(True, "own"), -ROWS, WIDE[:, :1], 1),
            "permuted": (lambda fed: b.Permute([2, 0, 1]), WIDE, WIDE, 1),
            "permuted_fed": (lambda fed: b.Permute(fed("p", [1, 2, 0]), True), WIDE, WIDE, 1),
            "permuted_wrong": (lambda fed: b.Permute(fed("p", [1, 1, 0]), True), WIDE, WIDE, 1),
            "permuted_twice": (lambda fed: b.Permute([1, 1, 0]), WIDE, WIDE, 1),
            "permuted_floats": (lambda fed: b.Permute([1.0, 0.0]), WIDE, WIDE, 1),
            "reshaped": (lambda fed: b.Reshape([2, 3], [6]), six, two, 1),
            "reshaped_rest": (lambda fed: b.Reshape([2, -1], validate_args=True), six, two, 1),
            "reshaped_other": (lambda fed: b.Reshape([2, 3], [5], True), six, two, 1),
            "reshaped_fed": (
                lambda fed: b.Reshape(fed("out", [3, -1]), fed("in", [2, 3]), True, "own"),
                two,
                two.reshape(2, 3, 2),
                2,
            ),
            "reshaped_fed_wrong": (
                lambda fed: b.Reshape(fed("out", [-1, -1], [2]), [2, 3], True),
                two,
                two,
                2,
            ),
            "reshaped_fed_below": (
                lambda fed: b.Reshape(fed("out", [-2, 3], [2]), [6], True),
                six,
                two,
                1,
            ),
            "reshaped_two_left": (lambda fed: b.Reshape([-1, -1]), six, two, 1),
            "reshaped_matrix": (lambda fed: b.Reshape([[2, 3]]), six, two, 1),
            "reshaped_floats": (lambda fed: b.Reshape([2.0, 3.0]), six, two, 1),
            "affine": (lambda fed: b.Affine([1.0, 2.0, 3.0]), WIDE, WIDE, 1),
            "affine_multiple": (
                lambda fed: b.Affine(scale_identity_multiplier=-2.0, validate_args=True),
                WIDE,
                WIDE,
                1,
            ),
            "affine_zero": (
                lambda fed: b.Affine(
                    scale_identity_multiplier=fed("c", np.float32(0)), validate_args=True
                ),
                WIDE,
                WIDE,
                1,
            ),
            "affine_diag": (
                lambda fed: b.Affine([1.0, 2.0, 3.0], 0.5, [2.0, -1.0, 0.25], validate_args=True),
                WIDE,
                WIDE,
                1,
            ),
            "affine_singular": (
                lambda fed: b.Affine(scale_diag=[2.0, 0.0, 0.25], validate_args=True),
                WIDE,
                WIDE,
                1,
            ),
            "affine_tril": (
                lambda fed: b.Affine([1.0, 2.0], 0.5, [1.0, 2.0], ROOTS, validate_args=True),
                WIDE[:, :2],
                WIDE[:, :2],
                1,
            ),
            "affine_tril_singular": (
                lambda fed: b.Affine(scale_tril=ROOTS * [[1], [0]], validate_args=True),
                WIDE[:, :2].astype(np.float64),
                WIDE[:, :2].astype(np.float64),
                1,
            ),
            "affine_low_rank": (
                lambda fed: b.Affine(
                    scale_diag=[1.0, 2.0, 3.0],
                    scale_perturb_factor=[[1.0], [0.5], [2.0]],
                    scale_perturb_diag=[0.5],
                ),
                WIDE,
                WIDE,
                1,
            ),
            "affine_low_rank_alone": (
                lambda fed: b.Affine(
                    scale_perturb_factor=np.float32([[1, 0], [0.5, 1], [2, 2]]), validate_args=True
                ),
                WIDE,
                WIDE,
                1,
            ),
            "affine_without_factor": (
                lambda fed: b.Affine(scale_perturb_diag=[0.5]),
                WIDE,
                WIDE,
                1,
            ),
            "affine_of_two_dtypes": (
                lambda fed: b.Affine(np.zeros(3), scale_diag=[1.0, 2.0, 3.0]),
                WIDE,
                WIDE,
                1,
            ),
            "affine_of_other": (lambda fed: b.Affine(np.zeros(3)), WIDE, WIDE, 1),
            "operator": (
                lambda fed: b.AffineLinearOperator([1.0, 2.0], operator, True),
                WIDE[:, :2],
                WIDE[:, :2],
                1,
            ),
            "operator_fed": (
                lambda fed: b.AffineLinearOperator(
                    scale=linalg.LinearOperatorFullMatrix(fed("m", SQUARES)), name="own"
                ),
                WIDE[:, :2],
                WIDE[:, :2],
                1,
            ),
            "operator_singular": (
                lambda fed: b.AffineLinearOperator(
                    None,
                    linalg.LinearOperatorDiag(fed("d", np.float32([0, 1])), is_non_singular=True),
                    True,
                ),
                WIDE[:, :2],
                WIDE[:, :2],
                1,
            ),
            "operator_none": (lambda fed: b.AffineLinearOperator([1.0]), WIDE, WIDE, 1),
            "operator_perhaps": (
                lambda fed: b.AffineLinearOperator(
                    scale=linalg.LinearOperatorFullMatrix(ROOTS), validate_args=True
                ),
                WIDE,
                WIDE,
                1,
            ),
            "operator_of_other": (
                lambda fed: b.AffineLinearOperator(np.zeros(2), operator),
                WIDE,
                WIDE,
                1,
            ),
            "operator_of_array": (lambda fed: b.AffineLinearOperator(None, ROOTS), WIDE, WIDE, 1),
        },
    )


def of_matrices(tf, stage):
    b = tf.contrib.distributions.bijectors
    six = np.arange(12, dtype=np.float32).reshape(2, 6)
    nine = np.arange(18, dtype=np.float32).reshape(2, 3, 3)
    _told(
        tf,
        stage,
        {
            "product": (lambda fed: b.CholeskyOuterProduct(), ROOTS, SQUARES, 2),
            "product_checked": (lambda fed: b.CholeskyOuterProduct(True), ROOTS[0], SQUARES[0], 2),
            "product_below": (lambda fed: b.CholeskyOuterProduct(True), -ROOTS, SQUARES, 2),
            "product_oblong": (lambda fed: b.CholeskyOuterProduct(True), nine[:, :2], SQUARES, 2),
            "filled": (lambda fed: b.FillTriangular(), six, nine, 2),
            "filled_up": (lambda fed: b.FillTriangular(True, True, "own"), six[0], nine[0], 2),
            "filled_wrong": (lambda fed: b.FillTriangular(validate_args=True), WIDE[0, :2], six, 2),
            "filled_oblong": (lambda fed: b.FillTriangular(True, True), six[:, :4], nine[:, :2], 2),
            "triangle": (lambda fed: b.MatrixInverseTriL(), ROOTS, ROOTS, 2),
            "triangle_checked": (lambda fed: b.MatrixInverseTriL(True), ROOTS, SQUARES, 2),
            "triangle_singular": (lambda fed: b.MatrixInverseTriL(True), ROOTS * 0, ROOTS * 0, 2),
            "diagonal": (lambda fed: b.TransformDiagonal(b.Exp(), name="own"), ROOTS, ROOTS, 2),
            "scale": (lambda fed: b.ScaleTriL(), six, nine + 1, 2),
            "scale_of_exp": (
                lambda fed: b.ScaleTriL(b.Exp(), diag_shift=None, name="own"),
                six / 12,
                nine + 1,
                2,
            ),
            "scale_checked": (lambda fed: b.ScaleTriL(validate_args=True), six, nine + 1, 2),
        },
    )
