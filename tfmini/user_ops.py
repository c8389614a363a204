"""tf.user_ops: an op as an example."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.string.facts import (
    my_fact,
)

__all__ = [
    "my_fact",
]

_namespace(globals())
