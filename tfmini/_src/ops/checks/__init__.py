"""Diagnostic ops: assertions on ranks, shapes, dtypes and values, Print, timestamps.

Depends on control_flow, since a failing assertion is a branch.
"""
