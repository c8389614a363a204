"""Sessions: fetches and feeds on the way in, values in the same structure on the way out.

`fetches` resolves nested fetches, `feeds` checks what is fed, `session` compiles each step once and runs it,
`interactive_session` is a session that is the default from its making on. `eager/` runs ops at once, on the devices and
resources of a session.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
