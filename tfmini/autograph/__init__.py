"""`tf.autograph`: what of it has a meaning where functions are traced as they are.

TensorFlow's AutoGraph rewrites the `if`, `while` and `for` over tensors of a function into `tf.cond` and
`tf.while_loop`. tfmini rewrites nothing: such a statement is an error that names them.
"""

from tfmini.autograph import experimental
from tfmini.functions.directives import trace
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["experimental", "trace"]

_namespace(globals())
