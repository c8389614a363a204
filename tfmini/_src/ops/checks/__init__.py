"""Ops that run for what they say: assertions on ranks, shapes, types and values, check_numerics, Print, timestamps.

Uses control_flow, since an assertion that fails is a branch that is taken.
"""
