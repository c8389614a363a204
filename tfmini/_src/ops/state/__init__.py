"""Variable ops: reference and resource variables, assignment, scatter updates, optimizer update rules.

Updates change arrays in place under the cell's lock; higher layers read variables through these ops.
"""
