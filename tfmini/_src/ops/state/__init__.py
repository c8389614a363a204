"""Variable ops: reference and resource variables, assignment, scatter updates, optimizer update rules.

Updates modify arrays in place while holding the lock of the cell; higher layers read variables through these ops.
"""
