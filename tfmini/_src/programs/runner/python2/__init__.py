"""Python 2 programs on Python 3: their syntax and semantics.

`language_version` decides whether a program is Python 2 (`evidence` examines one file). `syntax` rewrites statements
that Python 3 cannot parse, line for line; `operations` redirects operations that differ in Python 3 (`/`, `<`, `print`,
methods, imports) to functions of this package; `builtin_names` collects those and Python 2's built-in functions as the
`__builtins__` of the program's modules. Libraries keep Python 3's. `library` contains Python 2's
standard modules.
"""
