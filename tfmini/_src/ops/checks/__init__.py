"""Ops run for what they report: assertions on ranks, shapes, dtypes and values, Print, timestamps.

Uses control_flow, since an assertion that fails is a branch that is taken.
"""
