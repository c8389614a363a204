"""Sessions: map fetches and feeds to values in the structure of the fetches.

`fetches` resolves nested fetches, `feeds` validates feeds, `base_session` compiles each step once and runs it,
`interactive_session` defines the session that becomes the default on construction. `eager/` executes ops immediately,
on a session's devices and resources.
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
