"""Diagnostic ops: assertions on ranks, shapes, dtypes and values, Print, timestamps.

Depends on control_flow, because a failing assertion is a branch.
"""
