"""Values that metrics of timeseries hold from one update to the next; flows of other dtypes, without shift or scale."""

import numpy as np

from tests.conformance.scenes.contrib_series import _batch, _plain
from tests.support.models.series_runs import internal


def held_values(tf, stage):
    head_of = internal(tf, "head", "TimeSeriesRegressionHead")
    manager = internal(tf, "state_management", "FilteringOnlyStateManager")
    for rows in (2, None):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(1)
            tf.train.get_or_create_global_step()
            optimizer = tf.train.GradientDescentOptimizer(0.1)
            given = _batch(tf)
            if rows is None:
                given = {
                    k: tf.placeholder_with_default(v, [None] * len(v.shape))
                    for k, v in ((k, tf.convert_to_tensor(v)) for k, v in given.items())
                }
            head = head_of(_plain(tf), manager(), optimizer)
            made = head.create_estimator_spec(given, "eval")
            for key, (value, update) in sorted(made.eval_metric_ops.items()):
                stage.say(key, [(v.name, v.dtype, str(v.shape)) for v in tf.nest.flatten(value)])
                stage.say(update.name, str(getattr(update, "shape", "-")))
            for variable in tf.local_variables():
                stage.say(
                    variable.name, variable.dtype, str(variable.shape), variable.initializer.name
                )
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            session.run([update for _, update in made.eval_metric_ops.values()])
            for key, (value, _) in sorted(made.eval_metric_ops.items()):
                stage.say(key, [np.shape(v) for v in session.run(tf.nest.flatten(value))])


def real_flows(tf, stage):
    b = tf.contrib.distributions.bijectors

    def net(shift, scale):
        def made(x, n):
            whole = x[:, :1] * tf.ones([1, n], x.dtype)
            return whole if shift else None, whole / 2 if scale else None

        return made

    for dtype in (np.float64, np.float32, np.float16):
        for shift, scale in ((1, 1), (1, 0), (0, 1), (0, 0)):
            for constant in (False, True):
                with tf.Graph().as_default(), tf.Session() as session:
                    x = tf.constant([[1.0, 2.0, 3.0], [0.5, 0.25, 4.0]], dtype)
                    made = b.RealNVP(1, net(shift, scale), constant)
                    found = [made.forward(x), made.inverse(x)]
                    found += [
                        made.forward_log_det_jacobian(x, 1),
                        made.inverse_log_det_jacobian(x, 1),
                    ]
                    stage.say([(t.name, t.dtype, str(t.shape)) for t in found])
                    stage.say(session.run(found))
    of = tf.placeholder
    one = lambda: b.RealNVP(1, net(1, 1))  # noqa: E731
    used = one()
    used.forward(tf.ones([2, 3]))
    stage.attempts(
        lambda: one().forward(of(tf.float32, [2, None])),
        lambda: one().forward(of(tf.float32)),
        lambda: one().forward(of(tf.float32, [None, 3])),
        lambda: one().forward(tf.ones([2, 1])),
        lambda: one().inverse_log_det_jacobian(tf.ones([2, 2, 1]), 1),
        lambda: b.RealNVP(-1, net(1, 1)),
        lambda: used.inverse(of(tf.float32, [2, None])),
    )
