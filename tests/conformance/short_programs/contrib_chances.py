"""tf.contrib.distributions, bijectors and Monte Carlo: an option per program."""

import numpy as np

from tests.conformance.short_programs import rows, table_of


def programs(tf):
    C = tf.contrib
    D = C.distributions

    def asked(one, *methods):
        """What a distribution says of itself, or how it refuses."""
        found = [tf.constant(str([one.allow_nan_stats, one.validate_args, one.dtype, one.name]))]
        for method in methods or ("mean", "mode", "variance", "stddev", "entropy", "covariance"):
            try:
                found.append(getattr(one, method)())
            except (NotImplementedError, ValueError, TypeError) as error:
                found.append(tf.constant(str(error)))
        drawn = one.sample(2, seed=1)
        return [*found, drawn, one.log_prob(tf.stop_gradient(drawn))]

    def moved(bijector, value):
        value, dims = tf.constant(value), bijector.forward_min_event_ndims
        log_det = bijector.inverse_log_det_jacobian(value, bijector.inverse_min_event_ndims)
        found = [bijector.forward(value), bijector.inverse(value), log_det]
        if type(bijector) in (D.bijectors.MaskedAutoregressiveFlow, D.bijectors.BatchNormalization):
            return found  # TensorFlow's graph optimizer changes the sign
        return [*found, bijector.forward_log_det_jacobian(value, dims)]

    def head(**options):
        made = D.estimator_head_distribution_regression(
            lambda logits: D.Normal(logits, 1.0), **options
        )
        labels = [[1.0], [2.0]]
        given = made.create_model_fn_ops(
            {"w": [[1.0], [0.5]]},
            "train",
            {"l": labels} if options.get("label_name") else labels,
            logits=[[0.5], [1.0]],
            train_op_fn=lambda loss: tf.no_op(),
        )
        return [given.loss, given.train_op, tf.constant(sorted(given.predictions))]

    def masked(*given, **options):
        return D.bijectors.masked_dense(*given, **{"kernel_initializer": ones, **options})

    ones = tf.ones_initializer()
    root = np.float32([[1.5, 0.0], [0.5, 0.75]])
    return rows(
        table_of(__file__), tf=tf, np=np, C=C, D=D, B=D.bijectors, asked=asked, moved=moved, head=head, masked=masked,
        A=tf.constant, M=C.bayesflow.monte_carlo, ROOT=root, FULL=root.dot(root.T), PAIR=np.float32([0.5, 2.0]),
        NORMAL=lambda: D.Normal([0.0, 1.0], 1.0),
        VECTOR=lambda: D.MultivariateNormalDiag([0.0, 1.0]),
        MATRIX=np.float32([[0.5, 0.0], [0.25, 1.0]]), ONES=ones,
        ROWS=np.float32([[1.0, 2.0, 0.5, -1.0], [0.5, 0.25, 2.0, 1.0]]),
    )  # fmt: skip
