"""Operators of converted code: add nodes for tensors, and otherwise behave like Python."""
