"""Python 2 programs: their syntax and their meaning, on Python 3.

`era` tells whether a program is Python 2 (`evidence` looks at one file). `syntax` rewrites statements that Python 3
cannot parse, line for line; `operations` redirects operations that Python 3 does otherwise (`/`, `<`, `print`, methods,
imports) to functions of this package; `builtin_names` holds those, and Python 2's built-in functions, as the
`__builtins__` of the program's own modules. Libraries keep Python 3's. `library` has Python 2's standard modules.
"""
