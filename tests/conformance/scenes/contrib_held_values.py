"""State of timeseries metrics across updates; flows of other dtypes, without shift or scale."""

import numpy as np


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
    one = lambda: b.RealNVP(1, net(1, 1))  # noqa: E731
    used = one()
    used.forward(tf.ones([2, 3]))
    stage.attempts(lambda: one().inverse_log_det_jacobian(tf.ones([2, 2, 1]), 1))
