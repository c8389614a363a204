"""`tf.autograph`: converts Python's `if`, `while` and `for` over tensors to `tf.cond` and `tf.while_loop`.

It applies to `call` of subclassed Keras layers and models, to `tf.function`, to dataset functions, and on explicit
request, and is loaded on first use. `analysis` parses a function's source and determines the reads and writes of its
blocks; `converters` rewrite the blocks as functions passed to operators, and compile the result at the same lines of
the same file; `operators` decide at run time whether they have tensors. `converted_call` converts called
functions, `errors` rewrites errors. It imports `data` and everything below.
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
