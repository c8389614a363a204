"""Optimizers, one file each, on the base class and its update rules.

Slots, moving averages, learning-rate schedules.
"""
