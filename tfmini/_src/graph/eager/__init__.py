"""Eager mode as the graph knows it: `execution_mode` says which mode is on, `EagerTensor` is a tensor with its value,
`eager_constant` makes one of Python values, and `tapes` are told of what runs.
"""
