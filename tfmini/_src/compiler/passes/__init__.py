"""From program to program, one pass a file: each takes a Program and returns one, the same where nothing changed.

Their order stands in one place, with what each is for: it is loaded for the first program that has such a node. What
a pass may rely on is checked after each in tests.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
