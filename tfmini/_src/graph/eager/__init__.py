"""Eager mode as seen by the graph: `execution_mode` tells which mode is active, `EagerTensor` is a tensor with a value,
`eager_constant` creates one from Python values, and `tapes` record the ops that run.
"""
