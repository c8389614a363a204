"""Linear operators: complex numbers, tall right-hand sides, hints of products, failing checks, names and shapes."""

import functools
import itertools

import numpy as np

_M = np.array([[4.0, 1.0 + 1j], [1.0 - 1j, 3.0]])
_X = np.array([[1.0 + 2j, 0.5], [-1j, 2.0], [0.25, 1.0 - 1j]])
_DEFINITE = {"is_self_adjoint": True, "is_positive_definite": True, "is_non_singular": True}


def _alone(scene):
    """A scene in a separate graph, of which only the checksum is recorded."""

    @functools.wraps(scene)
    def alone(tf, stage):
        with tf.Graph().as_default():
            scene(tf, stage)
            stage.brief_graph(names=False)

    return alone


def _hints(operator):
    hints = (operator.is_non_singular, operator.is_self_adjoint, operator.is_positive_definite)
    return "".join(str(hint)[0] for hint in (*hints, operator.is_square))


def _told(operator):
    return (
        type(operator).__name__,
        operator.name,
        *(operator.is_non_singular, operator.is_self_adjoint, operator.is_positive_definite),
        operator.is_square,
        operator.shape,
    )


def _each(tf, stage, operators, methods):
    for name, make in operators.items():
        stage.say(name)
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            operator = make()
            for key, method in methods.items():
                with stage.failing():
                    made = method(operator)
                    if hasattr(made, "to_dense"):
                        stage.say(key, *_told(made))
                        made = made.to_dense()
                    stage.say(key, session.run(made))
            stage.brief_graph(names=False)


def _complex(tf, stage, *names):
    of = tf.linalg
    full = lambda **hints: of.LinearOperatorFullMatrix(_M, **hints)  # noqa: E731
    diag = lambda **hints: of.LinearOperatorDiag([1.0 + 1j, 2.0 - 1j], **hints)  # noqa: E731
    x = _X[:2]
    made = {
        "full": full,
        "definite": lambda: full(**_DEFINITE),
        "lower": lambda: of.LinearOperatorLowerTriangular(_M),
        "diagonal": diag,
        "scaled": lambda: of.LinearOperatorScaledIdentity(2, 1.0 + 2j),
        "mirror": lambda: of.LinearOperatorHouseholder([1.0 + 1j, 2.0]),
        "blocks": lambda: of.LinearOperatorBlockDiag(
            [of.LinearOperatorDiag([2j]), of.LinearOperatorScaledIdentity(1, 1.0 - 1j)]
        ),
        "factors": lambda: of.LinearOperatorKronecker(
            [of.LinearOperatorDiag([2j]), of.LinearOperatorFullMatrix(_M)]
        ),
        "product": lambda: of.LinearOperatorComposition([full(), diag()]),
        "adjoint": lambda: of.LinearOperatorAdjoint(diag()),
        "inverse": lambda: of.LinearOperatorInversion(full()),
        "updated": lambda: of.LinearOperatorLowRankUpdate(
            full(**_DEFINITE), np.array([[1.0 + 1j], [2.0]]), np.array([0.5j])
        ),
    }
    _each(
        tf,
        stage,
        {name: made[name] for name in names},
        {
            "matmul": lambda of: of.matmul(x),
            "adjoint": lambda of: of.matmul(x, adjoint=True),
            "turned": lambda of: of.matmul(x, adjoint_arg=True),
            "both": lambda of: of.matmul(x, True, True),
            "vector": lambda of: of.matvec(x[0], adjoint=True),
            "solve": lambda of: of.solve(x),
            "solved adjoint": lambda of: of.solve(x, adjoint=True),
            "solved turned": lambda of: of.solve(x, adjoint_arg=True),
            "solved both": lambda of: of.solve(x, True, True),
            "solved vector": lambda of: of.solvevec(x[0]),
            "determinant": lambda of: of.determinant(),
            "logarithm": lambda of: of.log_abs_determinant(),
            "trace": lambda of: [of.trace(), of.diag_part()],
            "added": lambda of: of.add_to_tensor(x),
            "of adjoint": lambda of: of.H,
            "of inverse": lambda of: of.inverse(),
        },
    )


def complex_factors(tf, stage):
    _complex(tf, stage, "scaled", "mirror", "blocks")


def complex_updates(tf, stage):
    _complex(tf, stage, "updated")


def long_right_hand_sides(tf, stage):
    of = tf.linalg
    real = np.array([[4.0, 1.0, 0.5], [0.5, 3.0, 0.25], [0.1, 0.2, 2.0]])
    sides = np.arange(24.0).reshape(4, 2, 3, 1)
    wide = np.arange(48.0).reshape(4, 1, 3, 4)
    loose = lambda x: tf.placeholder_with_default(x, [None] * x.ndim)  # noqa: E731
    _each(
        tf,
        stage,
        {
            "full": lambda: of.LinearOperatorFullMatrix(real),
        },
        {
            "turned": lambda of: of.solve(np.swapaxes(sides, 2, 3), adjoint_arg=True),
            "wide": lambda of: of.solve(wide, adjoint=True)[-1],
            "loose": lambda of: of.solve(loose(sides), adjoint=True)[-1],
            "one": lambda of: of.solve(sides[:1, :1]),
            "none": lambda of: of.solve(sides[:0]),
        },
    )


@_alone
def hints_of_products(tf, stage):
    of = tf.linalg
    values = (None, True, False)
    kinds = {
        "diagonal": lambda **o: of.LinearOperatorDiag([1.0 + 0j, 2.0], **o),
        "scaled": lambda **o: of.LinearOperatorScaledIdentity(2, 2.0 + 0j, **o),
        "circulant": lambda **o: of.LinearOperatorCirculant(
            np.complex128([3, 1]), "complex128", **o
        ),
    }
    for one, other in (
        ("diagonal", "diagonal"),
        ("diagonal", "scaled"),
        ("circulant", "circulant"),
    ):
        stage.say(one, other)
        for a, b in itertools.product(values, values):
            first = kinds[one](is_non_singular=a, is_self_adjoint=b)
            second = kinds[other](is_non_singular=b, is_self_adjoint=a)
            made = (first.matmul(second), second.matmul(first))
            made += (first.solve(second),) if a is not False else ()
            hints = [
                (m.is_non_singular, m.is_self_adjoint, m.is_positive_definite, m.is_square)
                for m in made
            ]
            stage.say(a, b, hints[0], *[h == hints[0] for h in hints[1:]])
    both = kinds["diagonal"](**_DEFINITE)
    stage.say(_told(both.matmul(both)), _told(both.solve(kinds["scaled"](**_DEFINITE))))
    full = lambda **hints: of.LinearOperatorFullMatrix(_M, **hints)  # noqa: E731
    composed = lambda *parts, **hints: of.LinearOperatorComposition(parts, **hints)  # noqa: E731
    for hint, value in itertools.product(
        ("is_non_singular", "is_self_adjoint", "is_square"), values
    ):
        given = {hint: value}
        stage.attempts(
            lambda: _hints(composed(full(**given), full(**given))),  # noqa: B023
            lambda: _hints(composed(full(), full(**given))),  # noqa: B023
            lambda: _hints(composed(full(**_DEFINITE), full(), **given)),  # noqa: B023
            lambda: _hints(of.LinearOperatorAdjoint(full(**given))),  # noqa: B023
            lambda: _hints(of.LinearOperatorAdjoint(full(), **given)),  # noqa: B023
            lambda: _hints(of.LinearOperatorInversion(full(**given))),  # noqa: B023
            lambda: _hints(of.LinearOperatorBlockDiag([full(**given)] * 2)),  # noqa: B023
            lambda: _hints(of.LinearOperatorKronecker([full(**given)] * 2)),  # noqa: B023
            lambda: _hints(of.LinearOperatorKronecker([full(**_DEFINITE)], **given)),  # noqa: B023
        )


def _checked(tf, stage, operators):
    _each(
        tf,
        stage,
        operators,
        {
            "non-singular": lambda of: of.assert_non_singular(),
            "definite": lambda of: of.assert_positive_definite(name="own"),
            "self-adjoint": lambda of: of.assert_self_adjoint("mine"),
        },
    )


def checks_of_diagonals(tf, stage):
    of = tf.linalg
    _checked(
        tf,
        stage,
        {
            "diagonal": lambda: of.LinearOperatorDiag([0.0, -1.0]),
        },
    )


def _sized(tf, stage, operators):
    x = np.float32([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    batch = np.stack([x, -x])
    fed = lambda x: tf.placeholder_with_default(x, None)  # noqa: E731
    _each(
        tf,
        stage,
        operators,
        {
            "matmul": lambda of: of.matmul(x),
            "batch": lambda of: of.matmul(batch),
            "turned": lambda of: of.matmul(np.float32(x.T), adjoint_arg=True),
            "adjoint": lambda of: of.matmul(np.ones([of.range_dimension.value or 2, 1], "f"), True),
            "too long": lambda of: of.matmul(fed(np.float32(x.T))),
            "added": lambda of: of.add_to_tensor(tf.ones([2, 2])),
            "added to batch": lambda of: of.add_to_tensor(tf.ones([2, 2, 2]), name="own"),
            "numbers": lambda of: [of.determinant(), of.trace(), of.diag_part()],
            "logarithm": lambda of: of.log_abs_determinant(),
            "solve": lambda of: of.solve(x),
            "dense": lambda of: of.to_dense(),
            "shapes": lambda of: [of.shape_tensor(), of.batch_shape_tensor()],
        },
    )


def identities_fed(tf, stage):
    of = tf.linalg
    fed = lambda x: tf.placeholder_with_default(x, None)  # noqa: E731
    checked = {"assert_proper_shapes": True}
    _sized(
        tf,
        stage,
        {
            "fed batch below 0": lambda: of.LinearOperatorIdentity(fed(2), fed([-1]), **checked),
        },
    )


def zeros_checked(tf, stage):
    of = tf.linalg
    fed = lambda x: tf.placeholder_with_default(x, None)  # noqa: E731
    checked = {"assert_proper_shapes": True}
    _sized(
        tf,
        stage,
        {
            "zeros, fed": lambda: of.LinearOperatorZeros(fed(2), batch_shape=[2], **checked),
        },
    )


@_alone
def sizes_refused(tf, stage):
    of = tf.linalg
    fed = lambda x: tf.placeholder_with_default(x, None)  # noqa: E731
    variable = tf.Variable(2)
    stage.attempts(
        lambda: of.LinearOperatorIdentity(variable),
        lambda: of.LinearOperatorIdentity(2, variable),
        lambda: of.LinearOperatorZeros(variable),
        lambda: of.LinearOperatorZeros(2, variable),
        lambda: of.LinearOperatorZeros(2, batch_shape=variable),
        lambda: of.LinearOperatorScaledIdentity(variable, 2.0),
        lambda: of.LinearOperatorIdentity(fed(2.0)),
        lambda: of.LinearOperatorZeros(2, [3]),
        lambda: of.LinearOperatorZeros(2, 3.0),
        lambda: of.LinearOperatorIdentity(2, dtype=tf.int32).to_dense().dtype,
        lambda: of.LinearOperatorIdentity(2, dtype="complex64").dtype,
    )


@_alone
def named_and_held(tf, stage):
    of = tf.linalg
    v = tf.Variable([1.0, 2.0], name="v")
    w = tf.Variable([[2.0, 0.0], [1.0, 3.0]], name="w")
    made = [
        of.LinearOperatorDiag(v, name="d"),
        of.LinearOperatorFullMatrix(w, name="f"),
        of.LinearOperatorLowerTriangular(w),
        of.LinearOperatorScaledIdentity(2, v[0], name="s"),
    ]
    made.append(of.LinearOperatorBlockDiag(made[:2]))
    made.append(of.LinearOperatorKronecker(made[1:3]))
    made.append(of.LinearOperatorComposition(made[:3]))
    made.append(of.LinearOperatorComposition(made[:2], name="own"))
    made.append(of.LinearOperatorAdjoint(made[0]))
    made.append(of.LinearOperatorInversion(made[1]))
    made.append(of.LinearOperatorLowRankUpdate(made[0], [[1.0], [2.0]]))
    for number, operator in enumerate(made):
        stage.say(operator.name, operator.graph_parents, operator.dtype, operator.tensor_rank)
        stage.say(operator.domain_dimension, operator.range_dimension, operator.batch_shape)
        stage.say([x.name for x in operator.trainable_variables], operator.is_square)
        names = [
            operator.shape_tensor(name="a"),
            operator.batch_shape_tensor("b"),
            operator.tensor_rank_tensor("c"),
            operator.domain_dimension_tensor("d"),
            operator.range_dimension_tensor("e"),
            operator.matmul(
                [[1.0], [2.0]] if operator.shape[-1] == 2 else np.ones([4, 1], "f"), name="f"
            ),
            operator.determinant("g"),
            operator.log_abs_determinant("h"),
            operator.to_dense("i"),
            operator.diag_part("j"),
            operator.trace("k"),
        ]
        if number % 2:
            stage.say([x.name for x in names])
        stage.attempt(lambda: operator.adjoint("l").name)  # noqa: B023
        stage.attempt(lambda: operator.inverse("m").name)  # noqa: B023
    stage.attempts(
        lambda: _told(made[0].H),
        lambda: of.LinearOperatorComposition(made[:2]).operators[0] is made[0],
        lambda: of.LinearOperatorAdjoint(made[0]).operator is made[0],
        lambda: of.LinearOperatorInversion(made[0]).operator is made[0],
        lambda: of.LinearOperatorAdjoint(made[0]).adjoint() is made[0],
        lambda: of.LinearOperatorAdjoint(made[1]).H is made[1],
        lambda: of.LinearOperatorInversion(made[1]).inverse() is made[1],
        lambda: made[3].multiplier,
        lambda: of.LinearOperatorFullMatrix(np.ones([2, 2], "f"), is_square=False).is_square,
        lambda: of.LinearOperatorFullMatrix(tf.placeholder(tf.float32)).is_square,
        lambda: of.LinearOperatorFullMatrix(tf.placeholder(tf.float32, [None, 2])).is_square,
        lambda: of.LinearOperatorFullMatrix(tf.placeholder(tf.float32)).shape,
        lambda: of.LinearOperatorFullMatrix(tf.placeholder(tf.float32)).batch_shape,
        lambda: of.LinearOperator(tf.float32),
    )


def operators_of_ones_own(tf, stage):
    of = tf.linalg

    class Doubling(of.LinearOperator):
        def __init__(self, **options):
            super().__init__(dtype=tf.float32, **options)

        def _shape(self):
            return tf.TensorShape([2, 2])

        def _shape_tensor(self):
            return tf.constant([2, 2])

        def _matmul(self, x, adjoint=False, adjoint_arg=False):
            return 2.0 * (tf.linalg.adjoint(x) if adjoint_arg else x)

    _each(
        tf,
        stage,
        {
            "definite": lambda: Doubling(**_DEFINITE, name="own"),
            "said not to be square": lambda: Doubling(is_square=False),
        },
        {
            "adjoint": lambda of: of.adjoint(),
            "product": lambda of: of.matmul(of),
        },
    )
    stage.attempts(lambda: Doubling(graph_parents=[3.0]))
