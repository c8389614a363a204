"""Ops that call graph functions and Python functions, and optional values."""
