"""Compiler passes, one per file: each maps a Program to a Program and returns it unchanged if it finds nothing.

`pipeline.py` defines their order and the nodes each concerns; a pass is imported for the first program with such a
node. `frames` and `deferred_inputs` are parts of `frames_to_loops`. Tests validate the program after each pass.
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
