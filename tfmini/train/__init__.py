"""Training: optimizers (one file each), learning-rate schedules, moving averages, the global step.

An optimizer composes what level 3 offers: `gradients` of the loss, slot variables, and one update op a variable.
"""
