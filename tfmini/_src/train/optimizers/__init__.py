"""Optimizers (one file each), slots, moving averages, and learning-rate schedules.

An optimizer combines the `gradients` of the loss, slot variables and one update op per variable (`update_rule`).
"""
