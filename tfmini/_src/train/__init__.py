"""`tf.train`: optimizers (one file each), learning-rate schedules, moving averages, the global step.

An optimizer combines the `gradients` of the loss, slot variables and one update op per variable
(`update_rule`).
"""
