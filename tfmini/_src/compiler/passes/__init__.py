"""From program to program, one pass a file: each takes a Program and returns one, the same where nothing changed.

Their order stands in one place; what a pass may rely on is checked after each in tests.
"""
