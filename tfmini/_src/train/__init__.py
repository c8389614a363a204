"""`tf.train`: optimizers (one file each), learning-rate schedules, moving averages, the global step.

An optimizer composes what lies below: `gradients` of the loss, slot variables, and one update op a variable
(`update_rule`).
"""
