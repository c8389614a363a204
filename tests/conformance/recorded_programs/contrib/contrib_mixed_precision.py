"""Scaled losses: a fixed factor, and one that grows and shrinks as gradients are finite or not."""

import numpy as np


def build(tf):
    mixed = tf.contrib.mixed_precision
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    w = tf.get_variable("w", [2, 1], initializer=tf.constant_initializer([[0.5], [-1.0]]))
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
    manager = mixed.ExponentialUpdateLossScaleManager(8.0, 2, decr_every_n_nan_or_inf=2)
    step = tf.train.get_or_create_global_step()
    opt = mixed.LossScaleOptimizer(tf.train.GradientDescentOptimizer(0.1), manager)
    train = opt.minimize(loss, global_step=step)
    fixed = mixed.LossScaleOptimizer(
        tf.train.MomentumOptimizer(0.1, 0.9), mixed.FixedLossScaleManager(16)
    )
    other = fixed.apply_gradients(fixed.compute_gradients(loss), name="other")
    state = [w, step, manager.get_loss_scale(), manager._num_good_steps, manager._num_bad_steps]
    rng = np.random.RandomState(3)
    good, bad = rng.randn(4, 2).astype(np.float32), np.float32([[np.inf, 1.0]])
    steps = [("init", tf.global_variables_initializer())]
    for k, rows in enumerate([good, good, good, bad, good, bad, bad, bad, good]):
        steps += [(f"train {k}", [train], {x: rows}), (f"state {k}", state)]
    steps += [("other", [other], {x: good}), ("end", [w])]
    return {"steps": steps}
