"""Parses a Python function's source, and determines the reads and writes of its syntax tree."""
