"""Vector, matrix and network bijectors: both directions, determinants, shapes, trained flows."""

import numpy as np

TOLERANCE = 5e-5  # float32

INVERTED = np.float32([[0.2, 0.7, 0.4], [0.5, 0.1, 0.9]])
LOWER = np.float32([[1.5, 0.0, 0.0], [-0.5, 2.0, 0.0], [0.25, 1.0, 0.5]])


def build(tf):
    c = tf.contrib.distributions
    b = c.bijectors
    anything = tf.placeholder(tf.float32, name="anything")
    matrices = tf.placeholder(tf.float32, name="matrices")
    rows = tf.placeholder(tf.float32, [None, 3], name="rows")
    values = []

    def both_ways(bijector, x, event_ndims, of_shape, of_inverse=0):
        x = tf.convert_to_tensor(x)
        y = bijector.forward(x)
        again = bijector.inverse(tf.identity(y))
        values.extend([y, again])
        values.append(bijector.forward_log_det_jacobian(x, event_ndims))
        values.append(bijector.inverse_log_det_jacobian(tf.identity(y), event_ndims + of_inverse))
        event = [2] * (event_ndims - 1) + [3]
        if of_shape:
            values.append(bijector.forward_event_shape_tensor(event))
        facts.append((bijector.name, str(bijector.forward_event_shape(event)), str(y.shape)))

    facts = []
    both_ways(b.Affine([1.0, 2.0, 3.0]), INVERTED, 1, True)
    both_ways(b.Affine(scale_identity_multiplier=2.0, validate_args=True), rows, 1, True)
    both_ways(b.Affine([1.0, 2.0, 3.0], scale_diag=[1.0, 2.0, 4.0]), INVERTED, 1, True)
    tril = b.Affine(scale_tril=LOWER, scale_diag=[1.0, 2.0, 1.0], scale_identity_multiplier=0.5)
    both_ways(tril, rows, 1, False)
    factor = np.float32([[1.0], [0.5], [0.0]])
    low_rank = b.Affine(scale_identity_multiplier=2.0, scale_perturb_factor=factor)
    both_ways(low_rank, INVERTED, 1, False)
    weighted = b.Affine(
        [0.5, 0.0, 1.0],
        scale_diag=[2.0, 3.0, 4.0],
        scale_perturb_factor=factor,
        scale_perturb_diag=[2.0],
        validate_args=True,
    )
    both_ways(weighted, rows, 1, False)
    checked = b.Affine(scale_tril=LOWER, shift=[1.0, 1.0, 1.0], validate_args=True, name="checked")
    both_ways(checked, rows, 1, False)
    both_ways(b.Gumbel(), INVERTED, 1, True)
    both_ways(b.Gumbel([0.5], 2.0, validate_args=True, name="late"), anything, 1, False)
    both_ways(b.Square(validate_args=True), INVERTED, 1, True)
    both_ways(b.Ordered(validate_args=True), np.sort(INVERTED), 1, True)
    both_ways(b.SoftmaxCentered(validate_args=True), rows, 1, True)
    both_ways(b.CholeskyOuterProduct(validate_args=True), LOWER, 2, True)
    both_ways(b.CholeskyOuterProduct(name="unknown"), matrices, 2, False)
    both_ways(b.MatrixInverseTriL(validate_args=True), LOWER, 2, True)
    both_ways(b.TransformDiagonal(b.Exp()), LOWER, 2, True)
    both_ways(b.FillTriangular(validate_args=True), INVERTED, 1, True, 1)
    values[-4:-3] = [b.FillTriangular(upper=True).forward(anything)]
    both_ways(b.ScaleTriL(), INVERTED, 1, True, 1)
    both_ways(b.Reshape([1, -1], [3], validate_args=True), rows, 0, False)
    values.append(b.Reshape([3, 1]).forward(anything))
    values += [b.Reshape([3]).inverse_event_shape_tensor([3])]
    chain = b.Chain([b.Exp(), b.SoftmaxCentered(), b.Affine(scale_diag=[1.0, 2.0, 3.0])])
    both_ways(chain, rows, 1, False)
    absolute = b.AbsoluteValue(validate_args=True)
    values += [absolute.forward([-1.0, 2.0]), *absolute.inverse([1.0, 2.0])]
    values += absolute.inverse_log_det_jacobian([1.0, 2.0], 1)
    folded = c.TransformedDistribution(c.Normal([0.5, 1.0], 1.0), b.AbsoluteValue())
    values += [folded.sample(2, seed=3), folded.prob([0.5, 1.0]), folded.log_prob(0.25)]
    slopes = tf.gradients(values[3:24], [rows])

    class Shifted(b.ConditionalBijector):
        def __init__(self):
            super().__init__(forward_min_event_ndims=0, name="shifted")

        def _forward(self, x, by):
            return x + by

        def _inverse(self, y, by):
            return y - by

        def _inverse_log_det_jacobian(self, y, by):
            return tf.zeros_like(y) + by

    shifted = Shifted()
    by = tf.constant(2.0)
    one = shifted.forward(1.0, by=by)
    values += [one, b.Chain([b.Exp(), shifted])._forward(tf.constant(INVERTED), shifted={"by": by})]
    values += [
        b.Invert(shifted)._forward(one, by=by),
        shifted.inverse_log_det_jacobian(one, 0, by=by),
    ]
    known = [shifted.inverse(one, by=by) is shifted.inverse(one, by=by)]
    wide = c.ConditionalTransformedDistribution(c.Normal([0.0, 1.0], 1.0), shifted)
    values += [wide.sample(2, seed=4, bijector_kwargs={"by": by})]
    values += [wide.log_prob([1.0, 2.0], bijector_kwargs={"by": by})]
    values += [
        wide.prob(0.5, bijector_kwargs={"by": by}),
        wide.cdf(3.0, bijector_kwargs={"by": by}),
    ]
    feed = {anything: INVERTED, matrices: [LOWER, 2 * LOWER], rows: INVERTED + 0.5}
    return {
        "facts": {"shapes": facts, "known": known},
        "steps": [("values", values, feed), ("slopes", slopes, feed)],
    }
