"""`tf.autograph`: `if`, `while` and `for` over tensors, in Python functions, as `tf.cond` and `tf.while_loop`.

It applies to `call` of subclassed Keras layers and models, to `tf.function`, to functions given to datasets, and where
a program requests it; loaded at the first of these. `reading` makes a syntax tree of a function's source and says what
its blocks read and write; `rewriting` makes another tree of it, whose blocks are functions given to operators, and
compiles that at the same lines of the same file; `operators` decide, when the code runs, whether they have tensors.
`calling` does so with the functions that are called, `failures` with errors. It imports `data` and what lies below.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
