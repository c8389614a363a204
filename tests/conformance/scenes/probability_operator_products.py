"""Rare uses of linear operators and distributions: products by class, rejected classes, unknown shapes."""

import importlib

import numpy as np

from tests.conformance.scenes import unknown

_SPECTRUM = np.array([4.0, 1.0 + 2j, 1.0 - 2j], np.complex64)
_TRIANGLE = np.float32([[2.0, 0.0, 0.0], [1.0, 4.0, 0.0], [0.5, -1.0, 8.0]])
_OBLONG = np.float32([[1.0, 2.0], [3.0, -1.0], [0.5, 0.25]])


def _shown(of):
    """An operator's class, hints, static shape and matrix."""
    hints = (of.is_non_singular, of.is_self_adjoint, of.is_positive_definite, of.is_square)
    return type(of).__name__, hints, str(of.shape), of.to_dense()


def _say_all(tf, stage, cases):
    """Records each case: a tensor's value, an operator, or anything else."""
    with tf.Session() as session:
        for name, make in cases.items():
            stage.say(name)
            with stage.failing():
                given = make()
                if isinstance(given, tf.linalg.LinearOperator):
                    *told, given = _shown(given)
                    stage.say(*told)
                parts = given if isinstance(given, (list, dict)) else [given]
                is_node = all(isinstance(p, (tf.Tensor, tf.Operation)) for p in parts)
                stage.say("->", session.run(given) if is_node else given)


def products_of_operators(tf, stage):
    of = tf.linalg
    circulant = of.LinearOperatorCirculant(_SPECTRUM)
    real = of.LinearOperatorCirculant(
        np.float32([4.0, 1.0, 1.0]), is_self_adjoint=True, is_positive_definite=True
    )
    diagonal = of.LinearOperatorDiag([2.0, 4.0, -0.5], is_non_singular=True)
    triangle = of.LinearOperatorLowerTriangular(_TRIANGLE, is_non_singular=True)
    tall, wide = of.LinearOperatorFullMatrix(_OBLONG), of.LinearOperatorFullMatrix(_OBLONG.T)
    loose = of.LinearOperatorFullMatrix(unknown(tf)(_TRIANGLE))
    fed = of.LinearOperatorFullMatrix(unknown(tf)(_OBLONG))
    scaled = of.LinearOperatorScaledIdentity(3, 4.0)
    identity = of.LinearOperatorIdentity(3)
    _say_all(
        tf,
        stage,
        {
            "adjoint of a circulant": lambda: circulant.adjoint(),
            "inverse of a circulant": lambda: circulant.inverse(),
            "quotient of circulants": lambda: circulant.solve(real),
            "trace of a self-adjoint one": lambda: [real.trace(), real.diag_part()],
            "identity and another": lambda: identity.matmul(triangle),
            "another and an identity": lambda: triangle.matmul(identity),
            "quotient by an identity": lambda: identity.solve(triangle),
            "quotient by a scaled identity": lambda: scaled.solve(diagonal),
            "triangle and diagonal": lambda: triangle.matmul(diagonal),
            "quotient of triangle and diagonal": lambda: diagonal.solve(triangle),
            "inversion and another": lambda: of.LinearOperatorInversion(diagonal).solve(triangle),
            "wide and tall": lambda: wide.matmul(tall),
            "tall and square": lambda: triangle.matmul(tall),
            "square and wide": lambda: wide.matmul(triangle),
            "loose ones": lambda: loose.matmul(fed),
            "quotient of loose ones": lambda: loose.solve(triangle),
        },
    )


def shapes_of_operators(tf, stage):
    of = tf.linalg
    plane = np.ones([2, 3], np.complex64)
    diagonal = of.LinearOperatorDiag([[2.0, 4.0], [1.0, 0.5]])
    triangle = of.LinearOperatorLowerTriangular(_TRIANGLE)
    blocks = of.LinearOperatorBlockDiag([diagonal, triangle])
    product = of.LinearOperatorComposition([triangle, of.LinearOperatorFullMatrix(_OBLONG)])
    complex_base = of.LinearOperatorDiag(np.array([2.0, 3.0], np.complex64))
    update = np.ones([2, 1], np.complex64)
    _say_all(
        tf,
        stage,
        {
            "block shape": lambda: of.LinearOperatorCirculant2D(plane).block_shape_tensor(),
            "block shape known": lambda: of.LinearOperatorCirculant2D(plane).block_shape,
            "shape of blocks": lambda: [blocks.shape_tensor(), blocks._shape_tensor()],
            "shape of a product": lambda: [product.shape_tensor(), product._shape_tensor()],
            "solve of an unknown one": lambda: of.LinearOperatorFullMatrix(_OBLONG)._solve(_OBLONG),
            "complex update": lambda: of.LinearOperatorLowRankUpdate(
                complex_base, update, [2.0 + 0j], is_diag_update_positive=True
            ),
        },
    )


def classes_that_are_refused(tf, stage):
    d = tf.distributions
    many, half = np.zeros([2049], np.float16), np.zeros([2], np.float16)
    checked = {"validate_args": True}
    _say_all(
        tf,
        stage,
        {
            "too many": lambda: d.Categorical(probs=many, **checked),
            "as many as can be": lambda: d.Categorical(logits=many[1:], **checked).logits.shape,
            "one": lambda: d.Categorical(logits=half[:1], **checked),
            "no dimension": lambda: d.Multinomial(2.0, logits=np.float32(1.0), **checked),
            "complex value": lambda: d.Bernoulli(0.5, **checked).log_prob(np.complex64([1.0])),
            "complex class": lambda: d.Categorical([0.5, 1.0], **checked).prob(np.complex64(1.0)),
            "class of no integer": lambda: d.Categorical([0.5, 1.0], **checked).prob(0.5),
            "class too large": lambda: d.Categorical([0.5, 1.0], **checked).prob(np.int64(2**31)),
            "draws of int32": lambda: d.Multinomial(3, logits=[0.0, 1.0], **checked),
        },
    )


def functions_beside_distributions(tf, stage):
    package = "tensorflow" if tf.__name__ == "tensorflow" else "tfmini.compat"
    util = importlib.import_module(package + ".python.ops.distributions.util")
    whole, fits = util.assert_integer_form, util.embed_check_integer_casting_closed
    _say_all(
        tf,
        stage,
        {
            "whole integers": lambda: whole(tf.constant([1, 2])),
            "broken floats": lambda: whole(tf.constant([1.0, 2.5]), message="broken"),
            "whole complex": lambda: whole(tf.constant([1j])),
            "complex to int": lambda: fits(tf.constant([1j]), tf.int32),
            "float to float": lambda: fits(tf.constant([1.0], name="x"), tf.float16),
            "large int to float": lambda: fits(tf.constant([2049]), tf.float16),
        },
    )
