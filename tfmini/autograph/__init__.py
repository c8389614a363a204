"""`tf.autograph`: `if`, `while` and `for` over tensors, in Python functions, as `tf.cond` and `tf.while_loop`.

It applies to `call` of subclassed Keras layers and models, to `tf.function`, to functions given to datasets, and where
a program asks for it; loaded at the first of these. `reading` makes a syntax tree of a function's source and says what
its blocks read and write; `rewriting` makes another tree of it, whose blocks are functions given to operators, and
compiles that at the same lines of the same file; `operators` decide, when the code runs, whether they have tensors.
`calling` does so with the functions that are called, `failures` with errors. It imports `data` and what lies below.
"""

from tfmini.autograph import experimental
from tfmini.autograph.conversions import to_code, to_graph
from tfmini.autograph.directives import trace
from tfmini.autograph.verbosity import set_verbosity
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["experimental", "set_verbosity", "to_code", "to_graph", "trace"]

_namespace(globals())
